"""Verdicts by expressions: each line gets the first that fits, in the order of the contract."""

import polars as pl
import pytest

from parsers.format import VERDICT_SCHEMA, Verdict
from parsers.line_verdict import COMMENT, NEVER, first_reason, is_in, verdicts
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
