"""The fields of db2diag records: which lines a field runs over, and what stands in it, in both layouts."""

import polars as pl

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

# REAL: DATA #3 : SQLCA, PD_DB2_TYPE_SQLCA, 136 bytes
SECTION = r"^(?P<section_kind>[A-Z]+) *(?:# *(?P<n>[0-9]+) *)?: *(?P<descriptor>.*)$"


def fields_v82(body: pl.DataFrame) -> pl.DataFrame:
    """Tell which field each line below a header belongs to: one `field` number and `key` for all lines of a field.

    `body` has record, text and `row`, the line's place in the input; so has the result, without lines of no field.
    `is_keyed` marks the line that begins the field.
    """
    record = pl.col("record")
    is_section = pl.col("key").is_in(SECTIONS)
    return (
        body.with_columns(pl.col("text").str.extract(V82_KEY).alias("key"))
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


def fields_v81(body: pl.DataFrame) -> pl.DataFrame:
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
        body.filter(~pl.col("is_empty"))
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


def groups_of(texts: pl.Series, pattern: str) -> pl.DataFrame:
    """The named groups of a pattern in each text. Texts recur from record to record, so each is matched once."""
    text = texts.alias("text").to_frame()
    groups = text.unique().with_columns(pl.col("text").str.extract_groups(pattern).alias("groups")).unnest("groups")
    return text.join(groups, on="text", how="left", maintain_order="left").drop("text")


def with_head_fields(records: pl.DataFrame, fields: pl.DataFrame) -> pl.DataFrame:
    """Add the fields that share lines above the text; the first line of a kind counts."""
    lines = fields.filter(pl.col("is_keyed") & pl.col("key").is_in(list(HEAD_FIELDS)))
    if lines.get_column("text").str.contains("\t", literal=True).any():
        lines = lines.with_columns(pl.col("text").str.replace_all("\t", " ", literal=True))
    by_key = lines.partition_by("key", as_dict=True)
    for key, pattern in HEAD_FIELDS.items():
        found = by_key.get((key,))
        if found is None:
            continue
        first = found.filter(pl.col("record").ne_missing(pl.col("record").shift(1)))
        values = groups_of(first.get_column("text"), pattern)
        twice = [name for name in values.columns if name in records.columns]
        records = records.join(
            values.with_columns(first.get_column("record")),
            on="record",
            how="left",
            maintain_order="left",
            suffix=" also",
        )
        records = records.with_columns(pl.coalesce(name, f"{name} also").alias(name) for name in twice)
        records = records.drop(f"{name} also" for name in twice)
    return records


def with_texts(records: pl.DataFrame, fields: pl.DataFrame) -> pl.DataFrame:
    """Add the fields that run over several lines, joined by one blank, and the first event."""
    text = pl.col("text")
    lines = (
        fields.filter(pl.col("key").is_in([*TEXT_FIELDS, *EVENT_VERBS]))
        .with_columns(pl.when("is_keyed").then(text.str.splitn(":", 2).struct[1]).otherwise(text).alias("text"))
        .with_columns(text.str.strip_chars())
        .filter(pl.col("is_keyed") | (text != ""))
        .select("field", "record", "key", "text")
    )
    texts = _joined(lines, "field", " ").with_columns(text.str.strip_chars())
    for key in TEXT_FIELDS:
        values = _joined(texts.filter((pl.col("key") == key) & (text != "")), "record", " ")
        values = values.select("record", text.alias(key))
        records = records.join(values, on="record", how="left", maintain_order="left")
    events = (
        texts.filter(pl.col("key").is_in(EVENT_VERBS))
        .filter(pl.col("record").is_first_distinct())
        .select("record", pl.col("key").alias("event_type"), text.alias("event_text"))
    )
    records = records.join(events, on="record", how="left", maintain_order="left")
    return records.rename({key: key.lower() for key in TEXT_FIELDS if key != "FUNCTION"})


def _joined(lines: pl.DataFrame, by: str, separator: str) -> pl.DataFrame:
    """The texts of equal and adjacent `by` joined. Most stand alone, and those are not touched."""
    is_first = pl.col(by).ne_missing(pl.col(by).shift(1))
    is_alone = is_first & is_first.shift(-1).fill_null(value=True)
    runs = lines.filter(~is_alone)
    if runs.is_empty():
        return lines
    others = pl.exclude("text", by).first()
    joined = (
        runs.with_columns(pl.col(by).set_sorted())
        .group_by(by, maintain_order=True)
        .agg(others, pl.col("text").str.join(separator))
    )
    return pl.concat([lines.filter(is_alone), joined.select(lines.columns)]).sort(by, maintain_order=True)


def sections(fields: pl.DataFrame) -> pl.DataFrame:
    """One row per DATA, ARG or CALLSTCK section, or dump of the old layout, with its lines as printed."""
    lines = fields.filter(pl.col("key").is_in([*SECTIONS, "DUMP"])).select("field", "record", "key", "text")
    return _joined(lines, "field", "\n")


def with_data(records: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Add the sections of a record as one text."""
    data = _joined(found.select("record", "text"), "record", "\n").rename({"text": "data"})
    return records.join(data, on="record", how="left", maintain_order="left")


def section_rows(found: pl.DataFrame, heads: pl.DataFrame) -> pl.DataFrame:
    """The sections as rows of their own. Past 32767 in one record they stay in `data` only: `part` ends there."""
    is_dump = pl.col("key") == "DUMP"
    cut = pl.col("cut").struct
    is_first = pl.col("record").ne_missing(pl.col("record").shift(1))
    first_place = pl.when(is_first).then(pl.int_range(pl.len())).forward_fill()
    rows = found.with_columns(pl.col("text").str.splitn("\n", 2).alias("cut")).with_columns(
        pl.when(~is_dump).then(cut[0]).alias("first"),
        pl.when(is_dump).then("text").otherwise(cut[1]).alias("body"),
        (pl.int_range(1, pl.len() + 1) - first_place).alias("part"),
    )
    rows = rows.with_columns(groups_of(rows.get_column("first"), SECTION).get_columns())
    rows = rows.filter(pl.col("part") <= 32767).with_columns(pl.col("key").alias("section_kind"))
    return rows.join(heads.select("record", "file_id", "line_no"), on="record", how="left", maintain_order="left")
