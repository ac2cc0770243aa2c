"""Every dot, bar, box, cell and doubt of a page in a real browser: each leads to a line in one action."""

import json
from typing import Any

import pytest

from tests.support import browser
from tests.support.sample import sample_report

pytestmark = browser.MARKS

READY = "document.documentElement.dataset.lanes === 'ready'"
AT_ONCE = 40
SHOWN = """
const find = (name) => document.getElementById(`lanes-${name}`);
const close = () => { history.replaceState(null, "", "#"); window.dispatchEvent(new PopStateEvent("popstate")); };
const shown = () => {
  if (find("open").hidden) return "";
  const inLane = !find("view").hidden && find("chosen").querySelector("code");
  return (inLane || find("list").querySelector("[aria-current] code"))?.textContent || "";
};
"""
BY_MOUSE = """(() => {%s
  const numbers = "table.data td a:is([href^='#runs-'], [href^='#pair-'])";
  const targets = [...document.querySelectorAll(`svg.chart path[aria-label], ${numbers}, .doubts a`)];
  return JSON.stringify(targets.slice(FROM, FROM + %d).map((target) => {
    close();
    target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return [target.getAttribute("aria-label") || target.closest("tr, li").textContent, shown()];
  }));
})()"""
BY_KEYS = """(() => {%s
  const press = (chart, key) => chart.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const marks = [...document.querySelectorAll("svg.chart path[aria-label]")];
  const targets = marks.map((mark) => [mark.closest("svg"), mark]);
  return JSON.stringify(targets.slice(FROM, FROM + %d).map(([chart, mark]) => {
    close();
    press(chart, "ArrowRight");
    press(chart, "Enter");
    return [mark.getAttribute("aria-label"), shown()];
  }));
})()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, tab: Any) -> Any:
    tab.look(width=1280, height=900)
    tab.open(sample_report("failover-modern", tmp_path_factory) / "report.html")
    tab.wait(READY)
    return tab


def walked(page: Any, script: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    while more := json.loads(page.run((script % (SHOWN, AT_ONCE)).replace("FROM", str(len(found))))):
        found += [(said, line) for said, line in more]
    return found


@pytest.mark.parametrize(("script", "least"), [(BY_MOUSE, 300), (BY_KEYS, 25)], ids=["mouse", "keys"])
def test_each_leads_to_a_line_in_one_action(page: Any, script: str, least: int) -> None:
    found = walked(page, script)
    assert len(found) > least
    assert [said for said, line in found if not line] == []
    assert [(said, line) for said, line in found if ".log:" in said and not said.endswith(line)] == []


def test_the_height_of_what_is_open_is_no_style_of_the_whole_report(page: Any) -> None:
    page.run(
        "document.querySelector('svg.chart path[aria-label]').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    dock = "getComputedStyle({}).getPropertyValue('--dock')"
    height = page.run("`${document.getElementById('lanes').offsetHeight}px`")
    assert [page.run(dock.format(f"document.{each}")) for each in ("documentElement", "body")] == [height, height]
    assert page.run("getComputedStyle(document.body).paddingBottom") == height != "0px"
    assert (
        page.run(dock.format("document.querySelector('main')")) == "0px"
    )  # an inherited one styles every element anew
