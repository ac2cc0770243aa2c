"""db2diag.log: what each line becomes, what each record says. Expected values were read off the printed records."""

from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.db2diag import FORMAT
from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Parsed, Recognition, Refusal, Verdict

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "db2"
unhurried = settings(deadline=None)  # the machine may be busy with other tests
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real logs is not beside this checkout")

# Headers per file, counted with `grep -cE 'LEVEL: |Instance:\S+ +Node:'`.
HEADER_COUNTS = {
    "RECON_db2diag_61_no_tid.log": 1,
    "RECON_db2diag_81_solaris_failover.log": 5,
    "RECON_db2diag_81_windows_crash_recovery.log": 6,
    "RECON_db2diag_97_hadr_socket_buffers.log": 2,
    "RECON_db2diag_9to11_crash_recovery.log": 7,
    "db2diag_101_hadr_state_connid.log": 2,
    "db2diag_105_docker_quoted.log": 1,
    "db2diag_111_aix_locklist_full.log": 1,
    "db2diag_1158_hadr_takeover_back.log": 2,
    "db2diag_1158_hadr_takeover_old_primary.log": 3,
    "db2diag_1158_linux_docker_start.log": 5,
    "db2diag_1158_pcmk_crm_resource.log": 1,
    "db2diag_115_federation_hexdump_indented.log": 1,
    "db2diag_115_linux_auth_fail.log": 1,
    "db2diag_115_linux_db_stop.log": 1,
    "db2diag_115_oom_uowid_actid.log": 1,
    "db2diag_1214_crlf_converted.log": 8,
    "db2diag_1214_linux_client_diaglevel4.log": 31,
    "db2diag_1214_linux_client_newyork.log": 8,
    "db2diag_1214_linux_client_stjohns.log": 8,
    "db2diag_81_windows_lock_escalation.log": 1,
    "db2diag_82_hadr_handshake_error.log": 1,
    "db2diag_91_linux32_log_full.log": 2,
    "db2diag_95_linux_hexdump.log": 1,
    "db2diag_95_linux_packed_descriptor.log": 1,
    "db2diag_97_aix_disk_full_log.log": 2,
    "db2diag_97_aix_log_archive.log": 1,
    "db2diag_97_hadr_role_state.log": 3,
    "db2diag_all_levels_rsyslog_fixture.log": 9,
}

# RECONSTRUCTED from the templates of the client library; names of the paper's machines.
V81 = """\
2003-07-28-10.27.09.100212   Instance:svtdbm   Node:000
PID:18342(db2agent (ABSOLUT))   TID:1   Appid:*LOCAL.svtdbm.030728172709
base sys utilities  sqledint Probe:30\x20

Crash Recovery is needed.

2003-07-28-10.27.13.871004   Instance:svtdbm   Node:000
PID:18342(db2agent (ABSOLUT))   TID:1   Appid:*LOCAL.svtdbm.030728172709
recovery manager  sqlprecm Probe:400   Database:ABSOLUT

DIA2051W Forward phase of crash recovery has completed. Next LSN is
"00000001A2D01F3A".
"""
# REAL (junsulee75/db2pcmkconfig), the second with a DATA section of ours
V82 = """\

2023-06-09-20.32.39.522612-420 E419524E513           LEVEL: Event
PID     : 255662               TID : 139733694932736 PROC : db2sysc 0
INSTANCE: v11580               NODE : 000            DB   : HADRDB
APPHDL  : 0-24715              APPID: *LOCAL.v11580.230610033239
AUTHID  : V11580               HOSTNAME: pcmk1.fyre.ibm.com
EDUID   : 149                  EDUNAME: db2agent (HADRDB) 0
FUNCTION: DB2 UDB, base sys utilities, sqeDBMgr::StartUsingLocalDatabase, probe:13
START   : Received TAKEOVER HADR command.\x20\x20

2023-06-09-20.32.41.901131-420 E452366E448           LEVEL: Event
PID     : 255662               TID : 139733690738432 PROC : db2sysc 0
INSTANCE: v11580               NODE : 000            DB   : HADRDB
HOSTNAME: pcmk1.fyre.ibm.com
EDUID   : 128                  EDUNAME: db2hadrs.0.0 (HADRDB) 0
FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000
CHANGE  : HADR state set to HDR_P_PEER (was HDR_S_PEER), connId=1
DATA #1 : String, 11 bytes
MESSAGE : x

below an empty line
DATA #10: Boolean, 1 bytes
false

"""
BOTH = V81 + V82


def numbered(text: str, file_id: int = 1) -> pl.DataFrame:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return pl.DataFrame(
        {"file_id": [file_id] * len(lines), "line_no": range(1, len(lines) + 1), "text": lines}, schema=LINE_SCHEMA
    )


def read(name: str) -> str:
    return (CORPUS / name).read_bytes().decode().removesuffix("\n")


