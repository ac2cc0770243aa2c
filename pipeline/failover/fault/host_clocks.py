"""By how much the surviving node's clock is ahead of other hosts' in a run."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.fault.leader_signs import LostLeader
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.rules import rules
from pipeline.failover.stamps import seconds
from pipeline.failover.step import Int32, grouped, nulls_last, step
from pipeline.failover.timeline import BY_LINE
from pipeline.failover.windows import CLOCK_MEASURED_S, CLOCKS_AGREE, PRINTED_S, RING_LOGGED_S

BY_REFUSALS, TAKEN_TO_AGREE = "refusals", "agreement"
"""The basis of clocks that a server's refusals compare, and of those that nothing compares."""


class HostClock(NamedTuple):
    """One row per run and other host whose clock can be compared with the surviving node's: what is added to its
    stamps. Seconds. Nodes of a ring log the ring as they form it, within a few milliseconds of each other. A
    server that refuses a client's question logs the words that the client notes, between the asking and the
    refusal: each refusal bounds the difference, and all of them together to a few milliseconds. A client on the
    surviving node has its clock; one whose clock_offset_s study.toml gives is on time. Of servers that elect a
    leader nothing compares the clocks: a client's is then taken to agree within half a second.
    """

    configuration: str
    run: str
    node_key: Annotated[str | None, "host, in small letters; null where the folder of the client's log names none"]
    basis: Annotated[
        str, "same host, ring, refusals, study.toml, or agreement: nothing compares them, and they are taken to agree"
    ]
    low_s: Annotated[float, "the surviving node's clock is ahead of it by no less"]
    high_s: Annotated[float, "and no more"]
    witnesses: Annotated[Int32 | None, "lines or questions behind it; null without"]
    file_id: Annotated[Int32 | None, "file of the first line on the surviving node behind it"]
    line_no: Int32 | None


class ClientHost(NamedTuple):
    """A host whose client asked questions in a run; whether a person compared its clock."""

    configuration: str
    unit_run: str | None
    run: str
    node_key: str | None
    is_measured: bool


class RefusedQuestion(NamedTuple):
    """A question that a server refused in words, and when those of its host with these words began and ended."""

    configuration: str
    unit_run: str | None
    run: str
    node_key: str | None
    reason: str
    at: datetime
    known_at: datetime
    first_known_at: datetime
    last_asked_at: datetime


class RefusalLine(NamedTuple):
    """A line of the surviving node with the words of a refusal."""

    configuration: str
    unit_run: str | None
    run: str
    reason: str
    at: datetime
    resolution_s: float
    file_id: Int32
    line_no: Int32


class Bounds(NamedTuple):
    """By how much the surviving node's clock is ahead, seconds, and what shows it."""

    low_s: float
    high_s: float
    witnesses: int | None = None
    file_id: int | None = None
    line_no: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What compares clocks in the run of an incident.

    `rings`: the first line of each ring, by node. `lines`: of refusals, by their words.
    """

    incident: Incident
    rings: Mapping[str | None, Mapping[str, ClusterLine]]
    refusals: Mapping[str | None, Sequence[RefusedQuestion]]
    lines: Mapping[str, Sequence[RefusalLine]]
    clients: Mapping[str | None, ClientHost]
    is_leader_replaced: bool


@step(of="incident")
def host_clock(
    incident: Sequence[Incident],
    lost_leader: Sequence[LostLeader],
    cluster_line: Sequence[ClusterLine],
    client_host: Sequence[ClientHost],
    refused_question: Sequence[RefusedQuestion],
    refusal_line: Sequence[RefusalLine],
) -> Iterator[HostClock]:
    """The clocks of the lost node and of clients in each run of a unit, by the best that compares them."""
    rings = _rings(cluster_line) if incident else {}
    clients, refusals = grouped(client_host, "run"), grouped(refused_question, "run")
    lines = grouped(sorted(refusal_line, key=BY_LINE), "run")
    replaced = {each.run for each in lost_leader if each.is_replaced}
    for each in incident:
        known = Known(
            each,
            rings,
            {key: rows for (key,), rows in grouped(refusals.get((each.run,), ()), "node_key").items()},
            {key: rows for (key,), rows in grouped(lines.get((each.run,), ()), "reason").items()},
            {client.node_key: client for client in clients.get((each.run,), ())},
            each.run in replaced,
        )
        for node_key in sorted({*known.clients, each.lost_key}, key=lambda key: nulls_last([key])):
            found = ((basis, bounds(known, node_key)) for basis, bounds in BASES)
            basis, best = next(((basis, each) for basis, each in found if each is not None), ("", None))
            if best is not None:
                yield HostClock(each.configuration, each.run, node_key, basis, *best)


def _by_host(known: Known, node_key: str | None) -> Bounds | None:
    """A client on the surviving node has its clock."""
    is_surviving = node_key is not None and node_key in known.clients and node_key == known.incident.surviving_key
    return Bounds(0.0, 0.0) if is_surviving else None


# --- refusals --------------------------------------------------------------------------------------------------------


def _by_refusals(known: Known, node_key: str | None) -> Bounds | None:
    """Lines of the server with the words of a refusal lie between the asking and the refusal."""
    refused = [each for each in known.refusals.get(node_key, ()) if each.reason in known.lines]
    if not refused:
        return None
    coarse = _by_ends(refused, known.lines)
    if coarse.low_s > coarse.high_s:
        return None
    fine = _by_single_lines(refused, known.lines, coarse)
    low_s, high_s = max(coarse.low_s, fine.low_s), min(coarse.high_s, fine.high_s)
    return coarse._replace(low_s=low_s, high_s=high_s, witnesses=fine.witnesses) if low_s <= high_s else None


def _by_ends(refused: Sequence[RefusedQuestion], lines: Mapping[str, Sequence[RefusalLine]]) -> Bounds:
    """The first refusal in the log is no later than the client's first, the last no earlier than its last."""
    reasons = {each.reason: each for each in refused}
    firsts = {reason: lines[reason][0] for reason in reasons}
    lows = (seconds(firsts[reason].at) - seconds(each.first_known_at) for reason, each in reasons.items())
    highs = (
        max(seconds(line.at) + line.resolution_s for line in lines[reason]) - seconds(each.last_asked_at)
        for reason, each in reasons.items()
    )
    first = min(firsts.values(), key=BY_LINE)
    return Bounds(max(lows) - PRINTED_S, min(highs) + PRINTED_S, None, first.file_id, first.line_no)


