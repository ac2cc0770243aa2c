"""Failovers of CloudNativePG and Stolon that are composed from the texts of their sources: the truth is known."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import Store, ingested, write

START = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001  a wall clock
CHANGES = """
    select former, leader, is_planned, strftime("at", '%H:%M:%S.%g') from leader_change where stack = ? order by "at"
"""
STEPS = """select milestone, strftime("at", '%H:%M:%S.%g') from milestone order by "at", milestone"""


def object_at(second: float, message: str, **values: str) -> str:
    at = (START + timedelta(seconds=second)).isoformat(timespec="milliseconds")
    return json.dumps({"level": "info", "ts": f"{at}Z", "msg": message, **values})


def probed(folder: Path, down: tuple[int, int]) -> Store:
    asked = [(second, "failed" if down[0] <= second < down[1] else "ok") for second in range(10, 60)]
    rows = [f"{(START + timedelta(seconds=at)).isoformat()}.000Z,{outcome},4.0," for at, outcome in asked]
    write(folder / "study/run1/probe.csv", ["asked_at,outcome,elapsed_ms,reason", *rows])
    return ingested(folder)


def test_operator_of_cloudnativepg_fails_over(tmp_path: Path) -> None:
    operator = [
        object_at(5, "Cluster status", currentPrimary="cluster-1"),
        object_at(31.2, "Cannot extract Pod status", podName="cluster-1"),
        object_at(33, "Current primary isn't healthy, initiating a failover"),
        object_at(34.1, "Failing over", newPrimary="cluster-2"),
    ]
    instance = [
        object_at(35.2, "Setting myself as primary", logging_pod="cluster-2"),
        object_at(36.4, "The PostgreSQL instance has been promoted successfully", logging_pod="cluster-2"),
    ]
    write(tmp_path / "study/run1/operator/operator.log", operator)
    write(tmp_path / "study/run1/cluster-2/instance.log", instance)
    store = probed(tmp_path, (30, 37))
    assert store.rows(CHANGES, "cloudnativepg") == [("cluster-1", "cluster-2", False, "09:00:35.200")]
    assert store.rows(STEPS) == [
        ("suspected", "09:00:31.200"),
        ("dead", "09:00:33.000"),
        ("elected", "09:00:35.200"),
        ("ready", "09:00:36.400"),
        ("client_success", "09:00:37.004"),
    ]


def test_sentinel_of_stolon_elects_a_master(tmp_path: Path) -> None:
    sentinel = [
        object_at(5, "master db is healthy", db="aa01", keeper="keeper0"),
        object_at(31.2, "no keeper info available", db="aa01", keeper="keeper0"),
        object_at(33, "master db is failed", db="aa01", keeper="keeper0"),
        object_at(33, "trying to find a new master to replace failed master"),
        object_at(33.1, "electing db as the new master", db="bb02", keeper="keeper1"),
    ]
    proxy = [object_at(36, "proxying to master address", address="10.0.0.2:5432")]
    write(tmp_path / "study/run1/sentinel.log", sentinel)
    write(tmp_path / "study/run1/proxy.log", proxy)
    store = probed(tmp_path, (30, 37))
    assert store.rows(CHANGES, "stolon") == [("keeper0", "keeper1", False, "09:00:33.100")]
    assert store.rows(STEPS) == [
        ("suspected", "09:00:31.200"),
        ("dead", "09:00:33.000"),
        ("elected", "09:00:33.100"),
        ("routed", "09:00:36.000"),
        ("client_success", "09:00:37.004"),
    ]
