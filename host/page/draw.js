function pairs(flat) {
  const points = [];
  for (let i = 0; i + 1 < flat.length; i += 2) points.push([flat[i], flat[i + 1]]);
  return points;
}
// Height against the horizontal length of the way.
function profile(points) {
  let way = 0;
  return points.map((p, k) => {
    if (k > 0) way += Math.hypot(p[0] - points[k - 1][0], p[1] - points[k - 1][1]);
    return [way, p[2]];
  });
}

// What the address asks for.
function showAddress(shownMap) {
  if (shownMap) shownMap.choose(address.get("layer"), address.get("arm"));
  const asked = (address.get("sample") || "").split(",").filter((word) => /^\d+$/.test(word)).map(Number);
  if (asked.length) select(asked);
}

// All figures.
async function draw() {
  await readSamples();
  for (const path of data.paths || []) {
    path.curves = [];
    for (const text of path.lines) path.curves.push(pairs(await numbers(text)));
    if (path.points) {
      const flat = await numbers(path.points);
      path.xyz = [];
      const [west, south] = data.map ? data.map.origin : [0, 0];
      for (let i = 0; i + 2 < flat.length; i += 3) path.xyz.push([west + flat[i], south + flat[i + 1], flat[i + 2]]);
      path.curves.push(profile(path.xyz));
    }
    if (path.figure) path.own = pairs(await numbers(path.figure));
  }
  const paths = data.paths || [];
  differences();
  const shownMap = await map();
  distributions();
  exceedances("gates", "energy", (gate) => `kinetic energy above (${gate.unit})`);
  exceedances("heights", "height", () => "height above (m)");
  offsets();
  bands();
  if (data.along)
    curves("paths", data.along, data.up,
           paths.flatMap((p) => p.curves.map((points) => ({ arm: p.arm, sample: p.sample, points }))));
  if (shownMap) await view(shownMap);
  if (data.figure && data.figure.of_paths)
    curves("own", data.figure.x, data.figure.y,
           paths.filter((p) => p.own).map((p) => ({ arm: p.arm, sample: p.sample, points: p.own })));
  else if (data.figure)
    dots("own", data.figure.x, data.figure.y);
  showAddress(shownMap);
  addEventListener("hashchange", () => {
    address = new URLSearchParams(location.hash.slice(1));
    if (!address.has("sample")) select([]);
    showAddress(shownMap);
  });
  // How far the page is wider than its window, which it should not be.
  root.dataset.wide = root.scrollWidth - root.clientWidth;
}
if (typeof DecompressionStream === "undefined")
  said.textContent = "This browser cannot unpack the figures (no DecompressionStream); words and tables are complete.";
else
  draw().then(() => { root.dataset.ready = "yes"; });
