"""Units without an incident: what their lines show instead, and why it counts as no failover."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, RunUnit, ServiceSign
from pipeline.failover.incident.aftermath import LossAftermath
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.step import CONFIGURATION, Int32, grouped, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.windows import STARTS_UP


class MissingIncident(NamedTuple):
    """One row per run folder or undivided folder group without an incident: what the lines show instead, and why it
    counts as no failover. Each sentence holds for the lines of the unit: `basis` names the condition that makes
    it true.
    """

    configuration: str
    unit_run: str | None
    basis: Annotated[
        str,
        "measured_only (no failover test), partition_stayed, partition_both_down, partition_not_started, "
        "left_in_order, switched_in_order, reversed (the node declared lost starts the service), "
        "observer_down (who saw the loss went down itself), given_up (who saw the loss gave the service up), "
        "logs_end, not_moved, cluster_start, start_without_loss, no_loss",
    ]
    reason: Annotated[str | None, "the sentence; null where the unit is no failover test"]
    is_partition: Annotated[bool, "nodes declared each other lost"]
    is_double_loss: Annotated[bool, "all nodes of the partition went down, or who saw the loss went down itself"]
    loss_at: Annotated[datetime | None, "first evidence of the node loss, where there is one"]
    file_id: Int32 | None
    line_no: Int32 | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What the lines of a unit without an incident show: their kinds, and the first start of a service by one."""

    unit: RunUnit
    kinds: frozenset[str]
    start: ServiceSign | None

    @property
    def is_acquisition(self) -> bool:
        """Whether the cluster acquired its resources as it started."""
        return "initial_acquisition" in self.kinds

    @property
    def is_switch(self) -> bool:
        """Whether somebody switched the service."""
        return not self.kinds.isdisjoint({"group_switch", "user_command"})

    @property
    def is_jeopardy(self) -> bool:
        """Whether nobody knows if a node is gone."""
        return not self.kinds.isdisjoint({"jeopardy", "ddna"})


class AfterLoss(NamedTuple):
    """A condition under which a loss is no incident, and the sentence that it makes true."""

    basis: str
    holds: Callable[[LossAftermath, Shown], bool]
    reason: str


class WithoutLoss(NamedTuple):
    """A condition that holds where no loss is seen, and its sentence; None where the unit is no failover test."""

    basis: str
    holds: Callable[[Shown], bool]
    reason: str | None


MEASURED_ONLY = "measured_only"
BOTH_DOWN = "partition_both_down"
CUT = "the nodes declared each other lost, and {doubt}"

# the first that holds
AFTER_LOSS = (
    AfterLoss(BOTH_DOWN, lambda loss, _: loss.partition_outcome == "both_down", CUT),
    AfterLoss("partition_stayed", lambda loss, _: loss.partition_outcome == "stayed", CUT),
    AfterLoss("partition_not_started", lambda loss, _: loss.partition_outcome is not None, CUT),
    AfterLoss(
        "switched_in_order",
        lambda loss, _: loss.is_orderly and loss.other_start_node is not None,
        "`{lost_node}` left in order, and the service was started on `{other_start_node}`; no failover",
    ),
    AfterLoss("left_in_order", lambda loss, _: loss.is_orderly, "node left in order; no failover"),
    AfterLoss(
        "reversed",
        lambda loss, _: loss.lost_started_at is not None,
        "`{lost_node}` was declared lost, yet it started the service itself; "
        "no line of it says when it lost the others",
    ),
    AfterLoss(
        "observer_down",
        lambda loss, _: loss.down_observer is not None,
        "`{down_observer}` declared `{lost_node}` lost and then started again itself; "
        "no other node has logs that show what became of the service",
    ),
    AfterLoss(
        "given_up",
        lambda loss, _: loss.giving_up_node is not None,
        "`{giving_up_node}` declared `{lost_node}` lost and gave the service up; "
        "no line shows that another node started it",
    ),
    AfterLoss(
        "logs_end",
        lambda loss, shown: loss.is_end_of_logs and bool(shown.kinds) and not shown.is_jeopardy,
        "the logs end with the node loss; no line shows what became of the service",
    ),
    AfterLoss(
        "not_moved",
        lambda loss, shown: loss.has_lost_logs or shown.is_jeopardy,
        "no service moved after the node loss",
    ),
    # what the lost node did, if it was not dead, only its own logs could show
    AfterLoss("not_moved", lambda *_: True, "no service moved after the node loss, by the logs of {seen_by}"),
)
WITHOUT_LOSS = (
    WithoutLoss(
        "cluster_start",
        lambda shown: shown.is_acquisition,
        "resources were acquired as the cluster started; no node loss found",
    ),
    WithoutLoss(
        MEASURED_ONLY, lambda shown: shown.unit.has_performance_data and not shown.unit.has_failover_logs, None
    ),
    WithoutLoss(
        "start_without_loss",
        lambda shown: shown.start is not None and not shown.is_switch,
        "no node loss found; a service was started on `{start.node}` at {start.at:%Y-%m-%d %H:%M:%S}",
    ),
    WithoutLoss("no_loss", lambda _: True, "no node loss found"),
)


