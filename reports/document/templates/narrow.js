// On a narrow screen shows figures that are drawn for it. What is still wider scrolls inside its frame, by keys too.
(async () => {
  const packed = document.getElementById("narrow-figures");
  const frames = [...document.querySelectorAll(".scroll")];
  const reach = () => {
    const wide = frames.filter((frame) => frame.scrollWidth > frame.clientWidth && !frame.querySelector("a, button, [tabindex]"));
    for (const frame of wide) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", frame.closest("figure, .table-block")?.querySelector("figcaption, caption")?.textContent.trim() || "Wide content");
    }
  };
  const isNarrow = matchMedia("screen and (max-width: 40rem)");
  const wide = new Map();
  let drawn = null;
  const inflated = async () => {
    const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
  };
  const show = async () => {
    if (isNarrow.matches && packed && "DecompressionStream" in window) {
      drawn ??= await inflated();
      for (const chart of document.querySelectorAll("figure svg.chart:not(.narrow)")) {
        const text = drawn[chart.dataset.figure];
        if (!text) continue;
        const holder = document.createElement("template");
        holder.innerHTML = text; // as the report drew it, like the wide one
        const narrow = holder.content.firstElementChild;
        narrow.classList.add("narrow");
        wide.set(narrow, chart);
        chart.replaceWith(narrow);
        document.dispatchEvent(new CustomEvent("chart-shown", { detail: narrow }));
      }
    } else {
      for (const [narrow, chart] of wide) narrow.replaceWith(chart);
      wide.clear();
    }
    reach();
  };
  isNarrow.addEventListener("change", show);
  await show();
  document.documentElement.dataset.figures = "ready";
})();
