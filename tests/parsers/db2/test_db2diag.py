"""db2diag.log as a whole: recognised, counted, and never failing, no matter what the input."""

import polars as pl
import pytest

from parsers.db2.db2diag import FORMAT
from parsers.format import Recognition
from tests.support.db2diag_log import (
    BOTH,
    HEADER_81,
    HEADER_82,
    PID_81,
    V81,
    checked,
    needs_corpus,
    numbered,
    read,
)

# Recognition


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


def test_record_of_many_sections_ends_normally() -> None:
    sections = "\n".join(f"DATA #{n} : Boolean, 1 bytes\nfalse" for n in range(1, 40_001))
    parsed = checked(numbered(f"{HEADER_82}\n{sections}"))
    assert parsed.tables["db2diag_record"]["data"].item().count("\n") == 79_999
    assert parsed.tables["db2diag_data"].height == 32767
