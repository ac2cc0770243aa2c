"""Rules of sadf."""

from datetime import datetime

import polars as pl
import pytest

from parsers.format import Recognition, Refusal
from parsers.sysstat.sadf import parse, recognise
from tests.support.report_lines import numbered, rejected, reports, rows

at = datetime.fromisoformat

# RECORDED (rec_sadf_12.6.1_du.txt)
DATABASE = """\
# hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle
vm;2;2026-11-21 02:42:03 UTC;-1;50.50;0.00;3.77;7.04;0.00;38.69
vm;2;2026-11-21 02:42:05 UTC;-1;50.12;0.00;2.49;3.74;0.00;43.64
"""
# REAL (sadf_p_d_telegraf.txt)
PLAIN = """\
dell-xps\t5\t2016-03-25 16:18:10 UTC\tsda\ttps\t0.00
dell-xps\t5\t2016-03-25 16:18:10 UTC\tsda\trd_sec/s\t3.00
dell-xps\t5\t2016-03-25 16:18:10 UTC\tsdb\ttps\t2.01
dell-xps\t5\t2016-03-25 16:18:10 UTC\tsdb\trd_sec/s\t1.00
"""
# RECORDED (rec_sadf_12.6.1_jud.txt)
JSON = """\
{"sysstat": {
\t"hosts": [
\t\t{
\t\t\t"nodename": "vm",
\t\t\t"file-date": "2026-11-21",
\t\t\t"statistics": [
\t\t\t\t{
\t\t\t\t\t"timestamp": {"date": "2026-11-21", "time": "02:42:03", "utc": 1, "interval": 2},
\t\t\t\t\t"cpu-load": [
\t\t\t\t\t\t{"cpu": "all", "user": 50.50, "nice": 0.00, "system": 3.77, "iowait": 7.04, "steal": 0.00, "idle": 38.69}
\t\t\t\t\t],
\t\t\t\t\t"disk": [
\t\t\t\t\t\t{"disk-device": "vda", "tps": 2478.00, "rd_sec": 88.00, "rkB": 44.00, "await": 0.10, "util-percent": 16.40}
\t\t\t\t\t]
\t\t\t\t}
"""


def test_rows_between_semicolons() -> None:
    assert rows(DATABASE, "iostat_cpu", "cpu", "user_pct", "idle_pct", parser=parse) == [
        ("all", 50.5, 38.69),
        ("all", 50.12, 43.64),
    ]
    columns = ("stamp", "utc_offset_min", "interval_s", "interval_source", "is_since_boot")
    assert reports(DATABASE, *columns, parser=parse) == [
        (at("2026-11-21 02:42:03"), 0, 2.0, "printed", False),
        (at("2026-11-21 02:42:05"), 0, 2.0, "printed", False),
    ]


def test_metrics_of_one_device_are_one_row() -> None:
    assert rows(PLAIN, "iostat_device", "line_no", "mark_line", "device", "tps", "rkb_per_s", parser=parse) == [
        (1, 1, "sda", 0.0, 1.5),
        (3, 1, "sdb", 2.01, 0.5),
    ]
    assert rows(PLAIN, "iostat_invocation", "host", parser=parse) == ["dell-xps"]
    assert parse(numbered(PLAIN)).lines["verdict"].to_list() == [1, 2, 1, 2]


def test_json_has_zone_and_interval() -> None:
    assert rows(JSON, "iostat_device", "device", "tps", "rkb_per_s", "util_pct", parser=parse) == [
        ("vda", 2478.0, 44.0, 16.4)
    ]
    assert reports(JSON, "stamp", "utc_offset_min", "interval_s", parser=parse) == [(at("2026-11-21 02:42:03"), 0, 2.0)]


def test_other_statistics_and_restarts_are_set_aside() -> None:
    text = "# hostname;interval;timestamp;proc/s;cswch/s\nvm;2;2026-11-21 02:42:03 UTC;1.00;2.00\n"
    text += "vm;-1;2026-11-21 02:40:00 UTC;LINUX-RESTART\t(2 CPU)\n"
    assert parse(numbered(text)).lines["reason"].to_list() == [
        "header of a table",
        "statistics that are not read",
        "restart of the system",
    ]


def test_a_row_that_was_cut_is_rejected() -> None:
    assert rejected(DATABASE[:-20], parse)[0][0] == 3


@pytest.mark.parametrize("text", [DATABASE, PLAIN, JSON])
def test_recognition(text: str) -> None:
    answer = recognise(numbered(text)["text"])
    assert isinstance(answer, Recognition)
    assert answer.confidence >= 0.9


def test_pictures_are_refused_by_name() -> None:
    text = '<svg xmlns="http://www.w3.org/2000/svg">\n<text>CPU utilization [all]</text>\n'
    answer = recognise(numbered(text)["text"])
    assert isinstance(answer, Refusal)
    assert "SVG" in answer.reason


@pytest.mark.parametrize("first", [1, 2])
def test_files_of_two_releases_keep_their_values(first: int) -> None:
    """Unmodified names of sysstat 10 and 12: one prints rd_sec/s and avgqu-sz, the other rkB/s and aqu-sz."""
    old = "\n".join(
        f"dell\t5\t2016-03-25 16:18:10 UTC\tsdb\t{name}\t{value}"
        for name, value in (("tps", 2.01), ("rd_sec/s", 1.0), ("avgrq-sz", 0.3), ("avgqu-sz", 0.6))
    )
    new = "\n".join(
        f"vm\t2\t2026-11-21 02:42:03 UTC\tvda\t{name}\t{value}"
        for name, value in (("tps", 2.01), ("rkB/s", 44.0), ("areq-sz", 109.1), ("aqu-sz", 0.25))
    )
    files = [numbered(text, file_id) for text, file_id in ((old, first), (new, 3 - first))]
    beside = parse(pl.concat(sorted(files, key=lambda each: each["file_id"][0])))
    found = beside.tables["iostat_device"].sort("device").select("device", "rkb_per_s", "areq_kb", "aqu_sz").rows()
    assert found == [("sdb", 0.5, 0.15, 0.6), ("vda", 44.0, 109.1, 0.25)]


def test_two_releases_in_one_file_keep_their_values() -> None:
    text = "vm\t2\t2016-03-25 16:18:10 UTC\tsdb\trd_sec/s\t1.0\nvm\t2\t2026-11-21 02:42:03 UTC\tvda\trkB/s\t44.0\n"
    assert rows(text, "iostat_device", "device", "rkb_per_s", parser=parse) == [("sdb", 0.5), ("vda", 44.0)]
