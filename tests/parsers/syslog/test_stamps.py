from datetime import datetime

import polars as pl
import pytest

from parsers.syslog.stamps import GROUPS, fault, instant, offset_min, stamp_columns

at = datetime.fromisoformat


def read(**groups: str) -> tuple[object, ...]:
    """Stamp, whether it has a year, zone, and what is wrong with it."""
    frame = pl.DataFrame({name: [groups.get(name)] for name in GROUPS}, schema=dict.fromkeys(GROUPS, pl.String))
    stamped = frame.with_columns(*stamp_columns())
    return stamped.select("stamp", "has_year", "utc_offset_min", fault().alias("fault")).row(0)


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        pytest.param({}, (None, None, None, None), id="no time"),
        pytest.param(
            {"month": "Mar", "day": "7", "time": "04:02:16"},
            (at("2000-03-07T04:02:16"), False, None, None),
            id="no year",
        ),
        pytest.param(
            {"date": "2009/06/30", "time": "13:46:24"}, (at("2009-06-30T13:46:24"), True, None, None), id="slashes"
        ),
        pytest.param(
            {"date": "2019-03-22", "time": "10:00:00", "fraction": "1234567", "offset": "+0530"},
            (at("2019-03-22T10:00:00.123456"), True, 330, None),
            id="fraction and zone",
        ),
        pytest.param(
            {"date": "2019-03-22", "time": "10:00:00", "offset": "CST"},
            (at("2019-03-22T10:00:00"), True, None, None),
            id="a word that means several zones",
        ),
        pytest.param(
            {"date": "2019-03-22", "time": "10:00:00", "offset": "CET"},
            (at("2019-03-22T10:00:00"), True, 60, None),
            id="a word that one zone explains",
        ),
        pytest.param(
            {"seconds": "1553225817", "fraction": "5"}, (at("2019-03-22T03:36:57.5"), True, 0, None), id="since 1970"
        ),
        pytest.param(
            {"month": "Dec", "day": "31", "time": "23:59:59", "received": "2006.01", "epoch": "1136073601"},
            (at("2005-12-31T23:59:59"), True, 0, None),
            id="received in the next year",
        ),
        pytest.param(
            {"date": "2019-02-29", "time": "10:00:00"}, (None, True, None, "impossible date or time"), id="no such day"
        ),
        pytest.param(
            {"date": "2019-02-28", "time": "10:00:00", "offset": "+99:00"},
            (at("2019-02-28T10:00:00"), True, None, "impossible zone"),
            id="no such zone",
        ),
    ],
)
def test_stamp(groups: dict[str, str], expected: tuple[object, ...]) -> None:
    assert read(**groups) == expected


@pytest.mark.parametrize(
    ("offset", "minutes"),
    [
        ("Z", 0),
        ("UTC", 0),
        ("GMT", 0),
        ("+08:00", 480),
        ("-0330", -210),
        ("+03", 180),
        ("+16:00", None),
        ("PDT", -420),
        ("CST", None),
    ],
)
def test_offset(offset: str, minutes: int | None) -> None:
    assert pl.select(offset_min(pl.lit(offset))).item() == minutes


def test_instant_of_a_leap_second_is_none() -> None:
    assert pl.select(instant(pl.lit("2016-12-31"), pl.lit("23:59:61"), pl.lit(None, pl.String))).item() is None
