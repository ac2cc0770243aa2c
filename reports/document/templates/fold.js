// Opens what is folded where a link or a search leads into it, and for a print; closes it again after these.
(() => {
  const folds = [...document.querySelectorAll("details.fold")];
  const opened = new Set(); // by a search or a print
  const open = (fold) => {
    if (fold.open) return;
    fold.open = true;
    opened.add(fold);
  };
  const close = () => {
    for (const fold of opened) fold.open = false;
    opened.clear();
  };
  const lead = () => {
    let name = "";
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { /* an address that someone cut */ }
    const target = name && document.getElementById(name);
    let isClosed = false;
    for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      isClosed ||= !fold.open;
      fold.open = true;
      opened.delete(fold);
    }
    if (isClosed) target.scrollIntoView();
  };
  document.addEventListener("rows-found", (event) => {
    close();
    if (event.detail) for (const fold of folds) if ([...fold.querySelectorAll("tbody tr")].some((row) => !row.hidden)) open(fold);
    for (const fold of folds) fold.classList.toggle("found-none", event.detail && !fold.open && fold.querySelector("table") !== null);
  });
  window.addEventListener("beforeprint", () => folds.forEach(open));
  window.addEventListener("afterprint", close);
  window.addEventListener("hashchange", lead);
  lead();
})();
