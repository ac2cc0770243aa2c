"""Which losses of a node are incidents, where the service came up, and where signs of an incident may stand."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, RunUnit, ServiceSign, Setting
from pipeline.failover.follow import how_long
from pipeline.failover.incident.aftermath import LossAftermath
from pipeline.failover.incident.next_tests import NextTests
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.leaders.leader_lines import rules_of
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.rules import rules
from pipeline.failover.step import Int32, grouped, nulls_last, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.timer.timers import ClusterTimer
from pipeline.failover.windows import SEARCHED_BEFORE_S
from pipeline.study.declared_places import FOUND

RETURN_KINDS = {"member_joined", "link_up", "status_up", "system_state", *BOOTS}
"""Kinds of line that may show that a lost node is back."""


class Incident(NamedTuple):
    """One row per incident: a node loss, whether a service moved or not, a planned change, or what study.toml records.
    Times in UTC. A service moves when the cluster manager starts it on another node, or when a database there
    runs crash recovery. Without a move the node must certainly be gone (`loss_aftermath`), and a run folder have
    no loss with one. A crash in jeopardy or of a daemon alone (DDNA) is no incident, nor is a node that leaves in
    order and whose service no other node starts. In a run folder planned changes come after the others.
    """

    configuration: str
    unit_run: str | None
    run: Annotated[
        str, "run the incident is: the folder, with #2, #3 for further incidents in it; else 1, 2, ... by time"
    ]
    run_no: Annotated[Int32 | None, "number of the run"]
    is_extra: Annotated[bool, "a further incident in a run folder"]
    loss_no: Annotated[Int32, "number of the node loss in the unit"]
    loss_at: Annotated[datetime, "first evidence of the loss"]
    search_start_at: Annotated[
        datetime, "earliest time at which a sign of this loss may stand: by the timers, after the peer's last life sign"
    ]
    membership_at: Annotated[datetime, "membership change without the lost node on the surviving node"]
    end_at: Annotated[
        datetime,
        "until when its steps are followed, exclusive: the next node loss, the start of the next test, or `follow` of "
        "study.toml; after a change of leader, half the way to the next loss",
    ]
    is_to_limit: Annotated[bool, "nothing ended it before `follow`"]
    next_at: Annotated[datetime | None, "next node loss; null after the last"]
    lost_node: Annotated[
        str | None, "node that was lost; null if unknown, or if it may be the one that took over: only its id is known"
    ]
    lost_key: Annotated[str, "the same in small letters; empty if unknown"]
    lost_id: Annotated[int | None, "its LLT id"]
    lost_keys: Annotated[
        list[str],
        "all nodes lost in the event, in small letters; their own lines are no evidence for what the others did",
    ]
    surviving_node: Annotated[
        str | None, "node on which the service came up; where that is doubtful the first on which it was started"
    ]
    surviving_key: Annotated[str | None, "the same in small letters"]
    event_no: Annotated[Int32 | None, "number of the event in `loss_event`; null where no log shows one"]
    partition_outcome: Annotated[
        str | None,
        "where nodes declared each other lost: moved, split_brain, undecided (see `network_partition`); else null",
    ]
    is_target_lost: Annotated[
        bool, "a node that was taking over was lost in the event too, and the surviving one took over from it"
    ]
    manifest_fault_at: datetime | None
    has_moved: Annotated[bool, "a service started on another node"]
    is_planned: Annotated[bool, "the lost node had announced that it leaves, or somebody ordered the take-over"]
    is_commanded: Annotated[bool, "as in `node_loss`"]
    is_hadr: Annotated[bool, "as in `node_loss`"]
    file_id: Annotated[Int32 | None, "file of the first evidence"]
    line_no: Int32 | None
    same_as: Annotated[
        str | None,
        "the run that counts for this loss, as `configuration/run`; null where this one does. One physical event is "
        "one run: copies of a log, and cumulative logs, hold the lines of a loss again",
    ] = None


class Followed(NamedTuple):
    """A loss and where its service came up; `surviving_node` None where no line names the node."""

    loss: NodeLoss
    surviving_node: str | None
    end_at: datetime
    has_moved: bool

    @property
    def is_planned(self) -> bool:
        """Whether the node left in order, or somebody ordered the take-over."""
        return self.loss.is_planned or self.loss.is_orderly

    @property
    def surviving_key(self) -> str | None:
        """The surviving node in small letters."""
        return None if self.surviving_node is None else self.surviving_node.lower()


@step(of="node_loss", is_stored=False)
def unit_incident(
    node_loss: Sequence[NodeLoss],
    loss_aftermath: Sequence[LossAftermath],
    run_unit: Sequence[RunUnit],
    service_sign: Sequence[ServiceSign],
    cluster_line: Sequence[ClusterLine],
    node_loss_evidence: Sequence[NodeLossEvidence],
    leader_change: Sequence[LeaderChange],
    cluster_timer: Sequence[ClusterTimer],
    study__setting: Sequence[Setting],
) -> Iterator[Incident]:
    """Number the incidents of a unit by itself; a recorded fault time says which of several in a folder is the run."""
    if not cluster_timer:
        return
    unmoved = {each.loss_no for each in loss_aftermath if each.is_unmoved}
    is_measured = any(each.has_performance_data for each in run_unit)
    follow = how_long(study__setting)
    ends = (min(each.loss_at + follow, each.next_at or datetime.max) for each in node_loss)  # noqa: DTZ901  no zone
    losses = list(zip(node_loss, ends, strict=True))
    signs = Timeline(service_sign)
    tests = NextTests(cluster_line, leader_change, signs)
    following = {loss.loss_no: each for loss, each in pairwise(node_loss)}
    possible = [
        each._replace(
            end_at=tests.begins_at(each.loss, following.get(each.loss.loss_no), each.surviving_key, each.end_at)
        )
        for each in _followed(losses, signs, cluster_line)
        if _may_be_incident(each, is_unmoved=each.loss.loss_no in unmoved and not is_measured)
    ]
    found = _counted(possible)
    if found and found[0].loss.unit_run is not None:
        found.sort(key=lambda each: (each.loss.manifest_fault_at is None, each.is_planned))
    evidence = Timeline(each for each in node_loss_evidence if each.is_decisive)
    life_signs = Timeline(each for each in cluster_line if each.kind == "active")
    ends_at = sorted(each.end_at for each in possible)
    for number, each in enumerate(found, start=1):
        membership_at = _membership_at(each, evidence)
        search_start_at = _search_start_at(each.loss, membership_at, cluster_timer[0], life_signs)
        # what an earlier loss ended before belongs to that
        if ended := bisect_left(ends_at, each.loss.loss_at):
            search_start_at = max(search_start_at, ends_at[ended - 1])
        is_to_limit = each.end_at == each.loss.loss_at + follow
        yield _numbered(each, number, search_start_at, membership_at, is_to_limit=is_to_limit)


def _followed(
    losses: Sequence[tuple[NodeLoss, datetime]], signs: Timeline[ServiceSign], lines: Sequence[ClusterLine]
) -> Iterator[Followed]:
    """Losses with the node on which the service is started afterwards, else the one that wrote about the loss."""
    places = {(each.file_id, each.line_no) for each, _ in losses}
    shown = grouped((each for each in lines if (each.file_id, each.line_no) in places), "file_id", "line_no")
    returns = Timeline(each for each in lines if each.kind in RETURN_KINDS)
    held = Timelines((each for each in signs.rows if each.sign in {"start", "up"}), attrgetter("node_key"))
    for loss, end_at in losses:
        starts = _starts(loss, signs, min(loss.end_at, end_at))
        if not starts and loss.lost_key and loss.end_at < end_at:
            starts = _late_starts(loss, _starts(loss, signs, _back_at(loss, returns, end_at)), held)
        surviving_node = _survivor(loss, starts) if starts else None
        if surviving_node is None:  # no line names it: the node that saw the loss wrote about its own service
            writers = (
                each
                for each in shown.get((loss.file_id, loss.line_no), [])
                if each.node_key not in loss.lost_keys and not rules_of(each.stack).is_told_by_observers
            )
            surviving_node = min((each.node for each in writers if each.node is not None), default=None)
        yield Followed(loss, surviving_node, end_at, has_moved=bool(starts))


def _starts(loss: NodeLoss, signs: Timeline[ServiceSign], until: datetime) -> Sequence[ServiceSign]:
    """Signs that a node that is left starts a service."""
    return [
        each
        for each in signs.within(loss.loss_at, until)
        if each.sign == "start" and each.node_key not in loss.lost_keys and each.writer_key not in loss.lost_keys
    ]


def _back_at(loss: NodeLoss, returns: Timeline[ClusterLine], until: datetime) -> datetime:
    """When a lost node is back: what starts later on another node starts for another reason."""
    return next((each.at for each in returns.within(loss.loss_at, until) if _is_return(each, loss)), until)


def _late_starts(loss: NodeLoss, starts: Sequence[ServiceSign], held: Timelines[ServiceSign]) -> Sequence[ServiceSign]:
    """Of signs that services start late those of nodes that did not have it when the node was lost."""
    since = _last_held_at(loss.lost_keys, held, loss.loss_at)
    last = {key: _last_held_at([key], held, loss.loss_at) for key in {each.node_key for each in starts}}
    return [
        each for each in starts if (held_at := last[each.node_key]) is None or (since is not None and held_at <= since)
    ]


def _last_held_at(keys: Iterable[str | None], held: Timelines[ServiceSign], before: datetime) -> datetime | None:
    """When a line last shows one of some nodes with a service."""
    last = (held.of(key).last_before(before) for key in keys)
    return max((each.at for each in last if each is not None), default=None)


def _is_return(line: ClusterLine, loss: NodeLoss) -> bool:
    """Whether a line shows that a lost node is back: another node names it, or it starts itself."""
    if line.kind in BOOTS:
        return line.node_key in loss.lost_keys
    if line.kind == "system_state" and (line.state or "").upper() not in rules("losses")["returns"]["states"]:
        return False
    return line.node_key not in loss.lost_keys and line.system_key in loss.lost_keys


def _survivor(loss: NodeLoss, starts: Sequence[ServiceSign]) -> str | None:
    """Of several nodes the winner of a partition, else the one with the clearest signs, then with the most."""
    winners = {each.node for each in starts if each.node_key is not None and each.node_key == loss.winner_key}
    counts = Counter(each.node for each in starts)
    ranks = {node: min(each.rank for each in starts if each.node == node) for node in counts}
    return min(counts, key=lambda node: (node not in winners, node is None, ranks[node], -counts[node], node))


def _may_be_incident(followed: Followed, *, is_unmoved: bool) -> bool:
    """Whether a loss alone would be an incident. `is_unmoved`: certainly gone, in a unit that measured nothing else."""
    loss = followed.loss
    if loss.manifest_fault_at is not None:
        return True
    is_taken_over = loss.is_commanded and bool(loss.lost_key)  # by its own log
    if followed.has_moved or is_taken_over:
        return loss.partition_outcome in {None, "moved", "split_brain", "undecided"}
    return is_unmoved


def _counted(possible: Sequence[Followed]) -> list[Followed]:
    """Those of a unit that count: in a run folder those without a move only beside no other."""
    has_move = any(each.has_moved and not each.is_planned for each in possible)
    return [
        each
        for each in possible
        if each.loss.manifest_fault_at is not None
        or each.has_moved
        or each.loss.is_commanded
        or each.loss.unit_run is None
        or not has_move
    ]


def _membership_at(followed: Followed, evidence: Timeline[NodeLossEvidence]) -> datetime:
    """When the membership changed: by the surviving node's lines, and those of the layer that knows it first."""
    loss, layers = followed.loss, rules("losses")["layers"]

    def precedence(line: NodeLossEvidence) -> tuple[Any, ...]:  # of several types
        rank = layers.get(line.layer, {}).get("membership_rank", len(layers))
        # whose log nobody knows may be the survivor's
        return line.node_key not in {None, followed.surviving_key}, rank, nulls_last([line.port]), line.at

    own = (each for each in evidence.within(loss.loss_at, loss.end_at) if each.lost_key == loss.lost_key)
    first = min(own, key=precedence, default=None)
    return first.at if first else loss.loss_at


