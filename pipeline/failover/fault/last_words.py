"""The last line of a lost node, by the clock of the surviving one."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.fault.token_losses import TokenLoss
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.stamps import MICROSECOND, duration_us
from pipeline.failover.step import RUN, Int32, step


class LostNodeLine(NamedTuple):
    """What a lost node wrote, as `lost_node_line` has it."""

    configuration: str
    run: str
    node: str
    at: datetime
    basis: str
    low_s: float
    file_id: Int32
    line_no: Int32


class LastWords(NamedTuple):
    """One row per run whose lost node left a message or report that can be put on the surviving node's clock: the
    last before the fault. UTC. A node that writes lives. Its clock is compared with the surviving node's in
    `host_clock`. Later lines are those of its next start. A node that declared its peers lost too was cut off and
    wrote on: its lines say nothing of the fault.
    """

    configuration: str
    run: str
    node: Annotated[str, "lost node"]
    at: Annotated[datetime, "stamp as printed"]
    low_at: Annotated[datetime, "the node still lived then, by the clock of the surviving node"]
    basis: Annotated[str, "how the clocks are compared"]
    file_id: Int32
    line_no: Int32


@step(by=RUN, of="incident", is_stored=False)
def last_words(
    incident: Sequence[Incident], lost_node_line: Sequence[LostNodeLine], token_loss: Sequence[TokenLoss]
) -> Iterator[LastWords]:
    """The last line before the loss was seen, by a node that was not cut off; where a token was lost, before that."""
    silent_at = min((each.high_at + duration_us(each.hold_s) * MICROSECOND for each in token_loss), default=None)
    for own in incident:
        words = [
            LastWords(line.configuration, line.run, line.node, line.at, low_at, line.basis, line.file_id, line.line_no)
            for line in lost_node_line
            if own.search_start_at
            <= (low_at := line.at + duration_us(line.low_s) * MICROSECOND)
            <= (silent_at or own.loss_at)
        ]
        if words and own.partition_outcome is None:
            yield max(words, key=lambda each: (each.at, -each.file_id, each.line_no))
