"""Statements of small studies are planned plainly: the relations are those of full planning."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ingest import ingest as driver
from pipeline.store import planning, relations, store
from tests.support.same_rows import different
from tests.support.sample import sample_store

SAMPLES = Path(__file__).parents[3] / "samples"
SETTING = "select current_setting('disabled_optimizers')"


@pytest.mark.parametrize("sample", ["failover-2004", "failover-modern", "nfs-fcp-2009", "hadr-simulator-2009"])
def test_relations_are_the_same_in_either_way(
    sample: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[tuple[object, ...]] = []

    def fill(con: duckdb.DuckDBPyConnection, **further: Any) -> None:
        planned.extend(con.execute(SETTING).fetchall())
        filled(con, **further)

    plainly, filled = sample_store(sample, tmp_path_factory), relations.fill
    with store.opened(plainly) as con:
        ((lines,),) = con.execute("select sum(lines) from main.source_file").fetchall()
    assert lines <= planning.MOST_LINES
    monkeypatch.setattr(relations, "fill", fill)
    monkeypatch.setattr(planning, "MOST_LINES", -1)
    driver.ingest(SAMPLES / sample, tmp_path / "fully.duckdb")
    assert planned == [("",)]
    assert different(plainly, tmp_path / "fully.duckdb") == []
