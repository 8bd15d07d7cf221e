"""The examples run as they are, and find what they should."""

import json
import os
import re
import subprocess
import sys

import pytest

import scree
from conftest import CONFIGS

EXAMPLES = CONFIGS.parent / "examples" / "python"


def printed(name, tmp_path):
    """What an example prints, from any folder."""
    done = subprocess.run([sys.executable, str(EXAMPLES / name)], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.iterdir()), "and leaves no files"
    return done.stdout


def require(system, *modules):
    if system not in scree.__build__["systems"]:
        pytest.skip(f"there is no {system} in this build")
    for module in modules:
        pytest.importorskip(module)


def test_indices_of_sobol_are_of_one_run(tmp_path):
    require("rock", "SALib")
    said = printed("sobol_indices.py", tmp_path)
    assert said.startswith("2560 rocks, ")
    rows = {name: (float(first), float(total)) for name, first, total
            in re.findall(r"^(\w+) +(-?[\d.]+) +([\d.]+) \+-", said, re.MULTILINE)}
    assert list(rows) == ["friction_min", "restitution", "drag"]
    assert rows["restitution"][1] > rows["friction_min"][1] > 0.05 and rows["restitution"][0] > 0.5
    assert sum(first for first, _ in rows.values()) < 1.1


def test_the_drag_that_made_the_shots_is_found(tmp_path):
    require("projectile", "scipy", "emcee")
    said = printed("drag_of_shots.py", tmp_path)
    best = float(re.search(r"a drag of ([\d.]+)", said)[1])
    mean, sd = map(float, re.search(r"emcee: ([\d.]+) \+- ([\d.]+)", said).groups())
    # The posterior of a nearly linear problem: its mean is the best fit, its width the error of that.
    assert abs(best - 0.05) < 4 * sd and abs(mean - best) < 0.5 * sd and 5e-5 < sd < 5e-4


def test_a_chain_is_judged_by_arviz(tmp_path):
    require("projectile", "scipy", "emcee", "arviz")
    said = printed("posterior_with_arviz.py", tmp_path)
    low, high = map(float, re.search(r"95 % from ([\d.]+) to ([\d.]+)", said).groups())
    assert low < 0.05 < high and high - low < 1e-3
    samples, agreement = re.search(r"worth (\d+) independent samples of 5600, R-hat ([\d.]+)", said).groups()
    assert 300 < int(samples) < 5600 and float(agreement) < 1.05
    # Of twelve measurements eleven are expected, eight or fewer once in forty times.
    assert int(re.search(r"(\d+) of 12 measurements", said)[1]) > 8


def test_parts_by_dask_are_the_whole(tmp_path):
    require("rock", "dask")
    said = printed("shards_with_dask.py", tmp_path)
    assert "parts of [50, 50, 50, 50] rocks" in said
    digest = re.search(r"digest (\w{32})", said)[1]
    assert digest == scree.run(CONFIGS / "rock_ramp.toml", scheme="implicit", samples=200).scree.digest


def test_the_notebook_runs_and_stores_nothing(tmp_path):
    require("rock", "nbclient", "ipykernel", "matplotlib")
    import nbformat
    from nbclient import NotebookClient

    path = EXAMPLES / "first_steps.ipynb"
    for cell in json.loads(path.read_text())["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None
    book = nbformat.read(path, as_version=4)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 3
    assert any("implicit" in output.get("text", "") for output in outputs)
    assert not any(output.output_type == "error" for output in outputs)
