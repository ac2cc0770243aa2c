"""Every doubt of a report: from it to its log line in its lane, or to its place and text; by mouse, keys and touch."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.document.report import write_report
from reports.study.store import opened
from reports.study.view import StudyView
from reports.words import Doubt, doubts
from tests.support import browser
from tests.support.failover_logs import ingested, slower, write_run, write_timers
from tests.support.sample import made_once, sample_report, sample_store

pytestmark = browser.MARKS

REJECTED = "2003/07/45 10:27:04 VCS NOTICE V-16-1-10322 a day that no month has"
LINKS = """JSON.stringify([...document.querySelectorAll(".doubts a[href^='#doubt-']")].map((link, place) => {
  link.dataset.walked = place;
  const fold = link.closest("details");
  if (fold) fold.dataset.fold = place;
  return [link.hash.slice(1), fold !== null];
}))"""
SHOWN = """(() => {
  const part = (name) => document.getElementById(`lanes-${name}`);
  const marks = part("view").hidden ? 0 : part("chart").querySelectorAll(".mark.now").length;
  const entry = part("list").querySelector("[aria-current]");
  const where = (marks ? part("chosen") : entry)?.querySelector("code");
  const box = where?.getClientRects()[0] || { x: -1, y: -1, width: 0, height: 0 }; // of two lines the first
  const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return JSON.stringify({
    opened: !part("open").hidden,
    marks,
    saysThatNoLane: part("list").querySelector("p")?.textContent.startsWith("No lane shows") || false,
    isSeen: seen !== null && where.contains(seen),
    place: where?.textContent || "",
    text: (marks ? part("chosen") : entry)?.textContent || "",
  });
})()"""


def small_study(folder: Path) -> None:
    """Three configurations: runs far apart, few of them, and logs of which many lines are of no format."""
    for configuration, runs in (("alpha", 10), ("beta", 3), ("gamma", 1)):
        write_timers(folder / "study" / configuration)
        for run in range(1, runs + 1):
            place = folder / "study" / configuration / f"run{run:02d}"
            write_run(place, slower(run % 3 * 0.7 + (90 if run == 7 else 0)))
            if run == 1:
                log = max(place.glob("*/engine_A.log"), key=lambda each: each.stat().st_size)
                log.write_text(log.read_text() + f"{REJECTED}\n" * 3)
    write_report(ingested(folder / "study").db, folder, formats=("html",))


def of_small_study(factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = made_once("report of many doubts", factory, small_study)
    return folder / "study-store.duckdb", folder / "report.html"


def of_sample(name: str) -> Callable[[pytest.TempPathFactory], tuple[Path, Path]]:
    return lambda factory: (sample_store(name, factory), sample_report(name, factory) / "report.html")


STUDIES = {
    "small": (of_small_study, 6),
    "pacemaker-postgresql": (of_sample("pacemaker-postgresql"), 5),
    "leaders": (of_sample("leaders"), 28),
    "failover-2004": (of_sample("failover-2004"), 2),
}


def faults_of(shown: dict[str, Any], doubt: Doubt) -> list[str]:
    wrong = [] if shown["opened"] else ["nothing opened"]
    if not shown["isSeen"]:
        wrong.append("not in view")
    if shown["place"] not in {line.place for line in doubt.lines}:
        wrong.append(f"{shown['place']!r} is no line of it")
    if shown["marks"] > 1 or (shown["marks"] == 0) != shown["saysThatNoLane"]:
        wrong.append(f"{shown['marks']} marks, and words that there is no lane: {shown['saysThatNoLane']}")
    return wrong


def by_mouse(page: Any, link: str) -> None:
    page.click(link)


def by_keys(page: Any, link: str) -> None:
    page.run(f"document.querySelector({link!r}).focus({{preventScroll: true}})")
    page.press("Enter")


def by_touch(page: Any, link: str) -> None:
    page.tap(link)


def on_a_desk(page: Any) -> None:
    page.put_down()
    page.look(width=1280, height=900)


def in_a_hand(page: Any) -> None:
    page.hold()


WALKS = {by_mouse: on_a_desk, by_keys: on_a_desk, by_touch: in_a_hand}


def leave(page: Any, go: Callable[[Any, str], None]) -> None:
    """Back to the report: a telephone has no Escape."""
    if go is by_touch:
        page.tap("#lanes-close")
    else:
        page.press("Escape")
    page.wait("document.getElementById('lanes-open').hidden")


@pytest.mark.parametrize("name", STUDIES)
def test_each_doubt_leads_to_its_line_in_at_most_two_actions(
    name: str, tab: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """One opens the fold that doubts of a kind are in, where they are many; one follows the link.

    By touch one doubt of each kind is walked to.
    """
    make, least = STUDIES[name]
    store, path = make(tmp_path_factory)
    with opened(store) as connection:
        found = {each.anchor: each for each in doubts(StudyView(connection)) if each.lines}
    assert len(found) >= least
    wrong, rejected = {}, []
    for go, be_held in WALKS.items():
        be_held(tab)
        tab.open(path)
        tab.wait("document.documentElement.dataset.lanes === 'ready'")
        tab.run("history.scrollRestoration = 'manual'")
        links = json.loads(tab.run(LINKS))
        assert {anchor for anchor, _ in links} == found.keys()
        kinds = set()
        for place, (anchor, is_folded) in enumerate(links):
            if go is by_touch and (found[anchor].kind, is_folded) in kinds:  # what follows a tap follows a click
                continue
            kinds.add((found[anchor].kind, is_folded))
            link = f"[data-walked='{place}']"
            fold = f"document.querySelector(\"{link}\").closest('details')"
            if is_folded and not tab.run(f"{fold}.open"):
                tab.run(f"{fold}.querySelector('summary').dataset.opens = {place}")
                go(tab, f"[data-opens='{place}']")
                tab.wait(f"{fold}.open")
            go(tab, link)
            shown = json.loads(tab.run(SHOWN))
            if faults := faults_of(shown, found[anchor]):
                wrong[go.__name__, found[anchor].text] = faults
            if found[anchor].kind == "rejected_lines":
                rejected.append(REJECTED in shown["text"])
            leave(tab, go)
    tab.put_down()
    assert wrong == {}
    assert all(rejected)
    assert name != "small" or rejected
