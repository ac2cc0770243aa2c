// Shows the rows of all tables that hold some words; without any words, all rows.
(() => {
  const contents = document.querySelector("nav.contents h2");
  if (!contents) return;
  const [label, input, count] = ["label", "input", "span"].map((name) => document.createElement(name));
  label.className = "find";
  input.type = "search";
  input.placeholder = "words of a row";
  count.setAttribute("role", "status");
  label.append("Find in all tables ", input, count);
  contents.after(label);

  const tables = [...document.querySelectorAll("main table.data")];
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const table of tables) {
      let inside = 0, group = null;
      for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
        if (row.classList.contains("group-row")) {
          group = row;
          row.hidden = words.length > 0;
          continue;
        }
        const text = group ? textOf(group) + textOf(row) : textOf(row);
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) inside += 1;
        if (!row.hidden && group) group.hidden = false;
      }
      (table.closest(".table-block") || table).classList.toggle("found-none", words.length > 0 && inside === 0);
      found += inside;
    }
    document.dispatchEvent(new CustomEvent("rows-found", { detail: words.length > 0 }));
    count.textContent = words.length ? ` ${found} ${found === 1 ? "row" : "rows"}` : "";
  };
  input.addEventListener("input", apply);
})();
