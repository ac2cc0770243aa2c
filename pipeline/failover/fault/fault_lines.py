"""Lines that bound the time of a fault: of silent links, lost tokens, clients and of the lost node itself."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import product
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.fault.last_words import LastWords
from pipeline.failover.fault.leader_signs import LeaderSign
from pipeline.failover.fault.token_losses import TokenLoss
from pipeline.failover.fault_sources import source_rule
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.rules import rules
from pipeline.failover.stamps import SECOND_US, duration_us, instant, microseconds
from pipeline.failover.step import RUN, Int16, Int32, grouped, passed_on, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.timer.timer_evidence import link_lines
from pipeline.failover.timer.timers import ClusterTimer, Timer
from pipeline.failover.windows import LLT_TICK_S


class FaultLine(NamedTuple):
    """One row per line that bounds the time of a run's fault: of LLT or corosync, a client's question, the last line
    of the lost node. UTC. No log records the moment of a crash: a line says since when a node is silent, in whole
    seconds or by a timer. Of a flapping link, the lines of the last outage count. The fault lies in what the
    spans of a source have in common, extended by one heartbeat: `fault_estimate` has that. Corosync loses the
    token a timeout after the token was last seen (`token_loss`); the node that is lost had passed it on then, or
    kept it for the hold time at most (in a ring of more than two nodes another may have kept it before). The last
    line of the lost node shows that it still lived (`last_words`), as does the last question of a client that was
    answered; the first that was not shows that it lived no more (`client_fault`). Of a leader that was elected
    the signs that it lived count, and the first by which the surviving node missed it (`leader_sign`). A timer
    that no file specifies is as long as `cluster_timer` allows.
    """

    configuration: str
    run: str
    rank: Annotated[Int32, "as in fault_estimate"]
    source: Annotated[
        str, "inactive series, in trouble, expired, token loss, client questions, last words, leader signs"
    ]
    link: Annotated[Int16 | None, "link that the line mentions"]
    silent_s: Annotated[
        float | None, "seconds of silence that the line prints; null where a timer says it, or where there is none"
    ]
    at: datetime
    low_at: Annotated[
        datetime | None, "the last heartbeat, or token, or sign of life came no earlier; null: the line does not say"
    ]
    high_at: Annotated[datetime | None, "it came no later; null: the line does not say"]
    heartbeat_s: Annotated[float, "interval of heartbeats, or time for which the token may be kept, seconds"]
    is_assumed: Annotated[bool, "rests on a timer that neither a file nor a line shows"]
    is_inferred: Annotated[bool, "rests on a timer that lines of the configuration show"]
    common_s: Annotated[float, "half the range of that timer, seconds: an error that all runs share"]
    node: str | None
    file_id: Int32
    line_no: int


class Sign(NamedTuple):
    """A line that bounds a fault; columns as in `fault_line`."""

    configuration: str
    run: str
    source: str
    at: datetime
    low_at: datetime | None
    high_at: datetime | None
    node: str | None
    file_id: int
    line_no: int
    link: int | None = None
    silent_s: float | None = None
    heartbeat_s: float = 0.0
    is_assumed: bool = False
    is_inferred: bool = False
    common_s: float = 0.0


class ClientFault(NamedTuple):
    """What a client's questions say of a fault, as `client_fault` has it."""

    configuration: str
    run: str
    node: str | None
    basis: str
    answered_at: datetime
    failed_at: datetime
    low_at: datetime
    high_at: datetime
    likely_at: datetime
    is_answered_early: bool
    answered_file_id: Int32
    answered_line_no: Int32
    failed_file_id: Int32
    failed_line_no: Int32


@step(by=RUN, of="incident")
def fault_line(
    incident: Sequence[Incident],
    link_sign: Sequence[Sign],
    token_loss: Sequence[TokenLoss],
    client_fault: Sequence[ClientFault],
    last_words: Sequence[LastWords],
    leader_sign: Sequence[LeaderSign],
) -> Iterator[FaultLine]:
    """The lines of a run, by source."""
    for own in incident:
        signs = [
            *link_sign,
            *map(_of_token, token_loss),
            *(sign for each in client_fault for sign in _of_client(each)),
            *(_of_lost_node(each, own) for each in last_words),
            *map(_of_leader, leader_sign),
        ]
        for sign in sorted(signs, key=lambda each: (source_rule(each.source).rank, *BY_LINE(each))):
            yield FaultLine(rank=source_rule(sign.source).rank, **sign._asdict())


