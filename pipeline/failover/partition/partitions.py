"""Cut networks: which node serves afterwards, what became of the others, and what shows it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine, HaLine, ServiceSign
from pipeline.failover.partition.sides import Node, PartitionLine, PartitionSide, nodes
from pipeline.failover.rules import rules
from pipeline.failover.stamps import microseconds
from pipeline.failover.step import Int32, nulls_last, step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import STAYS_UP_S


class NetworkPartition(NamedTuple):
    """One row per partition of the network: nodes that declared each other lost, and who served afterwards. The
    winner is the node that started the service and stayed up; else the one that kept it. The others of its
    opponents must have gone down, given the service up, lost the quorum or fallen silent; a node that had the
    service and went on shows a split brain, and where the logs do not say that it had it, nothing can be decided.
    That the service stayed needs lines of half a minute more.
    """

    configuration: str
    unit_run: str | None
    event_no: Int32
    outcome: Annotated[
        str,
        "moved (a winner started the service), split_brain, undecided, stayed (the winner kept it), both_down, "
        "not_started",
    ]
    winner: Annotated[
        str, "node that serves afterwards; the first to start where that is doubtful; null where none did"
    ]
    winner_key: Annotated[str, "the same in small letters"]
    lost: Annotated[list[str], "nodes against it, in small letters; the one that had the service first"]
    doubt: Annotated[str | None, "what shows the outcome, as part of a sentence"]
    file_id: Int32 | None
    line_no: Int32 | None


class State(NamedTuple):
    """What became of a node against the winner: a condition, and what is said of it. The first that holds."""

    name: str
    words: str
    holds: Callable[[Node, bool], bool]


ALIVE = State("alive", "shows no service", lambda *_: True)
# the second value: the node writes after the winner's start
STATES = (
    State("fenced", "was fenced", lambda node, _: _is_down(node, "fenced")),
    State("panicked", "went down by itself", lambda node, _: _is_down(node, "panicked")),
    State("stopped", "gave it up", lambda node, _: node.started_at is None and node.stopped_at is not None),
    State(
        "without_quorum",
        "lost the quorum",
        lambda node, _: node.started_at is None and node.quorum_lost_at is not None,
    ),
    State(
        "restarted",
        "went down and started again",
        lambda node, is_alive: not is_alive and node.down is not None and node.started_at is None,
    ),
    State("silent", "wrote no further line", lambda node, is_alive: not is_alive and node.started_at is None),
    ALIVE,
)


def _is_down(node: Node, how: str) -> bool:
    """Whether the node went down so, and not long after it had started the service."""
    if node.down is None or node.down.how != how:
        return False
    return node.started_s is None or (node.down_s or 0) <= node.started_s + STAYS_UP_S


class Opponent(NamedTuple):
    """A node against the winner."""

    node: Node
    state: State

    @property
    def is_alive(self) -> bool:
        """Whether nothing shows an end of it."""
        return self.state is ALIVE

    @property
    def has_served(self) -> bool:
        """Whether a line shows that it had the service, before or afterwards."""
        return self.node.started_at is not None or self.node.served_at is not None


@dataclass(frozen=True, slots=True)
class Cut:
    """A partition: its winner, the nodes against it, and the line by which the cluster says that two were active."""

    nodes: Sequence[Node]
    winner: Node
    opponents: Sequence[Opponent]
    contradiction: HaLine | None

    @property
    def has_start(self) -> bool:
        """Whether a node started the service afterwards."""
        return self.winner.started_at is not None

    @property
    def is_all_down(self) -> bool:
        """Whether each node went down."""
        return all(each.down is not None for each in self.nodes)

    @property
    def is_split(self) -> bool:
        """Whether a node that had the service went on."""
        return any(each.is_alive and each.has_served for each in self.opponents)

    @property
    def is_open(self) -> bool:
        """Whether no end shows who had the service: of two nodes of the other, of more of any."""
        if len(self.opponents) == 1:
            return self.opponents[0].is_alive and not self.opponents[0].has_served
        return bool(self.opponents) and all(each.is_alive for each in self.opponents)

    @property
    def is_started_twice(self) -> bool:
        """Whether a node against the winner started the service too."""
        return any(each.is_alive and each.node.started_at is not None for each in self.opponents)

    @property
    def lost(self) -> Opponent | None:
        """The node that stands for those against the winner: one that had the service, and shows an end."""
        return min(
            self.opponents,
            key=lambda each: (each.node.served_at is None, each.is_alive, each.node.side.node_key),
            default=None,
        )

    @property
    def going_on(self) -> Opponent | None:
        """The node against the winner that is the likeliest to have served on."""
        return min(
            self.opponents,
            key=lambda each: (
                not (each.is_alive and each.has_served),
                each.node.started_at is None,
                each.node.side.node_key,
            ),
            default=None,
        )


class Verdict(NamedTuple):
    """A condition on a partition, its outcome, and the sentence that it makes true. The first that holds."""

    outcome: str
    holds: Callable[[Cut], bool]
    doubt: str


VERDICTS = (
    Verdict(
        "both_down",
        lambda cut: not cut.has_start and cut.is_all_down,
        "all of them went down before any started the service",
    ),
    Verdict(
        "stayed",
        lambda cut: not cut.has_start and _keeps_service(cut.winner),
        "the service stayed on `{winner}`",
    ),
    Verdict(
        "not_started",
        lambda cut: not cut.has_start,
        "no line shows that any of them started the service afterwards",
    ),
    Verdict(
        "undecided",
        lambda cut: cut.is_all_down and cut.is_split and sum(each.started_at is not None for each in cut.nodes) > 1,
        "`{winner}` started the service, while `{going_on}` went on; no line says which of them had it",
    ),
    Verdict(
        "split_brain",
        lambda cut: cut.is_started_twice,
        "`{winner}` and `{going_on}` both started the service",
    ),
    Verdict(
        "split_brain",
        lambda cut: cut.contradiction is not None,
        "`{winner}` started the service, and a line reports that two nodes were active",
    ),
    Verdict(
        "split_brain",
        lambda cut: cut.is_split,
        "`{winner}` started the service, while `{going_on}` had it and shows no end of it",
    ),
    Verdict(
        "undecided",
        lambda cut: cut.is_open,
        "`{winner}` started the service, while `{going_on}` went on; no line says which of them had it",
    ),
    Verdict("moved", lambda _: True, "`{winner}` started the service, and `{lost}` {became}"),
)


def _keeps_service(node: Node) -> bool:
    """Whether a node had the service before, and lives on."""
    return node.down is None and node.served_at is not None and (node.last_s or 0) > STAYS_UP_S


@step(of="partition_side")
def network_partition(
    partition_side: Sequence[PartitionSide],
    partition_line: Sequence[PartitionLine],
    cluster_line: Sequence[ClusterLine],
    service_sign: Sequence[ServiceSign],
    ha_line: Sequence[HaLine],
) -> Iterator[NetworkPartition]:
    """Decide the partitions of a unit."""
    preventing = rules("losses")["fencing"]["stacks_that_prevent"]
    troubles = Timeline(each for each in ha_line if each.kind == "split_brain" and each.stack not in preventing)
    found = list(nodes(partition_side, partition_line, cluster_line, service_sign))
    for event_no in sorted({each.side.event_no for each in found}):
        of_event = [each for each in found if each.side.event_no == event_no]
        winner = min(of_event, key=_precedence)
        trouble = next(iter(troubles.between(winner.side.own_at, winner.side.end_at)), None)
        yield _partition(Cut(of_event, winner, list(_opponents(winner, of_event)), trouble))


def _precedence(node: Node) -> tuple[object, ...]:
    """Least for the winner: it started the service first and stayed up; where none started, it had it and is up."""
    has_started = node.started_at is not None
    return (
        not has_started,
        node.down is not None,
        nulls_last([node.started_s]),
        not has_started and node.served_at is None,
        not has_started and not node.side.lost,
        node.side.node_key,
    )


def _opponents(winner: Node, of_event: Sequence[Node]) -> Iterator[Opponent]:
    """The nodes that the winner declared lost; where it declared none, those that declared it lost."""
    against = winner.side.lost or winner.side.lost_by
    for node in of_event:
        if node.side.node_key in against:
            is_alive = node.last_s is not None and node.last_s > (winner.started_s or 0) + STAYS_UP_S
            yield Opponent(node, next(each for each in STATES if each.holds(node, is_alive)))


def _by_service(opponent: Opponent) -> tuple[object, ...]:
    """Least for the node that had the service last, and shows an end."""
    served_at = opponent.node.served_at
    since = -microseconds(served_at) if served_at else 0
    return served_at is None, opponent.is_alive, since, opponent.node.side.node_key


def _partition(cut: Cut) -> NetworkPartition:
    verdict = next(each for each in VERDICTS if each.holds(cut))
    side, lost, going_on = cut.winner.side, cut.lost, cut.going_on
    names = {
        "winner": side.node,
        "lost": lost and lost.node.side.node,
        "became": lost and lost.state.words,
        "going_on": going_on and going_on.node.side.node,
    }
    is_said = lost is not None or "{lost}" not in verdict.doubt
    line = cut.contradiction or (lost and (lost.node.down or lost.node.last)) or cut.winner.down
    return NetworkPartition(
        side.configuration,
        side.unit_run,
        side.event_no,
        verdict.outcome,
        side.node,
        side.node_key,
        [each.node.side.node_key for each in sorted(cut.opponents, key=_by_service)],
        verdict.doubt.format_map(names) if is_said else None,
        line and line.file_id,
        line and line.line_no,
    )
