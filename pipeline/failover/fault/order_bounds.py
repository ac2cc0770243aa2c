"""When a planned change of leader began: with the order for it, or with the notice of who leaves."""

from collections.abc import Iterator, Sequence

from pipeline.failover.fault.fault_bounds import Bound
from pipeline.failover.fault_sources import COMMAND
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.stamps import microseconds
from pipeline.failover.step import step


@step(of="incident", is_stored=False)
def order_bound(incident: Sequence[Incident], leader_change: Sequence[LeaderChange]) -> Iterator[Bound]:
    """The order of each planned change of a leader that is a run of a unit."""
    planned = [each for each in leader_change if each.ordered_at is not None]
    for own in incident:
        for change in planned if own.is_planned and not own.is_commanded else ():
            if change.former_key == own.lost_key and change.loss_at <= own.loss_at <= change.at and change.ordered_at:
                at_us = microseconds(min(change.ordered_at, change.at))
                source = change.ordered_by or COMMAND
                place = (change.order_file_id, change.order_line_no)
                yield Bound(own.configuration, own.run, source, at_us, at_us, 1, *place)
                break
