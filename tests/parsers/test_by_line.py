from collections.abc import Iterator

import polars as pl
import pytest

from parsers.by_line import CONTINUATION, MAX_PART, LineVerdict, ignored, parse_by_line, parsed, rejected
from parsers.format import VERDICT_SCHEMA, Verdict
from parsers.parameter import PARAMETER_VALUE
from tests.support.message_lines import numbered


def read(texts: list[str]) -> Iterator[LineVerdict]:
    for text in texts:
        if text.startswith("#"):
            yield ignored("comment")
        elif text.startswith("+"):
            yield CONTINUATION
        elif "=" in text:
            yield parsed(*({"name": name, "value": "1"} for name in text.split("=")))
        else:
            yield rejected("no pair")


def test_rows_are_counted_within_their_line() -> None:
    rows = parse_by_line(numbered(["a=b", "c=d"], ["e=f"]), read).tables["parameter_value"]
    assert rows.select("file_id", "line_no", "part", "name").rows() == [
        (0, 1, 1, "a"),
        (0, 1, 2, "b"),
        (0, 2, 1, "c"),
        (0, 2, 2, "d"),
        (1, 1, 1, "e"),
        (1, 1, 2, "f"),
    ]
    assert rows.schema == pl.Schema(PARAMETER_VALUE.schema)


def test_every_line_has_the_verdict_of_the_reader_and_white_space_is_blank() -> None:
    line_verdicts = parse_by_line(numbered(["#", "a=", "+", " \t", "", "x", "\x1f"]), read).lines
    assert line_verdicts.schema == pl.Schema(VERDICT_SCHEMA)
    assert [Verdict(each).name for each in line_verdicts["verdict"]] == [
        "IGNORED",
        "PARSED",
        "CONTINUATION",
        "BLANK",
        "BLANK",
        "REJECTED",
        "REJECTED",
    ]


def test_a_line_has_no_more_rows_than_parts_can_count() -> None:
    rows = parse_by_line(numbered(["=" * 40000]), read).tables["parameter_value"]
    assert rows.height == MAX_PART


def test_nothing_is_no_file() -> None:
    line_verdicts = parse_by_line(numbered(), read)
    assert line_verdicts.tables == {}
    assert line_verdicts.lines.is_empty()


def test_a_reader_that_loses_a_line_is_found_out() -> None:
    with pytest.raises(ValueError, match="argument"):
        parse_by_line(numbered(["a=b", "c=d"]), lambda texts: read(texts[:1]))
