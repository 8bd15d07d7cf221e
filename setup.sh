#!/bin/sh
# Installs what Scree is built from, on Debian 12 or 13, Ubuntu 24.04 or later. Does nothing when all is there.
# This is the one place that names the packages; demo.sh and check.sh call it. CUDA is used when found, and never installed.
# With --tests also a browser, in which tests open pages, a job scheduler, GNU parallel, two MPIs, two shells, mandoc,
# lintian and what the Python package and the documentation are tested with, in build/python; with --python also what
# `pip install .` needs in an environment of its own; with --fuzz also clang with libFuzzer, for tests/fuzz/long.sh.
set -eu

packages="build-essential cmake ninja-build git
  libeigen3-dev libcli11-dev libhdf5-dev libtomlplusplus-dev libxxhash-dev nlohmann-json3-dev libqhull-dev
  libtiff-dev libgeotiff-dev libproj-dev libsqlite3-dev
  node-d3 libjs-three libpng-dev zlib1g-dev
  libgtest-dev libgmock-dev libvalijson-dev
  hdf5-tools gnuplot-nox gdal-bin"

if ! command -v dpkg-query >/dev/null; then
  echo "setup.sh: no apt on this system; these must be installed by other means:" $packages "Boost >= 1.81" >&2
  exit 0
fi

# Debian 12's default Boost, 1.74, is too old.
. /etc/os-release
case "$ID:${VERSION_ID:-}" in
  debian:12) packages="$packages libboost1.81-dev" ;;
  *) packages="$packages libboost-dev" ;;
esac

if [ "${1:-}" = --tests ]; then
  packages="$packages slurm-wlm slurm-wlm-basic-plugins munge openmpi-bin libopenmpi-dev mpich libmpich-dev
    parallel zsh fish mandoc lintian debootstrap unzip python3-dev python3-venv"
fi

if [ "${1:-}" = --python ]; then packages="$packages python3-dev python3-venv"; fi

# That of Ubuntu is no package but a link to a store.
if [ "${1:-}" = --tests ] && [ "$ID" = debian ]; then packages="$packages chromium-headless-shell"; fi

if [ "${1:-}" = --fuzz ]; then
  case "$ID:${VERSION_ID:-}" in
    debian:12) packages="$packages clang libclang-rt-14-dev" ;;
    *) packages="$packages clang libclang-rt-dev" ;;
  esac
fi

missing=""
for package in $packages; do
  case "$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)" in
    ?i*) ;;
    *) missing="$missing $package" ;;
  esac
done
if [ -n "$missing" ]; then
  sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup.sh: run as root: apt-get install$missing" >&2
      exit 1
    fi
    sudo="sudo"
  fi
  echo "setup.sh: installing$missing" >&2
  $sudo apt-get update -q >&2
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
fi

# What Debian does not have of what the Python package is built and tested with, and the documentation made with, where
# PyPI can be reached.
installed=build/python/requirements.txt
if [ "${1:-}" = --tests ] && ! cmp -s python/requirements.txt "$installed"; then
  echo "setup.sh: installing build/python" >&2
  # uv, for pip takes half a minute.
  if python3 -m venv build/python >&2 && build/python/bin/pip install -q uv >&2 &&
    build/python/bin/uv pip install -q --python build/python/bin/python -r python/requirements.txt >&2; then
    cp python/requirements.txt "$installed"
  else
    echo "setup.sh: PyPI cannot be reached: tests of the Python package and of the site of the documentation will skip" >&2
    rm -rf build/python
  fi
fi
