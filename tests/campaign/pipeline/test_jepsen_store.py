"""A store of Jepsen from disk to the outage of each fault, against a count over its history."""

import random
from itertools import pairwise
from pathlib import Path

from pipeline.ingest.ingest import ingest
from pipeline.store import store

RUN = "20240222T073144.939+0530"
HEAD = "{GMT}\tINFO\t[jepsen test runner] jepsen.core:"
LOG = f"""\
2024-02-22 07:31:45,399{HEAD} Running test:
{{:name "register"
 :start-time
 #object[org.joda.time.DateTime "0x10c26161" "2024-02-22T07:31:44.939+05:30"]}}
2024-02-22 07:31:50,000{HEAD} Relative time begins now
"""
FAULTS = ((10.0, 20.0, "kill", "start"), (30.0, 40.0, "start-partition", "stop-partition"))
DOWN = ((10.2, 13.4), (30.1, 32.0))


def operations() -> list[tuple[float, str, str, str]]:
    """Second, process, type and f: five workers, of which some wait in vain and some are refused."""
    chance = random.Random(1)  # noqa: S311  no secret
    found = []
    for worker in range(5):
        second, process = 0.01 * worker, worker
        while second < 60:
            f = chance.choice(["read", "write"])
            found.append((second, str(process), "invoke", f))
            is_down = any(low <= second < high for low, high in DOWN)
            waits = is_down and worker % 2 == 1
            second += 0.5 if waits else 0.004
            found.append((second, str(process), "info" if waits else "fail" if is_down else "ok", f))
            process += 5 if waits else 0
            second += 0.1
    for begin, end, f, healed_by in FAULTS:
        found += [
            (at + late, ":nemesis", "info", what) for at, what in ((begin, f), (end, healed_by)) for late in (0, 0.1)
        ]
    return sorted(found)


def written(folder: Path) -> list[tuple[float, str, str, str]]:
    """A store with one test in it."""
    run = folder / "store" / "etcd register" / RUN
    run.mkdir(parents=True)
    found = operations()
    (run / "history.edn").write_text(
        "".join(
            f"{{:time {round(second * 1e9)}, :type :{of_type}, :process {process}, :f :{f}, :value nil}}\n"
            for second, process, of_type, f in found
        )
        + "{:index 99, :time 5, :typ"
    )
    (run / "history.txt").write_text("".join(f"{process}\t:{of_type}\t:{f}\tnil\n" for _, process, of_type, f in found))
    (run / "jepsen.log").write_text(LOG)
    for node in ("n1", "n2"):
        (run / node).mkdir()
        (run / node / "etcd.log").write_text(f"2024-02-22T02:02:00.123Z INFO starting {node}\n" * 3)
    for link in (folder / "store" / "latest", run.parent / "latest"):
        link.symlink_to(run, target_is_directory=True)
    return found


def test_a_store_gives_the_outage_of_each_fault_and_is_read_once(tmp_path: Path) -> None:
    found = written(tmp_path / "study")
    ends = [second for second, process, of_type, _ in found if process != ":nemesis" and of_type == "ok"]
    gaps = [
        max(late - early for early, late in pairwise(ends) if late > begin and early < end + 0.1)
        for begin, end, _, _ in FAULTS
    ]
    file = tmp_path / "store.duckdb"
    ingest(tmp_path / "study", file)
    with store.opened(file) as con:
        shown = con.execute(
            "select kind, gap_s, failed, asked_at::varchar from fault_outage order by fault_no"
        ).fetchall()
        files = con.execute(
            "select format, configuration, run, node, lines, parsed_lines, continuation_lines, rejected_lines"
            " from source_file where status = 'parsed' order by path"
        ).fetchall()
    failed = [
        sum(low <= second < high for second, process, of_type, _ in found if of_type == "invoke") for low, high in DOWN
    ]
    assert [(kind, count, at) for kind, _, count, at in shown] == [
        ("kill", failed[0], "2024-02-22 02:02:00"),
        ("start-partition", failed[1], "2024-02-22 02:02:20"),
    ]
    assert [abs(gap - expected) < 1e-5 for (_, gap, _, _), expected in zip(shown, gaps, strict=True)] == [True, True]
    place = ("store/etcd register", RUN)
    assert files == [
        ("jepsen_history", *place, None, len(found) + 1, len(found), 0, 1),
        ("jepsen_history_text", *place, None, len(found), len(found), 0, 0),
        ("jepsen_log", *place, None, 5, 3, 2, 0),
        ("dated_log", *place, "n1", 3, 3, 0, 0),
        ("dated_log", *place, "n2", 3, 3, 0, 0),
    ]
