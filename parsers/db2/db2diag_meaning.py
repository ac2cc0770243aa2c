"""What a db2diag record says: function path, message codes, level of the old layout, and its kind."""

from collections.abc import Iterator

import polars as pl

from parsers.db2.db2diag_keys import groups_of, spread

# REAL: FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrHandleHsAck, probe: 30330
FUNCTION = (
    r"^(?P<product>[^,]*), *(?P<component>.+?), *(?P<function>[^,]+?)"
    r"(?:, *(?:p ?r ?o ?b ?e *: *(?P<probe>[0-9]+(?: [0-9]+)?))?)?$"  # a blank where its line was cut
)
# REAL: ZRC=0x85100009=-2062548983=SQLP\_NOSPACE (through Markdown); 8.2: ZRC 0x810F0019 -2129723367 SQLO_CONN_REFUSED
ZRC = (
    r"\bZRC[= ](?P<zrc>0x[0-9A-Fa-f]{8})"
    r"(?:=-?[0-9]+=(?P<zrc_name>[A-Z][A-Z0-9_\\]+)| -?[0-9]+ (?P<zrc_name_82>[A-Z][A-Z0-9_\\]+))?"
)
MESSAGE_CODE = r"\b((?:ADM|DIA|SQL|SPM|DBA)[0-9]{4,5}[NWCEI])\b"
CODE_BEGINNING = r"(?:ADM|DIA|SQL|SPM|DBA)[0-9]"
UNTYPED_CODE = r"\b((?:ADM|DIA|SQL|SPM|DBA)[0-9]{4,5})\b"
SQLCODE = r"sqlcode: *(-?[0-9]*[1-9][0-9]*)"

LEVEL_OF_LETTER = {"C": "Critical", "E": "Error", "N": "Error", "W": "Warning", "I": "Info"}

# The first pattern that fits is the kind. Each is looked for in this text, in small letters:
#     process, product, component, function | verb : event | message | retcode | oserr | data
# A blank stands for any white space, since texts wrap between words. Type letters change by release.
# Before a pattern stand words: one of them is in every text that it fits. The words of all kinds are looked for at
# once, and few records of a log have one.
KINDS = {
    "new_diag_file": ("diagnostic", r"start : new diagnostic log file"),
    "recovery_ok": ("adm1531", r"adm1531[a-z]?\b"),
    "recovery_initiated": ("adm1530", r"adm1530[a-z]?\b"),
    "recovered_offline": ("adm1533", r"adm1533[a-z]?\b"),  # recovered, but for table spaces that are offline
    "member_recovery": ("adm152", r"adm152[456][a-z]?\b"),  # initiated, completed, failed; pureScale, as the next
    "group_recovery": ("adm152", r"adm152[789][a-z]?\b"),
    "recovery_failed": (
        "adm1532 recovery",
        # the last: an error that the function of crash recovery returns
        r"adm1532[a-z]?\b|crash recovery (?:has )?failed|recovery manager, sqlpresr.*zrc[= ]0x8",
    ),
    "sync_phase_done": ("adm1505 synchronous", r"adm1505[a-z]?\b|crash recovery has completed synchronous"),
    "forward_phase_done": ("dia2051 forward", r"dia2051[a-z]?\b|forward phase of crash recovery has completed"),
    "crash_recovery_needed": ("needed", r"crash recovery is needed"),
    "crash_recovery_started": ("recovery", r"crash recovery (?:has been )?(?:started|initiated)"),
    "parallel_recovery": ("parallel", r"using parallel recovery with"),
    "crash_recovery_done": ("recovery", r"crash recovery (?:has )?completed"),
    "hadr_takeover": (
        "takeover",
        r"standby has (?:initiated a|completed) takeover|primary has started (?:non-forced|a forced) takeover",
    ),
    "hadr_command": ("hadr", r"received (?:start|stop|takeover) hadr"),
    "hadr_state": ("hadr", r"hadr state set to"),
    "hadr_role": ("hadr", r"hadr role set to|hadr database role"),
    "hadr_connected": ("connid=", r"connection succeeded, connid="),
    "hadr_start_failed": ("establish", r"hadr primary did not establish connection with standby within timeout"),
    "hadr_start": ("startup", r"hadr startup has (?:begun|completed)"),
    "hadr_refused": (
        "primary refused adm12510",
        r"failed to connect to primary|high availability disaster recovery,.*sqlo\\?_conn\\?_refused|adm12510[a-z]?\b",
    ),
    "hadr_error": ("adm125", r"adm125(?:0[0-9]|1[0-9]|20)[a-z]?\b"),
    "hadr_socket_buffer": ("socket so_sndbuf: so_rcvbuf:", r"hadr socket (?:send|receive) buffer|so_(?:snd|rcv)buf:"),
    "index_rebuild": ("adm554 adm950 adm9517", r"adm(?:554[0-3]|950[6-9]|9517)[a-z]?\b"),
    "log_full": (
        "adm182 nospace dia8309 dia8312 sql0964",
        r"adm182[36][a-z]?\b|sqlp\\?_nospace|dia8309[a-z]?\b|dia8312[a-z]?\b|sql0964[a-z]?\b",
    ),
    "log_archive": ("adm184 archive", r"adm184[34568][a-z]?\b|(?:started|completed) archive for log file"),
    "lock_escalation": ("adm550 dia8310", r"adm550[0-5][a-z]?\b|dia8310[a-z]?\b"),
    "deadlock": ("lded dia8002 sql0911n", r"sqlp\\?_lded|dia8002[a-z]?\b|sql0911n.*reason code \"?2\b"),
    "lock_timeout": ("ltimeout sql0911n adm550", r"sqlp\\?_ltimeout|sql0911n.*reason code \"?68\b|adm550[67][a-z]?\b"),
    "write_suspend": ("adm6075 adm6045 adm6076", r"adm(?:6075|6045|6076)[a-z]?\b"),
    "config_change": ("cfg", r"change : (?:stmm )?cfg \(?(?:dbm?\b)|sqlflogupdatecfgparam"),
    "instance_start": (
        "sql1063n db2start sqleprintfinalmessage",
        r"sql1063n|db2start processing was successful|sqleprintfinalmessage.*sqlcode: -1063\b",
    ),
    "instance_stop": (
        "sql1064n db2stop sqleprintfinalmessage",
        r"sql1064n|db2stop processing was successful|sqleprintfinalmessage.*sqlcode: -1064\b",
    ),
    "start_refused": ("sql1026n sql1032n sql1220n", r"sql1026n|sql1032n|sql1220n"),
    "indoubt": ("dia2030", r"dia2030[a-z]?\b"),  # transactions left in doubt at shutdown
    "db_activate": ("activated", r"start : database: .*\bactivated"),
    "db_deactivate": ("deactivated", r"stop : database: .*\bdeactivated"),
    "client_reroute": ("reroute reconnecting dia3202", r"client reroute|reconnecting to hostname/ip|dia3202[a-z]?\b"),
    "cluster_action": (
        "db2havend pacemaker avail sqlha",
        r"^[^|]*(?:db2havend|, pacemaker,|, high avail services,|, sqlha[a-z]*)",
    ),
}

