"""The page on a telephone: a tap opens a run at its line, fingers move and zoom the lanes, and what is folded opens."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import browser
from tests.support.sample import sample_report

pytestmark = browser.MARKS

READY = "document.documentElement.dataset.lanes === 'ready' && document.documentElement.dataset.figures === 'ready'"
DOTS = 'svg.chart[data-figure="recovery-times"] path[aria-label*=".log:"]'
IS_OPEN = "!document.getElementById('lanes-open').hidden"
CHOSEN = "document.querySelector('#lanes-chosen code')?.textContent || ''"
SPAN = "['from', 'to'].map((each) => Number(new URLSearchParams(location.hash.slice(1)).get(each)))"


@pytest.fixture
def phone(tmp_path_factory: pytest.TempPathFactory, tab: Any) -> Iterator[Any]:
    page = sample_report("failover-modern", tmp_path_factory) / "report.html"
    tab.hold()
    tab.open(page)
    tab.wait(READY)
    yield tab
    tab.put_down()


def test_it_is_as_wide_as_the_screen_and_known_to_be_touched(phone: Any) -> None:
    assert phone.run("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    assert phone.run("matchMedia('(pointer: coarse)').matches")


def test_a_tap_on_a_dot_opens_its_line_and_a_tap_leads_back(phone: Any) -> None:
    count = phone.run(f"document.querySelectorAll({DOTS!r}).length")
    assert count == 12  # runs
    for place in range(0, count, 5):
        phone.run(f"[...document.querySelectorAll({DOTS!r})][{place}].id = 'tapped'")
        where = phone.run("document.getElementById('tapped').getAttribute('aria-label')").rpartition(", ")[2]
        phone.tap("#tapped")
        assert phone.run(IS_OPEN)
        assert phone.run(CHOSEN) == where
        assert phone.run(
            "document.querySelector('.tooltip').hidden || !document.querySelector('.tooltip').offsetHeight"
        )
        phone.tap("#lanes-close")
        phone.wait(f"!({IS_OPEN})")
        phone.run("document.getElementById('tapped').removeAttribute('id')")


def test_the_chosen_mark_lies_above_those_beside_it(phone: Any) -> None:
    phone.tap(DOTS)
    marks = "[...document.querySelectorAll('#lanes-chart .mark')]"
    assert phone.run(f"{marks}.length") > 10
    assert phone.run(f"{marks}.map((each) => each.matches('.now')).lastIndexOf(true)") == phone.run(
        f"{marks}.length - 1"
    )


def test_a_tap_on_a_mark_of_a_lane_chooses_its_line(phone: Any) -> None:
    phone.run("location.hash = `#run=${haledger.runs[0].key}`")
    phone.wait(IS_OPEN)
    assert phone.run(CHOSEN) == ""
    phone.tap("#lanes-chart .mark.grave")
    assert "elm-2" in phone.run(CHOSEN)
    assert phone.run("document.querySelectorAll('#lanes-rows [aria-current]').length") == 1


def test_one_finger_moves_the_lanes_and_two_zoom_them(phone: Any) -> None:
    phone.run("location.hash = `#run=${haledger.runs[0].key}`")
    phone.wait(IS_OPEN)
    phone.run("document.getElementById('lanes-chart').scrollIntoView({block: 'start', behavior: 'instant'})")
    phone.wait(f"{SPAN}[1] > 0")
    top = phone.run("document.getElementById('lanes-chart').getBoundingClientRect().top") + 60
    whole = phone.run(SPAN)
    phone.swipe([(100, top), (200, top)], [(80, top), (220, top)], [(50, top), (250, top)])
    near = phone.run(SPAN)
    assert near[1] - near[0] == pytest.approx((whole[1] - whole[0]) / 2, rel=0.05)
    phone.swipe([(250, top)], [(200, top)], [(150, top)])
    moved = phone.run(SPAN)
    assert moved[1] - moved[0] == pytest.approx(near[1] - near[0], rel=0.01)
    assert moved[0] - near[0] == pytest.approx((near[1] - near[0]) * 100 / 350, rel=0.15)  # as far as the finger


def test_a_tap_folds_and_unfolds(phone: Any) -> None:
    for fold in (".chapter-sql details", ".chapter-behind details"):
        for is_open in (True, False):
            phone.tap(f"{fold} summary")
            assert phone.run(f"document.querySelector('{fold}').open") is is_open


def test_a_tap_on_a_number_opens_its_runs(phone: Any) -> None:
    phone.tap("table.data td a[href^='#runs-']")
    phone.wait(IS_OPEN)
    assert phone.run("document.querySelectorAll('#lanes-list button').length") > 1
    phone.tap("#lanes-list li:nth-child(2) button")
    assert phone.run("document.querySelector('#lanes-list li:nth-child(2) button').ariaCurrent") == "true"
