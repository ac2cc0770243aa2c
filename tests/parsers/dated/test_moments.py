from datetime import datetime

import pytest

from parsers.dated.dated_log import FORMAT
from parsers.dated.moments import in_order_of_file
from tests.support.message_lines import numbered

at = datetime.fromisoformat


def read(*lines: str, declared: str | None = None) -> list[tuple[object, object]]:
    frame = FORMAT.parse(numbered(list(lines))).tables["log_record"]
    found = in_order_of_file(frame, {} if declared is None else {0: declared})
    return list(found.select("stamp", "date_order").iter_rows())


def test_a_day_above_twelve_orders_the_other_dates_of_the_file() -> None:
    assert read("02/01/2020 10:00:00 a", "13/01/2020 10:00:00 b") == [
        (at("2020-01-02T10:00"), "day"),
        (at("2020-01-13T10:00"), "day"),
    ]


def test_am_and_pm_put_the_month_first_unless_a_day_says_otherwise() -> None:
    assert read("02/01/2020 10:00:00 PM a") == [(at("2020-02-01T22:00"), "half_day")]
    spanish = read("02/01/2020 10:00:00 PM a", "13/01/2020 10:00:00 AM b")
    assert spanish[0] == (at("2020-01-02T22:00"), "day")


def test_succession_shows_the_order() -> None:
    days = [f"0{day}/01/2020 10:00:00 a" for day in range(1, 6)]
    assert read(*days)[-1] == (at("2020-01-05T10:00"), "succession")


@pytest.mark.parametrize(("declared", "stamp"), [(None, None), ("dmy", "2020-01-02"), ("mdy", "2020-02-01")])
def test_an_open_date_is_read_as_study_toml_declares(declared: str | None, stamp: str | None) -> None:
    ((found, order),) = read("02/01/2020 00:00:00 a", declared=declared)
    assert found == (None if stamp is None else at(stamp))
    assert order == ("open" if declared is None else "stated")


def test_dots_put_the_day_first() -> None:
    assert read("02.01.20 10:00:00 a") == [(at("2020-01-02T10:00"), "dots")]


@pytest.mark.parametrize(
    ("lines", "declared", "expected"),
    [
        pytest.param(["20/05/12 10:00:00 app: a"], None, (None, "open"), id="day or year first"),
        pytest.param(["12/05/20 10:00:00 INFO a"], None, (None, "open"), id="any of three"),
        pytest.param(["20/05/12 10:00:00 app: a"], "ymd", ("2020-05-12T10:00", "stated"), id="year first, declared"),
        pytest.param(["20/05/12 10:00:00 app: a"], "dmy", ("2012-05-20T10:00", "stated"), id="day first, declared"),
        pytest.param(["98/05/12 10:00:00 app: a"], None, ("1998-05-12T10:00", "day"), id="no day"),
        pytest.param(
            ["20/05/12 10:00:00 a", "20/05/13 10:00:00 b"], None, ("2020-05-12T10:00", "succession"), id="years last"
        ),
        pytest.param(
            ["28/11/26 10:00:00 a", "29/11/26 10:00:00 b"], None, ("2026-11-28T10:00", "succession"), id="days first"
        ),
        pytest.param(
            ["17/06/09 20:10:40 INFO executor.CoarseBackend: a"], None, ("2017-06-09T20:10:40", None), id="Spark"
        ),
    ],
)
def test_a_year_of_two_digits_may_come_first(
    lines: list[str], declared: str | None, expected: tuple[str | None, str | None]
) -> None:
    stamp, order = expected
    assert read(*lines, declared=declared)[0] == (None if stamp is None else at(stamp), order)


def test_dates_without_a_year_are_ordered_by_the_file() -> None:
    assert read("03/04 10:00:00 a", "03/17 10:00:00 b")[0] == (at("2000-03-04T10:00"), "day")
    assert read("03/04 10:00:00 a", "17/04 10:00:00 b")[0] == (at("2000-04-03T10:00"), "day")
    assert read("03-04 10:00:00 a", "03-05 10:00:00 b")[0] == (at("2000-03-04T10:00"), "succession")
    assert read("03/04 10:00:00 a") == [(None, "open")]
    assert read("03/04 10:00:00 a", declared="dmy") == [(at("2000-04-03T10:00"), "stated")]
    assert read("17.3. 10:00:00 a") == [(at("2000-03-17T10:00"), None)]
    found = FORMAT.parse(numbered(["03/17 10:00:00 a"])).tables["log_record"]
    assert not in_order_of_file(found, {})["has_year"].any()


# RECONSTRUCTED: firewalls, the history of ZFS, appliances, telemetry
def test_dates_with_other_signs_between_their_parts() -> None:
    for stamp in ("17Mar2024 10:00:00", "2024-03-17.10:00:00", "Mar-17-2024 10:00:00", "2024-077/10:00:00.1"):
        ((found, _),) = read(f"{stamp} accept fw01")
        assert str(found)[:13] == "2024-03-17 10", stamp


def test_days_of_a_week_and_of_a_year_by_their_numbers() -> None:
    printed = {
        "2026-W12-3T10:00:00Z": "2026-03-18",
        "2026W123 10:00:00": "2026-03-18",
        "2026-W01-1 10:00:00": "2025-12-29",
        "2026-077T10:00:00.5": "2026-03-18",
        "2024-366 10:00:00": "2024-12-31",
        "2026-W12-3T100000Z": "2026-03-18",
    }
    for stamp, day in printed.items():
        ((found, _),) = read(f"{stamp} a b")
        assert str(found)[:13] == f"{day} 10", stamp
    for stamp in ("2026-W54-1T10:00:00", "2026-W00-1 10:00:00", "2025-W53-1 10:00:00", "2026-366 10:00:00"):
        assert "log_record" not in FORMAT.parse(numbered([f"{stamp} a b"])).tables, stamp


@pytest.mark.parametrize(
    ("stamp", "east_min"),
    [
        *(("2026-07-01 10:00:00 CEST", 120), ("2026-07-01 10:00:00.5 UTC", 0), ("Jul 1 10:00:00 CET 2026", 60)),
        *(("2026-07-01 10:00:00 Europe/Berlin", 120), ("2026-01-01 10:00:00 Europe/Berlin", 60)),
        pytest.param("2026-10-25 02:30:00 Europe/Berlin", None, id="an hour that comes twice"),
        pytest.param("2026-07-01 10:00:00 Europe/Nowhere", None, id="no place"),
        pytest.param("2026-07-01 10:00:00 CST", None, id="China or Chicago"),
    ],
)
def test_a_zone_by_name_is_an_offset_where_only_one_has_it(stamp: str, east_min: int | None) -> None:
    frame = FORMAT.parse(numbered([f"{stamp} [1] text"])).tables["log_record"]
    assert frame["utc_offset_min"].to_list() == [east_min]
    assert frame["text"].to_list() == ["[1] text"]


def test_seconds_since_1970_beside_a_leap_day_without_a_year_show_no_zone() -> None:
    """1740787200 is 1 March 2025: that year lacks the day of the line below, which is one of some other year."""
    rows = read("8:signal-handler (1740787200) a", "8:M 29 Feb 00:00:00.000 * b")
    assert [stamp for stamp, _ in rows] == [at("2025-03-01"), at("2000-02-29")]