def rows(text: str, table: str = "db2diag_record") -> list[dict[str, Any]]:
    return checked(numbered(text)).tables[table].rows(named=True)


def record(header: str, *lines: str) -> dict[str, Any]:
    (row,) = rows("\n".join([header, *lines]))
    return row


def checked(lines: pl.DataFrame) -> Parsed:
    """Parse, and hold what has to hold for any input."""
    parsed = FORMAT.parse(lines)
    assert parsed.lines.schema == VERDICT_SCHEMA
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
    is_blank = lines["text"].str.strip_chars() == ""
    assert ((parsed.lines["verdict"] == Verdict.BLANK) == is_blank).all()
    assert ((parsed.lines["verdict"] == Verdict.REJECTED) <= parsed.lines["reason"].is_not_null()).all()
    heads = parsed.lines.filter(verdict=Verdict.PARSED).select("file_id", "line_no")
    for table in FORMAT.tables:
        frame = parsed.tables.get(table.name, table.empty())
        assert frame.schema == table.schema
        assert frame.select("file_id", "line_no", "part").is_unique().all()
        assert frame.join(heads, on=["file_id", "line_no"], how="anti").is_empty()
    if heads.height:
        assert parsed.tables["db2diag_record"].select("file_id", "line_no").equals(heads)
    return parsed


def verdicts(text: str) -> str:
    """One letter a line: Parsed, Continuation, Ignored, Blank, Rejected."""
    return "".join("PCIBR"[verdict - 1] for verdict in checked(numbered(text)).lines["verdict"])


HEADER_82 = "2013-10-07-14.40.36.401196-420 E76255E392          LEVEL: Event"
HEADER_81 = "2004-06-25-15.53.42.078000   Instance:DB2   Node:000"
PID_82 = "PID     : 4737                 TID  : 46914980538688PROC : db2sysc"
PID_81 = "PID:2352(db2syscs.exe)   TID:4360   Appid:*LOCAL.DB2.027785142343"


# Recognition


@needs_corpus
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*")), ids=lambda path: path.name)
def test_db2diag_files_are_recognised_and_no_other_output_of_db2(path: Path) -> None:
    recognition = FORMAT.recognise(numbered(path.read_bytes().decode())["text"].head(400))
    assert isinstance(recognition, Recognition if path.name in HEADER_COUNTS else Refusal)


@needs_corpus
@pytest.mark.parametrize(("name", "header_count"), HEADER_COUNTS.items())
def test_corpus_files_have_so_many_records_and_nothing_rejected(name: str, header_count: int) -> None:
    parsed = checked(numbered(read(name)))
    assert parsed.tables["db2diag_record"].height == header_count
    assert parsed.lines.filter(verdict=Verdict.REJECTED).is_empty()


def test_recognition_names_the_first_header_line() -> None:
    assert FORMAT.recognise(pl.Series(["", "prose", HEADER_82])) == Recognition(
        0.99, "record header with LEVEL, as written from V8.2 on", 3
    )


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        pytest.param(V81, 0.95, id="old layout with other texts"),
        pytest.param(BOTH, 0.99, id="both layouts"),
        pytest.param(f"{HEADER_81}\n{PID_81}\n\nADM5503E  The escalation", 0.8, id="could be a notification log"),
    ],
)
def test_records_of_adm_messages_only_leave_the_file_name_a_say(text: str, confidence: float) -> None:
    recognition = FORMAT.recognise(numbered(text)["text"])
    assert isinstance(recognition, Recognition)
    assert recognition.confidence == confidence


def test_empty_head_is_refused() -> None:
    assert isinstance(FORMAT.recognise(pl.Series([], dtype=pl.String)), Refusal)


# Lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "B", id="empty line"),
        pytest.param(f"tail of a record\n\n...\n{HEADER_82}\n{PID_82}", "RBIPC", id="cut in front"),
        pytest.param(f"{HEADER_82}\n{PID_82}\n \t\nprose\n...\n{HEADER_81}", "PCBCIP", id="foreign lines"),
        pytest.param(f"{HEADER_82.replace('10-07', '02-30')}\n{PID_82}\n{HEADER_81}", "RRP", id="30 February"),
        pytest.param(f"> {HEADER_82}\n> {PID_82}\n>\n> ...", "PCCI", id="quoted: a lone mark is no white space"),
    ],
)
def test_every_line_has_its_verdict(text: str, expected: str) -> None:
    assert verdicts(text) == expected


def test_rejected_lines_say_why() -> None:
    lines = FORMAT.parse(numbered(f"x\n{HEADER_82.replace('10-07', '02-30')}\n{PID_82}")).lines
    assert lines["reason"].to_list() == [
        "stands before the first record header",
        "record header with an impossible date",
        "belongs to a record whose header has an impossible date",
    ]


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


