"""JSON of sysstat: what holds for iostat and sadf alike."""

from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.sysstat_json import parse, printed_name
from tests.parsers.report_lines import checked, numbered

SAMPLES = (
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
SPLICED = st.tuples(st.sampled_from(SAMPLES), st.sampled_from(SAMPLES), st.integers(0, 60)).map(
    lambda pick: pick[0][: pick[2]] + pick[1][pick[2] :]
)


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


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(SPLICED, st.sampled_from(SAMPLES)), max_size=25), st.sampled_from(["iostat", "sadf"]))
def test_any_lines_are_accounted_for(lines: list[str], tool: str) -> None:
    checked(numbered("\n".join(lines) + "\n"), lambda frame: parse(frame, tool))
