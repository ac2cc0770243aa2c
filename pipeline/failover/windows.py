"""The stretches of time that the fold goes by, each with its reason and whose product it is from."""

from datetime import timedelta

# --- evidence of losses and losses -----------------------------------------------------------------------------------

ONE_LOSS = timedelta(seconds=60)
"""Evidence about a node with no longer pause is of one loss: layers and hosts notice it one after another."""

LINK_FLAPS = timedelta(hours=1)
"""How long after a loss links to the lost node may come and go before it is back: it is repaired or boots."""

# --- losses and events -----------------------------------------------------------------------------------------------

FOLLOWED = timedelta(hours=1)
"""How long after a loss its consequences are looked for."""

LOST_TOGETHER = timedelta(minutes=1)
"""Nodes lost so close to each other are lost by one cause: a power strip, a switch, a fencing of both."""

SEES_A_CUT = timedelta(minutes=2)
"""How much later the other side of a cut network may declare its peers lost: its timers may be longer."""
