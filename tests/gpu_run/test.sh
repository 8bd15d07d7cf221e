#!/usr/bin/env bash
# bench/gpu_run.sh with programs that only pretend: its order, its exit codes, what it takes for a failure, and what it
# keeps when it is cut short.
set -u
run="$(cd "$(dirname "$0")/../.." && pwd)/bench/gpu_run.sh"
expected="$(grep '^rock_ramp,implicit,' "$(dirname "$0")/../reference/digests.csv" | cut -d , -f 4)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SCREE_DATA

cat >scree <<'END'
#!/usr/bin/env bash
csv="" case=""
for word in "$@"; do
  [ "${before:-}" = --csv ] && csv="$word"
  [ "${before:-}" = --only ] && case="$word"
  before="$word"
done
case "$1 ${2:-}" in
  "list --devices")
    cat devices
    exit "$(cat list_exit)" ;;
  "bench --device") echo '{"devices": []}' ;;
  run*) echo '  "digest": "'"$(cat digest)"'",' ;;
  bench*)
    if [ "$case" = "$(cat wrong_and_slow)" ]; then
      echo "  rk4 pack: drift of the energy 1, EXCEEDS 1e-9"
      sleep 30
    fi
    echo "begin" >"$csv"
    trap 'echo "ended as asked" >>"$csv"; exit 130' TERM
    if [ "$case" = "$(cat slow)" ]; then
      sleep 30 &
      wait $!
    fi
    if [ "$case" = "$(cat wrong)" ]; then
      echo "scree: bench: $case: another digest"
      exit 1
    fi ;;
