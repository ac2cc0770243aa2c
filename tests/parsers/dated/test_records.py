import pytest

from parsers.dated.dated_log import FORMAT
from parsers.dated.records import LOG_RECORD
from parsers.messages.ha_message import HA_EVENT
from tests.support.message_lines import counts, numbered, rows


def test_what_a_record_says_of_its_writer() -> None:
    lines = [
        "Log file created at: 2019/07/18 10:00:00",
        "Running on machine: n1",
        "2019-07-18 10:00:01 mysqld[12]: [ERROR] [MY-010116] Server no",
    ]
    first, second = rows(FORMAT, *lines, table=LOG_RECORD.name)
    assert first["host"] == "n1"
    assert (second["process"], second["pid"], second["message_id"]) == ("mysqld", 12, "MY-010116")


@pytest.mark.parametrize(("adjustment", "east_min"), [("-7:00", -420), ("5:30", 330), ("+0:00", 0), ("never", None)])
def test_an_sql_server_says_how_far_its_clock_is_from_utc(adjustment: str, east_min: int | None) -> None:
    lines = [
        "2026-05-11 10:00:00.12 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64)",
        f"2026-05-11 10:00:00.12 Server      UTC adjustment: {adjustment}",
    ]
    assert FORMAT.parse(numbered(lines)).tables[LOG_RECORD.name]["utc_offset_min"].to_list() == [None, east_min]


@pytest.mark.parametrize("blanks", [" ", "      "])  # pages on the web keep one
@pytest.mark.parametrize("writer", ["Server", "Logon", "spid466"])
def test_what_an_sql_server_calls_an_error_is_one(blanks: str, writer: str) -> None:
    lines = [f"2020-12-08 02:11:25.51 {writer}{blanks}{said}" for said in ("Error: 19421, Severity: 16", "The lease")]
    records = rows(FORMAT, *lines, table=LOG_RECORD.name)
    assert [(each.get("level"), each.get("message_id")) for each in records] == [("err", "19421"), (None, None)]


def test_remarks_of_log_files_are_ignored() -> None:
    lines = [
        "#Fields: date time s-ip",
        "2020-01-31 10:00:00 10.0.0.1 GET /a",
        "#Date: 2020-01-31",
        "2020-01-31 10:00:01 x GET /b",
    ]
    assert counts(FORMAT, lines) == [2, 0, 2, 0, 0]


def test_each_line_below_a_stamp_that_stands_alone_is_a_message() -> None:
    # REAL: Oracle's alert log prints a stamp for several messages
    lines = [
        "Fri Oct 21 16:51:22 2022",
        "Beginning crash recovery of 1 threads",
        "Completed crash recovery at",
        "Completed: ALTER DATABASE OPEN",
        "Fri Oct 21 16:51:23 2022 Beginning crash recovery of 1 threads",
        "Completed crash recovery at",
    ]
    read = FORMAT.parse(numbered(lines)).tables[HA_EVENT.name]
    assert read.select("line_no", "part", "kind").rows() == [
        (1, 1, "db_recovery_start"),
        (1, 2, "db_redo_done"),
        (1, 3, "db_ready"),
        (5, 1, "db_recovery_start"),
    ]


def test_name_of_a_container_is_who_says_it_and_no_part_of_it() -> None:
    said = "27:X 24 Nov 2026 11:57:18.432 # +sdown master mymaster 10.78.0.1 6379"
    stamp = "2026-11-24T11:57:18.432123456Z"
    lines = [
        f"db1-1      | {said}",
        f"db1-1      | {stamp} {said}",
        f"[pod/db-0/sentinel] {said}",
        f"[pod/db-0/sentinel] {stamp} {said}",
        f"{stamp} {said}",
    ]
    read = FORMAT.parse(numbered(lines)).tables[HA_EVENT.name]
    assert read["kind"].to_list() == ["leader_suspect"] * len(lines)
    assert read["host"].to_list() == ["db1-1", "db1-1", "db-0", "db-0", None]
