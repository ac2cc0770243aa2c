"""The fields of db2diag records, in both layouts. Expected values were read off the printed records."""

from datetime import datetime
from typing import Any

import polars as pl
import pytest

from parsers.db2.db2diag_keys import groups_of
from tests.support.db2diag_log import HEADER_81, HEADER_82, PID_81, PID_82, V81, V82, record, rows

# Fields of V8.2 and later


def test_every_field_of_a_record_is_read() -> None:
    first, second = rows(V82)
    assert {name: value for name, value in first.items() if value is not None} == {
        "file_id": 1,
        "line_no": 2,
        "part": 1,
        "stamp": datetime(2023, 6, 9, 20, 32, 39, 522612),  # noqa: DTZ001 - stamps are wall clock
        "has_year": True,
        "utc_offset_min": -420,
        "era": "v82",
        "kind": "hadr_command",
        "audience": "E",
        "record_offset": 419524,
        "platform": "E",
        "record_length": 513,
        "line_count": 8,
        "byte_count": 515,  # the page that the record was copied from added two blanks
        "character_count": 515,
        "level": "Event",
        "pid": 255662,
        "tid": 139733694932736,
        "process": "db2sysc 0",
        "instance": "v11580",
        "member": 0,
        "database": "HADRDB",
        "apphdl": "0-24715",
        "appid": "*LOCAL.v11580.230610033239",
        "authid": "V11580",
        "host": "pcmk1.fyre.ibm.com",
        "eduid": 149,
        "eduname": "db2agent (HADRDB) 0",
        "product": "DB2 UDB",
        "component": "base sys utilities",
        "function": "sqeDBMgr::StartUsingLocalDatabase",
        "probe": 13,
        "event_type": "START",
        "event_text": "Received TAKEOVER HADR command.",
    }
    assert second["host"] == "pcmk1.fyre.ibm.com"
    assert second["message"] is None
    assert second["kind"] == "hadr_state"
    assert second["data"] == (
        "DATA #1 : String, 11 bytes\nMESSAGE : x\n\nbelow an empty line\nDATA #10: Boolean, 1 bytes\nfalse"
    )


def test_sections_are_rows_of_their_own() -> None:
    columns = ("line_no", "part", "section_kind", "n", "descriptor", "body")
    assert [tuple(row[name] for name in columns) for row in rows(V82, "db2diag_data")] == [
        (11, 1, "DATA", 1, "String, 11 bytes", "MESSAGE : x\n\nbelow an empty line"),
        (11, 2, "DATA", 10, "Boolean, 1 bytes", "false"),
    ]


