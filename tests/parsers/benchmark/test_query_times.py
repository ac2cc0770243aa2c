import polars as pl
import pytest

from parsers.benchmark.query_times import parse, recognise
from parsers.format import Recognition, Refusal
from tests.support.measured import values, verdicts
from tests.support.message_lines import numbered

# REAL
LONG = [
    "query\tmin\tavg\tmax\tSTDDEV%",
    "1\t1.7192\t1.89068710\t2.0353\t5.07522115",
    "2\t0.2411\t0.28196240\t0.3400\t12.22401351",
]


def test_query_is_a_metric_with_what_its_mean_is_of() -> None:
    parsed = parse(numbered(LONG))
    assert values(parsed, "line_no", "metric", "unit", "value", "low", "high", "spread") == [
        (2, "query 1", "s", 1.8906871, 1.7192, 2.0353, pytest.approx(0.0507522115 * 1.8906871)),
        (3, "query 2", "s", 0.2819624, 0.2411, 0.34, pytest.approx(0.1222401351 * 0.2819624)),
    ]
    assert verdicts(parsed) == "iPP"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["query\tavg", "1\t1.5"], [("query 1", 1.5)]),
        (["Query  avg_ms", "Q7     1500"], [("query 7", 1.5)]),
        (["query,seconds", "Q1a,2"], [("query 1a", 2)]),
        (["q;time_s", "1;0,5"], [("query 1", 0.5)]),
        (
            ["query|elapsed", "1|0m1.234s", "2|250 ms", "3|0:01:00"],
            [("query 1", 1.234), ("query 2", 0.25), ("query 3", 60)],
        ),
    ],
)
def test_forms(lines: list[str], expected: list[tuple[str, float]]) -> None:
    assert values(parse(numbered(lines))) == expected


def test_row_without_a_time_is_rejected() -> None:
    assert verdicts(parse(numbered(["query\tavg", "1\tlong", "2", "\t3", "3\t3"]))) == "iRRRP"


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [
        (LONG, True),
        (LONG[:1], False),
        (["query\tavg", "a\tb"], False),
        (["query is slow", "it was"], False),
        ([], False),
    ],
)
def test_recognition(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise(pl.Series(texts, dtype=pl.String)), Recognition) == is_own


@pytest.mark.parametrize("text", ["\ufeff", "\ufeff\ufeff", " \ufeff ", "\ufeff,", "\t"])
def test_byte_order_marks_alone_are_no_header(text: str) -> None:
    """As `cat` of empty exports leaves them: the reader takes one of two away."""
    assert isinstance(recognise(pl.Series([text])), Refusal)
