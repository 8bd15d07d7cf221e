#!/bin/sh
# The map of the ramp study's page as a picture: docs/report_figure.sh rock_ramp.html PICTURE.png
set -eu
whole=$(mktemp --suffix=.png)
trap 'rm -f "$whole"' EXIT
chromium --headless --no-sandbox --enable-unsafe-swiftshader --virtual-time-budget=8000 --hide-scrollbars \
  --window-size=1180,3000 --screenshot="$whole" \
  "file://$(realpath "$1")#layer=kinetic_energy_p95&arm=implicit&sample=190" 2>/dev/null
# Where the map is: left, top, width and height in pixels.
gdal_translate -q -of PNG -srcwin 30 940 1120 730 "$whole" "$2"
rm -f "$2.aux.xml"
