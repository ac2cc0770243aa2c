// Runs as lanes over time: zoom and move by wheel, pointer, touch and keys; the lines below follow; a second run beside.
// In a report, a bar that stays in view has a mark for each run; dots, cells and doubts open their runs in it.
(async () => {
  const root = document.getElementById("lanes");
  if (!root) return;
  const part = (name) => document.getElementById(`lanes-${name}`);
  const [chart, rows, find, grade, view, list, marking] = ["chart", "rows", "find", "grade", "view", "list", "marking"].map(part);
  const isDocked = root.classList.contains("docked");
  const GRADES = { "-": "", w: "warning", g: "grave", m: "measured" }, GRAVITY = { "": 0, measured: 0, step: 0, warning: 1, grave: 2 };
  const PLACE = /, ([^,]+:\d+)$/; // the end of what a mark says: file and line
  const MOST_ROWS = 1500, MOST_MARKS = 4000, MOST_DIFFERENCES = 300;
  root.hidden = false;

  const make = (name, facts = {}, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };
  const drawn = (name, facts, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const signed = (value, decimals = 3) => {
    const digits = Math.abs(value).toFixed(decimals);
    return `${Number(digits) === 0 ? "\u00b1" : value < 0 ? "\u2212" : "+"}${digits}`;
  };

  // --- unpacking -------------------------------------------------------------------------------------------------
  if (!("DecompressionStream" in window)) {
    part("refusal").hidden = false;
    return;
  }
  const bytes = Uint8Array.from(atob(part("data").textContent), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { runs, texts } = JSON.parse(await new Response(inflated).text());
  runs.forEach((run, place) => Object.assign(run, { place, key: `${run.configuration}/${run.run}`, title: `${run.label}, ${run.run}` }));
  const linesOf = (run) => {
    if (run.lines) return run.lines;
    let at = 0, number = 0;
    run.lines = run.at.map((step, place) => {
      at += step;
      number += run.line[place];
      const [node, source] = run.lanes[run.lane[place]], file = texts[run.file[place]];
      const severity = texts[run.severity[place]], text = texts[run.text[place]], where = file ? `${file}:${number}` : "";
      const said = `${node} ${source} ${severity} ${text} ${where}`;
      return {
        run, place, node, source, severity, text, where, said, words: said.toLowerCase(), microseconds: at, at: at / 1e6,
        lane: run.lane[place], grade: GRADES[run.grade[place]], isStep: Boolean(where) && run.steps.some((step) => step[4] === where),
      };
    });
    return run.lines;
  };
  let places = null;
  const lineAt = (where) => { // a log line by its file and number
    if (!places) {
      places = new Map();
      for (const run of runs) for (const line of linesOf(run)) if (!places.has(line.where)) places.set(line.where, line);
    }
    return where ? places.get(where) : undefined;
  };
  const byKey = (key) => runs.find((run) => run.key === key);

  // --- what is shown: one run or two, a span of time, a line, the runs behind a number -----------------------------
  const state = { runs: [], from: 0, to: 1, chosen: null, since: null, hidden: new Set(), list: "" };
  let least = 0, most = 1, shown = [], wanted = new Set(), hits = new Set(); // of the lines shown, those that were asked for
  let origin = null; // what the runs were opened from: there the way back leads
  let isLeaving = false; // by a link to another place of the page
  const isOpen = () => !part("open").hidden;
  const isMarking = () => marking.getAttribute("aria-pressed") === "true";
  const laneName = ([node, source]) => `${node}, ${source}`;
  const filter = () => {
    const asked = lineFilter(find.value), all = state.runs.flatMap(linesOf);
    if (state.runs.length > 1) all.sort((one, other) => one.at - other.at);
    const visible = all.filter((line) => !state.hidden.has(laneName(line.run.lanes[line.lane])));
    const found = visible.filter((line) => GRAVITY[line.grade] >= GRAVITY[grade.value] && (grade.value !== "step" || line.isStep) && asked.matches(line));
    shown = isMarking() ? visible : found;
    wanted = new Set(shown);
    hits = new Set(asked.isEmpty && !grade.value ? [] : found);
    part("count").textContent = asked.fault || `${found.length} of ${all.length} lines`;
    listLines(Math.max(0, state.chosen ? shown.indexOf(state.chosen) : shown.findIndex((line) => line.at >= state.from)));
    draw();
  };

  // --- the lines below ---------------------------------------------------------------------------------------------
  const name = (run) => (state.runs.indexOf(run) > 0 ? "B" : "A");
  const rowOf = new Map();
  const listLines = (middle) => {
    const first = Math.max(0, Math.min(middle - MOST_ROWS / 2, shown.length - MOST_ROWS));
    const isOfTwo = state.runs.length > 1;
    root.classList.toggle("of-two-runs", isOfTwo);
    rowOf.clear();
    const made = shown.slice(first, first + MOST_ROWS).map((line) => {
      const row = make("tr", { class: `${line.grade}${isMarking() && hits.has(line) ? " hit" : ""}` });
      const cells = [name(line.run), signed(line.at), line.node, line.source, line.severity, line.text, line.where.length > 80 ? `\u2026${line.where.slice(-79)}` : line.where];
      cells.forEach((text, place) => { row.insertCell().textContent = text; row.cells[place].className = ["of-two", "seconds", "name", "name", "severity", "text", "where"][place]; });
      [row.cells[2].title, row.cells[6].title] = [line.node, line.where]; // they may be cut
      row.addEventListener("click", () => choose(line));
      rowOf.set(line, row);
      return row;
    });
    const rest = shown.length - made.length;
    if (rest > 0) made.push(make("tr", {}, make("td", { colspan: 7 }, `${rest} more lines: find words, or choose a mark there, to see them`)));
    rows.replaceChildren(...made);
    if (shown.length) bring(rowOf.get(shown[middle]), true);
    if (state.chosen) rowOf.get(state.chosen)?.setAttribute("aria-current", "true");
  };
  const bring = (row, isTop = false) => {
    const box = part("lines");
    if (!row) return;
    const top = row.offsetTop - rows.previousElementSibling.offsetHeight, bottom = row.offsetTop + row.offsetHeight;
    if (isTop || top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  };

  // --- the chart ---------------------------------------------------------------------------------------------------
  const TOP = 24, RIGHT = 12, CURVE = 42;
  const width = () => Math.max(chart.clientWidth, 280);
  const isNarrow = () => width() < 640;
  const names = () => (isNarrow() ? 6 : Math.min(230, Math.max(185, width() * 0.18)));
  const x = (at) => names() + (at - state.from) / (state.to - state.from) * (width() - names() - RIGHT);
  const at = (left) => state.from + (left - names()) / (width() - names() - RIGHT) * (state.to - state.from);
  const ticks = () => {
    const rough = (state.to - state.from) / Math.max(2, (width() - names()) / 80), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
    const found = [], decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let n = Math.ceil(state.from / step - 1e-9); n * step <= state.to; n += 1) found.push([n * step, decimals]);
    return found;
  };
  const layout = () => { // the rows of the chart from top to bottom: of each run its name, its phases, its lanes
    const height = isNarrow() ? 31 : state.runs.length > 1 ? 17 : 19, found = [];
    let y = TOP;
    const occupied = new Set(shown.map((line) => `${line.run.place} ${line.lane}`)); // other lanes take no room, unless no line is shown at all
    const add = (run, kind, content, tall) => { found.push({ run, kind, content, y, height: tall }); y += tall; };
    for (const run of state.runs) {
      if (state.runs.length > 1) add(run, "run", `${name(run)}: ${run.title}`, 22);
      for (const phase of run.phases) add(run, "phase", phase, height);
      run.lanes.forEach((lane, place) => { if (!shown.length || occupied.has(`${run.place} ${place}`)) add(run, "lane", { lane, place }, height); });
      for (const curve of run.curves) if (!state.hidden.has(curve[0])) add(run, "curve", curve, CURVE + (isNarrow() ? 15 : 0));
      y += 8;
    }
    return found;
  };
  const shortened = (text, room) => (text.length > room ? `${text.slice(0, room - 1)}\u2026` : text);
  const draw = () => {
    if (!state.runs.length || !isOpen()) return;
    const layers = layout(), narrow = isNarrow(), left = names(), right = width() - RIGHT, room = Math.floor(narrow ? width() / 7 : left / 6.3);
    const height = Math.max(...layers.map((each) => each.y + each.height)) + 8;
    const svg = drawn("svg", { viewBox: `0 0 ${width()} ${height}`, height, "aria-hidden": "true" });
    const inside = drawn("svg", { x: left, y: 0, width: right - left, height, viewBox: `${left} 0 ${right - left} ${height}` });
    for (const [value, decimals] of ticks()) {
      const isZero = Math.abs(value) < 1e-9, place = x(value);
      svg.append(drawn("line", { class: isZero ? "grid zero" : "grid", x1: place, x2: place, y1: TOP - 6, y2: height }));
      if (place > left - 1 && place < right - 8) svg.append(drawn("text", { class: "quiet", x: place, y: 13, "text-anchor": place < left + 12 ? "start" : "middle" }, `${(isZero ? 0 : value).toFixed(decimals)} s`.replace("-", "\u2212")));
    }
    const labels = drawn("g", {});
    for (const run of state.runs) {
      const own = layers.filter((each) => each.run === run), top = own[0].y, bottom = own[own.length - 1].y + own[own.length - 1].height;
      if (run.fault) {
        const [low, high] = run.fault.map((each) => x(each / 1e6));
        const mark = drawn("rect", { class: "fault", x: low, y: top, width: Math.max(2, high - low), height: bottom - top });
        mark.append(drawn("title", {}, `the fault: ${signed(run.fault[0] / 1e6)} to ${signed(run.fault[1] / 1e6)} s`));
        inside.append(mark);
      }
      for (const [step, after, low, high] of run.steps) {
        const mark = drawn("line", { class: "step", x1: x(after / 1e6), x2: x(after / 1e6), y1: top, y2: bottom });
        mark.append(drawn("title", {}, `${step}: ${signed(after / 1e6)} s (${signed(low / 1e6)} to ${signed(high / 1e6)})`));
        inside.append(mark);
      }
    }
    let node = "";
    const lanes = new Map();
    for (const { run, kind, content, y, height: tall } of layers) {
      const base = narrow ? y + 11 : y + tall - 5;
      if (kind === "run") labels.append(drawn("text", { class: "run crossed", x: narrow ? left : 0, y: y + 15 }, shortened(content, Math.floor(width() / 7.2))));
      if (kind !== "lane") node = "";
      if (kind === "phase") {
        const [phase, start, end] = [content[0], content[1] / 1e6, content[2] / 1e6], lasting = `${(end - start).toFixed(1)} s`;
        labels.append(drawn("text", { class: narrow ? "crossed" : "", x: narrow ? left : 0, y: base }, shortened(narrow ? `${phase}, ${lasting}` : phase, room)));
        inside.append(drawn("rect", { class: "phase", x: x(start), y: narrow ? y + 15 : y + 3, width: Math.max(1.5, x(end) - x(start)), height: narrow ? 11 : tall - 6 }));
        if (!narrow) inside.append(drawn("text", { class: "crossed", x: Math.min(Math.max(x(end) + 5, left + 3), right - 40), y: base }, lasting));
      }
      if (kind === "curve") {
        const [title, unit, times, values] = content, highest = values.reduce((one, other) => Math.max(one, other), 0), top = y + (narrow ? 15 : 3);
        const level = (value) => y + tall - 3 - (highest ? Math.max(value, 0) / highest : 0) * (tall - 3 - (top - y));
        let time = 0;
        const points = times.map((step, place) => { time += step; return `${x(time / 1e6).toFixed(1)},${level(values[place]).toFixed(1)}`; });
        labels.append(drawn("line", { class: "lane", x1: 0, x2: width(), y1: y, y2: y }));
        inside.append(drawn("polyline", { class: "curve", points: points.join(" ") }));
        const upTo = `0 to ${Number(highest.toPrecision(3)).toLocaleString("en")} ${unit}`;
        labels.append(drawn("text", { class: narrow ? "crossed" : "", x: narrow ? left : 0, y: y + 12 }, shortened(narrow ? `${title}, ${upTo}` : title, room)));
        if (!narrow) labels.append(drawn("text", { class: "quiet", x: left - 8, y: y + tall - 5, "text-anchor": "end" }, upTo));
      }
      if (kind === "lane") {
        const [own, source] = content.lane;
        lanes.set(`${run.place} ${content.place}`, narrow ? [y + 15, y + tall - 3] : [y + 3, y + tall - 3]);
        labels.append(drawn("line", { class: "lane", x1: 0, x2: width(), y1: y, y2: y }));
        if (narrow) labels.append(drawn("text", { class: "quiet crossed", x: left, y: base }, shortened(`${own}, ${source}`, room)));
        else {
          labels.append(drawn("text", { x: 0, y: base }, own === node ? "" : shortened(own, room - source.length - 2)));
          labels.append(drawn("text", { class: "quiet", x: left - 8, y: base, "text-anchor": "end" }, source));
        }
        node = own;
      }
    }
    const seen = new Map(), isThinned = shown.length > MOST_MARKS;
    for (const line of shown) {
      if (line.at < state.from || line.at > state.to) continue;
      const key = `${line.run.place} ${line.lane}`, [top, bottom] = lanes.get(key), place = x(line.at);
      if (isThinned && line !== state.chosen) { // of several lines in one dot of the screen the gravest
        const before = seen.get(key);
        if (before && place - before[0] < 0.5 && GRAVITY[line.grade] <= before[1]) continue;
        seen.set(key, [place, GRAVITY[line.grade]]);
      }
      const mark = drawn("line", { class: `mark ${line.grade}${line === state.chosen ? " now" : isMarking() && hits.has(line) ? " hit" : ""}`, x1: place, x2: place, y1: top, y2: bottom, "data-place": line.place });
      mark.append(drawn("title", {}, `${signed(line.at)} s  ${line.text}`));
      inside.append(mark);
    }
    inside.append(...inside.querySelectorAll(".hit"), ...inside.querySelectorAll(".now")); // above those of the same moment
    if (state.since && state.chosen) {
      const [from, to] = [state.since.at, state.chosen.at].sort((one, other) => one - other);
      inside.prepend(drawn("rect", { class: "measured", x: x(from), y: TOP - 6, width: Math.max(1.5, x(to) - x(from)), height: height - TOP + 6 }));
    }
    svg.append(inside, labels);
    chart.replaceChildren(svg);
    const crossed = [...svg.querySelectorAll(".crossed")], boxes = crossed.map((text) => text.getBBox());
    crossed.forEach((text, place) => { // a step through 1.1 s would make it 1:1 s
      const box = boxes[place];
      text.before(drawn("rect", { class: "ground", x: box.x - 2, y: box.y + 2, width: box.width + 4, height: box.height - 4 }));
    });
    keep();
  };

  // --- choosing and moving -----------------------------------------------------------------------------------------
  const look = (from, to) => {
    const size = Math.min(Math.max(to - from, 0.001), most - least || 1);
    state.from = Math.min(Math.max(from, least), most - size);
    state.to = state.from + size;
    draw();
  };
  const zoom = (factor, center) => look(center - (center - state.from) * factor, center + (state.to - center) * factor);
  const choose = (line) => {
    if (state.chosen) rowOf.get(state.chosen)?.removeAttribute("aria-current");
    state.chosen = line;
    if (wanted.has(line) && !rowOf.has(line)) listLines(shown.indexOf(line));
    rowOf.get(line)?.setAttribute("aria-current", "true");
    bring(rowOf.get(line));
    const of = state.runs.length > 1 ? `${name(line.run)}: ` : "";
    const since = !state.since ? "" : line === state.since ? " Measured from here: choose another line."
      : ` ${signed(line.at - state.since.at)} s from \u201c${shortened(state.since.text, 60)}\u201d.`;
    part("chosen").replaceChildren(make("code", {}, line.where), ` ${of}${signed(line.at)} s, ${line.node}, ${line.source}${line.severity ? `, ${line.severity}` : ""}: ${line.text}`, make("b", {}, since)); // a long text scrolls
    const size = state.to - state.from;
    if (line.at < state.from || line.at > state.to) look(line.at - size / 2, line.at + size / 2); else draw();
  };
  const next = (step, isHit = false) => { // the line shown next, or the next that was asked for
    const among = isHit && hits.size ? shown.filter((line) => hits.has(line) || line === state.chosen) : shown;
    let place = state.chosen ? among.indexOf(state.chosen) : -1;
    if (place < 0) place = step > 0 ? among.findIndex((line) => line.at >= state.from) - 1 : among.length;
    const line = among[place + step];
    if (line) choose(line);
  };
  const measure = () => { // from the chosen line to those chosen after it; again, no longer
    state.since = state.since || !state.chosen ? null : state.chosen;
    part("measure").setAttribute("aria-pressed", Boolean(state.since));
    if (state.chosen) choose(state.chosen);
  };
  const failover = () => {
    const graveAfter = (run) => (["recovered", "planned", ""].includes(run.outcome) ? [] : linesOf(run).filter((line) => line.grade === "grave" && line.at > 0).slice(-1));
    const ends = state.runs.flatMap((run) => [...run.phases.map((each) => each[2]), ...run.steps.map((each) => each[1]), ...graveAfter(run).map((line) => line.microseconds)]);
    const starts = state.runs.filter((run) => run.fault).map((run) => run.fault[0]);
    const last = ends.length ? Math.max(...ends) / 1e6 : most, start = starts.length ? Math.min(...starts) / 1e6 : least;
    look(start - (last - start) * 0.08, last + (last - start) * 0.12);
  };
  const setRuns = (chosen) => {
    state.runs = chosen;
    state.chosen = null;
    if (state.since) measure();
    shown = [];
    const times = chosen.flatMap((run) => [...linesOf(run).map((line) => line.microseconds), ...run.phases.flatMap((each) => [each[1], each[2]]), ...(run.fault || [])]);
    least = times.reduce((one, other) => Math.min(one, other), Infinity) / 1e6;
    most = Math.max(times.reduce((one, other) => Math.max(one, other), -Infinity) / 1e6, least + 0.001);
    const [run, beside] = chosen;
    part("title").textContent = beside ? `${run.title} (A) and ${beside.title} (B)` : run.title;
    part("facts").replaceChildren(...[describe(run, beside ? "A: " : ""), ...(beside ? [make("br"), describe(beside, "B: ")] : [])].flat());
    part("chosen").textContent = "Choose a line: click a mark, or press the down key in the chart.";
    part("run").value = run.key;
    part("beside").value = beside ? beside.key : "";
    const held = [...new Set(chosen.flatMap((each) => [...each.lanes.map(laneName), ...each.curves.map(([title]) => title)]))];
    part("lanes").replaceChildren(...held.map((title) => {
      const box = make("input", { type: "checkbox" });
      box.checked = !state.hidden.has(title);
      box.addEventListener("change", () => { state.hidden[box.checked ? "delete" : "add"](title); filter(); });
      return make("label", {}, box, ` ${title}`);
    }));
    compare();
    markRuns();
  };
  const OUTCOMES = { recovered: "recovered", recovered_by_hand: "recovered by hand", failed: "did not recover", aborted: "aborted", log_ended: "log ended", not_followed: "not followed to the end", planned: "planned", unknown: "outcome unknown", "": "no failover" };
  const outcome = (run) => OUTCOMES[run.outcome] || run.outcome;
  const describe = (run, lead) => [
    lead, ...(run.outcome ? [make("b", { class: `outcome ${run.outcome}`, title: run.reason }, outcome(run)), "; "] : []), run.facts,
    ...run.remarks.flatMap((each, place) => [place ? " " : ". ", make("span", { class: "remark" }, each)]),
  ];

  // --- two runs: what differs --------------------------------------------------------------------------------------
  const compare = () => {
    const [one, other] = state.runs, box = part("differences");
    box.hidden = !other;
    if (!other) { box.replaceChildren(); return; }
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...["Differs", "A", "B", "B \u2212 A"].map((text, place) => make("th", { scope: "col", class: place ? "seconds" : "" }, text)))));
    const body = table.createTBody();
    const times = (label, of) => {
      const [a, b] = [one, other].map((run) => new Map(of(run)));
      for (const key of new Set([...a.keys(), ...b.keys()])) {
        const row = body.insertRow(), values = [a.get(key), b.get(key)];
        const both = values.every((value) => value !== undefined);
        row.append(make("th", { scope: "row" }, key, make("span", { class: "quiet" }, ` ${label}`)));
        for (const value of values) row.append(make("td", { class: "seconds" }, value === undefined ? "\u2013" : `${(value / 1e6).toFixed(1)} s`));
        row.append(make("td", { class: "seconds" }, both ? `${signed((values[1] - values[0]) / 1e6, 1)} s` : "\u2013"));
      }
    };
    times("lasts", (run) => run.phases.map((each) => [each[0], each[2] - each[1]]));
    times("after t = 0", (run) => run.steps.map((each) => [each[0], each[1]]));
    const kinds = [one, other].map((run) => {
      const found = new Map();
      for (const line of linesOf(run)) {
        const kind = `${line.source} ${line.text.replace(/\b(?=[a-f]*\d)[\da-f]{6,}\b|\d+/gi, "#")}`;
        if (found.has(kind)) found.get(kind).count += 1; else found.set(kind, { line, count: 1 });
      }
      return found;
    });
    const only = kinds.flatMap((found, place) => [...found].filter(([kind]) => !kinds[1 - place].has(kind)).map(([, each]) => ({ ...each, place })));
    only.sort((a, b) => a.line.at - b.line.at);
    for (const { line, count, place } of only.slice(0, MOST_DIFFERENCES)) {
      const row = body.insertRow(), lead = make("button", { type: "button", class: "line" }, line.text);
      lead.addEventListener("click", () => choose(line));
      row.append(make("th", { scope: "row" }, lead, make("span", { class: "quiet" }, ` only in ${"AB"[place]}, ${line.node}, ${line.source}, first at ${signed(line.at, 1)} s`)));
      for (const each of [0, 1]) row.append(make("td", { class: "seconds" }, each === place ? `${count}\u00d7` : "\u2013"));
      row.append(make("td", {}));
    }
    if (only.length > MOST_DIFFERENCES) body.insertRow().append(make("td", { colspan: 4 }, `${only.length - MOST_DIFFERENCES} more kinds of lines`));
    box.replaceChildren(table);
  };

  // --- by pointer, touch and keys ----------------------------------------------------------------------------------
  chart.addEventListener("wheel", (event) => {
    event.preventDefault();
    const size = state.to - state.from, place = event.clientX - chart.getBoundingClientRect().left;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) look(state.from + event.deltaX / width() * size, state.to + event.deltaX / width() * size);
    else zoom(event.deltaY > 0 ? 1.25 : 0.8, at(place));
  }, { passive: false });
  const touching = new Map(); // pointers that are down: one moves, two zoom
  let held = null;
  const hold = () => {
    const lefts = [...touching.values()];
    held = lefts.length ? { lefts, from: state.from, to: state.to } : null;
  };
  chart.addEventListener("pointerdown", (event) => { touching.set(event.pointerId, event.clientX - chart.getBoundingClientRect().left); hold(); });
  chart.addEventListener("pointermove", (event) => {
    if (!held || !touching.has(event.pointerId)) return;
    if (!event.buttons) { touching.clear(); hold(); return; }
    touching.set(event.pointerId, event.clientX - chart.getBoundingClientRect().left);
    const lefts = [...touching.values()], size = held.to - held.from, room = width() - names() - RIGHT;
    const value = (left) => held.from + (left - names()) / room * size;
    if (lefts.length > 1 && held.lefts.length > 1) {
      const [a, b] = held.lefts.map(value), apart = Math.abs(lefts[0] - lefts[1]);
      if (apart < 8) return;
      const wide = Math.abs(a - b) / apart * room, from = (a + b) / 2 - ((lefts[0] + lefts[1]) / 2 - names()) / room * wide;
      look(from, from + wide);
    } else if (Math.abs(lefts[0] - held.lefts[0]) >= 4) {
      const moved = (held.lefts[0] - lefts[0]) / room * size;
      look(held.from + moved, held.to + moved);
    }
  });
  for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, (event) => { if (touching.delete(event.pointerId)) hold(); });
  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect(), left = event.clientX - box.left, down = event.clientY - box.top + chart.scrollTop;
    const row = layout().find((each) => each.kind === "lane" && down >= each.y && down < each.y + each.height);
    if (!row) return;
    let best = null, nearest = 10;
    for (const line of shown) {
      const away = Math.abs(x(line.at) - left);
      if (line.run === row.run && line.lane === row.content.place && away < nearest) [best, nearest] = [line, away];
    }
    if (best) choose(best);
  });
  chart.addEventListener("keydown", (event) => {
    const size = state.to - state.from, middle = (state.from + state.to) / 2;
    const actions = {
      "+": () => zoom(0.7, middle), "=": () => zoom(0.7, middle), "-": () => zoom(1 / 0.7, middle), 0: () => look(least, most),
      ArrowLeft: () => look(state.from - size / 5, state.to - size / 5), ArrowRight: () => look(state.from + size / 5, state.to + size / 5),
      ArrowDown: () => next(1), ArrowUp: () => next(-1), n: () => next(1, true), N: () => next(-1, true), m: measure, f: failover,
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); actions[event.key](); }
  });
  part("whole").addEventListener("click", () => look(least, most));
  part("failover").addEventListener("click", failover);
  part("next").addEventListener("click", () => next(1, true));
  part("previous").addEventListener("click", () => next(-1, true));
  part("measure").addEventListener("click", measure);
  marking.addEventListener("click", () => { marking.setAttribute("aria-pressed", !isMarking()); filter(); });
  find.addEventListener("input", filter);
  find.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); next(event.shiftKey ? -1 : 1, true); } });
  view.addEventListener("keydown", (event) => { // closes what is folded out, and not the lanes
    const fold = event.key === "Escape" && event.target.closest("details[open]");
    if (!fold) return;
    fold.open = false;
    fold.querySelector("summary").focus();
    event.stopPropagation();
  });
  grade.addEventListener("change", filter);
  new ResizeObserver(() => draw()).observe(chart);

  // --- what a reader knows better: lines for study.toml ---------------------------------------------------------------
  const declared = { events: [], runs: new Map() };
  const quoted = (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f"); // a string of TOML too
  const moment = ({ run, microseconds }) => { // in UTC, to the microsecond
    const [second, fraction = ""] = run.zero.slice(0, -1).split("."), micro = Number(fraction.padEnd(6, "0")) + microseconds, past = Math.floor(micro / 1e6);
    return `${new Date(Date.parse(`${second}Z`) + past * 1000).toISOString().slice(0, 19)}.${String(micro - past * 1e6).padStart(6, "0")}Z`;
  };
  const declare = (add) => {
    const line = state.chosen, run = line?.run || state.runs[0], text = part("words").value.trim();
    const refused = add(line, text, run && (declared.runs.get(run.key) || {}));
    part("declared").textContent = refused || "";
    if (refused) return;
    const entry = (kind, facts) => `[[${kind}]]\n${Object.entries(facts).map(([key, value]) => `${key} = ${value}\n`).join("")}`;
    part("toml").value = [...[...declared.runs.values()].map((facts) => entry("run", facts)), ...declared.events.map((facts) => entry("event", facts))].join("\n");
    part("words").value = "";
  };
  const named = (run) => ({ configuration: quoted(run.configuration), run: quoted(run.run) });
  const declareRun = (run, known, facts) => { declared.runs.set(run.key, { ...named(run), ...known, ...facts }); };
  part("note").addEventListener("click", () => declare((line, text) => {
    if (!line || !text) return "Choose a line and write a text first.";
    declared.events.push({ at: moment(line), ...named(line.run), text: quoted(text) });
  }));
  part("exclude").addEventListener("click", () => declare((line, text, known) => (
    text ? declareRun(line?.run || state.runs[0], known, { exclude: quoted(text) }) : "Write first why the run is left out.")));
  part("fault-at").addEventListener("click", () => declare((line, text, known) => (
    line ? declareRun(line.run, known, { fault_at: moment(line) }) : "Choose first the line at which the fault was.")));
  part("forget").addEventListener("click", () => declare(() => { declared.events = []; declared.runs.clear(); }));
  part("copy").addEventListener("click", async () => {
    part("toml").select();
    try { await navigator.clipboard.writeText(part("toml").value); part("declared").textContent = "Copied."; } catch { part("declared").textContent = "Press Ctrl+C."; }
  });

  // --- what leaves the page ----------------------------------------------------------------------------------------
  const save = (suffix, type, content) => {
    const link = make("a", { href: `data:${type};charset=utf-8,${encodeURIComponent(content)}`, download: `${state.runs.map((run) => run.key.replace(/[^\w.-]+/g, "-")).join("-and-")}.${suffix}` });
    link.click();
  };
  const field = (text) => `"${String(text).replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
  const csv = () => {
    const cells = shown.map((line) => [line.at, ...[line.run.configuration, line.run.run, line.node, line.source, line.severity, line.text, line.where].map(field)].join(","));
    return ["seconds,configuration,run,node,source,severity,text,place", ...cells, ""].join("\r\n");
  };
  const picture = () => {
    const copy = chart.firstChild.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width());
    copy.prepend(drawn("style", {}, "svg{background:#fff}.ground{fill:#fff}text{font:12px 'IBM Plex Sans',sans-serif;fill:#161616}.run{font-weight:600}.quiet{fill:#55595d}.grid,.lane{stroke:#cdd0d3}"
      + ".zero{stroke:#55595d}.curve{fill:none;stroke:#1d5a96}.measured{fill:#1d5a96;opacity:.12}.phase{fill:#5b90d2}.fault{fill:#e3ad45;opacity:.45}.mark{stroke:#55595d}.warning{stroke:#9a6700}.grave{stroke:#b3261e;stroke-width:2.4}.step{stroke:#1d5a96;stroke-dasharray:3 2}"));
    return new XMLSerializer().serializeToString(copy);
  };
  const trace = (run) => { // as `haledger timeline --format perfetto` writes it
    const lines = linesOf(run).filter((line) => line.grade !== "measured"), lanes = run.lanes.slice(0, run.logs), spans = [...(run.fault ? [["fault", ...run.fault]] : []), ...run.phases];
    const first = lines.map((line) => line.microseconds).concat(run.phases.map((each) => each[1]), run.fault || []).reduce((one, other) => Math.min(one, other), Infinity);
    const label = (kind, pid, tid, text) => ({ name: kind, ph: "M", pid, tid, args: { name: text } });
    const events = [label("process_name", 1, 0, run.title)];
    spans.forEach(([span, start, end], place) => events.push(label("thread_name", 1, place + 1, span), { name: span, cat: "phase", ph: "X", dur: end - start, pid: 1, tid: place + 1, ts: start - first }));
    const nodes = [...new Set(lanes.map(([node]) => node))], process = (node) => nodes.indexOf(node) + 2;
    for (const node of nodes) events.push(label("process_name", process(node), 0, node));
    lanes.forEach(([node, source], place) => events.push(label("thread_name", process(node), place + 1, source)));
    for (const line of lines) {
      events.push({
        name: line.text, cat: line.grade || "log", ph: "i", s: "t", pid: process(line.node), tid: line.lane + 1, ts: line.microseconds - first,
        args: { severity: line.severity, line: line.where, "seconds after zero": line.at },
      });
    }
    const otherData = { configuration: run.configuration, run: run.run, zero: run.zero, fault_source: run.source };
    return { displayTimeUnit: "ms", otherData, traceEvents: events };
  };
  part("csv").addEventListener("click", () => save("csv", "text/csv", csv()));
  part("svg").addEventListener("click", () => save("svg", "image/svg+xml", picture()));
  part("trace").addEventListener("click", () => save("json", "application/json", JSON.stringify(trace(state.runs[0]))));

  // --- the address: what is shown can be kept, sent and gone back to -------------------------------------------------
  const written = (key) => encodeURIComponent(key).replaceAll("%2F", "/");
  const address = () => {
    const [run, beside] = state.runs, line = state.chosen;
    const parts = {
      run: run?.key, beside: beside?.key, list: state.list, from: run && state.from.toFixed(3), to: run && state.to.toFixed(3), find: find.value, show: grade.value, mark: isMarking() && "hits",
      hide: [...state.hidden].map(encodeURIComponent).join(","), since: state.since && `${state.since.run === beside ? "b" : ""}${state.since.place}`,
      line: line && `${line.run === beside ? "b" : ""}${line.place}`,
    };
    return `#${Object.entries(parts).filter(([, value]) => value).map(([key, value]) => `${key}=${written(value)}`).join("&")}`;
  };
  const depth = () => history.state?.lanes || 0;
  let waiting = 0;
  const keep = () => { // browsers refuse an address that changes with every turn of a wheel
    clearTimeout(waiting);
    waiting = setTimeout(() => { if (isOpen()) history.replaceState({ lanes: depth() }, "", address()); }, 120);
  };
  const enter = () => { clearTimeout(waiting); history.pushState({ lanes: depth() + 1 }, "", address()); };
  const read = () => {
    const found = {};
    for (const each of location.hash.slice(1).split("&")) {
      const [key, value] = each.split("=");
      try { if (value !== undefined) found[key] = decodeURIComponent(value); } catch { /* an address that someone cut */ }
    }
    return found;
  };
  const restore = () => {
    const asked = read(), run = byKey(asked.run) || (isDocked ? undefined : runs[0]);
    if (!run && !(isDocked && asked.list && listsOf(asked.list).length)) { if (isDocked) hide(); return; }
    find.value = asked.find || "";
    grade.value = asked.show || "";
    marking.setAttribute("aria-pressed", asked.mark === "hits");
    state.hidden = new Set((asked.hide || "").split(",").filter(Boolean).map(decodeURIComponent));
    const beside = byKey(asked.beside), lineOf = (kept) => {
      const [, isOther, number] = /^(b?)(\d+)$/.exec(kept || "") || [];
      return number && linesOf(isOther && beside ? beside : run || runs[0])[number];
    };
    const line = lineOf(asked.line);
    if (isDocked) showList(asked.list || "");
    reveal(run ? [run, ...(beside && beside !== run ? [beside] : [])] : [], line, asked, lineOf(asked.since));
  };
  const reveal = (chosen, line, asked = {}, since = null) => { // these runs, at a line, in a span of time
    const wasOpen = isOpen(), isSame = chosen.length && chosen.length === state.runs.length && chosen.every((run, place) => run === state.runs[place]);
    part("open").hidden = false;
    root.classList.add("opened");
    view.hidden = !chosen.length;
    root.classList.toggle("listing", !chosen.length);
    if (!chosen.length) { state.runs = []; fit(); return; }
    if (!isSame) setRuns(chosen);
    if (Number(asked.to) > Number(asked.from)) [state.from, state.to] = [Number(asked.from), Number(asked.to)];
    else if (!isSame || !wasOpen) failover();
    if (line) state.chosen = line;
    if (since) { state.since = since; part("measure").setAttribute("aria-pressed", true); }
    filter();
    if (line) choose(line);
    fit();
  };

  // --- in a report: the bar, and what opens runs ---------------------------------------------------------------------
  const docks = [document.documentElement, document.body, ...document.querySelectorAll("nav.contents")];
  const fit = () => { // the page can be scrolled until its end is above what is open
    if (!isDocked) return;
    const height = `${root.offsetHeight}px`;
    for (const each of docks) each.style.setProperty("--dock", height);
  };
  const hide = () => {
    const wasOpen = isOpen();
    part("open").hidden = true;
    root.classList.remove("opened", "tall", "listing");
    part("taller").setAttribute("aria-pressed", "false");
    Object.assign(state, { runs: [], chosen: null, list: "" });
    part("run").value = "";
    clearTimeout(waiting);
    markRuns();
    fit();
    if (wasOpen && origin?.isConnected && !isLeaving) { origin.focus({ preventScroll: true }); origin.scrollIntoView({ block: "nearest" }); }
    origin = null;
    isLeaving = false;
  };
  const back = () => {
    const steps = depth();
    if (steps && steps < history.length) history.go(-steps); // a browser keeps fifty places
    else {
      history.replaceState(null, "", "#");
      hide();
    }
  };
  const open = (chosen, line, from, anchor = "", sought = "") => {
    if (!isOpen()) { origin = from; find.value = ""; grade.value = ""; marking.setAttribute("aria-pressed", false); state.hidden.clear(); }
    showList(anchor, from, sought);
    reveal(chosen, line);
    enter();
    const focused = list.querySelector("[aria-current]") || (chosen.length ? chart : list.querySelector("button"));
    (focused || part("close")).focus({ preventScroll: true });
    from?.scrollIntoView?.({ block: "nearest", behavior: "instant" });
  };

  // the runs behind a number: lists of the report, or the runs of a configuration
  const LISTS = "table.behind > tbody", lists = [...document.querySelectorAll(LISTS)];
  const labelOf = (each) => each.parentElement.dataset.label || "", itemOf = (each) => each.rows[0].textContent, rowsOf = (each) => [...each.rows].slice(1);
  const placesOf = (row) => (row.querySelector("code")?.textContent || "").split("; ");
  const elementsAt = (anchor) => { // the elements that an anchor names: one, both of a pair, or all of a mean
    const named = (ids) => ids.map((each) => document.getElementById(each));
    if (anchor.startsWith("these:")) return named(anchor.slice(6).split(","));
    const target = document.getElementById(anchor);
    return target?.matches(".pair") ? named([...target.querySelectorAll("a")].map((link) => link.hash.slice(1))) : [target];
  };
  const listsOf = (anchor) => {
    if (anchor.startsWith("of:")) {
      const own = runs.filter((run) => run.configuration === anchor.slice(3));
      return own.length ? [{ title: own[0].label, entries: own.map((run) => ({ name: run.run, value: outcome(run), where: "", run })) }] : [];
    }
    if (anchor === "lone:") return state.lone ? [{ title: state.lone.title, entries: [state.lone] }] : [];
    return elementsAt(anchor).filter((each) => each?.matches(LISTS)).map((each) => ({
      title: [labelOf(each), itemOf(each)].filter(Boolean).join(": "),
      entries: rowsOf(each).map((row) => {
        const own = row.cells[0].textContent, where = row.querySelector("code")?.textContent || "";
        const line = where.split("; ").map(lineAt).find(Boolean);
        const run = line?.run || byKey(`${each.parentElement.dataset.configuration}/${own.replace(" (set aside)", "")}`);
        return { name: own, value: row.cells[1].textContent, where, text: row.querySelector(".line-text")?.textContent || "", line, run };
      }),
    }));
  };
  let first = null; // the entry that a list opens with
  const showList = (anchor, from = null, sought = "") => {
    const found = anchor ? listsOf(anchor) : [];
    state.list = found.length ? anchor : "";
    list.hidden = !found.length;
    first = null;
    const heads = from?.closest ? [...(from.closest("tr")?.cells || [])].map((cell) => cell.textContent.trim()) : [];
    list.replaceChildren(...found.flatMap(({ title, entries }) => [
      make("h3", {}, title),
      make("ol", {}, ...entries.map((entry) => {
        const button = make("button", { type: "button" }, make("span", {}, entry.name), make("b", {}, entry.value));
        if (!entry.line && entry.where) button.append(make("code", {}, entry.where), make("small", {}, entry.text));
        button.addEventListener("click", () => take(entry, button));
        entry.button = button;
        const isWanted = (each) => heads.includes(each.name) || (sought && (each.name === sought || each.where.split("; ").includes(sought)));
        const rank = (each) => 2 * Boolean(isWanted(each)) + Boolean(each.line);
        if (!first || rank(entry) > rank(first)) first = entry;
        return make("li", {}, button);
      })),
    ]));
    if (found.length && !anchor.startsWith("of:") && !found.some(({ entries }) => entries.some((entry) => entry.line))) {
      const areNamed = found.some(({ entries }) => entries.some((entry) => entry.where));
      list.append(make("p", {}, areNamed ? "No lane shows these lines: they have no time in a run." : "No lane shows these values: no line with a time in a run gives them."));
    }
    if (from?.dataset?.behind) list.append(make("a", { href: from.hash }, "The statement behind this number"));
    if (first) markEntry(first.button);
    return first;
  };
  const markEntry = (button) => {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
  };
  const take = (entry, button) => {
    markEntry(button);
    if (!entry.run) return;
    const beside = state.runs[1] && state.runs[1] !== entry.run ? [state.runs[1]] : [];
    reveal([entry.run, ...beside], entry.line);
    enter();
  };
  list.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const to = step && buttons[buttons.indexOf(document.activeElement) + step];
    if (!to) return;
    event.preventDefault();
    to.focus();
    to.click();
  });

  const marks = [];
  let active = -1;
  const markRuns = () => {
    marks.forEach((mark, place) => {
      const now = state.runs.indexOf(runs[place]);
      mark.setAttribute("aria-selected", now >= 0);
      mark.classList.toggle("beside", now > 0);
      mark.classList.toggle("active", place === active);
    });
    if (active >= 0) part("runs").setAttribute("aria-activedescendant", marks[active].id);
  };
  const pick = (place, isBeside, from) => {
    active = place;
    const run = runs[place], [one] = state.runs;
    open(isBeside && one && one !== run ? [one, run] : [run], undefined, from, isBeside ? state.list : "");
  };
  if (isDocked && runs.length) {
    const strip = part("runs"), groups = new Map();
    for (const run of runs) groups.set(run.configuration, [...(groups.get(run.configuration) || []), run]);
    const choices = (title) => [make("option", { value: "" }, title), ...[...groups.values()].map((own) => make("optgroup", { label: own[0].label }, ...own.map((run) => make("option", { value: run.key }, `${run.title}${["", "recovered"].includes(run.outcome) ? "" : ` (${outcome(run)})`}`))))];
    part("run").append(...choices("choose a run"));
    part("beside").append(...choices("none"));
    for (const own of groups.values()) {
      const group = make("div", { role: "group", "aria-label": own[0].label });
      for (const run of own) {
        const saying = `${run.title}: ${outcome(run)}`;
        marks[run.place] = make("span", { role: "option", id: `lanes-run-${run.place}`, "aria-label": saying, title: saying, "aria-selected": "false", class: run.outcome || "none" });
        group.append(marks[run.place]);
      }
      strip.append(group);
    }
    const failovers = runs.filter((run) => run.outcome && run.outcome !== "planned"), well = failovers.filter((run) => run.outcome === "recovered");
    part("outcome").textContent = failovers.length ? `${well.length} of ${failovers.length} recovered` : `${runs.length} runs`;
    strip.addEventListener("click", (event) => {
      const near = marks.map((mark, place) => [Math.abs(event.clientX - mark.getBoundingClientRect().x - mark.offsetWidth / 2), place]);
      pick(near.reduce((one, other) => (other[0] < one[0] ? other : one))[1], event.shiftKey, strip);
    });
    strip.addEventListener("focus", () => { if (active < 0) { active = 0; markRuns(); } });
    strip.addEventListener("keydown", (event) => {
      const to = { ArrowRight: active + 1, ArrowDown: active + 1, ArrowLeft: active - 1, ArrowUp: active - 1, Home: 0, End: runs.length - 1 }[event.key];
      if (to === undefined && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (to === undefined) { pick(Math.max(0, active), event.shiftKey, strip); return; }
      active = Math.min(Math.max(to, 0), runs.length - 1);
      markRuns();
    });
    part("run").addEventListener("change", (event) => { if (event.target.value) open([byKey(event.target.value)], undefined, event.target); else back(); });
    part("beside").addEventListener("change", (event) => {
      const beside = byKey(event.target.value);
      if (!state.runs.length) return;
      reveal([state.runs[0], ...(beside && beside !== state.runs[0] ? [beside] : [])]);
      enter();
    });
  }
  if (isDocked) {
    root.querySelector(".bar").classList.toggle("empty", !runs.length);
    part("close").addEventListener("click", back);
    part("taller").addEventListener("click", () => {
      part("taller").setAttribute("aria-pressed", root.classList.toggle("tall"));
      fit();
      draw();
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && isOpen() && !(event.target === find && find.value)) back(); });
    window.addEventListener("popstate", restore);
    new ResizeObserver(fit).observe(root);
    const openList = (anchor, from, sought = "") => {
      const entry = showList(anchor, from, sought);
      if (entry) open(entry.run ? [entry.run] : [], entry.line, from, anchor, sought);
      return Boolean(entry);
    };
    const openPlace = (said, where, run, from) => { // a line that neither a lane nor a list shows
      const entry = { title: from.getAttribute("aria-label"), name: said, value: "", where, text: "", run };
      state.lone = entry;
      open(run ? [run] : [], undefined, from, "lone:");
    };
    document.addEventListener("click", (event) => {
      const mark = event.target.closest("svg.chart path[aria-label]"), link = event.target.closest("a[href^='#']");
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (root.contains(event.target)) { isLeaving = Boolean(link); return; }
      if (mark) {
        const said = mark.getAttribute("aria-label"), where = PLACE.exec(said)?.[1], line = lineAt(where), figure = mark.closest("svg");
        const run = line?.run || runs.find((each) => said.startsWith(`${each.title}:`));
        const listed = where ? lists.find((each) => rowsOf(each).some((row) => placesOf(row).includes(where)))?.id : mark.dataset.behind;
        if (line) open([run], line, figure);
        else if (listed && openList(listed, figure, where || mark.dataset.entry)) return; // no lane shows its line, or it has none: the list does
        else if (where) openPlace(said.slice(0, -where.length - 2), where, run, figure);
        else if (run) open([run], undefined, figure);
      } else if (link) {
        const run = byKey(link.dataset.run);
        if (run) open([run], undefined, link);
        const isTaken = run || openList(link.dataset.of ? `of:${link.dataset.of}` : link.dataset.behind || decodeURIComponent(link.hash.slice(1)), link);
        if (isTaken) event.preventDefault();
        else isLeaving = isOpen();
      }
    });
  }
  window.haledger = { runs, texts, trace, csv, picture }; // for the console of the browser
  restore();
  fit();
  document.documentElement.dataset.lanes = "ready";
})();
