"""Rules of sar and mpstat."""

from datetime import datetime

import pytest

from parsers.format import Recognition
from parsers.sysstat.iostat_vmstat_sar import recognise
from tests.support.report_lines import numbered, read, rejected, reports, rows

at = datetime.fromisoformat

# RECORDED (rec_sar_12.6.1_u_enUS.txt)
LINUX_U = """\
Linux 6.18.44-fc-v657 (vm) \t11/21/2026 \t_x86_64_\t(2 CPU)

11:59:58 PM     CPU      %usr     %nice      %sys   %iowait    %steal      %irq     %soft    %guest    %gnice     %idle
12:00:00 AM     all     50.50      0.00      3.52      7.04      0.00      0.00      0.25      0.00      0.00     38.69
12:00:02 AM     all     50.12      0.00      2.24      3.74      0.00      0.00      0.25      0.00      0.00     43.64
Average:        all     53.22      0.00      3.10      3.77      0.00      0.00      0.17      0.00      0.00     39.75
"""

# RECORDED (rec_sar_12.6.1_d_deDE.txt)
LINUX_D = """\
Linux 6.18.44-fc-v657 (vm) \t21.11.2026 \t_x86_64_\t(2 CPU)

02:42:01          tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util DEV
02:42:03      2474,50     42,00 154906,00 115202,00    109,17      0,25      0,10     16,40 vda
02:42:05      1205,00      0,00  76804,00 115200,00    159,34      0,10      0,08      9,00 vda
Durchschn.:   1282,00    474,67  77242,67  84911,33    126,86      0,13      0,10      8,80 vda
"""

# REAL (sar_hpux_B.11.31_full.txt): the time stands on the first device only
HP_UX = """\
HP-UX lasv B.11.31 U ia64    03/21/18

00:00:01   device   %busy   avque   r+w/s  blks/s  avwait  avserv
00:05:01    disk1    8.35   10.17      39     578   12.74    3.96
            disk3    2.82    0.50       8     111    0.00    4.19
00:10:01    disk1    1.00    0.50       8     115    0.00    3.95
Average     disk1    2.10    0.50      10     200    1.00    4.00
            disk3    2.82    0.50       8     111    0.00    4.19
"""


def test_the_day_turns_at_midnight() -> None:
    assert rows(LINUX_U, "iostat_cpu", "cpu", "user_pct", "soft_pct", "idle_pct") == [
        ("all", 50.5, 0.25, 38.69),
        ("all", 50.12, 0.25, 43.64),
    ]
    assert reports(LINUX_U, "stamp", "interval_s", "is_since_boot") == [
        (at("2026-11-22 00:00:00"), 2.0, False),
        (at("2026-11-22 00:00:02"), 2.0, False),
    ]


def test_devices_with_decimal_commas() -> None:
    assert rows(LINUX_D, "iostat_device", "device", "tps", "wkb_per_s", "await_ms", "util_pct") == [
        ("vda", 2474.5, 154906.0, 0.1, 16.4),
        ("vda", 1205.0, 76804.0, 0.08, 9.0),
    ]


def test_devices_below_a_time_belong_to_it() -> None:
    assert rows(HP_UX, "iostat_device", "device", "mark_line", "tps", "tkb_per_s", "svctm_ms") == [
        ("disk1", 4, 39.0, 289.0, 3.96),
        ("disk3", 4, 8.0, 55.5, 4.19),
        ("disk1", 6, 8.0, 57.5, 3.95),
    ]
    assert reports(HP_UX, "stamp", "interval_s") == [
        (at("2018-03-21 00:05:01"), 300.0),
        (at("2018-03-21 00:10:01"), 300.0),
    ]


@pytest.mark.parametrize("text", [LINUX_U, LINUX_D, HP_UX])
def test_averages_are_no_data(text: str) -> None:
    reasons = read(text).lines["reason"].drop_nulls().unique().to_list()
    assert reasons == ["averages over the section"]
    assert rejected(text) == []


def test_mpstat_without_an_interval_is_since_boot() -> None:
    # REAL (mpstat_jc.txt)
    text = """\
Linux 3.10.0-1062.1.2.el7.x86_64 (localhost) \t03/11/2022 \t_x86_64_\t(1 CPU)

03:14:20 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
03:14:20 PM  all    0.23    0.00    0.37    0.01    0.00    0.00    0.00    0.00    0.00   99.39
"""
    assert reports(text, "is_since_boot", "interval_s") == [(True, None)]
    assert rows(text, "iostat_cpu", "source_kind") == ["mpstat"]


def test_sections_are_counted_apart() -> None:
    section = LINUX_U.split("\n\n")[1].replace("Average", "Average")
    devices = LINUX_D.split("\n\n")[1]
    text = LINUX_U.split("\n\n", maxsplit=1)[0] + "\n\n" + section + "\n" + devices
    assert reports(text, "section", "report_no") == [("cpu", 1), ("cpu", 2), ("device", 1), ("device", 2)]


@pytest.mark.parametrize("text", [LINUX_U, LINUX_D, HP_UX])
def test_sar_is_recognised(text: str) -> None:
    answer = recognise(numbered(text)["text"], "sar")
    assert isinstance(answer, Recognition)
    assert answer.confidence >= 0.9


def test_a_rejected_row_begins_no_report() -> None:
    text = LINUX_D.replace("42,00 154906,00", "many 154906,00").replace(
        "vda\n02:42:05", "vda\n02:42:03 1,0 1 1 1 1 1 1 1 vdb\n02:42:05"
    )
    assert rejected(text) == [(4, "`many` is not a number")]
    assert rows(text, "iostat_device", "device", "mark_line") == [("vdb", 5), ("vda", 6)]
