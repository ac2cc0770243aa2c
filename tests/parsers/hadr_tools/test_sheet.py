import polars as pl
import pytest

from parsers.by_line import ignored
from parsers.format import Verdict
from parsers.hadr_tools.sheet import Sheet, decimal, parse_sheets, whole
from parsers.hadr_tools.tables import HADR_FIGURE
from tests.support.message_lines import numbered


def read(texts: list[str]) -> Sheet:
    sheet = Sheet(texts)
    for index, text in enumerate(texts):
        for value in text.split() if text.startswith("=") else ():
            sheet.add(HADR_FIGURE, index, name=value)
        if text.startswith("#"):
            sheet.classify(index, ignored("comment"))
    return sheet


def test_rows_are_counted_within_their_line() -> None:
    rows = parse_sheets(numbered(["=a b", "=c"], ["=d"]), read, (HADR_FIGURE,)).tables["hadr_figure"]
    assert rows.select("file_id", "line_no", "part", "name").rows() == [
        (0, 1, 1, "=a"),
        (0, 1, 2, "b"),
        (0, 2, 1, "=c"),
        (1, 1, 1, "=d"),
    ]


def test_every_line_has_a_verdict() -> None:
    line_verdicts = parse_sheets(numbered(["=a", "#", " ", "x"]), read, (HADR_FIGURE,)).lines
    assert line_verdicts["verdict"].to_list() == [Verdict.PARSED, Verdict.IGNORED, Verdict.BLANK, Verdict.REJECTED]
    assert line_verdicts["reason"].to_list() == [None, "comment", None, "unlike any line of the tool"]


def test_a_line_with_rows_stays_parsed() -> None:
    sheet = read(["=a"])
    sheet.classify(0, ignored("comment"))
    assert sheet.line_verdicts[0].verdict is Verdict.PARSED


def test_later_lines_complete_a_row() -> None:
    sheet = Sheet(["=a"])
    sheet.add(HADR_FIGURE, 0, name="a")["value"] = 1.0
    assert sheet.rows[0][2] == {"name": "a", "value": 1.0}


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("9" * 18, int("9" * 18)), ("9" * 19, None), ("-1", None), ("", None), (None, None)],
)
def test_whole_numbers(text: str | None, number: int | None) -> None:
    assert whole(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [(".1", 0.1), ("4.000821", 4.000821), ("3130", 3130.0), ("1e5", None), ("x", None), (None, None)],
)
def test_decimal_numbers(text: str | None, number: float | None) -> None:
    assert decimal(text) == number


def test_nothing_is_no_row() -> None:
    assert parse_sheets(numbered(), read, (HADR_FIGURE,)).tables == {}
    assert isinstance(parse_sheets(numbered(), read, (HADR_FIGURE,)).lines, pl.DataFrame)
