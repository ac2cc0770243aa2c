"""Files and lines of measurements."""

from collections.abc import Iterable
from datetime import datetime

import polars as pl
import pytest

from parsers.benchmark.measurement_lines import parse_measurements, printed_date, row
from parsers.benchmark.workload_mix import parse, recognise
from parsers.by_line import LineVerdict, ignored, parsed
from parsers.format import Recognition
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_counts(separator: str) -> None:
    lines = [separator.join(row) for row in (("sql_type", "count"), ("SELECT", "100"), ("UPDATE", "20"))]
    parsed = parse(numbered(lines))
    assert parsed.tables["statement_count"].select("line_no", "sql_type", "count").rows() == [
        (2, "SELECT", 100),
        (3, "UPDATE", 20),
    ]
    assert verdicts(parsed) == "iPP"


@pytest.mark.parametrize("row", ["DELETE,x", "DELETE", ",5", "DELETE,-1", "DELETE,1.5"])
def test_row_without_a_whole_count_is_rejected(row: str) -> None:
    assert verdicts(parse(numbered(["sql_type,count", row, "# remark"]))) == "iRi"


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [(["sql_type,count"], True), (["type,count"], False), (["sql_type,count,x"], False), ([], False)],
)
def test_recognition(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise(pl.Series(texts, dtype=pl.String)), Recognition) == is_own


def test_row_with_a_place_in_time_is_a_point() -> None:
    def read(texts: list[str]) -> Iterable[LineVerdict]:
        return [
            parsed(row("tps", "1/s", 5.0), row("tps", "1/s", 6.0, offset_s=2.0), row("tps", "1/s", 7.0, interval_s=1.0))
            if text == "x"
            else ignored("no figure")
            for text in texts
        ]

    found = parse_measurements(numbered(["x", "y"], ["x"]), read)
    assert values(found, "file_id", "part", "value") == [(0, 1, 5), (1, 1, 5)]
    assert points(found, "file_id", "part", "value") == [(0, 2, 6), (0, 3, 7), (1, 2, 6), (1, 3, 7)]
    assert verdicts(found) == "PiP"


@pytest.mark.parametrize(
    ("text", "stamp", "offset_min"),
    [
        # REAL
        ("@ Mon Apr 14 13:18:31 BST 2025", "2025-04-14T13:18:31", None),
        ("* Timestamp: Tue Nov 13 2018 12:43:59 India Standard Time", "2018-11-13T12:43:59", None),
        ("Fri Nov  5 08:28:14 UTC 2021", "2021-11-05T08:28:14", 0),
    ],
)
def test_printed_date(text: str, stamp: str, offset_min: int | None) -> None:
    assert printed_date(text) == {"stamp": datetime.fromisoformat(stamp), "utc_offset_min": offset_min}


@pytest.mark.parametrize("text", ["", "Mon Apr 14", "Mon Apr 31 13:18:31 2025", "Mon Foo 14 13:18:31 2025"])
def test_no_date(text: str) -> None:
    assert printed_date(text) == {}
