"""Fields of db2diag records: how each begins and what is in it, also where a mail or a ticket cut its line."""

from collections.abc import Collection, Sequence

import polars as pl

from parsers.folds import at
from parsers.format import NARROWEST
from parsers.recurring import recur

# The words of the db2diag tool, 12.1.4.
EVENT_VERBS = frozenset(
    "START STOP CHANGE INIT FINI STARTUP TERMINATE BRINGDOWN INTERRUPT ASSOCIATE DISASSOCIATE CHANGECFG TRANSFER "  # noqa: SIM905 - forty words read better as text
    "DISPATCH SWITCH REPORT GET FREE OPEN CLOSE WORK WAIT AVAILABLE CONNECT DISCONNECT ACCEPT RECV SEND CREATE "
    "DESTROY REQUEST REPLY DEPENDENCY WRITE READ RESET COLLECT ADD ALTER DROP INVALIDATE GRANT REVOKE ACCESS "
    "DISCOVER TRAIN EVENT".split()
)
SECTIONS = ("DATA", "ARG", "CALLSTCK")
TEXT_FIELDS = ("FUNCTION", "MESSAGE", "CALLED", "OSERR", "RETCODE", "IMPACT", "OBJECT")

# One line each; what PROC, APPID, ACTID or HOSTNAME share a line with depends on the release. At every point the next
# character decides how the match goes on, which is several times faster: blanks around a value are taken off later.
HEAD_FIELDS = {
    # REAL: PID     : 4737                 TID  : 46914980538688PROC : db2sysc
    "PID": (
        r"^PID *: *(?P<pid>[0-9]+) *(?:TID *: *(?P<tid>[0-9]+) *)?"
        r"(?:KTID *: *(?P<ktid>[0-9]+) *)?(?:PROC *:(?P<process>.*))?$"
    ),
    "PROC": r"^PROC *:(?P<process>.*)$",
    # REAL: INSTANCE: zhuge                NODE : 000          DB   : HADRDB
    "INSTANCE": r"^INSTANCE *: *(?P<instance>[^ ]*) *NODE *: *(?P<member>[0-9]+) *(?:DB *:(?P<database>.*))?$",
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
    "EDUID": r"^EDUID *: *(?P<eduid>[0-9]+) *(?:EDUNAME *:(?P<eduname>.*))?$",
    # ADAPTED: PID:1142898 TID:1 NODE:000 Title: SQLP_DBCB
    "DUMP": r"^[ \t]*PID:(?P<pid>[0-9]+) +TID:(?P<tid>[0-9]+) +N(?:ode|ODE):(?P<member>[0-9]+) +Title:",
    # REAL: PID:2352(db2syscs.exe)   TID:4360   Appid:*LOCAL.DB2.027785142343        (V5 and V6 print no TID)
    "V81 PID": (
        r"^PID:(?P<pid>[0-9]+)\((?P<process>.*)\)"  # greedy: db2agent (ABSOLUT) nests
        r"(?:[ \t]+TID: ?(?P<tid>[0-9]+))?(?:[ \t]+Appid: *(?P<appid>[^ \t]+)?)?[ \t]*$"
    ),
    # REAL: data management  sqldEscalateLocks Probe:4   Database:BPEDB              (copies collapse the two blanks)
    "V81 PROBE": (
        r"^[ \t]*(?P<component>[^ \t].*?)[ \t]+(?P<function>[^ \t]+)[ \t]+Probe:[ \t]*(?P<probe>[0-9]+)"
        r"(?:[ \t]+Database:[ \t]*(?P<database>[^ \t]+))?[ \t]*$"
    ),
}
PADDED = ("process", "database", "eduname")
"""Values of V8.2 and later that run up to the next name or the end of the line, blanks and all."""

