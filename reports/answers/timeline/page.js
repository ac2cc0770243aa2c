"use strict";
// One run as lanes over time: zoom and move by wheel, pointer, touch and keys; the lines below follow.
(() => {
  const run = JSON.parse(document.getElementById("data").textContent);
  const [chart, rows, find, grade] = ["chart", "rows", "find", "grade"].map((id) => document.getElementById(id));
  const NAMES = 190, LANE = 22, TOP = 26, GRADES = { "": 0, warning: 1, grave: 2 };
  const times = run.lines.map((line) => line.at).concat(run.phases.flatMap((each) => [each.start, each.end]), run.fault || []);
  const least = Math.min(...times), most = Math.max(...times, least + 0.001);
  const ends = run.phases.map((each) => each.end).concat(run.steps.map((each) => each.at));
  const state = { from: least, to: most, chosen: -1 };

  const element = (name, facts, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const seconds = (value) => `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(3)}`;

  // --- which lines are shown -------------------------------------------------------------------------------------
  const texts = run.lines.map((line) => [line.node, line.source, line.severity, line.text, line.place].join(" ").toLowerCase());
  const isShown = run.lines.map(() => true);
  const table = run.lines.map((line, place) => {
    const row = rows.insertRow();
    row.className = line.grade;
    for (const text of [seconds(line.at), line.node, line.source, line.severity, line.text, line.place]) row.insertCell().textContent = text;
    row.addEventListener("click", () => choose(place));
    return row;
  });
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    run.lines.forEach((line, place) => {
      isShown[place] = GRADES[line.grade] >= GRADES[grade.value] && words.every((word) => texts[place].includes(word));
      table[place].hidden = !isShown[place];
    });
    document.getElementById("count").textContent = `${isShown.filter(Boolean).length} of ${run.lines.length} lines`;
    draw();
  };

  // --- the chart -------------------------------------------------------------------------------------------------
  const width = () => Math.max(chart.clientWidth, NAMES + 120);
  const x = (at) => NAMES + (at - state.from) / (state.to - state.from) * (width() - NAMES - 10);
  const at = (left) => state.from + (left - NAMES) / (width() - NAMES - 10) * (state.to - state.from);
  const ticks = () => {
    const rough = (state.to - state.from) / Math.max(2, (width() - NAMES) / 90), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
    const found = [];
    for (let n = Math.ceil(state.from / step); n * step <= state.to; n += 1) found.push([n * step, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))]);
    return found;
  };
  const shortened = (text) => (text.length > 28 ? `${text.slice(0, 27)}\u2026` : text);
  const draw = () => {
    const height = TOP + (run.phases.length + run.lanes.length) * LANE + 8;
    const svg = element("svg", { viewBox: `0 0 ${width()} ${height}`, height, "aria-hidden": "true" });
    const inside = element("svg", { x: NAMES, y: 0, width: width() - NAMES - 10, height, viewBox: `${NAMES} 0 ${width() - NAMES - 10} ${height}` });
    const axis = element("g", { class: "axis" });
    for (const [value, decimals] of ticks()) {
      axis.append(element("line", { class: "grid", x1: x(value), x2: x(value), y1: TOP - 6, y2: height }));
      axis.append(element("text", { x: x(value), y: 14, "text-anchor": "middle" }, `${value.toFixed(decimals)} s`));
    }
    inside.append(axis);
    if (run.fault) inside.append(element("rect", { class: "fault", x: x(run.fault[0]), y: TOP - 6, width: Math.max(2, x(run.fault[1]) - x(run.fault[0])), height }));
    for (const step of run.steps) {
      const mark = element("line", { class: "step", x1: x(step.at), x2: x(step.at), y1: TOP - 6, y2: height });
      mark.append(element("title", {}, `${step.name}: ${seconds(step.at)} s (${seconds(step.low)} to ${seconds(step.high)})`));
      inside.append(mark);
    }
    run.phases.forEach((phase, place) => {
      const y = TOP + place * LANE;
      svg.append(element("text", { x: 0, y: y + 14 }, shortened(phase.name)));
      inside.append(element("rect", { class: "phase", x: x(phase.start), y: y + 3, width: Math.max(1.5, x(phase.end) - x(phase.start)), height: LANE - 8 }));
      inside.append(element("text", { x: Math.max(x(phase.end) + 5, NAMES + 3), y: y + 14 }, `${(phase.end - phase.start).toFixed(1)} s`));
    });
    run.lanes.forEach(([node, source], place) => {
      const y = TOP + (run.phases.length + place) * LANE;
      svg.append(element("line", { class: "lane", x1: 0, x2: width(), y1: y, y2: y }));
      const isFirst = place === 0 || run.lanes[place - 1][0] !== node;
      svg.append(element("text", { x: 0, y: y + 15 }, isFirst ? shortened(node) : ""));
      svg.append(element("text", { class: "quiet", x: NAMES - 8, y: y + 15, "text-anchor": "end" }, source));
    });
    run.lines.forEach((line, place) => {
      if (!isShown[place] || line.at < state.from || line.at > state.to) return;
      const y = TOP + (run.phases.length + line.lane) * LANE;
      const mark = element("line", { class: `mark ${line.grade}`, x1: x(line.at), x2: x(line.at), y1: y + 4, y2: y + LANE - 4, "data-place": place });
      if (place === state.chosen) mark.classList.add("now");
      mark.append(element("title", {}, `${seconds(line.at)} s  ${line.text}`));
      inside.append(mark);
    });
    svg.append(inside);
    chart.replaceChildren(svg);
    keep();
  };

  // --- choosing and moving ---------------------------------------------------------------------------------------
  const look = (from, to) => {
    const size = Math.min(Math.max(to - from, 0.001), most - least || 1);
    state.from = Math.min(Math.max(from, least), most - size);
    state.to = state.from + size;
    draw();
  };
  const zoom = (factor, center) => look(center - (center - state.from) * factor, center + (state.to - center) * factor);
  const choose = (place) => {
    if (state.chosen >= 0) table[state.chosen].removeAttribute("aria-selected");
    state.chosen = place;
    const line = run.lines[place], size = state.to - state.from;
    table[place].setAttribute("aria-selected", "true");
    table[place].scrollIntoView({ block: "nearest" });
    const text = document.getElementById("chosen"), code = document.createElement("code");
    code.textContent = line.place;
    text.replaceChildren(`${seconds(line.at)} s, ${line.node}, ${line.source}${line.severity ? `, ${line.severity}` : ""}: ${line.text} `, code);
    if (line.at < state.from || line.at > state.to) look(line.at - size / 2, line.at + size / 2); else draw();
  };
  const next = (step) => {
    let place = state.chosen;
    if (place < 0) place = step > 0 ? run.lines.findIndex((line) => line.at >= state.from) - 1 : run.lines.length;
    do place += step; while (place >= 0 && place < run.lines.length && !isShown[place]);
    if (place >= 0 && place < run.lines.length) choose(place);
  };
  const failover = () => {
    const last = ends.length ? Math.max(...ends) : most, start = run.fault ? run.fault[0] : least;
    look(start - (last - start) * 0.08, last + (last - start) * 0.12);
  };
  chart.addEventListener("wheel", (event) => {
    event.preventDefault();
    const size = state.to - state.from, place = event.clientX - chart.getBoundingClientRect().left;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) look(state.from + event.deltaX / width() * size, state.to + event.deltaX / width() * size);
    else zoom(event.deltaY > 0 ? 1.25 : 0.8, at(place));
  }, { passive: false });
  let held = null;
  chart.addEventListener("pointerdown", (event) => { held = { x: event.clientX, from: state.from, to: state.to }; });
  chart.addEventListener("pointermove", (event) => {
    if (!held || !event.buttons || Math.abs(event.clientX - held.x) < 4) return;
    const moved = (held.x - event.clientX) / (width() - NAMES) * (held.to - held.from);
    look(held.from + moved, held.to + moved);
  });
  window.addEventListener("pointerup", () => { held = null; });
  chart.addEventListener("click", (event) => {
    const left = event.clientX - chart.getBoundingClientRect().left;
    const lane = Math.floor((event.clientY - chart.getBoundingClientRect().top + chart.scrollTop - TOP) / LANE) - run.phases.length;
    let best = -1, nearest = 8;
    run.lines.forEach((line, place) => {
      const away = Math.abs(x(line.at) - left);
      if (isShown[place] && line.lane === lane && away < nearest) [best, nearest] = [place, away];
    });
    if (best >= 0) choose(best);
  });
  chart.addEventListener("keydown", (event) => {
    const size = state.to - state.from, middle = (state.from + state.to) / 2;
    const actions = {
      "+": () => zoom(0.7, middle), "=": () => zoom(0.7, middle), "-": () => zoom(1 / 0.7, middle), 0: () => look(least, most),
      ArrowLeft: () => look(state.from - size / 5, state.to - size / 5), ArrowRight: () => look(state.from + size / 5, state.to + size / 5),
      ArrowDown: () => next(1), ArrowUp: () => next(-1), f: failover,
    };
    if (actions[event.key] && !event.ctrlKey && !event.metaKey) { event.preventDefault(); actions[event.key](); }
  });
  document.getElementById("whole").addEventListener("click", () => look(least, most));
  document.getElementById("failover").addEventListener("click", failover);
  find.addEventListener("input", filter);
  grade.addEventListener("change", filter);
  window.addEventListener("resize", draw);

  // --- what leaves the page, and its address ----------------------------------------------------------------------
  const save = (name, type, content) => {
    const link = document.createElement("a");
    link.href = `data:${type};charset=utf-8,${encodeURIComponent(content)}`;
    link.download = name;
    link.click();
  };
  const field = (text) => `"${String(text).replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
  document.getElementById("csv").addEventListener("click", () => {
    const shown = run.lines.filter((_, place) => isShown[place]);
    const cells = shown.map((line) => [line.at, ...[line.node, line.source, line.severity, line.text, line.place].map(field)].join(","));
    save(`${run.name}.csv`, "text/csv", ["seconds,node,source,severity,text,place", ...cells, ""].join("\r\n"));
  });
  document.getElementById("svg").addEventListener("click", () => {
    const copy = chart.firstChild.cloneNode(true), style = element("style", {});
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width());
    style.textContent = "svg{background:#fff}text{font:12px sans-serif;fill:#161616}.quiet{fill:#55595d}.grid,.lane{stroke:#cdd0d3}.phase{fill:#7aa9de}"
      + ".fault{fill:#f0c05a;opacity:.45}.mark{stroke:#55595d}.warning{stroke:#9a6700}.grave{stroke:#b3261e;stroke-width:2.4}.step{stroke:#1d5a96}";
    copy.prepend(style);
    save(`${run.name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(copy));
  });
  const keep = () => {
    const parts = { from: state.from.toFixed(3), to: state.to.toFixed(3), find: find.value, show: grade.value, line: state.chosen < 0 ? "" : state.chosen };
    const kept = Object.entries(parts).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    history.replaceState(null, "", `#${kept.join("&")}`);
  };
  const asked = Object.fromEntries(location.hash.slice(1).split("&").filter((part) => part.includes("=")).map((part) => part.split("=").map(decodeURIComponent)));
  find.value = asked.find || "";
  grade.value = asked.show || "";
  filter();
  if (asked.from && asked.to && Number(asked.to) > Number(asked.from)) look(Number(asked.from), Number(asked.to)); else failover();
  if (asked.line && run.lines[asked.line]) choose(Number(asked.line));
  else table[Math.max(0, run.lines.findIndex((line) => line.at >= state.from))].scrollIntoView({ block: "start" });
})();
