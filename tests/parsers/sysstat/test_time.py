"""Times in the locales that were recorded, and what each leaves open."""

from datetime import datetime

import polars as pl
import pytest

from parsers.sysstat.time import TIME_LINE, time_columns, times_of

at = datetime.fromisoformat


def read(text: str) -> dict[str, object]:
    found = times_of(pl.Series([text])).drop("time_text")
    assert found.equals(pl.DataFrame({"text": [text]}).select(time_columns(pl.col("text")))), "the quick way differs"
    return found.row(0, named=True)


@pytest.mark.parametrize(
    ("text", "stamp", "offset_min"),
    [
        ("21.11.2026 02:42:01", at("2026-11-21 02:42:01"), None),  # de_DE, cs_CZ
        ("2026-11-21 02:42:01", at("2026-11-21 02:42:01"), None),  # sv_SE
        ("2026年11月21日 02時42分01秒", at("2026-11-21 02:42:01"), None),  # ja_JP
        ("2026-11-21T02:42:01+0000", at("2026-11-21 02:42:01"), 0),  # S_TIME_FORMAT=ISO
        ("2024-03-14T17:53:14-0700", at("2024-03-14 17:53:14"), -420),
        ("Mon Nov 24 14:58:36 2003", at("2003-11-24 14:58:36"), None),  # iostat -Td of Solaris
        ("zzz ***Wed Oct 12 10:03:00 EDT 2005", at("2005-10-12 10:03:00"), -240),  # OSWatcher
        ("TS 1294325021.003 2011-01-06 12:30:21", at("2011-01-06 12:30:21"), None),  # pt-stalk
        ("2026-11-21 02:42:01 UTC", at("2026-11-21 02:42:01"), 0),
        ("1294325021", at("2011-01-06 14:43:41"), 0),
        ("2016-09-28 12:00:01 AM", at("2016-09-28 00:00:01"), None),
    ],
)
def test_a_time_that_says_its_day_has_a_stamp(text: str, stamp: datetime, offset_min: int | None) -> None:
    found = read(text)
    assert (found["stamp"], found["utc_offset_min"], found["date_text"]) == (stamp, offset_min, None)
    assert found["has_year"]


@pytest.mark.parametrize(
    ("text", "date_text", "clock_s"),
    [
        ("11/21/26 02:42:01", "11/21/26", 9721.0),  # C
        ("11/21/2026 02:42:01 AM", "11/21/2026", 9721.0),  # en_US
        ("21/11/2026 02:42:01", "21/11/2026", 9721.0),  # fr_FR, pt_BR
        ("Time: 03:49:57 PM", None, 56997.0),  # RHEL5 and older
        ("Time: 12:00:00 AM", None, 0.0),
        ("05/06/26 12:00:00 AM", "05/06/26", 0.0),
        ("05/06/26 12:30:00 PM", "05/06/26", 45000.0),
        ("05/06/26 23:59:59", "05/06/26", 86399.0),
    ],
)
def test_a_time_whose_day_is_open_says_what_it_can(text: str, date_text: str | None, clock_s: float) -> None:
    found = read(text)
    assert (found["stamp"], found["date_text"], found["clock_s"]) == (None, date_text, clock_s)


@pytest.mark.parametrize("text", ["25:00:00", "31.02.2026 10:00:00", "2026-13-01 10:00:00"])
def test_times_that_do_not_exist_have_no_stamp(text: str) -> None:
    assert read(text)["stamp"] is None


@pytest.mark.parametrize("text", ["sda 1.00 2.00", "02:42:03 all 50.50", "vda 02:42:03", "12"])
def test_rows_are_no_times(text: str) -> None:
    assert not pl.Series([text]).str.contains(TIME_LINE).item()
