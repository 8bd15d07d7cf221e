#!/usr/bin/env bash
# The Debian packages that cpack makes of a build: their names, what they say and hold, and what lintian thinks. As root
# and with --chroot they are also installed in a fresh Debian, where the program runs, builds a system and is removed.
#
#   tests/install/package.sh BUILD [--chroot]
set -euo pipefail
build="$(cd "$1" && pwd)" chroot="${2:-}"
program="$build/scree"
page="$(cd "$(dirname "$0")/../.." && pwd)/src/systems/README.md"
for tool in cpack dpkg-deb dpkg-shlibdeps; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: there is no $tool"
    exit 77
  fi
done
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >cpack.log ||
  fail "cpack: $(tail -n 5 cpack.log)"
version="$("$program" --version | cut -d ' ' -f 2)"
field() { dpkg-deb --field "$1" "$2"; }
shopt -s nullglob
packages=(packages/*.deb)
[ "${#packages[@]}" -ge 2 ] || fail "there are only ${packages[*]}"
for package in "${packages[@]}"; do
  name="$(field "$package" Package)"
  [ "$(field "$package" Version)" = "$version" ] || fail "$name: another version"
  dpkg-deb --contents "$package" >contents
  if grep -v '^[-d]rw[-x]r-[-x]r-[-x] root/root ' contents; then fail "$name: owners or modes"; fi
  for file in copyright changelog.gz; do
    grep -q " ./usr/share/doc/$name/$file\$" contents || fail "$name: has no $file"
  done
  dpkg-deb --extract "$package" root
done
expect() { grep -Eq "$3" <<<"$(field packages/"$1"_*.deb "$2")" || fail "$1: $2 is $(field packages/"$1"_*.deb "$2")"; }
expect scree Depends 'libhdf5-103'
expect scree Description '^ensembles of small mechanical systems$'
expect scree-doc Architecture '^all$'
[ -s root/usr/share/doc/scree-doc/docs/install.md ] || fail "scree-doc has no pages"
expect scree-dev Depends "scree \\(= $version\\).*libhdf5-dev"
for package in packages/scree-openmpi_*.deb packages/scree-mpich_*.deb; do
  grep -q ' ./usr/bin/scree-mpi$' <<<"$(dpkg-deb --contents "$package")" || fail "$package: has no program"
  expect "$(field "$package" Package)" Depends "scree \\(= $version\\).*lib(openmpi|mpich)"
done
if grep -q '\.symtab' <<<"$(readelf -S root/usr/bin/scree)"; then fail "scree is not stripped"; fi
if readelf -d root/usr/bin/scree | grep -E 'RUNPATH|RPATH'; then fail "scree has a path to libraries"; fi
# gzip -n: no name, no time.
[ "$(od -An -tx1 -j3 -N5 root/usr/share/man/man1/scree.1.gz | tr -d ' ')" = "0000000000" ] ||
  fail "the manual page holds when it was packed"
[ "$(root/usr/bin/scree --version)" = "$("$program" --version)" ] || fail "another program is packed"

if command -v lintian >/dev/null; then
  # No bug asked for this package, and the maintainer of a build is who builds it.
  lintian --allow-root --suppress-tags initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog \
    packages/*.deb >lintian.log 2>&1 || true
  if grep -E '^[EW]:' lintian.log; then fail "lintian finds these"; fi
else
  echo "there is no lintian; setup.sh --tests installs it"
fi

if [ "$chroot" = --chroot ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo "skipped: a fresh Debian takes root and debootstrap"
    exit 77
  fi
  . /etc/os-release
  if ! debootstrap --variant=minbase "$VERSION_CODENAME" fresh >debootstrap.log 2>&1; then
    echo "skipped: no fresh Debian: $(tail -n 1 debootstrap.log)"
    exit 77
  fi
  cp packages/scree_*.deb packages/scree-dev_*.deb fresh/root/
  sed -n '/^```cpp pendulum.hpp$/,/^```$/p' "$page" | sed '1d;$d' >fresh/root/pendulum.hpp
  inside() {
    chroot fresh env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
      sh -c "cd /root && $1"
  }
  inside 'apt-get update -q && apt install -q -y --no-install-recommends ./scree_*.deb' >apt.log 2>&1 ||
    fail "apt: $(tail -n 5 apt.log)"
  inside 'scree init projectile > shots.toml && scree run shots.toml --quiet --json' | grep '"digest"' >theirs
  (cd fresh/root && "$program" run shots.toml --quiet --json) | grep '"digest"' >ours
  cmp theirs ours || fail "the packed program has other bits"
  inside 'apt-get install -q -y --no-install-recommends ./scree-dev_*.deb' >apt.log 2>&1 ||
    fail "apt-get: $(tail -n 5 apt.log)"
  grep -q pendulum <<<"$(inside 'scree build pendulum.hpp -o my_scree --native')" || fail "scree build with the packages"
  inside 'apt-get purge -q -y scree scree-dev' >apt.log 2>&1 || fail "apt-get purge: $(tail -n 5 apt.log)"
  [ ! -e fresh/usr/bin/scree ] && [ ! -e fresh/usr/share/scree ] || fail "purge left something"
fi
echo "passed"
