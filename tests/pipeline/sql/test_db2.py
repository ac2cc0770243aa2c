"""Views on what the logs of DB2 tell: gaps, HADR, crash recoveries, configuration changes, environment."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from parsers.db2.db2diag import FORMAT
from parsers.format import LINE_SCHEMA
from pipeline.ingest.ingest import ingest
from pipeline.store import store
from tests.support.db2diag_log import CORPUS, V81, log, needs_corpus, read, texts, written
from tests.support.hand_made import Ledger, recovery

Row = dict[str, Any]


def rows(con: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    return store.frame(con, query).to_dicts()


def only(row: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


# Gaps: files as DB2 writes them, and what can happen to them


def records(count: int, offset: int = 0) -> list[str]:
    return list(written(islice(texts(), count), offset))


def gaps(content: str, *, line_end: str = "\n", encoding: str = "utf-8") -> list[Row]:
    """What is found in a file with this content."""
    lines = content.removesuffix("\n").split("\n")
    numbered = {"file_id": [1] * len(lines), "line_no": range(1, len(lines) + 1), "text": lines}
    parsed = FORMAT.parse(pl.DataFrame(numbered, schema=LINE_SCHEMA))
    ledger = Ledger()
    file_id = ledger.file("x/run1/b/db2diag.log", "db2diag", "x", "run1", "b")
    counts = parsed.lines["verdict"].value_counts()
    ledger.files[0] |= {
        "bytes": len(content.replace("\n", line_end).encode(encoding)),
        "lines": len(lines),
        "encoding": encoding,
        "ignored_lines": sum(counts.filter(verdict=3)["count"]),
        "rejected_lines": sum(counts.filter(verdict=5)["count"]),
    }
    for row in parsed.tables["db2diag_record"].drop("part", "has_year").iter_rows(named=True):
        line_no, stamp = row.pop("line_no"), row.pop("stamp")
        row.pop("file_id"), row.pop("utc_offset_min")
        ledger.add("db2diag_record", file_id, 0, **row)
        ledger.rows["db2diag_record"][-1] |= {"line_no": line_no, "local_at": stamp}
    found = rows(ledger.build(), "select * from db2diag_gap")
    assert all(row["text"] and row["path"] and row["severity"] in ("warning", "note") for row in found)
    return found


def test_file_as_written_has_no_gap() -> None:
    assert gaps(log(40)) == []


def test_upgraded_file_with_records_of_both_layouts_has_no_gap() -> None:
    old = V81.removesuffix("\n")
    assert gaps(old + "".join(records(3, len(old.encode())))) == []


def test_missing_bytes_are_those_of_the_records_cut_out() -> None:
    parts = records(6)
    (gap,) = gaps("".join(parts[:2] + parts[4:]))
    lines = "".join(parts[:2]).count("\n")
    assert only(gap, "kind", "severity", "missing_bytes") == ("missing", "warning", len(parts[2]) + len(parts[3]))
    assert only(gap, "after_line_no", "line_no") == (lines, lines + 2)
    assert gap["text"] == (
        f"{len(parts[2]) + len(parts[3])} bytes are missing between line {lines} and line {lines + 2} of "
        "x/run1/b/db2diag.log: records were filtered or cut out."
    )


@pytest.mark.parametrize("cut", [1, 6, 11])
def test_every_record_cut_out_is_found(cut: int) -> None:
    parts = records(12)
    found = gaps("".join(parts[:cut] + parts[cut + 1 :]))
    missing = {row["missing_bytes"] for row in found}
    assert missing == ({len(parts[cut])} if cut < 11 else set())  # that records follow the last is not known


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            lambda parts: "".join(parts[1:]), [("beginning", "note", lambda parts: len(parts[0]))], id="begins later"
        ),
        pytest.param(
            lambda parts: "".join(parts)[:-100], [("truncated", "warning", lambda _: 99)], id="ends in a record"
        ),
        pytest.param(
            lambda parts: "".join([parts[0], parts[1].replace("Log File", "Log"), *parts[2:]]),
            [("recid_mismatch", "warning", lambda _: 5)],
            id="edited, shorter",
        ),
        pytest.param(
            lambda parts: "".join([parts[0], parts[1] + "a note\n", *parts[2:]]),
            [("recid_mismatch", "warning", lambda _: -7)],
            id="edited, longer",
        ),
        pytest.param(lambda parts: "".join(parts * 2), [("restart", "warning", lambda _: None)], id="files joined"),
        pytest.param(
            lambda parts: "".join([*parts[:2], *parts[1:]]), [("repeated", "warning", lambda _: None)], id="repeated"
        ),
        pytest.param(
            lambda parts: "".join([parts[0], parts[2], parts[1], parts[3]]),
            [
                ("missing", "warning", lambda parts: len(parts[1])),
                ("out_of_order", "warning", lambda _: None),
                ("missing", "warning", lambda parts: len(parts[2])),
            ],
            id="two records changed places",
        ),
        pytest.param(lambda parts: "".join(parts) + "\n\n\n", [], id="empty lines at the end"),
        pytest.param(lambda parts: "".join(parts).removesuffix("\n"), [], id="last line without its end"),
        pytest.param(lambda parts: "".join(parts).replace("\n", "\n> "), [], id="quoted, which takes nothing away"),
        pytest.param(
            lambda parts: "...\n".join(parts[::2]),
            [("missing", "warning", lambda parts: len(parts[1]))],
            id="elision mark",
        ),
    ],
)
def test_what_happened_to_a_file_is_reported(change: Any, expected: list[Any]) -> None:
    parts = records(4)
    found = [only(row, "kind", "severity", "missing_bytes") for row in gaps(change(parts))]
    assert found == [(kind, severity, missing(parts)) for kind, severity, missing in expected]


def test_conversion_to_crlf_is_found_by_the_size_of_the_file() -> None:
    (gap,) = gaps(log(5), line_end="\r\n")
    assert only(gap, "kind", "severity", "missing_bytes") == ("line_ends", "note", None)
    parts = records(4)
    assert [row["kind"] for row in gaps(parts[0] + parts[2], line_end="\r\n")] == ["line_ends", "missing"]


def test_bytes_of_another_encoding_count_as_one() -> None:
    text = next(iter(texts())).replace("CLIENT", "CLIENT é")
    declared = "".join(written([text])).replace("E497", "E496")  # as long as the file of one byte a character
    assert "E496" in declared
    assert gaps(declared, encoding="cp1252") == []


@needs_corpus
@pytest.mark.parametrize(
    ("name", "line_end", "expected"),
    [
        ("db2diag_1214_linux_client_newyork.log", "\n", []),
        ("db2diag_1214_linux_client_diaglevel4.log", "\n", []),
        ("db2diag_1214_crlf_converted.log", "\r\n", [("line_ends", None)]),
        ("db2diag_97_hadr_role_state.log", "\n", [("beginning", 68392), ("missing", 7475), ("missing", 4717)]),
        ("RECON_db2diag_9to11_crash_recovery.log", "\n", []),
    ],
)
def test_gaps_of_the_corpus(name: str, line_end: str, expected: list[tuple[str, int | None]]) -> None:
    content = (CORPUS / name).read_bytes().decode().replace("\r\n", "\n")
    assert [only(row, "kind", "missing_bytes") for row in gaps(content, line_end=line_end)] == expected


# HADR


class Hadr:
    """Records of one database on one host; seconds are counted from the ledger's start."""

    def __init__(self, ledger: Ledger, node: str = "a", *, run: str = "run1", database: str = "HADRDB") -> None:
        self.ledger = ledger
        self.common = {"instance": "i", "database": database, "member": 0}
        self.file_id = ledger.file(f"x/{run}/{node}/db2diag.log", "db2diag", "x", run, node)

    def add(self, second: float, kind: str, **values: Any) -> int:
        text = str(sorted(values.items()))
        return self.ledger.add("hadr_event", self.file_id, second, kind=kind, **{"text": text, **self.common, **values})

    def takeover(self, second: float) -> int:
        return self.add(second, "hadr_command", command="takeover")

    def state(self, second: float, old_role: str, new_role: str, new_state: str = "peer") -> int:
        return self.add(
            second, "hadr_state", old_role=old_role, new_role=new_role, old_state="peer", new_state=new_state, conn_id=3
        )

    def role(self, second: float, old_role: str, new_role: str) -> int:
        return self.add(second, "hadr_role", old_role=old_role, new_role=new_role)

    def reported(self, second: float, side: str, **values: bool) -> int:
        return self.add(second, "hadr_takeover", side=side, **values)


