"""Messages of cluster managers, replication and databases that report a failover in any log.

Which messages are read, and what each shows, is data: `ha_rules/*.toml`, read by `parsers.messages.ha_rule`. `read`
turns the messages of any log into rows of `HA_EVENT`; `ha_rule.needles` find beforehand, and fast, the lines that may
be such messages.

A text is matched without the level and process id that may still are before it, up to its first line end, with runs
of blanks as one. A DRBD line whose device was treated as a tag gets it back.

object       the resource; of scripts of Heartbeat their first argument (an address without its mask), or the script;
             of DRBD the device, or the resource where the line names none
agent        `IPaddr2` of the tag `IPaddr2(vip1)` and of `/etc/ha.d/resource.d/IPaddr2 10.0.0.1/24 start`
stack        of an agent's line: heartbeat, unless its tag names a resource that an administrator named
return_code  0 for an operation that ended well
"""

from collections.abc import Iterator

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Column, Table
from parsers.messages import ha_rule
from parsers.messages.ha_rule import FIELDS, Rule

HA_EVENT = Table(
    name="ha_event",
    grain="One row per thing that a message of a cluster manager, replication or database says about a failover.",
    subject="Messages",
    part="thing within the message, from 1",
    columns=(
        Column("host", pl.String(), "node that wrote the line, as printed; null where the line has none", host="own"),
        Column(
            "stack",
            pl.String(),
            "heartbeat, drbd, corosync, pacemaker, sun_cluster, serviceguard, keepalived, "
            "patroni, repmgr, pg_auto_failover, cloudnativepg, stolon, postgresql, mysql, galera, redis, mongodb, "
            "etcd, consul, zookeeper, kafka, orchestrator, sqlserver, wsfc, oracle, haproxy, pgbouncer, "
            "vip_manager, pgpool, mysqlrouter, proxysql, maxscale, kubernetes, vxfen, chaos_mesh, litmus, toxiproxy, "
            "host (the operating system)",
        ),
        Column(
            "kind",
            pl.String(),
            "what the message says: peer_dead, member_lost, fence_done, resource_done, drbd_role, resync_done, ...",
        ),
        Column("object", pl.String(), "resource, group, device, address or mount point that the message is about"),
        Column(
            "object_class",
            pl.String(),
            "address, replication, mount, database, application, fencing; null where the message does not tell",
        ),
        Column("agent", pl.String(), "resource agent or script: IPaddr2, Filesystem, drbddisk, pgsql, ..."),
        Column("action", pl.String(), "operation on the resource: start, stop, promote, demote, monitor, ..."),
        Column("peer", pl.String(), "host that the message is about", host="named"),
        Column("peer_id", pl.Int64(), "id of that host in corosync's ring"),
        Column("old_state", pl.String(), "state that was left"),
        Column("new_state", pl.String(), "state that was reached"),
        Column("return_code", pl.Int32(), "return code of the operation"),
        Column("value", pl.Float64(), "number that the message states, in the unit of its kind"),
        Column("rule", pl.String(), "rule that read the message"),
        Column("uptime_s", pl.Float64(), "kernel uptime stamp, seconds"),
        Column("process", pl.String(), "program, daemon or agent that wrote it"),
        Column("pid", pl.Int64(), "process id"),
        Column("text", pl.String(), "the message"),
    ),
)

# REAL: /usr/lib/ocf/resource.d//heartbeat/IPaddr(IPaddr_172.30.105.201) and external/libvirt(s-libvirt)
TAG = r"^(?:/[^(]*/)?(?P<program>[^(]+)(?:\((?P<instance>.*)\))?$"
ADDRESS_OR_DEVICE = r"^(?:/|[0-9]+(?:\.[0-9]+){3}|[0-9a-fA-F]{0,4}:)"
DRBD_TAG = r"^(?:block )?drbd(?:[0-9]+| .+)$"
# REAL: "[3036]: info: Resources being acquired from backup." and "[7705431.110245] block drbd0: ..."
BEFORE_TEXT = (
    r"^\s*(?:\[ *[0-9]+(?:\.[0-9]+)?\]:? )?"  # Heartbeat's process id, the kernel's uptime
    r"(?:[\w./-]+\.go:[0-9]+\] )?"  # the place in klog, of a program that passes on what another one prints
    r"(?:(?:debug|info|notice|warn|warning|err|error|crit|critical"
    r"|DEBUG|INFO|NOTICE|WARN|WARNING|ERR|ERROR|CRIT|CRITICAL): )?\s*"
)

CONTAINER = r"^(?:docker.*|[0-9a-f]{12})$"
"""A tag that names a container, not the program in it: Docker's own is the id."""

