"""Rules of vmstat."""

import pytest

from parsers.format import Recognition
from parsers.sysstat.iostat_vmstat_sar import recognise
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
