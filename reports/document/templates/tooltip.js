// Shows what a mark of a figure stands for: its run, its value, the log line. The page is complete without it.
// With the keyboard: a figure is one stop, arrow keys go from mark to mark, and what is shown is read aloud.
(() => {
  const WHERE = /, ([^,]+:\d+)$/; // the end of a mark's words: file and line
  const box = document.createElement("div");
  box.className = "tooltip";
  box.hidden = true;
  box.setAttribute("role", "status");
  document.body.append(box);

  const show = (words) => {
    const where = WHERE.exec(words);
    box.replaceChildren(where ? words.slice(0, where.index) : words);
    if (where) {
      const line = document.createElement("code");
      line.textContent = where[1];
      box.append(line);
    }
  };
  const place = (event) => {
    const room = document.documentElement;
    const left = Math.min(event.clientX + 12, room.clientWidth - box.offsetWidth - 8);
    const below = event.clientY + 16;
    const isRoomBelow = below + box.offsetHeight + 4 < room.clientHeight;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${isRoomBelow ? below : Math.max(4, event.clientY - box.offsetHeight - 10)}px`;
  };
  document.addEventListener("pointerover", (event) => {
    const mark = event.target.closest?.("svg.chart path[aria-label]");
    box.hidden = !mark;
    if (!mark) return;
    show(mark.getAttribute("aria-label"));
    place(event);
  });
  document.addEventListener("pointermove", (event) => {
    if (!box.hidden) place(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.hidden = true;
  });

  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  const prepare = (chart) => {
    const marks = [...chart.querySelectorAll("path[aria-label]")];
    if (!marks.length) return;
    chart.tabIndex = 0;
    chart.setAttribute("role", "group"); // a picture has no parts that could be gone through
    chart.setAttribute("aria-description", "Arrow keys go from mark to mark, Enter opens its run.");
    let now = -1;
    const leave = () => {
      marks[now]?.classList.remove("chosen");
      box.hidden = true;
    };
    chart.addEventListener("blur", leave);
    chart.addEventListener("keydown", (event) => {
      if (event.key === "Enter") marks[now]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      leave();
      now = Math.max(0, Math.min(marks.length - 1, now + step));
      marks[now].classList.add("chosen");
      marks[now].scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      show(marks[now].getAttribute("aria-label"));
      box.hidden = false;
      const { right, bottom } = marks[now].getBoundingClientRect();
      place({ clientX: right, clientY: bottom });
    });
  };
  document.querySelectorAll("svg.chart").forEach(prepare);
  document.addEventListener("chart-shown", (event) => prepare(event.detail));
})();
