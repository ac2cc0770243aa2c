"""The fields of db2diag records: which lines a field runs over, and what is in it, in both layouts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import polars as pl

from parsers.db2.db2diag_keys import (
    EVENT_VERBS,
    HEAD_FIELDS,
    ONE_LINE,
    PADDED,
    SECTIONS,
    TEXT_FIELDS,
    V81_DUMP,
    WHOLE_FUNCTION,
    groups_of,
    spread,
    with_whole_fields,
)

# REAL: DATA #3 : SQLCA, PD_DB2_TYPE_SQLCA, 136 bytes
SECTION = r"^[A-Z]+ *(?:# *(?P<n>[0-9]+) *)?: *(?P<descriptor>.*)$"
WHOLE_SECTION = pl.concat_str("line", "body", separator="\n", ignore_nulls=True)

BEGUN = ("record", "first", "key", "is_keyed")
NO_FIELDS = pl.DataFrame(
    schema={
        "record": pl.UInt32(),
        "first": pl.UInt32(),
        "is_keyed": pl.Boolean(),
        "count": pl.UInt32(),
        "key": pl.String(),
    }
)


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of records. `texts`: the lines below headers, without those that belong to no field.

    `by_key`: for each key a frame in the order of the lines: record, first (the place in `texts` of the field's first
    line), count (of its lines), is_keyed (the first line gives the key). `has_tab`: there is a TAB in some line.
    """

    texts: pl.Series
    has_tab: bool
    by_key: Mapping[str, pl.DataFrame]

    def of(self, keys: Collection[str]) -> pl.DataFrame:
        """The fields of several keys, with `key`, in the order of the lines."""
        found = [self.by_key[key].with_columns(pl.lit(key).alias("key")) for key in keys if key in self.by_key]
        return pl.concat(found).sort("first") if found else NO_FIELDS

    def first_lines(self, fields: pl.DataFrame) -> pl.Series:
        """The first line of each of some fields."""
        return self.texts.gather(fields.get_column("first"))

    def further_lines(self, fields: pl.DataFrame) -> pl.DataFrame:
        """The other lines of some fields: text, and field, the row of theirs."""
        first, end = pl.col("first") + 1, pl.col("first") + pl.col("count")
        places = (
            fields.select(pl.int_range(pl.len(), dtype=pl.UInt32).alias("field"), pl.int_ranges(first, end).alias("at"))
            .filter(fields.get_column("count") > 1)
            .explode("at")
        )
        return places.select("field", self.texts.gather(places.get_column("at")).alias("text"))


def fields_of(body: pl.DataFrame) -> Fields:
    """Find the fields of records in the lines below their headers: record, text, is_v81, is_empty."""
    body = with_whole_fields(body.filter(~(pl.col("is_v81") & pl.col("is_empty")))).with_row_index("first")
    is_v81 = body.get_column("is_v81")
    if is_v81.any():
        begun = pl.concat([_begun_v82(body.filter(~is_v81)), _begun_v81(body.filter(is_v81))]).sort("first")
    else:
        begun = _begun_v82(body)
    counted = begun.with_columns((pl.col("first").shift(-1, fill_value=body.height) - pl.col("first")).alias("count"))
    by_key = counted.partition_by("key", as_dict=True, include_key=False)
    texts = body.get_column("text")
    has_tab = bool(texts.str.contains("\t", literal=True).any())
    return Fields(texts, has_tab, {str(key): fields for (key,), fields in by_key.items()})


def _begun_v82(body: pl.DataFrame) -> pl.DataFrame:
    """The lines with which fields begin: record, first, key, is_keyed."""
    record, key = pl.col("record"), pl.col("key")
    is_section = key.is_in((*SECTIONS, "DUMP"))
    # Text that no field claims, below the header or below a field of one line, is kept as the message.
    is_under_function = key.shift(1).eq_missing("FUNCTION") & pl.col("text").shift(1).str.contains(WHOLE_FUNCTION)
    is_loose = key.is_null() & (key.shift(1).is_in(ONE_LINE) | is_under_function | record.ne_missing(record.shift(1)))
    return (
        body.filter(key.is_not_null() | is_loose)
        # Once inside a section only another section ends it: a dumped string may hold "MESSAGE : x".
        .with_columns(pl.when(is_section).then(record).forward_fill().eq_missing(record).alias("is_data"))
        .filter(is_section | ~pl.col("is_data"))
        .with_columns(key.is_not_null().alias("is_keyed"), key.fill_null("MESSAGE"))
        .select(BEGUN)
    )


def _begun_v81(body: pl.DataFrame) -> pl.DataFrame:
    """Tell the same for the old layout: two or three head lines, then text, then dumps."""
    record, text = pl.col("record"), pl.col("text")
    key = (
        pl.when(record.ne_missing(record.shift(1)) & text.str.contains(HEAD_FIELDS["V81 PID"]))
        .then(pl.lit("V81 PID"))
        .when(record.ne_missing(record.shift(2)) & text.str.contains(HEAD_FIELDS["V81 PROBE"]))
        .then(pl.lit("V81 PROBE"))
        .otherwise(pl.lit("MESSAGE"))
    )
    is_dump = pl.when(text.str.contains(V81_DUMP)).then(record).forward_fill().eq_missing(record)
    return (
        body.with_columns(pl.when(is_dump).then(pl.lit("DUMP")).otherwise(key).alias("key"))
        .filter((record.ne_missing(record.shift(1))) | (pl.col("key").ne_missing(pl.col("key").shift(1))))
        .with_columns(pl.col("key").str.starts_with("V81 ").alias("is_keyed"))
        .select(BEGUN)
    )