HINTS = {kind: words.split() for kind, (words, _) in KINDS.items()}
WORDS = sorted({word for words in HINTS.values() for word in words})
LONG_TEXT = 65_536
"""Bytes from which on a text may be of any kind: a list of its words could be many times as long as itself."""

PATTERNS = {kind: "(?s)" + pattern.replace(" ", r"\s+") for kind, (_, pattern) in KINDS.items()}


def with_meaning(records: pl.DataFrame) -> pl.DataFrame:
    """Add to records, that have every field of their table and FUNCTION as printed, what their texts say."""
    code_text = pl.concat_str("message", "retcode", "event_text", separator=" ", ignore_nulls=True)
    zrc_text = pl.concat_str("retcode", "message", separator=" ", ignore_nulls=True)
    texts = records.select(code_text.alias("code"), zrc_text.alias("zrc"))
    called = groups_of(records.get_column("FUNCTION"), FUNCTION)
    has_zrc = texts.get_column("zrc").str.contains("ZRC", literal=True)
    zrc = _groups_where(has_zrc, texts.get_column("zrc"), ZRC)
    records = records.with_columns(
        called.get_column("product"),
        pl.coalesce(called.get_column("component"), "component"),
        pl.coalesce(called.get_column("function"), "function"),
        pl.coalesce(called.get_column("probe").str.replace(" ", "", literal=True), "probe"),
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
    typed = _groups_where(texts.str.contains(CODE_BEGINNING), texts, MESSAGE_CODE).to_series()
    is_untyped = typed.is_null() & texts.str.contains(CODE_BEGINNING)
    untyped = _groups_where(is_untyped, texts, UNTYPED_CODE).to_series()
    return typed.fill_null(untyped).alias("message_code")


def _groups_where(is_sought: pl.Series, texts: pl.Series, pattern: str) -> pl.DataFrame:
    """The groups of a pattern in some of the texts, null in the others."""
    rows = is_sought.arg_true()
    return spread(groups_of(texts.gather(rows), pattern), rows, len(texts))


def _kind(records: pl.DataFrame) -> pl.Series:
    """The kind of each record by the first of KINDS that its text shows."""
    event = pl.concat_str("event_type", "event_text", separator=" : ")
    path = pl.concat_str("process", "product", "component", "function", separator=", ", ignore_nulls=True)
    text = pl.concat_str(path, event, "message", "retcode", "oserr", "data", separator=" | ", ignore_nulls=True)
    words = pl.col("text").str.extract_many(WORDS, ascii_case_insensitive=True, overlapping=True).list.join(" ")
    is_long = pl.col("text").str.len_bytes() > LONG_TEXT
    texts = records.select(text.alias("text")).with_row_index("row")
    brief = texts.filter(~is_long).with_columns(words.alias("words")).filter(pl.col("words") != "")
    long = texts.filter(is_long).with_columns(pl.lit(" ".join(WORDS)).alias("words"))
    said = pl.concat([brief, long]).with_columns(pl.col("text").str.to_lowercase())
    kinds = pl.repeat("other", records.height, dtype=pl.String, eager=True)
    for possible, alike in _by_possible_kinds(said):
        shows = alike.select(pl.col("text").str.contains(PATTERNS[kind]).alias(kind) for kind in possible)
        first = pl.coalesce(*(pl.when(kind).then(pl.lit(kind)) for kind in possible), pl.lit("other"))
        kinds.scatter(alike.get_column("row"), shows.select(first).to_series())
    return kinds.alias("kind")


def _by_possible_kinds(said: pl.DataFrame) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Texts with the same words of interest, and the kinds that they may be of."""
    distinct = said.get_column("words").unique()
    possible = [
        " ".join(kind for kind, words in HINTS.items() if not found.isdisjoint(words))
        for found in (set(words.lower().split(" ")) for words in distinct.to_list())
    ]
    kinds = pl.col("words").replace_strict(distinct, possible, return_dtype=pl.String)
    for (names,), alike in said.with_columns(kinds.alias("kinds")).partition_by("kinds", as_dict=True).items():
        yield str(names).split(" "), alike
