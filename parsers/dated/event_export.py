"""Events of Windows as its event viewer exports them: CSV or text with tabs, in the language of the viewer.

Written by   the event viewer, `Save All Events As`: a header of five names, then rows of six fields
One row      per event. `process` is the source, `message_id` the event id, `level` in the words of syslog
Time         wall clock of the viewer, whole seconds, no zone; the order of a numeric date is that of the file, else
             that of the header's language where this has only one
Continuation the last field is a text in quotes, which may have line breaks
Ignored      the header
Host         none is printed: it comes from the place of the file
"""

import re

import polars as pl

from parsers.dated.heads import read_heads
from parsers.dated.moments import DAY_FIRST, is_dated, printed_at, with_moments
from parsers.dated.records import LOG_RECORD, texts_below, with_owners
from parsers.dated.severity import level
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.line_verdict import verdicts

# REAL: Informationen,27.10.2021 19:41:47,Microsoft-Windows-Kernel-General,1,(5),"Die Systemzeit wurde ...
FIELD = r'(?:"(?:[^"]|"")*"|[^",;\t]*)'
STAMP = r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}[ ,T]{1,2}[0-9]{1,2}[:.][0-9]{2}[:.][0-9]{2}"
RECORD = (
    r'^﻿?"?(?P<level>\p{L}[\p{L} ]{1,30})"?'  # a word of some language
    rf'(?P<delimiter>[,;\t])"?(?P<date>{STAMP}'
    r'(?: ?[AaPp]\.?[Mm]\.?)?)"?'
    r'[,;\t]"?(?P<source>[^"\t;,]*)"?'
    r'[,;\t]"?(?P<id>[0-9]{1,6})"?'
    rf"[,;\t](?P<category>{FIELD})"
    r"(?:[,;\t](?P<said>.*))?$"
)
HEADER_FIELDS = 5
LANGUAGE_OF_DAY_FIRST = r"^﻿?\"?(?:Niveau|Nivel|Livello|Nível|Ebene|Уровень)\b"
"""First names of headers of languages that put the day first."""


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file whose first line has five names, and the next ones a level, a date, a source and a number."""
    filled = [(number, text) for number, text in enumerate(head.to_list(), 1) if text.strip()][:20]
    if not filled:
        return Refusal("no line to decide by", 1)
    number, first = filled[0]
    fields = [each for each in re.split(r"[,;\t]", first) if each.strip()]
    if len(fields) != HEADER_FIELDS or re.search(r"[0-9]{2}", first):
        return Refusal("no header of five names", number)
    is_record = pl.Series([text for _, text in filled[1:2]], dtype=pl.String).str.contains(RECORD)
    if not is_record.any():
        return Refusal("no event below its first line", filled[min(1, len(filled) - 1)][0])
    return Recognition(0.95, "a header of five names above events of Windows", number)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into events, and give each line its verdict."""
    rows = lines.with_row_index("row").with_columns(pl.col("text").str.extract_groups(RECORD).alias("groups"))
    fields = rows.unnest("groups")
    is_row = pl.col("date").is_not_null()
    begun = fields.filter(is_row)
    order = pl.col("file_id").is_in(_day_first(rows).implode())
    dated = _moments(begun, order)
    kept = dated.filter(is_dated())
    owned = with_owners(rows, begun, kept)
    is_header = (
        (pl.col("line_no") == 1)
        & ~pl.col("is_head")
        & (pl.col("text").str.count_matches(r"[,;\t]") >= HEADER_FIELDS - 1)
    )
    why = pl.when("is_head").then(pl.lit("impossible date or time")).otherwise(pl.lit("before the first event"))
    said = verdicts(
        owned,
        pl.col("is_begun"),
        why,
        continued=pl.col("owner").is_not_null(),
        ignored=pl.when(is_header).then(pl.lit("header")),
    )
    below = texts_below(owned.with_columns(said["verdict"]))
    events = _events(kept.join(below, on="row", how="left", maintain_order="left"))
    return Parsed({LOG_RECORD.name: events} if events.height else {}, said)


def _day_first(rows: pl.DataFrame) -> pl.Series:
    """The files whose header is of a language that puts the day first."""
    return rows.filter((pl.col("line_no") == 1) & pl.col("text").str.contains(LANGUAGE_OF_DAY_FIRST))["file_id"]


def _moments(begun: pl.DataFrame, is_day_first: pl.Expr) -> pl.DataFrame:
    """Rows with stamps; the language of the header says more of the order of numeric dates."""
    heads = read_heads(begun.select("row", pl.col("date").alias("text")))
    own = begun.select("row", "file_id", "line_no", "level", "source", "id", "category", "said")
    mark = pl.when(is_day_first).then(pl.lit(DAY_FIRST))
    found = with_moments(heads.join(own, on="row", maintain_order="left"))
    return found.with_columns(printed_at(mark).alias("printed_at"))


def _events(kept: pl.DataFrame) -> pl.DataFrame:
    """Rows of `log_record`."""
    whole = pl.coalesce(
        pl.concat_str(pl.col("said").fill_null(""), "below", separator="\n"), pl.col("said").fill_null("")
    )
    read = kept.with_columns(
        pl.lit(1, pl.Int16).alias("part"),
        _unquoted(whole).alias("text"),
        level(pl.col("level").str.strip_chars()).alias("level"),
        pl.col("source").alias("process"),
        pl.lit(None, pl.Int64).alias("pid"),
        pl.lit(None, pl.String).alias("host"),
        pl.lit(None, pl.String).alias("time_of_day"),
        pl.lit(None, pl.Float64).alias("stamp_step_s"),
        pl.col("id").alias("message_id"),
        _unquoted(pl.col("category")).alias("category"),
    )
    return read.select(pl.col(name).cast(dtype) for name, dtype in LOG_RECORD.schema.items())


def _unquoted(field: pl.Expr) -> pl.Expr:
    """The content of a field of CSV."""
    return (
        field.str.strip_chars_end().str.strip_prefix('"').str.strip_suffix('"').str.replace_all('""', '"', literal=True)
    )


FORMAT = Format(
    name="event_export",
    title="Event viewer export of Windows",
    tables=(LOG_RECORD,),
    recognise=recognise,
    parse=parse,
    needs=rf"[,;\t]\"?{STAMP}[^,;\t]*[,;\t][^,;\t]*[,;\t]\"?[0-9]{{1,6}}\"?[,;\t]",
)
