"""The states of a moment are a relation of their own, which every status command fills."""

from parsers.cluster_state import CLUSTER_STATE
from parsers.format import formats


def test_status_commands_share_the_table() -> None:
    filling = {name for name, each in formats().items() if CLUSTER_STATE in each.tables}
    assert filling >= {"hastatus", "cluster_status", "patronictl"}
