#!/bin/sh
# Sets up, builds and passes all tests: optimised, most sources compiled many at a time; then under the sanitizers the
# unit tests, and of those of physics some of each kind.
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

# Some tests wait for signals, for ranks, for what is meant to hang. What they leave of the processors builds those with
# the sanitizers, at the lowest priority, so that no test waits for it.
log=build/sanitize.log
timeout 3600 nice -n 19 sh -c 'cmake --preset sanitize && cmake --build --preset sanitize' >"$log" 2>&1 &
build=$!
trap 'kill $build 2>/dev/null || true' EXIT  # with all that it started, as timeout passes the signal on
trap 'exit 130' INT TERM
ctest --preset check -j 2
if ! wait $build; then
  cat "$log"
  exit 1
fi
trap - EXIT
ctest --preset sanitize -j 2

echo
echo "check.sh: all tests passed"
