#!/usr/bin/env bash
# Tests and times everything on a machine with a GPU: bench/gpu.sh calls it where Scree is built, and as run.sh it comes
# with the folder that bench/gpu_bundle.sh makes.
#
#   run.sh [-p PROGRAMS] [-t SECONDS] [RESULTS]
#
# PROGRAMS is the folder of `scree` and its tests (beside this script if not given), SECONDS what all of it may take
# (480), RESULTS the folder that takes a log of each part and a CSV of each case (results/<machine>); those that an
# earlier run left there go as their part begins. The order matters: first the suites of all systems, which hold the GPU
# to the bits of the CPU, as timings of wrong results say nothing; then rocks and sliders; then the other cases, and
# profiles of kernels if ncu or nsys is there. Each part has a limit, and what was left out is said at the end. The card
# is measured as it is found: no setting is touched.
#
# A part that is cut short has failed if its log shows a failure, and a test that is cut short (cuda, digest, bits,
# digests) has not passed, so it has failed too. The cases are timed all the same, as a machine with a GPU is lent for
# an hour, but summary.txt says above them that nothing vouches for their results.
#
# Without a device, what needs none is tested. Exit codes: 0 all passed, 1 something failed, 2 usage, 4 no device and
# all else passed, 130 interrupted; whatever it is, RESULTS keeps what was measured until then.
set -u
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
programs="$here" seconds=480
usage() {
  echo "run.sh: $1; usage: run.sh [-p PROGRAMS] [-t SECONDS] [RESULTS]" >&2
  exit 2
}
while getopts :p:t: option; do
  case "$option" in
    p) programs="$(cd "$OPTARG" 2>/dev/null && pwd)" || usage "-p $OPTARG: there is no such folder" ;;
    t) [[ "$OPTARG" =~ ^[1-9][0-9]*$ ]] || usage "-t $OPTARG: must be a whole number of seconds > 0"
       seconds="$OPTARG" ;;
    :) usage "-$OPTARG needs an argument" ;;
    *) usage "unknown option -$OPTARG" ;;
  esac
done
shift $((OPTIND - 1))
[ $# -le 1 ] || usage "too many arguments"
scree="$programs/scree"
[ -x "$scree" ] || usage "there is no program $scree"
folder="${1:-results/$(uname -n)}"
mkdir -p "$folder" || exit 1
folder="$(cd "$folder" && pwd)"
if [ -n "${SCREE_DATA:-}" ]; then
  given="$SCREE_DATA"
  SCREE_DATA="$(cd "$given" 2>/dev/null && pwd)" || usage "SCREE_DATA=$given: there is no such folder"
fi
cd "$here" || exit 1
[ -d configs ] || cd .. || exit 1
if [ -z "${SCREE_DATA:-}" ] && [ -d data ]; then
  export SCREE_DATA="$PWD/data"
fi

tests="$programs/scree_device_tests"  # in a build it lies one folder below
[ -x "$tests" ] || tests="$programs/tests/scree_device_tests"
left() { echo $((seconds - SECONDS)); }

failed="" left_out="" child="" interrupted="" no_device="" no_counters=""
trap 'interrupted=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' INT TERM HUP
: >"$folder/summary.txt"
say() { printf '%s\n' "$1" | tee -a "$folder/summary.txt"; }

# The last line that tells of a failure in the log of a part.
failure() { grep -sE '^scree: bench|, EXCEEDS |\[  FAILED  \]' "$folder/$1.log" | tail -n 1; }

# part NAME SECONDS COMMAND...: runs it, its output to NAME.log; asks it to end after SECONDS or when the time is over.
part() {
  local name="$1" limit="$2" begin=$SECONDS code outcome
  shift 2
  rm -f "$folder/$name".{log,csv,json,nsys-rep,sqlite}
  [ "$limit" -le "$(left)" ] || limit="$(left)"
  if [ -n "$interrupted" ] || [ "$limit" -lt 3 ]; then
    left_out="$left_out $name"
    return
  fi
  # In the background, so that a signal is answered while it runs. There SIGINT is ignored, SIGTERM is not.
  timeout -k 10 "$limit" "$@" >"$folder/$name.log" 2>&1 &
  child=$!
  [ -z "$interrupted" ] || kill -TERM "$child" 2>/dev/null  # the signal came before `child` was set
  wait "$child"
  code=$?
  while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
  done
  child=""
  # A profiler that may not read the GPU's counters says so and ends, with which code depends on its version.
  if grep -qs ERR_NVGPUCTRPERM "$folder/$name".{log,csv}; then
    code=no_counters
  elif [ "$code" = 0 ] && [ "$1" = "$tests" ] &&
    ! grep -qE '^\[==========\] [1-9][0-9]* tests? from .* ran' "$folder/$name.log"; then
    code=no_test
  fi
  case "$code" in
    0) outcome="ok" ;;
    no_counters)
      outcome="left out: no permission to read the GPU's counters"
      no_counters=1 left_out="$left_out $name(no_permission)" ;;
    no_test)
      outcome="FAILED: no test was run"
      failed="$failed $name" ;;
    77)
      outcome="skipped: nothing of it runs here"
      [ -n "$no_device" ] && left_out="$left_out $name" || failed="$failed $name" ;;
    124 | 130 | 137 | 143)
      outcome="cut short"
      left_out="$left_out $name(rest)"
      if [ -n "$(failure "$name")" ]; then
        outcome="FAILED, then cut short: $(failure "$name")"
        failed="$failed $name"
      elif [ -z "$interrupted" ] && [[ " cuda digest bits digests " == *" $name "* ]]; then
        outcome="FAILED: cut short, so it has not passed"
        failed="$failed $name"
      fi ;;
    *)
      outcome="FAILED ($code): $(grep -E '^scree: |\[  FAILED  \]' "$folder/$name.log" | tail -n 1)"
      failed="$failed $name" ;;
  esac
  say "$(printf '%-22s %4d s  %s' "$name" $((SECONDS - begin)) "$outcome")"
}

