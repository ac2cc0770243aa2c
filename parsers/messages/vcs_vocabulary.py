"""What VCS says: the kinds of its messages by id and by text, and the patterns that find what a message is about.

Ids stand without product: category and number. They decide before the text does, which may be localised.
"""

KIND_BY_ID = {
    "1-10075": "remote_build",
    "1-10077": "new_membership",
    "1-10079": "down_state",
    "1-10080": "other",  # the writer's own view of the membership; the change itself is 10077
    "1-10086": "regular_membership",
    "1-10111": "jeopardy",
    "1-10112": "other",  # own view again; `DDNA: 0x0` is no DDNA membership
    "1-10113": "ddna",
    "1-10196": "logger_started",
    "1-10205": "group_faulted",
    "1-10208": "group_switch",
    "1-10214": "concurrency_violation",
    "1-10297": "resource_online",
    "1-10298": "resource_online",
    "1-10299": "resource_online",
    "1-10300": "initiate_offline",
    "1-10301": "initiate_online",
    "1-10303": "resource_faulted",
    "1-10304": "resource_offline",
    "1-10305": "resource_offline",
    "1-10307": "resource_offline",
    "1-10322": "system_state",
    "1-10438": "other",
    "1-10446": "group_offline",
    "1-10447": "group_online",
    "1-10449": "group_autodisabled",
    "1-10493": "other",
    "1-10619": "engine_started",
    "1-11022": "engine_started",
    "1-50135": "user_command",
    "1-53504": "other",  # VCS Engine Alive message!!
    "2-13001": "entry_output",
    "2-13002": "entry_output",
    "2-13011": "offline_timeout",
    "2-13012": "online_timeout",
    "2-13026": "other",  # monitor works again
    "2-13027": "monitor_timeout",
    "2-13063": "clean_called",
    "2-13064": "clean_called",
    "2-13065": "clean_called",
    "2-13066": "clean_called",
    "2-13067": "clean_called",
    "2-13068": "clean_done",
    "2-13069": "other",  # clean failed
    "2-13073": "restart_attempt",
    "2-13074": "restart_attempt",
    "2-13075": "unexpected_offline",
    "2-13716": "entry_output",
    "2-13717": "entry_output",
    "10061-14001": "other",  # HostMonitor
}
"""Category and number of the message id. VCS 2.x and 3.5 print the number alone; no number is in two categories."""

KIND_BY_PRINTED_ID = {
    **{f"V-16-{number}": kind for number, kind in KIND_BY_ID.items()},
    **{number.partition("-")[2]: kind for number, kind in KIND_BY_ID.items()},
}

KIND_BY_TEXT = (
    ("initiate_online", "^Initiating Online of Resource"),
    ("initiate_offline", "^Initiating Offline of Resource"),
    ("resource_online", r"^Resource\s.*\bis online on\b"),
    ("resource_offline", r"^Resource\s.*\bis offline on\b"),
    ("resource_faulted", r"^Resource\s.*\bis FAULTED\b"),
    ("group_online", r"^Group\s+\S+\s+is online on\b"),
    ("group_offline", r"^Group\s+\S+\s+is offline on\b"),
    ("group_faulted", r"^Group\s+\S+\s+is faulted on\b"),
    ("group_switch", "^Initiating switch of group"),
    ("group_autodisabled", r"^Group\s+\S+\s+autodisabled on\b"),
    ("system_state", r"^System\s.*changed state from"),
    ("new_membership", "(?i)^received new cluster membership"),
    ("jeopardy", "Regular and Jeopardy Membership"),
    ("regular_membership", "is in Regular Membership"),
    ("ddna", "is in DDNA Membership"),
    ("down_state", "is in Down State"),
    ("engine_started", r"^VCS engine .*started|^'HAD' starting on"),
    ("remote_build", "(?i)building from remote system"),
    ("logger_started", "^Cluster logger started"),
    ("user_command", "fired command:"),
    ("clean_called", "Agent is calling clean for resource"),
    ("clean_done", "clean completed successfully"),
    ("entry_output", "Output of the (?:completed|timed out) operation"),
    ("restart_attempt", r"Agent is restarting \(attempt"),
    ("unexpected_offline", "became OFFLINE unexpectedly|reported unexpected OFFLINE"),
    ("online_timeout", "online (?:procedure )?did not complete"),
    ("offline_timeout", "offline (?:procedure )?did not complete"),
    ("monitor_timeout", "monitor (?:procedure )?did not complete"),
    ("concurrency_violation", "(?i)concurrency violation|CurrentCount increased above 1"),
    ("trigger", "^hatrigger:"),
)
"""Tried in this order where the id says nothing: VCS 1.x, unknown ids."""

