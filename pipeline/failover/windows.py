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

SAME_SECOND = timedelta(seconds=1)
"""Stamps are cut: what is printed in the same second, or the next, may have happened in either order."""

CLOCKS_APART = timedelta(seconds=5)
"""How far clocks of nodes, and that of a tester, are apart where they are kept by NTP."""

LOSS_OF_A_FAULT = timedelta(minutes=15)
"""How long after a fault that study.toml records the first sign of its loss may stand: the longest timers, twice."""

TAKE_OVER_ORDERED = timedelta(minutes=15)
"""How long after a declared loss somebody may order the take-over of HADR that belongs to it."""

ONE_ORDER = timedelta(minutes=1)
"""Commands to take over that are given again within this are one order: a first one fails, and force is added."""

# --- what became of a loss -------------------------------------------------------------------------------------------

STARTED_BEFORE = timedelta(minutes=10)
"""How long before a loss in order another node may start the service: a switch stops it first, then the node leaves."""

GIVEN_UP = timedelta(minutes=10)
"""How long after a loss a node gives its service up because of it: stopping a database takes minutes."""

LAST_WORDS = timedelta(minutes=1)
"""Who writes no line this much later has logs that end with the loss."""

FENCED_BEFORE = timedelta(minutes=1)
"""How long before the first line about a loss its node may be fenced: the fencing is why it is lost."""

STARTS_UP = timedelta(minutes=10)
"""How long after its start a cluster manager takes resources up without a loss."""

SEARCHED_BEFORE_S = 30.0
"""How much earlier than by the longest timers a sign of a loss may stand: nodes notice it one after another."""

IN_JEOPARDY = timedelta(minutes=1)
"""How long after a loss jeopardy is declared that makes it doubtful: the last but one link goes with the same cut."""

# --- leaders ---------------------------------------------------------------------------------------------------------

MISSED_BEFORE = timedelta(minutes=10)
"""How long before a change of leader the former one may first be missed: Sentinel and repmgr go on trying."""

MISSED_AGAIN = timedelta(minutes=1)
"""Lines about one lost leader follow each other within it; what was said longer before is another matter."""

DATABASE_SHOWS = timedelta(minutes=5)
"""Oracle: how long after a node's log shows its database as primary the observer may still be naming it."""

GROUP_FORMS = timedelta(seconds=5)
"""A node that goes on without a member says that it is ready this close to forgetting the member."""

FORGOTTEN_TOGETHER = timedelta(seconds=10)
"""The nodes of a group forget a member this close to each other."""

ORDERED_BEFORE = timedelta(minutes=2)
"""How long a change that somebody ordered takes until its new leader is named."""

LOGGED_LATE = timedelta(seconds=5)
"""How much later another node may log the cause of what a node has logged: its clock may differ, its log be slower."""

OUTRANKED_LATE = timedelta(seconds=2)
"""keepalived: how much later than the new holder the former one may log that it was outranked: an advertisement."""

FAILED_BEFORE = timedelta(minutes=1)
"""How long before a leader leaves its role a failure may have been its cause."""

FAILED_LATE = timedelta(seconds=1)
"""How much later than the leaving its cause may be logged: stamps of whole seconds."""

STOPPED_BEFORE = timedelta(seconds=30)
"""How long before it is missed a leader is stopped in order."""

MISSED_ANEW = timedelta(minutes=10)
"""A leader that is missed again after it is lost a second time."""

ELECTION = timedelta(minutes=5)
"""How long nodes take at most until one wants to lead, or until a leader that was missed shows that it leads on."""

REPLACED_BEFORE = timedelta(minutes=1)
"""How long before the leader is missed a node may have promoted itself already."""

LOG_GOES_ON = timedelta(minutes=1)
"""How long a log must go on after the loss of a leader to show that nobody replaced it."""

# --- timers of node loss and the time of a fault ----------------------------------------------------------------------

LLT_TICK_S = 1.0
"""LLT looks once a second and counts whole seconds: a timer may fire so much early or late, and N is N to N + 1."""

LLT_LATE_S = 0.05
"""A look of LLT may be so much late."""

FELL_SILENT_BEFORE_S = 120.0
"""How long before a membership without a node its links fell silent, at most: peerinact and the stable timeout."""

EXPIRED_BEFORE_S = 60.0
"""How long before a membership without a node its links expired, at most: GAB's stable timeout."""

FORMS_AFTER = timedelta(seconds=50)
"""How long after a lost token corosync forms a ring, at most: token and consensus of a slow cluster."""

FORMING_S = 0.3
"""Forming a ring takes corosync so much longer than consensus."""

LEAST_CONSENSUS_WAIT_S = 0.5
"""What corosync formed earlier waited for no consensus: the others had left in order."""

TOKEN_WARNING_MS = 100.0
"""Corosync's warning of a late token may come so much late."""

HEARTBEAT_TICK_S = 1.0
"""Heartbeat looks for dead peers once a second."""

RING_TICK_S = 0.01
"""corosync's clock ticks a hundred times a second: libqb takes stamps and timers from it."""

HELD_TWICE, HELD_TWICE_S = 1.5, 0.05
"""An interval of so many holds, and so much more, is of a token that two nodes of a ring may have kept."""

LEAST_GAP_S = 0.1
"""A source that rests on few lines contradicts what all others leave if it lies so far outside."""

NOTED_GAP_S = 2.0
"""How far outside of a time that a person noted it must lie: a person notes whole seconds."""

MIDDLES_APART_S = 2.0
"""Sources contradict each other whose middles lie farther apart."""

CORRECTED_S = 1.0
"""A clock that was set by an amount known to so much is corrected."""

HIDES_STEPS = timedelta(minutes=15)
"""How long after the last known step others may follow that a clock hides, which was set by an unknown amount."""

# --- injected faults -------------------------------------------------------------------------------------------------

INJECTED_TOGETHER = timedelta(seconds=2)
"""What is injected into one object so close together is one fault: a tool logs each step of it."""
