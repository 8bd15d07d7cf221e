#!/bin/sh
# Builds HDF5 as archives that programs and Python modules can be linked with, from the source of this Debian, and
# prints where they lie, build/hdf5/VERSION: Debian's own come with 40 libraries of remote files. Does nothing when they
# are there. Neither root nor a change of apt's lists is needed; SCREE_SOURCES may name another mirror, as a line of
# sources.list does after deb-src.
#
#   packaging/hdf5.sh
set -eu
cd "$(dirname "$0")/.."
. /etc/os-release
case "$ID" in
  ubuntu) mirror="http://archive.ubuntu.com/ubuntu $VERSION_CODENAME universe" ;;
  *) mirror="http://deb.debian.org/debian $VERSION_CODENAME main" ;;
esac
root="$PWD/build/hdf5"
for made in "$root"/*/lib/libhdf5_hl.a; do
  if [ -e "$made" ]; then
    echo "${made%/lib/libhdf5_hl.a}"
    exit 0
  fi
done
mkdir -p "$root"
work="$(mktemp -d "$root/.work.XXXXXX")"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
echo "deb-src ${SCREE_SOURCES:-$mirror}" >"$work/sources.list"
apt() {
  apt-get -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@" >&2
}
echo "hdf5.sh: fetching the source of HDF5" >&2
apt update
(cd "$work" && apt source hdf5)
version="$(sed -n 's/^Version: //p' "$work"/hdf5_*.dsc)"
cd "$work"/hdf5-*/

# Built where it is configured, paths in messages are of the source alone; and without the text that says when, where
# and by whom, the archives depend on nothing else.
echo "hdf5.sh: compiling HDF5 $version" >&2
{
  ./configure --prefix="$root/$version" --disable-shared --with-pic --disable-ros3-vfd --disable-tools --disable-tests \
    --without-szlib --disable-hltools --disable-embedded-libinfo --disable-dependency-tracking \
    CFLAGS="-O2 -w -ffile-prefix-map=$PWD=hdf5" ARFLAGS=crD
  make -j "${SCREE_JOBS:-$(nproc)}"
  make install DESTDIR="$work/made"
} >"$root/log" 2>&1 || {
  tail -n 20 "$root/log" >&2
  exit 1
}
# Whole or not at all.
mkdir -p "$work/made$root/$version/share/doc"
cp COPYING debian/copyright "$work/made$root/$version/share/doc/"
mv "$work/made$root/$version" "$root/"
rm "$root/log"
echo "$root/$version"
