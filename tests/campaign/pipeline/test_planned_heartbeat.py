"""Heartbeat: a node that says good-bye is no crash, whoever logs it; a node that falls silent is one."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import Store, ingested, write

START = datetime(2013, 1, 23, 4, 9)  # noqa: DTZ001  a wall clock
Said = list[tuple[float, str]]

# ADAPTED: lines of Heartbeat 2.1 and 3.0 with other hosts and times
RUNS: Said = [
    (0, "heartbeat[14340]: {} info: Configuration validated. Starting heartbeat 3.0.5"),
    (1, "heartbeat[14341]: {} info: Local status now set to: 'active'"),
    (2, "heartbeat[14341]: {} info: Status update for node OTHER: status active"),
]
STOPS: Said = [
    (60, "heartbeat[14341]: {} info: Heartbeat shutdown in progress. (14341)"),
    (60, "heartbeat[14548]: {} info: Giving up all HA resources."),
    (61, "ResourceManager[14562]: {} info: Releasing resource group: alder IPaddr::192.168.4.1/16/eth1 mysqld"),
    (64, "heartbeat[14548]: {} info: All HA resources relinquished."),
    (66, "heartbeat[14341]: {} info: alder Heartbeat shutdown complete."),
]
NOTICE: Said = [(65, "heartbeat[13209]: {} info: Received shutdown notice from 'alder'.")]
STANDBY: Said = [(60, "heartbeat[13209]: {} info: alder wants to go standby [all]")]
SILENT: Said = [
    (90, "heartbeat[13209]: {} WARN: node alder: is dead"),
    (90, "heartbeat[13209]: {} info: Link alder:eth2 dead."),
    (90, "heartbeat[13209]: {} info: Dead node alder gave up resources."),
]
TAKES: Said = [
    (91, "heartbeat[13209]: {} info: Resources being acquired from alder."),
    (91, "ResourceManager[15361]: {} info: Acquiring resource group: alder IPaddr::192.168.4.1/16/eth1 mysqld"),
    (92, "ResourceManager[15361]: {} info: Running /etc/ha.d/resource.d/IPaddr 192.168.4.1/16/eth1 start"),
    (93, "ResourceManager[15361]: {} info: Running /etc/init.d/mysqld  start"),
    (96, "mach_down[15335]: {} info: mach_down takeover complete for node alder."),
]


def study(folder: Path, alder: Said | None, birch: Said) -> Store:
    """A folder of two nodes, or of the one that took over."""
    for node, said in (("alder", alder), ("birch", birch)):
        if said is not None:
            other = "birch" if node == "alder" else "alder"
            lines = [
                text.format(f"{START + timedelta(seconds=at):%Y/%m/%d_%H:%M:%S}").replace("OTHER", other)
                for at, text in sorted([*RUNS, *said], key=lambda each: each[0])
            ]
            write(folder / node / "ha-log", lines)
    return ingested(folder)


@pytest.mark.parametrize(
    ("alder", "birch"),
    [
        pytest.param(None, [*NOTICE, *TAKES], id="a peer hears the notice"),
        pytest.param(STOPS, [*NOTICE, *SILENT, *TAKES], id="both log it, and the peer waits for its death too"),
        pytest.param(STOPS, [*SILENT, *TAKES], id="only the node itself logs it"),
        pytest.param(None, [*STANDBY, *TAKES], id="standby"),
    ],
)
def test_good_bye_is_planned(tmp_path: Path, alder: Said | None, birch: Said) -> None:
    store = study(tmp_path / "planned", alder, birch)
    assert {is_planned for (is_planned,) in store.rows("select is_planned or is_orderly from node_loss")} <= {True}
    assert store.rows("select run from run where used and flags not like '%planned%' and fault_at is not null") == []
    assert store.rows("select outcome from run_outcome where outcome = 'recovered'") == []


@pytest.mark.parametrize(
    ("alder", "birch"),
    [
        pytest.param(None, [*SILENT, *TAKES], id="no notice"),
        pytest.param([], [*SILENT, *TAKES], id="its own log ends"),
        pytest.param(
            None,
            [(-7200, "heartbeat[13209]: {} info: Received shutdown notice from 'alder'."), *SILENT, *TAKES],
            id="a notice of hours before",
        ),
    ],
)
def test_silence_is_a_crash(tmp_path: Path, alder: Said | None, birch: Said) -> None:
    store = study(tmp_path / "crash", alder, birch)
    # lines of ha-log name no writer, and one folder alone is no node
    surviving = "host of birch/ha-log" if alder is None else "birch"
    found = store.one("select lost_node, surviving_node, used from run where fault_at is not null")
    assert found == ("alder", surviving, True)
    assert {is_planned for (is_planned,) in store.rows("select is_planned from incident")} == {False}
