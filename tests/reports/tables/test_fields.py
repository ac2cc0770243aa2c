"""How fields of a table print: where something holds, numbers of a column, verdicts; and what is left out."""

import io
import re
import zipfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import fromstring

import pytest

from pipeline.ask.check.verdict import Condition, Estimate, Verdict
from reports.tables.fields import compact, from_rows, place_names, verdict, word
from reports.tables.marks import WIDTH, interval_bar, verdict_mark
from reports.tables.model import Cell, Column, Table
from reports.tables.word import as_docx

if TYPE_CHECKING:
    from reports.study.view import StudyView


STUDY = cast("StudyView", SimpleNamespace(label=str.upper))


@pytest.mark.parametrize(
    ("configurations", "everywhere", "printed"),
    [
        pytest.param("a", "a", "A", id="the only one of the study"),
        pytest.param("ab", "ab", "all", id="all"),
        pytest.param("a", "ab", "A", id="half of them"),
        pytest.param("abd", "abcd", "all but C", id="most"),
        pytest.param("ab", "abcde", "A; B", id="few"),
    ],
)
def test_places_are_named_by_the_fewer(configurations: str, everywhere: str, printed: str) -> None:
    found = place_names(STUDY, list(configurations), list(everywhere))
    assert found == printed


def rects(svg: str) -> list[tuple[float, float]]:
    """Left and right ends: of what is asked for, then of the interval."""
    found = [dict(re.findall(r'(x|width)="([\d.]+)"', each)) for each in re.findall("<rect[^>]*>", svg)]
    return [(float(each["x"]), float(each["x"]) + float(each["width"])) for each in found]


def test_marks_differ_in_shape() -> None:
    marks = [verdict_mark(each) for each in Verdict]
    assert len({re.sub("#[0-9a-f]+", "", each) for each in marks}) == 3
    assert all(fromstring(each).tag.endswith("svg") for each in marks)


@pytest.mark.parametrize(
    ("op", "low", "high", "is_inside"),
    [("<=", 10, 12, True), (">=", 10, 12, False), (">=", 24, 30, True), ("<", 21, 26, False)],
)
def test_an_interval_lies_in_the_shade_where_it_fulfils_the_condition(
    op: str, low: float, high: float, *, is_inside: bool
) -> None:
    shade, bar = rects(interval_bar(Estimate((low + high) / 2, low, high), Condition(op, 20)))
    assert (shade[0] <= bar[0] and bar[1] <= shade[1]) is is_inside
    assert all(0 <= end <= WIDTH for end in (*shade, *bar))


def test_equality_shades_its_margin() -> None:
    shade, bar = rects(interval_bar(Estimate(1.0, 0.98, 1.02), Condition("==", 1, 0.1)))
    assert shade[0] < bar[0] < bar[1] < shade[1]


def test_no_interval_no_bar() -> None:
    assert interval_bar(Estimate(3.0, is_exact=True), Condition("<", 4)) == ""
    assert interval_bar(Estimate(None), Condition("<", 4)) == ""
    assert interval_bar(Estimate(3.0, 2.0, 4.0), None) == ""


WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
COLUMNS = (Column("Step", ("step",), is_number=False), Column("Mean", ("mean",), unit="s", spanner="tuned & <new>"))


def document(table: Table) -> ET.Element:
    with zipfile.ZipFile(io.BytesIO(as_docx(table))) as file:
        assert file.namelist() == ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]
        for name in file.namelist():
            ET.fromstring(file.read(name))
        return ET.fromstring(file.read("word/document.xml"))


def text(element: ET.Element) -> str:
    return "".join(each.text or "" for each in element.iter(f"{WORD}t"))


def test_every_cell_is_there_once_with_caption_and_notes() -> None:
    rows = ((Cell("ip\x00", ("ip",)), Cell("1.3", (1.25,))), (Cell("mount", ("mount",)), Cell("–", (None,))))
    body = document(Table("steps", "Steps", COLUMNS, rows, ("A note.",), "Source.", label="Table 2"))
    found = [[text(cell) for cell in row.iter(f"{WORD}tc")] for row in body.iter(f"{WORD}tr")]
    assert found == [["", "tuned & <new>"], ["Step", "Mean (s)"], ["ip\ufffd", "1.3"], ["mount", "–"]]
    outside = [text(each) for each in next(iter(body)) if each.tag == f"{WORD}p"]
    assert outside == ["Table 2. Steps", "A note.", "Source."]


def test_headings_repeat_and_numbers_stand_right() -> None:
    body = document(Table("steps", "Steps", COLUMNS, ((Cell("ip", ("ip",)), Cell("1.3", (1.25,))),)))
    rows = list(body.iter(f"{WORD}tr"))
    assert [row.find(f".//{WORD}tblHeader") is not None for row in rows] == [True, True, False]
    sides = [each.attrib[f"{WORD}val"] for each in rows[-1].iter(f"{WORD}jc")]
    assert sides == ["left", "right"]
    assert as_docx(Table("a", "A", COLUMNS, ())) == as_docx(Table("a", "A", COLUMNS, ()))


def test_a_column_without_values_is_left_out_with_its_note_and_the_others_share_their_decimals() -> None:
    rows = [{"what": "a", "where": None, "size": 1.25}, {"what": "b", "where": None, "size": 100.0}]
    fields = [word("What", "what"), word("Where", "where"), compact("Size", "size")]
    (table,) = from_rows(rows, "Sizes", fields, source="", note="Where: the place. Size: in MB.")
    assert [each.label for each in table.columns] == ["What", "Size"]
    assert [[cell.text for cell in row] for row in table.rows] == [["a", "1.3"], ["b", "100.0"]]
    assert table.notes == ("Size: in MB.",)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("6.9 % less (95 % CI 4.1 to 9.7 %)", "6.9\u00a0% less"),
        ("no difference shown after correction for 32 comparisons; differences above 15 % are ruled out", None),
        ("inconclusive: anything from 40 % less to 3 % more", "inconclusive"),
        (
            "equal within the margin of 5.0 %; differences above 4 % are ruled out",
            "equal within the margin of 5.0\u00a0%",
        ),
        ("the same; no interval with fewer than 3 runs", "the same"),
    ],
)
def test_a_verdict_says_nothing_that_stands_beside_it(said: str, shown: str | None) -> None:
    assert verdict().cell({"verdict": said}).text == (shown or "no difference shown after correction")
