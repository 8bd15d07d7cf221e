#!/bin/sh
# The suites that are too long for every change: the simulations of the statistics with 10^4 trials each, and all configs
# by executed PTX, some minutes on 2 cores; 10^5 damaged configs and results, half an hour; and all tests of physics under
# the sanitizers, an hour. Builds the presets release and sanitize.
set -eu
cd "$(dirname "$0")/.."
cmake --preset release
cmake --build --preset release --target scree_long_tests
SCREE_TRIALS=10000 ctest --preset release -L "simulations|long" -j "$(nproc)" "$@"
python3 tests/mutants/run.py --program build/release/scree --count 50000

cmake --preset sanitize
cmake --build --preset sanitize-long
ctest --preset sanitize-long -j "$(nproc)"
