"""The notification log: derived from a db2diag.log of V8.1, and read into the same table."""

import pytest

from parsers.db2 import db2diag, nfy
from parsers.format import Recognition, Refusal, formats
from pipeline.reading.recognition import recognise
from tests.support.db2diag_log import HEADER_81, HEADER_82, PID_81, V81, checked, numbered

# REAL (WebSphere documentation), shortened: such a record stands in both logs of V8.1.
ADM = f"""\
{HEADER_81}
{PID_81}
data management  sqldEscalateLocks Probe:4   Database:BPEDB

ADM5503E  The escalation of "10" locks on table "X" to lock intent "X" has failed.
"""
# RECONSTRUCTED from the layout: what an application writes by db2AdminMsgWrite
BY_APPLICATION = f"{HEADER_81}\n{PID_81}\nUser Application  backup Probe:1   Database:BPEDB\n\nBackup begins.\n"


@pytest.mark.parametrize(
    ("text", "is_claimed"),
    [
        pytest.param(ADM, True, id="ADM message"),
        pytest.param(ADM + "\n" + ADM + "\n" + BY_APPLICATION, True, id="and by an application"),
        pytest.param(ADM + "ADM1823E  And another one.\n", True, id="record with two messages"),
        pytest.param(V81, False, id="other messages: db2diag.log of V8.1"),
        pytest.param(ADM + "\n" + V81, False, id="one other message"),
        pytest.param(HEADER_82 + "\nMESSAGE : ADM1530E  x", False, id="layout of V8.2"),
        pytest.param("prose", False, id="no record"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_only_records_for_administrators_are_claimed(text: str, is_claimed: bool) -> None:  # noqa: FBT001 - a table of cases
    head = numbered(text)["text"]
    assert isinstance(nfy.recognise(head), Recognition if is_claimed else Refusal)
    other = db2diag.recognise(head)
    if is_claimed:
        assert isinstance(other, Recognition)
        assert other.confidence == 0.8  # a tie


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("db2inst1.nfy", "db2_nfy"),
        ("db2inst1.0.nfy", "db2_nfy"),
        ("db2inst1.nfy.1", "db2_nfy"),
        ("db2diag.log", "db2diag"),
        ("db2diag.3.log", "db2diag"),
        ("notes.txt", "db2_nfy"),
    ],
)
def test_file_name_decides_where_content_does_not(name: str, expected: str) -> None:
    assert recognise(numbered(ADM)["text"], name, formats()).format == expected
    assert recognise(numbered(V81)["text"], name, formats()).format == "db2diag"


def test_records_are_those_of_db2diag() -> None:
    lines = numbered(ADM + "\n" + BY_APPLICATION)
    parsed = nfy.FORMAT.parse(lines)
    same = checked(lines)
    assert parsed.tables["db2diag_record"].equals(same.tables["db2diag_record"])
    rows = parsed.tables["db2diag_record"]
    assert rows["kind"].to_list() == ["lock_escalation", "other"]
    assert rows["message_code"].to_list() == ["ADM5503E", None]
    assert rows["component"].to_list() == ["data management", "User Application"]
    assert rows["utc_offset_min"].null_count() == 2


def test_hadr_errors_become_events() -> None:
    text = ADM.replace("ADM5503E", "ADM12507E")
    (event,) = nfy.FORMAT.parse(numbered(text)).tables["hadr_event"].rows(named=True)
    assert (event["kind"], event["message_code"], event["database"]) == ("hadr_error", "ADM12507E", "BPEDB")
