"""The package has types that mypy accepts, for its users too."""

import subprocess
import sys
from pathlib import Path

import pytest

import scree
from conftest import CONFIGS

pytest.importorskip("mypy")
RULES = CONFIGS.parent / "pyproject.toml"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """What mypy --strict says of files."""
    cache = tmp_path_factory.mktemp("cache")  # of what all of them import, once

    def say(*files):
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", str(RULES), "--cache-dir",
                               str(cache), *map(str, files)], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    return say


def test_the_package_and_its_examples_are_strictly_typed(judged):
    package = Path(scree.__file__).parent
    assert (package / "py.typed").exists() and (package / "_core.pyi").exists()
    examples = sorted((CONFIGS.parent / "examples" / "python").glob("*.py"))
    assert len(examples) > 3 and judged(package, *examples).startswith("Success: no issues found")


def test_users_get_types(judged, tmp_path):
    lines = tmp_path / "own.py"
    lines.write_text("import scree\nds = scree.run('ramp.toml', samples='many')\n"
                     "both: int = scree.compare('ramp.toml')\nreveal_type(scree.converge('ramp.toml').steps)\n"
                     "try:\n    pass\nexcept (scree.Interrupted, scree.TargetError) as error:\n"
                     "    print(error.partial.scree.digest)\n")
    said = judged(lines)
    assert 'Argument "samples" has incompatible type "str"; expected "int | None"' in said
    assert 'expression has type "Comparison"' in said
    assert said.endswith("Found 2 errors in 1 file (checked 1 source file)\n")


def test_every_name_that_is_offered_is_there_and_explained():
    assert sorted(scree.__all__) == sorted(set(scree.__all__))
    for name in scree.__all__:
        assert getattr(scree, name).__doc__
