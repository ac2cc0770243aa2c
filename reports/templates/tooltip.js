// Shows what a mark of a figure stands for: its run, its value, the log line. The page is complete without it.
(() => {
  const WHERE = /, ([^,]+:\d+)$/; // the end of a mark's words: file and line
  const box = document.createElement("div");
  box.className = "tooltip";
  box.hidden = true;
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
})();
