// Shows the rows of all tables that hold some words, and lists in the contents which tables hold how many of them; without any words, all.
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
  const listed = new Map([...document.querySelectorAll("nav.contents .toc a")].map((link) => [link.hash.slice(1), link.closest("li")]));
  const said = new Map();
  const inWords = (rows) => ` ${rows} ${rows === 1 ? "row" : "rows"}`;
  const say = (item, text) => {
    if (!said.has(item)) {
      const rows = document.createElement("span");
      rows.className = "found-rows";
      item.append(rows);
      said.set(item, rows);
    }
    said.get(item).textContent = text;
  };
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const unlisted = new Map(); // rows of tables that the contents list by their chapter alone
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
      const item = listed.get(table.id), chapter = listed.get(table.closest(".chapter")?.querySelector("h2").id);
      if (item) {
        item.hidden = words.length > 0 && inside === 0;
        say(item, words.length ? inWords(inside) : "");
      } else if (chapter) unlisted.set(chapter, (unlisted.get(chapter) || 0) + inside);
      found += inside;
    }
    for (const [chapter, inside] of unlisted) say(chapter, words.length && inside ? inWords(inside) : "");
    document.dispatchEvent(new CustomEvent("rows-found", { detail: words.length > 0 }));
    count.textContent = words.length ? inWords(found) : "";
  };
  input.addEventListener("input", apply);
})();
