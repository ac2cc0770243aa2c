"""One physical event is one run: losses that several units hold are found by their lines, and one of them counts.

Logs are copied under new names, lie in archives beside their folders, or grow from run to run: a tester who copies
the log after each test copies what he had before too. The line that first declares a node lost stands there again, with
the same stamp.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident, run_name
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.step import STUDY, Int32, grouped, nulls_last, step
from pipeline.failover.timeline import BY_LINE, Timelines
from pipeline.failover.windows import FOLLOWED, ONE_LOSS
from pipeline.study.places.copied_folders import COPY_WORD

SAME_LINES = 0.8
"""A copy holds at least this share of the lines about a loss: a few are cut off, filtered out or touched."""

ALIKE_BY_CHANCE_BYTES = 100
"""Results in files this small may be equal without being copies: `real 0m41s`."""

DIGITS = re.compile(r"([0-9]+)", re.ASCII)

Unit = tuple[str, str | None]
"""Configuration and run folder."""

Words = tuple[object, ...]
"""What a line says and when, as it is compared."""


class LogPath(NamedTuple):
    """Where a file lies."""

    configuration: str | None
    file_id: Int32
    path: str
    sha256: str | None = ""


class UnitContent(NamedTuple):
    """The files of a unit but configuration files, as one hash."""

    configuration: str
    unit_run: str | None
    content: str
    bytes: int


class CopiedUnit(NamedTuple):
    """A unit whose files are those of another one. `original`: the run folder, null for a group without folders."""

    configuration: str
    unit_run: str | None
    original_configuration: str
    original: str | None


@dataclass
class Physical:
    """An incident of a unit with the lines that tell it from others. `event`: equal for one physical event."""

    incident: Incident
    lines: Sequence[ClusterLine]
    is_archived: bool
    event: int = 0

    @cached_property
    def words(self) -> frozenset[Words]:
        """What its lines say."""
        return frozenset(map(_words, self.lines))

    @property
    def unit(self) -> Unit:
        """Where it was found."""
        return self.incident.configuration, self.incident.unit_run


@dataclass
class Counted:
    """The runs that count, by event, as units are asked one after the other."""

    names: dict[int, str] = field(default_factory=dict)
    extra: set[int] = field(default_factory=set)

    def numbered(self, own: Sequence[Physical]) -> Iterator[Incident]:
        """Number the incidents of a unit: of a run folder the first that is new is the run."""
        in_folder = own[0].incident.unit_run is not None
        new = [each for each in own if each.event not in self.names]
        # of a folder with nothing new the last failover is what it was kept for
        old = sorted((each for each in own if each.event in self.names), key=self._by_meaning, reverse=True)
        order = [*new, *old] if in_folder else own
        for number, each in enumerate(order, start=1):
            name = run_name(each.incident.unit_run, number)
            is_extra = in_folder and number > 1
            same_as = self.names.get(each.event)
            if same_as is None:
                self.names[each.event] = f"{each.incident.configuration}/{name}"
                self.extra.update({each.event} if is_extra else ())
            yield each.incident._replace(
                run=name,
                run_no=each.incident.run_no if in_folder else number,
                is_extra=is_extra,
                same_as=same_as,
            )

    def _by_meaning(self, found: Physical) -> tuple[bool, bool, datetime]:
        return found.incident.manifest_fault_at is not None, found.event not in self.extra, found.incident.loss_at


@step(by=STUDY)
def incident(
    unit_incident: Sequence[Incident],
    node_loss_evidence: Sequence[NodeLossEvidence],
    cluster_line: Sequence[ClusterLine],
    source_file: Sequence[LogPath],
) -> Iterator[Incident]:
    """Name the incidents of all units: of those that are one physical event one counts, and the others say which."""
    units = grouped(_physical(unit_incident, node_loss_evidence, cluster_line, source_file), "unit").values()
    seen = Counter(event for own in units for event in {each.event for each in own})
    counted = Counted()
    found: list[Incident] = []
    for own in sorted(units, key=lambda own: _by_place(own) if any(seen[each.event] > 1 for each in own) else ()):
        found += counted.numbered(own)
    yield from sorted(found, key=lambda each: nulls_last((each.configuration, each.unit_run, each.is_extra, each.run)))


def _by_place(own: Sequence[Physical]) -> tuple[object, ...]:
    """What is asked first: where logs end earlier, begin later, lie plainly under a plain name, and hold more lines."""
    configuration, unit_run = own[0].unit
    return (
        max(each.incident.loss_at for each in own),
        len(own),
        any(each.is_archived for each in own),
        *_by_name(configuration, unit_run, sum(len(each.words) for each in own)),
    )


def _by_name(configuration: str, unit_run: str | None, line_count: int = 0) -> tuple[object, ...]:
    is_copy = any(COPY_WORD.search(part) for part in (*configuration.split("/"), unit_run or ""))
    return is_copy, -line_count, configuration, DIGITS.sub(lambda each: each[0].zfill(10), unit_run or "")


def _physical(
    incidents: Sequence[Incident],
    evidence: Sequence[NodeLossEvidence],
    lines: Sequence[ClusterLine],
    files: Sequence[LogPath],
) -> list[Physical]:
    """The incidents with their lines, numbered by physical event. Lines of no file, made by hand, are no copies."""
    of_no_file = {each.file_id for each in files if each.sha256 is None}
    lines = [each for each in lines if each.file_id not in of_no_file]
    timelines = Timelines(lines, attrgetter("configuration", "unit_run"))
    archived = {each.file_id for each in files if "!/" in each.path}
    found = [Physical(each, _lines(each, timelines), each.file_id in archived) for each in incidents]
    for each, event in zip(found, _events(found, _declaring(incidents, evidence, lines)), strict=True):
        each.event = event
    return found


def _lines(incident: Incident, timelines: Timelines[ClusterLine]) -> Sequence[ClusterLine]:
    own = timelines.of((incident.configuration, incident.unit_run))
    return own.within(incident.loss_at, min(incident.end_at, incident.loss_at + FOLLOWED))


def _words(line: ClusterLine) -> Words:
    """A line as it is in any copy of its log: years are guessed, and names of nodes are taken from other files."""
    at = line.at
    return (
        (at.month, at.day, at.time()),
        *(line.source, line.kind, line.message_id, line.state, line.previous_state, line.resource, line.group),
        *(line.port, line.link, line.silent_s, line.object, line.instance, line.database, line.appid),
        *(line.stack, line.action),
    )


def _declaring(
    incidents: Sequence[Incident], evidence: Sequence[NodeLossEvidence], lines: Sequence[ClusterLine]
) -> list[set[Words]]:
    """The first lines that declare the node of each incident lost."""
    losses = Timelines(
        (each for each in evidence if each.is_decisive),
        lambda each: (each.configuration, each.unit_run, each.lost_key),
        BY_LINE,
    )
    places: list[set[tuple[int | None, int | None]]] = []
    for each in incidents:
        of_node = losses.of((each.configuration, each.unit_run, each.lost_key))
        shown = of_node.between(each.loss_at, each.loss_at + ONE_LOSS)
        places.append({(each.file_id, each.line_no), *((line.file_id, line.line_no) for line in shown)})
    wanted = {place for own in places for place in own}
    said: dict[tuple[int | None, int | None], list[Words]] = defaultdict(list)
    for line in lines:
        if (line.file_id, line.line_no) in wanted:
            said[line.file_id, line.line_no].append(_words(line))
    return [{words for place in own for words in said.get(place, [])} for own in places]


def _events(incidents: Sequence[Physical], declaring: Sequence[set[Words]]) -> list[int]:
    """The number of each incident's physical event: that of the first incident which is the same."""
    by_words: dict[Words, list[int]] = defaultdict(list)
    for number, own in enumerate(declaring):
        for each in own:
            by_words[each].append(number)
    events = list(range(len(incidents)))
    pairs = {pair for numbers in by_words.values() for pair in combinations(numbers, 2)}
    for first, second in sorted(pairs):
        one, other = incidents[first], incidents[second]
        if one.unit != other.unit and events[first] != events[second] and _are_same(one.words, other.words):
            low, high = sorted((events[first], events[second]))
            events = [low if each == high else each for each in events]
    return events


def _are_same(one: frozenset[Words], other: frozenset[Words]) -> bool:
    return len(one & other) >= SAME_LINES * min(len(one), len(other))


@step(by=STUDY, is_stored=False)
def copied_unit(unit_content: Sequence[UnitContent]) -> Iterator[CopiedUnit]:
    """The units that hold the files of another one and nothing else, results that are too small to tell left out."""
    large = [each for each in unit_content if each.bytes >= ALIKE_BY_CHANCE_BYTES]
    for same in grouped(large, "content").values():
        first, *others = sorted(same, key=lambda each: _by_name(each.configuration, each.unit_run))
        for each in others:
            yield CopiedUnit(each.configuration, each.unit_run, first.configuration, first.unit_run)
