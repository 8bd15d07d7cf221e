#!/bin/bash
# Feeds every reader what libFuzzer makes up, until it has had enough of it:
#
#   tests/fuzz/long.sh [-s SECONDS] [-n INPUTS] [-j LANES] [HARNESS...]
#
# SECONDS of a processor (1800) and INPUTS (1000000), whichever takes longer; all harnesses, LANES of them at a time (as
# many as processors). -s 20 -n 0 looks at all in a few minutes.
#
# Builds the preset fuzz (clang and libFuzzer: ./setup.sh --fuzz). May be stopped and goes on then: build/fuzz/fed has
# what each harness has had, what it learnt, and what broke it; remove it to begin again. Prints a line for each harness:
# inputs, seconds, how much code they reached. Ends with exit code 1 and the names of the finds if there are any;
# build/fuzz/tests/fuzz/scree_fuzz_HARNESS FILE shows one again. A find becomes a file in tests/fuzz/corpus and a test of
# its own.
set -eu
cd "$(dirname "$0")/../.."
seconds=1800 inputs=1000000 lanes=$(nproc)
while getopts s:n:j: option; do
  case $option in
    s) seconds=$OPTARG ;;
    n) inputs=$OPTARG ;;
    j) lanes=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
cmake --preset fuzz
cmake --build --preset fuzz

fed=build/fuzz/fed
ulimit -c 0

# At most a quarter of an hour of one harness: `inputs seconds edges` in its file `had` adds up. It begins with what was
# learnt before, which is not counted again.
feed_some() {  # HARNESS PROCESSOR
  local harness=$1 here=$fed/$1
  mkdir -p "$here/finds" "$here/learnt"
  [ -f "$here/had" ] || echo "0 0 0" >"$here/had"
  local chunk=$((seconds < 900 ? seconds : 900))
  # Programs look at processor time (libfuzzer.cpp); what takes ten minutes of any time waits for ever.
  local options="-timeout=600 -report_slow_units=601 -rss_limit_mb=512 -max_len=8192 -entropic=0 -print_final_stats=1"
  local leaks=1 seeds=tests/fuzz/corpus/$harness
  case "$harness" in
    config) options="$options -dict=tests/fuzz/config.dict"; seeds="$seeds configs" ;;
    set) options="$options -dict=tests/fuzz/config.dict" ;;
    # HDF5 1.10 loses memory over damaged files. Readers stop at the first change that they refuse: others take time.
    result) leaks=0 options="$options -max_len=1024" ;;
  esac
  # On one processor the statistics of a run start no threads. A program that is stopped says what it did.
  code=0
  TIMEFORMAT="%U %S"
  { time {
      TMPDIR=$scratch/$harness ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=8:detect_leaks=$leaks" \
        taskset -c "$2" "build/fuzz/tests/fuzz/scree_fuzz_$harness" $options -max_total_time="$chunk" \
        -detect_leaks=$leaks -artifact_prefix="$here/finds/" "$here/learnt" $seeds >"$here/log" 2>&1 &
      program=$!
      while kill -0 "$program" 2>/dev/null; do
        code=0
        wait "$program" || code=$?
      done
    }; } 2>"$here/time"
  [ "$code" -eq 0 ] || [ -n "$stopped" ] || cp "$here/log" "$here/finds.log"
  awk 'FILENAME ~ /had$/ { inputs = $1; seconds = $2; edges = $3 }
       FILENAME ~ /time$/ { seconds += $1 + $2 }
       /^#[0-9]+[ \t]+INITED/ { inputs -= substr($1, 2) }
       /^stat::number_of_executed_units:/ { inputs += $2 }
       / cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:" && $(i + 1) > edges) edges = $(i + 1) }
       END { printf "%d %.0f %d\n", inputs, seconds, edges }' "$here/had" "$here/time" "$here/log" >"$here/new"
  mv "$here/new" "$here/had"
}

enough() {  # HARNESS
  [ -f "$fed/$1/had" ] && awk -v s="$seconds" -v n="$inputs" '{ exit !($1 >= n && $2 >= s) }' "$fed/$1/had"
}

lane() {  # NUMBER HARNESS...: each that no other lane has begun
  local processor=$(($1 % $(nproc)))
  shift
  stopped="" program=""
  trap 'stopped=yes; [ -z "$program" ] || kill "$program" 2>/dev/null || true' TERM
  trap '' INT  # Ctrl-C is for the whole script, which stops its lanes
  for harness in "$@"; do
    mkdir "$scratch/$harness" 2>/dev/null || continue
    until [ -n "$stopped" ] || enough "$harness"; do
      feed_some "$harness" "$processor"
      [ -z "$(ls "$fed/$harness/finds")" ] || break
    done
    rm -rf "${scratch:?}/$harness"/*
  done
}

# Data files of the harnesses, which are written for each input.
scratch=$(mktemp -d /dev/shm/scree_fuzz.XXXXXX 2>/dev/null || mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
for number in $(seq 0 $((lanes - 1))); do lane "$number" "$@" & done
wait

printf '%-10s %10s %8s %9s %9s %6s\n' harness inputs seconds per_s edges finds
failed=0
for harness in "$@"; do
  finds=$(ls "$fed/$harness/finds" | wc -l)
  [ "$finds" -eq 0 ] || failed=1
  awk -v harness="$harness" -v finds="$finds" '{
    printf "%-10s %10d %8d %9.0f %9d %6d\n", harness, $1, $2, $1 / ($2 > 0 ? $2 : 1), $3, finds }' "$fed/$harness/had"
done

[ "$failed" -ne 0 ] || exit 0
echo
for harness in "$@"; do ls -d "$fed/$harness/finds/"* 2>/dev/null || true; done
exit 1
