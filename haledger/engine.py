"""Where files are read: in this process, or on the workers of a cluster."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.discovery.address import Address, without_secrets
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
TLS_VARIABLE = "DASK_DISTRIBUTED__COMM__TLS__{}"
TlsCaFile = Annotated[
    Path | None,
    typer.Option(
        "--tls-ca-file",
        metavar="FILE",
        show_default=False,
        help=f"CA certificate of a tls:// scheduler; else {TLS_VARIABLE.format('CA_FILE')}.",
    ),
]
TlsCert = Annotated[
    Path | None,
    typer.Option(
        "--tls-cert",
        metavar="FILE",
        show_default=False,
        help=f"Certificate of this side of a tls:// connection; else {TLS_VARIABLE.format('CLIENT__CERT')}.",
    ),
]
TlsKey = Annotated[
    Path | None,
    typer.Option(
        "--tls-key",
        metavar="FILE",
        show_default=False,
        help=f"Private key of --tls-cert; else {TLS_VARIABLE.format('CLIENT__KEY')}.",
    ),
]


@contextmanager
def engine(
    name: Engine, scheduler: str, study: Path | Address, tls: Sequence[Path | None] = ()
) -> Iterator["Cluster | None"]:
    """The cluster that is to read a study; None: this process is. `tls`: files of authority, certificate and key."""
    if name is Engine.local:
        if scheduler or any(tls):
            raise UsageError("--scheduler and --tls-* go with --engine dask")
        yield None
        return
    if not scheduler:
        raise UsageError("--engine dask needs --scheduler, such as tcp://head:8786")
    if (shown := without_secrets(scheduler)) != scheduler:
        raise UsageError(f"--scheduler {shown}: an address of a scheduler has no user and no password")
    if find_spec("distributed") is None:
        raise UsageError("--engine dask needs Dask; install haledger[dask], here and on the workers")
    from haledger import worker
    from pipeline.cluster import Cluster, Entry

    with Cluster(scheduler, Entry(worker.program(), worker.hello, worker.work), study, tls) as cluster:
        yield cluster
