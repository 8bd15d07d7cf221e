#!/bin/sh
# Sets up, builds and passes all tests but the long ones, which are those of tests/long.sh. Most sources are compiled
# many at a time.
# With nvcc the CUDA code is compiled as well; tests that need a GPU, the terrain data or a browser that is not there
# skip with a reason.
set -eu
cd "$(dirname "$0")"

./setup.sh --tests
if [ -z "${SCREE_DATA:-}" ] && [ -d ../shared/data ]; then
  SCREE_DATA=$(cd ../shared/data && pwd -P)
  export SCREE_DATA
fi

# Without a GPU the tests read the kernels' PTX, and what an assembler makes of it, for as long again, would never run.
architectures=80-virtual
if nvidia-smi -L >/dev/null 2>&1; then
  architectures=""
fi
cmake --preset check -DSCREE_CUDA_ARCHITECTURES="$architectures"
cmake --build --preset check

# Three on two processors, as some wait for signals, for ranks, for what is meant to hang.
ctest --preset check -j 3

echo
echo "check.sh: all tests passed"