def with_head_fields(records: pl.DataFrame, fields: Fields) -> pl.DataFrame:
    """Add the fields that share lines above the text; the first line of a kind counts."""
    columns = {name: records.get_column(name) for name in records.columns}
    for key, pattern in HEAD_FIELDS.items():
        if key not in fields.by_key:
            continue
        found = fields.by_key[key].filter(_is_first("record"))
        lines = fields.first_lines(found)
        if fields.has_tab:
            lines = lines.str.replace_all("\t", " ", literal=True)
        values = groups_of(lines, pattern, padded=() if key.startswith("V81") else PADDED)
        for value in spread(values, found.get_column("record"), records.height):
            known = columns.get(value.name)
            columns[value.name] = value if known is None else known.zip_with(known.is_not_null(), value)
    return pl.DataFrame(columns)


def with_texts(records: pl.DataFrame, fields: Fields) -> pl.DataFrame:
    """Add the fields that run over several lines, joined by one blank, and the first event."""
    texts = _texts(fields.of((*TEXT_FIELDS, *EVENT_VERBS)), fields)
    by_key = texts.filter(pl.col("text") != "").partition_by("key", as_dict=True)
    columns = {
        key if key == "FUNCTION" else key.lower(): _joined(by_key[key,], "record", records.height, " ")
        for key in TEXT_FIELDS
        if (key,) in by_key
    }
    events = texts.filter(pl.col("key").is_in(EVENT_VERBS)).filter(_is_first("record"))
    event = spread(events.select(event_type="key", event_text="text"), events.get_column("record"), records.height)
    return records.with_columns(*event, **columns)


def _texts(found: pl.DataFrame, fields: Fields) -> pl.DataFrame:
    """Fields with their text."""
    text = pl.col("text")
    value = text.str.strip_prefix(pl.col("key")).str.strip_chars_start(" #0123456789").str.strip_prefix(":")
    said = pl.when("is_keyed").then(value).otherwise(text).str.strip_chars()
    texts = found.with_columns(fields.first_lines(found).alias("text")).with_columns(said.alias("text"))
    further = fields.further_lines(found).with_columns(text.str.strip_chars()).filter(text != "")
    if further.is_empty():
        return texts
    rest = _joined(further, "field", found.height, " ").alias("rest")
    joined = pl.concat_str(text, rest, separator=" ", ignore_nulls=True).str.strip_chars()
    return texts.with_columns(joined.alias("text"))


def _is_first(by: str) -> pl.Expr:
    """The first row of each run of equal values."""
    return pl.col(by).ne_missing(pl.col(by).shift(1))


def _joined(lines: pl.DataFrame, by: str, height: int, separator: str) -> pl.Series:
    """The texts of each `by`, a number below `height`, joined; null for one that has none. Most stand alone."""
    is_first = lines.select(_is_first(by)).to_series()
    if is_first.all():
        texts = lines.select(by, "text")
    else:
        runs = lines.with_columns(pl.col(by).set_sorted()).group_by(by, maintain_order=True).agg("text")
        texts = runs.with_columns(pl.col("text").list.join(separator))
    return spread(texts.select("text"), texts.get_column(by), height).to_series()


def sections(fields: Fields) -> pl.DataFrame:
    """One row per DATA, ARG or CALLSTCK section, or dump of the old layout: record, key, first line, body below it."""
    found = fields.of((*SECTIONS, "DUMP"))
    body = _joined(fields.further_lines(found), "field", found.height, "\n")
    return found.select("record", "key", fields.first_lines(found).alias("line"), body.alias("body"))


def with_data(records: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Add the sections of a record as one text."""
    texts = found.select("record", WHOLE_SECTION.alias("text"))
    return records.with_columns(_joined(texts, "record", records.height, "\n").alias("data"))


def section_rows(found: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """The sections as rows of their own. Past 32767 in one record they stay in `data` only: `part` ends there."""
    is_dump = pl.col("key") == "DUMP"
    first_place = pl.when(_is_first("record")).then(pl.int_range(pl.len())).forward_fill()
    rows = found.with_columns((pl.int_range(1, pl.len() + 1) - first_place).alias("part"))
    rows = rows.filter(pl.col("part") <= 32767).with_columns(
        pl.col("key").alias("section_kind"),
        pl.when(is_dump).then(WHOLE_SECTION).otherwise("body").alias("body"),
        pl.when(~is_dump).then("line").alias("line"),
    )
    given = groups_of(rows.get_column("line"), SECTION)
    place = records.select("file_id", "line_no")[rows.get_column("record")]
    return rows.with_columns(*place, *given)
