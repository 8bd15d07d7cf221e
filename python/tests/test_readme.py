"""What the README shows runs."""

import re
from pathlib import Path

from conftest import CONFIGS


def test_the_readmes_lines_run(tmp_path, monkeypatch, capsys):
    text = (CONFIGS.parent / "README.md").read_text()
    lines = re.search(r"^## First result\n.*?^```python taken \S+\n(.*?)^```", text, re.DOTALL | re.MULTILINE).group(1)
    monkeypatch.chdir(tmp_path)
    Path("configs").symlink_to(CONFIGS)
    names = {}
    exec(compile(lines, "README.md", "exec"), names)  # noqa: S102
    assert names["path"].attrs["sample"] == 17
    assert names["ds"].scree.digest in capsys.readouterr().out
