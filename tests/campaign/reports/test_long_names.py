"""Names of two hundred characters: no text leaves the type area or covers another, and no column is lost."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from reports.document.report import write_report
from tests.support import browser
from tests.support.failover_logs import ingested, slower, write_run, write_timers

pytestmark = pytest.mark.xdist_group("browser")

Box = tuple[float, float, float, float]
MARGIN = 28.0  # points; the type area of the paper begins further in
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


def boxes(path: Path) -> Iterator[tuple[int, tuple[float, float], list[Box], list[str]]]:
    """Of every page its number, its size, and the boxes of its texts with what they say."""
    with pypdfium2.PdfDocument(path) as document:
        for number, page in enumerate(document, 1):
            text = page.get_textpage()
            found = [text.get_rect(place) for place in range(text.count_rects())]
            yield number, page.get_size(), found, [text.get_text_bounded(*each) for each in found]


@pytest.mark.parametrize("name", ["report.pdf", "report-data.pdf"])
def test_no_text_leaves_the_type_area_or_covers_another(paper: Path, name: str) -> None:
    wrong = []
    for number, (width, height), found, texts in boxes(paper / name):
        for box, text in zip(found, texts, strict=True):
            if box[0] < MARGIN or box[2] > width - MARGIN or box[1] < MARGIN / 2 or box[3] > height - MARGIN / 2:
                wrong.append((number, "outside", text))
        for (one, first), (other, second) in combinations(zip(found, texts, strict=True), 2):
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            if across > 1.5 and down > 0.45 * min(one[3] - one[1], other[3] - other[1]):
                wrong.append((number, first, second))
    assert wrong == []


def test_no_column_is_lost(paper: Path) -> None:
    printed = " ".join(text for _, _, _, texts in boxes(paper / "report.pdf") for text in texts)
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


OUTSIDE = """
(() => {
  const outside = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, range = document.createRange();
    if (!node.data.trim() || !node.parentElement.checkVisibility() || node.parentElement.closest(".scroll")) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    if (boxes.some((box) => box.left < 0 || box.right > innerWidth)) outside.push(node.data);
  }
  return outside;
})()
"""


@pytest.mark.skipif(browser.program() is None, reason="no Chromium on the PATH or in HALEDGER_CHROMIUM")
def test_the_page_holds_them_wide_and_narrow(paper: Path, tab: Any) -> None:
    for width in (1280, 390):
        tab.look(width=width, height=900)
        tab.open(paper / "report.html")
        tab.wait("document.documentElement.dataset.lanes === 'ready'")
        assert tab.run("document.documentElement.scrollWidth") == width
        assert tab.run(OUTSIDE) == []
        figures = "[...document.querySelectorAll('svg.chart')].filter((each) => each.checkVisibility())"
        hanging = "(each) => each.getBoundingClientRect().right > innerWidth"
        hung = tab.run(f"{figures}.filter({hanging}).map((each) => each.dataset.figure)")
        assert set(hung) <= {"dependencies"}  # its boxes have fixed places: it scrolls by itself
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
