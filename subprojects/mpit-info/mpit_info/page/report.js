// Draws the numbers of the report: a time line in each card when it comes into sight, and the tracks of events.
"use strict";

// The integers of a text of digits.py.
function unpacked(text, middle) {
  const numbers = [];
  let place = 0;
  const next = () => {
    const code = text.charCodeAt(place++);
    return code - 32 - (code > 34) - (code > 38) - (code > 60) - (code > 62) - (code > 92);
  };
  while (place < text.length) {
    const first = next();
    if (first === 0) {
      numbers.push(null);
      continue;
    }
    let value = first - 1;
    if (first >= 88) {
      const end = text.indexOf(",", place);
      value = 9 + 74 * 90 + 4 * 8100 + Number(text.slice(place, end));
      place = end + 1;
    } else if (first >= 84) {
      value = 9 + 74 * 90 + (first - 84) * 8100 + next() * 90;
      value += next();
    } else if (first >= 10) {
      value = 9 + (first - 10) * 90 + next();
    }
    numbers.push(middle + (value % 2 ? (value + 1) / 2 : -value / 2));
  }
  return numbers;
}

// A rate of a time up to this is a share of the time: two samples are not exactly as far apart as their times.
const mostShare = 1.05;

// The numbers of a launch, which is an element of the page.
function numbersOf(launch) {
  const data = JSON.parse(launch.querySelector(".numbers").textContent);
  for (const variable of data.variables)
    for (const line of variable.lines) {
      let steps = 0;
      line.values = unpacked(line.differences, line.middle).map(step => step === null ? null
        : line.power < 0 ? (steps += step) * line.factor / 10 ** -line.power : (steps += step) * line.factor * 10 ** line.power);
      // A sum over threads may grow faster than the time.
      if (variable.growing && variable.unit === "s")
        variable.isFast ||= rates(data, line.values).some(value => value > mostShare);
    }
  return {...data, several: data.ranks.length > 1, window: null};
}

const launches = new Map([...document.querySelectorAll(".launch")].map(launch => [launch, numbersOf(launch)]));
const state = {mode: "rate", detail: "band"};
const charts = new Map();

// The numbers of the launch to which an element belongs.
function dataOf(element) {
  return launches.get(element.closest(".launch"));
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// A number in some six characters, as the tool prints it elsewhere.
function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 0.001) return value.toExponential(2);
  const power = size < 999.5 ? 0 : Math.min(Math.floor(Math.log10(size * 1.0005) / 3), 6);
  return String(Number((value / 1000 ** power).toPrecision(3))) + ["", "k", "M", "G", "T", "P", "E"][power];
}

function rates(data, values) {
  return values.map((value, place) => place === 0 || value === null || values[place - 1] === null ? null
    : (value - values[place - 1]) / (data.times[place] - data.times[place - 1]));
}

// The numbers of a variable, one list for each rank.
function lines(data, variable) {
  return variable.lines.map(line => variable.growing && state.mode === "rate" ? rates(data, line.values)
    : line.values.map(value => value === null ? null : value + line.base));
}

function spread(values) {
  const known = values.filter(value => value !== null);
  if (!known.length) return null;
  return [Math.min(...known), known.reduce((sum, value) => sum + value, 0) / known.length, Math.max(...known)];
}

function rows(data, variable) {
  const all = lines(data, variable);
  if (!data.several) return data.times.map((time, place) => [time, all[0][place]]);
  if (state.detail === "ranks") return data.times.map((time, place) => [time, ...all.map(line => line[place])]);
  return data.times.map((time, place) => [time, spread(all.map(line => line[place])) || [null, null, null]]);
}

// Whether the numbers are seconds a second, which are told in percent.
function isShare(variable) {
  return variable.growing && state.mode === "rate" && variable.unit === "s" && !variable.isFast;
}

// The unit of the axis of values; a ratio has none.
function unitOf(variable) {
  const unit = variable.unit === "%" ? "ratio" : variable.unit;
  if (isShare(variable)) return "share of the time";
  if (variable.growing && state.mode === "rate") return (unit || "number") + " a second";
  return unit || (Object.keys(variable.states).length ? "state" : "value");
}

// A value as a number, or as the name of a state; between two states there is none. dygraphs takes it as HTML.
function textOf(variable) {
  if (isShare(variable)) return value => !Number.isFinite(value) ? "-" : value > mostShare ? "" : `${short(100 * Math.min(value, 1))} %`;
  if (!Object.keys(variable.states).length) return short;
  return value => (variable.states[value] || "").replace(/[&<>]/g, letter => `&#${letter.charCodeAt(0)};`);
}