ANY_KIND = "|".join(f"(?:{pattern})" for _, pattern in KIND_BY_TEXT)

OWNER = r"(?:\(Owner:\s*(?P<owner>.*?),\s*Group:\s*(?P<group>[^)]*?)\s*\)\s*)?"

# REAL (Ariba VCSLogParser.pm): Resource Mount_anlab_ora05data01 (Owner: unknown, Group: ANLAB) is offline on duck …
RESOURCE_STATE = (
    rf"^Resource\s+(?P<resource>[^\s(]+)\s*{OWNER}"
    r"is\s+(?P<state>online|offline|FAULTED)\s*"
    r"(?:\((?P<cause>[^)]*)\)\s*)?"  # is FAULTED (timed out) on sys …
    r"on\s+(?:sys(?:tem)?\s+)?(?P<system>\S+)"
    r"(?:\s*\((?P<how>[^)]*)\))?"
)
# RECONSTRUCTED: Initiating Online of Resource db2shark (Owner: unknown, Group: db2_shark) on System sun-ha4
INITIATED = rf"of\s+Resource\s+(?P<resource>[^\s(]+)\s*{OWNER}on\s+[Ss]ystem\s+(?P<system>\S+)"
# ADAPTED: Group Q_Sales_sql_grp is online on system NODEC
GROUP_STATE = r"^Group\s+(?P<group>\S+)\s+is\s+(?P<state>\w+)\s+on\s+(?:[Ss]ystem\s+)?(?P<system>\S+)"
# RECONSTRUCTED: Initiating switch of group db2_shark from system sun-ha3 to system sun-ha4
GROUP_SWITCH = r"group\s+(?P<group>\S+)(?:\s+from\s+system\s+\S+)?\s+to\s+system\s+(?P<system>\S+)"
# ADAPTED: System NODEC (Node '2') changed state from RUNNING to FAULTED
# ADAPTED: System NODEC (Node '2') is in Down State - Membership: 0x3
SYSTEM_STATE = (
    r"^System\s+(?P<system>[^\s(]+)?\s*\(Node\s+'?(?P<node_id>[0-9]+)'?\)\s*"
    r"(?:changed\s+state\s+from\s+(?P<previous_state>\w+)\s+to\s+(?P<state>\w+))?"
    r"(?:.*?Membership:\s*(?P<membership>0x[0-9A-Fa-f]+))?"
)
# ADAPTED: System (NODEA) - Membership: 0x7, DDNA: 0x4
OWN_VIEW = r"^System\s+\((?P<system>[^()\s]+)\)\s*-\s*Membership:\s*(?P<membership>0x[0-9A-Fa-f]+)"
# RECONSTRUCTED: Group db2_shark has been probed on system sun-ha4
GROUP_PLACE = r"^Group\s+(?P<group>\S+)\s+(?:has been probed|autodisabled)\s+on\s+(?:system|node)\s+(?P<system>\S+)"
# RECONSTRUCTED: Evaluating sun-ha4 as potential target node for group db2_shark
CANDIDATE = r"^Evaluating\s+(?P<system>\S+)\s+as\s+potential\s+target\s+node\s+for\s+group\s+(?P<group>\S+)"
# RECONSTRUCTED: CurrentCount increased above 1 for failover group db2_shark
# ADAPTED: Concurrency Violation!!! Group="webgrp" Hosts=(alder birch)
VIOLATION = r"(?:failover\s+group\s+|Group=\")(?P<group>[^\s\"]+)"
# RECONSTRUCTED: 'HAD' starting on: sun-ha4
STARTING = r"starting\s+on:\s*(?P<system>\S+)"
# RECONSTRUCTED: User admin fired command: hagrp -switch db2_shark sun-ha4 from localhost
COMMAND = r"^User\s+(?P<user_name>.+?)\s+fired\s+command:"
# ADAPTED: HostMonitor:VCShm:monitor:Updating System attribute with CPU usage = 11% and Swap usage = 3%.
AGENT_SCRIPT = r"^(?P<agent>[A-Za-z]\w*):(?P<resource>[^\s:]+):(?P<entry_point>[A-Za-z_]+):"
# RECONSTRUCTED: Agent is calling clean for resource(db03shark) because the resource became OFFLINE unexpectedly, …
AGENT_RESOURCE = r"\b[Rr]esource\s*\((?P<resource>[^()\s]+)\)"
# RECONSTRUCTED: Resource(db03shark) - monitor procedure did not complete within the expected time.
PROCEDURE = r"\)\s*-\s*(?P<entry_point>\w+)\s+(?:procedure\s+)?(?:did\s+not|completed|failed|finished)"
# RECONSTRUCTED: Resource(db03shark): Output of the completed operation (online)
OPERATION = r"operation\s*\((?P<entry_point>\w+)\)"
# RECONSTRUCTED: Agent for type Mount is restarted. Re-sending online to resource db03shark (Previous IState = …)
RESENT = (
    r"^Agent\s+for\s+type\s+(?P<agent>\S+)\s+is\s+restarted\.\s+"
    r"Re-sending\s+(?P<entry_point>\S+)\s+to\s+resource\s+(?P<resource>[^\s(]+)"
)
STATE_KINDS = ("resource_online", "resource_offline", "resource_faulted")
MEMBERSHIP_KINDS = ("system_state", "jeopardy", "regular_membership", "ddna", "down_state")
PROCEDURE_KINDS = ("clean_done", "online_timeout", "offline_timeout", "monitor_timeout", "other")
AGENT_KINDS = (*PROCEDURE_KINDS, "clean_called", "entry_output", "restart_attempt", "unexpected_offline")

