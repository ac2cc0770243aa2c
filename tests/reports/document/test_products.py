"""Tables and figures on their own: in the order of the report, by name or by the number that pages print."""

import re
import shlex
import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from math import inf
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pypdf import PdfReader

from pipeline.ask.check.verdict import Verdict
from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.errors import UsageError
from pipeline.store.notes import as_note, valid_notes
from pipeline.values import from_text
from reports.document.document import Document, compose
from reports.document.products import Kind, by_name_or_number, products, write_products
from reports.document.report import write_report
from reports.study.store import opened
from reports.study.view import StudyView, opened_study
from reports.tables.catalogue import all_tables
from reports.tables.model import Cell, Table
from reports.typeset.paper_styles import POINTS_PER_PIXEL, STYLES, Style
from tests.support import study_store


@pytest.mark.parametrize("kind", ["tables", "figures"])
def test_products_are_listed_as_they_are_numbered(make_store: Callable[..., Path], kind: Kind) -> None:
    labels = [each.label for each in products(make_store(), kind)]
    numbers = [int(label.split(" ")[1]) for label in labels]
    assert numbers == list(range(1, len(labels) + 1))


@pytest.mark.parametrize("wanted", ["table-3-7", "Table 3.7", "table 3.7", "table-3.7", " 3.7 "])
def test_a_table_is_found_by_what_the_page_calls_it(wanted: str) -> None:
    tables = {name: Table(name, "", (), (), label=label) for name, label in TABLES.items()}
    found = by_name_or_number(tables, wanted)
    assert found is not None
    assert found.name == "table-3-7"


@pytest.mark.parametrize("wanted", ["table-1", "Table 1", "table_1", "1"])
def test_a_table_is_found_by_its_number_as_people_write_it(wanted: str) -> None:
    tables = {name: Table(name, "", (), (), label=label) for name, label in TABLES.items()}
    assert by_name_or_number(tables, wanted) is tables["other"]


@pytest.mark.parametrize("wanted", ["", "Table", "7", "table-3", "Table 3.7a"])
def test_what_no_page_calls_a_table_is_none(wanted: str) -> None:
    tables = {name: Table(name, "", (), (), label=label) for name, label in TABLES.items()}
    assert by_name_or_number(tables, wanted) is None


TABLES = {"table-3-7": "Table 3.7", "other": "Table 1", "bare": ""}


def test_a_finished_report_gives_its_tables_and_figures_while_it_holds(
    make_store: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, alone = tmp_path / "report", make_store()
    folder.mkdir()
    store = folder / STORE_NAME
    shutil.copy(alone, store)
    write_report(store, folder, formats=[])
    opened: list[Path] = []

    def noting(path: Path) -> AbstractContextManager[StudyView]:
        opened.append(path)
        return opened_study(path)

    def contents(place: Path) -> list[dict[str, bytes]]:
        asked: dict[Kind, Sequence[str]] = {"tables": ["html", "json"], "figures": ["svg", "json"]}
        written = (
            write_products(place, kind, [], formats, tmp_path / "out", notes=valid_notes(place))
            for kind, formats in asked.items()
        )
        return [{path.name: path.read_bytes() for path in paths} for paths in written]

    monkeypatch.setattr("reports.document.computed.opened_study", noting)
    computed = contents(alone)
    assert {*opened} == {alone}
    assert contents(store) == computed
    assert {*opened} == {alone}
    with monkeypatch.context() as patch:
        patch.setattr("pipeline.store.notes.version", lambda: "another")
        assert contents(store) == computed
    assert {*opened} == {alone, store}
    opened.clear()
    marker = folder / REPORT_MARKER
    noted = marker.read_text()
    marker.write_text(noted.replace('"tables"', '"table"', 1))
    assert contents(store) == computed
    assert {*opened} == {store}
    marker.write_text(noted)
    opened.clear()
    with duckdb.connect(str(store)) as con:
        con.execute("create table main.of_another as select 1 as one")
    assert contents(store) == computed
    assert {*opened} == {store}


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 1, 0.1, -inf, "\ud800\x00<Cell>", (), ((1,), ()), [1, [2]], {"Cell": (1,), 2: [3]}),
        datetime(2003, 7, 28, 10, 27, 4, 200000),  # noqa: DTZ001  as stores have them
        *(datetime(2003, 7, 28, tzinfo=UTC), date(2003, 7, 28), time(10, 27)),
        *(timedelta(days=-1, microseconds=1), Decimal("1.10"), Verdict.CANNOT_TELL),
    ],
)
def test_a_value_is_read_as_it_was_noted(value: object) -> None:
    cell = Cell("x", (value,), picture="<svg>")
    found = from_text(as_note(cell))
    assert (found, found.picture, str(found.values)) == (cell, cell.picture, str(cell.values))


def test_what_could_not_be_read_again_is_not_noted() -> None:
    with pytest.raises(TypeError, match="bytes"):
        as_note(Cell("x", (b"x",)))