OCF_RETURN_CODES = {
    "ok": 0,
    "error": 1,
    "unknown error": 1,
    "invalid parameter": 2,
    "unimplemented feature": 3,
    "insufficient privileges": 4,
    "not installed": 5,
    "not configured": 6,
    "not running": 7,
    "master": 8,
    "promoted": 8,
    "failed promoted": 9,
}
"""Words that Pacemaker prints for the return code of an agent (resource agent API of the Open Cluster Framework)."""

NO_HOST = ("(null)", "<null>", ".pending.", "None", "null", "(any)")
"""What daemons print where they know no host."""

DATABASE_NAME = r"(?i)db2|ora|mysql|maria|postgres|pgsql|database|(?:^|[-_])db(?:[-_]|$)"
"""Sun Cluster's generic agent says nothing of what it starts but the name of the resource."""


def read(records: pl.DataFrame) -> pl.DataFrame:
    """Turn messages, one per row, into what they say about a failover; a row depends on its own message only.

    `records` has the columns of key and stamp, `host`, `tag`, `pid`, `uptime_s` and `text`.
    """
    rows = records.with_row_index("row")
    matches = list(_matches(_normalise(rows), _candidates(rows)))
    if not matches:
        return HA_EVENT.empty()
    matched = pl.concat(matches).sort("row", "position")
    return _rows(matched.filter(~pl.col("changes") | pl.col("old_state").ne_missing(pl.col("new_state"))), rows)


def read_relevant(records: pl.DataFrame) -> pl.DataFrame:
    """As `read`, of any messages: those without a needle are left out first, and the rows of a line count from 1."""
    needles = list(ha_rule.needles())
    is_said = pl.col("text").str.contains_any(needles) | pl.col("tag").str.contains_any(needles).fill_null(value=False)
    relevant = records.filter(is_said)
    return counted(read(relevant)) if relevant.height else HA_EVENT.empty()


