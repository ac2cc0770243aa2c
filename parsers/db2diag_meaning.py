"""What a db2diag record says: function path, message codes, level of the old layout, and its kind."""

import polars as pl

from parsers.db2diag_fields import groups_of

# REAL: FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrHandleHsAck, probe: 30330
FUNCTION = (
    r"^(?P<product>[^,]*), *(?P<component>.+?), *(?P<function>[^,]+?)"
    r"(?:, *(?:probe *: *(?P<probe>[0-9]+))?)?$"
)
# REAL: ZRC=0x85100009=-2062548983=SQLP\_NOSPACE (through Markdown); 8.2: ZRC 0x810F0019 -2129723367 SQLO_CONN_REFUSED
ZRC = (
    r"\bZRC[= ](?P<zrc>0x[0-9A-Fa-f]{8})"
    r"(?:=-?[0-9]+=(?P<zrc_name>[A-Z][A-Z0-9_\\]+)| -?[0-9]+ (?P<zrc_name_82>[A-Z][A-Z0-9_\\]+))?"
)
MESSAGE_CODE = r"\b((?:ADM|DIA|SQL|SPM|DBA)[0-9]{4,5}[NWCEI])\b"
UNTYPED_CODE = r"\b((?:ADM|DIA|SQL|SPM|DBA)[0-9]{4,5})\b"
SQLCODE = r"sqlcode: *(-?[0-9]*[1-9][0-9]*)"

LEVEL_OF_LETTER = {"C": "Critical", "E": "Error", "N": "Error", "W": "Warning", "I": "Info"}

# The first that fits is the kind. Each is looked for in this text, in small letters:
#     process, product, component, function | verb : event | message | retcode | oserr | data
# A blank stands for any white space, since texts wrap between words. Type letters change by release.
KINDS = {
    "new_diag_file": r"start : new diagnostic log file",
    "recovery_failed": r"adm1532[a-z]?\b",
    "recovery_ok": r"adm1531[a-z]?\b",
    "recovery_initiated": r"adm1530[a-z]?\b",
    "recovered_offline": r"adm1533[a-z]?\b",  # recovered, but for table spaces that are offline
    "member_recovery": r"adm152[456][a-z]?\b",  # initiated, completed, failed; pureScale, as the next
    "group_recovery": r"adm152[789][a-z]?\b",
    "sync_phase_done": r"adm1505[a-z]?\b|crash recovery has completed synchronous",
    "forward_phase_done": r"dia2051[a-z]?\b|forward phase of crash recovery has completed",
    "crash_recovery_needed": r"crash recovery is needed",
    "crash_recovery_started": r"crash recovery (?:has been )?(?:started|initiated)",
    "parallel_recovery": r"using parallel recovery with",
    "crash_recovery_done": r"crash recovery (?:has )?completed",
    "hadr_takeover": (
        r"standby has (?:initiated a|completed) takeover|primary has started (?:non-forced|a forced) takeover"
    ),
    "hadr_command": r"received (?:start|stop|takeover) hadr",
    "hadr_state": r"hadr state set to",
    "hadr_role": r"hadr role set to|hadr database role",
    "hadr_connected": r"connection succeeded, connid=",
    "hadr_refused": (
        r"failed to connect to primary|high availability disaster recovery,.*sqlo\\?_conn\\?_refused|adm12510[a-z]?\b"
    ),
    "hadr_error": r"adm125(?:0[0-9]|1[0-9]|20)[a-z]?\b",
    "hadr_socket_buffer": r"hadr socket (?:send|receive) buffer|so_(?:snd|rcv)buf:",
    "index_rebuild": r"adm(?:554[0-3]|950[6-9]|9517)[a-z]?\b",
    "log_full": r"adm182[36][a-z]?\b|sqlp\\?_nospace|dia8309[a-z]?\b|dia8312[a-z]?\b|sql0964[a-z]?\b",
    "log_archive": r"adm184[34568][a-z]?\b|(?:started|completed) archive for log file",
    "lock_escalation": r"adm550[0-5][a-z]?\b|dia8310[a-z]?\b",
    "deadlock": r"sqlp\\?_lded|dia8002[a-z]?\b|sql0911n.*reason code \"?2\b",
    "lock_timeout": r"sqlp\\?_ltimeout|sql0911n.*reason code \"?68\b|adm550[67][a-z]?\b",
    "write_suspend": r"adm(?:6075|6045|6076)[a-z]?\b",
    "config_change": r"change : (?:stmm )?cfg \(?(?:dbm?\b)|sqlflogupdatecfgparam",
    "instance_start": r"sql1063n|db2start processing was successful|sqleprintfinalmessage.*sqlcode: -1063\b",
    "instance_stop": r"sql1064n|db2stop processing was successful|sqleprintfinalmessage.*sqlcode: -1064\b",
    "start_refused": r"sql1026n|sql1032n|sql1220n",
    "indoubt": r"dia2030[a-z]?\b",  # transactions left in doubt at shutdown
    "db_activate": r"start : database: .*\bactivated",
    "db_deactivate": r"stop : database: .*\bdeactivated",
    "client_reroute": r"client reroute|reconnecting to hostname/ip|dia3202[a-z]?\b",
    "cluster_action": r"^[^|]*(?:db2havend|, pacemaker,|, high avail services,|, sqlha[a-z]*)",
}

