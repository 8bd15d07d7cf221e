"""What stands in the way of the package is said in one line, and it is imported quickly."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scree


def imported(folder, lines="import scree\nprint(scree.__file__)\n"):
    """What Python prints with packages from this folder alone."""
    return subprocess.run([sys.executable, "-c", f"import sys\nsys.path.insert(0, {str(folder)!r})\n" + lines],
                          capture_output=True, text=True, check=False)


@pytest.fixture
def packages(tmp_path):
    """A folder of packages with this one in it."""
    shutil.copytree(Path(scree.__file__).parent, tmp_path / "scree")
    (tmp_path / "scree_engine-0.1.0.dist-info").mkdir()
    return tmp_path


@pytest.mark.parametrize("other", ["scree-0.0.1.dist-info", "scree-0.0.1.egg-info"])
def test_another_package_of_that_name_is_told(packages, other):
    assert imported(packages).stdout.strip() == str(packages / "scree" / "__init__.py")
    (packages / other).mkdir()
    done = imported(packages)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: {packages} has the package scree of another distribution too, {other}, and files of one over "
        "those of the other: pip uninstall scree scree-engine, and install scree-engine again")


def test_packages_elsewhere_are_not_in_the_way(packages, tmp_path):
    (tmp_path / "elsewhere" / "scree-0.0.1.dist-info").mkdir(parents=True)
    assert imported(packages, f"sys.path.append({str(tmp_path / 'elsewhere')!r})\nimport scree\n").returncode == 0


def test_the_import_leaves_what_takes_long_for_later():
    lines = ("import time\nstart = time.process_time()\nimport scree\nseconds = time.process_time() - start\n"
             "late = {'xarray', 'pandas', 'numpy', 'matplotlib', 'tqdm', 'tomli_w'} & set(sys.modules)\n"
             "print(seconds, *late)\n")
    seconds, *late = imported(Path(scree.__file__).parent.parent, lines).stdout.split()
    assert not late and float(seconds) < 0.3
