"""Parts of a store in object storage are read as those on a disk, and never written by a statement."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from parsers.format import tables
from pipeline.discovery.address import study_at
from pipeline.discovery.written_files import folder_at, put
from pipeline.errors import StoreError, UsageError
from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import Layout
from pipeline.ingest.part_writing import Parts
from pipeline.query import sandbox
from pipeline.store import log_tables, part, store
from pipeline.store.part_tables import TABLES

AT = datetime(2003, 7, 28, 10, 27, 4)  # noqa: DTZ001  naive UTC
TABLE = tables()["gab_event"]


@pytest.fixture
def memory() -> Iterator[Any]:
    MemoryFileSystem.store.clear()
    yield MemoryFileSystem()
    MemoryFileSystem.store.clear()


@pytest.fixture
def db(memory: Any, tmp_path: Path) -> Path:
    """A store with one part of two lines, and no more than opening one takes."""
    assert memory.find("/") == []
    file = tmp_path / "a.duckdb"
    folder = part.own_folder(folder_at("memory://lab/parts"), file)
    info = dict.fromkeys(store.INFO_COMMENTS, "") | {"schema_version": store.SCHEMA_VERSION, "parts": str(folder)}
    with duckdb.connect(str(file)) as con:
        con.execute("create schema log")
        log_tables.create_log_table(con, TABLE)
        for each in TABLES:
            each.create(con)
        part.let_read(con, str(folder))
        lines = Parts(con, folder, ())
        rows = [
            dict.fromkeys(log_tables.line_columns(TABLE)) | {"file_id": 7, "line_no": line, "at": AT} for line in (1, 2)
        ]
        lines.add(TABLE, pl.DataFrame(rows, schema=log_tables.line_columns(TABLE)))
        lines.show()
        lines.close()
        con.execute("create table main.store_info as select " + ", ".join(f"${name} as {name}" for name in info), info)
    return file


def only_part(db: Path) -> part.Part:
    with store.opened(db) as con:
        (found,) = part.listed(con)
    return found


def test_lines_in_a_bucket_are_read_and_no_statement_reads_or_writes_more(memory: Any, db: Path) -> None:
    place = only_part(db).path
    assert place.startswith("memory://lab/parts/a-")
    content = memory.cat_file(place)
    put(folder_at("memory://lab/parts"), "other.parquet", content)
    relation = log_tables.line_relation(TABLE)
    with store.opened(db) as con:
        assert con.execute(f'select file_id, "at" from {relation}').fetchall() == [(7, AT), (7, AT)]
        with pytest.raises(duckdb.Error, match="not written by statements"):
            con.execute(f"copy (select 1) to '{place}' (use_tmp_file false)")
    assert sandbox.query(db, f"select count(*) as n from {relation}").frame.item() == 2
    for sql in ("from 'memory://lab/parts/other.parquet'", "from read_text('memory://lab/parts/*')"):
        with pytest.raises(UsageError, match="reads the store and nothing else"):
            sandbox.query(db, sql)
    assert memory.cat_file(place) == content


def test_a_part_in_a_bucket_that_is_missing_or_damaged_is_named(memory: Any, db: Path) -> None:
    held = only_part(db)
    content = memory.cat_file(held.path)
    for harm, words in ((content[:-1], "bytes instead of"), (b"x" + content[1:], "SHA-256"), (None, "missing")):
        if harm is None:
            memory.rm_file(held.path)
        else:
            memory.pipe_file(held.path, harm)
        with pytest.raises(StoreError, match=words) as caught:
            only_part(db)
        assert held.path in str(caught.value)
        assert part.damaged([held])[0].startswith(held.path)
    memory.pipe_file(held.path, content)  # at another time
    assert only_part(db) == held


def test_what_an_ingest_left_in_a_bucket_is_removed_and_nothing_else(memory: Any, db: Path) -> None:
    held = only_part(db)
    folder = folder_at(held.path).parent.parent
    own, further = Path(held.path).name, f"{'0' * 64}.parquet"
    for name in (f"gab_event/{further}", f"{part.ROWS}/1.json", "notes.txt", "gab_event/notes.txt"):
        put(folder, name, b"x")
    Layout(parts=folder.parent).clean(db, folder)
    left = sorted(each.rpartition("/")[2] for each in memory.find("/lab"))
    assert left == sorted([own, "notes.txt", "notes.txt"])


def test_what_an_engine_says_of_an_unread_part_is_said_in_words() -> None:
    named = f"memory://lab/vcs_event/{'0' * 64}.parquet"
    said = f"Traceback (most recent call last):\n  File 'x.py', line 1\nOSError: [Errno 13] no permission: '{named}'"
    assert part.unread(said) == f"cannot be read: no permission: '{named}'"
    assert not part.unread(f"IO Error: {named}")


def test_parts_within_a_study_in_a_bucket_are_refused(memory: Any, tmp_path: Path) -> None:
    memory.pipe_file("/lab/study/engine_A.log", b"2003/07/28 10:27:04 VCS INFO V-16-1-10077 up\n")
    layout = Layout("parquet", folder_at("memory://lab/study/parts"))
    with pytest.raises(UsageError, match="lies in the study"):
        ingest(study_at("memory://lab/study"), tmp_path / "a.duckdb", layout=layout)
    assert list(memory.find("/lab")) == ["/lab/study/engine_A.log"]
