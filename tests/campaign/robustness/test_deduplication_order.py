"""Copies of lines that come file by file, in any order: the store is that of an ingest of all at once."""

import random
from pathlib import Path

import pytest

from tests.campaign.pipeline.test_deduplication import SEQUENCE, Study


@pytest.mark.parametrize("seed", range(4))
def test_file_by_file_in_any_order_is_as_at_once(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the relations in one order; in the others only what they are computed from, of which they are a function."""
    if seed:
        monkeypatch.setattr("pipeline.store.relations.fill", lambda _, **__: None)
    names = list(SEQUENCE)
    random.Random(seed).shuffle(names)  # noqa: S311  any order will do
    study = Study(tmp_path, {})
    study.root.mkdir()
    for number, name in enumerate(names):
        study.add({name: SEQUENCE[name]})
        study.ingest()
        if number % 2:
            clean = tmp_path / f"clean-{number}.duckdb"
            study.ingest(clean)
            assert study.tables() == study.tables(clean)
    assert study.texts()[0].startswith("line")
    for name in names[:3]:
        (study.root / name).unlink()
        study.ingest()
    study.ingest(tmp_path / "clean.duckdb")
    assert study.tables() == study.tables(tmp_path / "clean.duckdb")
