"""db2diag.log, the diagnostic log of DB2: the layout of V8.1 and earlier, and that of V8.2 and later.

Written by   every DB2 process of an instance (servers and clients), appended to one file, or to rotating ones
One row      per record; a record runs from its header to the next header, and empty lines do not end it
Time         wall clock of the host in microseconds; V8.2 on states minutes east of UTC, V8.1 states no zone
Odd          an instance upgraded from V8.1 appends the new layout to the old file, so the layout is told per record.
             Copies from pages and mails put a mark before every line ("> ", a container's name, a TAB): the mark of
             a record is what stands before its header. Columns drift by release and platform and are never counted.
             A record states its own byte offset and length; the next one begins one byte (the empty line) later.
             The UNIX notification log (.nfy) has the layout of V8.1 with ADM messages only, in all releases.
"""

import polars as pl

from parsers.format import (
    VERDICT_SCHEMA,
    Column,
    Format,
    Message,
    Parsed,
    Recognition,
    Refusal,
    Table,
    Verdict,
)

DB2DIAG_RECORD = Table(
    name="db2diag_record",
    grain="One row per record of db2diag.log, in the layout of V8.1 or of V8.2 and later.",
    columns=(
        Column("era", pl.String(), "layout of the record: v81 or v82"),
        Column("kind", pl.String(), "what happened: crash_recovery_needed, crash_recovery_done, hadr_state, ..."),
        Column("audience", pl.String(), "E external, I internal, D debugging"),
        Column("record_offset", pl.Int64(), "byte offset that the record states for itself"),
        Column("platform", pl.String(), "platform letter of the record id"),
        Column("record_length", pl.Int64(), "length in bytes that the record states for itself"),
        Column(
            "level",
            pl.String(),
            "Critical, Severe, Error, Warning, Event, Info, ...; V8.1: from the message code",
        ),
        Column("level_source", pl.String(), "Origin, OS, Received, Sent where printed"),
        Column("pid", pl.Int64(), "process id"),
        Column("tid", pl.Int64(), "thread id"),
        Column("ktid", pl.Int64(), "kernel thread id"),
        Column("process", pl.String(), "process name"),
        Column("instance", pl.String(), "DB2 instance"),
        Column("member", pl.Int32(), "database partition or member (printed as NODE)"),
        Column("database", pl.String(), "database"),
        Column("apphdl", pl.String(), "application handle"),
        Column("appid", pl.String(), "application id"),
        Column("uowid", pl.Int64(), "unit of work id"),
        Column("actid", pl.Int64(), "activity id"),
        Column("authid", pl.String(), "authorisation id"),
        Column("host", pl.String(), "HOSTNAME field", host="own"),
        Column("eduid", pl.Int64(), "engine dispatchable unit id"),
        Column("eduname", pl.String(), "engine dispatchable unit name"),
        Column("product", pl.String(), "product of FUNCTION"),
        Column("component", pl.String(), "component"),
        Column("function", pl.String(), "function"),
        Column("probe", pl.Int64(), "probe point"),
        Column("message", pl.String(), "MESSAGE, or the text of a V8.1 record; lines joined by one blank"),
        Column("message_code", pl.String(), "ADM, DIA or SQL code inside the message"),
        Column("zrc", pl.String(), "ZRC return code, hexadecimal"),
        Column("called", pl.String(), "CALLED"),
        Column("oserr", pl.String(), "OSERR"),
        Column("retcode", pl.String(), "RETCODE"),
        Column("event_type", pl.String(), "event verb: START, STOP, CHANGE, ..."),
        Column("event_text", pl.String(), "text of the event"),
        Column("impact", pl.String(), "IMPACT"),
        Column("data", pl.String(), "DATA, ARG and CALLSTCK sections as printed"),
        Column("sqlcode", pl.Int32(), "first SQLCODE other than 0 among the SQLCA sections"),
        Column("zrc_name", pl.String(), "symbol of the ZRC: SQLP_NOSPACE, ..."),
        Column("object", pl.String(), "OBJECT"),
        Column("tenantid", pl.Int64(), "tenant id"),
    ),
    message=Message(
        source="db2diag",
        text="coalesce(message, event_text, retcode, data)",
        severity="level",
        message_id="""coalesce(message_code, "function" || ':' || probe)""",
        process="process",
        pid="pid",
    ),
)

