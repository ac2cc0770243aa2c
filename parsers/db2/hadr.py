"""What HADR, the replication of DB2, does by its own records: commands, take-overs, roles, states, connections."""

import polars as pl

from parsers.db2.db2diag_keys import groups_of
from parsers.format import Column, Table

HADR_EVENT = Table(
    name="hadr_event",
    grain="One row per db2diag or notification record about HADR; a record with several socket buffers has several.",
    is_public=False,
    columns=(
        Column(
            "kind",
            pl.String(),
            "hadr_command, hadr_start (begun, completed), hadr_start_failed, hadr_takeover, hadr_role, hadr_state, "
            "hadr_connected, hadr_refused, hadr_socket_buffer, hadr_error",
        ),
        Column("instance", pl.String(), "DB2 instance"),
        Column("database", pl.String(), "database; where DB is not printed, the one that the EDU is named after"),
        Column("member", pl.Int32(), "database partition or member"),
        Column("host", pl.String(), "HOSTNAME field", host="own"),
        Column("eduid", pl.Int64(), "engine dispatchable unit id"),
        Column("edu", pl.String(), "engine dispatchable unit: db2hadrp.0.1 (HADRDB) 0, ..."),
        Column("side", pl.String(), "role of the writer: primary or standby; by its EDU, its new state or its words"),
        Column("log_stream", pl.Int32(), "log stream that the EDU serves, from V10.1 on"),
        Column("standby_id", pl.Int32(), "number of the standby that the EDU serves; 0 on a standby; from V10.1 on"),
        Column("command", pl.String(), "start, stop or takeover, of a command"),
        Column("command_role", pl.String(), "primary or standby, of a START HADR that says so (from V10.1 on)"),
        Column("is_forced", pl.Boolean(), "whether a command or take-over was by force; null if not reported"),
        Column("is_peer_window_only", pl.Boolean(), "whether a take-over by force kept to the peer window"),
        Column("old_role", pl.String(), "role before, of a role or state change: standard, primary or standby"),
        Column("new_role", pl.String(), "role after"),
        Column(
            "old_state",
            pl.String(),
            "state before: none, boot, local_catchup, rcu_pending, rcu, nearly_peer, peer or disconnected_peer",
        ),
        Column("new_state", pl.String(), "state after"),
        Column("old_state_raw", pl.String(), "state before as printed: P-Peer (to V9.7), HDR_P_PEER (from V10.1 on)"),
        Column("new_state_raw", pl.String(), "state after as printed"),
        Column("conn_id", pl.Int64(), "number of the connection, the same on both hosts, from V10.1 on"),
        Column("direction", pl.String(), "send or receive, of a socket buffer"),
        Column("requested_bytes", pl.Int64(), "bytes asked for by the registry variable; null where it is not set"),
        Column("actual_bytes", pl.Int64(), "bytes that the system gave"),
        Column("timeout_s", pl.Float64(), "time after which a start was given up, seconds"),
        Column("message_code", pl.String(), "ADM code"),
        Column("text", pl.String(), "what the record says of it"),
    ),
)

KINDS = (
    "hadr_command",
    "hadr_start",
    "hadr_start_failed",
    "hadr_takeover",
    "hadr_role",
    "hadr_state",
    "hadr_connected",
    "hadr_refused",
    "hadr_socket_buffer",
    "hadr_error",
)

