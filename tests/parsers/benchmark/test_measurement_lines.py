from collections.abc import Iterable
from datetime import datetime

import pytest

from parsers.benchmark.measurement_lines import parse_measurements, printed_date, row
from parsers.by_line import LineVerdict, ignored, parsed
from tests.support.measured import numbered, points, values, verdicts


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
