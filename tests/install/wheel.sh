#!/usr/bin/env bash
# The wheel of packaging/wheel.sh in a Python that has nothing else: it installs, imports beside another HDF5, its values
# are those of the program (python/tests/test_studies.py), and the README's lines and figures are made with it. Skips
# where PyPI cannot be reached.
#
#   tests/install/wheel.sh PROGRAM [CMAKE_OPTION ...]
set -euo pipefail
program="$(realpath "$1")"
shift
cd "$(dirname "$0")/../.."
tree="$PWD"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
python="${PYTHON:-python3}"
if ! { "$python" -m venv "$work/clean" && "$work/clean/bin/pip" install -q pytest h5py; } >"$work/log" 2>&1; then
  echo "skipped: no Python with packages of PyPI: $(tail -n 1 "$work/log")"
  exit 77
fi
wheel="$(packaging/wheel.sh "$@" 2>"$work/log")" || fail "packaging/wheel.sh: $(tail -n 20 "$work/log")"
case "$wheel" in */scree_engine-*-manylinux_*_x86_64.whl) ;; *) fail "another name: $wheel" ;; esac
unzip -Z1 "$wheel" >"$work/files"
for file in LICENSE linked/hdf5.txt linked/nanobind.txt; do
  grep -q "\\.dist-info/licenses/$file\$" "$work/files" || fail "the wheel has no $file among its licences"
done
grep -q '\.dist-info/sboms/scree\.cdx\.json$' "$work/files" || fail "the wheel has no bill of materials"
if grep -E 'lib(hdf5|proj|curl)' "$work/files"; then fail "these libraries are not meant to be in it"; fi

"$work/clean/bin/pip" install -q "$wheel[plot]" || fail "pip install"
cd "$work"
# Another HDF5 in the process, loaded first and loaded last.
for order in "h5py, scree" "scree, h5py"; do
  "$work/clean/bin/python" - <<PYTHON || fail "import $order"
import $order
shots = {"system": "projectile", "scheme": "rk4", "samples": 10, "step": 0.1, "end": 9.0}
scree.run(shots, out="shots.h5", force=True)
with h5py.File("shots.h5") as file:
    assert file.attrs["system"] in ("projectile", b"projectile")
PYTHON
done
grep -q "$work/clean" <<<"$("$work/clean/bin/python" -c 'import scree; print(scree.__file__)')" || fail "another scree"
tests=(test_studies.py test_values.py test_plots.py)
if "$work/clean/bin/python" -c 'import scree; scree.list("rock")' 2>err; then tests+=(test_readme.py); fi
cp "${tests[@]/#/$tree/python/tests/}" "$tree/python/tests/conftest.py" .
SCREE_PROGRAM="$program" SCREE_CONFIGS="$tree/configs" "$work/clean/bin/python" -m pytest -q -x -p no:cacheprovider \
  "${tests[@]}" || fail "${tests[*]}"
echo "$(basename "$wheel"), $(stat -c %s "$wheel") bytes"
echo "passed"
