"""The stretches of time that the fold goes by, each with its reason and whose product it is from."""

from datetime import timedelta

# --- evidence of losses and losses -----------------------------------------------------------------------------------

JUST_STARTED = timedelta(minutes=10)
"""A cluster layer that has started finds its peers missing for so long: these are not lost, they are not there yet."""

LINKS_EXPIRE = timedelta(seconds=10)
"""LLT: links to a node that is lost expire within this time, one after another."""

SAID_GOODBYE = timedelta(minutes=10)
"""The death of a node that said good-bye follows from that for so long: it stops its services first."""

FENCE_LOGGED = timedelta(seconds=2)
"""So much later than the loss may the line come that orders its fencing."""

TOKEN_TO_RING = timedelta(minutes=5)
"""Corosync: so long after a lost token the ring that forms, and the fencing that follows, are without the lost node."""

TOKEN_OF_OTHERS = timedelta(minutes=1)
"""Corosync: so long after the token that another host lost the ring has formed without the lost node."""

CLOCKS_DIFFER = timedelta(seconds=1)
"""Hosts of a cluster agree about the time within this."""

RING_REPEATED = timedelta(seconds=5)
"""Corosync: so near to a new ring a host says which members left it without a word."""

NO_OTHER_SIGN = timedelta(hours=1)
"""Weaker evidence counts where no line declares a node lost so near to it."""

ID_NAMED = timedelta(seconds=60)
"""So near to each other a host, or its cluster, names the lost node that a line gives the id of."""

LOST_EACH_OTHER = timedelta(minutes=2)
"""So near to each other the two sides of a cut network declare each other lost: their timers differ."""

SHUTDOWN_TAKES = timedelta(minutes=10)
"""A loss follows from a good-bye, or an order to stop, for so long: services stop before the cluster layer does."""

STANDBY_LASTS = timedelta(hours=1)
"""A loss follows from standby or maintenance that nobody took back for so long."""

LEAVE_LOGGED = timedelta(seconds=5)
"""So much earlier than the order to leave, or the good-bye, may its consequences be logged: clocks of hosts differ."""

FENCED_BEFORE = timedelta(minutes=1)
"""A node that fencing began of so shortly before its good-bye does not leave in order."""

FENCE_FOLLOWS = timedelta(minutes=1)
"""So long after evidence of its loss the fencing of a node begins."""

FENCE_TAKES = timedelta(minutes=2)
"""So long after a line of its fencing a node is lost by it."""

RING_KNOWN = timedelta(minutes=1)
"""Pacemaker says so near to Corosync's ring who left it."""

ONE_LOSS = timedelta(seconds=60)
"""Evidence about a node with no longer pause is of one loss: layers and hosts notice it one after another."""

BACK_FOR = timedelta(seconds=10)
"""A node that is in its cluster again for so long was back, though no line shows its start: a network flaps faster."""

LINK_FLAPS = timedelta(hours=1)
"""How long after a loss links to the lost node may come and go before it is back: it is repaired or boots."""

# --- losses and events -----------------------------------------------------------------------------------------------

FOLLOWED = timedelta(hours=1)
"""How long after a loss lines about nodes are taken for its consequences; its steps are followed for longer."""

LOST_TOGETHER = timedelta(minutes=1)
"""Nodes lost so close to each other are lost by one cause: a power strip, a switch, a fencing of both."""

SEES_A_CUT = timedelta(minutes=2)
"""How much later the other side of a cut network may declare its peers lost: its timers may be longer."""

# --- partitions of the network ---------------------------------------------------------------------------------------

BOOT_LOGGED_LATE = timedelta(minutes=1)
"""The first line that names a boot is not the first of it: what precedes it this closely may belong to it."""

GOES_DOWN = timedelta(minutes=10)
"""How long after the cut of a network a node is fenced or panics because of it."""

QUORUM_LOST_BEFORE = timedelta(seconds=5)
"""A node may say so long before it names the nodes that it lost that it has lost the quorum."""

QUORUM_DECIDED = timedelta(minutes=2)
"""How long after the cut of a network it is decided which nodes keep the quorum."""

STAYS_UP_S = 30.0
"""A node that writes so much later lives on; what comes sooner may be the last words of one that is going down."""

# --- losses of a node ------------------------------------------------------------------------------------------------

SAME_SECOND = timedelta(seconds=1)
"""Stamps are cut: what is printed in the same second, or the next, may have happened in either order."""

FAULT_RECORDED_LATE = timedelta(seconds=5)
"""How much later than its first sign a tester may have recorded a fault."""

LOSS_OF_A_FAULT = timedelta(minutes=15)
"""How long after a fault that study.toml records the first sign of its loss may stand: the longest timers, twice."""

TAKE_OVER_ORDERED = timedelta(minutes=15)
"""How long after a declared loss somebody may order the take-over of HADR that belongs to it."""

PRIMARY_STOPPED = timedelta(minutes=1)
"""DB2: a primary that somebody stopped so long before its standby misses it was not lost."""

PRIMARY_SILENT = timedelta(minutes=2)
"""DB2: a primary that runs writes within this that its standby is gone; HADR_TIMEOUT is 120 s by default."""

ONE_ORDER = timedelta(minutes=1)
"""Commands to take over that are given again within this are one order: a first one fails, and force is added."""

# --- what became of a loss -------------------------------------------------------------------------------------------

STARTED_BEFORE = timedelta(minutes=10)
"""How long before a loss in order another node may start the service: a switch stops it first, then the node leaves."""

GIVEN_UP = timedelta(minutes=10)
"""How long after a loss a node gives its service up because of it: stopping a database takes minutes."""

LAST_WORDS = timedelta(minutes=1)
"""Who writes no line this much later has logs that end with the loss."""

