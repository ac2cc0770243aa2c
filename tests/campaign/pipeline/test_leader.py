"""Incidents by a change of leader: who was lost, who leads, planned or not, from the logs of each server."""

from pathlib import Path

import pytest

from tests.support.failover_logs import ingested, write
from tests.support.leader_logs import (
    FAULT_S,
    ORDERED,
    SILENT,
    START,
    incidents,
    milestones,
    patroni,
    redis,
    stamped,
    write_patroni,
)


def test_leader_that_falls_silent_is_lost(tmp_path: Path) -> None:
    store = patroni(tmp_path, SILENT)
    assert incidents(store) == [("anna", "bert", False)]
    assert milestones(store) == {"suspected": 61.0, "elected": 61.2}
    ((low, high),) = store.rows("select epoch(low_at - ?), epoch(high_at - ?) from fault_time", START, START)
    assert low == 29.5  # half a second before the last line of the leader
    assert low < FAULT_S < high
    assert high == 61.001
    assert store.rows("select outcome from run_outcome") == [("recovered",)]
    # from the middle of the interval, 45.25 s, until the first suspicion of 61.0 s and the election of 61.2 s
    governed = "select settings, round(mean_s, 2), round(total_s, 2), dominates from governed_step"
    assert store.rows(governed) == [("ttl and loop_wait of Patroni", 15.75, 15.95, False)]


@pytest.mark.parametrize(
    ("ahead_s", "sources", "doubts"),
    [
        pytest.param(0, ["client questions", "leader signs"], [], id="it may be right"),
        pytest.param(-3, ["leader signs"], [("client_clock",)], id="answered again before the leader was missed"),
    ],
)
def test_client_that_is_answered_too_early_has_a_clock_of_its_own(
    tmp_path: Path, ahead_s: float, sources: list[str], doubts: list[tuple[str]]
) -> None:
    write_patroni(tmp_path / "ttl30", SILENT)
    asked = ((half / 2, FAULT_S < half / 2 < 62) for half in range(140))
    lines = [f"{stamped(at + ahead_s).replace(',', '.')},{'failed' if is_lost else 'ok'},2" for at, is_lost in asked]
    write(tmp_path / "ttl30" / "client" / "probe.csv", ["asked_at,outcome,elapsed_ms", *lines])
    store = ingested(tmp_path)
    assert store.rows("select sources from fault_time") == [(sources,)]
    assert store.rows("select kind from finding where kind = 'client_clock'") == doubts


def test_change_of_leader_that_somebody_ordered_is_planned(tmp_path: Path) -> None:
    assert incidents(patroni(tmp_path, ORDERED)) == [("anna", "bert", True)]


def test_server_known_by_its_address_is_the_node_that_writes_under_it(tmp_path: Path) -> None:
    store = redis(tmp_path)
    assert incidents(store) == [("redis1", "redis2", False)]
    found = milestones(store)
    assert {name: found[name] for name in ("suspected", "dead", "ready", "announced")} == {
        "suspected": 33.2,  # by the first that suspects it
        "dead": 33.4,
        "ready": 35.0,
        "announced": 36.0,
    }
    # the lost server goes on writing later: it was cut off, so that its own lines bound nothing, but the timers do
    assert store.rows("select epoch(low_at - ?) from fault_time", START) == [(pytest.approx(33.2 - 32.7),)]
