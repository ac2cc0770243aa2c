"""Rules of vmstat."""

from datetime import datetime

import polars as pl
import pytest

from parsers.format import Recognition
from parsers.sysstat.iostat_vmstat_sar import recognise
from parsers.sysstat.time import TIME_LINE, time_columns, times_of
from tests.support.report_lines import numbered, rejected, reports, rows

# RECORDED (rec_vmstat_procps4_tw.txt)
TIMED = """\
--procs-- -----------------------memory---------------------- ---swap-- -----io---- -system-- ----------cpu----------
   r    b         swpd         free         buff        cache   si   so    bi    bo   in   cs  us  sy  id  wa  st  gu                 UTC
  13    0            0     16886536       127828      7496524    0    0  5027 13899 1020 4855  45  10  45   0   0   0 2026-11-21 02:42:01
   2    0            0     16886536       127828      7496524    0    0    42 155002 2867 5071  51   4  39   7   0   0 2026-11-21 02:42:03
"""  # noqa: E501 lines as printed


def test_columns_of_linux() -> None:
    columns = ("runnable", "free", "blocks_out_per_s", "switches_per_s", "user_pct", "iowait_pct", "guest_pct")
    assert rows(TIMED, "vmstat", *columns) == [
        (13.0, 16886536.0, 13899.0, 4855.0, 45.0, 0.0, 0.0),
        (2.0, 16886536.0, 155002.0, 5071.0, 51.0, 7.0, 0.0),
    ]
    assert reports(TIMED, "report_no", "is_since_boot", "interval_s", "utc_offset_min") == [
        (1, True, None, 0),
        (2, False, 2.0, 0),
    ]


def test_a_repeated_header_begins_no_report() -> None:
    header, first, second = TIMED.splitlines()[1:]
    text = f"{header}\n{first}\n{header}\n{second}\n"
    assert reports(text, "report_no") == [1, 2]


def test_the_second_sy_is_of_the_processors() -> None:
    # REAL (vmstat_solaris8_oracle_note.txt); the first row may hold garbage
    text = """\
 r b w   swap  free  re  mf pi po fr de sr f0 s1 s1 s1   in   sy   cs us sy id
 0 1 72 5746176 222400 0  0  0  0  0  0  0  0 11  9  9 4294967196 0 0 -19 -6 -103
 0 0 58 2750504 55120 346 1391 491 1171 3137 0 36770 0 37 39 5 1485 4150 2061 18 8 74
"""
    assert rows(text, "vmstat", "calls_per_s", "user_pct", "system_pct", "idle_pct", "interrupts_per_s") == [
        (0.0, None, None, None, None),
        (4150.0, 18.0, 8.0, 74.0, 1485.0),
    ]
    assert rows(text, "vmstat", "flags") == ["counter_wrap, negative", None]
    assert rejected(text) == []


def test_iowait_that_is_not_printed_is_null() -> None:
    # REAL (vmstat_openbsd_001.txt)
    text = """\
 r b w    avm     fre  flt  re  pi  po  fr  sr wd0 cd0  int   sys   cs us sy id
 2 1 0   7608  191356   66   0   0   0   0   0   2   0  231   108   14  0  1 99
"""
    assert rows(text, "vmstat", "active_virtual", "interrupts_per_s", "calls_per_s", "iowait_pct") == [
        (7608.0, 231.0, 108.0, None)
    ]


@pytest.mark.parametrize("text", [TIMED])
def test_vmstat_is_recognised(text: str) -> None:
    answer = recognise(numbered(text)["text"], "vmstat")
    assert isinstance(answer, Recognition)
    assert answer.confidence >= 0.9


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