@pytest.mark.parametrize("mark", ["> ", "  ", "\t", "db2_1  | ", "# ", "\u00a0\u00a0"])
def test_mark_before_every_line_is_taken_off(mark: str) -> None:
    marked = "\n".join(f"{mark}{line}".rstrip() for line in V82.split("\n"))
    plain, found = checked(numbered(V82)), checked(numbered(marked))
    for name, table in plain.tables.items():
        assert found.tables[name].equals(table)


def test_level_source_is_kept_apart() -> None:
    row = record(HEADER_82.replace("Event", "Error (OS)"))
    assert (row["level"], row["level_source"]) == ("Error", "OS")


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


# Kinds


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["MESSAGE : Crash Recovery is needed."], "crash_recovery_needed"),
        (["MESSAGE : CRASH", "          RECOVERY IS", "          NEEDED."], "crash_recovery_needed"),
        (["MESSAGE : Crash recovery started. LowtranLSN 0A MinbuffLSN"], "crash_recovery_started"),
        (["MESSAGE : Crash Recovery has been initiated. Lowtran LSN is"], "crash_recovery_started"),
        (["MESSAGE : ADM1530E  Crash recovery has been initiated."], "recovery_initiated"),
        (["MESSAGE : ADM1530I  Crash recovery has been initiated."], "recovery_initiated"),
        (["MESSAGE : Using parallel recovery with 3 agents 5 QSets"], "parallel_recovery"),
        (["MESSAGE : ADM1505I  Crash recovery has completed synchronous processing."], "sync_phase_done"),
        (["MESSAGE : Crash recovery completed. Next LSN is 0A"], "crash_recovery_done"),
        (["MESSAGE : ADM1531I  Crash recovery has completed successfully."], "recovery_ok"),
        (["MESSAGE : ADM1532E  Crash recovery has failed with SQLCODE"], "recovery_failed"),
        (["START   : DATABASE: ABSOLUT  : ACTIVATED: NO"], "db_activate"),
        (["STOP    : DATABASE: USERDB   : DEACTIVATED: NO"], "db_deactivate"),
        (["START   : New Diagnostic Log file"], "new_diag_file"),
        (["MESSAGE : Standby has initiated a takeover by force."], "hadr_takeover"),
        (["CHANGE  : HADR role set to Primary (was Standard)"], "hadr_role"),
        (["DATA #1 : <preformatted>", "Connection succeeded, connId=1"], "hadr_connected"),
        (["MESSAGE : Failed to connect to primary. rc:"], "hadr_refused"),
        (["RETCODE : ZRC=0x810F0019=-2129723367=SQLO_CONN_REFUSED"], "other"),
        (["DATA #1 : <preformatted>", "HADR Socket send buffer size, SO_SNDBUF: 1 bytes"], "hadr_socket_buffer"),
        (["MESSAGE : ADM5541W  Rebuilding index with IID"], "index_rebuild"),
        (["MESSAGE : ADM1823E  The active log is full"], "log_full"),
        (["DATA #1 : ", "Started archive for log file S0000017.LOG."], "log_archive"),
        (["MESSAGE : ADM5502W  The escalation of"], "lock_escalation"),
        (["RETCODE : ZRC=0x80100002=-2146435070=SQLP_LDED"], "deadlock"),
        (['MESSAGE : SQL0911N  rolled back. Reason code "68".'], "lock_timeout"),
        (["MESSAGE : ADM6075W  The database has been placed in the WRITE SUSPENDED state"], "write_suspend"),
        (['CHANGE  : CFG (DB SAMPLE): "Softmax" From: "100"  To: "1"'], "config_change"),
        (['CHANGE  : CFG DBM: "Diaglevel" From: "3"  To: "4"'], "config_change"),
        (["FUNCTION: DB2 Common, Pacemaker, db2CMVendorPCMKExecute, probe:409"], "cluster_action"),
        (["PID     : 1    TID : 2    PROC : db2havend (db2ha)"], "cluster_action"),
        (["MESSAGE : SQL1063N  DB2START processing was successful."], "instance_start"),
        (["MESSAGE : SQL1064N  DB2STOP processing was successful."], "instance_stop"),
        (
            [
                "FUNCTION: DB2 UDB, base, sqlePrintFinalMessage, probe:1",
                "DATA #1 : SQLCA",
                " sqlcode: -1064   sqlerrml",
            ],
            "instance_stop",
        ),
        (["DATA #1 : String, 22 bytes", "Client Reroute failed."], "client_reroute"),
        (["MESSAGE : There remains configuration changes to apply."], "other"),
    ],
)
def test_kind(lines: list[str], kind: str) -> None:
    assert record(HEADER_82, *lines)["kind"] == kind


