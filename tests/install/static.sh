#!/usr/bin/env bash
# The tarball of packaging/static.sh in a folder that is all there is: the program runs there, and has the bits of an
# ordinary build's.
#
#   tests/install/static.sh PROGRAM [CMAKE_OPTION ...]
set -euo pipefail
program="$(realpath "$1")"
shift
cd "$(dirname "$0")/../.."
config="$PWD/configs/rock_ramp.toml"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
if ! command -v apt-get >/dev/null; then
  echo "skipped: there is no apt-get for the source of HDF5"
  exit 77
fi
alone=(chroot)
[ "$(id -u)" -eq 0 ] || alone=(unshare --map-root-user chroot)
if ! "${alone[@]}" / true; then
  echo "skipped: nothing may change its root here"
  exit 77
fi
tarball="$(packaging/static.sh "$@" 2>"$work/log")" || fail "packaging/static.sh: $(tail -n 20 "$work/log")"

# 1. What is in it.
name="$(basename "$tarball" .tar.gz)"
[ "$name" = "scree-$("$program" --version | cut -d ' ' -f 2)-linux-x86_64" ] || fail "another name: $name"
tar -tvf "$tarball" >"$work/listed"
if grep -Ev "^[-d]r[-w][-x]r-[-x]r-[-x] 0/0 .* $name/" "$work/listed"; then fail "owners, modes or places"; fi
[ "$(awk '{print $4, $5}' "$work/listed" | sort -u | wc -l)" = 1 ] || fail "files are of several times"
tar -C "$work" -xf "$tarball"
root="$work/$name"
for file in LICENSE install.md sbom.json licences/{hdf5,glibc,gcc-12,qhull,xxhash,zlib,page}.txt \
  share/scree/configs/rock_ramp.toml share/man/man1/scree.1.gz share/bash-completion/completions/scree \
  share/zsh/site-functions/_scree share/fish/vendor_completions.d/scree.fish; do
  [ -s "$root/$file" ] || fail "there is no $file"
done
! grep -rlF "$PWD/" "$root" || fail "these files name the tree"
ldd "$root/bin/scree" >"$work/ldd" 2>&1 || true
grep -q "not a dynamic executable" "$work/ldd" || fail "it loads libraries: $(cat "$work/ldd")"
if grep -q '\.symtab' <<<"$(readelf -S "$root/bin/scree")"; then fail "it is not stripped"; fi

# 2. Alone.
inside() { "${alone[@]}" "$root" /bin/scree "$@"; }
[ "$(inside --version)" = "$("$program" --version)" ] || fail "another version: $(inside --version)"
inside --version --json >"$work/version"
for part in '"gis": false' '"page": true' '"mpi": false' '"cuda": null'; do
  grep -q "$part" "$work/version" || fail "not $part: $(cat "$work/version")"
done
digest() { sed -n 's/^ *"digest": "\(.*\)".*/\1/p'; }
words=(--scheme implicit --samples 100 --json --quiet)
ours="$("$program" run "$config" "${words[@]}" | digest)"
theirs="$(inside run /share/scree/configs/rock_ramp.toml "${words[@]}" -o /r.h5 | digest)"
[ -n "$ours" ] && [ "$ours" = "$theirs" ] || fail "other bits: $ours, alone $theirs"
[ "$("$program" info "$root/r.h5" --json | digest)" = "$ours" ] || fail "the result has another digest"
inside replay /r.h5 --sample 17 -o /path.csv >/dev/null || fail "replay"
[ -s "$root/path.csv" ] || fail "replay wrote nothing"
inside report /r.h5 -o /r.html >/dev/null || fail "report"
# Or from its folder, as docs/install.md says.
theirs="$(mkdir "$work/own" && cd "$work/own" && tar -xf "$tarball" &&
  "$name/bin/scree" run "$name/share/scree/configs/rock_ramp.toml" "${words[@]}" | digest)"
[ "$theirs" = "$ours" ] || fail "other bits in its folder: $theirs, not $ours"
inside verify --only balls --quiet >/dev/null 2>&1 || [ $? -eq 2 ] || fail "verify"  # a build may lack the system
# What it lacks says so.
inside check /share/scree/configs/first_map.toml --set 'terrain.crs="EPSG:2056"' >"$work/out" 2>&1 || fail "a code"
grep -q "built without PROJ" "$work/out" || fail "a code is taken without a word: $(cat "$work/out")"
if inside check /share/scree/configs/first_map.toml --set 'terrain.crs="nonsense"' >"$work/out" 2>&1; then
  fail "nonsense is a system of coordinates"
fi
grep -q "must be a code as" "$work/out" || fail "another message: $(cat "$work/out")"
if inside export /r.h5 --to gpkg -o /r.gpkg >"$work/out" 2>&1; then fail "GeoPackage without its library"; fi
grep -q "built without GeoPackage" "$work/out" || fail "another message: $(cat "$work/out")"
echo "$name.tar.gz, $(stat -c %s "$tarball") bytes; the program $(stat -c %s "$root/bin/scree"); digest $ours"
echo "passed"
