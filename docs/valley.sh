#!/bin/sh
# Makes the slope of docs/first_map.md, an ESRI ASCII grid: docs/valley.sh configs/valley.asc. 120 x 100 cells of 5 m; no
# real place.
set -eu
awk 'BEGIN {
  columns = 120; rows = 100; cell = 5
  printf "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %d\nNODATA_value -9999\n", columns, rows, cell
  for (row = rows - 1; row >= 0; row--) {
    line = ""
    for (column = 0; column < columns; column++) {
      x = (column + 0.5) * cell; y = (row + 0.5) * cell
      # A face that gets flatter downhill, gullies down it, and blocks of up to half a metre.
      height = 900 + 320 * exp(-x / 170) + 5 * cos(6.2832 * (y - 250) / 120) * exp(-((x - 180) / 140) ^ 2)
      noise = sin(12.9898 * column + 78.233 * row) * 43758.5453
      height += 0.5 * (noise - int(noise))
      line = line sprintf("%.1f ", height)
    }
    print line
  }
}' >"$1"