def _of_token(loss: TokenLoss) -> Sign:
    """The token was last seen a silence before the line."""
    return Sign(
        loss.configuration,
        loss.run,
        "token loss",
        loss.at,
        loss.low_at,
        loss.high_at,
        loss.node,
        loss.file_id,
        loss.line_no,
        silent_s=loss.silent_high_s,
        heartbeat_s=loss.hold_s,
        is_assumed=loss.is_assumed,
        is_inferred=loss.is_inferred,
        common_s=(loss.silent_high_s - loss.silent_low_s) / 2,
    )


def _of_client(client: ClientFault) -> Iterator[Sign]:
    """The last question that was answered, and the first that was not."""
    run = (client.configuration, client.run, "client questions")
    answered, failed = (
        (client.answered_file_id, client.answered_line_no),
        (client.failed_file_id, client.failed_line_no),
    )
    yield Sign(*run, client.answered_at, client.low_at, None, client.node, *answered)
    yield Sign(*run, client.failed_at, None, client.high_at, client.node, *failed)


def _of_lost_node(words: LastWords, incident: Incident) -> Sign:
    """The last line of the lost node: it lived then, and no longer at the membership without it."""
    run = (words.configuration, words.run, "last words")
    return Sign(*run, words.at, words.low_at, incident.membership_at, words.node, words.file_id, words.line_no)


def _of_leader(sign: LeaderSign) -> Sign:
    """A line by which the leader lived, or was missed."""
    run = (sign.configuration, sign.run, "leader signs")
    ends = instant(sign.at_us), None if sign.low_us is None else instant(sign.low_us), instant(sign.high_us)
    return Sign(*run, *ends, sign.node, sign.file_id, sign.line_no, is_assumed=sign.is_assumed)


@step(of="incident", is_stored=False)
def link_sign(
    incident: Sequence[Incident], cluster_timer: Sequence[ClusterTimer], cluster_line: Sequence[ClusterLine]
) -> Iterator[Sign]:
    """The lines of the links to the lost node of each run: the surviving node's own where it has such lines."""
    lines = Timeline(each for each in link_lines(cluster_line) if each.kind in rules("fault")["links"]["kinds"])
    for own, timers in product(incident, cluster_timer):
        silent = [
            each
            for each in lines.between(own.search_start_at, own.membership_at)
            if own.lost_id in {None, each.node_id}
            and each.node_key != own.lost_key
            and (each.kind != "inactive" or each.silent_s is not None)
        ]
        for of_kind in grouped(silent, "kind").values():
            by_survivor = [each for each in of_kind if each.node_key == own.surviving_key]
            for line in _of_last_outages(by_survivor or of_kind):
                yield _of_link(line, own, timers)


def _of_last_outages(lines: Iterable[ClusterLine]) -> Iterator[ClusterLine]:
    """Of a flapping link the last outage is the crash."""
    for of_link in grouped(lines, "link").values():
        last_at = max(each.at for each in of_link)
        last = {each.outage_key or 0 for each in of_link if each.at == last_at}
        yield from (each for each in of_link if (each.outage_key or 0) in last)


def _of_link(line: ClusterLine, incident: Incident, timers: ClusterTimer) -> Sign:
    """When the last heartbeat came over a link: by the seconds of silence that its line prints, else by a timer."""
    rule = rules("fault")["links"]["kinds"][line.kind]
    at_us, cut_us = microseconds(line.at), duration_us(line.resolution_s)
    if "timer" in rule:
        timer = timers.bounds(rule["timer"])
        low_us: float = at_us - duration_us(timer.high_s + LLT_TICK_S)
        high_us: float = at_us - duration_us(timer.low_s - rule["early_s"]) + cut_us
    else:
        timer, silent_s = Timer(0.0, 0.0), line.silent_s or 0.0
        low_us = at_us - SECOND_US * (silent_s + LLT_TICK_S)
        high_us = at_us - SECOND_US * silent_s + (0 if cut_us == 1 else cut_us)
    return passed_on(
        Sign,
        line,
        configuration=incident.configuration,
        run=incident.run,
        source=rule["source"],
        low_at=instant(low_us),
        high_at=instant(high_us),
        heartbeat_s=timers.heartbeat_s,
        is_assumed=timer.is_assumed,
        is_inferred=timer.is_inferred,
        common_s=timer.half_range_s,
    )
