#!/usr/bin/env bash
# Builds, tests and times everything on a machine with a GPU, in one go.
#
#   bench/gpu.sh [FOLDER]      results go to FOLDER (default bench/results/<machine>)
#
# The order matters: first the suites of all systems on all backends, which hold the GPU to the bits of the CPU, and
# what else there is to test of CUDA; timings of wrong results say nothing.
# Leaves a log of each part and one CSV per case in FOLDER. The card is measured as it is found: no setting is touched.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-bench/results/$(hostname)}"
mkdir -p "$folder"
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm,clocks.mem,power.limit --format=csv \
  >"$folder/device.csv"
capability="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)"

cmake --preset release -DSCREE_CUDA_ARCHITECTURES="${capability}-real" >"$folder/configure.log"
cmake --build --preset release 2>&1 | tee "$folder/build.log" | tail -n 3
ctest --test-dir build/release -L 'suites|systems' -j "$(nproc)" --verbose 2>&1 | tee "$folder/tests.log"
ctest --test-dir build/release -R 'Cuda' --output-on-failure 2>&1 | tee -a "$folder/tests.log"
# Here is a device: every system, terrain and capacity must have run on it.
if grep -E '\[  SKIPPED \] Bits/.*_cuda' "$folder/tests.log"; then
  echo "bench/gpu.sh: these tests were skipped on a machine with a GPU" >&2
  exit 1
fi

# A case that fails its digests or its physics is said at the end; the others are measured all the same.
failed=""
measure() {
  local name=$1
  shift
  build/release/scree bench --only "$name" --quiet --force --csv "$folder/$name.csv" "$@" 2>&1 |
    tee "$folder/$name.log" || failed="$failed $name"
}
for name in slider cap pair rotor projectile coulomb scatter hard_discs balls disc_box; do
  measure "$name" --samples 1e2,1e3,1e4,1e5,1e6,1e7
done
measure disk --samples 1e2,1e3,1e4,1e5,1e6
measure rock_flight --samples 1e2,1e3,1e4,1e5,1e6,1e7
measure rock_contact --samples 1e2,1e3,1e4,1e5,1e6
if [ -n "${SCREE_DATA:-}" ]; then
  measure rock_grid --samples 1e2,1e3,1e4,1e5
fi
measure lorenz --samples 1e2,1e3,1e4,1e5,1e6,8388608
if [ -n "$failed" ]; then
  echo "bench/gpu.sh: failed:$failed" >&2
  exit 1
fi
