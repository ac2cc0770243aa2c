from datetime import datetime

import pytest

from parsers.printed_date import epoch_of, offset_min, orders_of


def at(*parts: int) -> datetime:
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001 - wall clocks are naive


@pytest.mark.parametrize(
    ("dates", "text", "read", "reason"),
    [
        pytest.param([], "2024-07-04-06.30.52.620854", at(2024, 7, 4, 6, 30, 52, 620854), "iso", id="DB2's own"),
        pytest.param([], "2022-08-02T08:09:18", at(2022, 8, 2, 8, 9, 18), "iso", id="ISO"),
        pytest.param([], "04.07.2024 06:30:52", at(2024, 7, 4, 6, 30, 52), "dots", id="dots put the day first"),
        pytest.param([], "Thu Aug  5 20:33:00 EDT 2010", at(2010, 8, 5, 20, 33), "name", id="month by name"),
        pytest.param([], "04-07-2024 06:30:37", None, "open", id="nothing shows it"),
        pytest.param(["07-28-2003 10:27:04.5"], "08-01-2003 10:00:00", at(2003, 8, 1, 10), "day", id="no month 28"),
        pytest.param(
            ["28/07/2003 10:27:04"], "01/08/2003 10:00:00", at(2003, 8, 1, 10), "day", id="no month 28, first"
        ),
        pytest.param(["28/07/2003 10:27:04"], "01-08-2003 10:00:00", None, "open", id="another sign shows nothing"),
        pytest.param(
            ["28/07/2003 10:27:04", "07/28/2003 10:27:04"], "01/08/2003 10:00:00", None, "open", id="contradiction"
        ),
        pytest.param(
            ["04-07-2024 06:30:46.823373 (1720099846)"],
            "04-07-2024 06:35:52",
            at(2024, 7, 4, 6, 35, 52),
            "epoch",
            id="seconds since 1970 tell",
        ),
        pytest.param(["13-13-2003 10:00:00"], "2003-13-13 10:00:00", None, "iso", id="no such day"),
        pytest.param([], "soon", None, None, id="no date"),
    ],
)
def test_order_of_day_and_month_is_known_or_left_open(
    dates: list[str], text: str, read: datetime | None, reason: str | None
) -> None:
    orders = orders_of(dates)
    assert orders.read(text) == read
    assert orders.reason(text) == reason


# REAL (V11.5.9): the host was 420 minutes behind UTC
def test_offset_is_the_difference_of_both_times() -> None:
    text = "04-07-2024 06:30:46.823373 (1720099846)"
    assert epoch_of(text) == at(2024, 7, 4, 13, 30, 46)
    assert offset_min(text, orders_of([text])) == -420


# REAL (IBM wiki, V9.7, edited by hand)
def test_times_that_no_zone_reconciles_have_no_offset() -> None:
    assert offset_min("Mon Sep 05 14:05:09 2006 (1158008709)", orders_of([])) is None