def _search_start_at(
    loss: NodeLoss, membership_at: datetime, timer: ClusterTimer, life_signs: Timeline[ClusterLine]
) -> datetime:
    """The earliest time of a sign of a loss: by the longest timers, and not before the last sign of life."""
    silences = [
        timer.peerinact_s + timer.stable_s,
        timer.deadtime_s + timer.keepalive_s,
        timer.token_s + timer.consensus_s,
        timer.hadr_timeout_s if loss.is_hadr else 0.0,
    ]
    seen_at = min(loss.loss_at, loss.manifest_fault_at or loss.loss_at)
    earliest_at = seen_at - timedelta(seconds=SEARCHED_BEFORE_S + max(silences))
    lived = [
        each.at
        for each in life_signs.between(earliest_at, membership_at)
        if (loss.lost_id is None or each.node_id == loss.lost_id) and each.node_key != loss.lost_key
    ]
    return max(lived, default=earliest_at)


def _numbered(
    followed: Followed, number: int, search_start_at: datetime, membership_at: datetime, *, is_to_limit: bool
) -> Incident:
    loss = followed.loss
    # only an id is known, and the node that took over did not say itself that it is another one
    is_doubtful = loss.lost_key.startswith("node ") and followed.surviving_key not in loss.observers
    return Incident(
        loss.configuration,
        loss.unit_run,
        run_name(loss.unit_run, number),
        _run_no(loss.unit_run, number),
        loss.unit_run is not None and number > 1,
        loss.loss_no,
        loss.loss_at,
        search_start_at,
        membership_at,
        followed.end_at,
        is_to_limit,
        loss.next_at,
        None if is_doubtful else loss.lost_node,
        loss.lost_key,
        loss.lost_id,
        loss.lost_keys,
        followed.surviving_node,
        followed.surviving_key,
        loss.event_no,
        loss.partition_outcome,
        loss.is_target_lost,
        loss.manifest_fault_at,
        followed.has_moved,
        followed.is_planned,
        loss.is_commanded,
        loss.is_hadr,
        loss.file_id,
        loss.line_no,
    )


def run_name(unit_run: str | None, number: int) -> str:
    """The name of an incident in a unit: its folder, with #2, #3 for further ones; else its number."""
    if unit_run is None:
        return str(number)
    return unit_run if number == 1 else f"{unit_run}#{number}"


def _run_no(unit_run: str | None, number: int) -> int | None:
    if unit_run is None:
        return number
    folder_no = FOUND.fullmatch(unit_run)
    return int(folder_no[1]) if folder_no else None