DB2DIAG_DATA = Table(
    name="db2diag_data",
    grain="One row per DATA, ARG or CALLSTCK section of a db2diag record; part counts them within the record.",
    columns=(
        Column("section_kind", pl.String(), "DATA, ARG or CALLSTCK"),
        Column("n", pl.Int32(), "number that the section states for itself"),
        Column("descriptor", pl.String(), "type and length as printed: String, 37 bytes"),
        Column("body", pl.String(), "lines below the descriptor as printed"),
    ),
    is_dated=False,
)

BLANKS = "[ \t\u00a0]"

# "> ", "# ", "db2_1  | ", TABs and blanks stand before every line of some copies.
PREFIX = rf"(?:(?:{BLANKS}|[>#])*|[A-Za-z0-9_.-]+{BLANKS}*\|{BLANKS}*)"

STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}\.[0-9]{6}"

# REAL (db2-hadr-wiki): 2013-10-07-14.40.36.401196-420 E76255E392          LEVEL: Event
HEADER_V82 = (
    rf"^(?P<stamp>{STAMP})"  # wall clock
    r"(?P<utc_offset_min>[+-][0-9]{3,4})[ \t]+"  # minutes east of UTC, not hours and minutes
    r"(?P<audience>[A-Z])(?P<record_offset>[0-9]+)(?P<platform>[A-Z])(?P<record_length>[0-9]+)[ \t]+"
    r"LEVEL[ \t]*:[ \t]*(?P<level>[A-Za-z]+)"
    r"(?:[ \t]*\((?P<level_source>[^)]*)\))?[ \t]*$"  # Origin, OS, Received, Sent
)

# REAL (WebSphere documentation): 2004-06-25-15.53.42.078000   Instance:DB2   Node:000
HEADER_V81 = (
    rf"^(?P<stamp>{STAMP})[ \t]+"
    r"Instance:[ \t]*(?P<instance>[^ \t]*)[ \t]+"
    r"Node:[ \t]*(?P<member>[0-9]+)[ \t]*$"
)

# The same two as one pattern without groups: what a record, and so a chunk, may begin with.
BOUNDARY = (
    rf"^{PREFIX}{STAMP}"
    rf"(?:[+-][0-9]{{3,4}}{BLANKS}+[A-Z][0-9]+[A-Z][0-9]+{BLANKS}+LEVEL{BLANKS}*:{BLANKS}*[A-Za-z]+"
    rf"(?:{BLANKS}*\([^)]*\))?"
    rf"|{BLANKS}+Instance:{BLANKS}*[^ \t\u00a0]*{BLANKS}+Node:{BLANKS}*[0-9]+)"
    rf"{BLANKS}*$"
)

# The words of the db2diag tool, 12.1.4.
EVENT_VERBS = frozenset(
    "START STOP CHANGE INIT FINI STARTUP TERMINATE BRINGDOWN INTERRUPT ASSOCIATE DISASSOCIATE CHANGECFG TRANSFER "  # noqa: SIM905 - forty words read better as text
    "DISPATCH SWITCH REPORT GET FREE OPEN CLOSE WORK WAIT AVAILABLE CONNECT DISCONNECT ACCEPT RECV SEND CREATE "
    "DESTROY REQUEST REPLY DEPENDENCY WRITE READ RESET COLLECT ADD ALTER DROP INVALIDATE GRANT REVOKE ACCESS "
    "DISCOVER TRAIN EVENT".split()
)
SECTIONS = ("DATA", "ARG", "CALLSTCK")
TEXT_FIELDS = ("FUNCTION", "MESSAGE", "CALLED", "OSERR", "RETCODE", "IMPACT", "OBJECT")

