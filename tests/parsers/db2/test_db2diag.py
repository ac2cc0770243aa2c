"""db2diag.log as a whole: recognised, counted, and never failing, no matter what the input."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.db2.db2diag import FORMAT
from parsers.format import Recognition, Refusal, Verdict
from tests.support.db2diag_log import (
    BOTH,
    CORPUS,
    HEADER_81,
    HEADER_82,
    PID_81,
    V81,
    checked,
    needs_corpus,
    numbered,
    read,
    rows,
)

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


# Recognition


@needs_corpus
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*")), ids=lambda path: path.name)
def test_db2diag_files_are_recognised_and_no_other_output_of_db2(path: Path) -> None:
    recognition = FORMAT.recognise(numbered(path.read_bytes().decode())["text"].head(400))
    assert isinstance(recognition, Recognition if path.name in HEADER_COUNTS else Refusal)


@needs_corpus
@pytest.mark.parametrize(("name", "header_count"), HEADER_COUNTS.items())
def test_corpus_files_have_the_expected_records_and_nothing_rejected(name: str, header_count: int) -> None:
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


@needs_corpus
@pytest.mark.parametrize(
    ("name", "from_kind", "to_kind", "seconds"),
    [
        ("db2diag_1158_hadr_takeover_back.log", "hadr_command", "hadr_state", 2.378519),
        ("RECON_db2diag_81_solaris_failover.log", "crash_recovery_needed", "crash_recovery_done", 5.902698),
        ("RECON_db2diag_9to11_crash_recovery.log", "crash_recovery_needed", "crash_recovery_done", 6.209772),
    ],
)
def test_durations_declared_in_the_reference(name: str, from_kind: str, to_kind: str, seconds: float) -> None:
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


@given(st.integers(0, len(BOTH)))
def test_file_cut_anywhere_gives_the_rows_above_the_cut(end: int) -> None:
    whole = checked(numbered(BOTH)).tables["db2diag_record"]
    found = checked(numbered(BOTH[:end])).tables.get("db2diag_record", whole.clear())
    complete = found.head(max(found.height - 1, 0))
    assert complete.equals(whole.head(complete.height))


def test_record_of_many_sections_ends_normally() -> None:
    sections = "\n".join(f"DATA #{n} : Boolean, 1 bytes\nfalse" for n in range(1, 40_001))
    parsed = checked(numbered(f"{HEADER_82}\n{sections}"))
    assert parsed.tables["db2diag_record"]["data"].item().count("\n") == 79_999
    assert parsed.tables["db2diag_data"].height == 32767