def _by_single_lines(
    refused: Sequence[RefusedQuestion], lines: Mapping[str, Sequence[RefusalLine]], coarse: Bounds
) -> Bounds:
    """What questions bound that one line alone may refuse; endless where they contradict each other."""
    found: dict[tuple[float, float, str], list[Bounds]] = {}
    stamps = {reason: [seconds(line.at) for line in each] for reason, each in lines.items()}
    widest_s = max(line.resolution_s for each in lines.values() for line in each)
    for each in refused:
        asked_s, known_s = seconds(each.at), seconds(each.known_at)
        own = found.setdefault((asked_s, known_s, each.reason), [])
        first = bisect_left(stamps[each.reason], asked_s + coarse.low_s - widest_s - PRINTED_S)
        last = bisect_right(stamps[each.reason], known_s + coarse.high_s)
        for line, at_s in zip(lines[each.reason][first:last], stamps[each.reason][first:last], strict=True):
            if at_s + line.resolution_s >= asked_s + coarse.low_s:
                own.append(Bounds(at_s - known_s - PRINTED_S, at_s + line.resolution_s - asked_s + PRINTED_S))
    single = [each for (each, *others) in filter(None, found.values()) if not others]
    low_s = max((each.low_s for each in single), default=float("-inf"))
    high_s = min((each.high_s for each in single), default=float("inf"))
    if not single or low_s > high_s:
        return Bounds(float("-inf"), float("inf"))
    return Bounds(low_s, high_s, len(single))


# --- rings, and what a person or nobody knows ------------------------------------------------------------------------


def _rings(cluster_line: Sequence[ClusterLine]) -> Mapping[str | None, Mapping[str, ClusterLine]]:
    """The first line of each ring, by node: the nodes log it as they form it."""
    ring = rules("timers")["ring"]["stack"]
    found: dict[str | None, dict[str, ClusterLine]] = {}
    formed = [
        each
        for each in cluster_line
        if each.kind == "membership" and each.stack == ring and each.source == "ha" and each.resource is not None
    ]
    for line in sorted(formed, key=BY_LINE):
        found.setdefault(line.node_key, {}).setdefault(line.resource or "", line)
    return found


def _by_ring(known: Known, node_key: str | None) -> Bounds | None:
    """The last ring before the loss that both nodes logged."""
    incident = known.incident
    if node_key != incident.lost_key or node_key is None or incident.surviving_key is None:
        return None
    lost, seen = known.rings.get(node_key, {}), known.rings.get(incident.surviving_key, {})
    both = [(seen[ring], lost[ring]) for ring in seen if ring in lost and seen[ring].at < incident.membership_at]
    if not both:
        return None
    own, other = max(both, key=lambda each: (each[0].at, each[1].at))
    ahead_s = seconds(own.at) - seconds(other.at)
    return Bounds(
        ahead_s - RING_LOGGED_S - max(other.resolution_s, PRINTED_S) + PRINTED_S,
        ahead_s + RING_LOGGED_S + max(own.resolution_s, PRINTED_S) - PRINTED_S,
        1,
        own.file_id,
        own.line_no,
    )


def _by_manifest(known: Known, node_key: str | None) -> Bounds | None:
    """A difference that a person measured."""
    client = known.clients.get(node_key)
    return Bounds(-CLOCK_MEASURED_S, CLOCK_MEASURED_S) if client and client.is_measured else None


def _by_agreement(known: Known, node_key: str | None) -> Bounds | None:
    """Of servers that elect a leader nothing compares the clocks."""
    agree_s = CLOCKS_AGREE.total_seconds()
    return Bounds(-agree_s, agree_s) if known.is_leader_replaced and node_key in known.clients else None


BASES: tuple[tuple[str, Callable[[Known, str | None], Bounds | None]], ...] = (
    ("same host", _by_host),
    (BY_REFUSALS, _by_refusals),
    ("ring", _by_ring),
    ("study.toml", _by_manifest),
    (TAKEN_TO_AGREE, _by_agreement),
)
"""What compares clocks, the best first."""