# One line each; what PROC, APPID, ACTID or HOSTNAME share a line with depends on the release.
HEAD_FIELDS = {
    # REAL: PID     : 4737                 TID  : 46914980538688PROC : db2sysc
    "PID": (
        r"^PID *: *(?P<pid>[0-9]+) *(?:TID *: *(?P<tid>[0-9]+) *)?"
        r"(?:KTID *: *(?P<ktid>[0-9]+) *)?(?:PROC *: *(?P<process>.*?) *)?$"
    ),
    "PROC": r"^PROC *: *(?P<process>.*?) *$",
    # REAL: INSTANCE: zhuge                NODE : 000          DB   : HADRDB
    "INSTANCE": r"^INSTANCE *: *(?P<instance>[^ ]*) *NODE *: *(?P<member>[0-9]+) *(?:DB *: *(?P<database>.*?) *)?$",
    # REAL: APPHDL  : 0-54                 APPID: *N0.db2inst1.231129082738
    "APPHDL": r"^APPHDL *: *(?P<apphdl>[0-9]+-[0-9]+) *(?:APPID *: *(?P<appid>[^ ]+) *)?$",
    "APPID": r"^APPID *: *(?P<appid>[^ ]+) *$",
    # REAL: UOWID   : 58                   ACTID: 54
    "UOWID": r"^UOWID *: *(?P<uowid>[0-9]+) *(?:(?:LAST_)?ACTID *: *(?P<actid>[0-9]+) *)?$",
    "ACTID": r"^ACTID *: *(?P<actid>[0-9]+) *$",
    "LAST_ACTID": r"^LAST_ACTID *: *(?P<actid>[0-9]+) *$",
    "TENANTID": r"^TENANTID *: *(?P<tenantid>[0-9]+) *$",
    # REAL: AUTHID  : V11580               HOSTNAME: pcmk1.fyre.ibm.com
    "AUTHID": r"^AUTHID *: *(?P<authid>[^ ]+) *(?:HOSTNAME *: *(?P<host>[^ ]+) *)?$",
    "HOSTNAME": r"^HOSTNAME *: *(?P<host>[^ ]+) *$",
    # REAL: EDUID   : 524                  EDUNAME: db2hadrp (HADRDB)
    "EDUID": r"^EDUID *: *(?P<eduid>[0-9]+) *(?:EDUNAME *: *(?P<eduname>.*?) *)?$",
    # REAL: PID:2352(db2syscs.exe)   TID:4360   Appid:*LOCAL.DB2.027785142343        (V5 and V6 print no TID)
    "V81 PID": (
        r"^PID:(?P<pid>[0-9]+)\((?P<process>.*)\)"  # greedy: db2agent (ABSOLUT) nests
        r"(?:[ \t]+TID: ?(?P<tid>[0-9]+))?(?:[ \t]+Appid: *(?P<appid>[^ \t]+)?)?[ \t]*$"
    ),
    "V81 APPID": r"^[ \t]*Appid: *(?P<appid>[^ \t]+)[ \t]*$",  # V7 wraps it
    # REAL: data management  sqldEscalateLocks Probe:4   Database:BPEDB              (copies collapse the two blanks)
    "V81 PROBE": (
        r"^[ \t]*(?P<component>[^ \t].*?)[ \t]+(?P<function>[^ \t]+)[ \t]+Probe:[ \t]*(?P<probe>[0-9]+)"
        r"(?:[ \t]+Database:[ \t]*(?P<database>[^ \t]+))?[ \t]*$"
    ),
}

V82_KEY = (
    r"^(PID|PROC|INSTANCE|APPHDL|APPID|UOWID|ACTID|LAST_ACTID|TENANTID|AUTHID|HOSTNAME|EDUID"
    rf"|{'|'.join(TEXT_FIELDS)}|{'|'.join(sorted(EVENT_VERBS))}|DATA|ARG|CALLSTCK) *(?:#[0-9]+ *)?:"
)
# REAL (bytes.com): Data Title :SQLCA pid(14358)
V81_DUMP = r"^[ \t]*(?:Data Title *:|Dump File *:|PID:[0-9]+ +TID:[0-9]+ +Node:[0-9]+ +Title:|0x[0-9A-Fa-f]{8,} *:)"

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
SECTION = r"^(?P<section_kind>[A-Z]+) *(?:# *(?P<n>[0-9]+) *)?: *(?P<descriptor>.*)$"

LEVEL_OF_LETTER = {"C": "Critical", "E": "Error", "N": "Error", "W": "Warning", "I": "Info"}

