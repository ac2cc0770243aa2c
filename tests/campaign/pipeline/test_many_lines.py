"""A question for all events holds few lines in memory, and reads no more of them than it needs."""

import re
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest import store_template


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
