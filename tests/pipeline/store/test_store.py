import gc
import os
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from unittest.mock import create_autospec

import duckdb
import polars as pl
import pytest

from parsers.format import Column, Table
from pipeline.errors import StoreError
from pipeline.reading.frames import GIVEN_GROUPS, ROW_GROUP
from pipeline.store import log_tables, store
from pipeline.store.sole_writer import sole_writer

INFO = pl.DataFrame(
    [(store.SCHEMA_VERSION, "0.1", "s", "k", "m", "r", "p", "", "", "", "", "")],
    schema={"schema_version": pl.Int32(), **dict.fromkeys(list(store.INFO_COMMENTS)[1:], pl.String())},
    orient="row",
)


def write(con: duckdb.DuckDBPyConnection, relation: str, rows: pl.DataFrame) -> None:
    log_tables.create_table(con, relation, rows.schema, "One row per row.", {})
    store.insert(con, relation, rows)


def build(db: Path, content: int = 1, info: pl.DataFrame = INFO) -> None:
    with store.building(db) as building:
        write(building.con, "main.store_info", info)
        building.con.execute("create table main.t as select ? as content", [content])


def content_of(db: Path) -> int:
    with store.opened(db) as con:
        return int(con.execute("select content from main.t").fetchall()[0][0])


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_store_is_built_beside_and_leaves_nothing_else(tmp_path: Path) -> None:
    build(tmp_path / "new" / "a.duckdb")
    assert content_of(tmp_path / "new" / "a.duckdb") == 1
    assert names(tmp_path / "new") == ["a.duckdb"]


def test_an_older_client_can_read_the_store(tmp_path: Path) -> None:
    build(tmp_path / "a.duckdb")
    with store.opened(tmp_path / "a.duckdb") as con:
        rows = con.execute("select tags['storage_version'] from duckdb_databases() where not internal").fetchall()
    assert rows[0][0].startswith("v1.4.0")