# The first that fits is the kind. Each is looked for in this text, in small letters:
#     process, product, component, function | verb : event | message | retcode | oserr | data
# A blank stands for any white space, since texts wrap between words. Type letters change by release.
KINDS = {
    "new_diag_file": r"start : new diagnostic log file",
    "recovery_failed": r"adm1532[a-z]?\b",
    "recovery_ok": r"adm1531[a-z]?\b",
    "recovery_initiated": r"adm1530[a-z]?\b",
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
    "hadr_socket_buffer": r"hadr socket (?:send|receive) buffer|so_(?:snd|rcv)buf:",
    "index_rebuild": r"adm(?:554[0-3]|950[6-9]|9517)[a-z]?\b",
    "log_full": r"adm182[36][a-z]?\b|sqlp\\?_nospace|dia8309[a-z]?\b|dia8312[a-z]?\b|sql0964[a-z]?\b",
    "log_archive": r"adm184[34568][a-z]?\b|(?:started|completed) archive for log file",
    "lock_escalation": r"adm550[0-5][a-z]?\b|dia8310[a-z]?\b",
    "deadlock": r"sqlp\\?_lded|dia8002[a-z]?\b|sql0911n.*reason code \"?2\b",
    "lock_timeout": r"sqlp\\?_ltimeout|sql0911n.*reason code \"?68\b|adm550[67][a-z]?\b",
    "write_suspend": r"adm(?:6075|6045|6076)[a-z]?\b",
    "config_change": r"change : cfg \(?(?:dbm?\b)|sqlflogupdatecfgparam",
    "instance_start": r"sql1063n|db2start processing was successful|sqleprintfinalmessage.*sqlcode: -1063\b",
    "instance_stop": r"sql1064n|db2stop processing was successful|sqleprintfinalmessage.*sqlcode: -1064\b",
    "db_activate": r"start : database: .*\bactivated",
    "db_deactivate": r"stop : database: .*\bdeactivated",
    "client_reroute": r"client reroute|reconnecting to hostname/ip|dia3202[a-z]?\b",
    "cluster_action": r"^[^|]*(?:db2havend|, pacemaker,|, high avail services,|, sqlha[a-z]*)",
}


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a record header; records that carry nothing but ADM messages may as well be a notification log."""
    is_header = head.str.contains(BOUNDARY)
    if not is_header.any():
        return Refusal("no line is a record header of db2diag.log", max(len(head), 1))
    line_no = (is_header.arg_max() or 0) + 1
    if head.filter(is_header).str.contains(rf"{STAMP}[+-]").any():
        return Recognition(0.99, "record header with LEVEL, as written from V8.2 on", line_no)
    bodies = head[line_no - 1 :].str.contains(r"^[ \t>]*ADM[0-9]{4,5}|^User Application ")
    if bodies.sum() == is_header.sum():
        # A tie that the file name breaks: a reader of .nfy files has to claim as much.
        return Recognition(0.8, "record header of V8.1, ADM messages only: V8.1 or a notification log", line_no)
    return Recognition(0.95, "record header with Instance and Node, as written up to V8.1", line_no)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into records and their sections."""
    marked = _mark(lines)
    heads = _heads(marked)
    marked = marked.join(heads.select("record", has_row="has_row"), on="record", how="left", maintain_order="left")
    verdicts = _verdicts(marked)
    heads = heads.filter("has_row")
    if heads.is_empty():
        return Parsed({}, verdicts)
    body = marked.filter(pl.col("has_row") & ~pl.col("is_header") & ~pl.col("is_elision") & ~pl.col("is_trailing"))
    fields = pl.concat([_fields_v82(body.filter(era="v82")), _fields_v81(body.filter(era="v81"))])
    sections = _sections(fields)
    records = _with_head_fields(heads, fields)
    records = _with_texts(records, fields)
    records = _with_data(records, sections)
    tables = {
        "db2diag_record": _typed(_with_meaning(records), DB2DIAG_RECORD),
        "db2diag_data": _section_rows(sections, heads),
    }
    return Parsed({name: rows for name, rows in tables.items() if not rows.is_empty()}, verdicts)


def _mark(lines: pl.DataFrame) -> pl.DataFrame:
    """Number the records, and take the mark that stands before a record's header from each of its lines."""
    text = pl.col("text")
    is_first_of_file = pl.col("file_id").ne_missing(pl.col("file_id").shift(1))
    is_v82 = text.str.contains(rf"{STAMP}[+-]")
    marked = (
        lines.with_row_index("row")
        .with_columns(
            text.str.contains(BOUNDARY).alias("is_header"),
            text.str.strip_chars().eq("").alias("is_blank"),
            text.str.replace_all("\u00a0", " ", literal=True),
        )
        .with_columns((pl.col("is_header") | is_first_of_file).alias("is_start"))
        .with_columns(
            pl.col("is_start").cum_sum().alias("record"),
            pl.when("is_header").then(text.str.extract(rf"^({PREFIX}){STAMP}")).forward_fill().alias("prefix"),
            pl.when("is_header")
            .then(pl.when(is_v82).then(pl.lit("v82")).otherwise(pl.lit("v81")))
            .forward_fill()
            .alias("era"),
        )
    )
    if marked.select((pl.col("prefix") != "").any()).item():
        marked = marked.with_columns(
            pl.when(text.str.starts_with(pl.col("prefix")))
            .then(text.str.strip_prefix(pl.col("prefix")))
            .when(text == pl.col("prefix").str.strip_chars_end())
            .then(pl.lit(""))
            .otherwise(text)
            .alias("text")
        )
    content = text.str.strip_chars()
    # An empty line ends a record only if nothing but empty lines follows up to the next header.
    next_is_start = pl.when((content != "") | is_first_of_file).then("is_start").backward_fill().fill_null(value=True)
    return marked.with_columns(
        content.is_in(["...", "\u2026"]).alias("is_elision"),
        (content == "").alias("is_empty"),
        ((content == "") & next_is_start).alias("is_trailing"),
    )