function legendOf(data, variable, chart) {
  return shown => {
    if (shown.x === undefined) return "";
    const time = shown.x.toFixed(2) + " s: ";
    const suffix = variable.growing && state.mode === "rate" && !isShare(variable) ? " a second" : "";
    const text = value => textOf(variable)(value) || short(value);
    if (!data.several) return time + text(shown.series[0].y) + suffix;
    if (state.detail === "ranks") {
      const near = shown.series.find(each => each.isHighlighted) || shown.series[0];
      return time + near.label + " " + text(near.y) + suffix;
    }
    const place = data.times.indexOf(shown.x);
    const three = place < 0 ? null : chart.rows[place][1];
    return three ? `${time}${text(three[0])} to ${text(three[2])}, mean ${text(three[1])}${suffix}` : time;
  };
}

function draw(card) {
  const data = dataOf(card), several = data.several;
  const variable = data.variables[Number(card.dataset.line)];
  const old = charts.get(card);
  if (old) old.graph.destroy();
  const chart = {rows: rows(data, variable)};
  const ranks = several && state.detail === "ranks";
  const tone = variable.growing ? "--line" : "--level";
  const hues = data.ranks.map((_, place) => `hsl(${Math.round(360 * place / data.ranks.length)}, 60%, 50%)`);
  chart.graph = new Dygraph(card.querySelector(".chart"), chart.rows, {
    labels: ["seconds", ...(ranks ? data.ranks : ["mean"])],
    colors: ranks ? hues : [colour(tone)],
    customBars: several && !ranks, fillGraph: !several, fillAlpha: several ? 0.25 : 0.15,
    strokeWidth: ranks ? 1 : 1.6, includeZero: true, xRangePad: 0, dateWindow: data.window,
    highlightSeriesOpts: ranks ? {strokeWidth: 2.5, highlightCircleSize: 3} : undefined,
    highlightSeriesBackgroundAlpha: ranks && data.ranks.length > 8 ? 0.35 : 1,
    ylabel: unitOf(variable), yLabelWidth: 16,
    legend: "always", labelsDiv: card.querySelector(".legend"), legendFormatter: legendOf(data, variable, chart),
    gridLineColor: colour("--rule"), axisLineColor: colour("--rule"),
    axes: {
      x: {drawGrid: false, axisLabelFormatter: value => String(Number(value.toFixed(3))) + " s", pixelsPerLabel: 70},
      y: {axisLabelFormatter: textOf(variable), axisLabelWidth: 68, pixelsPerLabel: 28},
    },
    zoomCallback: (begin, end) => {
      const [first, last] = wholeOf(data);
      look(card.closest(".launch"), begin <= first && end >= last ? null : [begin, end]);
    },
  });
  charts.set(card, chart);
}

function wholeOf(data) {
  return [data.times[0], data.times[data.times.length - 1]];
}

// All time lines and tracks of a launch show the same part of it.
function look(launch, window) {
  const data = launches.get(launch);
  data.window = window;
  launch.querySelector(".whole").hidden = window === null;
  for (const [card, chart] of charts)
    if (launch.contains(card)) chart.graph.updateOptions({dateWindow: window || wholeOf(data), valueRange: null});
  drawTracks();
}

function drawTracks() {
  for (const element of document.querySelectorAll(".track")) drawTrack(element);
}

// The next of 1, 2 and 5 times a power of ten.
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find(times => times * power >= least * 0.999);
}

