#!/bin/sh
# Makes build/static/scree-VERSION-linux-x86_64.tar.gz and prints its name: a program that needs nothing but Linux, with
# all systems for any x86-64, its configs, manual page, completions, bill of materials and licence texts. Without CUDA,
# MPI, GeoTIFF and GeoPackage (cmake/Portable.cmake). The same source gives the same bytes. Further arguments are
# CMake's, as -DSCREE_SYSTEMS=rock.
#
#   packaging/static.sh [CMAKE_OPTION ...]
set -eu
cd "$(dirname "$0")/.."
hdf5="$(packaging/hdf5.sh)"
# Of files in archives; that of the commit where nothing else is asked for.
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -c safe.directory='*' log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH
{
  cmake --preset static -DHDF5_ROOT="$hdf5" "$@"
  cmake --build --preset static ${SCREE_JOBS:+-j "$SCREE_JOBS"}
} >&2

version="$(build/static/scree --version | cut -d ' ' -f 2)"
name="scree-$version-linux-x86_64"
work="$(mktemp -d build/static/.pack.XXXXXX)"
trap 'rm -rf "$work"' EXIT
cmake --install build/static --prefix "$work/$name" --component scree --strip >&2
rm -r "$work/$name/share/doc"  # Debian's
cp LICENSE docs/install.md "$work/$name"
packaging/sbom.py build/static --licences "$work/$name/licences" >"$work/$name/sbom.json"
cp host/page/licences.txt "$work/$name/licences/page.txt"
chmod -R u=rwX,go=rX "$work/$name"
tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
  -cf - "$name" |
  gzip -9n >"build/static/$name.tar.gz"
echo "$PWD/build/static/$name.tar.gz"