def _heads(marked: pl.DataFrame) -> pl.DataFrame:
    """One row per header; one with an impossible date has no `stamp` and makes no row."""
    headers = marked.filter("is_header").select("file_id", "line_no", "record", "era", "text")
    v82, v81 = (
        headers.filter(era=era).with_columns(pl.col("text").str.extract_groups(pattern)).unnest("text")
        for era, pattern in (("v82", HEADER_V82), ("v81", HEADER_V81))
    )
    stamp = pl.col("stamp").str.to_datetime("%Y-%m-%d-%H.%M.%S%.6f", time_unit="us", strict=False)
    return (
        pl.concat([v82, v81], how="diagonal")
        .sort("record")
        # Years that no arithmetic with a zone can push out of the calendar.
        .with_columns(pl.when(stamp.dt.year().is_between(1970, 9998)).then(stamp).alias("stamp"))
        .with_columns(
            pl.col("stamp").is_not_null().alias("has_row"), pl.lit(True).alias("has_year"), pl.lit(1).alias("part")
        )
    )


def _verdicts(marked: pl.DataFrame) -> pl.DataFrame:
    """Say what became of each line."""
    has_row = pl.col("has_row")
    verdict = (
        pl.when("is_blank")
        .then(Verdict.BLANK)
        .when("is_elision")
        .then(Verdict.IGNORED)
        .when(~has_row.fill_null(value=False))
        .then(Verdict.REJECTED)
        .when("is_header")
        .then(Verdict.PARSED)
        .otherwise(Verdict.CONTINUATION)
    )
    reason = (
        pl.when("is_blank")
        .then(None)
        .when("is_elision")
        .then(pl.lit("elision mark"))
        .when(has_row.is_null())
        .then(pl.lit("stands before the first record header"))
        .when(has_row)
        .then(None)
        .when("is_header")
        .then(pl.lit("record header with an impossible date"))
        .otherwise(pl.lit("belongs to a record whose header has an impossible date"))
    )
    return marked.select("file_id", "line_no", verdict.alias("verdict"), reason.alias("reason")).cast(
        pl.Schema(VERDICT_SCHEMA)
    )


def _fields_v82(lines: pl.DataFrame) -> pl.DataFrame:
    """Tell which field each line belongs to: one `field` number and `key` for a field and the lines it runs over."""
    record = pl.col("record")
    is_section = pl.col("key").is_in(SECTIONS)
    return (
        lines.with_columns(pl.col("text").str.extract(V82_KEY).alias("key"))
        # Once inside a section only another section ends it: a dumped string may hold "MESSAGE : x".
        .with_columns(pl.when(is_section).then(record).forward_fill().eq_missing(record).alias("is_data"))
        .with_columns(pl.when(is_section | ~pl.col("is_data")).then("key").alias("key"))
        .with_columns(pl.col("key").is_not_null().alias("is_keyed"))
        # Text that no field claims, right below the header, is kept as the message.
        .with_columns(
            pl.when(~pl.col("is_keyed") & record.ne_missing(record.shift(1)))
            .then(pl.lit("MESSAGE"))
            .otherwise("key")
            .alias("key")
        )
        .select(
            "record",
            pl.when(pl.col("key").is_not_null()).then("row").forward_fill().alias("field"),
            pl.col("key").forward_fill(),
            "is_keyed",
            "text",
        )
    )