V82_KEY = (
    r"^(?P<key>PID|PROC|INSTANCE|APPHDL|APPID|UOWID|ACTID|LAST_ACTID|TENANTID|AUTHID|HOSTNAME|EDUID"
    rf"|{'|'.join(TEXT_FIELDS)}|{'|'.join(sorted(EVENT_VERBS))}|DATA|ARG|CALLSTCK) *(?:#[0-9]+ *)?:"
)
KEY_WIDTH = 12
"""This many characters nearly always hold the key with its colon: few different ones, and short enough to be kept whole
in place by Polars."""
V82_OPEN_KEY = r"^(?P<open>[A-Z_]+ *(?:#[0-9]* *)?)$"
"""What may be the beginning of a key, its colon further on."""

# REAL (bytes.com): Data Title :SQLCA pid(14358)
DUMP = r"^[ \t]*(?:Data Title *:|Dump File *:|PID:[0-9]+ +TID:[0-9]+ +N(?:ode|ODE):[0-9]+ +Title:)"
V81_DUMP = rf"{DUMP}|^[ \t]*0x[0-9A-Fa-f]{{8,}} *:"

ONE_LINE = tuple(key for key in HEAD_FIELDS if key != "DUMP" and not key.startswith("V81"))
WHOLE_FUNCTION = r"probe *: *[0-9]+ *$"

# ADAPTED: Probe:4   Database:BPEDB, cut from the line of which it is the end
V81_REST = r"^[ \t]*(?:TID|Appid|Probe|Database): ?[^ \t]"
V81_FUNCTION = r"^[^ \t]+[ \t]+Probe:"
V81_TORN = r"^[^ \t]+[ \t]*$"
V81_HEAD_LINES = 5
"""Lines below the header, however cut, that may be of the head."""


def _v82_keys(texts: pl.Series) -> pl.Series:
    """The key that a line states, null without one."""
    given = groups_of(texts.str.head(KEY_WIDTH), V82_KEY, V82_OPEN_KEY)
    rows = given.get_column("open").is_not_null().arg_true()
    return given.get_column("key").scatter(rows, texts.gather(rows).str.extract(V82_KEY))


def groups_of(texts: pl.Series, *patterns: str, padded: Collection[str] = ()) -> pl.DataFrame:
    """The named groups of patterns in each text, those that are `padded` without blanks at their ends.

    Where texts recur from record to record, each is matched once.
    """
    if not recur(texts):
        return _matched(texts, patterns, padded)
    distinct = pl.Categories.random()
    numbered = texts.cast(pl.Categorical(distinct))  # `distinct` holds the texts only as long as this does
    return _matched(distinct.to_series(), patterns, padded)[numbered.to_physical()]


def _matched(texts: pl.Series, patterns: Sequence[str], padded: Collection[str]) -> pl.DataFrame:
    text = pl.col("text")
    groups = texts.to_frame("text").select(text.str.extract_groups(pattern).struct.unnest() for pattern in patterns)
    names = [name for name in groups.columns if name in padded]
    return groups.with_columns(pl.col(names).str.strip_chars(" ")) if names else groups


def spread(values: pl.DataFrame, rows: pl.Series, height: int) -> pl.DataFrame:
    """Values put at these rows of this many, null in the others."""
    if len(rows) == height:
        return values
    number = pl.int_range(len(rows), dtype=pl.UInt32, eager=True)
    places = pl.repeat(None, height, dtype=pl.UInt32, eager=True).scatter(rows, number)
    return values.select(pl.all().gather(places))


