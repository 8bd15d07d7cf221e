"""docs/python.md: what it shows runs, and it names all that there is."""

import re
from pathlib import Path

import pytest

import scree
from conftest import CONFIGS

PAGE = CONFIGS.parent / "docs" / "python.md"


def blocks_of_page(test):
    """Its lines of Python that this test runs."""
    fence = rf"^```python taken python/tests/{test}\n(.*?)^```"
    return re.findall(fence, PAGE.read_text(), re.DOTALL | re.MULTILINE)


def test_the_pages_lines_run(tmp_path, monkeypatch, capsys):
    if not {"rock", "slider"} <= set(scree.__build__["systems"]):
        pytest.skip("there is no rock or slider in this build")
    blocks = blocks_of_page("test_page.py")
    assert len(blocks) == 5
    monkeypatch.chdir(tmp_path)
    Path("configs").symlink_to(CONFIGS)
    names = {}
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)  # noqa: S102
    assert names["path"].attrs["status"] == "stopped" and names["sliders"].attrs["seed"] == 7
    said = capsys.readouterr().out
    assert "200 rocks stopped" in said and re.search(r"^runout: speed 20 exceeds speed 0 by", said, re.MULTILINE)
    shown = re.search(r"print\(error\)  # (.*)", blocks[-1])[1]
    assert said.endswith(shown + "\n")


def test_the_page_names_all_that_there_is():
    from scree._plot import ComparisonPlots
    from scree._result import Comparison, Scree

    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    tables = "\n".join(rows)
    said = tables + PAGE.read_text().split("## Errors")[1]
    for name in scree.__all__:
        assert re.search(rf"`scree\.{name}\b", said), name
    for kind, called in ((Scree, "ds.scree"), (Comparison, "c")):
        for name in vars(kind):
            if not name.startswith("_"):
                assert f"`{called}.{name}" in tables, name
    for name in ("arms", "finer", "facts"):
        assert f"`c.{name}" in tables
    for name in dir(ComparisonPlots):
        assert name.startswith("_") or f"`.{name}(" in tables


def test_the_page_links_to_what_is_there():
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text()):
        assert link.startswith("https://") or (PAGE.parent / link).exists(), link
    assert "docs/python.md" in (CONFIGS.parent / "README.md").read_text()