def _fields_v81(lines: pl.DataFrame) -> pl.DataFrame:
    """Tell the same for the old layout: two or three head lines, then text, then dumps."""
    record, text = pl.col("record"), pl.col("text")
    key = (
        pl.when(record.ne_missing(record.shift(1)) & text.str.contains(HEAD_FIELDS["V81 PID"]))
        .then(pl.lit("V81 PID"))
        .when(record.ne_missing(record.shift(2)) & text.str.contains(HEAD_FIELDS["V81 APPID"]))
        .then(pl.lit("V81 APPID"))
        .when(record.ne_missing(record.shift(3)) & text.str.contains(HEAD_FIELDS["V81 PROBE"]))
        .then(pl.lit("V81 PROBE"))
        .otherwise(pl.lit("MESSAGE"))
    )
    is_dump = pl.when(text.str.contains(V81_DUMP)).then(record).forward_fill().eq_missing(record)
    return (
        lines.filter(~pl.col("is_empty"))
        .with_columns(pl.when(is_dump).then(pl.lit("DUMP")).otherwise(key).alias("key"))
        .with_columns(pl.struct("record", "key").rle_id().alias("stretch"))
        .select(
            "record",
            pl.when(pl.col("stretch").ne_missing(pl.col("stretch").shift(1))).then("row").forward_fill().alias("field"),
            "key",
            pl.col("key").str.starts_with("V81 ").alias("is_keyed"),
            "text",
        )
    )


def _with_head_fields(records: pl.DataFrame, fields: pl.DataFrame) -> pl.DataFrame:
    """Add the fields that share lines above the text; the first line of a kind counts."""
    lines = fields.filter(pl.col("is_keyed") & pl.col("key").is_in(list(HEAD_FIELDS)))
    lines = lines.with_columns(pl.col("text").str.replace_all("\t", " ", literal=True))
    found = [
        each.lazy()
        .filter(pl.col("record").is_first_distinct())
        .select("record", pl.col("text").str.extract_groups(HEAD_FIELDS[key]))
        .unnest("text")
        for (key,), each in lines.partition_by("key", as_dict=True, maintain_order=True).items()
    ]
    for values in pl.collect_all(found):
        names = [name for name in values.columns if name != "record"]
        records = records.join(values, on="record", how="left", maintain_order="left", suffix=" also")
        twice = [name for name in names if f"{name} also" in records.columns]
        records = records.with_columns(pl.coalesce(name, f"{name} also").alias(name) for name in twice)
        records = records.drop(f"{name} also" for name in twice)
    return records


def _with_texts(records: pl.DataFrame, fields: pl.DataFrame) -> pl.DataFrame:
    """Add the fields that run over several lines, joined by one blank, and the first event."""
    text = pl.col("text")
    is_text = pl.col("key").is_in([*TEXT_FIELDS, *EVENT_VERBS])
    lines = (
        fields.filter(is_text)
        .with_columns(pl.when("is_keyed").then(text.str.splitn(":", 2).struct[1]).otherwise(text).alias("text"))
        .with_columns(text.str.strip_chars())
        .filter(pl.col("is_keyed") | (text != ""))
        .select("field", "record", "key", "text")
    )
    is_alone = pl.col("field").is_unique()
    runs = lines.filter(~is_alone).group_by("field", maintain_order=True)
    runs_joined = runs.agg(pl.col("record", "key").first(), text.str.join(" ").str.strip_chars())
    texts = pl.concat([lines.filter(is_alone), runs_joined]).sort("field")
    for key in TEXT_FIELDS:
        values = texts.filter((pl.col("key") == key) & (text != ""))
        values = values.group_by("record", maintain_order=True).agg(text.str.join(" ").alias(key))
        records = records.join(values, on="record", how="left", maintain_order="left")
    events = (
        texts.filter(pl.col("key").is_in(EVENT_VERBS))
        .filter(pl.col("record").is_first_distinct())
        .select("record", pl.col("key").alias("event_type"), text.alias("event_text"))
    )
    records = records.join(events, on="record", how="left", maintain_order="left")
    return records.rename({key: key.lower() for key in TEXT_FIELDS if key != "FUNCTION"}, strict=False)


def _sections(fields: pl.DataFrame) -> pl.DataFrame:
    """One row per DATA, ARG or CALLSTCK section, or dump of the old layout, with its lines as printed."""
    return (
        fields.filter(pl.col("key").is_in([*SECTIONS, "DUMP"]))
        .group_by("field", maintain_order=True)
        .agg(pl.col("record", "key").first(), pl.col("text").str.join("\n"))
    )


