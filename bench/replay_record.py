"""Measures what `bench.replay` replays: an ingest whose jobs for workers run here, one after another, and pickled."""

import multiprocessing
import pickle
import platform
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import haledger
from bench import logs
from bench.growth.facts import Lab, account
from bench.replay import Record, Task
from bench.subjects import FILES

haledger.find_application()

from pipeline.ingest.ingest import ingest  # noqa: E402  found by the line above
from pipeline.ingest.layout import Layout  # noqa: E402
from pipeline.memory import MEBIBYTE, without_collector  # noqa: E402
from pipeline.store import rows_by_group  # noqa: E402
from pipeline.version import version  # noqa: E402

if TYPE_CHECKING:
    from pipeline.cluster import Cluster

FILE_BYTES = 2_900_000
NO_TASKS = 300
"""Tasks that do nothing, to see what each costs with the scheduler."""

GROUP_BYTES = 200
"""Of the whole study, for each line that a group has at least: two groups. Larger studies have larger ones."""

FACTS = (5_000, 25_000)
"""Files whose facts are held, to see what each takes."""

Job = TypeVar("Job")
Result = TypeVar("Result")


class Recorder:
    """Stands for a cluster; keeps what each job cost. Jobs of one `fan` are a phase."""

    label = ""
    program = "record"
    most_beside = 1

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self._phases = 0

    def fan(
        self, function: Callable[[Job], Result], jobs: Iterable[Job], size: Callable[[Job], int]
    ) -> Iterator[Result]:
        """The function's result for each job."""
        phase = self._phases
        self._phases += 1
        for job in jobs:
            sent = pickle.dumps((function, job, size(job)))
            own, work, _ = pickle.loads(sent)  # noqa: S301  of this process
            begun = time.process_time()
            found = pickle.dumps(own(work))
            spent = round(time.process_time() - begun, 4)
            self.tasks.append(Task(phase, spent, len(sent), len(found)))
            yield pickle.loads(found)  # noqa: S301  of this process

    def on_each(self, function: Callable[[Job], Result], job: Job) -> Mapping[str, Result]:
        """What each worker answers: this process."""
        return {"here": function(job)}


def recorded(size: int) -> Record:
    """Measure ingests of a study of so many bytes and of one a quarter as large."""
    with tempfile.TemporaryDirectory(prefix="haledger-replay-") as folder:
        _ingested(Path(folder), FILE_BYTES * len(FILES), "first")  # imports, formats
        # Twice, as other programs disturb: the less costly of both
        few_s, few_bytes, *_ = min(
            (_ingested(Path(folder), size // 4, f"few{each}") for each in "ab"), key=itemgetter(0)
        )
        runs = [_ingested(Path(folder), size, f"many{each}") for each in "ab"]
        serial_s, many_bytes, files, recorder, stored = min(runs, key=itemgetter(0))
    slope = max(0.0, (serial_s - few_s) / (many_bytes - few_bytes))
    base, per_file = _memory()
    now = datetime.now(tz=UTC)
    return Record(
        origin=(
            f"{now:%-d %B %Y}, haledger {version()}, Python {platform.python_version()}; {files} generated "
            f"files of syslog, VCS, db2diag and iostat, {many_bytes / 1e6:.0f} MB, whose tasks ran one after another; "
            "CPU seconds, of the less costly of two ingests"
        ),
        bytes=many_bytes,
        files=files,
        stored_bytes=stored,
        fixed_s=round(max(0.0, few_s - slope * few_bytes), 3),
        serial_s_per_gb=round(slope * 1e9, 3),
        task_s=round(_task_s(), 5),
        base_mib=round(base),
        bytes_per_file=round(per_file),
        tasks=tuple(recorder.tasks),
    )


def _ingested(folder: Path, size: int, name: str) -> tuple[float, int, int, Recorder, int]:
    """CPU seconds besides tasks, bytes and files of a study, its tasks, and bytes of its parts."""
    study, parts, recorder = folder / name, folder / f"{name}-parts", Recorder()
    files = max(1, size // (FILE_BYTES * len(FILES)))
    for number in range(files):
        for kind, file_name in FILES.items():
            log = study / f"conf{number % 5}" / f"run{number // 10:03}" / f"node{number // 5 % 2}" / file_name
            log.parent.mkdir(parents=True, exist_ok=True)
            logs.write(kind, log, FILE_BYTES, logs.SEED + number)
    held = sum(each.stat().st_size for each in study.rglob("*") if each.is_file())
    rows_by_group.GROUP_LINES = held // GROUP_BYTES
    begun = time.process_time()
    layout = Layout("parquet", parts)
    ingest(study, folder / f"{name}.duckdb", cluster=cast("Cluster", recorder), layout=layout)
    spent = time.process_time() - begun - sum(each.cpu_s for each in recorder.tasks)
    stored = sum(each.stat().st_size for each in parts.rglob("*.parquet"))
    return spent, held, files * len(FILES), recorder, stored


def _task_s() -> float:
    """CPU seconds of the process with client and scheduler for a task that does nothing."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        client.submit(abs, -1).result()
        begun = time.process_time()
        for number in range(NO_TASKS):
            client.submit(abs, -2 - number, pure=False).result()
        return (time.process_time() - begun) / NO_TASKS


def _memory() -> tuple[float, float]:
    """MiB that a process holds at most without facts, and bytes for the facts, place, clock and accounts of a file."""
    few, many = FACTS
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        peaks = pool.map(_peak_bytes, (0, few, many), chunksize=1)
    return peaks[0] / MEBIBYTE, (peaks[2] - peaks[1]) / (many - few)


def _peak_bytes(files: int) -> int:
    """The most that this process held with the facts of so many files, accounted for."""
    with without_collector():
        account(Lab("runs of two nodes", files, 2).read())
    status = Path("/proc/self/status").read_text(encoding="ascii")  # what getrusage gives a child has from its parent
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0
