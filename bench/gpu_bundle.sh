#!/usr/bin/env bash
# Makes, on a machine without a GPU, one folder that runs on any x86-64 Linux machine with an NVIDIA driver and nothing
# else: the program, the tests that need a device, the configs, and run.sh (bench/gpu_run.sh), which does it all.
#
#   bench/gpu_bundle.sh [FOLDER]   default build/bundle/scree-gpu; a bundle there is replaced once the new one is whole
#
# HDF5, libstdc++ and the CUDA runtime are linked statically; there is code for compute capability 8.0 and 9.0, and PTX
# for what comes after. Where SCREE_DATA is set, the terrains that configs name come along. BUNDLE.txt in the folder
# says which of them did, and which glibc and which driver it needs. Exit code 1, and no folder, if it would not run
# elsewhere, or exceeds 60 MB.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$(realpath -m -- "${1:-$here/../build/bundle/scree-gpu}")"
most_bytes=60000000
fail() {
  echo "bench/gpu_bundle.sh: $1" >&2
  exit 1
}
[ "$(uname -m)" = x86_64 ] || fail "this machine is no x86-64"
command -v objdump >/dev/null || fail "there is no objdump, which says what the programs need (package binutils)"
if [ -n "${SCREE_DATA:-}" ]; then
  given="$SCREE_DATA"
  SCREE_DATA="$(cd "$given" 2>/dev/null && pwd)" || fail "SCREE_DATA=$given: there is no such folder"
fi
cd "$here/.."
if [ -e "$folder" ] && [ ! -e "$folder/BUNDLE.txt" ]; then
  fail "$folder is there and is no bundle"
fi

begin=$SECONDS
cmake --preset bundle
nice cmake --build --preset bundle -j "$(nproc)"
took=$((SECONDS - begin))

# Of shared libraries only glibc's: libcuda is opened at run time.
programs=(build/bundle/scree build/bundle/tests/scree_device_tests)
for program in "${programs[@]}"; do
  others="$(objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }' |
    { grep -vxE 'lib(c|m|dl|rt|pthread)\.so\.[0-9]+|ld-linux-x86-64\.so\.2' || true; })"
  [ -z "$others" ] || fail "$program needs ${others//$'\n'/, }"
done
devices="$(timeout -k 10 60 build/bundle/scree list --devices)" || fail "scree list --devices: exit code $?"
[[ "$devices" != *"built without CUDA"* ]] || fail "built without CUDA: there is no nvcc"

# Put together beside the folder, which it becomes when it is whole.
mkdir -p "$(dirname "$folder")"
whole="$folder"
folder="$(mktemp -d "$whole.XXXXXX")"
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir -p "$folder/tests/reference"
cp "${programs[@]}" LICENSE "$folder"
cp bench/gpu_run.sh "$folder/run.sh"
cp -r configs "$folder"
cp tests/reference/digests.csv "$folder/tests/reference"
data=""
if [ -n "${SCREE_DATA:-}" ]; then
  # What the configs read: file = "terrain.asc", table = "releases.csv".
  while read -r name; do
    [ -f "$SCREE_DATA/$name" ] || continue
    mkdir -p "$folder/data/$(dirname "$name")"
    cp "$SCREE_DATA/$name" "$folder/data/$name"
    data="$data $name"
  done < <(grep -hoE '^[^#]*(file|table|observed) *= *"[^"]+"' configs/*.toml | sed 's/.*"\(.*\)"/\1/' | sort -u)
fi
chmod -R u+w "$folder"

glibc="$(objdump -T "${programs[@]}" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)"
nvcc="$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' build/bundle/CMakeCache.txt)"
cuda="$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1.0/p')"
{
  build/bundle/scree --version
  echo "needs an x86-64 Linux with glibc ${glibc#GLIBC_} or later, bash and coreutils"
  echo "on a GPU: compute capability 8.0 or later, and a driver for CUDA $cuda or later"
  echo "rows naive and odeint of the bench are compiled for x86-64-v3, and left out on older processors"
  echo "data files:${data:- none}"
  echo "./run.sh [RESULTS] tests and times it; bench/README.md in the repository says what its CSVs hold"
} >"$folder/BUNDLE.txt"
bytes="$(du -sb "$folder" | cut -f 1)"
[ "$bytes" -le "$most_bytes" ] || fail "the folder has $bytes bytes, more than $most_bytes"
rm -rf "$whole"
mv "$folder" "$whole"
cat "$whole/BUNDLE.txt"
echo "$whole: $((bytes / 1000000)) MB, built in $took s"
