#!/bin/sh
# Writes digests.csv: the digest of each study in configs/ under each scheme of its system, with a few samples.
#
#   tests/reference/digests.sh PROGRAM > tests/reference/digests.csv
#
# To be run with a program whose results are right, before a change that must not touch them; a commit that changes a
# line here says why. Configs that need field data ask for it in the folder SCREE_DATA. Where a scheme refuses a config,
# as for a step that it cannot take, the digest is `refused`.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."

# A sample of these takes long, or there is but one.
samples_of() {
  case $1 in
    hard_discs_kinetic) echo 1 ;;
    *) [ "$(sed -n 's/^samples *= *\([0-9]*\).*/\1/p' "configs/$1.toml" | head -n 1)" = 1 ] && echo 1 || echo 4 ;;
  esac
}

echo "config,scheme,samples,digest"
for file in configs/*.toml; do
  config=$(basename "$file" .toml)
  system=$(sed -n 's/^system *= *"\(.*\)".*/\1/p' "$file" | head -n 1)
  samples=$(samples_of "$config")
  schemes=$("$program" list "$system" --json | sed -n '/"schemes": \[/,/\]/s/.*"name": "\([^"]*\)".*/\1/p')
  for scheme in $schemes; do
    code=0
    out=$("$program" run "$file" --scheme "$scheme" --samples "$samples" --no-sensitivity --quiet --json 2>/dev/null) ||
      code=$?
    case $code in
      0) digest=$(printf '%s\n' "$out" | sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' | head -n 1) ;;
      2) digest=refused ;;
      *) echo "$config $scheme: exit code $code" >&2 && exit 1 ;;
    esac
    echo "$config,$scheme,$samples,$digest"
  done
done
