"""Nodes that are lost again, or one after another, within seconds of their return: each loss is a run."""

from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from pipeline.store import store
from tests.support.ring_logs import CONSENSUS_S, START, TOKEN_S, Ring

BEGIN_S, BACK_S, COUNT = 60.0, 15.0, 4
ZONE = timedelta(hours=8)
DETECTED_S = TOKEN_S + CONSENSUS_S


def _write(folder: Path, names: tuple[str, ...], spacing: float, *, is_standby: bool) -> list[tuple[str, float]]:
    """The service is lost with each node in turn; or with the first node, which then is lost again and again."""
    ring = Ring(names, version="3.1.2", ids=(1, 2, 3))
    ring.start()
    ring.serve(names[0], 5)
    lost = []
    for i in range(COUNT):
        at, victim = BEGIN_S + i * spacing, names[0 if is_standby else i % len(names)]
        ring.crash(victim, at, fenced=False)
        if not is_standby or i == 0:
            ring.serve(names[(i + 1) % len(names)], at + DETECTED_S + 0.5)
        ring.back(victim, at + BACK_S)
        lost.append((victim, at))
    ring.write(folder)
    return lost


@pytest.mark.parametrize("is_standby", [True, False])
@pytest.mark.parametrize("names", [("elm", "oak"), ("elm", "oak", "ash")], ids=["two", "three"])
@pytest.mark.parametrize("spacing", [20.0, 58.0])
def test_each_of_close_losses_is_a_run(
    tmp_path: Path, names: tuple[str, ...], spacing: float, *, is_standby: bool
) -> None:
    lost = _write(tmp_path / "study", names, spacing, is_standby=is_standby)
    ingest(tmp_path / "study", tmp_path / "a.duckdb")
    with store.opened(tmp_path / "a.duckdb") as con:
        runs = con.execute(
            "select lost_node, fault_at_low, fault_at_high, outcome "
            "from run inner join run_outcome using (configuration, run) order by fault_at"
        ).fetchall()
    assert [node for node, *_ in runs] == [node for node, _ in lost]
    for (_, low, high, outcome), (_, second) in zip(runs, lost, strict=True):
        assert low <= START - ZONE + timedelta(seconds=second) <= high
        assert outcome in ({"recovered", "unknown"} if is_standby else {"recovered"})
