"""What is resolved of all files of a study at once, grown: CPU time of places and clocks, by the number of files.

The facts are those of failovers: for each run and node a system log without year or zone, and a log with both.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pipeline.clock import date_order_inference, file_clock
from pipeline.memory import without_collector
from pipeline.reading.stamps import Day, StampFacts, Stamps
from pipeline.study.manifest import Manifest
from pipeline.study.places.assignment import assign
from pipeline.study.places.path_reading import FileHosts

FIRST = datetime(2024, 1, 1, 22, 0)  # noqa: DTZ001  a wall clock
NOW = datetime(2026, 1, 1)  # noqa: DTZ001  naive UTC
SIZES = (1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Lab:
    """A number of files: of the same nodes in more runs, or of more clusters."""

    name: str
    files: int
    nodes: int

    def facts(self) -> Iterator[tuple[FileHosts, Stamps]]:
        """What reading found in each file."""
        for number in range(self.files // 2):
            run, node = divmod(number, self.nodes)
            at = FIRST + timedelta(hours=2 * run)
            host = f"node{node + 1}"
            folder = f"cluster{node // 2:05}/run{run:06}/{host}"
            for name, form, stamps in (("messages", "syslog", _bare(at)), ("db2diag.log", "db2diag", _dated(at))):
                hosts = FileHosts(f"{folder}/{name}", form, (host,), frozenset(), stamps.span(), f"{number}{form}")
                yield hosts, stamps


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
    """CPU seconds to place the files of a lab and to resolve their clocks."""
    facts = list(lab.facts())
    with without_collector():  # as an ingest does
        begun = time.process_time()
        _resolve(facts)
        return time.process_time() - begun


def _resolve(facts: Sequence[tuple[FileHosts, Stamps]]) -> None:
    places = assign("lab", [hosts for hosts, _ in facts], Manifest())
    printed = [
        StampFacts(
            number,
            hosts.path,
            (place := places[hosts.path]).configuration,
            place.run,
            place.node,
            hosts.format,
            None,
            stamps,
        )
        for number, (hosts, stamps) in enumerate(facts)
    ]
    file_clock.resolve(date_order_inference.in_resolved_order(printed), Manifest(), NOW)
