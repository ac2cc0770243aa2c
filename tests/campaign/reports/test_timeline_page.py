"""The page of one run in a real browser: by mouse, wheel and keys, with its state in the address."""

from pathlib import Path
from typing import Any

import pytest

from reports.answers.timeline.page import page as page_of
from reports.timeline.run_timeline import RunTimeline, run_timeline
from tests.support import browser
from tests.support.failover_logs import ingested, write_run, write_timers

pytestmark = browser.MARKS

READY = "document.documentElement.dataset.lanes === 'ready'"
MARKS = "document.querySelectorAll('#lanes-chart .mark').length"
SHOWN = "[...document.querySelectorAll('#lanes-rows tr')].filter((row) => !row.hidden).length"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunTimeline:
    folder = tmp_path_factory.mktemp("timeline") / "study"
    write_timers(folder / "tuned")
    write_run(folder / "tuned" / "run01")
    return run_timeline(ingested(folder).db, "tuned", "run01")


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


def test_lines_are_found_by_words_and_by_severity_and_the_address_keeps_it(page: Any, run: RunTimeline) -> None:
    word = run.lines[0].text.split()[0].lower()
    expected = sum(
        word in f"{line.node} {line.source} {line.severity} {line.text} {line.place}".lower() for line in run.lines
    )
    page.run(f"document.getElementById('lanes-find').value = {word!r}")
    page.run("document.getElementById('lanes-find').dispatchEvent(new Event('input'))")
    assert page.run(SHOWN) == expected
    assert 0 < expected < len(run.lines)
    page.wait("location.hash.includes('find=')")
    page.reload(READY)
    assert page.run(SHOWN) == expected


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
