#!/bin/sh
# Feeds every reader what libFuzzer makes up, for so many hours in all, each for its share of them:
#
#   tests/fuzz/long.sh HOURS [HARNESS...]     0.1 by default; all harnesses
#
# Builds the preset fuzz (clang and libFuzzer: ./setup.sh --fuzz). What it learns stays in build/fuzz/learnt, logs and
# finds in build/fuzz/finds. Prints a line for each harness: inputs, seconds, how much code they reached. Ends with exit
# code 1 and the names of the finds if there are any; build/fuzz/tests/fuzz/scree_fuzz_HARNESS FILE shows one again.
# A find becomes a file in tests/fuzz/corpus and a test of its own.
set -eu
cd "$(dirname "$0")/../.."
hours=${1:-0.1}
[ $# -eq 0 ] || shift
cmake --preset fuzz
cmake --build --preset fuzz

programs=build/fuzz/tests/fuzz
[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
seconds=$(awk -v hours="$hours" -v count=$# 'BEGIN { s = int(3600 * hours / count); print s < 1 ? 1 : s }')

# Programs look at processor time (libfuzzer.cpp); what takes ten minutes of any time waits for ever.
# Data files of the harnesses, which are written for each input.
TMPDIR=$(mktemp -d /dev/shm/scree_fuzz.XXXXXX 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

printf '%-10s %10s %8s %9s %9s %6s\n' harness inputs seconds per_s edges finds
failed=0
for harness in "$@"; do
  finds=build/fuzz/finds/$harness learnt=build/fuzz/learnt/$harness
  mkdir -p "$finds" "$learnt"
  before=$(ls "$finds" | wc -l)
  options="-timeout=600 -report_slow_units=601 -rss_limit_mb=512 -max_len=8192 -print_final_stats=1 -verbosity=1"
  leaks=1
  seeds=tests/fuzz/corpus/$harness
  case "$harness" in
    config) options="$options -dict=tests/fuzz/config.dict"; seeds="$seeds configs" ;;
    set) options="$options -dict=tests/fuzz/config.dict" ;;
    result) leaks=0 ;;  # HDF5 1.10 loses memory over damaged files
  esac
  start=$(date +%s)
  code=0
  ASAN_OPTIONS="quarantine_size_mb=16:detect_leaks=$leaks" "$programs/scree_fuzz_$harness" $options \
    -max_total_time="$seconds" -detect_leaks=$leaks -artifact_prefix="$finds/" "$learnt" $seeds \
    >"build/fuzz/finds/$harness.log" 2>&1 || code=$?
  new=$(($(ls "$finds" | wc -l) - before))
  [ "$code" -eq 0 ] || failed=1
  awk -v harness="$harness" -v seconds=$(($(date +%s) - start)) -v finds="$new" -v code="$code" '
    /^stat::number_of_executed_units:/ { inputs = $2 }
    / cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:") edges = $(i + 1) }
    END { printf "%-10s %10d %8d %9.0f %9d %6d%s\n", harness, inputs, seconds, inputs / (seconds > 0 ? seconds : 1),
                 edges, finds, code == 0 ? "" : "  ended with " code }' "build/fuzz/finds/$harness.log"
done

[ "$failed" -ne 0 ] || exit 0
echo
for harness in "$@"; do
  ls -d "build/fuzz/finds/$harness/"* 2>/dev/null || true
done
exit 1
