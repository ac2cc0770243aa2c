"""What is made of all files of a study at once, grown: CPU time of it, by the number of files.

The facts are those of failovers: for each run and node a system log without year or zone, and a log with both. Places
are assigned, lines that are there twice are looked for, clocks are resolved, and the rows of `main.source_file` and
`log.file_ledger` are made.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.discovery.source import Source
from pipeline.ingest import accounts, deduplication, resolution
from pipeline.ingest.ledger import files_to_read
from pipeline.memory import without_collector
from pipeline.reading.file_facts import File, FileFacts
from pipeline.reading.stamps import Day, Stamps
from pipeline.study.manifest import Manifest

FIRST = datetime(2024, 1, 1, 22, 0)  # noqa: DTZ001  a wall clock
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SIZES = (1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Lab:
    """A number of files: of the same nodes in more runs, or of more clusters."""

    name: str
    files: int
    nodes: int

    def facts(self) -> Iterator[tuple[Source, FileFacts]]:
        """What discovery and reading found of each file."""
        for number in range(self.files // 2):
            run, node = divmod(number, self.nodes)
            at = FIRST + timedelta(hours=2 * run)
            host = f"node{node + 1}"
            folder = f"cluster{node // 2:05}/run{run:06}/{host}"
            for name, form, stamps in (("messages", "syslog", _bare(at)), ("db2diag.log", "db2diag", _dated(at))):
                path = f"{folder}/{name}"
                facts = FileFacts(
                    "parsed",
                    format=form,
                    sha256=f"{number}{form}",
                    lines=900,
                    own_hosts={host: 900},
                    stamps=stamps.as_json(),
                )
                yield Source(path, Path(path), 90_000, 0), facts

    def read(self) -> list[File]:
        """Its files, once they were read."""
        found = list(self.facts())
        numbers = {source.path: number for number, (source, _) in enumerate(found, 1)}
        files = files_to_read([source for source, _ in found], numbers, Manifest())
        for file, (_, facts) in zip(files, found, strict=True):
            file.facts = facts
        return files


def _bare(at: datetime) -> Stamps:
    first = at.replace(year=2000)
    return Stamps(1, (Day(0, None, first, first + timedelta(minutes=20), 1, 900, 900),), (), ())


def _dated(at: datetime) -> Stamps:
    offset = 120 if 4 <= at.month <= 10 else 60
    return Stamps(1, (Day(None, offset, at, at + timedelta(minutes=20), 1, 400, 400),), (), ())


def labs(sizes: Sequence[int]) -> list[Lab]:
    """Each way a study grows, in these numbers of files."""
    return [
        Lab(name, files, nodes(files))
        for name, nodes in (("runs of two nodes", lambda _: 2), ("nodes in one run", lambda files: files // 2))
        for files in sizes
    ]


def cpu_s(lab: Lab) -> float:
    """CPU seconds to place the files of a lab, to resolve their clocks, and to account for them."""
    files = lab.read()
    with without_collector():  # as an ingest does
        begun = time.process_time()
        account(files)
        return time.process_time() - begun


def account(files: Sequence[File]) -> None:
    """What an ingest does with the facts of files that hold no lines twice."""
    manifest = Manifest()
    places = resolution.places(files, manifest)
    deduplication.find_duplicates(files, places)
    clocks, _ = resolution.clocks(files, places, manifest, NOW)
    accounts.source_rows(files, {}, places, clocks, {})
    deque(accounts.ledger_rows(files, places, clocks), maxlen=0)
