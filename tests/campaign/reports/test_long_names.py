"""Names of two hundred characters: no text leaves the type area or covers another, and no column is lost."""

from pathlib import Path
from typing import Any

import pytest

from reports.document.report import write_report
from tests.support import browser, text_boxes
from tests.support.failover_logs import ingested, slower, write_run, write_timers

pytestmark = pytest.mark.xdist_group("browser")

NAMES = [f"{'very-long-configuration-name-with-many-parts-' * 5}"[:197] + f"-{place:02d}" for place in range(3)]
LABELS = [
    f"{'A label of two hundred characters that says what this is about ' * 4}"[:198].strip() + f" {place}"
    for place in range(2)
] + [f"{'Label-without-a-blank-' * 9} 2"]
LOST, SURVIVOR = (f"{f'node-{word}-with-a-long-name-' * 8}"[:195] + f"-{word[:4]}" for word in ("three", "four"))


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    for place, name in enumerate(NAMES):
        write_timers(folder / "study" / name)
        for run in (1, 2, 3):
            write_run(
                folder / "study" / name / f"run{run:02d}", slower(8.0 * place + run / 2, lost=LOST, survivor=SURVIVOR)
            )
    manifest = f'[study]\ntitle = "{"A title of two hundred characters goes on " * 5}"\nreference = "{NAMES[0]}"\n'
    manifest += "".join(
        f'[configuration."{name}"]\nlabel = "{label}"\n' for name, label in zip(NAMES, LABELS, strict=True)
    )
    (folder / "study" / "study.toml").write_text(manifest)
    store = ingested(folder / "study")
    write_report(store.db, folder / "report", formats=("pdf", "appendix", "html"))
    return folder / "report"


@pytest.mark.parametrize("name", ["report.pdf", "report-data.pdf"])
def test_no_text_leaves_the_type_area_or_covers_another(paper: Path, name: str) -> None:
    assert text_boxes.misplaced(paper / name) == []


def test_no_column_is_lost(paper: Path) -> None:
    printed = " ".join(text for _, _, _, texts in text_boxes.of_pages(paper / "report.pdf") for text in texts)
    for heading in (
        "Mean",
        "Difference",
        "Ratio",
        "95 % interval",
        "Verdict",
        "Complete",
        "Db2udb",
        "peerinact",
        "Stable timeout",
    ):
        assert heading in printed, heading


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
def test_the_page_holds_them_wide_and_narrow(paper: Path, tab: Any) -> None:
    for width in (1280, 390):
        tab.look(width=width, height=900)
        tab.open(paper / "report.html")
        tab.wait("document.documentElement.dataset.lanes === 'ready'")
        assert tab.run("document.documentElement.scrollWidth") == width
        assert tab.run(text_boxes.OUTSIDE) == []
        figures = "[...document.querySelectorAll('svg.chart')].filter((each) => each.checkVisibility())"
        hanging = "(each) => each.getBoundingClientRect().right > innerWidth"
        assert tab.run(f"{figures}.filter({hanging}).map((each) => each.dataset.figure)") == []
    tab.look(width=1280, height=900)
    moments = "[...document.querySelectorAll('.table-runs td')].filter((each) => /10:27:04/.test(each.textContent))"
    assert tab.run(f"{moments}.length") > 0
    assert tab.run(f"{moments}.every((each) => each.getBoundingClientRect().right < innerWidth)")


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
def test_lines_of_nodes_with_long_names_are_seen(paper: Path, tab: Any) -> None:
    tab.look(width=1280, height=900)
    tab.open(paper / "report.html")
    tab.wait("document.documentElement.dataset.lanes === 'ready'")
    tab.run("location.hash = `#run=${haledger.runs[0].key}`")
    tab.wait("document.querySelectorAll('#lanes-lines td.text').length > 0")
    for column in ("text", "where"):
        places = (
            f"[...document.querySelectorAll('#lanes-lines td.{column}')].map((each) => each.getBoundingClientRect())"
        )
        assert tab.run(f"{places}.filter((box) => box.right > innerWidth || box.width < 100).length") == 0
    rows = "[...document.querySelectorAll('#lanes-lines tbody tr')]"
    assert tab.run(f"Math.max(...{rows}.map((each) => each.offsetHeight))") < 150
    assert tab.run("document.querySelector('#lanes-lines td.name').title").startswith("node-")
