"""Names of two hundred characters: no text leaves the type area or covers another, and no column is lost."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pypdfium2
import pytest

from reports.document.report import write_report
from tests.support.failover_logs import ingested, slower, write_run, write_timers

Box = tuple[float, float, float, float]
MARGIN = 28.0  # points; the type area of the paper begins further in
NAMES = [f"{'very-long-configuration-name-with-many-parts-' * 5}"[:197] + f"-{place:02d}" for place in range(3)]
LABELS = [
    f"{'A label of two hundred characters that says what this is about ' * 4}"[:198].strip() + f" {place}"
    for place in range(3)
]


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    for place, name in enumerate(NAMES):
        write_timers(folder / "study" / name)
        for run in (1, 2, 3):
            write_run(folder / "study" / name / f"run{run:02d}", slower(8.0 * place + run / 2))
    manifest = f'[study]\ntitle = "{"A title of two hundred characters goes on " * 5}"\nreference = "{NAMES[0]}"\n'
    manifest += "".join(
        f'[configuration."{name}"]\nlabel = "{label}"\n' for name, label in zip(NAMES, LABELS, strict=True)
    )
    (folder / "study" / "study.toml").write_text(manifest)
    store = ingested(folder / "study")
    write_report(store.db, folder / "report", formats=("pdf", "appendix"))
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
