"""A doubtful word is one that somebody chose: no word of a product, and no number in hexadecimal."""

import pytest

from pipeline.ask.anonymise.anonymise import _strange_words
from pipeline.ask.anonymise.names import names_at
from pipeline.ask.anonymise.places import places

# REAL: lines of db2diag.log, of `get db cfg` and of Solaris' messages, between them what a person may have written
LINES: tuple[tuple[str, list[str]], ...] = (
    ("FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000", []),
    ("CALLED  : DB2 UDB, base sys utilities, sqleIssueStartStop, probe:5", []),
    ("PID:1052(db2agent (ABSOLUT))   TID:1   Appid:0A00230C.CCCD.19CAEF37BB91", []),
    ("PID:13737(db2agent (ORDERS))   TID:1   Appid:0A00230C.BEEF.F1D9F352E82A", []),
    ("gab: [ID 316943 kern.notice] GAB:20036: Port v gen fafabc membership 01", []),
    (" Data Links Write Token Init Expiry Intvl(DL_WT_IEXPINT) = 60", []),
    (" Data Links Token Expiry Interval (sec)      (DL_EXPINT) = 60", []),
    (" Max size of appl. group mem set (4KB) (APPGROUP_MEM_SZ) = 8192", []),
    (" Package cache size (4KB)                   (PCKCACHESZ) = (MAXAPPLS*8)", []),
    ("MESSAGE : the zorillafrob is away, address 0xFFFFEA12", ["zorillafrob"]),
    (" First log archive method                 (LOGARCHMETH1) = DISK:/arch/zorillaplace/", ["zorillaplace"]),
    ("Port h gen zorilla membership 01, 5 bead ", ["zorilla", "bead"]),
)


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_what_somebody_chose_is_doubted_and_no_word_of_a_product(line: str, expected: list[str]) -> None:
    assert [each for each in _strange_words(line) if len(each) > 3 and each != "ABSOLUT"] == expected


@pytest.mark.parametrize("line", ["ssh root@zorilla", "scp -q root@zorilla:/tmp/x .", "rsync -a x ops@zorilla:/y"])
def test_whom_a_remote_command_names_is_a_host(line: str) -> None:
    found = {name.text for place in places(line) for name in names_at(place, line[place.start : place.end])}
    assert "zorilla" in found
