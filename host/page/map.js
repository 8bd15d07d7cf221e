// The map: relief, a layer of the maps, contours, gates, barriers, forest, paths, where samples stopped. North is up.
// Returns what the view in three dimensions needs of it.
const unitSteps = (length) => {
  const step = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((k) => k * step).find((nice) => nice <= length);
};
// Hatching of a class, so that classes are told apart without colour: whether a pixel of a cell is darker.
const hatched = (k, i, j) =>
  [false, (i + j) % 8 === 0, (i - j + 4096) % 8 === 0, (i + j) % 4 === 0, (i - j + 4096) % 4 === 0,
   i % 4 === 0, j % 4 === 0, i % 3 === 0 || j % 3 === 0, (i + j) % 2 === 0][k % 9];

async function map() {
  const m = data.map;
  if (!m) return null;
  const figure = figureOf("map");
  figure.textContent = "";
  const heights = await decoded(m.heights);
  const layers = [];
  for (const layer of m.layers) {
    const read = { ...layer, cells: await decoded(layer.values) };
    for (const more of ["interval_low", "interval_high", "significant"])
      if (layer[more]) read[more] = await decoded(layer[more]);
    layers.push(read);
  }
  const passagesOf = (arm) => layers.find((l) => l.arm === arm && l.name === "passages");

  // Controls.
  const controls = add(figure, "form", { class: "controls" });
  const choice = (legend, names, group) => {
    const set = add(controls, "fieldset");
    add(set, "legend", {}, legend);
    return names.map((name) => {
      const word = add(set, "label");
      const input = add(word, "input", { type: "radio", name: group, value: name });
      word.append(" " + name);
      return input;
    });
  };
  const layerNames = [...new Set(layers.map((l) => l.name)), "none"];
  const layerRadios = layers.length ? choice("Layer", layerNames, "layer") : [];
  const layerArms = armNames.filter((name) => layers.some((l) => l.arm === name));
  const armRadios = layerArms.length > 1 ? choice("Arm", layerArms, "arm") : [];
  const extras = add(controls, "fieldset");
  add(extras, "legend", {}, "Show");
  const box = (text, on) => {
    const word = add(extras, "label");
    const input = add(word, "input", { type: "checkbox" });
    input.checked = on;
    word.append(" " + text);
    return input;
  };
  const shows = { paths: box("paths", true), stops: box("stops", true), contours: box("contours", true),
                  hatching: box("hatching", false) };
  if (armNames.length > 1) shows.all = box("paths and stops of all arms", false);
  const opacityWord = add(extras, "label", {}, "opacity ");
  const opacity = add(opacityWord, "input", { type: "range", min: 0, max: 100, value: 80 });
  const zooms = add(extras, "span");
  const [closer, farther, whole] = ["+", "−", "Whole map"]
    .map((text) => add(zooms, "button", { type: "button" }, text));
  closer.setAttribute("aria-label", "Zoom in");
  farther.setAttribute("aria-label", "Zoom out");

  // The drawing: one group in units of cells, with the first of them at the north-west corner.
  const width = Math.max(300, Math.min(figure.clientWidth || 800, 1060));
  // Coordinates to a tenth of a cell at least.
  const decimals = Math.max(0, Math.ceil(1 - Math.log10(m.cell)));
  const coordinate = (value) => value.toFixed(decimals);
  const axisText = d3.format(",");
  const longest = d3.max([m.north, m.north - m.rows * m.cell], (v) => axisText(Math.round(v)).length);
  const left = 18 + 7 * longest, top = 28, right = 36, bottom = 40;
  const scale = Math.min((width - left - right) / m.columns, 720 / m.rows);
  const wide = scale * m.columns, high = scale * m.rows, height = Math.max(high, 60) + top + bottom;
  const svg = d3.select(figure).append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("width", "100%")
    .attr("role", "application").attr("tabindex", 0).attr("class", "map").attr("aria-label", figure.dataset.sentence);
  svg.append("clipPath").attr("id", "map-clip").append("rect").attr("x", left).attr("y", top).attr("width", wide)
    .attr("height", high);
  const zoomed = svg.append("g").attr("clip-path", "url(#map-clip)").append("g");
  const cells = zoomed.append("g").attr("transform", `translate(${left},${top}) scale(${scale})`);
  const toCell = (x, y) => [(x - m.west) / m.cell, (m.north - y) / m.cell];
  const image = () => cells.append("image").attr("width", m.columns).attr("height", m.rows)
    .attr("preserveAspectRatio", "none");
  // Paler than it is, so that lines are seen on slopes away from the light.
  image().attr("href", "data:image/png;base64," + m.relief).attr("opacity", 0.75);
  const cover = image().attr("class", "pixels");

  const known = heights.filter((h) => !Number.isNaN(h)), [lowest, highest] = d3.extent(known);
  const contours = cells.append("g").attr("class", "contours");
  let interval = 0;
  if (highest > lowest) {
    interval = d3.tickStep(lowest, highest, 15);
    const filled = Array.from(heights, (h) => (Number.isNaN(h) ? lowest : h));
    const levels = d3.range(Math.ceil(lowest / interval) * interval, highest, interval);
    // Where heights are on all sides, not round holes or along the edge.
    const isKnown = ([x, y]) => {
      const column = Math.floor(x - 0.5), row = Math.floor(y - 0.5);
      return column >= 0 && row >= 0 && column + 1 < m.columns && row + 1 < m.rows &&
        [0, 1, m.columns, m.columns + 1].every((k) => !Number.isNaN(heights[row * m.columns + column + k]));
    };
    const ringPath = d3.line().defined(isKnown);
    contours.selectAll("path").data(d3.contours().size([m.columns, m.rows]).thresholds(levels)(filled)).enter()
      .append("path").attr("d", (contour) => contour.coordinates.flat().map((ring) => ringPath(ring)).join(""));
  }

  const line = d3.line();
  const pointsOf = (numbers) => d3.range(numbers.length / 2).map((i) => toCell(numbers[2 * i], numbers[2 * i + 1]));
  const forest = cells.append("g");
  const forestMarks = forest.selectAll("path").data(m.forest).enter().append("path").attr("class", "forest")
    .attr("d", (stand) => line(pointsOf(stand.corners)) + "Z");
  const gates = cells.append("g");
  const gateMarks = gates.selectAll("g").data(m.gates).enter().append("g");
  for (const back of [" back", ""])
    gateMarks.append("path").attr("class", (gate) => (gate.barrier ? "barrier" : "gate") + back)
      .attr("d", (gate) => line(pointsOf(gate.line)));
  const paths = (data.paths || []).filter((path) => path.xyz)
    .map((path) => ({ ...path, line: path.xyz.map((p) => toCell(p[0], p[1])) }));
  const pathGroup = cells.append("g").attr("class", "paths");
  const pathMarks = pathGroup.selectAll("path").data(paths).enter().append("path")
    .attr("stroke", (p) => armColour(p.arm)).attr("d", (p) => line(p.line));
  const stops = [];
  valuesOf.forEach((arm, a) => {
    for (let i = 0; 2 * i + 1 < arm.stops.length; ++i)
      if (!Number.isNaN(arm.stops[2 * i]))
        stops.push([
          ...toCell(m.origin[0] + arm.stops[2 * i], m.origin[1] + arm.stops[2 * i + 1]), sampleAt(i), a,
          data.statuses[arm.status[i]] === 'caught'
        ]);
  });
  const dotsOf = (some) => some.map((s) => `M${s[0].toFixed(2)},${s[1].toFixed(2)}h.01`).join('');
  const haveCaught = stops.some((s) => s[4]);
  const stopGroup = cells.append("g");
  const stopMarks = data.arms.map((arm, a) => {
    const marks = stopGroup.append('g'), ofArm = stops.filter((s) => s[3] === a);
    marks.append('path')
        .attr('class', 'dots')
        .attr('stroke', colourOf(a))
        .attr('d', dotsOf(ofArm.filter((s) => !s[4])));
    // Squares with a black edge.
    if (haveCaught)
      for (const [kind, colour] of [['caught edge', '#000'], ['caught', colourOf(a)]])
        marks.append('path')
            .attr('class', 'dots ' + kind)
            .attr('stroke', colour)
            .attr('d', dotsOf(ofArm.filter((s) => s[4])));
    return marks;
  });
  const releases = cells.append("path").attr("class", "releases")
    .attr("d", paths.map((p) => `M${p.line[0][0]},${p.line[0][1]}h.01`).join(""));
  const shown = cells.append("g");
  const cursor = cells.append("rect").attr("class", "cursor").attr("width", 1).attr("height", 1);

  // Axes, scale, north, names of gates and barriers: they keep their size.
  const x = d3.scaleLinear([m.west, m.west + m.columns * m.cell], [left, left + wide]);
  const y = d3.scaleLinear([m.north, m.north - m.rows * m.cell], [top, top + high]);
  const xAxis = svg.append("g").attr("transform", `translate(0,${top + high})`);
  const yAxis = svg.append("g").attr("transform", `translate(${left},0)`);
  svg.append("text").attr("x", left + wide).attr("y", height - 4).attr("text-anchor", "end")
    .text("x (m)" + (m.crs ? ", " + m.crs : ""));
  svg.append("text").attr("x", 4).attr("y", 12).text("y (m)");
  const names = svg.append("g");
  const corner = svg.append("g").attr("class", "corner")
    .attr("transform", `translate(${left + 12},${top + high - 12})`);
  const barLine = corner.append("path"), barText = corner.append("text").attr("y", -8);
  svg.append("text").attr("class", "corner").attr("x", left + wide - 10).attr("y", top + 18).attr("text-anchor", "end")
    .text("N ↑");
  let transform = d3.zoomIdentity;
  function axes() {
    const x2 = transform.rescaleX(x), y2 = transform.rescaleY(y);
    xAxis.call(d3.axisBottom(x2).ticks(Math.max(1, Math.floor(wide / 110))));
    yAxis.call(d3.axisLeft(y2).ticks(Math.max(1, high / 60)));
    const length = unitSteps(x2.invert(left + Math.min(wide / 3, 160)) - x2.invert(left));
    const pixels = x2(length) - x2(0);
    barLine.attr("d", `M0,-6V0H${pixels}V-6`);
    barText.text(`${length} m`);
    const labels = names.selectAll("text").data(m.gates);
    labels.enter().append("text").attr("class", "corner").merge(labels).text((gate) => gate.label)
      .attr("x", (gate) => x2(gate.line[0]) + (x2(gate.line[0]) > left + 0.8 * wide ? -5 : 5))
      .attr("text-anchor", (gate) => (x2(gate.line[0]) > left + 0.8 * wide ? "end" : "start"))
      .attr("y", (gate) => y2(gate.line[1]) - 4)
      .attr("visibility", (gate) => {
        const [px, py] = [x2(gate.line[0]), y2(gate.line[1])];
        const inside = px >= left && px < left + wide && py >= top && py <= top + high;
        return inside && gate.arms.some(isShown) ? "visible" : "hidden";
      });
  }
  // A wheel scrolls the page until the map has the focus; one finger scrolls, two zoom.
  const zoom = d3.zoom().scaleExtent([1, 60]).extent([[left, top], [left + wide, top + high]])
    .translateExtent([[left, top], [left + wide, top + high]])
    .filter(() => {
      const event = d3.event;
      if (event.type === "wheel") return event.ctrlKey || document.activeElement === svg.node();
      if (event.touches) return event.touches.length > 1;
      return !event.button;
    })
    .on("zoom", () => {
      transform = d3.event.transform;
      zoomed.attr("transform", transform);
      axes();
    });
  svg.call(zoom).on("dblclick.zoom", null);
  closer.addEventListener("click", () => zoom.scaleBy(svg, 2));
  farther.addEventListener("click", () => zoom.scaleBy(svg, 0.5));
  whole.addEventListener("click", () => svg.call(zoom.transform, d3.zoomIdentity));

  // The layer.
  const legend = add(figure, "p", { class: "legend" });
  const readout = add(figure, "p", { class: "readout", "aria-live": "polite" },
                      "Point at a cell, or move with the arrow keys once the map has the focus, to read it.");
  let current = null;
  const classOf = (layer, value) => d3.bisectLeft(layer.edges, value);
  const isDrawn = (layer, value) => !Number.isNaN(value) && !(layer.is_clear_at_0 && value === 0);
  // A chip of the legend, hatched as the class is.
  function chip(layer, k) {
    const canvas = document.createElement("canvas"), colour = d3.rgb(layer.colours[k]), dark = d3.rgb(colour);
    canvas.width = canvas.height = 16;
    const context = canvas.getContext("2d");
    for (const part of ["r", "g", "b"]) dark[part] *= 0.35;
    for (let j = 0; j < 16; ++j)
      for (let i = 0; i < 16; ++i) {
        context.fillStyle = shows.hatching.checked && hatched(k, i, j) ? dark : colour;
        context.fillRect(i, j, 1, 1);
      }
    return canvas.toDataURL();
  }
  function drawn(layer, hatch) {
    const size = hatch ? Math.max(1, Math.round(1600 / Math.max(m.columns, m.rows))) : 1;
    const canvas = document.createElement("canvas");
    canvas.width = m.columns * size;
    canvas.height = m.rows * size;
    const context = canvas.getContext("2d"), pixels = context.createImageData(canvas.width, canvas.height);
    const classes = layer.colours.map((colour) => d3.rgb(colour));
    let count = 0;
    for (let row = 0; row < m.rows; ++row)
      for (let column = 0; column < m.columns; ++column) {
        const value = layer.cells[row * m.columns + column];
        if (!isDrawn(layer, value)) continue;
        ++count;
        const k = classOf(layer, value), colour = classes[k];
        for (let j = row * size; j < (row + 1) * size; ++j)
          for (let i = column * size; i < (column + 1) * size; ++i) {
            const at = 4 * (j * canvas.width + i), shade = hatch && hatched(k, i, j) ? 0.35 : 1;
            pixels.data[at] = colour.r * shade;
            pixels.data[at + 1] = colour.g * shade;
            pixels.data[at + 2] = colour.b * shade;
            pixels.data[at + 3] = 255;
          }
      }
    context.putImageData(pixels, 0, 0);
    return { canvas, count };
  }
  const whenLayer = [];
  function show(layer) {
    current = layer;
    legend.textContent = "";
    const made = layer ? drawn(layer, shows.hatching.checked) : null;
    cover.attr("href", made ? made.canvas.toDataURL() : null).attr("opacity", opacity.value / 100);
    if (layer) {
      add(legend, "strong", {}, layer.name + (armNames.length > 1 ? ` of ${layer.arm}` : "") + ": ");
      legend.append(layer.meaning + ". ");
      layer.labels.forEach((text, k) => {
        const entry = add(legend, "span", { class: "entry" });
        add(entry, "img", { class: "chip", alt: "", src: chip(layer, k) });
        entry.append(`${k + 1}: ${text}`);
      });
    }
    if (interval > 0) add(legend, "span", { class: "entry" }, `Contours every ${short(interval)} m. `);
    if (paths.length) add(legend, "span", { class: "entry" }, `White dots: where the ${paths.length} paths begin. `);
    if (stops.some((s) => !s[4])) add(legend, 'span', {class: 'entry'}, 'Small dots: where samples stopped. ');
    if (haveCaught) add(legend, 'span', {class: 'entry'}, 'Small squares: where barriers caught samples. ');
    if (armNames.length > 1 && (paths.length || stops.length))
      armNames.forEach((name) => {
        const entry = add(legend, "span", { class: "entry" });
        add(entry, "span", { class: "chip", style: `background:${armColour(name)}` });
        entry.append(name);
      });
    layerRadios.forEach((input) => { input.checked = input.value === (layer ? layer.name : "none"); });
    if (layer) armRadios.forEach((input) => { input.checked = input.value === layer.arm; });
    figure.dataset.layer = layer ? layer.name : "none";
    figure.dataset.marks = (made ? made.count : 0) + paths.length + stops.length;
    whenLayer.forEach((f) => f(made ? made.canvas : null, opacity.value / 100));
    toggles();
    read();
  }
  const chosenOf = (inputs) => (inputs.find((input) => input.checked) || { value: "" }).value;
  // The layer of that name, of that arm if it has one; without a name, or with one that there is not, the first.
  function choose(name, arm) {
    const ofArm = layers.filter((l) => l.arm === arm);
    show(name === "none" ? null : ofArm.find((l) => l.name === name) || layers.find((l) => l.name === name) ||
      ofArm[0] || layers[0] || null);
  }
  function rechoose() {
    choose(chosenOf(layerRadios), chosenOf(armRadios));
    setAddress("layer", current ? current.name : "none");
    if (armRadios.length) setAddress("arm", current ? current.arm : null);
  }
  [...layerRadios, ...armRadios].forEach((input) => input.addEventListener("change", rechoose));
  opacity.addEventListener("input", () => show(current));
  // Beside a layer of one arm, its own paths and stops.
  const isShown = (arm) => armNames.length === 1 || shows.all.checked || !current || current.is_signed ||
    current.arm === arm;
  function toggles() {
    pathMarks.attr("visibility", (p) => (isShown(p.arm) ? "inherit" : "hidden"));
    stopMarks.forEach((mark, a) => mark.attr("visibility", isShown(armNames[a]) ? "inherit" : "hidden"));
    for (const marksOf of [forestMarks, gateMarks])
      marksOf.attr("visibility", (one) => (one.arms.some(isShown) ? "inherit" : "hidden"));
    axes();
    pathGroup.attr("visibility", shows.paths.checked ? "visible" : "hidden");
    releases.attr("visibility", shows.paths.checked ? "visible" : "hidden");
    stopGroup.attr("visibility", shows.stops.checked ? "visible" : "hidden");
    contours.attr("visibility", shows.contours.checked ? "visible" : "hidden");
  }
  for (const name of ["paths", "stops", "contours", "all"])
    if (shows[name]) shows[name].addEventListener("change", toggles);
  shows.hatching.addEventListener("change", () => show(current));

  // A cell, read.
  let at = null;
  function read() {
    cursor.attr("visibility", at ? "visible" : "hidden");
    if (!at) return;
    const [column, row] = at, i = row * m.columns + column;
    cursor.attr("x", column).attr("y", row);
    const words = [`x ${coordinate(m.west + (column + 0.5) * m.cell)} m, ` +
                     `y ${coordinate(m.north - (row + 0.5) * m.cell)} m`,
                   Number.isNaN(heights[i]) ? "no terrain" : `ground ${heights[i].toFixed(1)} m`];
    // As many digits as the codes of a page have.
    const digits = m.layers.length && m.layers[0].values.bits === 8 ? 2 : 3;
    if (current) {
      const value = current.cells[i];
      const ends = current.interval_low && [current.interval_low[i], current.interval_high[i]];
      const inUnit = (end) => (Number.isNaN(end) ? '?' : rounded(current.unit === 'J' ? end / 1000 : end, digits));
      const interval = ends && ends.some((end) => end !== 0) && ends.some((end) => !Number.isNaN(end)) ?
          ` (95 %: ${inUnit(ends[0])} to ${inUnit(ends[1])})` :
          '';
      const number = () => withUnit(value, current.unit, digits) + interval;
      if (!isDrawn(current, value)) {
        words.push(`${current.name}: ${Number.isNaN(value) ? 'none' : number()}`);
      } else {
        const k = classOf(current, value);
        words.push(`${current.name}: ` + (current.has_class_names ? current.labels[k] : `${number()}, class ${k + 1}`));
        if (current.significant)
          words.push(current.significant[i] > 0 ? "found at a false discovery rate of 5 %"
            : "not found at a false discovery rate of 5 %");
        // n = z^2 p (1 - p) / 0.01^2, of independent samples, and where the normal distribution is near enough.
        if (current.is_share && current.independent && value < 1 && value * current.counted >= 10)
          words.push(`for +-1 percentage point: ${Math.ceil(1.959964 ** 2 * value * (1 - value) / 0.0001)} samples`);
      }
      const passages = passagesOf(current.arm);
      if (passages && passages !== current)
        words.push(`${rounded(passages.cells[i] || 0, Math.max(digits, 5))} of ${current.counted} samples pass` +
          (m.joined ? " the most passed of the cells that are joined here" : ""));
    }
    readout.textContent = words.join("; ") + ".";
  }
  const cellAt = (node) => {
    const [px, py] = transform.invert(d3.mouse(node));
    const column = Math.floor((px - left) / scale), row = Math.floor((py - top) / scale);
    return column >= 0 && row >= 0 && column < m.columns && row < m.rows ? [column, row] : null;
  };
  svg.on("pointermove", function () {
    const cell = cellAt(this);
    if (cell) { at = cell; read(); }
  });
  svg.on("keydown", () => {
    if (d3.event.key === "Enter" && at) return pick(at[0] + 0.5, at[1] + 0.5, Infinity);
    const by = d3.event.shiftKey ? 10 : 1;
    const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[d3.event.key];
    if (!step) return;
    d3.event.preventDefault();
    const from = at || [Math.floor(m.columns / 2), Math.floor(m.rows / 2)];
    const within = (k, count) => Math.min(count - 1, Math.max(0, k));
    at = [within(from[0] + step[0], m.columns), within(from[1] + step[1], m.rows)];
    const centre = [left + (at[0] + 0.5) * scale, top + (at[1] + 0.5) * scale], [px, py] = transform.apply(centre);
    if (px < left || px > left + wide || py < top || py > top + high) zoom.translateTo(svg, ...centre);
    read();
  });

  // Samples.
  const stopTree = d3.quadtree(stops, (s) => s[0], (s) => s[1]);
  const lines = paths.map((p) => ({ arm: p.arm, sample: p.sample, points: p.line }));
  // What is nearest to a place in cells: a path that is about there, else where a sample stopped, else any path.
  function pick(x, y, most) {
    const some = lines.filter((l) => isShown(l.arm));
    const path = nearestLine(some, [x, y], most / 4);
    const stop = stopTree.find(x, y, most);
    const found = path !== null ? path : stop && isShown(armNames[stop[3]]) ? stop[2] : nearestLine(some, [x, y], most);
    if (found !== null) select([found]);
  }
  svg.on("click", function () {
    const [px, py] = transform.invert(d3.mouse(this));
    pick((px - left) / scale, (py - top) / scale, reach / scale / transform.k);
  });
  whenSelected((samples) => {
    shown.selectAll("*").remove();
    for (const path of paths.filter((p) => samples.has(p.sample)))
      for (const [colour, size] of [["#fff", 5], [armColour(path.arm), 3]])
        shown.append("path").attr("class", "chosen").attr("stroke", colour).attr("stroke-width", size)
          .attr("d", line(path.line));
    for (const [size, of] of [[12, () => "#fff"], [9, colourOf]])
      data.arms.forEach((arm, a) => shown.append("path").attr("class", "dots").style("stroke-width", size)
        .attr("stroke", of(a))
        .attr("d", stops.filter((s) => s[3] === a && samples.has(s[2])).map((s) => `M${s[0]},${s[1]}h.01`).join("")));
  });

  axes();
  return { m, heights, paths, whenLayer, choose };
}