# measure NAME SECONDS CASE ARGUMENTS...: a case of the bench, to NAME.csv. It plans its own time.
measure() {
  local name="$1" limit="$2" case="$3"
  shift 3
  [ "$limit" -le "$(left)" ] || limit="$(left)"
  part "$name" $((limit + 5)) "$scree" bench --only "$case" --csv "$folder/$name.csv" --force --quiet \
    --budget $((limit > 3 ? limit - 2 : 1)) "$@"
  if grep -q 'left out, a call' "$folder/$name.log" 2>/dev/null; then
    left_out="$left_out $name(rows)"
  fi
}

# digest BACKEND: the program's own bits, beside those of tests/reference/digests.csv.
digest() {
  local config scheme samples expected found
  IFS=, read -r config scheme samples expected <<<"$(grep '^rock_ramp,implicit,' tests/reference/digests.csv)"
  found="$("$scree" run "configs/$config.toml" --scheme "$scheme" --samples "$samples" --backend "$1" --quiet --json |
    grep -m 1 -o '"digest": *"[0-9a-f]*"')"
  echo "$config, $scheme, $samples samples, $1: $found, expected $expected"
  [[ "$found" == *"\"$expected\"" ]]
}
export -f digest
export scree

# After the tests, before the first case.
vouch() {
  [ -z "$failed" ] || say "NOT PASSED:$failed; nothing vouches for the results whose timings follow"
}

device="$(timeout -k 10 60 "$scree" list --devices 2>&1)"
code=$?
say "$device"
if [ "$code" -ne 0 ]; then
  say "failed: scree list --devices, exit code $code (124, 137: the driver does not answer)"
  exit 1
fi
say "data: ${SCREE_DATA:-none, SCREE_DATA is not set}"
if [[ "$device" == "no CUDA device"* ]]; then
  no_device=1
  echo "run.sh: $device: only what needs none is tested" >&2
  part cuda 30 "$tests" --gtest_filter='Cuda*'
  part digest 60 bash -c 'digest auto'
  part bits 240 "$tests" --gtest_brief=1 \
    --gtest_filter='Bits/*_pack_avx*:SchemeCases.*:CapacityCases.*:FateCases.*:TerrainCases.*:GoldenFile.*'
  part digests 60 "$tests" --gtest_brief=1 --gtest_filter='Digests/*_pack'
  vouch
  measure slider 20 slider --samples 1e2,1e4 --limit 2 --rounds 2