LOST_BY_FENCING = timedelta(minutes=1)
"""How long before the first line about a loss its node may be fenced: the fencing is why it is lost."""

STARTS_UP = timedelta(minutes=10)
"""How long after its start a cluster manager takes resources up without a loss."""

SEARCHED_BEFORE_S = 30.0
"""How much earlier than by the longest timers a sign of a loss may stand: nodes notice it one after another."""

SHUT_DOWN_BEFORE = timedelta(minutes=10)
"""A node that starts again within this after it was shut down was not lost: databases take minutes to stop."""

SERVICE_KEPT = timedelta(minutes=1)
"""A surviving node that is lost so much later than the service was back has a fault of its own."""

STARTED_TOGETHER = timedelta(seconds=10)
"""Nodes that somebody starts as a group, for the next test, begin within this time of each other."""

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

FORMS_SLOWLY = timedelta(minutes=1)
"""Oracle: CSS goes on so long after it expels a node, whose writes have to be stopped first: 31 s in a real log."""

FORGOTTEN_TOGETHER = timedelta(seconds=10)
"""The nodes of a group forget a member this close to each other."""

ACCUSED_BEFORE = timedelta(seconds=10)
"""How long before a change of leader the former one would have been missed at most: 5 s, and the members agree."""

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

TAKES_WHAT_IS_FREE = timedelta(seconds=10)
"""A node that becomes backup takes an address that nobody holds within so long: four advertisements of 2.5 s."""

LAGS_BEHIND = timedelta(minutes=1)
"""How long after a change a node that has not heard of it may still name the old leader: a lease, a slow sentinel."""

CUT_OFF = timedelta(minutes=1)
"""A leader that is cut off goes on writing: a client may miss it by this much before its last line."""

CLOCKS_AGREE = timedelta(seconds=0.5)
"""How far apart clocks of servers that elect a leader are taken to be: nothing compares them."""

LOOKS_LATE = timedelta(seconds=1)
"""So much later than its timers have run out may a program of a busy host miss the leader."""

LOGGED_AGAIN = timedelta(seconds=15)
"""How soon a program says again that it misses a leader, where it does at each look: repmgr and Stolon after 10 s."""

CHECK_FAILS = timedelta(seconds=10)
"""keepalived: how long before a backup takes over a check of the holder may have failed."""

# --- timers of node loss and the time of a fault ----------------------------------------------------------------------

LLT_TICK_S = 1.0
"""LLT looks once a second and counts whole seconds: a timer may fire so much early or late, and N is N to N + 1."""

LLT_LATE_S = 0.05
"""A look of LLT may be so much late."""

OUTAGE_LASTS = timedelta(minutes=2)
"""LLT: so long after its first line about a silent link it logs that the link expired, at most: peerinact."""

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

# --- clocks of hosts -------------------------------------------------------------------------------------------------

RING_LOGGED_S = 0.02
"""The nodes of a ring log it so close together, as they form it."""

PRINTED_S = 0.001
"""Stamps of corosync and of clients are printed no finer; elapsed times in tenths of a millisecond at best."""

CLOCK_MEASURED_S = 0.1
"""How exact a difference of clocks is that a person measured."""

# --- injected faults -------------------------------------------------------------------------------------------------

INJECTED_TOGETHER = timedelta(seconds=2)
"""What is injected into one object so close together is one fault: a tool logs each step of it."""

# --- kinds of fault ---------------------------------------------------------------------------------------------------

KIND_SHOWN = timedelta(minutes=1)
"""How long after it is missed a node that goes on says what it lost: its own service, or all others."""

# --- runs ------------------------------------------------------------------------------------------------------------

DOUBTED_BEFORE = timedelta(minutes=10)
"""How long before the membership change a state of the cluster, such as jeopardy, may still concern the failover."""

UNPROVED_ERROR_S = 1.0
"""A line whose clock was corrected with a greater error than this may have been stamped by either clock."""

INJECTED_WITHIN = timedelta(seconds=2)
"""A fault that a test did within it, from asking to done, is known well enough to be a reference."""

# --- what became of a failover ---------------------------------------------------------------------------------------

STEPS_FOLLOWED = timedelta(hours=24)
"""How long after a loss steps are followed where study.toml does not say: `follow` of `[study]`."""

LOSS_IS_LOGGED = timedelta(minutes=1)
"""How long after the membership without a node the cluster may still log what ended with the node."""

BOOT_TAKES = timedelta(seconds=30)
"""No node brings a resource online so soon after its operating system began to start."""

FAILS_AGAIN = timedelta(minutes=5)
"""A service that goes down so soon after it came back was never well: clients have hardly connected again."""

CLIENTS_FOLLOW = timedelta(seconds=30)
"""How long after the last step of a recovery clients may still fail: they ask again after a pause, names are cached."""

AT_ONCE = timedelta(seconds=1)
"""Stamps of whole seconds: a log that goes on no longer after its last line on the failover ends with it."""

LONG_WAIT = timedelta(minutes=10)
"""A take-over begins within this after the membership change, and no shorter silence in its steps is a failure."""

LONGER_THAN_NEEDED = 1.5
"""A step will not come after a silence of this multiple of what the slowest run of the configuration needed."""

MUCH_LONGER_THAN_NEEDED = 2.0
"""The same of a step that had begun: it may only be slow."""

REPORTED_BEFORE = timedelta(seconds=10)
"""HADR of DB2: how long before a TAKEOVER command reaches its agents the old primary may say how it is done."""

# --- operations on resources -----------------------------------------------------------------------------------------

END_LOGGED_TWICE = timedelta(seconds=1)
"""Ends of one operation so close to each other are one: a daemon and the syslog, or two daemons, log it."""
