#!/usr/bin/env bash
# The same source at the same SOURCE_DATE_EPOCH gives the same bytes: program, Debian packages and, with --static, the
# tarball, made in two folders, in two umasks, languages, time zones and numbers of processes. One system for any
# processor, compiled twice. Packages are made in one umask, which cpack writes into them.
#
#   tests/install/reproducible.sh [--static] [CMAKE_OPTION ...]
set -euo pipefail
tree="$(cd "$(dirname "$0")/../.." && pwd)"
static=""
[ "${1:-}" != --static ] || { static=yes && shift; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
for tool in git cpack dpkg-deb dpkg-shlibdeps ninja; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: there is no $tool"
    exit 77
  fi
done
export SOURCE_DATE_EPOCH=1700000000
options=(-DSCREE_SYSTEMS=projectile -DSCREE_SIMD=OFF -DSCREE_BENCH=OFF "$@")

# Builds a copy of the tree in folder $1; what git does not know of it is not copied, and no history with it.
build() {
  mkdir -p "$1"
  git -c safe.directory='*' -C "$tree" ls-files -z --cached --others --exclude-standard |
    (cd "$tree" && xargs -0 -I{} sh -c '[ ! -e "$1" ] || printf "%s\0" "$1"' - {}) |
    tar -C "$tree" --null -T - -cf - | tar -C "$1" -xf -
  (
    cd "$1"
    umask "$2"
    export TZ="$3" LC_ALL="$4"
    cmake --preset package "${options[@]}" && cmake --build --preset package -j "$5" &&
      (umask 022 && cpack -G DEB --config build/package/CPackConfig.cmake -B packages) || exit 1
    if [ -n "$static" ]; then
      mkdir -p build
      ln -s "$tree/build/hdf5" build/hdf5
      packaging/static.sh "${options[@]}"
    fi
  ) >"$work/log" 2>&1 || fail "$1: $(tail -n 20 "$work/log")"
}
[ -z "$static" ] || "$tree/packaging/hdf5.sh" >/dev/null
build one 022 UTC C 2
build a/longer/name 077 Asia/Tokyo C.UTF-8 1

cmp one/build/package/scree a/longer/name/build/package/scree || fail "the program is another one"
if grep -aF "$work" one/build/package/scree; then fail "the program names its folder"; fi
[ "$(one/build/package/scree --man | sed -n 's/^\.Dd //p;s/^\.TH //p')" = \
  "$(a/longer/name/build/package/scree --man | sed -n 's/^\.Dd //p;s/^\.TH //p')" ] || fail "another date"
count=0
for package in one/packages/*.deb ${static:+one/build/static/*.tar.gz}; do
  other="a/longer/name/${package#one/}"
  cmp "$package" "$other" || fail "$(basename "$package") is another one"
  count=$((count + 1))
done
[ "$count" -ge 2 ] || fail "there are no packages"
date="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)"
for package in one/packages/*.deb; do
  TZ=UTC dpkg-deb --contents "$package" | awk '{print $4}' | sort -u >days
  [ "$(cat days)" = "$date" ] || fail "$(basename "$package"): files of $(tr '\n' ' ' <days), not of $date"
done
sha256sum one/build/package/scree one/packages/*.deb ${static:+one/build/static/*.tar.gz} | sed "s|one/.*/||"
echo "passed"
