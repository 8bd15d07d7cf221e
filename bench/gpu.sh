#!/usr/bin/env bash
# Builds, tests and times everything on a machine with a GPU, in one go.
#
#   bench/gpu.sh [FOLDER]      results go to FOLDER (default bench/results/<machine>)
#
# The order matters: first the CUDA tests, bit-equality with the CPU among them; timings of wrong results say nothing.
# Leaves a log of each part and the CSV files in FOLDER. The card is measured as it is found: no setting is touched.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-bench/results/$(hostname)}"
mkdir -p "$folder"
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem --format=csv >"$folder/device.csv"
capability="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)"

cmake --preset release -DSCREE_CUDA_ARCHITECTURES="${capability}-real" >"$folder/configure.log"
cmake --build --preset release 2>&1 | tee "$folder/build.log" | tail -n 3
ctest --test-dir build/release -R 'Cuda' --output-on-failure 2>&1 | tee "$folder/tests.log"
for samples in 100 1000 10000 100000; do
  build/release/bench/bench_rocks configs/rock_ramp.toml --samples "$samples" --rounds 3 --no-baseline \
    --csv "$folder/rocks_$samples.csv" 2>&1 | tee "$folder/rocks_$samples.log"
done