@pytest.mark.parametrize(
    ("header", "minutes"),
    [("-420", -420), ("-210", -210), ("+330", 330), ("+660", 660), ("+000", 0), ("+0120", 120)],
)
def test_zone_is_minutes_east_of_utc(header: str, minutes: int) -> None:
    assert record(HEADER_82.replace("-420 ", f"{header} "))["utc_offset_min"] == minutes


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([PID_82], {"pid": 4737, "tid": 46914980538688, "process": "db2sysc"}, id="TID touches PROC"),
        pytest.param(
            ["PID : 6178 TID : 183039466048PROC : db2hadrp (HADRDB)"],
            {"pid": 6178, "tid": 183039466048, "process": "db2hadrp (HADRDB)"},
            id="blanks collapsed by a page",
        ),
        pytest.param(
            ["PID     : 1   TID : 2   KTID : 3", "PROC    : db2sysc 0"],
            {"tid": 2, "ktid": 3, "process": "db2sysc 0"},
            id="pureScale: KTID, PROC below",
        ),
        pytest.param(["PID     : 99999999999999999999 TID : 2"], {"pid": None, "tid": 2}, id="number too large"),
        pytest.param(
            ["INSTANCE:                      NODE : 000"],
            {"instance": "", "member": 0, "database": None},
            id="empty instance",
        ),
        pytest.param(
            ["APPHDL  : 0-50", "HOSTNAME: db-0"], {"apphdl": "0-50", "appid": None, "host": "db-0"}, id="alone"
        ),
        pytest.param(["APPID   : *LOCAL.a.1"], {"appid": "*LOCAL.a.1"}, id="APPID alone"),
        pytest.param(["UOWID   : 58                   ACTID: 54"], {"uowid": 58, "actid": 54}, id="unit of work"),
        pytest.param(["UOWID   : 58            LAST_ACTID: 7"], {"uowid": 58, "actid": 7}, id="last activity"),
        pytest.param(["TENANTID: 5"], {"tenantid": 5}, id="tenant"),
        pytest.param(
            ["FUNCTION: DB2 UDB, catcache support, sqlrlc_systables_fetch_from_disk,", "probe:200"],
            {"component": "catcache support", "function": "sqlrlc_systables_fetch_from_disk", "probe": 200},
            id="probe wrapped by a page",
        ),
        pytest.param(
            ["FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrHandleHsAck, probe: 30330"],
            {"product": "DB2 UDB", "function": "hdrHandleHsAck", "probe": 30330},
            id="blank before the probe",
        ),
        pytest.param(
            ["MESSAGE : DIA2051W Forward phase", "          has completed.  Next LSN is", '\t\t  "0".'],
            {"message": 'DIA2051W Forward phase has completed.  Next LSN is "0".', "message_code": "DIA2051W"},
            id="message over three lines",
        ),
        pytest.param(
            [
                "RETCODE : ZRC=0x85100009=-2062548983=SQLP\\_NOSPACE",
                '          "Log File"',
                "DIA8309C Log file was full.",
            ],
            {
                "retcode": 'ZRC=0x85100009=-2062548983=SQLP\\_NOSPACE "Log File" DIA8309C Log file was full.',
                "zrc": "0x85100009",
                "zrc_name": "SQLP_NOSPACE",
                "message_code": "DIA8309C",
                "message": None,
            },
            id="retcode whose last line lost its indent",
        ),
        pytest.param(
            ["RETCODE : ZRC 0x810F0019 -2129723367 SQLO_CONN_REFUSED"],
            {"zrc": "0x810F0019", "zrc_name": "SQLO_CONN_REFUSED"},
            id="8.2 writes the ZRC with blanks",
        ),
        pytest.param(
            ["MESSAGE : ZRC=0xFFFFFB3C=-1220", "          SQL1220N  No shared memory."],
            {"zrc": "0xFFFFFB3C", "zrc_name": None, "message_code": "SQL1220N"},
            id="ZRC without a symbol",
        ),
        pytest.param(
            ["CALLED  : OS, -, connect", 'OSERR   : ECONNREFUSED (111) "Connection refused"', "IMPACT  : Unlikely"],
            {
                "called": "OS, -, connect",
                "oserr": 'ECONNREFUSED (111) "Connection refused"',
                "impact": "Unlikely",
            },
            id="system call",
        ),
        pytest.param(
            ["CHANGE  : HADR DATABASE ROLE/TYPE -", "HADR database role set to STANDBY (was PRIMARY)."],
            {
                "event_type": "CHANGE",
                "event_text": "HADR DATABASE ROLE/TYPE - HADR database role set to STANDBY (was PRIMARY).",
                "kind": "hadr_role",
            },
            id="event goes on unindented",
        ),
        pytest.param(["MESSAGE : "], {"message": None}, id="empty message"),
        pytest.param(["MESSAGE             : far"], {"message": "far"}, id="colon far from its key"),
        pytest.param(["MESSAGE #12345     : n"], {"message": "n"}, id="number and colon far from their key"),
        pytest.param(
            ["DISASSOCIATE: AGENT"], {"event_type": "DISASSOCIATE", "event_text": "AGENT"}, id="the longest key"
        ),
        pytest.param(["MESSAGE_LOG : x"], {"message": "MESSAGE_LOG : x"}, id="only begins like a key"),
        pytest.param(
            ["MESSAGE : 5 #1: two", "5: three"], {"message": "5 #1: two 5: three"}, id="digits and colons of the text"
        ),
        pytest.param(["text of no field"], {"message": "text of no field"}, id="text of no field is kept"),
        pytest.param(
            ["DATA #1 : SQLCA", " sqlcaid : SQLCA   sqlcode: 0", "DATA #2 : SQLCA", " sqlcode: -1063   sqlerrml: 0"],
            {"sqlcode": -1063},
            id="first SQLCODE other than zero",
        ),
        pytest.param(
            ["CALLSTCK: (Static functions may not be resolved)", "  [0] 0x00 pdLog + 0x1"],
            {"data": "CALLSTCK: (Static functions may not be resolved)\n  [0] 0x00 pdLog + 0x1"},
            id="call stack",
        ),
    ],
)
def test_field(lines: list[str], expected: dict[str, Any]) -> None:
    row = record(HEADER_82, *lines)
    assert {name: row[name] for name in expected} == expected


