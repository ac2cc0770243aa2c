"""Replays measured tasks of an ingest on a cluster, with other workers and more data: `python -m bench.replay`.

`replay.json` holds what `--record` measured: the tasks of an ingest into Parquet parts, their CPU seconds and bytes,
and what the machine that gives the command does besides. Each task takes the time it took, on a core of its own;
copies of it stand for more data. Nothing is read; docs/scale.md has the table, and says what the model leaves out.
"""

import argparse
import heapq
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

RECORD = Path(__file__).with_name("replay.json")
PAGE = Path(__file__).parents[1] / "docs" / "scale.md"
BEGIN, END = "<!-- begin: python -m bench.replay -->", "<!-- end -->"
WORKERS = (4, 16, 64)
TERABYTES = (1, 10, 100)


@dataclass(frozen=True, slots=True)
class Task:
    """A job of a worker. `phase`: later ones begin once those before ended. `sent`, `returned`: bytes, pickled."""

    phase: int
    cpu_s: float
    sent: int
    returned: int


@dataclass(frozen=True, slots=True)
class Record:
    """What was measured, with its origin in words.

    `bytes`, `files`: of the longer of two studies, as are `tasks`. `stored_bytes`: of its parts. `fixed_s`,
    `serial_s_per_gb`: CPU of the machine that gives the command, without what a task costs there with the scheduler
    (`task_s`). `base_mib`, `bytes_per_file`: what it holds.
    """

    origin: str
    bytes: int
    files: int
    stored_bytes: int
    fixed_s: float
    serial_s_per_gb: float
    task_s: float
    base_mib: float
    bytes_per_file: float
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a replay comes to. `busy_share`: of the workers' time; `serial_share`: of the whole time."""

    wall_s: float
    busy_share: float
    serial_share: float
    network_gb_per_s: float
    driver_gib: float


def read(file: Path = RECORD) -> Record:
    """The record in a file."""
    content = json.loads(file.read_text(encoding="utf-8"))
    return Record(**content | {"tasks": tuple(Task(*each) for each in content["tasks"])})


def write(record: Record, file: Path = RECORD) -> None:
    """Keep a record: a task a line."""
    head = asdict(record)
    tasks = ",\n    ".join(json.dumps(list(each.values())) for each in head.pop("tasks"))
    lines = ",\n  ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items())
    file.write_text(f'{{\n  {lines},\n  "tasks": [\n    {tasks}\n  ]\n}}\n', encoding="utf-8")


def makespan(tasks: Sequence[float], workers: int, copies: int = 1) -> float:
    """Seconds until the last of equally fast workers has done all tasks, `copies` times each, the longest first.

    As many copies of a task as can be are dealt out evenly; those left go to whoever is free first.
    """
    even = 0.0
    left: list[float] = []
    for seconds, count in Counter(tasks).items():
        rounds, rest = divmod(count * copies, workers)
        even += rounds * seconds
        left += [seconds] * rest
    ends = [even] * workers
    for seconds in sorted(left, reverse=True):
        heapq.heapreplace(ends, ends[0] + seconds)
    return max(ends)


def replay(record: Record, workers: int, copies: int) -> Outcome:
    """An ingest of so many times the recorded data."""
    work_s = copies * sum(each.cpu_s for each in record.tasks)
    apart_s = 0.0
    for phase in {each.phase for each in record.tasks}:
        apart_s += makespan([each.cpu_s for each in record.tasks if each.phase == phase], workers, copies)
    scheduling_s = copies * len(record.tasks) * record.task_s
    serial_s = record.fixed_s + record.serial_s_per_gb * copies * record.bytes / 1e9
    wall_s = max(apart_s, scheduling_s) + serial_s
    moved = record.bytes + record.stored_bytes + sum(each.sent + each.returned for each in record.tasks)
    return Outcome(
        wall_s=wall_s,
        busy_share=work_s / (workers * wall_s),
        serial_share=serial_s / wall_s,
        network_gb_per_s=copies * moved / 1e9 / wall_s,
        driver_gib=record.base_mib / 1024 + copies * record.files * record.bytes_per_file / 2**30,
    )


def table(record: Record) -> Iterator[str]:
    """The lines of docs/scale.md that follow from a record."""
    work_s = sum(each.cpu_s for each in record.tasks)
    answers = sum(each.sent + each.returned for each in record.tasks)
    yield f"Recorded: {record.origin}."
    yield ""
    yield "| of a recorded GB | |"
    yield "|---|---|"
    gigabytes = record.bytes / 1e9
    yield f"| CPU seconds on workers | {work_s / gigabytes:.1f} in {len(record.tasks) / gigabytes:.0f} tasks |"
    yield (
        f"| CPU seconds of the machine that gives the command | {record.serial_s_per_gb:.2f}, "
        f"{record.fixed_s:.1f} once, {record.task_s * 1000:.1f} ms a task with the scheduler |"
    )
    shares = f"{answers / record.bytes:.1%}; {record.stored_bytes / record.bytes:.1%} of those read"
    yield f"| bytes of tasks and answers; of parts | {shares} |"
    yield f"| memory of that machine | {record.base_mib:.0f} MiB and {record.bytes_per_file / 1000:.1f} KB a file |"
    yield ""
    yield "| TB | files | workers | hours | workers busy | serial part | network GB/s | memory, GiB |"
    yield "|---|---|---|---|---|---|---|---|"
    for terabytes in TERABYTES:
        copies = round(terabytes * 1e12 / record.bytes)
        for workers in WORKERS:
            found = replay(record, workers, copies)
            yield (
                f"| {terabytes} | {copies * record.files:,} | {workers} | {found.wall_s / 3600:,.1f} | "
                f"{found.busy_share:.0%} | {found.serial_share:.0%} | {found.network_gb_per_s:.2f} | "
                f"{found.driver_gib:,.1f} |"
            )


def page(text: str, record: Record) -> str:
    """The page with the table of a record."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", *table(record), f"{END}{after}"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or one replay; record anew; bring docs/scale.md up to date."""
    parser = argparse.ArgumentParser(prog="python -m bench.replay", description=__doc__)
    parser.add_argument("--record", action="store_true", help="measure the tasks anew first")
    parser.add_argument("--mb", type=float, default=200, help="with --record: size of the longer study (default: 200)")
    parser.add_argument("--workers", type=int, help="replay for this number of workers alone")
    parser.add_argument("--terabytes", type=float, default=1.0, help="with --workers: of what size (default: 1)")
    parser.add_argument("--page", action="store_true", help="write the table into docs/scale.md")
    options = parser.parse_args(arguments)
    if options.record:
        from bench.replay_record import recorded

        write(recorded(round(options.mb * 1e6)))
    record = read()
    if options.workers:
        found = replay(record, options.workers, max(1, round(options.terabytes * 1e12 / record.bytes)))
        print(json.dumps(asdict(found), indent=2))
        return 0
    if options.page:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")
    print("\n".join(table(record)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
