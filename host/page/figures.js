// Figures of numbers: histograms, curves, dots, bands, intervals.

// An empty figure with axes, its svg: what a point of the data is in pixels goes to x and y. Above what is drawn stand
// the name of the vertical axis and those of the lines, [{text, colour, dash}], in as many rows as they need. Energies
// are read in kJ.
function frame(id, x, y, xLabel, yLabel, names = [], tall = 320) {
  const figure = figureOf(id);
  const width = Math.max(300, Math.min(figure.clientWidth || 800, 1060));
  const ticks = (text) => (text.endsWith("(J)") ? (value) => short(value / 1000) : short);
  const named = (text) => text.replace(/\(J\)$/, "(kJ)");
  const svg = d3.select(figure).append("svg").attr("viewBox", `0 0 ${width} ${tall}`).attr("width", "100%")
    .attr("role", "img").attr("aria-label",
      [named(yLabel), "by", named(xLabel)].filter((word) => word).join(" ") + ". " + figure.dataset.sentence);
  const row = 16, gap = 16, sample = 24;
  let [right, bottom] = [4, 12];
  const place = (written, indent) => {
    const long = indent + written.node().getComputedTextLength();
    if (right > 4 && right + long > width) [right, bottom] = [4, bottom + row];
    written.attr("x", right + indent).attr("y", bottom);
    right += long + gap;
  };
  if (yLabel) place(svg.append("text").text(named(yLabel)), 0);
  for (const name of names) {
    const written = svg.append("text").attr("class", "name").style("fill", name.colour).text(name.text);
    place(written, sample);
    const [from, middle] = [+written.attr("x") - sample, bottom - 4];
    svg.append("line").attr("x1", from).attr("x2", from + sample - 5).attr("y1", middle).attr("y2", middle)
      .attr("stroke", name.colour).attr("stroke-width", 2).attr("stroke-dasharray", name.dash || "none");
  }
  const top = yLabel || names.length ? bottom + 12 : 12, height = tall + top - 12;
  svg.attr("viewBox", `0 0 ${width} ${height}`);
  x.range([64, width - 24]);
  y.range([height - 40, top]);
  svg.append("g").attr("class", "x").attr("transform", `translate(0,${height - 40})`)
    .call(d3.axisBottom(x).ticks(width < 500 ? 4 : 8).tickFormat(ticks(xLabel)));
  svg.append("g").attr("class", "y").attr("transform", "translate(64,0)")
    .call(d3.axisLeft(y).ticks(6).tickFormat(ticks(yLabel)));
  svg.append("text").attr("x", width - 24).attr("y", height - 6).attr("text-anchor", "end").text(named(xLabel));
  return svg;
}
// Those of the arms, where there are several.
const armsNamed = () =>
  (data.arms.length > 1 ? data.arms.map((arm, a) => ({ text: arm.name, colour: colourOf(a) })) : []);

function nothing(id) {
  add(figureOf(id), "p", {}, "There is nothing to draw.");
  marks(id, 0);
}

