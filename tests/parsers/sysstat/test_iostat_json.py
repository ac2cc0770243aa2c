"""Rules of `iostat -o JSON`."""

from parsers.format import Recognition, Refusal
from parsers.sysstat.iostat_json import parse, recognise
from tests.support.report_lines import numbered, read, rejected, reports, rows

# RECORDED (rec_linux_sysstat12.6.1_C_json.txt), with fewer keys
TEXT = """\
{"sysstat": {
\t"hosts": [
\t\t{
\t\t\t"nodename": "vm",
\t\t\t"sysname": "Linux",
\t\t\t"release": "6.18.44-fc-v657",
\t\t\t"machine": "x86_64",
\t\t\t"number-of-cpus": 2,
\t\t\t"date": "11/21/26",
\t\t\t"statistics": [
\t\t\t\t{
\t\t\t\t\t"timestamp": "11/21/26 02:42:01",
\t\t\t\t\t"avg-cpu":  {"user": 44.92, "nice": 0.00, "system": 9.68, "iowait": 0.26, "steal": 0.24, "idle": 44.91},
\t\t\t\t\t"disk": [
\t\t\t\t\t\t{"disk_device": "vda", "r/s": 99.87, "rkB/s": 10030.06, "r_await": 0.60, "rrqm": 9.6, "util": 3.31}
\t\t\t\t\t]
\t\t\t\t},
\t\t\t\t{
\t\t\t\t\t"timestamp": "11/21/26 02:42:03",
\t\t\t\t\t"avg-cpu":  {"user": 50.50, "nice": 0.00, "system": 3.52, "iowait": 7.04, "steal": 0.00, "idle": 38.94},
\t\t\t\t\t"disk": [
\t\t\t\t\t\t{"disk_device": "vda", "r/s": 0.00, "rkB/s": 0.00, "r_await": 0.00, "rrqm": 0.0, "util": 16.40}
\t\t\t\t\t]
\t\t\t\t}
\t\t\t]
\t\t}
\t]
}}
"""
# REAL (linux_json_pkb_iostat_output.json): rewritten by another tool
PRETTY = """\
{
  "sysstat": {
    "hosts": [
      {
        "nodename": "test-instance",
        "date": "2024-03-14",
        "statistics": [
          {
            "timestamp": "2024-03-14T17:53:14-0700",
            "avg-cpu": {
              "user": 0.72,
              "nice": 0.22,
              "system": 0.77,
              "iowait": 0.01,
              "steal": 0.05,
              "idle": 98.23
            },
            "disk": [
              {
                "disk_device": "dm-0",
                "r/s": 1.39,
                "rkB/s": 69.95
              }
            ]
          }
        ]
      }
    ]
  }
}
"""


def test_objects_are_rows() -> None:
    assert rows(
        TEXT, "iostat_device", "device", "r_per_s", "rkb_per_s", "r_await_ms", "util_pct", "raw", parser=parse
    ) == [
        ("vda", 99.87, 10030.06, 0.6, 3.31, '{"%rrqm":9.6}'),
        ("vda", 0.0, 0.0, 0.0, 16.4, '{"%rrqm":0.0}'),
    ]
    assert rows(TEXT, "iostat_cpu", "user_pct", "idle_pct", parser=parse) == [(44.92, 44.91), (50.5, 38.94)]
    assert rows(TEXT, "iostat_invocation", "host", "cpus", "date_text", parser=parse) == [("vm", 2, "11/21/26")]
    assert reports(TEXT, "report_no", "is_since_boot", "interval_s", parser=parse) == [(1, True, None), (2, False, 2.0)]
    assert rejected(TEXT, parse) == []


def test_objects_over_several_lines_are_rows_too() -> None:
    assert rows(PRETTY, "iostat_device", "line_no", "device", "rkb_per_s", parser=parse) == [(19, "dm-0", 69.95)]
    assert rows(PRETTY, "iostat_cpu", "line_no", "idle_pct", parser=parse) == [(10, 98.23)]
    assert rejected(PRETTY, parse) == []


def test_throughput_that_was_printed_in_blocks_is_put_right() -> None:
    # RECORDED: sysstat 12.2.0 prints 1920 where 960 kB were read
    line = '{"disk_device": "sdb", "r/s": 120.00, "w/s": 0.00, "rkB/s": %s, "wkB/s": 0.0, "rareq-sz": 8.00, '
    line += '"wareq-sz": 0.0}'
    for printed, flags in (("1920.00", "json_unit_fixed"), ("960.00", None)):
        text = '"disk": [\n' + line % printed + "\n]\n"
        assert rows(text, "iostat_device", "rkb_per_s", "flags", parser=parse) == [(960.0, flags)]


def test_decimal_commas_of_11_5_1_are_points() -> None:
    text = '"avg-cpu":  {"user": 44,92, "nice": 0,00, "system": 9,68, "idle": 45,40},\n'
    assert rows(text, "iostat_cpu", "user_pct", "idle_pct", parser=parse) == [(44.92, 45.4)]


def test_what_is_no_json_is_rejected() -> None:
    # RECORDED (.._json_truncated.txt)
    text = TEXT + "}bash: line 43: 29923 Killed\n"
    assert rejected(text, parse) == [(29, "not JSON of sysstat")]


def test_recognition() -> None:
    assert isinstance(recognise(numbered(TEXT)["text"]), Recognition)
    assert isinstance(recognise(numbered(PRETTY)["text"]), Recognition)
    assert isinstance(recognise(numbered('{"other": 1}\n')["text"]), Refusal)
    assert read("", parse).tables == {}
