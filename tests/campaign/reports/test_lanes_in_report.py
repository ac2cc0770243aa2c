"""A whole sample's page in a real browser: every run in it, and the way from a number to its line and back."""

import csv
import io
import json
import re
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import duckdb
import pytest

from tests.support import browser
from tests.support.sample import sample_report, sample_store

pytestmark = browser.MARKS

MOST_BYTES = 3_000_000
READY = "document.documentElement.dataset.lanes === 'ready' && document.fonts.status === 'loaded'"
DOT = 'svg.chart[data-figure="recovery-times"] path[aria-label^="Default parameters, run10:"]'
CELL = "#table-table-3-7 tbody tr:first-child td:last-child a"
CHOSEN = "document.getElementById('lanes-chosen').textContent"
TITLE = "document.getElementById('lanes-title').textContent"
IS_OPEN = "!document.getElementById('lanes-open').hidden"
IS_CLOSED = "document.getElementById('lanes-open').hidden"
MARK_IN_LANE = "document.querySelectorAll('#lanes-chart .mark.now').length === 1"
FOCUSED = "document.activeElement"


class Sample:
    """The page of a sample, and its store."""

    def __init__(self, store: Path, page: Path) -> None:
        self.store = store
        self.page = page

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.store), read_only=True) as connection:
            return connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    folder = sample_report("failover-2004", tmp_path_factory)
    return Sample(sample_store("failover-2004", tmp_path_factory), folder / "report.html")


@pytest.fixture
def page(sample: Sample, tab: Any) -> Any:
    tab.requests.clear()
    tab.complaints.clear()
    tab.look(width=1280, height=900)
    tab.open(sample.page)
    tab.wait(READY)
    yield tab
    assert tab.complaints == []
    assert [each for each in tab.requests if not each.startswith(("data:", "file:"))] == []


def test_every_line_of_every_run_is_in_a_file_that_can_be_sent(page: Any, sample: Sample) -> None:
    assert sample.page.stat().st_size <= MOST_BYTES
    kept = page.run("haledger.runs.map((run) => [run.configuration, run.run, run.at.length])")
    counted = sample.rows("select configuration, run, count(*) from event where run is not null group by all")
    assert sorted(map(tuple, kept)) == sorted(counted)
    assert page.run("document.querySelectorAll('#lanes-runs [role=option]').length") == len(counted) == 90


def test_a_dot_opens_its_line_by_keyboard_and_escape_leads_back(page: Any) -> None:
    page.run("document.querySelector('svg.chart[data-figure=\"recovery-times\"]').focus()")
    while "run0" not in page.run("document.querySelector('.tooltip').textContent"):  # before them the mean
        page.press("ArrowRight")
    page.press("Enter")
    assert page.run(TITLE) == "Default parameters, run01"
    assert page.run(MARK_IN_LANE)
    page.press("Escape")
    page.wait(IS_CLOSED)
    assert page.run(f"{FOCUSED}.dataset.figure") == "recovery-times"


def test_a_mean_opens_its_runs_each_at_its_line(page: Any) -> None:
    page.run("document.querySelector('svg.chart[data-figure=\"recovery-times\"]').focus()")
    page.press("ArrowRight")
    page.press("Enter")
    assert page.run("document.querySelectorAll('#lanes-list button').length") == 10
    assert page.run("document.querySelector('#lanes-list p')") is None
    for run in ("run01", "run02"):
        assert page.run(TITLE) == f"Default parameters, {run}"
        assert f"default/{run}/" in page.run(CHOSEN)
        assert page.run(MARK_IN_LANE)
        page.press("ArrowDown")
    clicked = f"document.querySelector({DOT!r}).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    page.run(f"for (let n = 0; n < 60; n += 1) {clicked}")
    page.press("Escape")  # more steps back than a browser keeps
    page.wait(IS_CLOSED)