def _with_data(records: pl.DataFrame, sections: pl.DataFrame) -> pl.DataFrame:
    """Add the sections of a record as one text."""
    data = sections.group_by("record", maintain_order=True).agg(pl.col("text").str.join("\n").alias("data"))
    return records.join(data, on="record", how="left", maintain_order="left")


def _section_rows(sections: pl.DataFrame, heads: pl.DataFrame) -> pl.DataFrame:
    """The sections as rows of their own. Past 32767 in one record they stay in `data` only: `part` ends there."""
    is_dump = pl.col("key") == "DUMP"
    first_line = pl.col("cut").struct
    rows = (
        sections.with_columns(pl.col("text").str.splitn("\n", 2).alias("cut"))
        .with_columns(
            pl.int_range(1, pl.len() + 1).over("record").alias("part"),
            pl.when(~is_dump).then(first_line[0]).str.extract_groups(SECTION).alias("head"),
            pl.when(is_dump).then("text").otherwise(first_line[1]).alias("body"),
        )
        .unnest("head")
    )
    rows = rows.filter(pl.col("part") <= 32767).with_columns(pl.col("key").alias("section_kind"))
    rows = rows.join(heads.select("record", "file_id", "line_no"), on="record", how="left", maintain_order="left")
    return _typed(rows, DB2DIAG_DATA)


def _with_meaning(records: pl.DataFrame) -> pl.DataFrame:
    """Add what the texts say: function path, codes, level of the old layout, and the kind."""
    names = [*DB2DIAG_RECORD.schema, "FUNCTION"]
    records = records.with_columns(pl.lit(None, pl.String).alias(name) for name in names if name not in records.columns)
    code_text = pl.concat_str("message", "retcode", "event_text", separator=" ", ignore_nulls=True)
    zrc_text = pl.concat_str("retcode", "message", separator=" ", ignore_nulls=True)
    letter = pl.col("message_code").str.slice(-1)
    called, zrc = pl.col("called by").struct, pl.col("zrc").struct
    records = (
        records.with_columns(
            pl.col("FUNCTION").str.extract_groups(FUNCTION).alias("called by"),
            zrc_text.str.extract_groups(ZRC).alias("zrc"),
            pl.coalesce(code_text.str.extract(MESSAGE_CODE), code_text.str.extract(UNTYPED_CODE)).alias("message_code"),
            pl.col("data").str.extract(SQLCODE).alias("sqlcode"),
        )
        .with_columns(
            called["product"],
            pl.coalesce(called["component"], "component"),
            pl.coalesce(called["function"], "function"),
            pl.coalesce(called["probe"], "probe"),
            zrc["zrc"],
            pl.coalesce(zrc["zrc_name"], zrc["zrc_name_82"]).str.replace_all("\\", "", literal=True),
        )
        .with_columns(
            pl.when(era="v81")
            .then(letter.replace_strict(LEVEL_OF_LETTER, default="Unknown").fill_null("Unknown"))
            .otherwise("level")
            .alias("level")
        )
    )
    return records.with_columns(_kind(records).alias("kind"))


def _kind(records: pl.DataFrame) -> pl.Series:
    """The kind of each record by the first of KINDS that its text shows."""
    function = pl.concat_str("product", "component", "function", separator=", ", ignore_nulls=True)
    event = pl.concat_str("event_type", "event_text", separator=" : ")
    text = pl.concat_str(
        pl.concat_str("process", function, separator=", ", ignore_nulls=True),
        event,
        "message",
        "retcode",
        "oserr",
        "data",
        separator=" | ",
        ignore_nulls=True,
    )
    shows = records.select(text.str.to_lowercase().alias("searched")).select(
        pl.col("searched").str.contains("(?s)" + pattern.replace(" ", r"\s+")).alias(kind)
        for kind, pattern in KINDS.items()
    )
    return shows.select(pl.coalesce(*(pl.when(kind).then(pl.lit(kind)) for kind in KINDS), pl.lit("other"))).to_series()


def _typed(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    """The columns of a table in its types; a number too large for its column is null."""
    return rows.select(pl.col(name).cast(dtype, strict=False) for name, dtype in table.schema.items())


FORMAT = Format(
    name="db2diag",
    title="db2diag.log of DB2",
    tables=(DB2DIAG_RECORD, DB2DIAG_DATA),
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("db2diag*",),
)