def test_a_failure_while_building_leaves_the_old_store(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    build(db)
    with pytest.raises(duckdb.ConversionException), store.building(db) as building:
        building.con.execute("create table main.t as select cast('x' as integer) as content")
    assert content_of(db) == 1
    assert names(tmp_path) == ["a.duckdb"]


@pytest.mark.parametrize("call", ["replace", "fsync", "mkdir"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_nth_failure_of_the_system_leaves_the_old_or_the_new_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    db = tmp_path / "a.duckdb"
    build(db)
    real = getattr(os, call)
    left = [number]

    def failing(*arguments: object, **named: object) -> object:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        return real(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing)
        try:
            build(db, 2)
        except StoreError as error:
            assert "No space left on device" in str(error)  # noqa: PT017  it may also succeed
    assert content_of(db) in {1, 2}
    assert names(tmp_path) == ["a.duckdb"]


def test_a_killed_build_is_cleaned_up_by_the_next(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    build(db)
    code = (
        "import os, signal\nfrom pathlib import Path\nfrom pipeline.store import store\n"
        f"with store.building(Path({str(db)!r})) as building:\n"
        "    building.con.execute('create table main.t as select 2 as content')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(store.__file__).parents[2])
    assert ended.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) > 1
    assert content_of(db) == 1
    build(db, 3)
    assert content_of(db) == 3
    assert names(tmp_path) == ["a.duckdb"]


HOLDER = """
import sys, time
from pathlib import Path
{code}
print("ready", flush=True)
sys.stdin.read()
"""


def holding(code: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER.format(code=code)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(store.__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_store_held_by_another_process_is_an_error_with_its_number(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    build(db)
    with holding(f"import duckdb; con = duckdb.connect({str(db)!r})") as holder:
        with pytest.raises(StoreError, match=f"process {holder.pid}"), store.opened(db):
            pass
        holder.communicate("")


def test_a_second_builder_is_refused_with_the_number_of_the_first(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    code = (
        "from contextlib import ExitStack; from pipeline.store.sole_writer import sole_writer; stack = ExitStack();"
        f"stack.enter_context(sole_writer(Path({str(db)!r})))"
    )
    with holding(code) as holder:
        with pytest.raises(StoreError, match=f"process {holder.pid}"), sole_writer(db):
            pass
        holder.communicate("")


def test_a_holder_that_has_not_written_its_number_yet_is_waited_for(tmp_path: Path) -> None:
    """The file still has the number of one that was killed."""
    db = tmp_path / "a.duckdb"
    lock = tmp_path / "a.duckdb.tmp-lock"
    with holding(f"import fcntl; file = open({str(lock)!r}, 'a'); fcntl.flock(file, fcntl.LOCK_EX)") as holder:
        timer = threading.Timer(0.2, lock.write_text, [f"{holder.pid}\n"])
        timer.start()
        with pytest.raises(StoreError, match=f"process {holder.pid}"), sole_writer(db):
            pass
        timer.join()
        holder.communicate("")


def test_what_is_no_store_is_reported(tmp_path: Path) -> None:
    text = tmp_path / "text.duckdb"
    text.write_text("hello" * 5000)
    foreign = tmp_path / "foreign.duckdb"
    duckdb.connect(str(foreign)).close()
    newer = tmp_path / "newer.duckdb"
    build(newer, info=INFO.with_columns(schema_version=pl.lit(store.SCHEMA_VERSION + 1, pl.Int32)))
    for db, message in (
        (text, "not a DuckDB file"),
        (foreign, "not one that haledger wrote"),
        (newer, "newer haledger"),
        (tmp_path / "none.duckdb", "no such store"),
    ):
        with pytest.raises(StoreError, match=message), store.opened(db):
            pass


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        build(tmp_path / "file" / "a.duckdb")


TABLE = Table(
    name="odd",
    grain="One row per 'thing'.",
    columns=(
        Column('na"me', pl.String(), "it's quoted"),
        Column("items", pl.List(pl.String()), "several"),
        Column("pair", pl.Struct({"lo": pl.Float64(), "hi": pl.Float64()}), "two numbers"),
        Column("order", pl.Int64(), "a reserved word"),
    ),
)


def test_a_log_table_has_times_in_place_of_stamps_and_a_comment_everywhere(tmp_path: Path) -> None:
    rows = pl.DataFrame(
        [(1, 2, 1, None, None, "x", ["a", "b"], {"lo": 1.0, "hi": 2.0}, 5)],
        schema=log_tables.log_columns(TABLE),
        orient="row",
    )
    with store.building(tmp_path / "a.duckdb") as building:
        con = building.con
        con.execute("create schema log")
        log_tables.create_log_table(con, TABLE)
        store.insert(con, "log.odd", rows)
        assert store.frame(con, "select * from log.odd").equals(rows)
        columns = con.execute("select column_name, comment from duckdb_columns() where table_name = 'odd'").fetchall()
        comments = con.execute("select comment from duckdb_tables() where table_name = 'odd'").fetchall()
    assert [name for name, _ in columns] == [
        "file_id", "line_no", "part", "at", "local_at", 'na"me', "items", "pair", "order",
    ]  # fmt: skip
    assert all(comment for _, comment in columns)
    assert comments == [("One row per 'thing'.",)]


def test_rows_without_a_value_are_rows(tmp_path: Path) -> None:
    rows = pl.DataFrame({"a": [None, None], "b": [None, None]}, schema={"a": pl.Int64, "b": pl.String})
    with store.building(tmp_path / "a.duckdb") as building:
        write(building.con, "main.t", rows)
        assert store.frame(building.con, "select * from main.t").equals(rows)


def test_whole_groups_of_rows_are_compressed_once(tmp_path: Path) -> None:
    rows = pl.DataFrame({"line_no": pl.int_range(GIVEN_GROUPS[0] * ROW_GROUP, eager=True), "text": "a sentence"})
    with store.building(tmp_path / "a.duckdb") as building:
        log_tables.create_table(building.con, "main.t", rows.schema, "One row per row.", {})
        store.insert(building.con, "main.t", rows)
        store.insert(building.con, "main.t", rows)
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as con:
        stored = con.execute(
            "select row_group_id, max(case column_name when 'text' then compression end), "
            "sum(count) filter (column_name = 'line_no' and segment_type <> 'VALIDITY') "
            "from pragma_storage_info('t') group by row_group_id"
        ).fetchall()
    assert {(compression, count) for _, compression, count in stored} == {("ZSTD", 122_880)}


def test_a_failed_insert_shows_its_own_reason(tmp_path: Path) -> None:
    with pytest.raises(duckdb.CatalogException, match="nowhere"), store.building(tmp_path / "a.duckdb") as building:
        store.insert(building.con, "main.nowhere", pl.DataFrame({"a": [1]}))


def test_a_lack_of_memory_after_an_insert_is_not_hidden() -> None:
    """DuckDB ends the transaction by it, so that the next statement would show only this."""
    con = create_autospec(duckdb.DuckDBPyConnection)
    con.unregister.side_effect = duckdb.OutOfMemoryException("Allocation failure")
    with pytest.raises(duckdb.OutOfMemoryException, match="Allocation"):
        store.insert(con, "main.t", pl.DataFrame({"a": [1]}))


def test_rows_that_were_inserted_are_not_kept_in_memory(tmp_path: Path) -> None:
    with store.building(tmp_path / "a.duckdb") as building:
        building.con.execute("create table main.t (a bigint)")
        content = pl.DataFrame({"a": [1]})
        store.insert(building.con, "main.t", content)
        watched = weakref.ref(content)
        del content
        gc.collect()
        assert watched() is None


def test_a_store_that_is_being_written_is_refused_to_a_second_writer(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    with (
        store.building(db),
        sole_writer(db),
        pytest.raises(StoreError, match="being written by another haledger"),
        sole_writer(db),
    ):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["a.duckdb"]


def test_what_a_killed_writer_left_is_in_nobodys_way(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    (tmp_path / "a.duckdb.tmp-lock").write_text("99999999\n")
    (tmp_path / "a.duckdb.tmp-7-99999999").write_bytes(b"half")
    (tmp_path / "a.duckdb.tmp-7-99999999.d").mkdir()
    with sole_writer(db), store.building(db):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["a.duckdb"]


def test_a_store_is_built_with_the_memory_that_it_is_given(tmp_path: Path) -> None:
    with store.building(tmp_path / "a.duckdb", memory_bytes=lambda: 2_000_000_000) as building:
        (found,) = building.con.execute("select current_setting('memory_limit')").fetchall()
    assert found == ("1.8 GiB",)


@pytest.mark.parametrize(
    ("free", "threads", "expected"),
    [
        (0, 2, 256_000_000),
        (8_000_000_000, 2, 256_000_000),
        (8_000_000_000, 8, 1_024_000_000),
        (2_000_000_000, 8, 500_000_000),
    ],
)
def test_the_memory_of_a_store_fits_the_machine(free: int, threads: int, expected: int) -> None:
    assert store.fitting_memory(free, threads) == expected


@pytest.mark.parametrize(
    ("free", "expected"),
    [(0, [512_000_000]), (8_000_000_000, [512_000_000, 1_024_000_000, 2_048_000_000, 4_000_000_000])],
)
def test_a_relation_may_take_half_of_what_is_free_at_last(free: int, expected: list[int]) -> None:
    assert store.more_memory(free, 2) == expected


def test_a_store_is_filled_by_no_more_threads_than_its_memory_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 32)
    with store.building(tmp_path / "a.duckdb") as building:
        assert building.con.execute("select current_setting('threads')").fetchall() == [(2,)]
    with store.building(tmp_path / "a.duckdb", memory_bytes=lambda: 2_000_000_000) as building:
        assert building.con.execute("select current_setting('threads')").fetchall() == [(15,)]


def test_what_a_killed_program_left_is_removed_with_its_journal(tmp_path: Path) -> None:
    db = tmp_path / "a[1].duckdb"
    left = [tmp_path / f"a[1].duckdb.tmp-7-12{suffix}" for suffix in ("", ".wal")]
    for each in left:
        each.touch()
    (tmp_path / "a[1].duckdb.tmp-7-12.d").mkdir()
    store.remove_leftovers(db)
    assert list(tmp_path.iterdir()) == []


def test_half_of_the_memory_is_given_back() -> None:
    with duckdb.connect(config={"memory_limit": "256MiB"}) as con:
        asked = "select current_setting('memory_limit')"
        with store.half_memory(con):
            assert con.execute(asked).fetchall() == [("128.0 MiB",)]
        assert con.execute(asked).fetchall() == [("256.0 MiB",)]
        with store.half_memory(con) as take_all:
            take_all()
            assert con.execute(asked).fetchall() == [("256.0 MiB",)]


def test_an_error_while_half_of_the_memory_is_taken_is_seen() -> None:
    with duckdb.connect() as con:
        con.execute("begin")
        with pytest.raises(duckdb.ConversionException), store.half_memory(con):
            con.execute("select 'x'::integer").fetchall()