else
  part device 30 bash -c '"$scree" bench --device && "$scree" bench --device --json >"$0"' "$folder/device.json"
  timeout -k 10 20 nvidia-smi --format=csv \
    --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm,clocks.mem,power.limit \
    >"$folder/device.csv" 2>/dev/null || left_out="$left_out nvidia-smi"
  part cuda 60 "$tests" --gtest_filter='*Cuda*-*_cuda'
  part digest 30 bash -c 'digest cuda'
  part bits 150 "$tests" --gtest_filter='Bits/*_cuda'
  part digests 60 "$tests" --gtest_filter='Digests/*_cuda'
  # Here is a device: every system, terrain and capacity must have run on it.
  if grep -hsE '\[  SKIPPED \] Bits/.*_cuda' "$folder/bits.log"; then
    say "these tests were skipped on a machine with a device"
    failed="$failed skipped"
  fi
  vouch

  measure rock_1e6 40 rock_contact --schemes implicit --backends cuda --samples 1e5,1e6 --rounds 2
  measure slider 25 slider --samples 1e2,1e3,1e4,1e5,1e6,1e7 --limit 2 --rounds 2
  measure rock_contact 60 rock_contact --samples 1e2,1e3,1e4,1e5 --limit 2 --rounds 1
  measure rock_1e7 60 rock_contact --schemes implicit --backends cuda --samples 1e6,1e7 --rounds 1
  measure rock_schemes_1e6 30 rock_contact --backends cuda --samples 1e5,1e6 --rounds 1
  for name in pair rotor coulomb hard_discs disc_box disk; do
    measure "$name" 15 "$name" --samples 1e2,1e3,1e4,1e5,1e6,1e7 --limit 1 --rounds 2
  done
  if [ -n "${SCREE_DATA:-}" ]; then
    measure rock_grid 20 rock_grid --samples 1e2,1e3,1e4,1e5,1e6 --limit 2 --rounds 1
  else
    left_out="$left_out rock_grid(no_data)"
  fi

  ncu="$(command -v ncu || ls /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -n 1)"
  nsys="$(command -v nsys || ls /usr/local/cuda/bin/nsys /opt/nvidia/nsight-systems/*/bin/nsys 2>/dev/null | tail -n 1)"
  while read -r config scheme samples; do
    run=("$scree" run "configs/$config.toml" --scheme "$scheme" --samples "$samples" --backend cuda --quiet)
    if [ -n "$ncu" ]; then
      sections=()
      for section in SpeedOfLight ComputeWorkloadAnalysis MemoryWorkloadAnalysis SchedulerStats WarpStateStats \
        InstructionStats LaunchStats Occupancy; do
        sections+=(--section "$section")
      done
      part "ncu_$config" 30 "$ncu" --clock-control none "${sections[@]}" -k regex:advance --launch-skip 20 \
        --launch-count 12 --kill on --csv --page details --log-file "$folder/ncu_$config.csv" "${run[@]}"
      [ -z "$no_counters" ] || ncu=""
    fi
    if [ -z "$ncu" ] && [ -n "$nsys" ]; then
      part "nsys_$config" 40 "$nsys" profile -t cuda --stats=true --force-overwrite true -o "$folder/nsys_$config" \
        "${run[@]}"
    elif [ -z "$ncu" ]; then
      left_out="$left_out profile_of_$config(no_profiler)"
    fi
  done <<'END'
rock_ramp_100m implicit 200000
slider_valley rk4 200000
hard_discs_kinetic events 100000
disc_box_corrected rk4_events 100000
END

  for name in cap projectile scatter balls rock_flight lorenz; do
    measure "$name" 12 "$name" --samples 1e2,1e3,1e4,1e5,1e6,1e7 --limit 1 --rounds 2
  done
fi

code=${no_device:+4}
say "took $SECONDS s of $seconds"
[ -z "$left_out" ] || say "left out:$left_out"
[ -z "$failed" ] || { say "failed:$failed"; code=1; }
[ -z "$interrupted" ] || { say "interrupted"; code=130; }
say "results are in $folder"
exit "${code:-0}"
