import json
import os
import subprocess
from pathlib import Path

import pytest

PROGRAM, CONFIGS = os.environ["SCREE_PROGRAM"], Path(os.environ["SCREE_CONFIGS"])

RAMP = {"system": "rock", "scheme": "implicit", "samples": 40, "seed": 3, "step": 0.002, "end": 60.0,
        "terrain": {"kind": "ramp", "slope": 40.0, "height": 20.0},
        "shape": [{"name": "block", "kind": "cuboid", "size": [1.0, 0.8, 0.6], "mass": 780.0}],
        "vary": {"orientation": "uniform"}}


def pytest_configure(config):
    config.addinivalue_line("markers", "long: one of the slowest; tests/long.sh runs it, not check.sh")


@pytest.fixture
def program():
    """What the program prints with --json for these words."""

    def answer(*words):
        done = subprocess.run([PROGRAM, *words, "--json", "--quiet"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answer


@pytest.fixture(scope="session")
def other():
    """The program of this build, beside this process."""
    import scree

    return scree.Program(PROGRAM)


@pytest.fixture(params=["module", "program"])
def either(request, other):
    """The module, and the program beside this process."""
    import scree

    return scree if request.param == "module" else other


@pytest.fixture
def ramp():
    """Forty rocks on a small ramp."""
    return json.loads(json.dumps(RAMP))


@pytest.fixture
def config(tmp_path, ramp):
    """The same as a file."""
    import tomli_w

    path = tmp_path / "ramp.toml"
    path.write_text(tomli_w.dumps(ramp))
    return path