FIELDS = (
    (STATE_KINDS, RESOURCE_STATE),
    (("initiate_online", "initiate_offline"), INITIATED),
    (("group_online", "group_offline", "group_faulted"), GROUP_STATE),
    (("group_switch",), GROUP_SWITCH),
    (MEMBERSHIP_KINDS, SYSTEM_STATE),
    (("other",), OWN_VIEW),
    (("other", "group_autodisabled"), GROUP_PLACE),
    (("other",), CANDIDATE),
    (("concurrency_violation",), VIOLATION),
    (("engine_started",), STARTING),
    (("user_command",), COMMAND),
    (("other",), RESENT),
    (("other",), AGENT_SCRIPT),
    (AGENT_KINDS, AGENT_RESOURCE),
    (PROCEDURE_KINDS, PROCEDURE),
    (("entry_output",), OPERATION),
)
"""Which pattern reads the fields of which kinds; where two find a field, the first counts."""


def _kinds_by_patterns() -> dict[tuple[int, ...], list[str]]:
    found: dict[tuple[int, ...], list[str]] = {}
    for kind in sorted({*KIND_BY_ID.values(), *dict(KIND_BY_TEXT), "other"}):
        numbers = tuple(number for number, (kinds, _) in enumerate(FIELDS) if kind in kinds)
        found.setdefault(numbers, []).append(kind)
    return found


KINDS_BY_PATTERNS = _kinds_by_patterns()
"""Kinds by the patterns, as their numbers in `FIELDS`, that read their fields."""

FIELD_NAMES = (
    "agent",
    "resource",
    "entry_point",
    "owner",
    "group",
    "system",
    "node_id",
    "previous_state",
    "state",
    "how",
    "cause",
    "membership",
    "user_name",
)

# In the words of VCS 4.0 and later.
SEVERITIES = {
    "TAG_A": "CRITICAL",
    "TAG_B": "ERROR",
    "TAG_C": "WARNING",
    "TAG_D": "NOTICE",
    "TAG_E": "INFO",
    "NOTE": "NOTICE",  # Windows
    **{f"TAG_{letter}": f"DBG_{letter}" for letter in "FGHIJKLMNOPQRSTUVWXYZ"},  # debug output
}
