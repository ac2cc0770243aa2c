"""What a VCS message means: its id, its kind, and the resource, group and system that it is about.

Read by     the engine log, and the syslog copy of what HAD finds worth CRITICAL or ERROR
Keyed by    message id first; the text decides for VCS 1.x, which has no ids, and for ids that are not listed
Ids         VCS 2.x and 3.5 print `VCS:10298`, later releases `V-16-1-10298` for the same message; six digits
            (`VCS:254001`) number the messages of an agent and have no later form
Languages   localised text keeps its id, so its kind is known where its resource is not
"""

from collections.abc import Iterator, Sequence

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Column, Message, Table

VCS_EVENT = Table(
    name="vcs_event",
    grain="One row per message of VCS (the HAD engine and its agents), from engine logs and from syslog copies.",
    columns=(
        Column(
            "era",
            pl.String(),
            "form of the line: tag_1 (VCS 1.x), tag_2 (to 3.5), umi (4.0 on), hamsg, undated, guide",
        ),
        Column("severity", pl.String(), "CRITICAL, ERROR, WARNING, NOTICE, INFO, DBG_n; TAG letters are translated"),
        Column("severity_printed", pl.String(), "the severity as the line has it: TAG_E, INFO, ..."),
        Column("message_id", pl.String(), "V-16-category-number; VCS:nnnnn of 2.x and 3.5 is written as V-16-1-nnnnn"),
        Column("originator", pl.Int32(), "first number of the message id (16 = VCS)"),
        Column("category", pl.Int32(), "second number: 1 engine, 2 agent framework, 6 triggers, 10000 and up agents"),
        Column("message_number", pl.Int32(), "last number of the message id"),
        Column(
            "kind",
            pl.String(),
            "what happened: resource_online, group_online, system_state, ...",
        ),
        Column("host", pl.String(), "node where the agent ran, when the line was forwarded", host="named"),
        Column("agent", pl.String(), "resource type, where an agent's line names it"),
        Column("resource", pl.String(), "resource the message is about"),
        Column("entry_point", pl.String(), "agent entry point: online, offline, monitor, clean, ..."),
        Column("owner", pl.String(), "owner of the resource as printed"),
        Column("group", pl.String(), "service group the message is about"),
        Column("system", pl.String(), "system the message is about", host="named"),
        Column("node_id", pl.Int16(), "LLT node id of that system, where printed"),
        Column("previous_state", pl.String(), "state left, for state changes"),
        Column("state", pl.String(), "state reached: online, offline, FAULTED, RUNNING, ..."),
        Column("how", pl.String(), "cause in parentheses: VCS initiated, Not initiated by VCS, First probe, ..."),
        Column("membership", pl.String(), "membership mask as printed, hexadecimal; bit i is node i"),
        Column("user_name", pl.String(), "user who fired a command"),
        Column("text", pl.String(), "the message without its head; wrapped lines joined by one blank"),
        Column("payload", pl.String(), "command output that followed the message, lines kept"),
    ),
    message=Message(source="vcs", text="text", severity="severity", message_id="message_id", process="agent"),
)

TEXT_COLUMNS = ("severity_printed", "printed_id", "host", "text")
"""A message as a line has it: severity, id and host each null where none is printed."""

SEVERITY = "[A-Z]+(?:_[A-Z0-9]+)?"  # CRITICAL, ERROR, WARNING, NOTICE (NOTE on Windows), INFO, DBG_21
MESSAGE_ID = "V-[0-9]+(?:-[0-9]+){1,2}"  # V-16-1-10298, but also V-2-19

# The part of a line that all releases from 4.0 on share, whatever stands before it.
# ADAPTED: VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED
BODY = (
    r"VCS\s*"  # \s*: web copies lose blanks
    rf"(?P<severity_printed>{SEVERITY})\s*"
    rf"(?P<printed_id>{MESSAGE_ID})\s*"
    r"(?P<text>.*)$"
)

# REAL (ha* commands, stored GitHub text): VCS ERROR V-16-1-10600 Cannot connect to VCS engine
# ADAPTED: Had[20417]: VCS NOTICE V-16-1-10086 System oak (Node '0') is in Regular Membership - Membership: 0x3
UNDATED = rf"^\s*(?:[Hh]ad(?:\[[0-9]+\])?:\s*)?{BODY}"