def test_a_cell_opens_its_runs_in_place_and_each_leads_to_its_line(page: Any) -> None:
    page.run(f"document.querySelector({CELL!r}).scrollIntoView({{block: 'start', behavior: 'instant'}})")
    page.run(f"document.querySelector({CELL!r}).focus()")
    page.press("Enter")
    listed = page.run("[...document.querySelectorAll('#lanes-list button')].map((each) => each.textContent)")
    assert [re.match(r"run\d\d", each)[0] for each in listed] == [f"run{each:02}" for each in range(1, 11)]  # type: ignore[index]  # a list of runs
    assert page.run(TITLE) == "Default parameters, run01"
    assert "Crash recovery completed" in page.run(CHOSEN)
    assert page.run(MARK_IN_LANE)
    page.press("ArrowDown")
    assert page.run(TITLE) == "Default parameters, run02"
    assert "default/run02/" in page.run(CHOSEN)
    visible_rows = "document.querySelector('#lanes').getBoundingClientRect().top"
    assert page.run(f"document.querySelector({CELL!r}).getBoundingClientRect().bottom <= {visible_rows}")
    page.click("#lanes-close")
    page.wait(IS_CLOSED)
    assert page.run(f"{FOCUSED} === document.querySelector({CELL!r})")


def test_a_claim_opens_its_runs_and_leads_to_its_statement(page: Any) -> None:
    page.click("#table-claims td.number a[data-behind]")
    assert page.run("document.querySelectorAll('#lanes-list button').length") > 0
    page.click("#lanes-list > a")
    page.wait(IS_CLOSED)
    assert page.run("location.hash").startswith("#sql-claim-")
    page.wait("Math.abs(document.querySelector(location.hash).getBoundingClientRect().top) < 900")  # it scrolls there


def test_three_tab_stops_lead_to_the_content(page: Any) -> None:
    page.run("document.body.focus()")
    for _ in range(3):
        page.press("Tab")
    assert page.run(f"{FOCUSED}.closest('a.skip, nav, #lanes') === null && {FOCUSED}.closest('body') !== null")
    assert page.run(f"{FOCUSED}.closest('.card, main') !== null")


def test_the_strip_opens_runs_and_puts_one_beside_by_keyboard(page: Any) -> None:
    page.run("document.getElementById('lanes-runs').focus()")
    page.press("ArrowRight")
    page.press("Enter")
    assert page.run(TITLE) == "Default parameters, run02"
    page.run("document.getElementById('lanes-runs').focus()")
    for _ in range(10):
        page.press("ArrowRight")
    page.press("Enter", shift=True)
    assert page.run(TITLE) == "Default parameters, run02 (A) and Tuned parameters, run02 (B)"
    assert page.run("document.querySelectorAll('#lanes-runs [aria-selected=true]').length") == 2


def test_two_runs_are_aligned_and_their_differences_listed(page: Any, sample: Sample) -> None:
    page.run("location.hash = '#run=default/run01&beside=tuned/run01'")
    page.wait(IS_OPEN)
    zeros = page.run("[...document.querySelectorAll('#lanes-chart .fault')].map((each) => +each.getAttribute('x'))")
    assert len(zeros) == 2
    assert zeros[0] == pytest.approx(zeros[1], abs=30)
    shown = page.run(
        "Object.fromEntries([...document.querySelectorAll('#lanes-differences tbody tr')].map((row) =>"
        " [row.cells[0].textContent, [...row.cells].slice(1).map((cell) => cell.textContent)]))"
    )
    query = "select elapsed_s from milestone where run = 'run01' and milestone = 'complete' and configuration = "
    (default,), (tuned,) = (sample.rows(f"{query}'{name}'")[0] for name in ("default", "tuned"))
    row = shown["crash recovery complete after t = 0"]
    assert [float(each.rstrip(" s").replace("\u2212", "-")) for each in row] == pytest.approx(
        [default, tuned, tuned - default], abs=0.051
    )
    assert any("only in A" in name for name in shown)
    assert any("only in B" in name for name in shown)
    assert not any("membership" in name and "only in" in name for name in shown)  # generations alone, in hexadecimal


