#!/bin/sh
# A figure of a page of `scree report` as a picture, drawn in Chromium and cut out by GDAL:
#   docs/page_picture.sh PAGE.html PICTURE.png ADDRESS FIGURE
# ADDRESS is what the page shows, as layer=passages&sample=17; FIGURE is one of its figures, as map, gates or paths.
# docs/report.png was made by
#   scree compare configs/rock_ramp.toml --set 'maps={cell=5, extent=[-60,-150,600,150]}' -o rock_ramp.h5
#   scree report rock_ramp.h5
#   docs/page_picture.sh rock_ramp.html docs/report.png 'layer=kinetic_energy_p95&arm=implicit&sample=190' map
set -eu
page=$1 picture=$2 address=$3 figure=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The page says where the figure is, once it is drawn without a mistake.
cp "$page" "$folder/page.html"
cat >> "$folder/page.html" <<END
<script>
addEventListener("load", async () => {
  while (root.dataset.ready !== "yes") await new Promise((done) => setTimeout(done, 50));
  const of = figureOf("$figure"), around = 8;
  if (!of || !(of.dataset.marks > 0) || root.dataset.errors !== "0") return;
  const box = of.getBoundingClientRect();
  root.dataset.box = [box.left - around, box.top - around, box.width + 2 * around, box.height + 2 * around]
    .map(Math.round).join(" ");
});
</script>
END
box=$("$(dirname "$0")/chromium.sh" --virtual-time-budget=8000 --window-size=1180,8000 --dump-dom \
  --screenshot="$folder/whole.png" "file://$folder/page.html#$address" 2>/dev/null |
  sed -n '1,20s/.*data-box="\([0-9 ]*\)".*/\1/p')
[ -n "$box" ] || { echo "$page: has no figure $figure that is drawn" >&2; exit 1; }
# shellcheck disable=SC2086 # four numbers
gdal_translate -q -of PNG -srcwin $box "$folder/whole.png" "$picture"
rm -f "$picture.aux.xml"
