"""Names of a store for the completion of a shell; nothing, and no error, without a store."""

from pathlib import Path

import pytest
import typer

from haledger.commands.trace import trace
from haledger.store_names import (
    complete_configurations,
    complete_figures,
    complete_measured,
    complete_tables,
    complete_traced,
)
from pipeline.ingest.ingest import ingest


def context(**params: object) -> typer.Context:
    found = typer.Context(typer.core.TyperCommand("trace", callback=trace))
    found.params = params
    return found


def test_names_are_those_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tmp_path / "study"
    study.mkdir()
    rows = [f"{name},{run},8,60,{run}" for name in ("tuned", "default") for run in range(3)]
    (study / "results.csv").write_text("\n".join(["config,run,clients,duration_s,tps", *rows]) + "\n")
    folder = tmp_path / "study-report"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "measurements.csv").touch()
    ingest(study, folder / "haledger.duckdb")
    monkeypatch.chdir(tmp_path)
    assert complete_configurations(context(), "") == ["default", "study", "tuned"]
    assert complete_configurations(context(db=folder), "tu") == ["tuned"]
    assert complete_tables(context(), "") == complete_tables(context(), "mea") == ["measurements"]
    assert complete_figures(context(), "") == []
    assert complete_measured(context(stores=[folder]), "tp") == ["tps"]
    assert complete_traced(context(), "measurement_r") == ["measurement_ratio"]
    assert complete_traced(context(), "measurements") == ["measurements"]


def test_without_a_store_nothing_is_proposed_and_nothing_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torn.duckdb").write_bytes(b"no store")
    for complete in (complete_configurations, complete_measured, complete_tables, complete_figures, complete_traced):
        assert complete(context(), "") == complete(context(db=tmp_path / "torn.duckdb"), "") == []
    assert capfd.readouterr() == ("", "")
