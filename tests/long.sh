#!/bin/sh
# The suites that are too long for every change: a thousand kills of runs, each call of the system that fails, and all
# else that chance decides, many times; with each MPI what they do alike; all other tests of the program as it is
# released, every system with each instruction set, where check.sh optimises less and compiles the packs of the largest
# systems for the machine that it runs on alone; the commands and the site of the documentation; the simulations of the
# statistics with 10^4 trials each, and all that is executed of PTX; 10^5 damaged configs and results, half an hour;
# under the sanitizers all tests that run no program, an hour, of which those of texts and readers have some minutes;
# and where there is clang ten minutes of libFuzzer, of which fuzz/long.sh alone gives each reader half an hour. As root
# the Debian packages are installed in a fresh Debian, from the network, check.sh passes in Debian 13, and demo.sh runs
# in Ubuntu 24.04; from the network, too, comes what the static program and the wheel are made of, whose tests are long
# ones (ctest), as that which builds all of it twice. Systems of one's own are compiled from Python. Builds the presets
# release, check, static, package, sanitize and fuzz.
set -eu
cd "$(dirname "$0")/.."
export SCREE_MANY=1
# From PyPI where that can be reached; the test of the page's Snakefile skips without it.
if ! command -v snakemake >/dev/null; then
  if python3 -m venv build/snakemake && build/snakemake/bin/pip install --quiet snakemake; then
    PATH=$PWD/build/snakemake/bin:$PATH
  fi
fi
cmake --preset release
cmake --build --preset release
# Not by ctest, whose tests have a quarter of an hour: on a busy machine a thousand kills take longer.
chances="JournalOf.*:Promised.*:Faults.*:Lock.OfTwoThatWouldWrite*:Loss.CtrlCLeavesAMean*:Mpi.*:Bench.*Scheme*"
build/release/tests/scree_cli_tests --gtest_filter="$chances:Field.*Forecast*"
env -u SCREE_MANY SCREE_TRIALS=10000 ctest --preset release -E '^(docs_commands|scree_install)$' -j "$(nproc)" "$@"
python3 tests/mutants/run.py --program build/release/scree --count 50000
python3 docs/run_commands.py --program build/release/scree --own build/release/tests/scree_with_pages --slow
python3 docs/validation.py build/release/scree --check || [ $? -eq 77 ]

# Optimised as it is released, also where check.sh was here before.
cmake --preset check -DSCREE_CPU_QUICKLY=OFF -DSCREE_CUDA_QUICKLY=OFF -DSCREE_NATIVE_SYSTEMS=
cmake --build --preset check
ctest --test-dir build/check -L long -R '^Python\.' --output-on-failure  # where there is a Python for them
ctest --test-dir build/check -R scree_install --output-on-failure

cmake --preset package
cmake --build --preset package
cpack --preset package
test -s build/package/scree_*_amd64.deb  # where docs/install.md has it
tests/install/package.sh build/package --chroot || [ $? -eq 77 ]
# Where the README begins, on what it names beside this machine: other compilers, HDF5, MPI and Python.
tests/install/fresh.sh trixie || [ $? -eq 77 ]
tests/install/fresh.sh noble ./demo.sh || [ $? -eq 77 ]

cmake --preset sanitize
cmake --build --preset sanitize
ctest --preset sanitize -j "$(nproc)"
cmake --build --preset sanitize-long
ctest --preset sanitize-long -j "$(nproc)"

if command -v clang++ >/dev/null; then
  tests/fuzz/long.sh -s 90 -n 0
else
  echo "long.sh: no clang++ for tests/fuzz/long.sh; ./setup.sh --fuzz installs it" >&2
fi
