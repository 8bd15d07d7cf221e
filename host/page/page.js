"use strict";
// Draws the figures of a page from the data in it. Says how it went on the root element: data-ready, data-errors, and
// on each figure data-marks, the number of its marks.
const root = document.documentElement;
let errors = 0;
const failed = (what) => { root.dataset.errors = ++errors; root.dataset.error = String(what); };
root.dataset.errors = 0;
addEventListener("error", (event) => failed(event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason));

const data = JSON.parse(document.getElementById("data").textContent);
const colours = ["#1f5fa8", "#b3470b", "#1b7a43", "#7a3b94"];

async function numbers(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Type(await new Response(stream).arrayBuffer());
}

const label = (axis) => axis.name + (axis.unit ? ` (${axis.unit})` : "");

// An empty figure with axes: its svg, and what a point of the data is in pixels.
function frame(id, x, y, xLabel, yLabel, height = 320) {
  const figure = document.getElementById("figure-" + id);
  const width = Math.max(300, Math.min(figure.clientWidth || 800, 1060));
  const svg = d3.select(figure).append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("width", "100%")
    .attr("role", "img").attr("aria-label", figure.dataset.sentence);
  x.range([64, width - 16]);
  y.range([height - 40, 12]);
  svg.append("g").attr("transform", `translate(0,${height - 40})`).call(d3.axisBottom(x).ticks(6));
  svg.append("g").attr("transform", "translate(64,0)").call(d3.axisLeft(y).ticks(6));
  svg.append("text").attr("x", width - 16).attr("y", height - 6).attr("text-anchor", "end").text(xLabel);
  svg.append("text").attr("x", 68).attr("y", 12).text(yLabel);
  return svg;
}
const marks = (id, count) => { document.getElementById("figure-" + id).dataset.marks = count; };

// A histogram of each column, the arms over each other.
function distributions() {
  if (!data.histograms) return;
  for (const h of data.histograms) {
    const most = d3.max(h.arms, (arm) => d3.max(arm.counts));
    const x = d3.scaleLinear([h.low, h.high], [0, 1]), y = d3.scaleLinear([0, most], [0, 1]);
    const svg = frame("distribution", x, y, label(h), "samples", 220);
    h.arms.forEach((arm, a) => {
      const width = (h.high - h.low) / arm.counts.length;
      const outline = d3.line().curve(d3.curveStepAfter)(
        arm.counts.map((count, k) => [x(h.low + k * width), y(count)]).concat([[x(h.high), y(0)]]));
      svg.append("path").attr("d", outline).attr("fill", "none").attr("stroke", colours[a % 4]).attr("stroke-width", 2);
      if (arm.n === 0) return;
      svg.append("line").attr("x1", x(arm.mean)).attr("x2", x(arm.mean)).attr("y1", y(0)).attr("y2", y(most))
        .attr("stroke", colours[a % 4]).attr("stroke-dasharray", "4 3");
      svg.append("text").attr("x", x.range()[1]).attr("y", 26 + 14 * a).attr("text-anchor", "end")
        .style("fill", colours[a % 4]).text(data.arms[a].name);
    });
  }
  marks("distribution", d3.sum(data.histograms, (h) => d3.sum(h.arms, (arm) => d3.sum(arm.counts))));
}

async function curves(id, xAxis, yAxis, lines) {
  if (!document.getElementById("figure-" + id) || !lines.length) return;
  const all = [];
  for (const line of lines) {
    const flat = await numbers(line.text, Float32Array), points = [];
    for (let i = 0; i + 1 < flat.length; i += 2) points.push([flat[i], flat[i + 1]]);
    all.push({ arm: line.arm, points });
  }
  const x = d3.scaleLinear(d3.extent(all.flatMap((l) => l.points), (p) => p[0]), [0, 1]).nice();
  const y = d3.scaleLinear(d3.extent(all.flatMap((l) => l.points), (p) => p[1]), [0, 1]).nice();
  const svg = frame(id, x, y, label(xAxis), label(yAxis));
  const names = data.arms.map((arm) => arm.name);
  for (const line of all)
    svg.append("path").attr("fill", "none").attr("stroke", colours[names.indexOf(line.arm) % 4]).attr("opacity", 0.35)
      .attr("d", d3.line()(line.points.map((p) => [x(p[0]), y(p[1])])));
  marks(id, all.length);
}