// A row for each rank, or for each bucket of a distribution; the more events or samples, the darker.
function drawTrack(element) {
  const data = dataOf(element);
  const {counts, labels = data.ranks} = data.tracks[Number(element.dataset.track)];
  const canvas = element.querySelector("canvas");
  const tall = counts.length === 1 ? 44 : Math.max(Math.min(Math.floor(320 / counts.length), 14), 3);
  const left = 62, top = 5, bottom = 18, width = element.clientWidth - 28;
  const high = tall * counts.length, height = top + high + bottom;
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = height + "px";
  canvas.style.width = width + "px";
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const [begin, end] = data.window || [0, data.end];
  const bin = data.end / counts[0].length;
  const at = time => left + (time - begin) / (end - begin) * (width - left);
  const most = Math.max(1e-9, ...counts.map(row => Math.max(...row)));
  counts.forEach((row, rank) => row.forEach((count, place) => {
    const from = Math.max(at(place * bin), left), to = at((place + 1) * bin);
    if (count <= 0 || to <= left || from >= width) return;
    if (counts.length === 1) {
      const part = Math.max(count / most * tall, 1);
      pen.fillStyle = `rgb(${colour("--event")})`;
      pen.fillRect(from, top + tall - part, Math.max(to - from, 1), part);
    } else {
      pen.fillStyle = `rgba(${colour("--event")}, ${0.15 + 0.85 * count / most})`;
      pen.fillRect(from, top + rank * tall, Math.max(to - from + 0.3, 1), tall - (tall > 5 ? 1 : 0));
    }
  }));
  pen.fillStyle = colour("--faint");
  pen.font = "11px sans-serif";
  pen.textBaseline = "middle";
  const every = Math.ceil(13 / tall);
  if (counts.length > 1)
    for (let rank = 0; rank < counts.length; rank += every)
      pen.fillText(labels[rank], 0, top + (rank + 0.5) * tall);
  else pen.fillText(short(most / bin) + " /s", 0, top + 6);
  const step = roundStep((end - begin) / 8);
  for (let mark = Math.ceil(begin / step - 1e-6); mark * step <= end; ++mark) {
    pen.textAlign = at(mark * step) > width - 20 ? "right" : "center";
    pen.fillText(String(Number((mark * step).toFixed(6))) + " s", at(mark * step), height - 7);
  }
  pen.textAlign = "left";
  canvas.onmousemove = moved => {
    const time = begin + (moved.offsetX - left) / (width - left) * (end - begin);
    const rank = Math.floor((moved.offsetY - top) / tall), place = Math.floor(time / bin);
    const known = moved.offsetX >= left && rank >= 0 && rank < counts.length && place < counts[0].length;
    element.querySelector(".legend").textContent =
      known ? `${time.toFixed(2)} s: ${labels[rank]}, ${short(counts[rank][place] / bin)} a second` : "";
  };
}

function press(name, value) {
  state[name] = value;
  for (const button of document.querySelectorAll(`button[data-${name}]`))
    button.setAttribute("aria-pressed", String(button.dataset[name] === value));
  for (const card of charts.keys()) draw(card);
}

function filter(input, elements, textOf, told) {
  if (!input) return;
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const element of elements) {
      element.hidden = !wanted.every(word => textOf(element).includes(word));
      left += element.hidden ? 0 : 1;
    }
    if (told) told.textContent = `${left} of ${elements.length} variables`;
  });
}

for (const button of document.querySelectorAll(".switch button"))
  button.addEventListener("click", () => button.dataset.mode ? press("mode", button.dataset.mode)
    : press("detail", button.dataset.detail));
for (const button of document.querySelectorAll(".whole"))
  button.addEventListener("click", () => look(button.closest(".launch"), null));

const cards = [...document.querySelectorAll(".card")];
const ahead = 400;
const seen = new IntersectionObserver(entries => {
  for (const entry of entries)
    if (entry.isIntersecting && !charts.has(entry.target)) draw(entry.target);
}, {rootMargin: ahead + "px"});
for (const card of cards) {
  if (card.getBoundingClientRect().top < window.innerHeight + ahead) draw(card);
  else seen.observe(card);
}
window.addEventListener("beforeprint", () => cards.forEach(card => charts.has(card) || draw(card)));
window.addEventListener("resize", drawTracks);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const card of charts.keys()) draw(card);
  drawTracks();
});

// A third click on a title restores the order of the program.
function sortable(table) {
  const titles = [...table.querySelectorAll("th")], body = table.tBodies[0], inOrder = [...body.rows];
  const keyOf = (row, column) => {
    const key = row.cells[column].dataset.key ?? row.cells[column].textContent;
    return key === "" || isNaN(key) ? key : Number(key);
  };
  titles.forEach((title, column) => title.addEventListener("click", () => {
    const order = {descending: "ascending", ascending: "none"}[title.getAttribute("aria-sort")] ?? "descending";
    for (const each of titles) each.setAttribute("aria-sort", each === title ? order : "none");
    const sign = order === "descending" ? -1 : 1;
    const rows = order === "none" ? inOrder : [...inOrder].sort((one, other) => {
      const a = keyOf(one, column), b = keyOf(other, column);
      return sign * (a < b ? -1 : a > b ? 1 : 0);
    });
    body.append(...rows);
  }));
}

for (const table of document.querySelectorAll(".regions table")) sortable(table);
for (const launch of launches.keys()) {
  filter(launch.querySelector(".line-filter"), [...launch.querySelectorAll(".card")], card => card.dataset.search, null);
  filter(launch.querySelector(".row-filter"), [...launch.querySelectorAll(".rows tr")], row => row.textContent.toLowerCase(),
    launch.querySelector(".row-count"));
}
drawTracks();