// A histogram of each column, the arms over each other.
function distributions() {
  if (!data.histograms) return;
  for (const h of data.histograms) {
    const most = d3.max(h.arms, (arm) => d3.max(arm.counts)), bins = h.arms[0].counts.length;
    const x = d3.scaleLinear([h.low, h.high], [0, 1]), y = d3.scaleLinear([0, most], [0, 1]);
    const svg = frame("distribution", x, y, label(h), "samples", armsNamed(), 220);
    const width = (h.high - h.low) / bins;
    h.arms.forEach((arm, a) => {
      const outline = d3.line().curve(d3.curveStepAfter)(
        arm.counts.map((count, k) => [x(h.low + k * width), y(count)]).concat([[x(h.high), y(0)]]));
      svg.append("path").attr("d", outline).attr("fill", "none").attr("stroke", colourOf(a)).attr("stroke-width", 2);
      if (arm.n === 0) return;
      svg.append("line").attr("x1", x(arm.mean)).attr("x2", x(arm.mean)).attr("y1", y(0)).attr("y2", y(most))
        .attr("stroke", colourOf(a)).attr("stroke-dasharray", "4 3");
    });
    const shown = svg.append("g");
    // The samples of a bar.
    svg.append("rect").attr("x", x(h.low)).attr("width", x(h.high) - x(h.low)).attr("y", y(most))
      .attr("height", y(0) - y(most)).attr("fill", "transparent").attr("class", "button").on("click", function () {
        const bin = (value) => Math.min(bins - 1, Math.max(0, Math.floor((value - h.low) / width)));
        const k = bin(x.invert(d3.mouse(this)[0])), samples = [];
        valuesOf.forEach((arm) => arm.columns[h.name].forEach((value, i) => {
          if (!Number.isNaN(value) && bin(value) === k) samples.push(sampleAt(i));
        }));
        const counts = h.arms.map((arm, a) => (h.arms.length > 1 ? data.arms[a].name + " " : "") + arm.counts[k]);
        select(samples, `${h.name} from ${withUnit(h.low + k * width, h.unit)} to ` +
          `${withUnit(h.low + (k + 1) * width, h.unit)}; of all, the bar has ${counts.join(", ")}`);
      });
    whenSelected((samples) => {
      const lines = [];
      for (const sample of [...samples].slice(0, 400))
        valuesOf.forEach((arm, a) => {
          const value = arm.columns[h.name][placeOfSample(sample)];
          if (isFinite(value)) lines.push([value, a]);
        });
      const all = shown.selectAll("line").data(lines);
      all.exit().remove();
      all.enter().append("line").attr("stroke-width", 2).merge(all)
        .attr("x1", (l) => x(l[0])).attr("x2", (l) => x(l[0]))
        .attr("y1", y(0)).attr("y2", y(0) - (samples.size > 1 ? 30 : 150)).attr("stroke", (l) => colourOf(l[1]));
    });
  }
  marks("distribution", d3.sum(data.histograms, (h) => d3.sum(h.arms, (arm) => d3.sum(arm.counts))));
}

// The sample of the line [{sample, points}] nearest to a point, no farther than `most`.
function nearestLine(lines, [px, py], most) {
  let best = most, found = null;
  for (const line of lines)
    for (let k = 0; k < line.points.length; ++k) {
      const [ax, ay] = line.points[Math.max(0, k - 1)], [bx, by] = line.points[k];
      const dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
      const t = square > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square)) : 0;
      const distance = Math.hypot(px - ax - t * dx, py - ay - t * dy);
      if (distance < best) [best, found] = [distance, line.sample];
    }
  return found;
}
// No farther than a finger is wide.
const reach = 12;

// Lines [{arm, sample, points}].
function curves(id, xAxis, yAxis, lines) {
  if (!has(id)) return;
  if (!lines.some((line) => line.points.length)) return nothing(id);
  const x = d3.scaleLinear(d3.extent(lines.flatMap((l) => l.points), (p) => p[0]), [0, 1]).nice();
  const y = d3.scaleLinear(d3.extent(lines.flatMap((l) => l.points), (p) => p[1]), [0, 1]).nice();
  const svg = frame(id, x, y, label(xAxis), label(yAxis), armsNamed());
  const outline = d3.line().x((p) => x(p[0])).y((p) => y(p[1]));
  for (const line of lines)
    svg.append("path").attr("fill", "none").attr("stroke", armColour(line.arm)).attr("opacity", 0.35)
      .attr("d", outline(line.points));
  const shown = svg.append("g");
  const drawn = lines.map((l) => ({ sample: l.sample, points: l.points.map((p) => [x(p[0]), y(p[1])]) }));
  svg.attr("class", "button").on("click", function () {
    const found = nearestLine(drawn, d3.mouse(this), reach);
    if (found !== null) select([found]);
  });
  whenSelected((samples) => {
    shown.selectAll("*").remove();
    for (const line of lines.filter((l) => samples.has(l.sample)))
      for (const [colour, width] of [[chosen, 4], [armColour(line.arm), 2]])
        shown.append("path").attr("fill", "none").attr("stroke", colour).attr("stroke-width", width)
          .attr("d", outline(line.points));
  });
  marks(id, lines.length);
}