async function dots(id, xAxis, yAxis, xName, yName) {
  if (!document.getElementById("figure-" + id)) return;
  const all = [];
  for (const [a, arm] of data.arms.entries()) {
    const xs = await numbers(arm.values[xName], Float32Array), ys = await numbers(arm.values[yName], Float32Array);
    xs.forEach((x, i) => { if (isFinite(x) && isFinite(ys[i])) all.push([x, ys[i], a]); });
  }
  const x = d3.scaleLinear(d3.extent(all, (p) => p[0]), [0, 1]).nice();
  const y = d3.scaleLinear(d3.extent(all, (p) => p[1]), [0, 1]).nice();
  const svg = frame(id, x, y, label(xAxis), label(yAxis));
  svg.selectAll("circle").data(all).enter().append("circle").attr("r", 2).attr("opacity", 0.5)
    .attr("cx", (p) => x(p[0])).attr("cy", (p) => y(p[1])).attr("fill", (p) => colours[p[2] % 4]);
  marks(id, all.length);
}

// The share of all samples that crosses gates with more than an energy, with the interval of each point.
function gates() {
  if (!data.gates) return;
  const curves = data.gates.filter((gate) => gate.energy.length > 1);
  if (!curves.length) return;
  const points = curves.flatMap((gate) => gate.energy);
  const x = d3.scaleLinear([0, d3.max(points, (p) => p[0])], [0, 1]).nice();
  const y = d3.scaleLinear([0, d3.max(points, (p) => p[3])], [0, 1]).nice();
  const svg = frame("gates", x, y, `kinetic energy above (${curves[0].unit})`, "share of all samples");
  curves.forEach((gate, g) => {
    const colour = colours[g % 4];
    svg.append("path").attr("fill", colour).attr("opacity", 0.15)
      .attr("d", d3.area().x((p) => x(p[0])).y0((p) => y(p[2])).y1((p) => y(p[3]))(gate.energy));
    svg.append("path").attr("fill", "none").attr("stroke", colour).attr("stroke-width", 2)
      .attr("d", d3.line().x((p) => x(p[0])).y((p) => y(p[1]))(gate.energy));
    svg.append("text").attr("x", x.range()[1]).attr("y", 26 + 14 * g).attr("text-anchor", "end").style("fill", colour)
      .text(gate.name + (data.arms.length > 1 ? ", " + gate.arm : ""));
  });
  marks("gates", curves.length);
}

// Paired differences in standard deviations of the differences, with their intervals; margins as grey bars.
function differences() {
  if (!data.differences) return;
  const rows = data.differences.filter((row) => row.sd > 0);
  if (!rows.length) return;
  const ends = rows.flatMap((row) => row.interval.concat([row.margin, -row.margin]).map((end) => end / row.sd));
  const x = d3.scaleLinear(d3.extent(ends.concat([0])), [0, 1]).nice(), y = d3.scaleLinear([rows.length, 0], [0, 1]);
  const svg = frame("differences", x, y, "difference / its standard deviation", "", 60 + 24 * rows.length);
  svg.selectAll("g:nth-of-type(2)").remove();
  svg.append("line").attr("x1", x(0)).attr("x2", x(0)).attr("y1", y.range()[0]).attr("y2", 12).attr("stroke", "#555");
  rows.forEach((row, k) => {
    const middle = y(k + 0.5);
    const margin = row.margin / row.sd;
    if (margin > 0)
      svg.append("rect").attr("x", x(-margin)).attr("width", x(margin) - x(-margin)).attr("y", middle - 8)
        .attr("height", 16).attr("fill", "#ddd");
    svg.append("line").attr("x1", x(row.interval[0] / row.sd)).attr("x2", x(row.interval[1] / row.sd))
      .attr("y1", middle).attr("y2", middle).attr("stroke", colours[0]).attr("stroke-width", 2);
    svg.append("circle").attr("cx", x(row.difference / row.sd)).attr("cy", middle).attr("r", 4)
      .attr("fill", colours[0]);
    svg.append("text").attr("x", 66).attr("y", middle - 8)
      .text(`${row.column}${data.arms.length > 2 ? ", " + row.arm : ""}: ${row.judgement}`);
  });
  marks("differences", rows.length);
}

async function draw() {
  distributions();
  gates();
  differences();
  const paths = data.paths || [];
  if (data.along)
    await curves("paths", data.along, data.up, paths.flatMap((p) => p.lines.map((text) => ({ arm: p.arm, text }))));
  if (data.figure && data.figure.of_paths)
    await curves("own", data.figure.x, data.figure.y,
                 paths.filter((p) => p.figure).map((p) => ({ arm: p.arm, text: p.figure })));
  else if (data.figure)
    await dots("own", data.figure.x, data.figure.y, data.figure.x.name, data.figure.y.name);
}
draw().then(() => { root.dataset.ready = "yes"; });
