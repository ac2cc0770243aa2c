"""Where records of db2diag.log begin and end, and what each line becomes."""

import re

import pytest

from parsers.db2.db2diag import FORMAT
from tests.support.db2diag_log import HEADER_81, HEADER_82, PID_82, V82, checked, numbered, record, verdicts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "B", id="empty line"),
        pytest.param(f"tail of a record\n\n...\n{HEADER_82}\n{PID_82}", "RBIPC", id="cut in front"),
        pytest.param(f"{HEADER_82}\n{PID_82}\n \t\nprose\n...\n{HEADER_81}", "PCBCIP", id="foreign lines"),
        pytest.param(f"{HEADER_82.replace('10-07', '02-30')}\n{PID_82}\n{HEADER_81}", "RRP", id="30 February"),
        pytest.param(f"> {HEADER_82}\n> {PID_82}\n>\n> ...", "PCCI", id="quoted: a lone mark is no white space"),
        pytest.param(f">\n> {HEADER_82}\n> {PID_82}", "IPC", id="a lone mark before the first header"),
    ],
)
def test_every_line_has_its_verdict(text: str, expected: str) -> None:
    assert verdicts(text) == expected


def test_rejected_lines_say_why() -> None:
    lines = FORMAT.parse(numbered(f"x\n{HEADER_82.replace('10-07', '02-30')}\n{PID_82}")).lines
    assert lines["reason"].to_list() == [
        "is before the first record header",
        "record header with an impossible date",
        "belongs to a record whose header has an impossible date",
    ]


@pytest.mark.parametrize("mark", ["> ", "  ", "\t", "db2_1  | ", "# ", "\u00a0\u00a0"])
def test_mark_before_every_line_is_taken_off(mark: str) -> None:
    lines = [line.rstrip() for line in V82.split("\n")]
    marked = "\n".join(f"{mark}{line}".rstrip() for line in lines)
    plain, found = checked(numbered("\n".join(lines))), checked(numbered(marked))
    for name, table in plain.tables.items():
        assert found.tables[name].equals(table)


def test_a_copy_with_tabs_for_its_blanks_has_the_same_header() -> None:
    single = re.sub(" +", " ", HEADER_82)
    assert verdicts(single.replace(" ", "\t")) == "P"
    assert record(single.replace(" ", "\t")) == record(single)


def test_level_source_is_kept_apart() -> None:
    row = record(HEADER_82.replace("Event", "Error (OS)"))
    assert (row["level"], row["level_source"]) == ("Error", "OS")