// Many dots as one path of each arm: [x, y, arm, sample].
function dots(id, xAxis, yAxis) {
  if (!has(id)) return;
  const all = [];
  valuesOf.forEach((arm, a) => {
    const ys = arm.columns[yAxis.name];
    arm.columns[xAxis.name].forEach((x, i) => {
      if (isFinite(x) && isFinite(ys[i])) all.push([x, ys[i], a, sampleAt(i)]);
    });
  });
  if (!all.length) return nothing(id);
  const x = d3.scaleLinear(d3.extent(all, (p) => p[0]), [0, 1]).nice();
  const y = d3.scaleLinear(d3.extent(all, (p) => p[1]), [0, 1]).nice();
  const svg = frame(id, x, y, label(xAxis), label(yAxis), armsNamed());
  data.arms.forEach((arm, a) => {
    svg.append("path").attr("class", "dots").attr("stroke", colourOf(a))
      .attr("d", all.filter((p) => p[2] === a).map((p) => `M${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}h.01`).join(""));
  });
  const shown = svg.append("g");
  const tree = d3.quadtree(all, (p) => x(p[0]), (p) => y(p[1]));
  svg.attr("class", "button").on("click", function () {
    const found = tree.find(...d3.mouse(this), reach);
    if (found) select([found[3]]);
  });
  whenSelected((samples) => {
    const dots = shown.selectAll("circle").data(all.filter((p) => samples.has(p[3])));
    dots.exit().remove();
    dots.enter().append("circle").attr("r", 6).attr("stroke", chosen).attr("stroke-width", 2).merge(dots)
      .attr("cx", (p) => x(p[0])).attr("cy", (p) => y(p[1])).attr("fill", (p) => colourOf(p[2]));
  });
  marks(id, all.length);
}

// Bands of quantiles along the way: 5 to 95 %, 25 to 75 %, and the median.
function bands() {
  if (!data.bands) return;
  for (const name of [...new Set(data.bands.map((band) => band.of.name))]) {
    const some = data.bands.filter((band) => band.of.name === name);
    const ends = some.flatMap((band) => band.stretches.flatMap((s) => [s[1], s[5]])).filter((v) => v !== null);
    if (!ends.length) continue;
    const x = d3.scaleLinear([0, d3.max(some, (band) => band.length * band.stretches.length)], [0, 1]);
    const y = d3.scaleLinear(d3.extent(ends.concat([0])), [0, 1]).nice();
    const svg = frame("bands", x, y, "horizontal length of the way (m)", label(some[0].of), armsNamed(), 240);
    some.forEach((band) => {
      const colour = armColour(band.arm), middle = (s, k) => x((k + 0.5) * band.length);
      for (const [low, high, opacity] of [[1, 5, 0.15], [2, 4, 0.25]])
        svg.append("path").attr("fill", colour).attr("opacity", opacity)
          .attr("d", d3.area().x(middle).y0((s) => y(s[low])).y1((s) => y(s[high])).defined((s) => s[0] > 0)(
            band.stretches));
      svg.append("path").attr("fill", "none").attr("stroke", colour).attr("stroke-width", 2)
        .attr("d", d3.line().x(middle).y((s) => y(s[3])).defined((s) => s[0] > 0)(band.stretches));
    });
  }
  marks("bands", d3.sum(data.bands, (band) => band.stretches.length));
}

