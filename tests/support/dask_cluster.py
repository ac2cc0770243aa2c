"""A Dask cluster on this machine: a process with the scheduler, and one for each worker, which is slow on request."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from haledger import worker
from pipeline.cluster import Cluster, Entry
from pipeline.discovery.address import Address
from pipeline.discovery.written_files import Folder
from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import Layout
from pipeline.reading import distributed_reading
from tests.support.ingest_study import NOW

ROOT = Path(__file__).parents[2]
POISON = "this line ends the process that reads it"

SERVE = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=int(sys.argv[1]), threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1",
        silence_logs=50,
    )
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
    cluster.close()
"""

# Python imports it first of all, in workers and in their processes
PLANT = f"""
import os
try:
    import polars
    from parsers.db2 import db2diag
except ImportError:
    pass
else:
    import dataclasses
    import signal
    import time
    from parsers import format as known

    def planted(parser):
        def parse(lines):
            if lines["text"].str.contains({POISON!r}).any():
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(float(os.environ.get("PLANTED_S", "0")))
            return parser.parse(lines)

        return dataclasses.replace(parser, parse=parse)

    originals = known.formats()
    for name in list(originals):
        if name == "syslog":
            originals[name] = planted(originals[name])

    if float(os.environ.get("PLANTED_PART_S", "0")):
        from pipeline.ingest import part_writing

        write_part = part_writing.write_part

        def slowly(*arguments, **named):
            time.sleep(float(os.environ["PLANTED_PART_S"]))
            return write_part(*arguments, **named)

        part_writing.write_part = slowly
"""


@dataclass(frozen=True, slots=True)
class Served:
    """A cluster that runs."""

    address: str
    process: subprocess.Popen[str]

    def cluster(self, study: Path | Address) -> Cluster:
        """A client of it, as the command has one."""
        return Cluster(self.address, entry(), study)


def entry() -> Entry:
    return Entry(worker.program(), worker.hello, worker.work)


class Counted:
    """A cluster that counts what it is given to read, and calls `after` with how many results came of a function."""

    def __init__(self, cluster: Cluster, after: Callable[[str, int], None] = lambda _name, _count: None) -> None:
        self._cluster = cluster
        self._after = after
        self.sent = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cluster, name)

    def run_parallel(
        self, function: Callable[..., Any], jobs: Iterable[Any], size: Callable[[Any], int]
    ) -> Iterator[Any]:
        for count, outcome in enumerate(self._cluster.run_parallel(function, self._counting(function, jobs), size), 1):
            yield outcome
            self._after(function.__name__, count)

    def _counting(self, function: Callable[..., Any], jobs: Iterable[Any]) -> Iterator[Any]:
        for each in jobs:
            self.sent += function is distributed_reading.read_batch
            yield each


def ingest_in_parts(
    study: Path,
    db: Path,
    cluster: Cluster,
    parts: Folder,
    after: Callable[[str, int], None] = lambda _name, _count: None,
) -> int:
    """Ingest on a cluster into Parquet parts; give how many batches were read. `after`: see `Counted`."""
    counted = Counted(cluster, after)
    ingest(study, db, now=NOW, cluster=counted, layout=Layout("parquet", parts))  # type: ignore[arg-type]  # all that is asked of a cluster
    return counted.sent


@contextmanager
def served(folder: Path, workers: int = 2, reading_s: float = 0.0, part_s: float = 0.0) -> Iterator[Served]:
    """A cluster with these workers, one thread each. `reading_s`, `part_s`: added to parsing syslogs, to each part."""
    (folder / "sitecustomize.py").write_text(PLANT)
    script = folder / "serve.py"
    script.write_text(SERVE)
    env = os.environ | {
        "PYTHONPATH": f"{folder}:{ROOT}",
        "PLANTED_S": str(reading_s),
        "PLANTED_PART_S": str(part_s),
        "POLARS_MAX_THREADS": "1",
    }
    with subprocess.Popen(
        [sys.executable, script, str(workers)],
        env=env,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield Served(process.stdout.readline().strip(), process)
        process.communicate()
