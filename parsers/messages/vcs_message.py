"""What a VCS message means: its id, its kind, and the resource, group and system that it is about.

Read by     the engine log, and the syslog copy of what HAD finds worth CRITICAL or ERROR
Keyed by    message id first; the text decides for VCS 1.x, which has no ids, and for ids that are not listed
Ids         VCS 2.x and 3.5 print `VCS:10298`, later releases `V-16-1-10298` for the same message; six digits
            (`VCS:254001`) number the messages of an agent and have no later form
Languages   localised text keeps its id, so its kind is known where its resource is not
"""

from collections.abc import Iterator, Sequence

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Column, Message, Table, of
from parsers.messages.vcs_vocabulary import (
    ANY_KIND,
    FIELD_NAMES,
    FIELDS,
    KIND_BY_PRINTED_ID,
    KIND_BY_TEXT,
    KINDS_BY_PATTERNS,
    SEVERITIES,
)
from parsers.star import Remembered, Star, numbered

VCS_EVENT = Table(
    name="vcs_event",
    grain="One row per message of VCS (the HAD engine and its agents), from engine logs and from syslog copies.",
    subject="Messages",
    part="message within the line, from 1",
    host_table="syslog_event",
    columns=of(
        "message",
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

TEXT_COLUMNS = ("era", "severity_printed", "printed_id", "host", "text")
"""A message as a line has it: the form of the line, then severity, id and host, each null where none is printed."""

NO_PAYLOAD = pl.lit(None, pl.String()).alias("payload")

SEVERITY = "[A-Z]+(?:_[A-Z0-9]+)?"  # CRITICAL, ERROR, WARNING, NOTICE (NOTE on Windows), INFO, DBG_21
MESSAGE_ID = "V-[0-9]+(?:-[0-9]+){1,2}"  # V-16-1-10298, but also V-2-19

# The part of a line that all releases from 4.0 on share, no matter what is before it.
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


def messages(rows: pl.DataFrame) -> Star:
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
        era.otherwise(pl.lit("tag_1")).alias("era"), pl.lit(None, pl.String()).alias("host")
    )
    texts, numbers = numbered(heads.select(TEXT_COLUMNS))
    return typed(heads.with_columns(numbers.alias("message_no")), texts.with_columns(NO_PAYLOAD))


def typed(heads: pl.DataFrame, texts: pl.DataFrame) -> Star:
    """VCS_EVENT of heads (key, stamp) whose `message_no` is the number of a row of `texts` (TEXT_COLUMNS, payload)."""
    return VCS_EVENT.star(heads, message=_remembered(texts))


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


_remembered = Remembered(_meant)


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


def field_count(text: pl.Expr) -> pl.Expr:
    """How many patterns of what a message is about fit: of its resource, group, system, ..."""
    return pl.sum_horizontal(text.str.contains(pattern) for _, pattern in FIELDS)


def _captured(rows: pl.DataFrame, numbers: Sequence[int]) -> pl.DataFrame:
    """What these patterns, all of which match, capture."""
    groups = [pl.col("text").str.extract_groups(FIELDS[number][1]).alias(f"fields_{number}") for number in numbers]
    return rows.with_columns(groups).select("row_no", *(_field(name, numbers).alias(name) for name in FIELD_NAMES))


def _without_host(heads: pl.DataFrame) -> pl.DataFrame:
    """Take the node (or thread) that is before a message of an agent off the text."""
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
    unknown = known.filter(pl.col("kind").is_null() & pl.col("text").str.contains(ANY_KIND))
    by_text = [pl.when(pl.col("text").str.contains(pattern)).then(pl.lit(kind)) for kind, pattern in KIND_BY_TEXT]
    found = unknown.select("index", pl.coalesce(by_text).alias("found"))
    together = known.join(found, on="index", how="left", maintain_order="left")
    return together.select(pl.coalesce("kind", "found", pl.lit("other"))).to_series()


def _field(name: str, numbers: Sequence[int]) -> pl.Expr:
    """The first of the patterns' groups of that name that holds a value."""
    found = [pl.col(f"fields_{number}").struct.field(name) for number in numbers if f"(?P<{name}>" in FIELDS[number][1]]
    if name == "entry_point":
        found.append(pl.when(pl.col("kind") == "clean_called").then(pl.lit("clean")))
    return pl.coalesce(*found, pl.lit(None, pl.String()))
