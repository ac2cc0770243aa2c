"""JSON of sysstat: what holds for iostat and sadf alike."""

import polars as pl
import pytest

from parsers.format import Verdict
from parsers.sysstat.sysstat_json import parse, printed_name
from pipeline.memory import held_bytes
from tests.support.report_lines import checked, numbered

FURTHER_LINES = (
    '{"sysstat": {',
    '\t"hosts": [',
    "\t\t{",
    '\t\t\t"nodename": "vm",',
    '\t\t\t"date": "11/21/26",',
    '\t\t\t"statistics": [',
    "\t\t\t\t{",
    '\t\t\t\t\t"timestamp": "11/21/26 02:42:01",',
    '\t\t\t\t\t"timestamp": {"date": "2026-11-21", "time": "02:42:03", "utc": 1, "interval": 2},',
    '\t\t\t\t\t"avg-cpu":  {"user": 44.92, "nice": 0.00, "system": 9.68, "iowait": 0.26, "idle": 45.14},',
    '\t\t\t\t\t"avg-cpu": {',
    '\t\t\t\t\t\t"user": 44.92,',
    '\t\t\t\t\t\t"idle": 44.91',
    '\t\t\t\t\t"disk": [',
    '\t\t\t\t\t\t{"disk_device": "vda", "r/s": 99.87, "w/s": 316.46, "rkB/s": 10030.06, "util": 3.31},',
    '\t\t\t\t\t\t{"disk_device": "vdb", "r/s": nan, "rkB/s": 1,50}',
    '\t\t\t\t\t\t{"disk_device": "vda", "r/s": 99.8',
    '\t\t\t\t\t\t\t"disk_device": "dm-0",',
    '\t\t\t\t\t\t\t"r/s": 1.39',
    "\t\t\t\t\t]",
    "\t\t\t\t},",
    "}}",
    "",
)
"""Lines that tests/parsers/test_format.py cuts and splices, besides those above."""


def test_keys_are_the_columns_of_the_text() -> None:
    assert [printed_name(key) for key in ("util", "util-percent", "rrqm", "rrqm/s", "rd_sec", "wkB", "usr")] == [
        "%util",
        "%util",
        "%rrqm",
        "rrqm/s",
        "rd_sec/s",
        "wkB/s",
        "%usr",
    ]


@pytest.mark.parametrize(
    "number",
    ["01", "1e999", "-1e400", "9" * 400, "٣", "1.", ".5", "+1", "0x1f", "1e", "--1", "Infinity", "1_000"],
)
def test_a_number_that_json_does_not_know_costs_its_own_line_only(number: str) -> None:
    bad = f'{{"disk_device": "sda", "r/s": 0.27, "w/s": {number}, "util": 0.16}},'
    good = '{"disk_device": "sdb", "r/s": 1.50, "w/s": 2.00, "util": 0.16}'
    lines = numbered(f'"timestamp": "11/21/26 02:42:01",\n"disk": [\n{bad}\n{good}\n]')
    parsed = checked(lines, lambda each: parse(each, "iostat"))
    assert parsed.tables["iostat_device"]["device_raw"].to_list() == ["sdb"]
    assert parsed.lines["verdict"].to_list()[2:4] == [Verdict.REJECTED, Verdict.PARSED]


@pytest.mark.parametrize(
    "number",
    ["0", "-0.5", "1e99", "1E-99", "9" * 30, "0." + "9" * 400, "-" + "9" * 30 + ".5", "1e+05", "9" * 30 + "e99"],
)
def test_a_number_of_json_is_read(number: str) -> None:
    lines = numbered(f'"disk": [\n{{"disk_device": "sda", "kB_read": {number}}}\n')
    assert checked(lines, lambda each: parse(each, "iostat")).tables["iostat_device"].height == 1


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param('{"disk_device":\u00a0"sda", "w/s": 1}', id="a blank that JSON does not have"),
        pytest.param('{"disk_device": "s\tda", "w/s": 1}', id="a control character in a text"),
        pytest.param('{"disk_devics": "dm-0", "w/s": "1", "disk_device": "sda"}', id="text under other keys"),
        pytest.param('{"disk_device": "sda", "wkB": 1, "wkB/s": 2}', id="two keys of one column"),
    ],
)
def test_an_object_that_cannot_be_read_costs_no_other(bad: str) -> None:
    lines = numbered(f'"disk": [\n{bad},\n{{"disk_device": "sdb", "w/s": 1}}\n')
    parsed = checked(lines, lambda each: parse(each, "iostat"))
    assert parsed.tables["iostat_device"]["device_raw"].to_list() == ["sdb"]


def test_text_where_a_number_belongs_gives_no_row_and_is_no_row() -> None:
    lines = numbered('"disk": [\n{"disk_device": "sda", "w/s": "x"},\n{"disk_device": "sdb", "w/s": 1}\n')
    parsed = checked(lines, lambda each: parse(each, "iostat"))
    assert parsed.tables["iostat_device"]["device_raw"].to_list() == ["sdb"]
    assert parsed.lines["verdict"].to_list() == [Verdict.PARSED, Verdict.IGNORED, Verdict.PARSED]


def test_memory_does_not_grow_with_the_square_of_the_files() -> None:
    """A thousand files in one frame: what is listed once for each object took 6 GB."""
    text = '"timestamp": "11/21/26 02:42:01",\n"disk": [\n' + '{"disk_device": "sda", "w/s": 1.00},\n' * 20
    frame = numbered(text)
    lines = pl.concat([frame.with_columns(file_id=pl.lit(number, pl.Int32)) for number in range(1, 1001)])
    held = held_bytes()
    parsed = parse(lines, "iostat")
    assert parsed.tables["iostat_device"].height == 20_000
    assert held_bytes() - held < 256 * 1024 * 1024
