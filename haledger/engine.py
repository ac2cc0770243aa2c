"""Where files are read: in this process, or on the workers of a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.discovery.address import Address
from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.cluster import Cluster


class Engine(StrEnum):
    """What reads the files."""

    local = "local"
    dask = "dask"


EngineName = Annotated[
    Engine, typer.Option("--engine", help="Read files in this process, or on the workers of a Dask cluster.")
]
Scheduler = Annotated[
    str,
    typer.Option("--scheduler", metavar="ADDRESS", help="The scheduler of --engine dask, such as tcp://head:8786."),
]


@contextmanager
def engine(name: Engine, scheduler: str, study: Path | Address) -> Iterator["Cluster | None"]:
    """The cluster that is to read a study; None: this process is."""
    if name is Engine.local:
        if scheduler:
            raise UsageError("--scheduler goes with --engine dask")
        yield None
        return
    if not scheduler:
        raise UsageError("--engine dask needs --scheduler, such as tcp://head:8786")
    if find_spec("distributed") is None:
        raise UsageError("--engine dask needs Dask; install haledger[dask], here and on the workers")
    from haledger import worker
    from pipeline.cluster import Cluster, Entry

    with Cluster(scheduler, Entry(worker.program(), worker.hello, worker.work), study) as cluster:
        yield cluster
