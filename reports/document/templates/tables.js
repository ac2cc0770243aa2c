// Gives each table buttons: its columns sort it, and it can be copied. Without this the tables read as printed.
(() => {
  const IS_FORMULA = /^[=+\-@\t\r]/; // a spreadsheet would run a pasted cell that begins so (CWE-1236)
  const collator = new Intl.Collator("en", { numeric: true });

  const button = (label, name, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.textContent = label;
    made.addEventListener("click", action);
    return made;
  };
  const words = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
  const headings = (table) => [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  const rowsOf = (body) => [...body.rows].filter((row) => !row.classList.contains("group-row"));

  // --- sorting: a number by its unrounded value; what is missing always comes last --------------------------------
  const compare = (one, other, place, sign) => {
    const [a, b] = [one.cells[place], other.cells[place]];
    const [x, y] = [a.dataset.value, b.dataset.value];
    if (x !== undefined && y !== undefined) return sign * (Number(x) - Number(y));
    if (a.classList.contains("number") && (x !== undefined || y !== undefined)) return x === undefined ? 1 : -1;
    return sign * collator.compare(words(a), words(b));
  };
  const sort = (table, place) => {
    const order = headings(table)[place].ariaSort;
    const next = order === "ascending" ? "descending" : order === "descending" ? "none" : "ascending";
    for (const each of headings(table)) each.ariaSort = "none";
    headings(table)[place].ariaSort = next;
    for (const body of table.tBodies) {
      const rows = rowsOf(body).sort((a, b) => a.dataset.place - b.dataset.place);
      if (next !== "none") rows.sort((a, b) => compare(a, b, place, next === "ascending" ? 1 : -1));
      body.append(...rows);
    }
  };
  const makeSortable = (table) => {
    for (const body of table.tBodies) rowsOf(body).forEach((row, place) => { row.dataset.place = place; });
    headings(table).forEach((head, place) => {
      const sorter = button("", "sort", () => sort(table, place));
      sorter.append(...head.childNodes);
      sorter.title = "Sort by this column";
      head.ariaSort = "none";
      head.append(sorter);
    });
  };

  // --- copying: tab-separated, as printed, with the heading and the groups as a first column ------------------------
  const spannersOf = (table) => {
    const upper = table.querySelector("thead .spanners");
    return upper ? [...upper.cells].flatMap((cell) => Array(cell.colSpan).fill(words(cell))) : [];
  };
  const copied = (cell) => {
    const text = words(cell);
    if (cell.classList.contains("number")) return text.replace(/^\u2212/, "-");
    return IS_FORMULA.test(text) ? `'${text}` : text;
  };
  const tsv = (table) => {
    const spanners = spannersOf(table);
    const head = headings(table).map((cell, place) => [spanners[place], words(cell)].filter(Boolean).join(": "));
    const isGrouped = table.querySelector("tbody .group-row") !== null;
    const lines = [isGrouped ? ["", ...head] : head];
    for (const body of table.tBodies) {
      const group = body.querySelector(".group-row th");
      for (const row of rowsOf(body)) lines.push([...(group ? [copied(group)] : []), ...[...row.cells].map(copied)]);
    }
    return lines.map((line) => line.join("\t") + "\n").join("");
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // an old browser, or one that asks for a permission it does not have
      const take = (event) => {
        event.clipboardData.setData("text/plain", text);
        event.preventDefault();
      };
      document.addEventListener("copy", take, { once: true });
      const isDone = document.execCommand("copy");
      document.removeEventListener("copy", take);
      return isDone;
    }
  };
  const makeCopyable = (table) => {
    const said = document.createElement("span");
    said.className = "said";
    said.setAttribute("role", "status");
    const bar = document.createElement("div");
    bar.className = "table-tools";
    bar.append(said, button("Copy table", "copy", async () => {
      said.textContent = (await copy(tsv(table))) ? "Copied" : "Not copied: select the table instead";
      setTimeout(() => { said.textContent = ""; }, 2500);
    }));
    table.closest(".table-block").prepend(bar);
  };

  for (const table of document.querySelectorAll(".table-block table.data")) {
    makeSortable(table);
    makeCopyable(table);
  }
})();
