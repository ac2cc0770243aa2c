"""Monitor output of DB2: what `db2 get snapshot` prints, and counters of the monitor functions as a table over time.

Written by  `db2 get snapshot for database on X` and its like; a query of MON_GET_DATABASE and its like, as CSV
One row     per element, snapshot and thing (table space, buffer pool, application, ...); the values of a block
            `HADR Status` go to the table hadr_status_value
Layout      a title begins a snapshot, several may follow one another; label and value meet at the first `=`; the name
            of a table space and its like begins what is known about it. Copies may have a prefix before every line
Time        `Snapshot timestamp`, in the language of the session and without a zone: see parsers/printed_date.py. Where
            the order of day and month is open, the snapshot is not dated
Values      `Not Collected` (a monitor switch is off) and nothing are null. `(sec.ns)` is a number only with nine digits
            behind the point: older releases printed nanoseconds without zeros in front, so `0.4` may be 4 ns
"""

from itertools import takewhile

import polars as pl

from parsers.db2 import monitor_table
from parsers.db2.hadr_status import HADR_STATUS, own_host, values_of
from parsers.db2.snapshot_element import SNAPSHOT_ELEMENT, identifier, is_counter, unit
from parsers.first_look import marked
from parsers.format import Format, Hint, Parsed, Recognition, Refusal
from parsers.line_verdict import verdicts
from parsers.measurement import typed
from parsers.printed_date import orders_of

# REAL:              Tablespace Snapshot
TITLE = r"^\s+(?P<level>(?:[A-Z][A-Za-z]*|SQL)(?: (?:[A-Z][A-Za-z]*|SQL)){0,2}) Snapshot(?: Result)?\s*$"
# labels that no other tool prints
SIGNATURE = (
    r"(?:Snapshot timestamp|Commit statements(?: attempted)?|Rollback statements(?: attempted)?|Rows (?:selected|read)"
    r"|Total buffer pool (?:read|write) time \(milliseconds\)|Direct (?:read|write) requests"
    r"|Static SQL statements attempted|Input database alias|First database connect timestamp|Synchronization mode) *= ?"
)
HADR_HEADING = r"(?i)^\s*HADR Status\s*$"
HADR_LABEL = "Synchronization mode"
"""Is in every block of HADR, also in one that was copied without its heading."""
# REAL: Connection status      = Connected, 11-03-2002 12:23:09.35092
HADR_BLOCK = r"^\s*(?:Role|State|Connection status|Heartbeats? missed)\s*= "
PAIR = r"^\s*(?P<label>[A-Za-z][^=]*?)\s*=(?P<value>.*)$"
STATEMENT = r"(?i)^\s*(?:dynamic sql )?statement text\s*[:=]"
DATE = r"^[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}[ T-][0-9]"
NUMBER = r"^[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?$"
NANOSECONDS = r"^[0-9]{1,18}\.[0-9]{9}$"
NOT_COLLECTED = r"(?i)^(?:not collected|not available|)$"
ENTITIES = {
    "Tablespace name": "tablespace",
    "Bufferpool name": "bufferpool",
    "Application handle": "application",
    "Table Name": "table",
    "Container Name": "container",
    "Memory Pool Type": "memory pool",
}
DATABASE, PRINTED_AT = "Database name", "Snapshot timestamp"
CONNECTED, RESET = "First database connect timestamp", "Last reset timestamp"
# REAL: SQL1611W  No data was returned by Database System Monitor.
MESSAGE = r"^\s*(?:SQL[0-9]{4,5}[NWCI]\b|DB2[0-9]{5}[A-Z]\b)"
COMMAND = r"(?i)\bget snapshot for\b|^\s*\S*[$#>]\s*$"
HEADING = r"^\s*[A-Z][A-Za-z0-9 /()-]{2,60}:?\s*$"
SNAPSHOT = ("file_id", "snapshot_no")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what has the title of a snapshot, or labels that no other tool prints, or a table of monitor elements."""
    seen = _looks.of(head)
    is_title, is_pair = seen["title"], seen["pair"]
    if is_title.any() and is_pair.any():
        return Recognition(0.95, "title of a snapshot", (is_title.arg_max() or 0) + 1)
    if is_pair.sum() >= 3 or (is_pair.any() and _is_of_hadr(head)):
        return Recognition(0.9, "elements of a snapshot, without its title", (is_pair.arg_max() or 0) + 1)
    return monitor_table.recognise(head)


def _is_of_hadr(head: pl.Series) -> bool:
    return head.str.contains(HADR_HEADING).any() or head.str.contains(HADR_BLOCK).sum() >= 2


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn snapshots and tables of elements into rows of snapshot_element and hadr_status_value."""
    is_table = {
        file_id: isinstance(monitor_table.recognise(texts.head(400)), Recognition)
        for file_id, texts in lines.group_by("file_id", maintain_order=True).agg("text").iter_rows()
        for texts in [pl.Series(texts, dtype=pl.String())]
    }
    in_tables = pl.col("file_id").is_in([file_id for file_id, found in is_table.items() if found])
    tables, table_verdicts = monitor_table.read(lines.filter(in_tables))
    marked = _marked(_without_prefix(lines.filter(~in_tables)))
    about = _about(marked)
    elements = _elements(marked, about)
    hadr = _hadr(marked, about)
    classified = pl.concat([table_verdicts, _verdicts(marked)]).sort("file_id", "line_no")
    rows = {SNAPSHOT_ELEMENT: pl.concat([tables, elements]).sort("file_id", "line_no", "part"), HADR_STATUS: hadr}
    return Parsed({table.name: frame for table, frame in rows.items() if frame.height}, classified)


