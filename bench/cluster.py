"""Start three workers on this machine and read a study on them: `python -m bench.cluster [STUDY [STORE]]`.

A cluster to try things on; each worker is a process with one thread, and all of them end with the command.
"""

import subprocess
import sys
from pathlib import Path

from haledger import find_application
from haledger.engine import Engine, engine

find_application()

SAMPLE = Path(__file__).parents[1] / "samples" / "failover-2004"
SERVE = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


def main(arguments: list[str]) -> None:
    """Read a study, or the large sample, into a store, and print how far it is and what was read."""
    from pipeline.ingest.ingest import ingest

    study = Path(arguments[0]) if arguments else SAMPLE
    store = Path(arguments[1]) if len(arguments) > 1 else Path("cluster.duckdb")
    steps: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None  # noqa: S101  a pipe was asked for
        with engine(Engine.dask, process.stdout.readline().strip(), study) as workers:
            result = ingest(study, store, cluster=workers, progress=lambda step, _share: steps.append(step))
        process.communicate()
    for step in dict.fromkeys(steps):
        print(step)
    print(f"{result.file_count} files, {result.lines:,} lines, {result.rows:,} rows: {store}")


if __name__ == "__main__":
    main(sys.argv[1:])