# RECONSTRUCTED: VCS:10322:System sun-ha3 (Node '0') changed state from RUNNING to FAULTED
OLD_BODY = r"^\s*(?:(?P<severity_printed>TAG_[A-Z])\s+)?VCS:(?P<printed_id>[0-9]+):\s*(?P<text>.*)$"

# ADAPTED: WARNING:: VCS Concurrency Violation!!! Group="webgrp" Hosts=(alder birch)
NUMBERLESS_BODY = r"^[\s:]*(?:(?P<severity_printed>[A-Z]+):+\s*)?VCS\s+(?P<text>.*)$"

# RECONSTRUCTED: (sun-ha4) Resource(db03shark): Output of the completed operation (online)
# RECONSTRUCTED: Thread(4) Resource(db03shark): Output of the completed operation (online)
SENDER = r"^(?:\([^()\s]+\)|Thread\([0-9]+\))$"


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
"""Category and number of the message id. VCS 2.x and 3.5 print the number alone; no number stands in two categories."""

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


def messages(rows: pl.DataFrame) -> pl.DataFrame:
    """Read VCS messages that another log carries: key, stamp and a `text` such as `VCS ERROR V-16-1-10322 System …`.

    Gives VCS_EVENT rows for the texts that are of VCS and leaves the others out.
    """
    bodies = [rows.get_column("text").str.extract_groups(each) for each in (UNDATED, OLD_BODY, NUMBERLESS_BODY)]
    found = rows.select(*KEY_SCHEMA, *STAMP_SCHEMA).with_columns(
        pl.coalesce(*(body.struct.field(name) for body in bodies if name in body.struct.fields)).alias(name)
        for name in ("severity_printed", "printed_id", "text")
    )
    printed = pl.col("printed_id")
    era = pl.when(printed.str.starts_with("V")).then(pl.lit("umi")).when(printed.is_not_null()).then(pl.lit("tag_2"))
    heads = found.filter(pl.col("text").is_not_null()).with_columns(
        era.otherwise(pl.lit("tag_1")).alias("era"),
        pl.lit(None, pl.String()).alias("host"),
        pl.lit(None, pl.String()).alias("payload"),
    )
    texts, numbers = numbered(heads.select(TEXT_COLUMNS))
    return typed(heads.with_columns(numbers.alias("message")), texts)