def test_a_figure_is_written_by_its_number(make_store: Callable[..., Path], tmp_path: Path) -> None:
    store = make_store()
    (path,) = write_products(store, "figures", ["Figure 1"], ["csv"], tmp_path)
    assert path.stem == products(store, "figures")[0].name
    with pytest.raises(UsageError, match="Figure 99"):
        write_products(store, "figures", ["Figure 99"], ["csv"], tmp_path)


@pytest.mark.parametrize(("points", "environment"), [(252.0, "figure"), (516.0, "figure*")])
def test_a_figure_of_a_paper_is_as_wide_as_its_column_with_its_fonts_inside(
    make_store: Callable[..., Path], tmp_path: Path, points: float, environment: str
) -> None:
    width, style = points / POINTS_PER_PIXEL, STYLES[Style.IEEE]
    drawn, placed = write_products(
        make_store(), "figures", ["Figure 1"], ["pdf", "tex"], tmp_path, width=width, style=style
    )
    (page,) = PdfReader(drawn).pages
    resources: Any = page["/Resources"]
    assert float(page.mediabox.width) == pytest.approx(points * 72 / 72.27, abs=0.5)
    fonts = resources["/Font"].values()
    assert fonts
    assert all("/FontFile" in str(descriptor(each)) for each in fonts)
    written = placed.read_text(encoding="utf-8")
    assert re.findall(r"\\(?:begin|end)\{(figure\*?)\}", written) == [environment] * 2
    assert f"{{{drawn.name}}}" in written


def descriptor(font: Any) -> Any:
    """What a font says of its file."""
    whole = font.get_object()
    inner = whole["/DescendantFonts"][0].get_object() if "/DescendantFonts" in whole else whole
    return inner["/FontDescriptor"].get_object()


OWN = {"sql": "select 1 as one", "caption": "Its own"}
PAPERS = {"own": "Table 3.7", "bare": "3.8", "small": "table 3.9", "it's own": "Table 1", "two": "Tables 3 and 5"}


def composed(store: Path) -> Document:
    with opened(store) as connection:
        study = StudyView(connection)
        return compose(study, all_tables(study), {})


@pytest.fixture(scope="module")
def with_papers(tmp_path_factory: pytest.TempPathFactory) -> Document:
    """A report with tables of the study that say which ones of a paper they are."""
    tables: list[dict[str, object]] = [OWN | {"name": each, "options": {"paper": PAPERS[each]}} for each in PAPERS]
    return composed(study_store.write(tmp_path_factory.mktemp("papers") / "a.duckdb", study_store.paper(tables=tables)))


def test_tables_are_counted_as_they_are_read_with_the_number_of_the_paper_beside(with_papers: Document) -> None:
    found = {each.item.name: each for each in with_papers.listed_tables}
    assert [each.number for each in found.values()] == [f"Table {place}" for place in range(1, len(found) + 1)]
    for name, number in (("own", "3.7"), ("bare", "3.8"), ("small", "3.9")):
        assert by_name_or_number(with_papers.numbered_tables(), f"Table {number}").name == name  # type: ignore[union-attr]  # it is there
        assert found[name].heading == f"{found[name].number} (paper: {number})"
    assert {name for name, each in found.items() if each.heading != each.number} == {*PAPERS}


def test_of_two_numbers_that_are_alike_the_one_of_the_paper_is_meant(with_papers: Document) -> None:
    tables = with_papers.numbered_tables()
    assert next(iter(tables)) not in PAPERS
    assert by_name_or_number(tables, "Table 1") is tables["it's own"]


def test_a_table_in_place_of_two_of_the_paper_is_known_by_either_number(with_papers: Document) -> None:
    tables = with_papers.numbered_tables()
    assert tables["two"].label.endswith("(paper: 3 and 5)")
    assert by_name_or_number(tables, "Table 5") is by_name_or_number(tables, "Tables 3 and 5") is tables["two"]


def test_the_command_below_a_table_writes_this_table(with_papers: Document) -> None:
    tables = with_papers.numbered_tables()
    commands = {each.item.name: shlex.split(each.command) for each in with_papers.listed_tables}
    assert commands["it's own"] == ["haledger", "tables", "it's own"]
    assert all(by_name_or_number(tables, command[-1]) is tables[name] for name, command in commands.items())


def test_a_table_has_the_number_that_the_study_gives_and_no_other_has_it(make_store: Callable[..., Path]) -> None:
    tables = [OWN | {"name": name, "options": {"label": label}} for name, label in (("own", "Table 2"), ("bare", "4"))]
    found = {each.item.name: each.heading for each in composed(make_store(tables=tables)).listed_tables}
    assert (found.pop("own"), found.pop("bare")) == ("Table 2", "Table 4")
    assert list(found.values()) == [f"Table {place}" for place in range(1, len(found) + 3) if place not in (2, 4)]
