"""Lines that show how long a timer of node loss is: of links, of rings and of memberships."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, HaLine
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.rules import rules
from pipeline.failover.stamps import SECOND_US, microseconds, resolutions, seconds
from pipeline.failover.step import Int32, grouped, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.timer.timer_settings import SpecifiedTimer
from pipeline.failover.windows import (
    EXPIRED_BEFORE_S,
    FELL_SILENT_BEFORE_S,
    FORMING_S,
    FORMS_AFTER,
    LEAST_CONSENSUS_WAIT_S,
    LLT_LATE_S,
    LLT_TICK_S,
    OUTAGE_LASTS,
    SAME_SECOND,
    TOKEN_WARNING_MS,
)

LINK_KINDS = frozenset({"inactive", "trouble", "expired", "active"})


class TimerEvidence(NamedTuple):
    """One row per log line that shows how long a timer of node loss is, in the failure of a link, a ring or a peer.
    Seconds. Each gives an interval that holds the timer. LLT looks once a second and counts whole seconds, so
    that a link expires up to a second before or after peerinact; the silence itself is known from the lines
    `inactive N sec`, else from `in trouble`. Corosync prints its token. Before 3.1.0 it does not: then it waits
    for consensus, by default 1.2 times the token, before it forms the ring without the lost node. Heartbeat calls
    a heartbeat late that came after deadtime, which thus is shorter.
    """

    configuration: str
    unit_run: str | None
    timer: Annotated[
        str,
        "peerinact, peertrouble, stable, membership (peerinact and the stable timeout together), token, deadtime",
    ]
    low_s: Annotated[float | None, "the timer is no shorter; null: not bounded"]
    high_s: Annotated[float | None, "no longer; null: not bounded"]
    file_id: Int32
    line_no: Int32


class Heard(NamedTuple):
    """When the last heartbeat of a link came, in seconds of the epoch."""

    low_s: float
    high_s: float


class Outage(NamedTuple):
    """The lines of a link while its peer is silent. `heard_in_series`: by its lines `inactive N sec`."""

    series: Sequence[ClusterLine]
    trouble: ClusterLine | None
    expiry: ClusterLine | None
    heard_in_series: Heard | None
    heard: Heard | None


@step(is_stored=False)
def timer_evidence(
    cluster_line: Sequence[ClusterLine],
    ha_line: Sequence[HaLine],
    node_loss_evidence: Sequence[NodeLossEvidence],
    specified_timer: Sequence[SpecifiedTimer],
) -> Iterator[TimerEvidence]:
    """What the lines of a unit show; no timer is shorter than nothing, whatever lines are missing."""
    specified = {each.timer: each.seconds for each in specified_timer}
    for each in _all_shown(cluster_line, ha_line, node_loss_evidence, specified):
        if each.high_s is None or each.high_s >= 0:
            yield each


def _all_shown(
    cluster_line: Sequence[ClusterLine],
    ha_line: Sequence[HaLine],
    node_loss_evidence: Sequence[NodeLossEvidence],
    specified: Mapping[str, float],
) -> Iterator[TimerEvidence]:
    outages = _outages(cluster_line, specified.get("peertrouble"))
    for outage in (each for of_peer in outages.values() for each in of_peer):
        yield from _shown_by_link(outage)
    memberships = _memberships(node_loss_evidence)
    resolution_s = resolutions(((each.file_id, each.at) for each in memberships), cluster_line)
    for membership in memberships:
        of_peer = outages.get((_host(membership), membership.lost_id), []) if membership.lost_id is not None else []
        yield from _shown_by_membership(membership, resolution_s[membership.file_id, membership.at], of_peer)
    yield from _shown_by_ring(cluster_line, is_specified=not specified.keys().isdisjoint({"token", "consensus"}))
    yield from _shown_by_warnings(ha_line)


def _host(line: ClusterLine | NodeLossEvidence) -> str:
    return str(line.file_id) if line.node_key is None else line.node_key


def _outages(
    lines: Sequence[ClusterLine], peertrouble_s: float | None
) -> Mapping[tuple[str, int | None], Sequence[Outage]]:
    """The outages of links, by the host that sees them and the peer."""
    boots = {host: Timeline(own) for host, own in _by_host(each for each in lines if each.kind in BOOTS).items()}
    found: dict[tuple[str, int | None, int | None], list[list[ClusterLine]]] = defaultdict(list)
    for line in sorted(link_lines(lines), key=BY_LINE):
        host = _host(line)
        of_link = found[host, line.node_id, line.link]
        last = of_link[-1] if of_link else []
        has_booted = bool(last) and host in boots and boots[host].has(last[-1].at, line.at)
        if line.kind == "active":
            of_link.append([])
        elif last and not has_booted and _goes_on(last, line):
            last.append(line)
        else:
            of_link.append([line])
    outages: dict[tuple[str, int | None], list[Outage]] = defaultdict(list)
    for (host, peer, _), of_link in found.items():
        outages[host, peer] += [_outage(own, peertrouble_s) for own in of_link if own]
    return outages


def _by_host(lines: Iterable[ClusterLine]) -> Mapping[str, Sequence[ClusterLine]]:
    found: dict[str, list[ClusterLine]] = defaultdict(list)
    for each in lines:
        found[_host(each)].append(each)
    return found


def _goes_on(outage: Sequence[ClusterLine], line: ClusterLine) -> bool:
    """Whether a line is of an outage: of one silence, and the only one of its kind. A filter may drop `active`."""
    first = outage[0]
    if line.kind == "inactive" and line.silent_s is not None:
        keys = {each.outage_key for each in (*outage, line) if each.outage_key is not None}
        # it was silent before the first line
        return len(keys) <= 1 and line.at - timedelta(seconds=line.silent_s) <= first.at + SAME_SECOND
    if line.at > first.at + OUTAGE_LASTS:
        return False
    return all(each.kind != line.kind or line.at <= each.at + SAME_SECOND for each in outage)


def link_lines(lines: Iterable[ClusterLine]) -> Iterator[ClusterLine]:
    """The lines by which a link is silent, or active again."""
    source = rules("fault")["links"]["source"]
    return (each for each in lines if each.source == source and each.kind in LINK_KINDS)


def _outage(lines: Sequence[ClusterLine], peertrouble_s: float | None) -> Outage:
    """An outage, of its lines."""
    trouble = next((each for each in lines if each.kind == "trouble"), None)
    expiry = next((each for each in lines if each.kind == "expired"), None)
    silences = (each for each in lines if each.kind == "inactive" and each.silent_s is not None)
    series = [each for each in silences if expiry is None or each.at <= expiry.at]
    in_series = _heard_in_series(series)
    heard = _heard_before_trouble(trouble, peertrouble_s) if in_series is None and trouble is not None else in_series
    return Outage(series if in_series else [], trouble, expiry, in_series, heard)


def _heard_in_series(series: Sequence[ClusterLine]) -> Heard | None:
    """When the last heartbeat came by lines `inactive N sec`, where they agree."""
    spans = [(seconds(each.at) - each.silent_s, each.resolution_s) for each in series if each.silent_s is not None]
    low_s = max((silent_at - LLT_TICK_S for silent_at, _ in spans), default=0.0)
    high_s = min((silent_at + resolution_s for silent_at, resolution_s in spans), default=-1.0)
    return Heard(low_s, high_s) if low_s <= high_s else None


def _heard_before_trouble(trouble: ClusterLine, peertrouble_s: float | None) -> Heard:
    """When the last heartbeat came by `in trouble`."""
    usual, at_s = rules("timers")["usual"]["peertrouble"], seconds(trouble.at)
    longest_s, shortest_s = (
        (usual["high_s"], usual["low_s"]) if peertrouble_s is None else (peertrouble_s, peertrouble_s)
    )
    return Heard(at_s - longest_s - LLT_TICK_S, at_s - shortest_s + trouble.resolution_s)


def _shown(
    line: ClusterLine | HaLine | NodeLossEvidence, timer: str, low_s: float | None, high_s: float | None
) -> TimerEvidence:
    return TimerEvidence(line.configuration, line.unit_run, timer, low_s, high_s, line.file_id, line.line_no)


def _shown_by_link(outage: Outage) -> Iterator[TimerEvidence]:
    """What a link shows of peerinact, as it expires or is still silent, and of peertrouble."""
    expiry, trouble, heard = outage.expiry, outage.trouble, outage.heard_in_series
    if outage.series:
        last = outage.series[-1]
        silent_s = last.silent_s or 0.0
        # it had not expired before
        yield _shown(last, "peerinact", max(each.silent_s or 0.0 for each in outage.series) - LLT_TICK_S, None)
        if expiry is not None:
            # looks are whole seconds apart, no matter what the stamps are cut to
            later_s = seconds(expiry.at) - seconds(last.at) + silent_s
            yield _shown(
                expiry, "peerinact", later_s - (LLT_TICK_S + LLT_LATE_S), later_s + (2 * LLT_TICK_S + LLT_LATE_S)
            )
    if expiry is not None and outage.heard is not None:
        yield _shown(expiry, "peerinact", *_silence(expiry, expiry.resolution_s, outage.heard, LLT_TICK_S))
    if trouble is not None and heard is not None:
        yield _shown(trouble, "peertrouble", *_silence(trouble, trouble.resolution_s, heard))


def _silence(
    line: ClusterLine | NodeLossEvidence, resolution_s: float, heard: Heard, late_s: float = 0.0
) -> tuple[float, float]:
    """How long it was silent before a line, which a timer that fired early or late gave."""
    at_s = seconds(line.at)
    return at_s - heard.high_s - LLT_TICK_S, at_s + resolution_s - heard.low_s + late_s


def _memberships(evidence: Iterable[NodeLossEvidence]) -> Sequence[NodeLossEvidence]:
    """The first membership without each node, by host: HAD's is GAB's, and said later."""
    layers = rules("fault")["layers"]
    declared = [e for e in evidence if e.is_decisive and layers.get(e.layer, {}).get("bound") == "membership"]
    declared.sort(key=lambda each: (each.layer, *BY_LINE(each)))
    return list({(_host(each), each.lost_id): each for each in reversed(declared)}.values())


def _shown_by_membership(
    membership: NodeLossEvidence, resolution_s: float, outages: Iterable[Outage]
) -> Iterator[TimerEvidence]:
    """What a membership shows of peerinact and the stable timeout, by the links that fell silent before it."""
    at_s = seconds(membership.at)
    silent = [
        e.heard
        for e in outages
        if e.heard is not None and e.heard.low_s <= at_s <= e.heard.high_s + FELL_SILENT_BEFORE_S
    ]
    if silent:
        heard = Heard(max(each.low_s for each in silent), min(each.high_s for each in silent))
        if heard.low_s <= heard.high_s:
            yield _shown(membership, "membership", *_silence(membership, resolution_s, heard, 2 * LLT_TICK_S))
    expired = [
        e.expiry
        for e in outages
        if e.expiry is not None and seconds(e.expiry.at) <= at_s <= seconds(e.expiry.at) + EXPIRED_BEFORE_S
    ]
    if expired:
        last_s = max(seconds(each.at) for each in expired)
        low_s = at_s - last_s - expired[0].resolution_s - LLT_TICK_S
        yield _shown(membership, "stable", low_s, at_s + resolution_s - last_s + LLT_TICK_S)


def _shown_by_ring(lines: Sequence[ClusterLine], *, is_specified: bool) -> Iterator[TimerEvidence]:
    """What a lost token shows of its timeout: printed, or by the wait for consensus until a ring forms without some."""
    losses = [each for each in lines if each.kind == "token_lost"]
    for loss in losses:
        if loss.silent_s is not None:
            yield _shown(loss, "token", loss.silent_s, loss.silent_s)
    if is_specified or not any(each.silent_s is None for each in losses):
        return
    share = rules("timers")["ring"]["consensus_share"]
    writers = {key: Timeline(own) for key, own in grouped(losses, "file_id", "node_key").items()}
    rings = grouped((e for e in lines if e.source == "ha" and e.kind == "membership"), "file_id", "node_key")
    for key, lost in writers.items():
        formed = Timeline(rings.get(key, []))
        for loss in lost.rows:
            ring = next(iter(formed.between(loss.at, loss.at + FORMS_AFTER)), None)
            if loss.silent_s is not None or ring is None or ring.previous_state is None:
                continue
            if any(loss.at < each.at < ring.at for each in lost.between(loss.at, ring.at)):
                continue
            waited_s = (microseconds(ring.at) - microseconds(loss.at)) / SECOND_US
            if waited_s > LEAST_CONSENSUS_WAIT_S:
                low_s = (waited_s - loss.resolution_s - FORMING_S) / share
                yield _shown(ring, "token", low_s, (waited_s + loss.resolution_s) / share)


def _shown_by_warnings(lines: Iterable[HaLine]) -> Iterator[TimerEvidence]:
    """What warnings show, which print milliseconds of silence, and lines that print the timer."""
    share = rules("timers")["ring"]["warning_share"]
    for line in lines:
        if line.kind == "token_late" and line.value is not None:
            yield _shown(line, "token", (line.value - TOKEN_WARNING_MS) / (1000 * share), line.value / (1000 * share))
        elif line.kind == "timer_stated" and line.stack == rules("timers")["ring"]["stack"] and line.value is not None:
            yield _shown(line, "token", line.value / 1000, line.value / 1000)
        elif line.kind == "late_heartbeat" and line.value is not None:
            yield _shown(line, "deadtime", None, line.value / 1000)