def numbered(texts: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The different rows of a frame, and for each of its rows the number of the one that it is."""
    different = texts.unique()
    numbers = different.with_row_index("number")
    found = texts.join(numbers, on=texts.columns, how="left", nulls_equal=True, maintain_order="left")
    return different, found["number"]


def typed(heads: pl.DataFrame, texts: pl.DataFrame) -> pl.DataFrame:
    """Fill VCS_EVENT from heads (key, stamp, era, payload) of which `message` is the number of a row of `texts`.

    A log says the same few things again and again: what a text means is found out once (TEXT_COLUMNS).
    """
    meant = _meant(texts)
    own = [name for name in VCS_EVENT.schema if name not in meant.columns]
    return pl.concat([heads.select(own), meant[heads["message"]]], how="horizontal").select(*VCS_EVENT.schema)


def _meant(texts: pl.DataFrame) -> pl.DataFrame:
    """The columns of VCS_EVENT that a message itself decides, row by row."""
    named = _without_host(texts).join(_identities(texts), on="printed_id", how="left", maintain_order="left")
    rows = named.with_columns(pl.col("severity_printed").replace(SEVERITIES).alias("severity"), _kinds(named))
    fields = pl.concat(_fields(rows.select("kind", "text").with_row_index("row_no")))
    read = rows.with_row_index("row_no").join(fields, on="row_no", how="left", maintain_order="left")
    return read.with_columns(
        pl.col("node_id").cast(pl.Int16(), strict=False),
        pl.coalesce("how", "cause").alias("how"),
        pl.col("system").str.strip_chars_end(".,"),
    ).select(name for name in VCS_EVENT.schema if name in {*read.columns})


def _fields(rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """`FIELD_NAMES` of the rows that have any: group by group of those that match the same patterns.

    To see that a pattern does not match costs a tenth of reading what it captures.
    """
    yield _captured(rows.clear(), ())
    for numbers, kinds in KINDS_BY_PATTERNS.items():
        of_kinds = rows.filter(pl.col("kind").is_in(kinds)) if numbers else rows.clear()
        if not of_kinds.height:
            continue
        bits = [of_kinds["text"].str.contains(FIELDS[number][1]).cast(pl.UInt16) * 2**number for number in numbers]
        matched = of_kinds.with_columns(pl.sum_horizontal(bits).alias("matched")).filter(pl.col("matched") > 0)
        for (matches,), group in matched.group_by("matched"):
            yield _captured(group, [number for number in numbers if int(str(matches)) >> number & 1])


def _captured(rows: pl.DataFrame, numbers: Sequence[int]) -> pl.DataFrame:
    """What these patterns, all of which match, capture."""
    groups = [pl.col("text").str.extract_groups(FIELDS[number][1]).alias(f"fields_{number}") for number in numbers]
    return rows.with_columns(groups).select("row_no", *(_field(name, numbers).alias(name) for name in FIELD_NAMES))


def _without_host(heads: pl.DataFrame) -> pl.DataFrame:
    """Take the node (or thread) that stands before a message of an agent off the text."""
    rows = heads.with_columns(pl.col("text").str.strip_chars())
    text = pl.col("text").str
    is_candidate = text.starts_with("(") | text.starts_with("Thread(")
    sender = pl.when(is_candidate).then(text.head(text.find(")", literal=True) + 1)).alias("sender")
    senders = rows.select(sender).to_series()
    known = senders.unique().drop_nulls()
    known = known.filter(known.str.contains(SENDER))
    if not len(known):
        return rows
    is_forwarded = pl.col("sender").is_in(known.implode()) & ~text.contains("\n", literal=True)
    message = text.slice(pl.col("sender").str.len_chars()).str.strip_chars_start()
    node = pl.when(is_forwarded & text.starts_with("(")).then(pl.col("sender").str.strip_chars("()"))
    return (
        rows.with_columns(senders)
        .with_columns(
            pl.coalesce("host", node).alias("host"), pl.when(is_forwarded).then(message).otherwise("text").alias("text")
        )
        .drop("sender")
    )


def _identities(heads: pl.DataFrame) -> pl.DataFrame:
    """Message id, originator, category, number and kind of every id that occurs."""
    printed = pl.col("printed_id")
    parts = printed.str.split_exact("-", 3)
    second, third = parts.struct.field("field_2"), parts.struct.field("field_3")
    is_number = ~printed.str.starts_with("V")
    is_engine = printed.str.len_bytes() <= 5
    old_id = pl.when(is_engine).then("V-16-1-" + printed).otherwise("VCS:" + printed)
    originator = pl.when(is_number).then(pl.lit("16")).otherwise(parts.struct.field("field_1"))
    category = pl.when(is_number & is_engine).then(pl.lit("1")).when(third.is_not_null()).then(second)
    number = pl.when(is_number).then(printed).otherwise(pl.coalesce(third, second))
    listed = printed.replace_strict(KIND_BY_PRINTED_ID, default=None, return_dtype=pl.String())
    return (
        heads.select(printed.drop_nulls().unique())
        .with_columns(
            pl.when(is_number).then(old_id).otherwise(printed).alias("message_id"),
            originator.cast(pl.Int32(), strict=False).alias("originator"),
            category.cast(pl.Int32(), strict=False).alias("category"),
            number.cast(pl.Int32(), strict=False).alias("message_number"),
        )
        .with_columns(
            pl.coalesce(listed, pl.when(pl.col("category") == 6).then(pl.lit("trigger"))).alias("listed_kind")
        )
    )


def _kinds(named: pl.DataFrame) -> pl.Series:
    """By id where the id is listed, else by text."""
    known = named.select(pl.col("listed_kind").alias("kind"), "text").with_row_index()
    telling = known.filter(pl.col("kind").is_null() & pl.col("text").str.contains(ANY_KIND))
    by_text = [pl.when(pl.col("text").str.contains(pattern)).then(pl.lit(kind)) for kind, pattern in KIND_BY_TEXT]
    found = telling.select("index", pl.coalesce(by_text).alias("found"))
    together = known.join(found, on="index", how="left", maintain_order="left")
    return together.select(pl.coalesce("kind", "found", pl.lit("other"))).to_series()


def _field(name: str, numbers: Sequence[int]) -> pl.Expr:
    """The first of the patterns' groups of that name that holds a value."""
    found = [pl.col(f"fields_{number}").struct.field(name) for number in numbers if f"(?P<{name}>" in FIELDS[number][1]]
    if name == "entry_point":
        found.append(pl.when(pl.col("kind") == "clean_called").then(pl.lit("clean")))
    return pl.coalesce(*found, pl.lit(None, pl.String()))
