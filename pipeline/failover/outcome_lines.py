"""Lines that say what became of a failover, besides its steps."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.step import Int32


class OutcomeLine(NamedTuple):
    """One row per incident and log line that says what became of it, besides its steps. Times in UTC. See
    `study.outcome_rule`. Lines of the lost node's own logs, and lines about other nodes than the surviving one,
    are left out.
    """

    configuration: str
    run: str
    says: Annotated[
        str,
        "fault (a step failed), left (a step failed in a service group that never came online, while another "
        "one did), down (the service went down), start (the node restarted), by_hand, stop, lost (the node "
        "was lost as well), back (a step that means service was done, however late)",
    ]
    at: Annotated[datetime, "stamp as printed"]
    text: str
    file_id: Int32
    line_no: Int32
