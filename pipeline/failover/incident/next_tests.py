"""When the next test begins: what its nodes say as they are set up says nothing of the recovery before it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import combinations
from operator import attrgetter

from pipeline.failover.evidence import BOOTS, ClusterLine, ServiceSign
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.leaders.leader_lines import rules_of
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.rules import rules
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import STARTED_TOGETHER

OF_DATABASES = {"db_start", "db_ready"}
KINDS = {"group_started", "leader", *OF_DATABASES, *BOOTS}
"""Kinds of lines that may show that a test begins."""


class NextTests:
    """The lines of a unit by which nodes start, or have a service without a failover."""

    def __init__(
        self, lines: Iterable[ClusterLine], changes: Iterable[LeaderChange], signs: Timeline[ServiceSign]
    ) -> None:
        known = list(_of_one_node(lines))
        self._signs = signs
        self._changes = Timelines(changes, attrgetter("former_key"))
        self._new_groups = Timeline(each for each in known if each.kind == "group_started")
        self._starts = Timelines((each for each in known if _is_start(each)), attrgetter("node_key"))
        self._held = Timelines((each for each in known if _shows_holder(each)), _holder)

    def begins_at(
        self, loss: NodeLoss, following: NodeLoss | None, surviving_key: str | None, until: datetime
    ) -> datetime:
        """When what a unit logs is no longer about a loss; `until` where nothing shows it sooner."""
        begins = [each.at for each in self._new_groups.within(loss.loss_at, until)]
        change = self._change(loss)
        done_at = change.at if change else self._complete_at(loss, surviving_key, until)
        if done_at is not None:
            begins += self._set_up(loss, surviving_key, done_at, until)
            # the first signs of a loss stand before the line that declares it
            if change and following and following.lost_key != surviving_key:
                begins.append(done_at + (following.loss_at - done_at) / 2)
        return min([*begins, until])

    def _change(self, loss: NodeLoss) -> LeaderChange | None:
        """The change of a leader that a loss is."""
        found = self._changes.of(loss.lost_key).first_since(loss.loss_at)
        return found if found and found.loss_at <= loss.loss_at else None

    def _complete_at(self, loss: NodeLoss, surviving_key: str | None, until: datetime) -> datetime | None:
        """When a service is complete that the surviving node has begun to start."""
        has_begun = False
        for sign in self._signs.within(loss.loss_at, until):
            has_begun = has_begun or (sign.sign == "start" and sign.node_key == surviving_key)
            if has_begun and sign.is_last_step and sign.node_key not in loss.lost_keys:
                return sign.at
        return None

    def _set_up(
        self, loss: NodeLoss, surviving_key: str | None, since: datetime, until: datetime
    ) -> Iterator[datetime]:
        """When a lost node has the service again without a failover, or starts together with the surviving node."""
        others = self._starts.of(surviving_key)
        for key in loss.lost_keys:
            yield from (each.at for each in self._held.of(key).within(since, until))
            for start in self._starts.of(key).within(since, until):
                for other in others.between(max(since, start.at - STARTED_TOGETHER), start.at + STARTED_TOGETHER):
                    yield min(start.at, other.at)


def _of_one_node(lines: Iterable[ClusterLine]) -> Iterator[ClusterLine]:
    """Lines but for those of databases of nodes that share most of them: one log was collected twice."""
    told = [each for each in lines if each.kind in KINDS]
    instants: dict[str | None, set[datetime]] = defaultdict(set)
    for line in told:
        if line.kind in OF_DATABASES:
            instants[line.node_key].add(line.at)
    shared: set[str | None] = set()
    for (one, own), (other, others) in combinations(instants.items(), 2):
        if 2 * len(own & others) > min(len(own), len(others)):
            shared |= {one, other}
    return (each for each in told if each.kind not in OF_DATABASES or each.node_key not in shared)


def _is_start(line: ClusterLine) -> bool:
    is_ready = line.kind == "db_ready" and line.stack in rules("services")["ready_at_start"]
    return line.kind in BOOTS or line.kind == "db_start" or is_ready


def _shows_holder(line: ClusterLine) -> bool:
    """Whether a server becomes leader, or opens as no standby does."""
    is_leading = line.kind == "leader" and line.stack is not None and rules_of(line.stack).leads == "server"
    return is_leading or (line.kind == "db_ready" and line.stack in rules("services")["ready_as_primary"])


def _holder(line: ClusterLine) -> str | None:
    return line.system_key or line.node_key
