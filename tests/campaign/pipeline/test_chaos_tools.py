"""Faults of toxiproxy, Chaos Mesh and Litmus, and the outage that a client's probe shows of each."""

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import Store, ingested, write

RECORDED = Path(__file__).parent / "toxiproxy"
LITMUS = Path(__file__).parents[4] / "shared/stacks/other_stacks/litmus_container_kill_2022_with_http_probe.log"
FAULTS = """
    select kind, target, strftime(asked_at, '%H:%M:%S'), strftime(done_at, '%H:%M:%S'),
        strftime(end_asked_at, '%H:%M:%S'), strftime(end_done_at, '%H:%M:%S')
    from injected_fault order by fault_no
"""
OUTAGES = "select round(outage_s, 1), faults from fault_outage order by fault_no"
TRUTH = (  # begun and ended, seconds after 20:48, as the recorder's script noted them; how long clients had no answer
    (7.232, 11.240, 4.0),
    (16.242, 19.245, 3.1),
    (24.247, 27.248, 0.0),
    (31.255, 33.259, 2.0),
)


def probed(folder: Path, start: str, seconds: int, *down: tuple[float, float]) -> Store:
    """A study with a probe that asks five times a second, in vain within the spans."""
    begin = datetime.fromisoformat(start)
    rows = [
        (begin + timedelta(seconds=second), "failed" if any(low <= second < high for low, high in down) else "ok")
        for second in (number / 5 for number in range(5 * seconds))
    ]
    lines = (f"{at.isoformat(timespec='milliseconds')}Z,{outcome},2," for at, outcome in rows)
    write(folder / "chaos/run01/probe.csv", "\n".join(("asked_at,outcome,elapsed_ms,reason", *lines)) + "\n")
    return ingested(folder)


def test_recorded_faults_of_toxiproxy_hold_the_truth_and_have_their_outages(tmp_path: Path) -> None:
    shutil.copytree(RECORDED, tmp_path / "toxi" / "run01", ignore=shutil.ignore_patterns("*.md"))
    store = ingested(tmp_path)
    assert store.rows("select kind, target from injected_fault order by fault_no") == [
        (kind, "redis") for kind in ("toxic", "closed", "toxic", "toxic")
    ]
    zero = "timestamp '2026-11-24 20:48:00'"
    bounds = store.rows(
        "select "
        + ", ".join(
            f"(epoch_ms({name}) - epoch_ms({zero})) / 1000"
            for name in ("asked_at", "done_at", "end_asked_at", "end_done_at")
        )
        + " from injected_fault order by fault_no"
    )
    for (begun, ended, _), (asked, done, end_asked, end_done) in zip(TRUTH, bounds, strict=True):
        assert asked <= begun <= done
        assert end_asked <= ended <= end_done
    assert store.rows(OUTAGES) == [(outage, 1) for _, _, outage in TRUTH]
    assert store.rows("select rejected_lines from source_file where format = 'container_log'") == [(0,)]


def test_several_toxics_on_one_proxy_end_with_the_last_that_is_taken_away(tmp_path: Path) -> None:
    requests = (
        ("20:00:10", "POST", "redis/toxics"),
        ("20:00:11", "POST", "redis/toxics"),
        ("20:00:11", "POST", "other/toxics"),
        ("20:00:20", "DELETE", "redis/toxics/slow"),
        ("20:00:25", "DELETE", "other/toxics/slow"),
        ("20:00:40", "DELETE", "redis/toxics/thin"),
        ("20:01:00", "POST", "redis/toxics"),
        ("20:01:00", "POST", "redis/toxics"),
        ("20:01:20", "POST", "reset"),
        ("20:01:40", "POST", "redis/toxics"),
        ("20:01:50", "DELETE", "redis/toxics/slow"),
    )
    handlers = {"POST": "ToxicCreate", "DELETE": "ToxicDelete"}
    log = [
        {
            "level": "debug",
            "request_id": "d0",
            "method": method,
            "url": "/reset" if place == "reset" else f"/proxies/{place}",
            "status": 200,
            "size": 0,
            "handler": "ResetState" if place == "reset" else handlers[method],
            "caller": "api.go:107",
            "time": f"2026-11-24T{at}Z",
        }
        for at, method, place in requests
    ]
    write(tmp_path / "chaos/run01/toxiproxy.log", "\n".join(map(json.dumps, log)) + "\n")
    store = probed(tmp_path, "2026-11-24T20:00:00+00:00", 150)
    assert [(target, begun, ended) for _, target, begun, _, ended, _ in store.rows(FAULTS)] == [
        ("redis", "20:00:10", "20:00:40"),
        ("other", "20:00:11", "20:00:25"),
        ("redis", "20:01:00", "20:01:20"),
        ("redis", "20:01:40", "20:01:50"),
    ]


def test_objects_events_and_log_of_chaos_mesh_are_one_fault(tmp_path: Path) -> None:
    record = {
        "events": [
            {"operation": "Apply", "timestamp": "2026-06-05T08:46:54Z", "type": "Succeeded"},
            {"operation": "Recover", "timestamp": "2026-06-05T08:47:24Z", "type": "Succeeded"},
        ],
        "id": "default/db-0",
    }
    cut = {
        "apiVersion": "chaos-mesh.org/v1alpha1",
        "kind": "NetworkChaos",
        "metadata": {"creationTimestamp": "2026-06-05T08:46:53Z", "name": "cut"},
        "spec": {"action": "partition"},
        "status": {"experiment": {"containerRecords": [record]}},
    }
    write(
        tmp_path / "chaos/run01/chaos.json", json.dumps({"apiVersion": "v1", "items": [cut], "kind": "List"}, indent=4)
    )
    values = {"name": "cut", "namespace": "default", "kind": "NetworkChaos", "id": "default/db-0"}
    log = [
        {"level": "info", "ts": f"2026-06-05T08:{at}Z", "logger": "records", "msg": what, **values}
        for at, what in (("46:53.412", "apply chaos"), ("47:23.977", "recover chaos"))
    ]
    write(tmp_path / "chaos/run01/controller.log", "".join(json.dumps(each) + "\n" for each in log))
    store = probed(tmp_path, "2026-06-05T08:46:40", 60, (14.1, 44.3))
    assert store.rows(FAULTS) == [
        ("NetworkChaos partition", "default/db-0", "08:46:53", "08:46:55", "08:47:23", "08:47:25")
    ]
    assert store.rows(OUTAGES) == [(30.4, 1)]


@pytest.mark.skipif(not LITMUS.is_file(), reason="the real excerpt is not beside this checkout")
def test_litmus_says_that_it_has_injected_when_the_fault_is_over(tmp_path: Path) -> None:
    target = tmp_path / "chaos/run01/experiment.log"
    target.parent.mkdir(parents=True)
    shutil.copyfile(LITMUS, target)
    store = probed(tmp_path, "2022-05-03T17:04:20", 65, (20.1, 27.9))
    # no line says when within the helper's time the container was killed
    assert store.rows(FAULTS) == [("container-kill", None, "17:04:36", None, None, "17:05:18")]
    assert store.rows(OUTAGES) == [(8.0, 1)]