# No kind fits a text without one of these words. They are looked for all at once, and few records of a log have one.
HINTS = (  # noqa: SIM905 - words read better as text
    "diagnostic adm1 adm5 adm6 adm9 recovery dia2030 dia2051 dia3202 dia8002 dia83 hadr takeover connid= "
    "primary refused so_sndbuf: so_rcvbuf: nospace sql0911 sql0964 sql1026 sql1032 sql1063 sql1064 "
    "sql1220 archive lded ltimeout cfg processing sqleprintfinalmessage activated reroute reconnecting "
    "db2havend pacemaker avail sqlha"
).split()


def with_meaning(records: pl.DataFrame) -> pl.DataFrame:
    """Add to records, that have every field of their table and FUNCTION as printed, what their texts say."""
    code_text = pl.concat_str("message", "retcode", "event_text", separator=" ", ignore_nulls=True)
    zrc_text = pl.concat_str("retcode", "message", separator=" ", ignore_nulls=True)
    texts = records.select(code_text.alias("code"), zrc_text.alias("zrc"))
    called = groups_of(records.get_column("FUNCTION"), FUNCTION)
    zrc = groups_of(texts.get_column("zrc"), ZRC)
    records = records.with_columns(
        called.get_column("product"),
        pl.coalesce(called.get_column("component"), "component"),
        pl.coalesce(called.get_column("function"), "function"),
        pl.coalesce(called.get_column("probe"), "probe"),
        zrc.get_column("zrc"),
        pl.coalesce(zrc.get_column("zrc_name"), zrc.get_column("zrc_name_82"))
        .str.replace_all("\\", "", literal=True)
        .alias("zrc_name"),
        _message_code(texts.get_column("code")),
        pl.col("data").str.extract(SQLCODE).alias("sqlcode"),
    )
    letter = pl.col("message_code").str.slice(-1)
    level = letter.replace_strict(LEVEL_OF_LETTER, default="Unknown").fill_null("Unknown")
    return records.with_columns(pl.when(era="v81").then(level).otherwise("level").alias("level"), _kind(records))


def _message_code(texts: pl.Series) -> pl.Series:
    """The first code with its type letter, else the first without."""
    typed = groups_of(texts, MESSAGE_CODE).to_series()
    untyped = groups_of(texts, UNTYPED_CODE).to_series()
    return typed.fill_null(untyped).alias("message_code")


def _kind(records: pl.DataFrame) -> pl.Series:
    """The kind of each record by the first of KINDS that its text shows."""
    event = pl.concat_str("event_type", "event_text", separator=" : ").alias("event")
    path = ("process", "product", "component", "function")
    said = records.select(*path, event, "message", "retcode", "oserr", "data")
    hint = pl.all().str.contains_any(HINTS, ascii_case_insensitive=True).fill_null(value=False)
    hits = said.select(pl.any_horizontal(hint)).to_series().arg_true()
    searched = said[hits].select(
        pl.concat_str(
            pl.concat_str(path, separator=", ", ignore_nulls=True),
            pl.exclude(path),
            separator=" | ",
            ignore_nulls=True,
        )
        .str.to_lowercase()
        .alias("searched")
    )
    distinct = searched.unique()
    shows = distinct.select(
        pl.col("searched").str.contains("(?s)" + pattern.replace(" ", r"\s+")).alias(kind)
        for kind, pattern in KINDS.items()
    )
    first = pl.coalesce(*(pl.when(kind).then(pl.lit(kind)) for kind in KINDS), pl.lit("other"))
    distinct = distinct.with_columns(shows.select(first.alias("kind")).to_series())
    found = searched.join(distinct, on="searched", how="left", maintain_order="left").get_column("kind")
    kinds = pl.repeat("other", records.height, dtype=pl.String, eager=True)
    return kinds.scatter(hits, found).alias("kind")