# REAL (bug IT10602): START   : Received START HADR SECONDARY command.                  (up to V9.7: START HADR command)
# REAL (db2pcmkconfig): START   : Received TAKEOVER HADR command.
COMMAND = (
    r"(?i)\bReceived (?P<command>START|STOP|TAKEOVER) HADR"
    r"(?: (?P<command_role>PRIMARY|SECONDARY|STANDBY)(?P<command_force> FORCE)?)?"
)
# REAL (db2-hadr-wiki): Standby has initiated a takeover by force peer window only.
STANDBY_TAKEOVER = (
    r"(?i)\b(?P<standby>Standby) has (?:initiated a|completed) takeover"
    r"(?P<force> by force)?(?P<window> peer window only)?"
)
# REAL (db2pcmkconfig): MESSAGE : Primary has started non-forced takeover request.
PRIMARY_TAKEOVER = r"(?i)\b(?P<primary>Primary) has started (?:non-forced|(?P<forced>a forced)) takeover"
# REAL (db2-hadr-wiki, V9.7): CHANGE  : HADR role set to Primary (was Standard)
# REAL (db2-hadr-wiki, V10.1): HADR database role set to STANDBY (was PRIMARY).
ROLE = r"(?i)\bHADR (?:database )?role set to (?P<new_role>[A-Z]+) \(was (?P<old_role>[A-Z]+)\)"
# REAL (db2-hadr-wiki, V9.7): CHANGE  : HADR state set to P-Peer (was P-NearlyPeer)
# REAL (db2pcmkconfig): CHANGE  : HADR state set to HDR_P_PEER (was HDR_S_PEER), connId=1
STATE = r"(?i)\bHADR state set to (?P<new_state_raw>[^ ]+) \(was (?P<old_state_raw>[^ )]+)\)"
# REAL (db2-hadr-wiki): Connection succeeded, connId=1
CONNECTION = r"(?i)\bconnId=(?P<conn_id>[0-9]+)"
# ADAPTED: Timeout seconds = 0x0780000012340008 : 0000 001E        a dump, whose bytes are as the machine has them
TIMEOUT = (
    r"(?i)\bTimeout seconds = *(?:(?P<timeout>[0-9]{1,9})\b[^x]"
    r"|0x[0-9A-F]+ : (?P<timeout_high>[0-9A-F]{4}) ?(?P<timeout_low>[0-9A-F]{4}))"
)
MOST_TIMEOUT_S = 65_535
# RECONSTRUCTED: HADR Socket send buffer size, SO_SNDBUF: Requested 131072 bytes, Actual 262142 bytes
# Without the registry variable only the size is reported: `..., SO_SNDBUF: 87040 bytes`.
SOCKET_BUFFER = r"(?i)(?:HADR Socket [^:]*, )?SO_(?:SND|RCV)BUF: *(?:Requested [0-9]+ bytes, *Actual )?[0-9]+ bytes"
BUFFER_SIZES = (
    r"(?i)SO_(?P<option>SND|RCV)BUF: *"
    r"(?:Requested (?P<requested_bytes>[0-9]+) bytes, *Actual )?(?P<actual_bytes>[0-9]+) bytes"
)
# REAL (db2pcmkconfig): EDUNAME: db2hadrp.0.1 (HADRDB) 0                  (up to V9.7: db2hadrp (HADRDB))
EDU = r"^db2hadr(?P<edu_side>[ps])(?:\.(?P<log_stream>[0-9]+)\.(?P<standby_id>[0-9]+))?"
EDU_DATABASE = r"\((?P<edu_database>[^)]+)\)"

ROLES = {"P": "primary", "S": "standby", "PRIMARY": "primary", "SECONDARY": "standby", "STANDBY": "standby"}
ROLES |= {"STANDARD": "standard"}

# What a state is called once HDR_, the role's letter and everything but letters are taken off.
# The names of V9.7 other than Peer and NearlyPeer are by analogy.
STATES = {
    "NONE": "none",
    "NOSTATE": "none",
    "BOOT": "boot",
    "LOCALCATCHUP": "local_catchup",
    "LOCCATCHUP": "local_catchup",
    "REMOTECATCHUPPENDING": "rcu_pending",
    "REMCATCHUPPENDING": "rcu_pending",
    "REMOTECATCHUP": "rcu",
    "REMCATCHUP": "rcu",
    "NEARLYPEER": "nearly_peer",
    "NPEER": "nearly_peer",
    "PEER": "peer",
    "DISCONNECTEDPEER": "disconnected_peer",
    "DISCONNPEER": "disconnected_peer",
}
STATE_NAME = r"(?i)^(?:HDR[_-])?(?:(?P<role>[PS])[_-])?(?P<name>.*)$"


def hadr_events(records: pl.DataFrame) -> pl.DataFrame:
    """The HADR events among records of `db2diag_record`, with the columns of their table."""
    found = records.filter(pl.col("kind").is_in(KINDS))
    if found.is_empty():
        return HADR_EVENT.empty()
    body = pl.col("data").str.replace_all(r"(?m)^(?:DATA|ARG) +#.*$", "")
    text = pl.concat_str("event_text", "message", "retcode", body, separator=" ", ignore_nulls=True)
    found = found.with_columns(text.str.replace_all(r"\s+", " ").str.strip_chars().alias("text"))
    events = _with_buffers(_with_edus(found))
    events = _with_groups(events, "text", COMMAND, STANDBY_TAKEOVER, PRIMARY_TAKEOVER, STATE, CONNECTION, ROLE, TIMEOUT)
    events = _with_timeouts(events)
    events = _with_roles(_with_states(_with_commands(events)))
    return events.select(pl.col(name).cast(dtype, strict=False) for name, dtype in HADR_EVENT.schema.items())


