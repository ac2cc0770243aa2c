"""Files that hold the output of several tools."""

from tests.support.report_lines import LINUX_X, read, rejected, reports

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