esac
END
cat >scree_device_tests <<'END'
#!/usr/bin/env bash
cat tests_log
case "$*" in *Bits*) sleep "$(cat bits_take)" ;; esac
exit "$(cat tests_exit)"
END
# Profilers come from the PATH: one that may not read counters, one that may all.
mkdir profilers
cat >profilers/ncu <<'END'
#!/usr/bin/env bash
while [ "$1" != --log-file ]; do shift; done
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters" >"$2"
exit 1
END
printf '#!/bin/sh\nexit 0\n' >profilers/nsys
printf '#!/bin/sh\necho "name"\n' >profilers/nvidia-smi
chmod +x scree scree_device_tests profilers/*
export PATH="$work/profilers:$PATH"
# The programs read these from the folder that run.sh runs them in, which is the tree's.
sed -i "s,cat \([a-z_]\+\)\>,cat '$work'/\1,g" scree scree_device_tests

mistakes=0
# expect WHAT ARGUMENTS...: fails unless grep finds it so.
expect() {
  local what="$1"
  shift
  if ! "$@"; then
    echo "FAILED: $what"
    sed 's/^/    /' out results/summary.txt 2>/dev/null
    mistakes=1
  fi
}
# run CODE OPTIONS...: runs it, and expects the exit code. What an earlier run left is kept with `keep` set.
run() {
  local code="$1" found
  shift
  [ -n "${keep:-}" ] || rm -rf results
  "$run" -p . "$@" results >out 2>&1
  found=$?
  expect "exit code $code, not $found" [ "$found" -eq "$code" ]
}
device() {
  printf '  device  name\n  cuda:0  A device\n' >devices
  echo "$expected" >digest
  echo none >slow
  echo none >wrong
  echo none >wrong_and_slow
  echo 0 >list_exit
  echo 0 >tests_exit
  echo 0 >bits_take
  echo "[==========] 3 tests from 1 test suite ran. (0 ms total)" >tests_log
}

device
run 0
line_of() { grep -n "^$1 " results/summary.txt | cut -d : -f 1; }
expect "bits come before rocks" [ "$(line_of bits)" -lt "$(line_of rock_1e6)" ]
expect "a CSV of each case" test -f results/slider.csv -a -f results/rock_1e7.csv -a -f results/lorenz.csv
expect "no failure is told" test -z "$(grep -E '^failed|NOT PASSED' results/summary.txt)"
expect "where its data are is told" grep -q '^data: none' results/summary.txt
expect "a profiler without permission is left out" \
  grep -q '^left out:.* ncu_rock_ramp_100m(no_permission)' results/summary.txt
expect "and the other is tried" grep -q '^nsys_rock_ramp_100m .*ok$' results/summary.txt
expect "the first is not tried again" test -z "$(grep '^ncu_slider' results/summary.txt)"
expect "the limits are kept as JSON" grep -q '"devices"' results/device.json

device
mkdir data
SCREE_DATA=data run 0
expect "a relative SCREE_DATA is of the caller's folder" grep -qx "data: $PWD/data" results/summary.txt
expect "its case is measured" test -f results/rock_grid.csv
SCREE_DATA=nowhere run 2
expect "one line on a folder that is not there" grep -q '^run.sh: SCREE_DATA=nowhere: there is no such folder; ' out

device
echo 124 >list_exit
run 1
expect "a driver that does not answer is told" \
  grep -q '^failed: scree list --devices, exit code 124 ' results/summary.txt

device
echo pair >wrong
run 1
expect "the failed case is named" grep -q '^failed: pair$' results/summary.txt
expect "the others are measured all the same" test -f results/rotor.csv

device
echo 0000 >digest
run 1
expect "another digest is a failure" grep -q '^failed: digest$' results/summary.txt

device
echo 77 >tests_exit
run 1
expect "tests that do not run on a device are a failure" grep -q '^failed: cuda bits ' results/summary.txt
expect "what is timed all the same is called in question" grep -q '^NOT PASSED: cuda bits ' results/summary.txt

device
echo "[==========] 0 tests from 0 test suites ran. (0 ms total)" >tests_log
run 1
expect "a selection of no tests is a failure" grep -q '^bits .*FAILED: no test was run$' results/summary.txt

device
echo "[  FAILED  ] Bits/Rock.AreTheSame_cuda (1 ms)" >>tests_log
echo 30 >bits_take
run 1 -t 5
expect "a failure shown before the limit is one" \
  grep -q '^bits .*FAILED, then cut short: .*AreTheSame_cuda' results/summary.txt
expect "it is named" grep -q '^failed: bits$' results/summary.txt

device
echo 30 >bits_take
run 1 -t 5
expect "tests that are cut short have not passed" grep -q '^bits .*FAILED: cut short' results/summary.txt

device
echo slider >wrong_and_slow
run 1 -t 6
expect "nor has a case whose physics was wrong before" \
  grep -q '^slider .*FAILED, then cut short: .*EXCEEDS' results/summary.txt

device
echo slider >slow
mkdir -p results
echo "of an earlier run" | tee results/slider.csv results/lorenz.csv >results/lorenz.log
keep=1 run 0 -t 8
expect "a slow case is cut short" grep -q '^slider .*cut short' results/summary.txt
expect "what was left out is named" grep -q '^left out: slider(rest) .*lorenz$' results/summary.txt
expect "it is asked to end, and keeps its CSV" grep -q 'ended as asked' results/slider.csv
expect "what an earlier run left does not pass for new" test ! -e results/lorenz.csv -a ! -e results/lorenz.log
expect "missing logs are no error" test -z "$(grep 'No such file' out)"

device
echo slider >slow
rm -rf results
"$run" -p . results >out 2>&1 &
pid=$!
for ((tries = 0; tries < 300; ++tries)); do
  [ -f results/slider.csv ] && break
  sleep 0.1
done
expect "it comes to the slow case in 30 s" test -f results/slider.csv
kill -TERM $pid
wait $pid
expect "exit code 130" [ $? -eq 130 ]
expect "an interruption is told" grep -q '^interrupted$' results/summary.txt
expect "and keeps the CSV" grep -q 'ended as asked' results/slider.csv

device
echo "no CUDA device: no NVIDIA driver is installed" >devices
run 4
line="run.sh: no CUDA device: no NVIDIA driver is installed: only what needs none is tested"
expect "one line says so" grep -qx "$line" out
expect "the CPU is tested" grep -q '^bits .*ok$' results/summary.txt

run 2 -t soon
expect "one line on a mistake" grep -q '^run.sh: -t soon: must be a whole number of seconds > 0; usage: ' out
"$run" -t >out 2>&1
expect "one line on an option without its argument" grep -q '^run.sh: -t needs an argument; usage: ' out
exit $mistakes
