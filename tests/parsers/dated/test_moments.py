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