def test_the_address_keeps_what_is_shown(page: Any) -> None:
    page.click(CELL)
    page.run("document.getElementById('lanes-chart').focus()")
    page.press("+")
    page.press("ArrowDown")
    page.run("new Promise((done) => setTimeout(done, 300))")
    before = page.run(f"[location.hash, {TITLE}, {CHOSEN}, document.querySelectorAll('#lanes-list button').length]")
    page.reload(f"{READY} && {IS_OPEN}")
    assert (
        page.run(f"[location.hash, {TITLE}, {CHOSEN}, document.querySelectorAll('#lanes-list button').length]")
        == before
    )


def test_the_way_back_is_that_of_the_browser_too(page: Any) -> None:
    page.click(DOT)
    page.run("document.getElementById('lanes-run').value = 'tuned/run05'")
    page.run("document.getElementById('lanes-run').dispatchEvent(new Event('change'))")
    assert page.run(TITLE) == "Tuned parameters, run05"
    page.run("history.back()")
    page.wait(f"{TITLE} === 'Default parameters, run10'")
    page.run("history.back()")
    page.wait(IS_CLOSED)


LINES_OF_RUN = """
    select
        epoch(e.at) - epoch(r.fault_at),
        e.configuration,
        e.run,
        e.node,
        e.source,
        coalesce(e.severity, ''),
        if(e.process is null, e.text, e.process || ': ' || e.text),
        f.path || ':' || e.line_no
    from event as e
    join source_file as f using (file_id)
    join run as r on e.configuration = r.configuration and e.run = r.run
    where e.configuration = 'default' and e.run = 'run05'
    order by e.at, f.path, e.line_no, e.part
"""
COLUMNS = ["seconds", "configuration", "run", "node", "source", "severity", "text", "place"]


def test_what_is_saved_and_read_again_is_what_the_store_holds(page: Any, sample: Sample, tmp_path: Path) -> None:
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.run("location.hash = '#run=default/run05'")
    page.wait(IS_OPEN)
    saved = {}
    for button, suffix in (("csv", "csv"), ("svg", "svg"), ("trace", "json")):
        page.click(f"#lanes-{button}")
        saved[suffix] = saved_file(tmp_path / f"default-run05.{suffix}")
    lines = sample.rows(LINES_OF_RUN)
    table = list(csv.DictReader(io.StringIO(saved["csv"], newline="")))
    assert list(table[0]) == COLUMNS
    assert [tuple(row.values())[1:] for row in table] == [line[1:] for line in lines]
    assert [float(row["seconds"]) for row in table] == pytest.approx([line[0] for line in lines], abs=1e-6)
    instants = [each for each in json.loads(saved["json"])["traceEvents"] if each["ph"] == "i"]
    assert [each["args"]["line"] for each in instants] == [line[-1] for line in lines]
    assert [each["args"]["seconds after zero"] for each in instants] == pytest.approx([line[0] for line in lines])
    assert [(each["ts"] - instants[0]["ts"]) / 1e6 for each in instants] == pytest.approx(
        [line[0] - lines[0][0] for line in lines], abs=1e-6
    )  # a trace counts in microseconds
    picture = ET.fromstring(saved["svg"])
    words = " ".join("".join(each.itertext()) for each in picture.iter("{http://www.w3.org/2000/svg}text"))
    assert (
        {node for (node,) in sample.rows("select distinct node from event where run = 'run05'")}
        >= set(re.findall(r"sun-ha\d", words))
        != set()
    )


def saved_file(path: Path) -> str:
    """The content of a download, once it is whole."""
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return path.read_bytes().decode("utf-8")


def test_without_what_unpacks_the_page_says_so(sample: Sample, tab: Any) -> None:
    script = tab.call("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
    tab.look(width=1280, height=900)
    tab.open(sample.page)
    tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    assert "DecompressionStream" in tab.run("document.getElementById('lanes-refusal').innerText")
    tab.click(CELL)
    assert tab.run("location.hash").startswith("#runs-")  # the list lower on the page