def _with_groups(events: pl.DataFrame, column: str, *patterns: str) -> pl.DataFrame:
    return events.with_columns(groups_of(events.get_column(column), *patterns).get_columns())


def _with_edus(events: pl.DataFrame) -> pl.DataFrame:
    """Add what the name of the EDU shows: its side, log stream and standby, and the database."""
    events = _with_groups(events, "eduname", EDU, EDU_DATABASE)
    return events.with_columns(
        pl.coalesce("database", "edu_database").alias("database"), pl.col("eduname").alias("edu")
    )


def _with_buffers(events: pl.DataFrame) -> pl.DataFrame:
    """A row for each socket buffer that a record reports, and one for each other record."""
    sizes = pl.when(kind="hadr_socket_buffer").then(pl.col("text").str.extract_all(SOCKET_BUFFER))
    events = events.with_columns(sizes.alias("buffer")).explode("buffer", empty_as_null=True, keep_nulls=True)
    events = _with_groups(events, "buffer", BUFFER_SIZES)
    is_first = pl.struct("file_id", "line_no").ne_missing(pl.struct("file_id", "line_no").shift(1))
    first_place = pl.when(is_first).then(pl.int_range(pl.len())).forward_fill()
    is_send = pl.col("option").str.to_uppercase() == "SND"
    return events.with_columns(
        (pl.int_range(1, pl.len() + 1) - first_place).alias("part"),
        pl.when(is_send).then(pl.lit("send")).when(~is_send).then(pl.lit("receive")).alias("direction"),
        pl.coalesce("buffer", "text").alias("text"),
    )


def _with_commands(events: pl.DataFrame) -> pl.DataFrame:
    """Add what commands and take-overs say of themselves."""
    is_command, is_takeover = pl.col("kind") == "hadr_command", pl.col("kind") == "hadr_takeover"
    is_known = pl.col("command_role").is_not_null()
    by_standby, by_primary = pl.col("standby").is_not_null(), pl.col("primary").is_not_null()
    return events.with_columns(
        pl.when(is_command).then(pl.col("command").str.to_lowercase()).alias("command"),
        pl.when(is_command).then(_role("command_role")).alias("command_role"),
        pl.when(is_command & is_known)
        .then(pl.col("command_force").is_not_null())
        .when(is_takeover & by_standby)
        .then(pl.col("force").is_not_null())
        .when(is_takeover & by_primary)
        .then(pl.col("forced").is_not_null())
        .alias("is_forced"),
        pl.when(is_takeover & by_standby).then(pl.col("window").is_not_null()).alias("is_peer_window_only"),
        pl.when(is_takeover).then(_role(pl.coalesce("standby", "primary"))).alias("said_side"),
    )


def _with_timeouts(events: pl.DataFrame) -> pl.DataFrame:
    """Add the time after which a start was given up, of a dump in either order of its bytes."""
    digits = pl.concat_str("timeout_high", "timeout_low")
    pairs = [digits.str.slice(place, 2) for place in (6, 4, 2, 0)]
    big, small = (each.str.to_integer(base=16, strict=False) for each in (digits, pl.concat_str(pairs)))
    dumped = pl.when(big <= MOST_TIMEOUT_S).then(big).otherwise(small)
    return events.with_columns(pl.coalesce(pl.col("timeout").cast(pl.Int64, strict=False), dumped).alias("timeout_s"))


def _with_states(events: pl.DataFrame) -> pl.DataFrame:
    """Add the states in the words of both spellings, and the roles that they have."""
    for when in ("old", "new"):
        events = _with_groups(events, f"{when}_state_raw", STATE_NAME)
        name = pl.col("name").str.to_uppercase().str.replace_all("[^A-Z]", "")
        events = events.with_columns(
            name.replace_strict(STATES, default=None).alias(f"{when}_state"), _role("role").alias(f"{when}_state_role")
        )
    return events


def _with_roles(events: pl.DataFrame) -> pl.DataFrame:
    """Add the roles before and after, and the side of the writer."""
    events = events.with_columns(
        pl.coalesce(_role(f"{when}_role"), f"{when}_state_role").alias(f"{when}_role") for when in ("old", "new")
    )
    return events.with_columns(pl.coalesce(_role("edu_side"), "new_state_role", "said_side").alias("side"))


def _role(word: str | pl.Expr) -> pl.Expr:
    word = pl.col(word) if isinstance(word, str) else word
    return word.str.to_uppercase().replace_strict(ROLES, default=None, return_dtype=pl.String)
