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

# Without a GPU the tests read and execute the kernels' PTX, compiled in half the time here, and as it is released with
# tests/long.sh. What an assembler makes of it, for as long again, would never run.
architectures=80-virtual quickly=ON
if nvidia-smi -L >/dev/null 2>&1; then
  architectures="" quickly=OFF
fi
# Of the systems that take longest to compile packs are for this processor and scalars for any, of the others each for
# every instruction set; tests/long.sh has all of them for all, optimised as they are released.
cmake --preset check -DSCREE_CUDA_ARCHITECTURES="$architectures" -DSCREE_CUDA_QUICKLY="$quickly" \
  -DSCREE_CPU_QUICKLY=ON "-DSCREE_NATIVE_SYSTEMS=coulomb;disc_box;disk;pair;rock;slider"
cmake --build --preset check

# Four on two processors, as some wait for signals, for ranks, for what is meant to hang.
ctest --preset check -j 4

echo
echo "check.sh: all tests passed"
