"""Facts of the machine from first lines."""

from parsers.sysstat.iostat_json import parse as parse_json
from tests.parsers.sysstat.test_iostat_json import TEXT
from tests.support.report_lines import LINUX_X, rows

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
