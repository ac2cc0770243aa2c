"""Start three workers on this machine and read a study on them: `python -m bench.cluster [STUDY [STORE]]`.

A cluster to try things on; each worker is a process with one thread, and all of them end with the command.
"""

import sys
from pathlib import Path

from haledger import find_application
from haledger.engine import Engine, engine

find_application()

SAMPLE = Path(__file__).parents[1] / "samples" / "failover-2004"
WORKERS = 3


def main(arguments: list[str]) -> None:
    """Read a study, or the large sample, into a store, and print how far it is and what was read."""
    from distributed import LocalCluster

    from pipeline.ingest.ingest import ingest

    study = Path(arguments[0]) if arguments else SAMPLE
    store = Path(arguments[1]) if len(arguments) > 1 else Path("cluster.duckdb")
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        engine(Engine.dask, cluster.scheduler_address, study) as workers,
    ):
        steps: list[str] = []
        result = ingest(study, store, cluster=workers, progress=lambda step, _share: steps.append(step))
    for step in dict.fromkeys(steps):
        print(step)
    print(f"{result.file_count} files, {result.lines:,} lines, {result.rows:,} rows: {store}")


if __name__ == "__main__":  # workers import this module
    main(sys.argv[1:])
