#!/usr/bin/env bash
# What `cmake --install` places, moved away from where it was installed: the program runs, nothing in it leads back to
# the tree, and the pendulum of src/systems/README.md has the bits of the tree's as a project of its own, and with
# `scree build` from its header alone.
#
#   tests/install/test.sh BUILD COMPILER PENDULUM_HPP PROGRAM_WITH_PENDULUM
set -euo pipefail
build="$1" compiler="$2" pendulum="$3" with_pendulum="$4"
tree="$(cd "$(dirname "$0")/../.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
unset SCREE_DATA

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
# Succeeds if "$1" holds the text "$2".
holds() { case "$1" in *"$2"*) ;; *) return 1 ;; esac; }

cmake --install "$build" --prefix "$work/first" >install.log || fail "cmake --install: $(tail -n 5 install.log)"
mv first moved
prefix="$work/moved"

# 1. Nothing leads back.
if grep -rlF -e "$tree/" -e "$build/" -e "$work/first" "$prefix" >found; then
  fail "these files name the tree, the build or the first prefix: $(cat found)"
fi
if readelf -d "$prefix/bin/scree" | grep -E 'RUNPATH|RPATH'; then fail "bin/scree has a path to libraries"; fi

# 2. The program, its configs, and the headers.
[ "$("$prefix/bin/scree" --version)" = "$("$with_pendulum" --version)" ] || fail "another version is installed"
"$prefix/bin/scree" check "$prefix/share/scree/configs/rock_ramp.toml" >check.log || fail "a config: $(cat check.log)"
gzip -dc "$prefix/share/man/man1/scree.1.gz" | cmp - <("$prefix/bin/scree" --man) || fail "the manual page is another"
for script in bash:bash-completion/completions/scree zsh:zsh/site-functions/_scree \
  fish:fish/vendor_completions.d/scree.fish; do
  cmp "$prefix/share/${script#*:}" <("$prefix/bin/scree" completion "${script%%:*}") || fail "another $script"
done
for folder in src kernels host; do
  (cd "$tree" && find "$folder" -name '*.hpp' -o -name '*.cuh') | while read -r header; do
    cmp -s "$tree/$header" "$prefix/include/scree/$header" || fail "$header is not installed as it is"
  done
done

# 3. A system of one's own.
mkdir own
cp "$pendulum" own/pendulum.hpp
cat >own/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(own LANGUAGES CXX)
find_package(scree REQUIRED)
scree_add_program(my_scree pendulum.hpp)
CMAKE
configure() {
  cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
    -DSCREE_SIMD=NATIVE -DSCREE_CUDA=OFF >"$1.log" 2>&1
}
configure own || fail "the project: $(cat own.log)"
cmake --build own/build >own.log 2>&1 || fail "the pendulum: $(cat own.log)"
# Names of systems; the tree's program has the other page's as well.
names_of() { "$1" list --json | grep '^      "name"' | grep -v bouncing_ball; }
names_of "$with_pendulum" >expected
grep -q pendulum expected || fail "the tree's program does not list its pendulum"
names_of own/build/my_scree >listed
diff expected listed || fail "other systems are listed"
diff <("$with_pendulum" list pendulum) <(own/build/my_scree list pendulum) || fail "the pendulum is described otherwise"
own/build/my_scree init pendulum >pendulum.toml
digest_of() { "$1" run pendulum.toml --json --quiet | grep '"digest"' | cut -d '"' -f 4; }
expected="$(digest_of "$with_pendulum")"
[ -n "$expected" ] || fail "the tree's pendulum has no digest"
[ "$(digest_of own/build/my_scree)" = "$expected" ] || fail "the pendulum has other bits outside the tree"

# 4. What is wrong with a project is said.
refused() {
  mkdir "$1"
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(own LANGUAGES CXX)\n%s\n' "$2" >"$1/CMakeLists.txt"
  : >"$1/rock.hpp"
  : >"$1/my-rock.hpp"
  if configure "$1"; then fail "$2: is not refused"; fi
  holds "$(tr -s ' \n' ' ' <"$1.log")" "$3" || fail "$2: another message: $(cat "$1.log")"
}
refused newer "find_package(scree 99 REQUIRED)" 'compatible with requested version "99"'
refused twice $'find_package(scree REQUIRED)\nscree_add_program(my_scree rock.hpp)' \
  "there is a system rock already; give the header another name"
refused named $'find_package(scree REQUIRED)\nscree_add_program(my_scree my-rock.hpp)' \
  "a header is named as its system, in small letters, digits and underscores"

