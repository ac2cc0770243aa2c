"""The pages of all samples: what axe-core finds, light and dark, wide and narrow, and that none scrolls sideways."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import axe, browser
from tests.support.sample import STUDIES, sample_report

pytestmark = browser.MARKS

READY = "document.documentElement.dataset.lanes === 'ready'"
OPEN_TWO = "location.hash = `#run=${haledger.runs[0].key}&beside=${haledger.runs[1].key}`"


@pytest.fixture(scope="module", params=STUDIES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_report(str(request.param), tmp_path_factory) / "report.html"


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(page: Path, tab: Any, width: int) -> None:
    tab.look(width=width, height=900)
    tab.open(page)
    tab.wait(READY)
    assert tab.run("document.documentElement.scrollWidth") == width
    axe.prepare(tab)
    has_two = tab.run("haledger.runs.length > 1")
    found = axe.violations(tab) if width == 1280 or not has_two else []  # two runs take nothing off the page
    if has_two:
        tab.run(OPEN_TWO)
        tab.wait("!document.getElementById('lanes-open').hidden")
        assert tab.run("document.documentElement.scrollWidth") == width
        found += axe.violations(tab)
    tab.look(width=width, height=900, scheme="dark")
    found += axe.violations(tab, *axe.OF_COLOURS)
    assert found == []


def click(factory: pytest.TempPathFactory, tab: Any, mark: str) -> None:
    """Click on a mark of a figure of the sample whose runs have no log lines, and so no lanes."""
    tab.look(width=1280, height=900)
    tab.open(sample_report("oltp-cluster-2003", factory) / "report.html")
    tab.wait(READY)
    tab.run(f"document.querySelector({mark!r}).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")


def test_a_dot_whose_line_no_lane_shows_opens_the_list_that_names_it(
    tmp_path_factory: pytest.TempPathFactory, tab: Any
) -> None:
    click(tmp_path_factory, tab, 'svg.chart[data-figure="processors"] path[aria-label*="2 queues, run02: "]')
    assert (
        tab.run("document.querySelector('#lanes-list [aria-current] code').textContent")
        == "queues-02/run02/db2srv1/sar.txt:4"
    )


def test_a_mean_of_all_that_a_figure_shows_opens_a_list_that_names_all(
    tmp_path_factory: pytest.TempPathFactory, tab: Any
) -> None:
    click(tmp_path_factory, tab, 'svg.chart path[aria-label^="Queries on Linux: geometric mean of 12 queries"]')
    named = "[...document.querySelectorAll('#lanes-list h3')].map((each) => each.textContent)"
    pair = ("Queries on Linux", "Queries on z/OS")  # the mean is of the ratios of both
    opened = [f"{each}: query {number}, s" for each in pair for number in range(1, 13)]
    assert sorted(tab.run(named)) == sorted(opened)
    tab.run("new Promise((done) => setTimeout(done, 300))")
    tab.reload(READY)
    assert sorted(tab.run(named)) == sorted(opened)
