"""A small study of two runs with two hosts, and what tests ask of its store."""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline.ingest.ingest import IngestResult, ingest
from pipeline.store import store

NOW = datetime(2004, 1, 1)  # noqa: DTZ001  naive UTC
MESSAGES = (
    "Jul 28 10:27:{second:02d} {host} kernel: LLT INFO V-14-1-10205 link 1 (ce1) node 1 in trouble\n"
    "Jul 28 10:27:{second:02d} {host} sshd[12]: Accepted publickey for root\n"
    "\n"
)


ENGINE = (
    "2003/07/28 10:27:{second:02d} VCS INFO V-16-1-10077 received new cluster membership\n  a line that continues it\n"
)


@pytest.fixture
def without_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """The relations of the contract cost a second each time, and most rules here are not about them."""
    monkeypatch.setattr("pipeline.store.relations.fill", lambda _, **__: None)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    root = tmp_path / "study"
    for second, run in enumerate(("run01", "run02"), 4):
        for host in ("sun-ha3", "sun-ha4"):
            folder = root / "default" / run / host
            folder.mkdir(parents=True)
            (folder / "messages").write_text(MESSAGES.format(second=second, host=host))
            (folder / "engine_A.log").write_text(ENGINE.format(second=second))
    (root / "notes.txt").write_text("nothing that haledger knows\n")
    (root / "empty.log").write_text("")
    (root / "core").write_bytes(b"\x7fELF" + b"\0" * 100)
    (root / "study.toml").write_text('[study]\ntimezone = "America/Toronto"\n')
    age(root)
    return root


def age(root: Path) -> None:
    """Make files old enough for their time stamp to be trusted."""
    for file in root.rglob("*"):
        os.utime(file, ns=(10**18, 10**18))


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    with store.opened(db) as con:
        return con.execute(query).fetchall()


def tables(db: Path) -> dict[str, list[str]]:
    """Every row of every table, sorted, so that two stores can be compared."""
    with store.opened(db) as con:
        names = con.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
        return {name: sorted(str(row) for row in con.execute(f"select * from {name}").fetchall()) for (name,) in names}


def files(db: Path) -> dict[str, Mapping[str, Any]]:
    with store.opened(db) as con:
        return {row["path"]: row for row in store.frame(con, "select * from main.source_file").iter_rows(named=True)}


def run(study: Path, db: Path, **options: Any) -> IngestResult:
    return ingest(study, db, now=NOW, **options)


def assert_accounted(db: Path) -> None:
    unaccounted = rows(
        db,
        "select path from main.source_file where lines is distinct from "
        "parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines",
    )
    assert unaccounted == []
