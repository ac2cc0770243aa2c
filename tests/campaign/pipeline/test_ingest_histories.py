"""Any history of a store gives the rows of a clean ingest; failures on the way leave the old one."""

import os
import shutil
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from pipeline.errors import StoreError
from pipeline.store import store
from tests.support.ingest_study import ENGINE, assert_accounted, files, run, tables


def append(study: Path) -> None:
    with (study / "default/run01/sun-ha3/messages").open("a") as file:
        file.write("Jul 28 10:28:00 sun-ha3 su: more\nno head\n")


def add(study: Path) -> None:
    (study / "a-first.log").write_text(ENGINE.format(second=50))


def remove(study: Path) -> None:
    shutil.rmtree(study / "default/run01/sun-ha4")


def rename(study: Path) -> None:
    (study / "default").rename(study / "tuned")


def zone(study: Path) -> None:
    (study / "study.toml").write_text('[study]\ntimezone = "Europe/Berlin"\n')


def year_source_vanishes(study: Path) -> None:
    for each in study.rglob("engine_A.log"):
        each.unlink()


def override(study: Path) -> None:
    (study / "study.toml").write_text('[[files]]\nmatch = "notes.txt"\nformat = "syslog"\n')


def same_size_other_content(study: Path) -> None:
    file = study / "default/run01/sun-ha3/messages"
    file.write_text(file.read_text().replace("sshd", "sshx"))


def touch(study: Path) -> None:
    os.utime(study / "default/run01/sun-ha3/messages", ns=(10**18 + 5, 10**18 + 5))


@pytest.mark.usefixtures("without_views")
@pytest.mark.parametrize(
    "change",
    [append, add, remove, rename, zone, year_source_vanishes, override, same_size_other_content, touch],
)
def test_an_incremental_ingest_is_a_clean_rebuild(study: Path, tmp_path: Path, change: Any) -> None:
    run(study, tmp_path / "a.duckdb")
    change(study)
    result = run(study, tmp_path / "a.duckdb")
    run(study, tmp_path / "clean.duckdb")
    assert not result.is_unchanged
    assert tables(tmp_path / "a.duckdb") == tables(tmp_path / "clean.duckdb")
    assert_accounted(tmp_path / "a.duckdb")


@pytest.mark.usefixtures("without_views")
@pytest.mark.parametrize("number", [1, 2, 5, 9, 14, 20])
def test_a_failure_at_the_nth_insert_leaves_the_old_store(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    db = tmp_path / "a.duckdb"
    run(study, db)
    before = db.read_bytes()
    append(study)
    left = [number]
    real = store.insert

    def failing(con: duckdb.DuckDBPyConnection, relation: str, content: pl.DataFrame) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise duckdb.IOException("disk full")
        real(con, relation, content)

    with monkeypatch.context() as patch:
        patch.setattr(store, "insert", failing)
        with pytest.raises(StoreError, match="disk full"):
            run(study, db)
    assert db.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.duckdb", "study"]
    run(study, db)
    run(study, tmp_path / "clean.duckdb")
    assert tables(db) == tables(tmp_path / "clean.duckdb")


@pytest.mark.usefixtures("without_views")
@pytest.mark.parametrize("number", [1, 4, 8, 11])
def test_the_nth_file_that_cannot_be_opened_is_listed(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    from pipeline.discovery.source import Source

    left = [number]
    real = Source.open

    def failing(source: Source) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise PermissionError(13, "Permission denied")
        return real(source)

    with monkeypatch.context() as patch:
        patch.setattr(Source, "open", failing)
        result = run(study, tmp_path / "a.duckdb")
    assert result.status_counts["unreadable"] == 1
    unreadable = [row for row in files(tmp_path / "a.duckdb").values() if row["status"] == "unreadable"]
    assert unreadable[0]["reason"] == "permission denied"
    assert_accounted(tmp_path / "a.duckdb")
    run(study, tmp_path / "a.duckdb")
    run(study, tmp_path / "clean.duckdb")
    assert tables(tmp_path / "a.duckdb") == tables(tmp_path / "clean.duckdb")
