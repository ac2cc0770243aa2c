"""A walk by keys through cells of a report: each opens the lines that the store says are behind it."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from reports.lineage.run_values import MOST_PLACES
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables
from tests.support import browser
from tests.support.sample import sample_report, sample_store

pytestmark = browser.MARKS

SEED, STEPS = 2026, 40
NUMBERS = "table.data[id] td a:is([href^='#runs-'], [href^='#pair-'], [data-behind])"
SHOWN = """(() => {
  const part = (name) => document.getElementById(`lanes-${name}`);
  const isInLane = !part("view").hidden && part("chart").querySelector(".mark.now") !== null;
  return JSON.stringify({
    opened: !part("open").hidden,
    isInLane,
    saysThatNoLane: part("list").querySelector("p")?.textContent.startsWith("No lane shows") || false,
    isFocused: document.activeElement === part("list").querySelector("[aria-current]"),
    line: part(isInLane ? "chosen" : "list").querySelector(isInLane ? "code" : "[aria-current] code")?.innerText || "",
  });
})()"""
CELLS = f"""JSON.stringify([...document.querySelectorAll("{NUMBERS}")].map((link, place) => {{
  link.dataset.walked = place;
  const row = link.closest("tr"), table = link.closest("table");
  const rows = [...table.querySelectorAll("tbody tr:not(.group-row)")];
  return [table.id.replace("table-", ""), rows.indexOf(row), [...row.cells].indexOf(link.closest("td"))];
}}))"""
LISTED = """(() => {
  const link = document.querySelector("[data-walked='PLACE']");
  const list = document.getElementById(link.dataset.behind || link.hash.slice(1));
  const links = list.matches(".pair") ? [...list.querySelectorAll("a")] : [];
  const sides = links.length ? links.map((each) => document.querySelector(each.hash)) : [list];
  return sides.flatMap((each) => [...each.querySelectorAll("code")].flatMap((code) => code.textContent.split("; ")));
})()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, tab: Any) -> Any:
    tab.look(width=1280, height=900)
    tab.open(sample_report("pacemaker-postgresql", tmp_path_factory) / "report.html")
    tab.wait("document.documentElement.dataset.lanes === 'ready'")
    tab.run("history.scrollRestoration = 'manual'")
    return tab


def lines_behind_cells(store: Path) -> dict[tuple[str, int, int], set[str]]:
    """The lines that the store names for each cell, by table, row and column of the page."""
    with opened(store) as connection:
        study = StudyView(connection)
        paths = {row["file_id"]: row["path"] for row in connection.rows("select file_id, path from main.source_file")}
        cells = [
            (table, place, column)
            for table in all_tables(study).values()
            for place, row in enumerate(table.rows)
            for column in range(len(row))
        ]
        behind = connection.behind([table.rows[place][column].origins for table, place, column in cells])
    found: dict[tuple[str, int, int], set[str]] = {}
    for (table, place, column), groups in zip(cells, behind, strict=True):
        lines: set[str] = set()
        for run in (run for group in groups for run in group.runs):
            own = [f"{paths[each.file_id]}:{each.line_no}" for each in run.lines if each.line_no is not None]
            own = list(dict.fromkeys(own))
            lines |= set(own if len(own) <= MOST_PLACES else own[:1])
        found[table.name, place, column - int(table.is_grouped)] = lines
    return found


def by_enter(page: Any, selector: str) -> dict[str, Any]:
    """What is shown after Enter on a link, once Escape has led back to it."""
    page.run(f'document.querySelector("{selector}").focus({{preventScroll: true}})')
    page.press("Enter")
    shown: dict[str, Any] = json.loads(page.run(SHOWN))
    page.press("Escape")
    page.wait("document.getElementById('lanes-open').hidden")
    assert page.run(f'document.activeElement === document.querySelector("{selector}")'), selector
    return shown


def faults_of(shown: dict[str, Any], lines: set[str]) -> list[str]:
    """What is wrong with what a link opened, whose number rests on these lines."""
    wrong = [name for name in ("opened", "isFocused") if not shown[name]]
    if shown["isInLane"] == shown["saysThatNoLane"]:
        wrong.append("neither or both of a lane and the words that there is none")
    if lines.isdisjoint(shown["line"].split("; ")):
        wrong.append(f"{shown['line']!r} is none of {sorted(lines)[:3]}")
    return wrong


def test_cells_open_the_lines_that_the_store_names(page: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    truth = lines_behind_cells(sample_store("pacemaker-postgresql", tmp_path_factory))
    cells = list(enumerate(map(tuple, json.loads(page.run(CELLS)))))
    assert len(cells) > 1000
    wrong = {}
    for place, cell in random.Random(SEED).sample(cells, STEPS):  # noqa: S311  the same cells each time
        lines = truth[cell]
        faults = faults_of(by_enter(page, f"[data-walked='{place}']"), lines)
        listed = set(page.run(LISTED.replace("PLACE", str(place))))
        faults += [f"not listed: {each}" for each in sorted(lines - listed)[:3]]
        if faults:
            wrong[cell] = faults
    assert wrong == {}