def takeovers(ledger: Ledger) -> list[Row]:
    return rows(ledger.build(), "select * from hadr_takeover order by node, command_at")


def test_takeover_that_never_ends_has_no_end() -> None:
    ledger = Ledger()
    standby = Hadr(ledger)
    standby.takeover(10)
    standby.state(11, "standby", "standby", "rcu_pending")  # no other role
    standby.add(20, "hadr_command", command="start")
    standby.state(30, "standby", "primary")  # after another command
    (row,) = takeovers(ledger)
    assert only(row, "done_at", "duration_s", "from_role", "failed_attempts") == (None, None, None, 0)


def test_databases_hosts_and_runs_are_never_mixed() -> None:
    ledger = Ledger()
    places = [Hadr(ledger), Hadr(ledger, "b"), Hadr(ledger, database="OTHER"), Hadr(ledger, run="run2")]
    places[0].takeover(10)
    for place in places[1:]:
        place.state(11, "standby", "primary")
    (row,) = takeovers(ledger)
    assert row["done_at"] is None


def test_error_in_both_logs_is_one_event() -> None:
    ledger = Ledger()
    hadr = Hadr(ledger)
    notes = ledger.file("x/run1/a/i.nfy", "db2_nfy", "x", "run1", "a")
    hadr.add(5, "hadr_error", message_code="ADM12507E")
    for second in (5.9, 7):
        ledger.add("hadr_event", notes, second, kind="hadr_error", message_code="ADM12507E", **hadr.common)
    found = rows(ledger.build(), 'select file_id, second("at") as second from hadr_event order by "at"')
    assert [only(row, "file_id", "second") for row in found] == [(hadr.file_id, 9), (notes, 11)]


