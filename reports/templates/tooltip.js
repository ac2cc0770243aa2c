"use strict";
// Shows what a mark of a figure stands for: its run, its value, the log line. The page is complete without it.
(() => {
  const box = document.createElement("div");
  box.className = "tooltip";
  box.hidden = true;
  document.body.append(box);
  const mark = (event) => event.target.closest?.("svg.chart path[aria-label]");
  document.addEventListener("pointerover", (event) => {
    const found = mark(event);
    box.hidden = !found;
    if (found) box.textContent = found.getAttribute("aria-label");
  });
  document.addEventListener("pointermove", (event) => {
    if (box.hidden) return;
    const room = document.documentElement.clientWidth - box.offsetWidth - 12;
    box.style.left = `${Math.max(4, Math.min(event.clientX + 12, room))}px`;
    box.style.top = `${event.clientY + 16}px`;
  });
})();