def _without_prefix(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines without what a logger or a quotation put before each of a file; `printed` keeps them as they were."""
    prefixes = [
        (file_id, prefix)
        for file_id, texts in lines.filter(pl.col("text").str.contains("=", literal=True))
        .group_by("file_id", maintain_order=True)
        .agg(pl.col("text").head(50))
        .iter_rows()
        if (prefix := _prefix(texts))
    ]
    known = pl.DataFrame(prefixes, {"file_id": pl.Int32(), "prefix": pl.String()}, orient="row")
    joined = lines.join(known, on="file_id", how="left", maintain_order="left")
    bare = pl.col("text").str.strip_prefix(pl.col("prefix").fill_null(""))
    return joined.with_columns(pl.col("text").alias("printed"), bare.alias("text")).drop("prefix")


def _prefix(texts: list[str]) -> str:
    """What all lines begin with, up to the last sign that no label has; labels alone have few letters in common."""
    if len(texts) < 3:
        return ""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(min(texts), max(texts), strict=False))
    common = "".join(letter for letter, _ in alike)
    return common[: max(common.rfind(sign) for sign in ">|#:") + 1]


def _marked(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with the snapshot and the thing that they are of, and what they are: a pair, text of a statement, HADR."""
    text = pl.col("text")
    pair = text.str.extract_groups(PAIR)
    is_blank = text.str.strip_chars() == ""
    label = pair.struct.field("label")
    opened = label.replace_strict(ENTITIES, default=None, return_dtype=pl.String())
    is_title, is_heading = text.str.contains(TITLE), text.str.contains(HADR_HEADING)
    is_break = is_blank & ~is_heading.shift(1, fill_value=False)
    stretch = ["file_id", "stretch"]
    return (
        lines.with_columns(
            is_blank.alias("is_blank"),
            is_title.alias("is_title"),
            text.str.extract(TITLE, 1).str.to_lowercase().alias("level"),
            label.alias("label"),
            pair.struct.field("value").str.strip_chars().alias("value"),
            is_title.cast(pl.Int32).cum_sum().over("file_id").alias("snapshot_no"),
            is_break.cast(pl.Int32).cum_sum().over("file_id").alias("stretch"),
            opened.alias("entity_kind"),
        )
        .with_columns(
            pl.col("level").forward_fill().over("file_id"),
            pl.when(pl.col("entity_kind").is_not_null()).then("value").alias("entity"),
            (text.str.contains(STATEMENT).cast(pl.Int32).cum_sum().shift(1, fill_value=0) > 0)
            .over(stretch)
            .alias("is_statement"),
            (
                (is_heading.cast(pl.Int32).cum_sum().shift(1, fill_value=0) > 0)
                | (~is_heading.any() & (pl.col("label") == HADR_LABEL).any())
            )
            .over(stretch)
            .alias("is_hadr"),
        )
        .with_columns(
            pl.col("entity_kind").forward_fill().over(SNAPSHOT),
            pl.col("entity").forward_fill().over(SNAPSHOT),
            (pl.col("label").is_not_null() & ~pl.col("is_statement") & ~pl.col("is_blank")).alias("is_pair"),
        )
    )


def _about(marked: pl.DataFrame) -> pl.DataFrame:
    """One row per snapshot: its database, time, and since when it counts."""
    pairs = marked.filter("is_pair")
    value = pl.col("value")
    about = pairs.group_by(SNAPSHOT, maintain_order=True).agg(
        value.filter((pl.col("label") == name) & (value != "")).first().alias(column)
        for name, column in (
            (DATABASE, "database"),
            (PRINTED_AT, "printed_at"),
            (CONNECTED, "connected"),
            (RESET, "reset"),
        )
    )
    since = pl.concat_str("connected", "reset", separator=" / ", ignore_nulls=True)
    return about.join(_stamps(pairs, about), on=["file_id", "printed_at"], how="left", maintain_order="left").select(
        *SNAPSHOT,
        "database",
        "printed_at",
        pl.when(since != "").then(since).alias("counted_since"),
        "stamp",
        "date_order",
    )


def _stamps(pairs: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """The wall clock of every time of a snapshot, and how the order of its date is known."""
    dates = pairs.filter(pl.col("value").str.contains(DATE)).select("file_id", "value").unique()
    orders = {file_id: orders_of(texts) for file_id, texts in dates.group_by("file_id").agg("value").iter_rows()}
    nothing = orders_of([])
    rows = [
        (file_id, printed, orders.get(file_id, nothing).read(printed), orders.get(file_id, nothing).reason(printed))
        for file_id, printed in about.select("file_id", "printed_at").drop_nulls().unique().iter_rows()
    ]
    schema = {"file_id": pl.Int32(), "printed_at": pl.String(), "stamp": pl.Datetime("us"), "date_order": pl.String()}
    return pl.DataFrame(rows, schema, orient="row")


def _elements(marked: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """Rows of snapshot_element."""
    found = marked.filter(pl.col("is_pair") & ~pl.col("is_hadr"))
    labels = found.get_column("label").unique().to_list()
    known = pl.DataFrame(
        [(label, identifier(label), unit(label), is_counter(label)) for label in labels],
        {"label": pl.String(), "element": pl.String(), "unit": pl.String(), "is_counter": pl.Boolean()},
        orient="row",
    )
    value = pl.when(~pl.col("value").str.contains(NOT_COLLECTED)).then("value")
    is_number = pl.col("value").str.contains(NUMBER) & (
        ~pl.col("label").str.contains("(sec.ns)", literal=True) | pl.col("value").str.contains(NANOSECONDS)
    )
    rows = found.join(known, on="label", how="left", maintain_order="left").join(
        about, on=SNAPSHOT, how="left", maintain_order="left"
    )
    number = pl.when(is_number).then("value").cast(pl.Float64, strict=False)
    return typed(rows.with_columns(value.alias("value"), number.alias("number")), SNAPSHOT_ELEMENT)


def _hadr(marked: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """Rows of hadr_status_value: there are few, so they are made one by one."""
    found = marked.filter(pl.col("is_pair") & pl.col("is_hadr")).join(
        about, on=SNAPSHOT, how="left", maintain_order="left"
    )
    rows: list[dict[str, object]] = []
    for block in found.partition_by("file_id", "stretch", maintain_order=True):
        rows += _hadr_block(block)
    frame = pl.DataFrame(
        rows, {name: HADR_STATUS.schema[name] for name in HADR_STATUS.schema if name not in {"status_no", "has_year"}}
    )
    block_no = (pl.col("part") == 1) & (pl.col("name") == "HADR_ROLE")
    return typed(frame.with_columns(block_no.cast(pl.Int32).cum_sum().over("file_id").alias("status_no")), HADR_STATUS)


def _hadr_block(block: pl.DataFrame) -> list[dict[str, object]]:
    """The rows of one block, with the host that it is of."""
    orders = orders_of(block.get_column("value"))
    rows = [
        {"file_id": file_id, "line_no": line_no, "part": part, "database": database, "stamp": stamp, **row}
        for file_id, line_no, label, value, database, stamp in block.select(
            "file_id", "line_no", "label", "value", "database", "stamp"
        ).iter_rows()
        for part, row in enumerate(values_of(label, value, orders), 1)
    ]
    host = own_host({str(row["name"]): str(row["value"]) for row in rows}, None)
    return [row | {"host": host} for row in rows]


def _verdicts(marked: pl.DataFrame) -> pl.DataFrame:
    text = pl.col("text")
    aside = (
        pl.when("is_title")
        .then(pl.lit("title"))
        .when("is_statement")
        .then(pl.lit("text of a statement"))
        .when(text.str.contains(HEADING))
        .then(pl.lit("heading"))
        .when(text.str.contains(MESSAGE))
        .then(pl.lit("message of the command line processor"))
        .when(text.str.contains(COMMAND))
        .then(pl.lit("command"))
        .when("is_blank")
        .then(pl.lit("nothing but the prefix of every line"))
    )
    is_parsed = pl.col("is_pair") & ~pl.col("is_title")
    classified = marked.select(
        "file_id", "line_no", pl.col("printed").alias("text"), is_parsed.alias("is_parsed"), aside.alias("aside")
    )
    rejection = "neither an element nor a title of a snapshot"
    return verdicts(classified, pl.col("is_parsed"), rejection, ignored=pl.col("aside"))


_looks = marked(title=pl.col("text").str.contains(TITLE), pair=pl.col("text").str.contains(SIGNATURE))

FORMAT = Format(
    name="db2_snapshot",
    title="DB2 snapshot",
    tables=(SNAPSHOT_ELEMENT, HADR_STATUS),
    recognise=recognise,
    parse=parse,
    file_names=("*snap*", "*mon_get*"),
    look=_looks.look,
    role="measurement",
    hints=(Hint(r"^\s*(?:Database|Tablespace|Bufferpool|Database Manager) Snapshot\b", "a DB2 snapshot"),),
)
