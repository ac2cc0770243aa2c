"""The kind of a db2diag record, by what its texts say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.db2.db2diag_meaning import HINTS, KINDS, PATTERNS
from tests.support.db2diag_log import HEADER_82, record

CASES = [
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
    (["MESSAGE : Info: HADR Startup has begun."], "hadr_start"),
    (["MESSAGE : HADR primary did not establish connection with standby within timeout"], "hadr_start_failed"),
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
    (["MESSAGE : ADM1532E  Crash recovery has failed with SQLCODE"], "recovery_failed"),
    (["MESSAGE : Crash recovery failed."], "recovery_failed"),
    (
        [
            "FUNCTION: DB2 UDB, recovery manager, sqlpresr, probe:350",
            "RETCODE : ZRC=0x86100025=-2045771739=SQLP_BADLSN",
        ],
        "recovery_failed",
    ),
    (["MESSAGE : ADM1533W  Database has recovered. However, one or more"], "recovered_offline"),
    (["MESSAGE : ADM1525I  Member crash recovery has completed."], "member_recovery"),
    (["MESSAGE : ADM1529E  Group crash recovery has failed."], "group_recovery"),
    (["MESSAGE : DIA2051W Forward phase of crash recovery has completed.  Next LSN is"], "forward_phase_done"),
    (["START   : Received TAKEOVER HADR command."], "hadr_command"),
    (["CHANGE  : HADR state set to HDR_P_PEER (was HDR_S_PEER), connId=1"], "hadr_state"),
    (["MESSAGE : ADM12507E  The parameters differ."], "hadr_error"),
    (["MESSAGE : SQL1026N  The database manager is already active."], "start_refused"),
    (["MESSAGE : DIA2030W In-doubt transaction(s) exists at shutdown"], "indoubt"),
    (["MESSAGE : adm1531e in small letters"], "recovery_ok"),
]


@pytest.mark.parametrize(("lines", "kind"), CASES)
def test_kind(lines: list[str], kind: str) -> None:
    assert record(HEADER_82, *lines)["kind"] == kind


def test_every_kind_has_a_case() -> None:
    assert {kind for _, kind in CASES} == {*KINDS, "other"}


@pytest.mark.parametrize("kind", KINDS)
def test_text_that_a_pattern_fits_has_one_of_its_words(kind: str) -> None:
    @given(st.from_regex(PATTERNS[kind], alphabet=st.characters(max_codepoint=126)))
    def check(text: str) -> None:
        assert any(word in text for word in HINTS[kind])

    check()


@pytest.mark.parametrize("length", [60_000, 70_000])
def test_kind_of_a_long_text(length: int) -> None:
    padding = "hadr " * (length // 5)
    assert record(HEADER_82, "MESSAGE : ADM1823E  full", "DATA #1 : x", padding)["kind"] == "log_full"
    assert record(HEADER_82, "MESSAGE : full", "DATA #1 : x", padding)["kind"] == "other"


def test_words_are_in_small_letters_without_blanks() -> None:
    assert all(word == "".join(word.lower().split()) for words in HINTS.values() for word in words)