def test_fields_of_many_records_are_those_of_each() -> None:
    # So many different lines of one kind are each matched, as recurring ones are not.
    places = range(1, 2001)
    lines = [
        line
        for n in places
        for line in (
            HEADER_82,
            f"PID     : {n}               TID  : {n * 7}        PROC : db2sysc {n % 3}  ",
            f"INSTANCE: db2inst{n % 2}             NODE : 000          DB   : PROD ",
            f"MESSAGE : ADM1530E {n}",
        )
    ]
    found = [
        (row["pid"], row["tid"], row["process"], row["instance"], row["database"], row["message"])
        for row in rows("\n".join(lines))
    ]
    assert found == [(n, n * 7, f"db2sysc {n % 3}", f"db2inst{n % 2}", "PROD", f"ADM1530E {n}") for n in places]


@pytest.mark.parametrize("count", [3, 3000])
def test_groups_of_texts_that_recur_or_not(count: int) -> None:
    texts = pl.Series([None if n % 5 == 0 else f"a{n} {n}  " for n in range(count)], dtype=pl.String)
    expected = [{"word": None, "n": None} if n % 5 == 0 else {"word": f"a{n}", "n": str(n)} for n in range(count)]
    pattern = "^(?P<word>[a-z0-9]+) (?P<n>.*)$"
    assert groups_of(texts, pattern, padded=("n",)).to_dicts() == expected
    often = pl.concat([texts.head(3)] * count)
    assert groups_of(often, pattern, padded=("n",)).to_dicts() == expected[:3] * count
    assert groups_of(texts.clear(), pattern).is_empty()


# V8.1 and earlier


def test_old_layout_has_no_zone_and_its_level_from_the_message_code() -> None:
    first, second = rows(V81)
    assert {name: value for name, value in second.items() if value is not None} == {
        "file_id": 1,
        "line_no": 7,
        "part": 1,
        "stamp": datetime(2003, 7, 28, 10, 27, 13, 871004),  # noqa: DTZ001 - stamps are wall clock
        "has_year": True,
        "era": "v81",
        "kind": "forward_phase_done",
        "line_count": 6,
        "byte_count": 274,
        "character_count": 274,
        "level": "Warning",
        "pid": 18342,
        "tid": 1,
        "process": "db2agent (ABSOLUT)",
        "instance": "svtdbm",
        "member": 0,
        "database": "ABSOLUT",
        "appid": "*LOCAL.svtdbm.030728172709",
        "component": "recovery manager",
        "function": "sqlprecm",
        "probe": 400,
        "message": ('DIA2051W Forward phase of crash recovery has completed. Next LSN is "00000001A2D01F3A".'),
        "message_code": "DIA2051W",
    }
    assert (first["level"], first["database"], first["function"]) == ("Unknown", None, "sqledint")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ["PID:40112(db2agent (SAMPLE))   Appid:*LOCAL.payroll.980402144001", "lock_manager  sqlplrq   Probe:111"],
            {"pid": 40112, "tid": None, "appid": "*LOCAL.payroll.980402144001", "component": "lock_manager"},
            id="V5 and V6 print no TID",
        ),
        pytest.param(
            ["PID:1(db2agent (S))   TID:352", "Appid:*LOCAL.p.97", "lock_manager  sqlplrq   Probe:111", "text"],
            {"tid": 352, "appid": "*LOCAL.p.97", "function": "sqlplrq", "message": "text"},
            id="V7 wraps the Appid",
        ),
        pytest.param(
            [PID_81, "recovery manager sqlpresr Probe:410"],
            {"component": "recovery manager", "function": "sqlpresr", "probe": 410},
            id="blanks collapsed",
        ),
        pytest.param(
            [PID_81, "a  b Probe:1", "", "Received sqlcode.", "Data Title :SQLCA pid(14358)", " sqlcaid : SQLCA"],
            {"message": "Received sqlcode.", "data": "Data Title :SQLCA pid(14358)\n sqlcaid : SQLCA"},
            id="dump below the text",
        ),
        pytest.param([PID_81, "", "ADM5503E  x"], {"message": "ADM5503E  x", "level": "Error"}, id="no component line"),
        pytest.param(["text", "alone"], {"message": "text alone", "pid": None}, id="nothing but text"),
    ],
)
def test_old_field(lines: list[str], expected: dict[str, Any]) -> None:
    row = record(HEADER_81, *lines)
    assert {name: row[name] for name in expected} == expected
