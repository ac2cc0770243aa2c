"""Files that hold the output of several tools, and what their first line says of the system (`environment`)."""

import pytest

from parsers.format import Recognition
from parsers.sysstat.iostat_json import parse as parse_json
from parsers.sysstat.iostat_vmstat_sar import recognise
from tests.parsers.sysstat.test_iostat_json import TEXT
from tests.support.report_lines import LINUX_X, numbered, read, rejected, reports, rows

VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
15  0      0 16886536 127828 7496524    0    0  5027 13899 1020 4855 45 10 45  0  0
 2  0      0 16886536 127828 7496524    0    0    42 155034 2867 5071 51  4 39  7  0
"""


def test_every_table_is_read_by_its_own_header() -> None:
    text = LINUX_X + "\n" + VMSTAT
    assert rejected(text) == []
    assert {name: rows.height for name, rows in read(text).tables.items()} == {
        "iostat_device": 2,
        "iostat_cpu": 2,
        "vmstat": 2,
        "iostat_mark": 8,
        "iostat_invocation": 1,
        "environment_fact": 4,
    }
    assert reports(text, "section", "report_no", "is_since_boot") == [
        ("iostat", 1, True),
        ("iostat", 2, False),
        ("vmstat", 1, True),
        ("vmstat", 2, False),
    ]


def test_lines_above_the_first_header_are_rejected() -> None:
    assert rejected("vda 1.00 2.00\n" + LINUX_X) == [(1, "no header of a table is above")]


SAR = "02:42:01        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
HEAD = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"


@pytest.mark.parametrize(
    ("text", "tool"), [(LINUX_X, "iostat"), (SAR, "sar"), (HEAD, "vmstat"), (HEAD + LINUX_X, "vmstat")]
)
def test_the_first_table_shows_the_tool(text: str, tool: str) -> None:
    head = numbered(text)["text"]
    claims = [each for each in ("iostat", "sar", "vmstat") if isinstance(recognise(head, each), Recognition)]
    assert claims == [tool]


COLUMNS = ("host", "subject", "name", "value")
EXPECTED = [
    ("vm", "os", "name", "Linux"),
    ("vm", "os", "release", "6.18.44-fc-v657"),
    ("vm", "cpu", "architecture", "x86_64"),
    ("vm", "cpu", "online", "2"),
]


def test_the_first_line_gives_facts() -> None:
    assert rows(LINUX_X, "environment_fact", *COLUMNS) == EXPECTED
    assert rows(TEXT, "environment_fact", *COLUMNS, parser=parse_json) == EXPECTED


def test_what_is_not_printed_is_no_fact() -> None:
    assert rows("Linux 4.4.0\n", "environment_fact", *COLUMNS) == [
        (None, "os", "name", "Linux"),
        (None, "os", "release", "4.4.0"),
    ]