def with_whole_fields(body: pl.DataFrame) -> pl.DataFrame:
    """Lines of records with `key`, that of a field which begins there, the ends of cut lines joined with them."""
    keyed = _keyed(body)
    is_v81 = body.get_column("is_v81").any()
    torn = _torn_v81(keyed) if is_v81 else pl.Series(dtype=pl.UInt32)
    rows = pl.concat([_ends(keyed), _ends_v81(keyed), torn] if is_v81 else [_ends(keyed)]).unique().sort()
    if rows.is_empty():
        return keyed
    is_end, is_torn = at(rows, keyed.height), at(torn, keyed.height)
    is_joined = is_end | is_end.shift(-1, fill_value=False)  # all others keep the blanks that they end with
    text = pl.when(is_joined).then(pl.col("text").str.strip_chars_end(" \t")).otherwise("text")
    blank = pl.when(is_end & ~is_torn).then(pl.lit(" ")).otherwise(pl.lit(""))
    numbered = keyed.select((~is_end).cum_sum().alias("line"), pl.concat_str(blank, text).alias("text"))
    joined = numbered.group_by("line", maintain_order=True).agg(pl.col("text").str.join(""))
    return keyed.filter(~is_end).with_columns(joined.get_column("text"))


def _keyed(body: pl.DataFrame) -> pl.DataFrame:
    """Lines with `key`, and `above`: that of the line above, in the same record."""
    record = pl.col("record")
    key = pl.when(~pl.col("is_v81")).then(pl.lit(_v82_keys(body.get_column("text"))))
    keyed = body.with_columns(key.alias("key"))
    keyed = keyed.with_columns(pl.when(record == record.shift(1)).then(pl.col("key").shift(1)).alias("above"))
    may_be_dump = (pl.col("key") == "PID") | (pl.col("key").is_null() & pl.col("above").is_in(ONE_LINE))
    rows = keyed.select((may_be_dump & ~pl.col("is_v81")).arg_true()).to_series()
    dumps = rows.filter(keyed.get_column("text").gather(rows).str.contains(DUMP))
    return keyed.with_columns(keyed.get_column("key").scatter(dumps, "DUMP"))


def _ends(keyed: pl.DataFrame) -> pl.Series:
    """Lines that are the end of the line above: it stops late or at a colon, and with them it is a whole field."""
    rows = keyed.select((pl.col("key").is_null() & pl.col("above").is_in(ONE_LINE)).arg_true()).to_series()
    found = keyed[rows].with_columns(before=keyed.get_column("text").gather(rows.cast(pl.Int64) - 1))
    text, before = pl.col("text"), pl.col("before")
    taken = before.str.len_chars() + 1 + text.str.extract(r"^[ \t]*(\S+)").str.len_chars()
    is_cut = before.str.contains(r":[ \t]*$") | text.str.contains(r"^[ \t]*:") | (taken > NARROWEST)
    joined = pl.concat_str(before.str.strip_chars_end(" \t"), text, separator=" ")
    spaced = joined.str.replace_all("\t", " ", literal=True)
    fits = pl.any_horizontal((pl.col("above") == key) & spaced.str.contains(HEAD_FIELDS[key]) for key in ONE_LINE)
    return rows.filter(found.select((is_cut & fits).fill_null(value=False)).to_series())


def _ends_v81(keyed: pl.DataFrame) -> pl.Series:
    """The same in the heads of old records, which name what is in them."""
    record, text = pl.col("record"), pl.col("text")
    is_of_head = (record == record.shift(1)) & (record != record.shift(V81_HEAD_LINES)).fill_null(value=True)
    above = text.shift(1).str
    is_function = text.str.contains(V81_FUNCTION) & ~above.contains("Probe:|^PID:|Appid:") & above.contains(r"\S")
    return keyed.select(
        (pl.col("is_v81") & is_of_head & (text.str.contains(V81_REST) | is_function)).arg_true()
    ).to_series()


def _torn_v81(keyed: pl.DataFrame) -> pl.Series:
    """Ends of lines that were cut within a word, between the process and the function of old records."""
    record, text = pl.col("record"), pl.col("text").str
    is_between = (record == record.shift(1)) & (record == record.shift(-1))
    is_below = pl.col("text").shift(1).str.contains(r"^PID:.*[^ \t]$") & pl.col("text").shift(-1).str.contains("Probe:")
    return keyed.select(
        (is_between & is_below & text.contains(V81_TORN) & ~text.contains(V81_REST)).arg_true()
    ).to_series()
