"use strict";
// What all figures of a page share: the data in it, its address, and which samples are selected. How it went is said on
// the root element: data-ready, data-errors; on each figure data-marks, the number of its marks.
const root = document.documentElement;
let errors = 0;
const failed = (what) => { root.dataset.errors = ++errors; root.dataset.error = String(what); };
root.dataset.errors = 0;
addEventListener("error", (event) => failed(event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason));
const complain = console.error;
console.error = (...what) => { failed(what.join(" ")); complain(...what); };

const data = JSON.parse(document.getElementById("data").textContent);
const colours = ["#1f5fa8", "#b3470b", "#1b7a43", "#7a3b94", "#7d6608", "#0e7490", "#a21c5b", "#4d4d4d"];
const colourOf = (k) => colours[k % colours.length];
const chosen = "#000";
const armNames = data.arms.map((arm) => arm.name);
const armColour = (name) => colourOf(Math.max(0, armNames.indexOf(name)));

async function numbers(text, Type = Float32Array) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Type(await new Response(stream).arrayBuffer());
}
// Of Codes (packed.hpp); NaN: none.
async function decoded(of) {
  const codes = await numbers(of.codes, of.bits === 8 ? Uint8Array : Uint16Array);
  const logarithmic = (c) => (c === 1 ? 0 : of.low * Math.exp((c - 2) * of.step));
  return Float32Array.from(codes, (c) => (c === 0 ? NaN : of.log ? logarithmic(c) : of.low + (c - 1) * of.step));
}

const label = (axis) => axis.name + (axis.unit ? ` (${axis.unit})` : "");
// Four significant digits, as the tables have.
function short(x) {
  if (x === null || Number.isNaN(x)) return "-";
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? String(Number(x.toPrecision(4)).toExponential())
    : String(Number(x.toPrecision(4)));
}
// With fewer digits where the number has fewer.
const rounded = (x, digits) => short(Number.isNaN(x) ? x : Number(x.toPrecision(digits)));
// Energies are read in kJ.
const withUnit = (x, unit, digits = 4) =>
  unit === "J" ? rounded(x / 1000, digits) + " kJ" : rounded(x, digits) + (unit ? " " + unit : "");
const figureOf = (id) => document.getElementById("figure-" + id);
const marks = (id, count) => { figureOf(id).dataset.marks = count; };
const has = (id) => figureOf(id) !== null;

// The samples of the page: those of place i, and the place of one.
const sampleAt = (i) => (data.samples ? data.samples[i] : i);
const placeOf = data.samples ? new Map(data.samples.map((sample, i) => [sample, i])) : null;
const placeOfSample = (sample) => (placeOf ? placeOf.get(sample) : sample < data.count ? sample : undefined);
const valuesOf = [];  // of each arm, by column, and its statuses
async function readSamples() {
  for (const arm of data.arms) {
    const columns = {};
    for (const name of Object.keys(arm.values || {})) columns[name] = await numbers(arm.values[name]);
    valuesOf.push({ columns, status: await numbers(arm.status), stops: arm.stops ? await numbers(arm.stops) : [] });
  }
}

// Which samples are selected: every figure that shows some is told.
let selected = [];
const watchers = [];
const whenSelected = (f) => watchers.push(f);
function select(samples, what = "") {
  selected = [...new Set(samples)];
  for (const watcher of watchers) watcher(new Set(selected));
  describeSelection(what);
  root.dataset.selected = selected.join(" ");
  setAddress("sample", selected.length && selected.length <= 20 ? selected.join(",") : null);
}

// The address after # says what is selected and which layer of which arm is shown:
// #sample=17&layer=kinetic_energy_p95&arm=implicit
let address = new URLSearchParams(location.hash.slice(1));
function setAddress(key, value) {
  if (value === null) address.delete(key);
  else address.set(key, value);
  try {
    history.replaceState(null, "", "#" + address.toString().replaceAll("%2C", ","));
  } catch { /* a page inside of another has no address of its own */ }
}

function add(parent, tag, attributes = {}, text = "") {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

// The bar below: the sample's number, what became of it under each arm, and the command that replays it.
const bar = add(document.body, "div", { id: "selection", role: "region", "aria-label": "Selected samples" });
const form = add(bar, "form");
const field = add(add(form, "label", {}, "Sample "), "input", { type: "number", min: data.first, step: 1 });
add(form, "button", {}, "Show");
const clear = add(form, "button", { type: "button" }, "Clear");
const said = add(bar, "div", { "aria-live": "polite" }, "Click a path, a dot or a bar, or give a sample's number.");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (field.value !== "") select([Number(field.value)]);
});
clear.addEventListener("click", () => { field.value = ""; select([]); });

function describeSelection(what) {
  said.textContent = "";
  if (!selected.length) return;
  const last = data.first + data.of - 1;
  if (selected.length === 1 && !(selected[0] >= data.first && selected[0] <= last)) {
    add(said, "div", {}, `There is no sample ${selected[0]}: they are numbered from ${data.first} to ${last}.`);
    return;
  }
  if (selected.length === 1) field.value = selected[0];
  else add(said, "div", {}, `${selected.length} samples${what ? ", " + what : ""}`);
  data.arms.forEach((arm, a) => {
    const line = add(said, "div");
    const place = placeOfSample(selected[0]);
    if (selected.length === 1 && place !== undefined) {
      const status = data.statuses[valuesOf[a].status[place]];
      const values = (data.histograms || []).slice(0, 4).filter((h) => h.name in valuesOf[a].columns)
        .map((h) => `${h.name} ${withUnit(valuesOf[a].columns[h.name][place], h.unit)}`);
      add(line, "span", {}, `${data.arms.length > 1 ? arm.name + ": " : ""}${[status, ...values].join(", ")} `);
    } else if (selected.length === 1) {
      add(line, "span", {}, `${data.arms.length > 1 ? arm.name + ": " : ""}not among the page's samples; to see it `);
    } else if (data.arms.length > 1) {
      add(line, "span", {}, arm.name + ": ");
    }
    const command = arm.replay + selected.slice(0, 20).join(",");
    const code = add(line, "code", {}, command);
    const copy = add(line, "button", { type: "button" }, "Copy");
    copy.addEventListener("click", () => {
      // Where the browser does not let a page copy, the command is marked to be copied by hand.
      const mark = () => getSelection().selectAllChildren(code);
      if (!navigator.clipboard) mark();
      else navigator.clipboard.writeText(command).then(() => { copy.textContent = "Copied"; }, mark);
    });
  });
  if (selected.length > 20) add(said, "div", {}, "The commands have the first 20.");
}

// What is printed has no closed tables, but for the long ones.
addEventListener("beforeprint", () => document.querySelectorAll("figure + .caption + details").forEach((d) => {
  if (d.querySelectorAll("tr").length < 40) d.open = true;
}));
