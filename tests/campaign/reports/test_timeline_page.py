"""The page of one run in a real browser: by mouse, wheel and keys, with its state in the address."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.study import manifest
from reports.answers.timeline.page import page as page_of
from reports.timeline.run_timeline import Curve, LogLine, RunTimeline, run_timeline
from tests.support import browser
from tests.support.failover_logs import ingested, write_run, write_timers

pytestmark = browser.MARKS

READY = "document.documentElement.dataset.lanes === 'ready'"
MARKS = "document.querySelectorAll('#lanes-chart .mark').length"
SHOWN = "[...document.querySelectorAll('#lanes-rows tr')].filter((row) => !row.hidden).length"
CHOSEN = "document.getElementById('lanes-chosen').textContent"
PLACES = "[...document.querySelectorAll('#lanes-rows .where')].map((each) => each.title || each.textContent)"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunTimeline:
    folder = tmp_path_factory.mktemp("timeline") / "study"
    write_timers(folder / "tuned")
    write_run(folder / "tuned" / "run01")
    found = run_timeline(ingested(folder).db, "tuned", "run01")
    return replace(found, curves=(Curve("Transactions", "1/s", ((0.0, 512.0), (1.0, 0.0), (9.0, 500.0))),))


def said(line: LogLine) -> str:
    return f"{line.node} {line.source} {line.severity} {line.text} {line.place}"


@pytest.fixture
def page(run: RunTimeline, tab: Any, tmp_path: Path) -> Any:
    path = tmp_path / "run01.html"
    path.write_text(page_of(run), encoding="utf-8")
    tab.requests.clear()
    tab.complaints.clear()
    tab.look(width=1200, height=900)
    tab.open(path)
    tab.wait(READY)
    return tab


def press(tab: Any, key: str) -> None:
    tab.run("document.getElementById('lanes-chart').focus()")
    tab.press(key)


def span(tab: Any) -> float:
    """Seconds from the left end to the right one, by the address."""
    tab.run("new Promise((done) => setTimeout(done, 300))")  # the address follows a moment later
    kept = dict(part.split("=") for part in tab.run("location.hash.slice(1)").split("&"))
    return float(kept["to"]) - float(kept["from"])


def test_it_asks_nobody_and_shows_every_line(page: Any, run: RunTimeline) -> None:
    assert [each for each in page.requests if not each.startswith(("data:", "file:"))] == []
    assert page.complaints == []
    assert page.run(SHOWN) == len(run.lines)
    press(page, "0")
    assert page.run(MARKS) == len(run.lines)


def test_wheel_and_keys_zoom_and_move(page: Any) -> None:
    press(page, "0")
    whole = span(page)
    box = page.run("[...(({ x, y }) => [x, y])(document.getElementById('lanes-chart').getBoundingClientRect())]")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=box[0] + 600, y=box[1] + 60, deltaX=0, deltaY=-100)
    assert span(page) < whole
    near = span(page)
    press(page, "+")
    assert span(page) < near
    kept = span(page)
    press(page, "ArrowRight")
    assert span(page) == pytest.approx(kept, abs=0.01)
    press(page, "0")
    assert span(page) == whole


def ask(tab: Any, text: str) -> None:
    tab.run(f"document.getElementById('lanes-find').value = {text!r}")
    tab.run("document.getElementById('lanes-find').dispatchEvent(new Event('input'))")


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ("vcs RESOURCE", lambda line: "vcs" in line.source and "resource" in line.text.lower()),
        ("online|offline", lambda line: "online" in line.text.lower() or "offline" in line.text.lower()),
        ("vcs -resource", lambda line: line.source == "vcs" and "resource" not in line.text.lower()),
        ("NOT (vcs OR gab)", lambda line: not re.search("vcs|gab", said(line), re.IGNORECASE)),
        ("/^Resource .* is online/", lambda line: re.search("^Resource .* is online", line.text)),
        ("..20 resource", lambda line: line.at_s <= 20 and "resource" in said(line).lower()),
    ],
)
def test_lines_are_found_by_what_is_asked_and_the_address_keeps_it(
    page: Any, run: RunTimeline, asked: str, is_found: Callable[[LogLine], object]
) -> None:
    expected = [line.place for line in run.lines if is_found(line)]
    ask(page, asked)
    assert 0 < len(expected) < len(run.lines)
    assert page.run(PLACES) == expected
    page.wait("location.hash.includes('find=')")
    page.reload(READY)
    assert page.run(PLACES) == expected
    press(page, "0")
    page.run("document.getElementById('lanes-find').focus()")
    for place in expected[:2]:
        page.press("Enter")
        assert place in page.run(CHOSEN)


def test_what_cannot_be_read_is_said_and_hides_nothing(page: Any, run: RunTimeline) -> None:
    ask(page, "/(/")
    assert page.run(SHOWN) == len(run.lines)
    assert "Invalid regular expression" in page.run("document.getElementById('lanes-count').textContent")


def test_lines_of_milestones_are_shown_alone_or_marked_among_all(page: Any, run: RunTimeline) -> None:
    steps = {step.place for step in run.steps}
    page.run("document.getElementById('lanes-grade').value = 'step'")
    page.run("document.getElementById('lanes-grade').dispatchEvent(new Event('change'))")
    assert set(page.run(PLACES)) == steps
    page.click("#lanes-marking")
    assert page.run(SHOWN) == len(run.lines)
    assert page.run("document.querySelectorAll('#lanes-rows .hit').length") == len(steps)


def test_a_lane_is_hidden_by_its_name_and_stays_so(page: Any, run: RunTimeline) -> None:
    node, source = run.lanes[0]
    page.click(".tools summary")
    page.click("#lanes-lanes input")
    expected = [line.place for line in run.lines if (line.node, line.source) != (node, source)]
    assert page.run(PLACES) == expected
    page.wait("location.hash.includes('hide=')")
    page.reload(READY)
    assert page.run(PLACES) == expected


def test_two_lines_are_measured_by_keys(page: Any, run: RunTimeline) -> None:
    for key in ("0", "ArrowDown", "m", "ArrowDown", "ArrowDown"):
        press(page, key)
    assert f"{run.lines[2].at_s - run.lines[0].at_s:+.3f} s from".replace("+0.000", "\u00b10.000") in page.run(CHOSEN)
    press(page, "m")
    assert " s from " not in page.run(CHOSEN)


def test_rates_and_disks_are_drawn_below_the_lanes(page: Any) -> None:
    assert page.run("[...document.querySelectorAll('#lanes-chart .curve')].map((each) => each.points.length)") == [3]
    assert "0 to 512 1/s" in page.run("document.getElementById('lanes-chart').textContent")


def test_what_is_noted_in_the_page_is_what_study_toml_says(page: Any, run: RunTimeline) -> None:
    for key in ("0", "ArrowDown", "ArrowDown"):
        press(page, key)
    page.run("document.querySelectorAll('.tools details')[1].open = true")
    for text, button in (('a "switch" tripped', "note"), ("", "fault-at"), ("wrong node", "exclude")):
        page.run(f"document.getElementById('lanes-words').value = {text!r}")
        page.run(f"document.getElementById('lanes-{button}').click()")
    declared = manifest.parse(page.run("document.getElementById('lanes-toml').value").encode())
    (known,), (event,) = declared.runs, declared.events
    assert {(each.configuration, each.run) for each in (known, event)} == {("tuned", "run01")}
    assert {known.fault_at, event.at} == {run.lines[1].at}
    assert (known.exclude, event.text) == ("wrong node", 'a "switch" tripped')


def test_it_fits_a_telephone(page: Any) -> None:
    page.look(width=390, height=800)
    assert page.run("document.documentElement.scrollWidth") <= 390


CROSSED = """
(() => {
  const chart = document.getElementById("lanes-chart"), box = (each) => each.getBoundingClientRect();
  const isBefore = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
  const all = (selector) => [...chart.querySelectorAll(selector)];
  const [texts, lines, grounds] = ["text", "line.step, line.grid", ".ground"].map(all);
  const met = texts.flatMap((text) => {
    const { left, right, top, bottom } = box(text);
    const isThrough = ([line, place]) => isBefore(line, text) && place.left > left && place.left < right
      && place.top < bottom - 4 && place.bottom > top + 4;
    const through = lines.map((line) => [line, box(line)]).filter(isThrough);
    return through.map(([line, place]) => [text, line, place.left, top, bottom]);
  });
  const seen = met.filter(([text, line, at, top, bottom]) => !grounds.some((ground) => {
    const place = box(ground);
    return isBefore(line, ground) && isBefore(ground, text) && place.left < at - 1 && place.right > at + 1
      && place.top < top + 3 && place.bottom > bottom - 3;
  }));
  return [met.length, seen.map(([text]) => text.textContent)];
})()
"""


@pytest.mark.parametrize("width", [1200, 390])
def test_no_line_is_seen_through_a_text(page: Any, width: int) -> None:
    page.look(width=width, height=900)
    met = 0
    for key in ("f", "-", "-", "+", "ArrowLeft"):
        press(page, key)
        found, seen = page.run(CROSSED)
        assert seen == [], key
        met += found
    assert met > 3  # else there was nothing to cover
