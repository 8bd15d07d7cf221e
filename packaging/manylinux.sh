#!/bin/sh
# Puts into /opt/scree what the wheels are built from, in an image of manylinux_2_28: libraries and headers in the
# versions of Debian 12, and HDF5 as archives, for that image has none of them or older ones. cibuildwheel calls it
# (pyproject.toml). It takes them from where they are published; nobody has run it yet.
set -eu
prefix=/opt/scree
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
dnf install -q -y zlib-devel

# A repository, a tag or branch of it, the folder that has CMakeLists.txt, and what CMake is told.
install() {
  repository="$1" tag="$2" folder="$3"
  shift 3
  source="$work/$(basename "$repository" .git)"
  git -c advice.detachedHead=false clone -q --depth 1 --branch "$tag" "$repository" "$source"
  cmake -S "$source/$folder" -B "$source/build" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DBUILD_SHARED_LIBS=OFF \
    -DBUILD_TESTING=OFF "$@"
  cmake --build "$source/build" --parallel "$(nproc)"
  cmake --install "$source/build"
}
install https://gitlab.com/libeigen/eigen.git 3.4.0 . -DEIGEN_BUILD_DOC=OFF
install https://github.com/CLIUtils/CLI11.git v2.1.2 . -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF
install https://github.com/nlohmann/json.git v3.11.2 . -DJSON_BuildTests=OFF
install https://github.com/marzer/tomlplusplus.git v3.3.0 .
install https://github.com/Cyan4973/xxHash.git v0.8.1 cmake_unofficial -DXXHASH_BUILD_XXHSUM=OFF
install https://github.com/qhull/qhull.git 2020.2 .
install https://github.com/HDFGroup/hdf5.git hdf5-1_14_3 . -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF \
  -DHDF5_BUILD_HL_LIB=ON -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF
# Headers alone.
curl -fsSL https://archives.boost.io/release/1.81.0/source/boost_1_81_0.tar.gz |
  tar -xz -C "$work" boost_1_81_0/boost
mv "$work/boost_1_81_0/boost" "$prefix/include/"
