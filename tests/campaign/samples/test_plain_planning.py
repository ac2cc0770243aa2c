"""Statements of small studies are planned plainly: the relations are those of full planning."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ingest import ingest as driver
from pipeline.store import planning, relations
from tests.support.same_rows import different

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.mark.parametrize("sample", ["failover-2004", "failover-modern", "nfs-fcp-2009", "hadr-simulator-2009"])
def test_relations_are_the_same_in_either_way(sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[tuple[object, ...]] = []

    def fill(con: duckdb.DuckDBPyConnection, **further: Any) -> None:
        planned.extend(con.execute("select current_setting('disabled_optimizers')").fetchall())
        filled(con, **further)

    filled = relations.fill
    monkeypatch.setattr(relations, "fill", fill)
    driver.ingest(SAMPLES / sample, tmp_path / "plainly.duckdb")
    monkeypatch.setattr(planning, "MOST_LINES", -1)
    driver.ingest(SAMPLES / sample, tmp_path / "fully.duckdb")
    assert [bool(setting) for (setting,) in planned] == [True, False]
    assert different(tmp_path / "plainly.duckdb", tmp_path / "fully.duckdb") == []