# 5. scree build: the same from a header alone.
export XDG_CACHE_HOME="$work/cache"
mkdir mine && cd mine
scree="$prefix/bin/scree"
cp "$pendulum" pendulum.hpp
CXX="$compiler" "$scree" build pendulum.hpp -o my_scree --native >listed 2>err || fail "scree build: $(cat err)"
./my_scree list >expected
diff expected listed || fail "scree build: other systems are listed"
diff ../expected <(names_of ./my_scree) || fail "scree build: it has other systems"
grep -q '^build: compiling pendulum.hpp' err || fail "scree build says nothing while it compiles: $(cat err)"
cp ../pendulum.toml .
[ "$(digest_of ./my_scree)" = "$expected" ] || fail "scree build: the pendulum has other bits"
# What is compiled already is not compiled again.
CXX="$compiler" "$scree" build pendulum.hpp -o again --native >listed 2>err || fail "scree build again: $(cat err)"
[ ! -s err ] || fail "scree build compiled again: $(cat err)"
cmp my_scree again || fail "scree build made another program of the same header"

# Refused with the exit code $1 and one line that holds the text "$2"; the rest is the command.
told() {
  local code="$1" text="$2" got=0
  shift 2
  "$@" --quiet >out 2>err || got=$?
  [ "$got" = "$code" ] || fail "$*: exit code $got, not $code: $(cat err)"
  [ ! -s out ] || fail "$*: printed $(cat out)"
  [ "$(wc -l <err)" = 1 ] || fail "$*: not one line: $(cat err)"
  holds "$(cat err)" "$text" || fail "$*: another message: $(cat err)"
}
mkdir none cmake_alone
told 1 "build: there is no cmake" env PATH="$PWD/none" "$scree" build pendulum.hpp -o no
ln -s "$(command -v cmake)" cmake_alone/cmake
told 1 "build: there is no C++ compiler; install g++, or name one in CXX" \
  env -u CXX PATH="$PWD/cmake_alone" "$scree" build pendulum.hpp -o no
told 1 "build: there is no compiler nope++, which CXX names" env CXX=nope++ "$scree" build pendulum.hpp -o no
told 1 "there is a system rock already" env CXX="$compiler" "$scree" build ../twice/rock.hpp -o no
# Mistakes in a header: each is one line that names the rule, and the file with the rest.
mistake() {
  mkdir -p "$1"
  sed "$2" pendulum.hpp >"$1/pendulum.hpp"
  if cmp -s pendulum.hpp "$1/pendulum.hpp"; then fail "the page has no $2 any more"; fi
  told 1 "$3" env CXX="$compiler" "$scree" build "$1/pendulum.hpp" -o no --native
  holds "$(cat err)" "$PWD/$1/pendulum.hpp:" || fail "$1: no place in the header: $(cat err)"
  local log
  log="$(sed 's/.*; all of it is in //' err)"
  grep -q "error" "$log" || fail "$1: the rest is not in $log"
}
mistake sine 's/ sin(s.theta)/ std::sin(s.theta)/' "none of std::, and meets literals as Real(0.5))"
if [ -z "${SCREE_MANY:-}" ]; then
  echo "passed, but for some twenty seconds with SCREE_MANY, as tests/long.sh sets it"
  exit
fi
(
  cd ..
  refused absent $'find_package(scree REQUIRED)\nscree_add_program(my_scree nope.hpp)' \
    "scree_add_program: there is no file"
  refused none $'find_package(scree REQUIRED)\nscree_add_program(my_scree)' "my_scree has no header of a system"
)
mistake branch 's/summary.theta = s.theta;/if (s.theta > Real(0.0)) summary.theta = s.theta;/' \
  "select(condition, a, b) gives each sample its own)"
mistake letters 's/return {s.omega,/retrun {s.omega,/' "'retrun' was not declared"
mistake literal 's/Real(0.5) \* speed/0.5 * speed/' "meets literals as Real(0.5))"
# Without packs numbers are doubles, which the functions of std:: take.
mkdir no_packs
sed -e 's/ sin(s.theta)/ std::sin(s.theta)/' -e '/using Schemes/a static constexpr bool packs = false;' \
  pendulum.hpp >no_packs/pendulum.hpp
grep -q 'packs = false' no_packs/pendulum.hpp || fail "the page has no list of schemes any more"
told 1 "no_packs/pendulum.hpp:$(grep -n std::sin no_packs/pendulum.hpp | cut -d : -f 1): std::sin gives other bits" \
  env CXX="$compiler" "$scree" build no_packs/pendulum.hpp -o no --native
[ ! -e no ] || fail "a program was made all the same"
echo "passed"