def counted(said: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of the lines, those of a line counted from 1 by `part`."""
    number = (pl.int_range(pl.len(), dtype=pl.Int16) + 1).over("file_id", "line_no")
    return said.sort(*KEY_SCHEMA, maintain_order=True).with_columns(number.alias("part"))


def _candidates(rows: pl.DataFrame) -> dict[str, pl.Series]:
    """Rows by the words that they hold."""
    words = sorted({word for rule in ha_rule.rules() for word in rule.words})
    said = pl.concat_str(pl.col("tag").fill_null(""), pl.lit("\0"), pl.col("text").fill_null(""))
    found = (
        rows.select("row", said.str.extract_many(words, overlapping=True).alias("word"))
        .filter(pl.col("word").list.len() > 0)
        .explode("word")
        .unique()
        .sort("row")
    )
    return {str(word): group["row"] for (word,), group in found.group_by("word")}


def _normalise(rows: pl.DataFrame) -> pl.DataFrame:
    """What the rules look at: `program` and `instance` of the tag, and the text as `said`."""
    tag, text = pl.col("tag"), pl.col("text").fill_null("")
    is_device = tag.str.contains(DRBD_TAG).fill_null(value=False)
    whole = pl.when(is_device).then(pl.concat_str(tag, pl.lit(": "), text)).otherwise(text)
    named = pl.when(~is_device).then(tag).str.extract_groups(TAG).struct.field
    said = whole.str.replace(BEFORE_TEXT, "").str.extract(r"^([^\r\n]*)", 1)
    return rows.select(
        "row",
        named("program").str.strip_chars().alias("program"),
        named("instance").alias("instance"),
        said.str.replace_all(r"[ \t]+", " ").str.strip_chars_end(" ").alias("said"),
    )


def _matches(messages: pl.DataFrame, candidates: dict[str, pl.Series]) -> Iterator[pl.DataFrame]:
    """What each rule reads, of the messages that hold one of its words and that no rule before it has read.

    A message that a shared rule has read is open to other shared rules.
    """
    program = messages["program"].fill_null("").str.replace(CONTAINER, "")
    is_by: dict[str, pl.Series] = {}
    is_free = {shared: pl.repeat(True, messages.height, eager=True) for shared in (True, False)}
    for position, rule in enumerate(ha_rule.rules()):
        held = [candidates[word] for word in rule.words if word in candidates]
        if not held:
            continue
        numbers = held[0] if len(held) == 1 else pl.concat(held).unique().sort()
        numbers = numbers.filter(is_free[rule.shared].gather(numbers))
        if not len(numbers):
            continue
        if rule.process is not None:
            if rule.process not in is_by:
                is_by[rule.process] = program.str.contains(ha_rule.ascii_only(rule.process))
            numbers = numbers.filter(is_by[rule.process].gather(numbers))
        matching = _apply(rule, messages[numbers]) if len(numbers) else messages.clear()
        if matching.height:
            is_free[False].scatter(matching["row"], values=False)
            if not rule.shared:
                is_free[True].scatter(matching["row"], values=False)
            yield matching.with_columns(pl.lit(position, pl.Int32).alias("position"))


def _apply(rule: Rule, looked_at: pl.DataFrame) -> pl.DataFrame:
    """The fields of the messages that a rule matches."""
    groups = looked_at.with_columns(pl.col("said").str.extract_groups(rule.pattern).alias("groups"))
    captured = pl.col("groups").struct.field
    columns = {name: captured(name) for name in rule.groups}
    nothing = pl.lit(None, pl.String)
    for name, value in rule.fields.items():
        fixed = pl.lit(str(value))
        columns[name] = pl.coalesce(columns[name], fixed) if name in columns else fixed
    if rule.from_tag:
        columns["agent"] = pl.col("program")
        named = pl.when(_is_made()).then(_argument()).otherwise("instance")
        columns["object"] = pl.coalesce(named, columns.get("object", nothing))
    if "script" in columns:
        columns["agent"] = columns["script"]
        columns["object"] = pl.coalesce(columns.get("object", nothing), columns["script"])
    return groups.filter(captured("whole").is_not_null()).select(
        "row",
        pl.lit(rule.id).alias("rule"),
        pl.lit(rule.kind).alias("kind"),
        (_stack_of_agent(rule) if rule.from_tag else pl.lit(rule.stack)).alias("stack"),
        pl.lit(rule.changes).alias("changes"),
        *(columns.get(name, nothing).alias(name) for name in (*FIELDS, "result", "value_hex", "node_id", "writer")),
    )


def _argument() -> pl.Expr:
    """What is left of the resource's name without the agent's: the argument, if Heartbeat made the name."""
    return pl.col("instance").str.strip_prefix(pl.col("program") + "_")


def _is_made() -> pl.Expr:
    """Whether Heartbeat made the resource's name of agent and address or device: `IPaddr_172.30.105.201`."""
    return (_argument() != pl.col("instance")) & _argument().str.contains(ADDRESS_OR_DEVICE)


def _stack_of_agent(rule: Rule) -> pl.Expr:
    """Pacemaker's agents print the name that an administrator gave the resource, Heartbeat's do not."""
    return pl.when(_is_made().fill_null(value=True)).then(pl.lit("heartbeat")).otherwise(pl.lit(rule.stack))


def _rows(matched: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of `ha_event` from what the rules captured."""
    kept = [*(name for name in KEY_SCHEMA if name != "part"), *STAMP_SCHEMA, "host", "uptime_s", "pid", "text"]
    sources = rows.select(*kept, "tag")[matched["row"]]
    whole = matched.hstack(sources.with_columns(_process().alias("process")).drop("tag"))
    typed = whole.with_columns(
        pl.coalesce("host", "writer").alias("host"),
        pl.int_range(1, pl.len() + 1).over("row").alias("part"),
        pl.coalesce("object_class", _class()).alias("object_class"),
        pl.when(~pl.col("peer").is_in(NO_HOST)).then(_with_port()).alias("peer"),
        pl.coalesce("peer_id", "node_id").cast(pl.Int64, strict=False).alias("peer_id"),
        pl.coalesce("new_state", "result").alias("new_state"),
        pl.coalesce(pl.col("return_code").cast(pl.Int32, strict=False), _code_of_word()).alias("return_code"),
        pl.coalesce(
            pl.col("value").cast(pl.Float64, strict=False),
            pl.col("value_hex").str.to_integer(base=16, strict=False).cast(pl.Float64),
        ).alias("value"),
    )
    bare = pl.col("object").str.extract(r"^([^/]+)/", 1)
    is_masked = (pl.col("object_class") == "address") & bare.is_not_null()
    objects = pl.when(is_masked.fill_null(value=False)).then(bare).otherwise("object")
    return typed.with_columns(objects.alias("object")).select(
        pl.col(name).cast(dtype) for name, dtype in HA_EVENT.schema.items()
    )


def _with_port() -> pl.Expr:
    """The peer; an address and its port that a blank divides as one name."""
    return pl.col("peer").str.replace(r"^(\S+) ([0-9]+)$", "${1}:${2}")


def _process() -> pl.Expr:
    """The program of a tag, without path and resource."""
    return pl.col("tag").str.extract(TAG, 1).str.strip_chars()


def _code_of_word() -> pl.Expr:
    word = pl.col("result").str.to_lowercase()
    return word.replace_strict(OCF_RETURN_CODES, default=None, return_dtype=pl.Int32)


def _class() -> pl.Expr:
    """Class of a resource by its agent; null where no agent is named."""
    agent = pl.col("agent")
    is_database = (agent == "gds") & pl.col("object").str.contains(DATABASE_NAME)
    found = pl.when(is_database).then(pl.lit("database")).otherwise(pl.lit("application"))
    for name, patterns in ha_rule.classes().items():
        found = pl.when(agent.str.contains("|".join(patterns))).then(pl.lit(name)).otherwise(found)
    return pl.when(agent.is_not_null()).then(found)