def test_message_in_both_logs_is_one_event() -> None:
    ledger = Ledger()
    diag = ledger.file("x/run1/a/db2diag.log", "db2diag", "x", "run1", "a")
    notes = ledger.file("x/run1/a/i.nfy", "db2_nfy", "x", "run1", "a")
    own = {"host": "a", "instance": "db2inst1", "message_code": "ADM7513W"}
    ledger.add("db2diag_record", diag, 5, database="prod", **own)
    for second, database in ((4, "PROD"), (6, "PROD"), (6.001, "PROD"), (5, "TEST"), (None, "PROD")):
        ledger.add("db2diag_record", notes, second, database=database, **own)
    found = rows(ledger.build(), f"select line_no from event where file_id = {notes} order by all")
    assert [row["line_no"] for row in found] == [4, 5, 6]


# Crash recovery


def recoveries(ledger: Ledger) -> list[Row]:
    return rows(ledger.build(), "select * from crash_recovery")


def test_each_crash_has_its_recovery() -> None:
    ledger = Ledger()
    diag = ledger.file("x/run1/b/db2diag.log", "db2diag", "x", "run1", "b")
    notes = ledger.file("x/run1/b/i.nfy", "db2_nfy", "x", "run1", "b")
    for second in (0, 100):
        recovery(ledger, diag, second, "crash_recovery_needed", database="A")
        recovery(ledger, notes, second + 1, "recovery_initiated", database="A")
        recovery(ledger, diag, second + 3, "crash_recovery_done", database="A")
        recovery(ledger, notes, second + 3.001, "recovery_ok", database="A")
    recovery(ledger, diag, 200, "crash_recovery_needed", database="A")
    recovery(ledger, diag, 201, "recovery_failed", database="A")
    recovery(ledger, diag, 250, "crash_recovery_needed", database="B")
    found = [only(row, "database", "duration_s", "failed_attempts") for row in recoveries(ledger)]
    assert found == [("A", 3.0, 0), ("A", 3.0, 0), ("A", None, 1), ("B", None, 0)]