@needs_corpus
@pytest.mark.parametrize(
    ("name", "from_kind", "to_kind", "seconds"),
    [
        ("db2diag_1158_hadr_takeover_back.log", "hadr_command", "hadr_state", 2.378519),
        ("RECON_db2diag_81_solaris_failover.log", "crash_recovery_needed", "crash_recovery_done", 5.902698),
        ("RECON_db2diag_9to11_crash_recovery.log", "crash_recovery_needed", "crash_recovery_done", 6.209772),
    ],
)
def test_durations_stated_in_the_reference(name: str, from_kind: str, to_kind: str, seconds: float) -> None:
    stamps = {row["kind"]: row["stamp"] for row in rows(read(name))}
    assert (stamps[to_kind] - stamps[from_kind]).total_seconds() == seconds


@needs_corpus
def test_record_offsets_are_contiguous_in_files_as_written() -> None:
    for name in ("db2diag_1158_linux_docker_start.log", "db2diag_1214_linux_client_diaglevel4.log"):
        records = checked(numbered(read(name))).tables["db2diag_record"]
        follows = records["record_offset"] == (records["record_offset"] + records["record_length"] + 1).shift(1)
        assert follows.drop_nulls().all()


@needs_corpus
def test_crlf_copy_gives_the_same_records() -> None:
    names = ("db2diag_1214_linux_client_newyork.log", "db2diag_1214_crlf_converted.log")
    original, copy = (checked(numbered(read(name))) for name in names)
    assert original.lines.equals(copy.lines)
    assert all(copy.tables[name].equals(table) for name, table in original.tables.items())


# Any input


@unhurried
@given(st.integers(0, len(BOTH)))
def test_file_cut_anywhere_gives_the_rows_above_the_cut(end: int) -> None:
    whole = checked(numbered(BOTH)).tables["db2diag_record"]
    found = checked(numbered(BOTH[:end])).tables.get("db2diag_record", whole.clear())
    complete = found.head(max(found.height - 1, 0))
    assert complete.equals(whole.head(complete.height))


@unhurried
@given(st.integers(0, len(BOTH)), st.binary(max_size=40))
def test_bytes_spliced_in_anywhere_never_raise(position: int, noise: bytes) -> None:
    content = BOTH.encode()
    checked(numbered((content[:position] + noise + content[position:]).decode("latin-1")))


@unhurried
@given(st.permutations(BOTH.split("\n")))
def test_lines_in_any_order_never_raise(lines: list[str]) -> None:
    checked(numbered("\n".join(lines)))


PIECES = st.sampled_from([*BOTH.split("\n"), HEADER_82, HEADER_81, "PID:", "Data Title :", "> ", "...", "DATA #1 :"])


@unhurried
@given(st.lists(st.tuples(PIECES, st.text(max_size=8), PIECES).map("".join) | PIECES | st.text(), max_size=12))
def test_glued_lines_and_random_text_never_raise(lines: list[str]) -> None:
    FORMAT.recognise(pl.Series(lines, dtype=pl.String))
    checked(numbered("\n".join(lines)))


@unhurried
@given(st.lists(PIECES, max_size=30).map("\n".join))
def test_chunk_that_begins_at_a_header_gives_the_same_rows(text: str) -> None:
    assert FORMAT.boundary is not None
    lines = numbered(text)
    whole = checked(lines)
    for cut in lines.with_row_index().filter(pl.col("text").str.contains(FORMAT.boundary))["index"]:
        parts = [checked(lines.head(cut)), checked(lines.slice(cut))]
        assert pl.concat([part.lines for part in parts]).equals(whole.lines)
        for name, table in whole.tables.items():
            assert pl.concat([part.tables[name] for part in parts if name in part.tables]).equals(table)


@unhurried
@given(st.lists(st.lists(PIECES, max_size=12).map("\n".join), min_size=2, max_size=4))
def test_files_do_not_touch_each_other(texts: list[str]) -> None:
    files = [numbered(text, file_id) for file_id, text in enumerate(texts, 1)]
    together = checked(pl.concat(files))
    alone = [checked(file) for file in files]
    assert together.lines.equals(pl.concat([each.lines for each in alone]))
    for name, table in together.tables.items():
        assert table.equals(pl.concat([each.tables[name] for each in alone if name in each.tables]))


def test_record_of_many_sections_ends_normally() -> None:
    sections = "\n".join(f"DATA #{n} : Boolean, 1 bytes\nfalse" for n in range(1, 40_001))
    parsed = checked(numbered(f"{HEADER_82}\n{sections}"))
    assert parsed.tables["db2diag_record"]["data"].item().count("\n") == 79_999
    assert parsed.tables["db2diag_data"].height == 32767


def test_no_lines_give_no_rows() -> None:
    parsed = FORMAT.parse(pl.DataFrame(schema=LINE_SCHEMA))
    assert parsed.lines.is_empty()
    assert parsed.tables == {}
