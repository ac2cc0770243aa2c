import csv
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from pipeline.store import relations, store
from pipeline.study import rules
from pipeline.study.manifest import load
from tests.support.sample import sample_store

SAMPLES = Path(__file__).parents[3] / "samples"
STUDIES = ("failover-2004", "failover-modern")
SECOND = timedelta(seconds=1)
# The published tables: seconds after the fault, mean of ten runs. Totals of the figures beside them.
PUBLISHED = {
    "default": {"llt": 15, "gab": 19, "vm": 24, "fs": 31, "ip": 21, "db2udb": 109, "detect": 49, "complete": 61},
    "tuned": {"llt": 3, "gab": 5, "vm": 10, "fs": 18, "ip": 8, "db2udb": 52, "detect": 34, "complete": 40},
    "prestart-fs2": {"llt": 3, "gab": 5, "cvm_cfs": 7, "ip": 8, "db2udb": 35, "detect": 12, "complete": 19},
    "prestart-fs86": {"llt": 3, "gab": 5, "cvm_cfs": 7, "ip": 8, "db2udb": 38, "detect": 12, "complete": 19},
    "fs14-diskgroup": {"complete": 77},
    "fs14-cfs": {"complete": 36},
    "fs86-diskgroup": {"complete": 302},
    "fs86-cfs": {"complete": 105},
    "fs86-cfs-preset": {"complete": 31},
}


def _truth(study: str) -> list[dict[str, str]]:
    with (SAMPLES / f"{study}.truth.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _fault_at(row: dict[str, str]) -> datetime:
    return datetime.fromisoformat(row["fault_at_utc"]).replace(tzinfo=None)


def _recorded(study: str) -> str:
    """A manifest that records the true fault time of every run."""
    faults = {(row["configuration"], row["run"]): row["fault_at_utc"] for row in _truth(study)}
    return "".join(
        f'\n[[run]]\nconfiguration = "{configuration}"\nrun = "{run}"\nfault_at = {fault_at}\n'
        for (configuration, run), fault_at in faults.items()
    )


@pytest.fixture(scope="module", params=STUDIES)
def inferred(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The sample's name and its store."""
    study = str(request.param)
    return study, sample_store(study, tmp_path_factory)


@pytest.fixture(scope="module")
def recorded(inferred: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The same store, with every fault time recorded in the manifest."""
    study, db = inferred
    folder = tmp_path_factory.mktemp(study)
    copy = folder / "recorded.duckdb"
    manifest_text = (SAMPLES / study / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(manifest_text + _recorded(study), encoding="utf-8")
    shutil.copy(db, copy)
    manifest = load(folder)
    with duckdb.connect(str(copy)) as con:
        frame = manifest.tables()["run"]
        con.execute("delete from study.run")
        store.insert(con, "study.run", frame)
        for relation in relations.catalogue():
            if relation.materialised is not None:
                con.execute(f"delete from main.{relation.name}")
        relations.fill(con)
    assert rules.study_tables(manifest.milestones)
    return study, copy


@pytest.fixture(params=["inferred", "recorded"])
def sample(
    request: pytest.FixtureRequest, inferred: tuple[str, Path], recorded: tuple[str, Path]
) -> Iterator[tuple[str, duckdb.DuckDBPyConnection]]:
    study, db = inferred if request.param == "inferred" else recorded
    with duckdb.connect(str(db), read_only=True) as con:
        yield study, con


def test_every_milestone_is_the_true_line_and_no_other_exists(sample: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = sample
    rows = con.execute('select configuration, run, milestone, "at", resolution_s from milestone').fetchall()
    found = {(configuration, run, name): (at, resolution_s) for configuration, run, name, at, resolution_s in rows}
    truth = {(row["configuration"], row["run"], row["milestone"]): row for row in _truth(study)}
    assert found.keys() == truth.keys()
    for key, row in truth.items():
        at, resolution_s = found[key]
        true_at = _fault_at(row) + timedelta(seconds=float(row["elapsed_s"]))
        # a stamp is cut to the resolution, never rounded up
        assert -timedelta(microseconds=1) <= true_at - at < resolution_s * SECOND + timedelta(microseconds=1), key


def test_interval_of_the_fault_holds_the_true_time(sample: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = sample
    faults = {(row["configuration"], row["run"]): _fault_at(row) for row in _truth(study)}
    query = "select configuration, run, fault_at_low, fault_at_high, used from run where fault_at_low is not null"
    rows = con.execute(query).fetchall()
    assert {(configuration, run) for configuration, run, _, _, _ in rows} == faults.keys()
    for configuration, run, low, high, used in rows:
        assert low <= faults[configuration, run] <= high
        assert used


def test_every_estimate_holds_the_true_time(inferred: tuple[str, Path]) -> None:
    study, db = inferred
    faults = {(row["configuration"], row["run"]): _fault_at(row) for row in _truth(study)}
    with duckdb.connect(str(db), read_only=True) as con:
        rows = con.execute("select configuration, run, source, low_at, high_at from fault_estimate").fetchall()
    assert {source for _, _, source, _, _ in rows} >= {"inactive series", "in trouble", "expired", "membership"}
    for configuration, run, source, low, high in rows:
        assert low <= faults[configuration, run] <= high, (configuration, run, source)


def test_means_round_to_the_published_tables(sample: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = sample
    if study != "failover-2004":
        pytest.skip("only this study was published")
    rows = con.execute("select configuration, milestone, runs, mean_s from milestone_stats").fetchall()
    means = {(configuration, name): (runs, round(mean_s)) for configuration, name, runs, mean_s in rows}
    expected = {(name, milestone): (10, s) for name, row in PUBLISHED.items() for milestone, s in row.items()}
    assert {key: means[key] for key in expected} == expected


def test_simulated_runs_leave_no_doubt_but_their_order_in_time(sample: tuple[str, duckdb.DuckDBPyConnection]) -> None:
    study, con = sample
    # one clean study in ten looks like this by chance
    by_chance = {"failover-modern": {"autocorrelation"}}.get(study, set())
    found = con.execute("select kind from finding where severity = 'warning' and kind <> 'design'").fetchall()
    assert {kind for (kind,) in found} <= by_chance


def test_spread_is_a_tenth_of_the_mean_at_most_beyond_the_stamps(
    sample: tuple[str, duckdb.DuckDBPyConnection],
) -> None:
    study, con = sample
    if study != "failover-2004":
        pytest.skip("only this study was published")
    query = "select * from milestone_stats where sqrt(greatest(stddev_s ^ 2 - 0.41 ^ 2, 0)) > 0.1 * mean_s"
    assert con.execute(query).fetchall() == []
