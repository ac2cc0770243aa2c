"""What `report` and `ingest` share: the options of reading a study into a store, and the reading."""

import functools
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haledger import options
from haledger.engine import Engine, EngineName, Scheduler, TlsCaFile, TlsCert, TlsKey, engine
from haledger.layout import PartsFolder, StoreLayout, layout
from haledger.options import memory_bytes, with_signature
from haledger.terminal import progress

if TYPE_CHECKING:
    from pipeline.discovery.address import Address
    from pipeline.ingest.ingest import IngestResult


@dataclass(frozen=True)
class Reading:
    """The options; each field is one."""

    reference: options.Reference = ""
    since: options.Since = ""
    until: options.Until = ""
    engine_name: EngineName = Engine.local
    scheduler: Scheduler = ""
    tls_ca_file: TlsCaFile = None
    tls_cert: TlsCert = None
    tls_key: TlsKey = None
    memory: options.Memory = ""
    store_layout: StoreLayout = None
    parts: PartsFolder = None
    anonymise: options.Anonymise = False
    accept: options.Accept = False
    wait: options.Wait = 0.0

    def reader(self, report: Path | None = None) -> Callable[..., "IngestResult"]:
        """What reads a study, once the options are known to fit. `report`: the folder in which the store will be."""
        limit, place = memory_bytes(self.memory), layout(self.store_layout, self.parts, report)

        def read(
            study: "Path | Address", db: Path, *, replace: bool, own: Collection[Path] = (), wait_s: float = 0.0
        ) -> "IngestResult":
            from pipeline.ingest.ingest import ingest

            tls = (self.tls_ca_file, self.tls_cert, self.tls_key)
            with engine(self.engine_name, self.scheduler, study, tls) as cluster:
                return ingest(
                    study,
                    db,
                    replace=replace,
                    progress=progress(),
                    own=own,
                    wait_s=wait_s,
                    reference=self.reference,
                    since=self.since,
                    until=self.until,
                    cluster=cluster,
                    memory_bytes=limit,
                    layout=place,
                )

        return read


def with_reading(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Reading`, in the place of its parameter `reading`."""
    shared = {
        name: each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, each in inspect.signature(Reading).parameters.items()
    }

    @functools.wraps(command)
    def run(*study: Any, **arguments: Any) -> None:  # noqa: ANN401  the options of any command
        reading = Reading(**{name: arguments.pop(name) for name in shared if name in arguments})
        command(*study, **arguments, reading=reading)

    own = inspect.signature(command).parameters
    found = [inner for each in own.values() for inner in (shared.values() if each.name == "reading" else [each])]
    return with_signature(run, found)
