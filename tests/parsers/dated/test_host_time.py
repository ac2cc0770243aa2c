from datetime import datetime

import pytest

from parsers.dated.host_time import FORMAT
from tests.support.message_lines import claimed_by, row, rows

at = datetime.fromisoformat
NTP = [
    "ntpdc: ",
    "     remote           local      st poll reach  delay   offset    disp",
    "=====",
    "*10.0.0.1  10.0.0.2  2 64",
]
# SOURCE: what timedatectl of systemd prints
TIMEDATECTL = [
    "               Local time: Wed 2026-07-22 10:41:19 CEST",
    "           Universal time: Wed 2026-07-22 08:41:19 UTC",
    "                 RTC time: Wed 2026-07-22 08:41:19",
    "                Time zone: Europe/Berlin (CEST, +0200)",
    "System clock synchronized: yes",
    "              NTP service: active",
    "          RTC in local TZ: no",
]


@pytest.mark.parametrize(
    ("lines", "stamp", "offset"),
    [
        pytest.param(["Time: Wed Jul 22 10:41:19 2026", *NTP], "2026-07-22T10:41:19", None, id="crm report"),
        pytest.param(["Current time: Wed Jul 22 10:41:19 2026"], "2026-07-22T10:41:19", None, id="hb_report"),
        pytest.param(["Wed Jul 22 10:41:19 CEST 2026", *NTP], "2026-07-22T10:41:19", 120, id="date and ntp"),
        pytest.param(["Wed 22 Jul 2026 10:41:19 AM CEST"], "2026-07-22T10:41:19", 120, id="date, day first"),
        pytest.param(["Mi 22. Jul 10:41:19 CEST 2026"], "2026-07-22T10:41:19", 120, id="date in German"),
        pytest.param(["mer 22 lug 2026, 10:41:19, CEST"], "2026-07-22T10:41:19", 120, id="date in Italian"),
        pytest.param(["Wed, 22 Jul 2026 10:41:19 +0530"], "2026-07-22T10:41:19", 330, id="date -R"),
        pytest.param(
            ["# /bin/date", "Thu Mar 22 10:41:19 CST 2019"], "2019-03-22T10:41:19", None, id="CST of anywhere"
        ),
    ],
)
def test_time_of_a_host(lines: list[str], stamp: str, offset: int | None) -> None:
    assert claimed_by(lines) == "host_time"
    found = row(FORMAT, *lines, table="host_time")
    assert (found["stamp"], found["has_year"], found.get("utc_offset_min")) == (at(stamp), True, offset)


def test_zone_by_its_place() -> None:
    assert claimed_by(TIMEDATECTL) == "host_time"
    time, place = rows(FORMAT, *TIMEDATECTL, table="host_time")
    assert (time["stamp"], time["utc_offset_min"], place["zone"]) == (at("2026-07-22T10:41:19"), 120, "Europe/Berlin")
    assert claimed_by(["Asia/Kolkata"]) == "host_time"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["Wed Jul 22 10:41:19 2026", "Starting ORACLE instance (normal)"], id="an alert log, cut"),
        pytest.param(["Wed Jul 22 10:41:19 2026", "Wed Jul 22 10:41:24 2026"], id="several times"),
        pytest.param(["Jul 22 10:41:19"], id="no year"),
        pytest.param(["2026-07-22 10:41:19 it began"], id="a message"),
        pytest.param(["The zone is Europe/Berlin"], id="prose"),
    ],
)
def test_what_only_begins_with_a_time_is_none(lines: list[str]) -> None:
    assert claimed_by(lines) != "host_time"
