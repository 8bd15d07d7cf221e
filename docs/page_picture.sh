#!/bin/sh
# A part of a page of `scree report` as a picture, drawn in Chromium and cut out by GDAL:
#   docs/page_picture.sh PAGE.html PICTURE.png ADDRESS LEFT TOP WIDTH HEIGHT
# ADDRESS is what the page shows, as layer=passages&sample=17; the rest is in pixels of a page 1180 wide.
# docs/report.png was made by
#   docs/page_picture.sh rock_ramp.html docs/report.png 'layer=kinetic_energy_p95&arm=implicit&sample=190' 30 940 1120 750
set -eu
whole=$(mktemp --suffix=.png)
trap 'rm -f "$whole"' EXIT
chromium --headless --no-sandbox --enable-unsafe-swiftshader --virtual-time-budget=8000 --hide-scrollbars \
  --window-size=1180,6000 --screenshot="$whole" "file://$(realpath "$1")#$3" 2>/dev/null
gdal_translate -q -of PNG -srcwin "$4" "$5" "$6" "$7" "$whole" "$2"
rm -f "$2.aux.xml"
