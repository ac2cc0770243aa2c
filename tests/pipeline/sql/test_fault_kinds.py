"""Statistics are by kind of fault: several kinds in a configuration have no common mean."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import CRASH, Failover, Store, ingested, slower, write, write_run, write_timers

FAULTS = ["power off"] * 4 + ["kill"] * 2


def _study(folder: Path, faults: list[str]) -> Store:
    write_timers(folder / "a")
    entries = ["[study]", 'timezone = "UTC"']
    for number, fault in enumerate(faults, 1):
        crash = CRASH + timedelta(days=number)
        failover = Failover(crash=crash) if fault == "power off" else slower(30, crash=crash)
        write_run(folder / "a" / f"run{number:02d}", failover)
        entries += ["[[run]]", f"run = {number}", *([f'fault = "{fault}"'] if fault else [])]
    write(folder / "study.toml", entries)
    return ingested(folder)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return _study(tmp_path_factory.mktemp("kinds") / "study", FAULTS)


def test_mean_is_of_the_kind_that_most_runs_had(store: Store) -> None:
    found = store.rows("select fault_kind, runs, round(stddev_s, 1) from milestone_stats where milestone = 'complete'")
    assert found == [("power off", 4, 0.0)]
    assert store.rows("select distinct fault_kind, runs from phase_stats") == [("power off", 4)]


def test_relations_by_kind_have_all(store: Store) -> None:
    found = store.rows(
        "select fault_kind, runs, round(mean_s) from milestone_stats_by_kind where milestone = 'complete'"
    )
    (lost, lost_runs, lost_s), (killed, killed_runs, killed_s) = sorted(found, reverse=True)
    assert (lost, lost_runs, killed, killed_runs, killed_s - lost_s) == ("power off", 4, "kill", 2, 30)
    assert sorted(store.rows("select fault_kind, runs, recovered from recovery_by_kind")) == [
        ("kill", 2, 2),
        ("power off", 4, 4),
    ]


def test_share_of_several_kinds_says_so(store: Store) -> None:
    assert store.one("select runs, kinds, fault_kinds from recovery") == (6, 2, "4 power off, 2 kill")
    (text,) = store.one("select text from finding where kind = 'fault_kinds'")
    assert "faults of several kinds: 4 power off, 2 kill" in text


def test_kind_that_the_logs_show_is_one_for_all(tmp_path: Path) -> None:
    store = _study(tmp_path / "study", ["power off", "power off", "", ""])
    assert store.rows("select distinct fault_kind from run") == [("power off",)]