def test_notification_log_alone_shows_a_recovery() -> None:
    ledger = Ledger()
    notes = ledger.file("x/run1/b/i.nfy", "db2_nfy", "x", "run1", "b")
    recovery(ledger, notes, 0, "recovery_initiated", database="A")
    recovery(ledger, notes, 7, "recovery_ok", database="A")
    (row,) = recoveries(ledger)
    assert only(row, "needed_at", "duration_s", "undo_s") == (None, 7.0, None)


# Configuration changes and environment


def test_configuration_change_belongs_to_the_run_of_its_time() -> None:
    ledger = Ledger()
    diag = ledger.file("x/run1/b/db2diag.log", "db2diag", "x", "run1", "b")
    ledger.add("config_change", diag, 3, scope="dbm", parameter="SYSMON_GROUP", old_value="", new_value="db2mons")
    (row,) = rows(ledger.build(), "select * from config_change")
    assert only(row, "configuration", "run", "node", "parameter", "new_value") == (
        "x", "run1", "b", "SYSMON_GROUP", "db2mons",
    )  # fmt: skip


def test_fact_that_files_repeat_is_one_row_and_another_value_a_second() -> None:
    ledger = Ledger()
    for number, ram in enumerate(("1", "1", "2")):
        diag = ledger.file(f"x/run1/b/db2diag.{number}.log", "db2diag", "x", "run1", "b")
        ledger.add("environment_fact", diag, None, host="b.example.com", subject="memory", name="total", value=ram)
    found = rows(ledger.build(), "select * from environment")
    assert [only(row, "run", "node", "value", "file_id") for row in found] == [
        ("run1", "b", "1", 1),
        ("run1", "b", "2", 3),
    ]


# From files to views


@needs_corpus
def test_takeover_and_recoveries_of_the_corpus(tmp_path: Path) -> None:
    names = (
        "db2diag_1158_hadr_takeover_back.log",
        "db2diag_1158_hadr_takeover_old_primary.log",
        "RECON_db2diag_81_solaris_failover.log",
        "RECON_db2diag_9to11_crash_recovery.log",
        "db2diag_1214_linux_client_newyork.log",
    )
    for number, name in enumerate(names, 1):
        folder = tmp_path / "study" / "x" / f"run{number}"
        folder.mkdir(parents=True)
        (folder / "db2diag.log").write_text(read(name) + "\n")
    ingest(tmp_path / "study", tmp_path / "db")
    with store.opened(tmp_path / "db") as con:
        switches = con.execute("select run, from_role, duration_s from hadr_takeover order by run").fetchall()
        crashes = con.execute("select run, duration_s, redo_s, undo_s from crash_recovery order by run").fetchall()
        machine = con.execute(
            "select name, value from environment "
            "where run = 'run5' and name in ('version', 'release', 'physical_total')"
        ).fetchall()
    # 20.32.39.522612 -> 20.32.41.901131; the old primary of another switch: 20.26.08.238097 -> 20.26.10.655241
    assert switches == [("run1", "standby", 2.378519), ("run2", "primary", 2.417144)]
    # 10.27.09.100212 -> 10.27.15.002910; 09.14.04.101220 -> 09.14.10.310992
    assert crashes == [("run3", 5.902698, 4.437128, 1.131906), ("run4", 6.209772, 4.362627, 1.308247)]
    assert sorted(machine) == [("physical_total", "24106"), ("release", "6.18"), ("version", "12.1.4.0")]
