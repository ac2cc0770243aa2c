"""The mean of a figure, chosen in a real browser, opens the list of the runs that it is the mean of."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support import browser
from tests.support.sample import sample_report

pytestmark = browser.MARKS

CHOSEN = """(() => {
  const find = (name) => document.getElementById(`lanes-${name}`);
  const marks = [...document.querySelectorAll("svg.chart path[aria-label]")];
  return JSON.stringify(marks.filter((each) => / mean /.test(each.getAttribute("aria-label"))).map((mark) => {
    history.replaceState(null, "", "#");
    window.dispatchEvent(new PopStateEvent("popstate"));
    mark.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    const values = [...find("list").querySelectorAll("li b")].map((each) => Number(each.textContent));
    return [mark.getAttribute("aria-label"), find("list").querySelector("h3")?.textContent || "", values];
  }));
})()"""


@pytest.fixture
def page(tmp_path_factory: pytest.TempPathFactory, tab: Any) -> Any:
    tab.look(width=1280, height=900)
    tab.open(Path(sample_report("pgbench-synccommit", tmp_path_factory)) / "report.html")
    tab.wait("document.documentElement.dataset.lanes === 'ready'")
    return tab


def test_each_mean_opens_the_runs_of_its_own_metric_device_and_load(page: Any) -> None:
    """Throughput, latency and four metrics of a disk, of two configurations."""
    found = json.loads(page.run(CHOSEN))
    assert len(found) >= 12
    for said, opened, values in found:
        label, _, rest = said.partition(": mean ")
        of = re.search(r"\(([^()]*(?:\(.*\))?[^()]*)\)$", rest)
        assert of is not None, said
        assert opened.startswith(f"{label}: "), (said, opened)
        assert [part for part in of[1].split(", ") if part not in opened] == [], (said, opened)
        printed = re.search(r": mean ([\d\s.]+) \(", said)
        assert printed is not None, said
        mean = float(re.sub(r"\s", "", printed[1]))
        assert sum(values) / len(values) == pytest.approx(mean, rel=0.06), said