// The share of all samples that crosses gates, or arrives at barriers, with more than this, with the interval of each
// point.
function exceedances(id, of, xLabel) {
  if (!has(id)) return;
  const curves = data.gates.filter((gate) => gate[of].length > 1);
  if (!curves.length) return nothing(id);
  const points = curves.flatMap((gate) => gate[of]);
  const x = d3.scaleLinear([0, d3.max(points, (p) => p[0])], [0, 1]).nice();
  const y = d3.scaleLinear([0, d3.max(points, (p) => Math.max(p[1], p[3]))], [0, 1]).nice();
  const gates = [...new Set(curves.map((gate) => gate.name))];
  const names = curves.map((gate, g) => ({
    text: gate.label,
    colour: data.arms.length > 1 ? armColour(gate.arm) : colourOf(g),
    dash: ["none", "6 3", "2 3", "8 3 2 3"][gates.indexOf(gate.name) % 4]
  }));
  const svg = frame(id, x, y, xLabel(curves[0]), "share of all samples", names);
  curves.forEach((gate, g) => {
    const { colour, dash } = names[g];
    svg.append("path").attr("fill", colour).attr("opacity", 0.15)
      .attr("d", d3.area().x((p) => x(p[0])).y0((p) => y(p[2])).y1((p) => y(p[3])).defined((p) => p[2] !== null)(
        gate[of]));
    svg.append("path").attr("fill", "none").attr("stroke", colour).attr("stroke-width", 2)
      .attr("stroke-dasharray", dash).attr("d", d3.line().x((p) => x(p[0])).y((p) => y(p[1]))(gate[of]));
  });
  marks(id, curves.length);
}

// Where along their lines gates are crossed and barriers reached.
function offsets() {
  if (!has("offsets")) return;
  const rows = data.gates.filter((gate) => gate.offset);
  const x = d3.scaleLinear([0, d3.max(rows, (gate) => gate.length)], [0, 1]);
  const y = d3.scaleLinear([rows.length, 0], [0, 1]);
  const svg = frame("offsets", x, y, "offset along the line (m)", "", [], 60 + 34 * rows.length);
  svg.select("g.y").remove();
  rows.forEach((gate, k) => {
    const middle = y(k + 0.65), colour = armColour(gate.arm), o = gate.offset;
    const line = (from, to, width, of) => svg.append("line").attr("x1", x(from)).attr("x2", x(to)).attr("y1", middle)
      .attr("y2", middle).attr("stroke", of).attr("stroke-width", width);
    line(0, gate.length, 1, "#767676");
    line(o[0], o[4], 3, colour);
    line(o[1], o[3], 9, colour);
    svg.append("circle").attr("cx", x(o[2])).attr("cy", middle).attr("r", 4).attr("fill", "#fff")
      .attr("stroke", chosen);
    svg.append("text").attr("x", 66).attr("y", middle - 9)
      .text(gate.label);
  });
  marks("offsets", rows.length);
}

// Paired differences in standard deviations of the differences, with their intervals; margins as grey bars.
function differences() {
  if (!data.differences) return;
  const rows = data.differences.filter((row) => row.sd > 0);
  if (!rows.length) return;
  const ends = rows.flatMap((row) => row.interval.concat([row.margin, -row.margin]).map((end) => end / row.sd));
  const x = d3.scaleLinear(d3.extent(ends.concat([0])), [0, 1]).nice(), y = d3.scaleLinear([rows.length, 0], [0, 1]);
  const svg = frame("differences", x, y, "difference / its standard deviation", "", [], 60 + 34 * rows.length);
  svg.select("g.y").remove();
  svg.append("line").attr("x1", x(0)).attr("x2", x(0)).attr("y1", y.range()[0]).attr("y2", 12).attr("stroke", "#555");
  rows.forEach((row, k) => {
    const middle = y(k + 0.65), margin = row.margin / row.sd, colour = armColour(row.arm);
    if (margin > 0)
      svg.append("rect").attr("x", x(-margin)).attr("width", x(margin) - x(-margin)).attr("y", middle - 6)
        .attr("height", 12).attr("fill", "#ddd");
    svg.append("line").attr("x1", x(row.interval[0] / row.sd)).attr("x2", x(row.interval[1] / row.sd))
      .attr("y1", middle).attr("y2", middle).attr("stroke", colour).attr("stroke-width", 2);
    svg.append("circle").attr("cx", x(row.difference / row.sd)).attr("cy", middle).attr("r", 4).attr("fill", colour);
    svg.append("text").attr("x", 66).attr("y", middle - 9)
      .text(`${row.column}${data.arms.length > 2 ? ", " + row.arm : ""}: ${row.judgement}`);
  });
  marks("differences", rows.length);
}
