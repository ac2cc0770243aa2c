import os
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest import store_template
from pipeline.store import relations, store


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "haledger" / "blank"


def contents(file: Path) -> tuple[list[tuple[object, ...]], ...]:
    with duckdb.connect(str(file), read_only=True) as con:
        return tuple(
            con.execute(f"select * exclude (database_oid, {kind}_oid) from duckdb_{kind}s() order by all").fetchall()
            for kind in ("table", "view")
        )


def write(tmp_path: Path, name: str) -> Path:
    file = tmp_path / name
    store_template.into(file, tmp_path)
    return file


def test_a_kept_blank_store_is_the_one_that_was_made(tmp_path: Path, cache: Path) -> None:
    made = write(tmp_path, "store.duckdb").rename(tmp_path / "first.duckdb")
    (kept,) = cache.iterdir()
    copied = write(tmp_path, "store.duckdb")
    assert copied.read_bytes() == made.read_bytes()
    assert kept.read_bytes().endswith(made.read_bytes())
    with duckdb.connect(str(copied), read_only=True) as con:
        rows = [con.execute(f"select count(*) from main.{each.name}").fetchall() for each in relations.catalogue()]
    assert len(rows) > 100


def test_damage_to_the_kept_one_does_no_harm(tmp_path: Path, cache: Path) -> None:
    good = contents(write(tmp_path, "a.duckdb"))
    (kept,) = cache.iterdir()
    for damage in (b"", b"no store", kept.read_bytes()[:5000]):
        kept.write_bytes(damage)
        assert len(contents(write(tmp_path, "b.duckdb"))[0]) == len(good[0])
        assert len(kept.read_bytes()) > 100_000


def test_those_of_older_versions_go(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_template, "_made", lambda *_: b"a store")
    for version in range(2 * store_template.MOST_KEPT):
        monkeypatch.setattr(store_template, "program_key", lambda version=version: str(version))
        assert write(tmp_path, "a.duckdb").read_bytes() == b"a store"
    assert len(list(cache.iterdir())) == store_template.MOST_KEPT


@pytest.mark.parametrize("place", ["relative/folder", "/proc/nowhere"])
def test_without_a_cache_folder_every_store_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    monkeypatch.chdir(tmp_path)
    assert contents(write(tmp_path, "a.duckdb"))
    assert os.listdir(tmp_path) == ["a.duckdb"]  # noqa: PTH208  names


def test_numbers_with_fractions_are_compressed_in_the_store_of_long_measurements(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "large.duckdb"
    store_template.into(file, tmp_path, store.LONG_BYTES)
    store_template.into(tmp_path / "small.duckdb", tmp_path, store.LONG_BYTES - 1)
    assert len(list(cache.iterdir())) == 2
    rows = "select 1, n, n % 1000 / 10 from range(200000) as rows(n)"
    with closing(store.connected(file, tmp_path)) as con:
        con.execute(f"insert into log.iostat_cpu (file_id, line_no, user_pct) {rows}")
        con.execute("checkpoint")
        used = con.execute(
            "select distinct compression from pragma_storage_info('log.iostat_cpu') "
            "where column_name = 'user_pct' and segment_type = 'DOUBLE'"
        ).fetchall()
    assert used == [("ALP",)]
