"""Primaries of HADR that only their standby missed."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.step import Int32, grouped, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.windows import FOLLOWED, PRIMARY_SILENT, PRIMARY_STOPPED


class HadrLoss(NamedTuple):
    """One row per primary of HADR that its standby lost, and then took over from by force, or nobody did. Times in
    UTC. Without a cluster manager's log these two are all that shows the crash: the standby leaves the peer
    state, or remote catchup, and does not return to it before the take-over. The primary was lost up to
    HADR_TIMEOUT before, as a connection that is silent is given up after it. A primary that somebody stopped in
    the minute before was not lost. Where nobody took over, its log must be there and keep silent for two minutes
    before and after: a primary that runs writes that its standby is gone.
    """

    configuration: str
    unit_run: str | None
    loss_at: Annotated[datetime, "the standby leaves the state that it had with the primary"]
    command_at: Annotated[datetime | None, "the first command to take over after it; null where nobody gave one"]
    lost_node: Annotated[
        str | None,
        "host of the primary: the only other one whose log names the database; null where there is none, or several",
    ]
    lost_key: Annotated[str, "the same in small letters; empty if unknown"]
    observer_key: Annotated[str, "host of the standby, in small letters"]
    file_id: Annotated[Int32, "file of the change of state"]
    line_no: Annotated[Int32, "its line"]


class HadrRecord(NamedTuple):
    """One row per record about HADR and unit that its file tells of: who wrote it."""

    configuration: str
    unit_run: str | None
    node: str | None
    node_key: str | None
    database: str
    is_stop: bool
    at: datetime


class Missed(NamedTuple):
    """That a standby lost its primary, and when somebody then ordered it to take over."""

    line: ClusterLine
    command_at: datetime | None


@step(is_stored=False)
def hadr_loss(cluster_line: Sequence[ClusterLine], hadr_record: Sequence[HadrRecord]) -> Iterator[HadrLoss]:
    """Primaries that were lost, by what their standby and they themselves wrote."""
    partner = [each for each in cluster_line if each.kind in {"hadr_partner_lost", "hadr_partner_found"}]
    if not partner:
        return
    orders = [each for each in cluster_line if each.kind in {"hadr_takeover_command", "takeover_done"}]
    missed = [*_before_force(partner, orders), *_unanswered(partner, orders)]
    records = grouped(hadr_record, "database")
    for line, command_at in sorted(missed, key=lambda each: BY_LINE(each.line)):
        others = [each for each in records.get((line.database,), []) if each.node_key not in {None, line.node_key}]
        if any(each.is_stop and line.at - PRIMARY_STOPPED <= each.at <= line.at for each in others):
            continue
        is_alone = len({each.node_key for each in others}) == 1
        lost_node = min(each.node for each in others if each.node) if is_alone else None
        is_heard = any(abs(each.at - line.at) <= PRIMARY_SILENT for each in others)
        if command_at is not None or (lost_node is not None and not is_heard):
            yield HadrLoss(
                line.configuration,
                line.unit_run,
                line.at,
                command_at,
                lost_node,
                (lost_node or "").lower(),
                line.node_key or "",
                line.file_id,
                line.line_no,
            )


def _before_force(partner: Sequence[ClusterLine], orders: Sequence[ClusterLine]) -> Iterator[Missed]:
    """Losses after which the next the standby hears of is an order to take over by force."""
    lines = {key: Timeline(rows) for key, rows in grouped(partner, "node_key", "instance", "database").items()}
    forced = [each for each in orders if each.kind == "hadr_takeover_command" and each.state == "forced"]
    known = set()
    for command in sorted(forced, key=BY_LINE):
        own = lines.get((command.node_key, command.instance, command.database))
        last = own and own.last_until(command.at)
        if not last or last.kind != "hadr_partner_lost" or last.at < command.at - FOLLOWED:
            continue
        # a command may be given again
        loss = last.node_key, last.database, last.at
        if loss not in known:
            known.add(loss)
            yield Missed(last, command.at)


def _unanswered(partner: Sequence[ClusterLine], orders: Sequence[ClusterLine]) -> Iterator[Missed]:
    """Losses that nobody orders a take-over after, the first of several in a row."""
    answers = {key: Timeline(rows) for key, rows in grouped(orders, "node_key").items()}
    open_lines = [
        each
        for each in partner
        if not ((each.node_key,) in answers and answers[each.node_key,].between(each.at, each.at + FOLLOWED))
    ]
    for rows in grouped(sorted(open_lines, key=BY_LINE), "node_key", "instance", "database").values():
        for before, line in pairwise([None, *rows]):
            if line and line.kind == "hadr_partner_lost" and not (before and before.kind == line.kind):
                yield Missed(line, None)
