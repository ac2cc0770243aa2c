"""Records that were folded give what they gave before: wrapped between words, and cut where their length proves it."""

import textwrap
from typing import Any

import pytest

from tests.support.db2diag_log import HEADER_81, rows

BODY = """\
PID     : 4100                 TID : 140001         PROC : db2sysc 0
INSTANCE: db2x                 NODE : 000           DB   : ORDERS
APPHDL  : 0-24715              APPID: *LOCAL.db2x.230610033239
AUTHID  : DB2X                 HOSTNAME: a.example.com
EDUID   : 60                   EDUNAME: db2hadrs.0.0 (ORDERS) 0
FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000
MESSAGE : a text that is long enough to be folded in every width, and that has some more words
DATA #1 : String, 9 bytes
something that is long enough to be folded in every width, and that has some more words"""
HEADER = "2024-03-05-10.00.00.100000-300 I1000E{:<14} LEVEL: Event"
LENGTH = len(HEADER.format(600)) + len(BODY) + 2
RECORD = f"{HEADER.format(LENGTH)}\n{BODY}"
AS_READ = {"line_no", "line_count", "byte_count", "character_count"}


def _said(text: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in AS_READ} for row in rows(text)]


@pytest.mark.parametrize("columns", [60, 64, 72, 80])
def test_a_folded_record_says_what_it_said(columns: int) -> None:
    lines = RECORD.split("\n")
    wrapped = "\n".join(part for line in lines for part in textwrap.wrap(line, columns))
    cut = "\n".join(line[at : at + columns] for line in lines for at in range(0, len(line), columns))
    assert _said(wrapped) == _said(RECORD)
    assert _said(cut) == _said(RECORD)


def test_dumps_of_one_width_are_not_joined() -> None:
    dump = "\n".join(f"0x0780000012340{number:03} : " + "0000 " * 8 for number in range(4))
    text = f"{RECORD}\nDATA #2 : Hexdump, 64 bytes\n{dump}"
    assert _said(text)[0]["data"].endswith(dump)


@pytest.mark.parametrize("line", ["17", "FUNCTION: DB2 UDB, base,"])
def test_old_records_state_no_length(line: str) -> None:
    assert len(rows(f"{HEADER_81}\n{line}\nmore")) == 1
