"""What stores of many lines cost."""

import re
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest import store_template
from pipeline.store.relations import catalogue

REPORTS = 1_000_000


def test_reports_outside_of_run_folders_need_no_more_than_a_store_has(tmp_path: Path) -> None:
    file = tmp_path / "a.duckdb"
    store_template.into(file, tmp_path)
    settings: dict[str, str | bool | int | float | list[str]]
    settings = {"memory_limit": "192MB", "threads": 2, "temp_directory": str(tmp_path / "spilled")}
    (statement,) = [each.sql for each in catalogue() if each.name == "iostat_report"]
    with duckdb.connect(str(file), config=settings) as con:
        con.execute("insert into source_file (file_id, configuration, node, status) values (1, 'a', 'elm', 'parsed')")
        con.execute("insert into run_hour (configuration) values ('a')")  # one stretch without bounds
        con.execute(
            "insert into log.iostat_mark by name select 1 as file_id, 3 * n as line_no, 3 * n as report_line, "
            "'iostat' as section, 'stamp' as kind, 1 as invocation_no, n as report_no, false as is_since_boot, "
            "timestamp '2026-11-21' + to_seconds(n) as \"at\", 1.0 as interval_s, 'stamps' as interval_source "
            f"from range(1, {REPORTS + 1}) as numbers(n)"
        )
        con.execute(f"create temp table found as {statement}")
        ask = "select count(*), max(offset_s), count(*) filter (configuration = 'a' and \"at\" is not null) from found"
        assert con.execute(ask).fetchall() == [(REPORTS, REPORTS - 1, REPORTS)]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two million lines of syslog and of DB2 each, and of some that are of VCS in both logs."""
    folder = tmp_path_factory.mktemp("many")
    db = folder / "a.duckdb"
    store_template.into(db, folder)
    with duckdb.connect(str(db)) as con:
        con.execute(
            "create temp table line as select i, timestamp '2024-01-01' + to_seconds(i) as t from range(2000000) r(i)"
        )
        con.execute(
            "insert into main.source_file (file_id, path, format) "
            "select i, 'p' || i, case when i = 399 then 'cib' else 'syslog' end from range(400) r(i)"
        )
        for first_file, table, share in (
            (0, "syslog_event", 1),
            (0, "vcs_event_line", 100),
            (200, "db2diag_record", 1),
        ):
            con.execute(
                f"insert into log.{table} by name select {first_file} + i // 10000 as file_id, i % 10000 as line_no, "
                f'1 as part, t as "at" from line where i % {share} = 0'
            )
        con.execute("update log.vcs_event_line set message_no = 1")
        con.execute("insert into log.vcs_event_message (message_no) values (1)")
    return db


def test_events_are_counted_in_less_memory_than_their_lines_take(db: Path) -> None:
    few: dict[str, str | bool | int | float | list[str]]
    few = {"threads": 2, "memory_limit": "128MB", "temp_directory": ""}
    with duckdb.connect(str(db), read_only=True, config=few) as con:
        counted = con.execute("select source, count(*) from event group by all order by all").fetchall()
    assert counted == [("db2diag", 2_000_000), ("syslog", 2_000_000)]


@pytest.mark.parametrize(("asked", "is_read"), [("count(*)", False), ("count(text)", True)])
def test_events_are_counted_without_what_they_say(db: Path, asked: str, is_read: bool) -> None:  # noqa: FBT001  pytest names them
    with duckdb.connect(str(db), read_only=True) as con:
        ((_, plan),) = con.execute(f"explain select {asked} from event").fetchall()
    assert bool(re.findall(r"\b(?:text|message)\b", plan)) == is_read
