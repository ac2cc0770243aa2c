"""Rules of sadf."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.format import Recognition, Refusal
from parsers.sadf import parse, recognise
from tests.parsers.report_lines import checked, numbered, rejected, reports, rows

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


SAMPLES = [*DATABASE.splitlines(), *PLAIN.splitlines(), *JSON.splitlines(), "", "vm;x;y"]
SPLICED = st.tuples(st.sampled_from(SAMPLES), st.sampled_from(SAMPLES), st.integers(0, 60)).map(
    lambda pick: pick[0][: pick[2]] + pick[1][pick[2] :]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(SPLICED, st.sampled_from(SAMPLES)), max_size=25))
def test_any_lines_are_accounted_for(lines: list[str]) -> None:
    checked(numbered("\n".join(lines) + "\n"), parse)
