#!/bin/sh
# Draws where the rocks of a comparison on a ramp came to rest: docs/ramp_figure.sh RESULT.h5 FIGURE.png [LEFT RIGHT]
# LEFT and RIGHT are two schemes of the result. Rocks that did not stop are not drawn.
set -eu
result=$1
figure=$2
left=${3:-explicit}
right=${4:-implicit}

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
for scheme in "$left" "$right"; do
  for column in runout_from_foot lateral_final; do
    h5dump -d "/arms/$scheme/samples/$column" -m "%.9g" -y -w 1 -o "$data/$column" "$result" >/dev/null
  done
  paste -d ' ' "$data/runout_from_foot" "$data/lateral_final" | tr -d ',' | grep -vi nan |
    sed '/^ *$/d' >"$data/$scheme"
done

gnuplot <<GNUPLOT
set terminal pngcairo size 1200,760 font "sans,13" enhanced
set output "$figure"
stats "$data/$left" using 1 name "L" nooutput
stats "$data/$right" using 1 name "R" nooutput
stats "$data/$left" using 2 name "LY" nooutput
stats "$data/$right" using 2 name "RY" nooutput
low = floor(((L_min < R_min) ? L_min : R_min) / 25) * 25
high = ceil(((L_max > R_max) ? L_max : R_max) / 25) * 25
side = ceil((abs(LY_min) > abs(LY_max) ? abs(LY_min) : abs(LY_max)) / 25) * 25
right_side = ceil((abs(RY_min) > abs(RY_max) ? abs(RY_min) : abs(RY_max)) / 25) * 25
side = (side > right_side) ? side : right_side
width = 10.0
bin(x) = width * (floor(x / width) + 0.5)
set style fill solid 0.75 noborder
set boxwidth width * 0.92
set grid back lt 1 lw 1 lc rgb "#e4e4e4"
set tics out nomirror
set ylabel offset 1.2,0
set border 3
set xrange [low:high]
set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb "#888888" dt 2
set multiplot layout 2,2 columnsfirst margins 0.075,0.985,0.09,0.94 spacing 0.065,0.10

top = 0
set table "$data/bins"
plot "$data/$left" using (bin(\$1)):(1.0) smooth frequency, "$data/$right" using (bin(\$1)):(1.0) smooth frequency
unset table
stats "$data/bins" using 2 name "B" nooutput
top = ceil(B_max / 20) * 20

do for [i = 1:2] {
  scheme = (i == 1) ? "$left" : "$right"
  file = "$data/" . scheme
  colour = (i == 1) ? "#d95f02" : "#1b6ca8"
  n = (i == 1) ? L_records : R_records
  mean = (i == 1) ? L_mean : R_mean
  sd = (i == 1) ? L_ssd : R_ssd
  set title sprintf("%s: %d rocks at rest, run-out %.0f m (SD %.0f m)", scheme, n, mean, sd)
  set yrange [-side:side]
  set xlabel ""
  set ylabel (i == 1 ? "across the fall line, m" : "")
  plot file using 1:2 with points pt 7 ps 0.45 lc rgb colour notitle
  unset title
  set yrange [0:top]
  set xlabel "beyond the foot of the ramp, m"
  set ylabel (i == 1 ? "rocks per 10 m" : "")
  set arrow 2 from first mean, graph 0 to first mean, graph 1 nohead front lc rgb "#222222" lw 1.5
  plot file using (bin(\$1)):(1.0) smooth frequency with boxes lc rgb colour notitle
  unset arrow 2
}
GNUPLOT
