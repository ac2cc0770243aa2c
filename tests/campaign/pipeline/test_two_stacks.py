"""Two stacks in one folder: a failover has one ladder, with the steps of both."""

from datetime import datetime, timedelta
from pathlib import Path

from samples.files import SAMPLES, files
from tests.support.failover_logs import Store, ingested, write

NODES = ("node1", "node2", "node3")
STAMP = "%Y-%m-%dT%H:%M:%S.%f"
VRRP = "{}+00:00 {} Keepalived_vrrp[31]: (shop) Entering {} STATE"
RUNS = ("run01", "run03", "run04", "run07")  # power off, kill, power off, network cut
ELECTED = "promoted self to leader"


def copied(study: str, run: str, target: Path) -> None:
    """The logs of a recorded run, in a folder a node."""
    for path, content in files(SAMPLES / "leaders" / study, within := f"baseline/{run}/"):
        written = target / path.removeprefix(within)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_bytes(content)


def winner(run: Path) -> tuple[str, datetime]:
    """Who took Patroni's lock last, and when."""
    wins = [
        (datetime.strptime(line[:23], "%Y-%m-%d %H:%M:%S,%f"), node)  # noqa: DTZ007  a wall clock
        for node in NODES
        for line in (run / node / "patroni.log").read_text(encoding="utf-8").splitlines()
        if ELECTED in line
    ]
    at, node = max(wins)
    return node, at


def behind_keepalived(run: Path, moves_after_s: float) -> datetime:
    """Add the log of a keepalived on every node, whose address moves so much later than the lock."""
    new, won_at = winner(run)
    moved_at = won_at + timedelta(seconds=moves_after_s)
    started_at = won_at - timedelta(seconds=70)
    for node in NODES:
        lines = [VRRP.format(f"{started_at:{STAMP}}", node, "BACKUP")]
        if node == "node1":
            lines.append(VRRP.format(f"{started_at + timedelta(seconds=4):{STAMP}}", node, "MASTER"))
        if node == new:
            lines.append(VRRP.format(f"{moved_at:{STAMP}}", node, "MASTER"))
        write(run / node / "syslog", lines)
    return moved_at


def milestones_of(store: Store) -> dict[str, dict[str, datetime]]:
    found: dict[str, dict[str, datetime]] = {}
    for run, milestone, at in store.rows('select run, milestone, "at" from milestone'):
        found.setdefault(run, {})[milestone] = at
    return found


def test_patroni_with_etcd_and_haproxy_behind_keepalived_has_one_ladder(tmp_path: Path) -> None:
    moved = {}
    for run, after_s in zip(RUNS, (1.2, 0.4, -0.9, 2.5), strict=True):
        copied("patroni-postgresql", run, tmp_path / "two" / run)
        moved[run] = behind_keepalived(tmp_path / "two" / run, after_s)
    store = ingested(tmp_path)
    assert store.rows("select run, lost_node, is_planned from incident order by run") == [
        (run, "node1", False) for run in RUNS
    ]
    found = milestones_of(store)
    assert {run: steps["address_moved"] for run, steps in found.items()} == moved
    for run in RUNS:
        node, won_at = winner(tmp_path / "two" / run)
        assert found[run]["elected"] == won_at
        assert won_at <= found[run]["ready"] <= found[run]["routed"] <= found[run]["client_success"]
        assert store.rows("select surviving_node from run where run = ?", run) == [(node,)]


def test_galera_behind_haproxy_has_one_ladder(tmp_path: Path) -> None:
    for run in RUNS:
        copied("galera", run, tmp_path / "two" / run)
    store = ingested(tmp_path)
    assert store.rows("select run, lost_node, is_planned from incident order by run") == [
        (run, "node1", False) for run in RUNS
    ]
    for run, steps in milestones_of(store).items():
        text = (tmp_path / "two" / run / "client" / "haproxy.log").read_text(encoding="utf-8")
        (down,) = [line for line in text.splitlines() if "node1 is DOWN" in line]
        assert steps["routed"] == datetime.strptime(down[:26], STAMP)  # noqa: DTZ007  a wall clock
        assert max(steps["suspected"], steps["routed"]) < steps["ready"] <= steps["client_success"]
