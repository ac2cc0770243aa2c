"""The rows of a study do not depend on how many threads parse it, nor on how it is cut into chunks."""

from pathlib import Path

import duckdb
import pytest

from pipeline import fan
from pipeline.ingest.ingest import ingest
from pipeline.reading import lines

SAMPLE = Path(__file__).parents[3] / "samples" / "failover-modern"


def content(db: Path) -> dict[str, list[tuple[object, ...]]]:
    with duckdb.connect(str(db), read_only=True) as con:
        names = con.execute(
            "select table_schema || '.' || table_name from information_schema.tables where table_schema = 'log'"
        ).fetchall()
        return {name: con.execute(f"select * from {name} order by all").fetchall() for (name,) in sorted(names)}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[object, ...]]]:
    db = tmp_path_factory.mktemp("plain") / "a.duckdb"
    ingest(SAMPLE, db)
    return content(db)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_and_chunks_change_nothing(
    threads: int, plain: dict[str, list[tuple[object, ...]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fan, "THREADS", threads)
    monkeypatch.setattr(lines.chunks, "__kwdefaults__", {"chunk_bytes": 10_000, "max_chunk_bytes": 80_000})
    ingest(SAMPLE, tmp_path / "a.duckdb")
    found = content(tmp_path / "a.duckdb")
    assert sum(map(len, found.values())) > 1000
    assert found == plain
