"""Verdicts by expressions: each line gets the first that fits, in the order of the contract."""

from collections.abc import Iterator

import polars as pl
import pytest

from parsers.by_line import CONTINUATION, MAX_PART, LineVerdict, ignored, parse_by_line, parsed, rejected
from parsers.format import VERDICT_SCHEMA, Verdict
from parsers.line_verdict import COMMENT, NEVER, first_reason, is_in, verdicts
from parsers.parameter import PARAMETER_VALUE
from tests.support.message_lines import numbered

TEXT = pl.col("text")


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        pytest.param("", Verdict.BLANK, None, id="nothing"),
        pytest.param(" \t\u00a0", Verdict.BLANK, None, id="white space, no matter what else fits"),
        pytest.param("a c # x", Verdict.PARSED, None, id="a row before a continuation"),
        pytest.param("c", Verdict.CONTINUATION, None, id="a continuation"),
        pytest.param("  # c", Verdict.CONTINUATION, None, id="a continuation before a line set aside"),
        pytest.param("  # x", Verdict.IGNORED, "comment", id="a line set aside, with the reason"),
        pytest.param("x # x", Verdict.REJECTED, "unknown", id="all else, with the reason"),
    ],
)
def test_the_first_verdict_that_fits_holds(text: str, verdict: Verdict, reason: str | None) -> None:
    line_verdicts = verdicts(
        numbered([text]),
        TEXT.str.contains("a|^[ \t]+\u00a0"),
        "unknown",
        continued=TEXT.str.contains("c"),
        ignored=COMMENT,
    )
    assert line_verdicts.select("verdict", "reason").rows() == [(verdict, reason)]
    assert line_verdicts.schema == pl.Schema(VERDICT_SCHEMA)


def test_what_is_neither_true_nor_false_does_not_hold() -> None:
    line_verdicts = verdicts(numbered(["x"]), pl.lit(None, pl.Boolean), pl.lit(None, pl.String))
    assert line_verdicts.select("verdict", "reason").rows() == [(Verdict.REJECTED, None)]


def test_no_line_has_no_verdict() -> None:
    line_verdicts = verdicts(numbered(), NEVER, "")
    assert line_verdicts.schema == pl.Schema(VERDICT_SCHEMA)
    assert line_verdicts.is_empty()


def test_a_line_with_several_rows_is_in_them_once() -> None:
    lines = numbered(["a", "b", "c"])
    keys = lines.select("file_id", "line_no")
    first, last = pl.concat([keys.head(1), keys.head(1)]), keys.tail(1)
    assert lines.select(is_in(lines, first, last)).to_series().to_list() == [True, False, True]


@pytest.mark.parametrize(("text", "reason"), [("ab", "begins with a"), ("b", "has a b"), ("c", None)])
def test_the_first_pattern_that_fits_gives_the_reason(text: str, reason: str | None) -> None:
    line_verdicts = numbered([text]).select(first_reason(("^a", "begins with a"), ("b", "has a b")))
    assert line_verdicts.to_series().to_list() == [reason]


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