@step(by=CONFIGURATION, of="run_unit")
def missing_incident(
    run_unit: Sequence[RunUnit],
    incident: Sequence[Incident],
    loss_aftermath: Sequence[LossAftermath],
    service_sign: Sequence[ServiceSign],
    cluster_line: Sequence[ClusterLine],
) -> Iterator[MissingIncident]:
    """Say of each unit without an incident what it shows instead."""
    with_incident = {each.unit_run for each in incident}
    units = [each for each in run_unit if each.unit_run not in with_incident]
    if not units:
        return
    losses, signs, lines = (grouped(each, "unit_run") for each in (loss_aftermath, service_sign, cluster_line))
    for unit in units:
        own = lines.get((unit.unit_run,), [])
        start = _first_start(signs.get((unit.unit_run,), []), own)
        shown = Shown(unit, frozenset(each.kind for each in own), start)
        yield _reason(shown, losses.get((unit.unit_run,), []), has_incident=bool(incident))


def _first_start(signs: Sequence[ServiceSign], lines: Sequence[ClusterLine]) -> ServiceSign | None:
    """The first start by a cluster manager that had been running: one that starts takes its resources up."""
    boots = Timeline(each for each in lines if each.kind in BOOTS)
    for sign in sorted(signs, key=BY_LINE):
        if sign.sign == "start" and sign.is_managed and sign.node is not None:
            starting = {each.node_key for each in boots.between(sign.at - STARTS_UP, sign.at)} - {None}
            if starting.isdisjoint({sign.node_key, sign.writer_key}):
                return sign
    return None


def _reason(shown: Shown, losses: Sequence[LossAftermath], *, has_incident: bool) -> MissingIncident:
    """The first condition that holds, and its sentence."""
    unit = shown.unit
    loss = min(losses, key=lambda each: (each.partition_outcome is None, each.is_orderly, each.loss_no), default=None)
    rule: AfterLoss | WithoutLoss
    if unit.has_performance_data and not has_incident:
        # measured runs of a configuration without any failover are no failover tests
        rule = next(each for each in WITHOUT_LOSS if each.basis == MEASURED_ONLY)
    elif loss:
        rule = next(each for each in AFTER_LOSS if each.holds(loss, shown))
    else:
        rule = next(each for each in WITHOUT_LOSS if each.holds(shown))
    start = None if shown.is_acquisition or shown.is_switch else shown.start
    line = loss if loss and loss.file_id is not None else start
    return MissingIncident(
        unit.configuration,
        unit.unit_run,
        rule.basis,
        rule.reason and _sentence(rule.reason, loss, shown.start),
        is_partition=loss is not None and loss.partition_outcome is not None,
        is_double_loss=rule.basis == BOTH_DOWN,
        loss_at=loss and loss.loss_at,
        file_id=line and line.file_id,
        line_no=line and line.line_no,
    )


def _sentence(reason: str, loss: LossAftermath | None, start: ServiceSign | None) -> str | None:
    """A reason with its names; None where one that it needs is not known."""
    names = {"start": start} if loss is None else loss._asdict() | {"seen_by": f"`{'`, `'.join(loss.observers)}`"}
    try:
        return reason.format_map({name: value for name, value in names.items() if value is not None})
    except KeyError:
        return None
