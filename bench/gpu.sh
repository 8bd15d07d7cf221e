#!/usr/bin/env bash
# Builds, tests and times everything on a machine with a GPU, in one go.
#
#   bench/gpu.sh [FOLDER]      results go to FOLDER (default bench/results/<machine>)
#
# Where nothing can be built, bench/gpu_bundle.sh makes a folder to carry there. Both run bench/gpu_run.sh, which says
# what it does and with which exit codes.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$(realpath -m -- "${1:-$here/results/$(uname -n)}")"
if [ -n "${SCREE_DATA:-}" ]; then
  SCREE_DATA="$(cd "$SCREE_DATA" && pwd)"
fi
cd "$here/.."
if ! timeout -k 10 30 nvidia-smi -L >/dev/null 2>&1; then
  echo "bench/gpu.sh: nvidia-smi finds no GPU" >&2
  exit 4
fi
mkdir -p "$folder"
cmake --preset release >"$folder/configure.log"
cmake --build --preset release --target scree scree_device_tests 2>&1 |
  tee "$folder/build.log" | tail -n 3
exec bench/gpu_run.sh -p build/release "$folder"
