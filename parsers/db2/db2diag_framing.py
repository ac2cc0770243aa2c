"""Where records of db2diag.log begin and end: headers of both layouts, marks before the lines of a copy, verdicts."""

from dataclasses import dataclass

import polars as pl

from parsers.format import VERDICT_SCHEMA, Verdict

NO_BREAK_BLANK = "\u00a0"
BLANKS = "[ \t\u00a0]"

# "> ", "# ", "db2_1  | ", TABs and blanks are before every line of some copies.
PREFIX = rf"(?:(?:{BLANKS}|[>#])*|[A-Za-z0-9_.-]+{BLANKS}*\|{BLANKS}*)"

STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}\.[0-9]{6}"

# At every point of these patterns the next character decides how the match goes on: they are that way matched in one
# pass, and several times faster.
# REAL (db2-hadr-wiki): 2013-10-07-14.40.36.401196-420 E76255E392          LEVEL: Event
HEADER_V82 = (
    rf"^{STAMP}(?P<utc_offset_min>[+-][0-9]{{3,4}})[ \t]+"  # minutes east of UTC, not hours and minutes
    r"(?P<audience>[A-Z])(?P<record_offset>[0-9]+)(?P<platform>[A-Z])(?P<record_length>[0-9]+)[ \t]+"
    r"LEVEL[ \t]*:[ \t]*(?P<level>[A-Za-z]+)[ \t]*"
    r"(?:\((?P<level_source>[^)]*)\)[ \t]*)?$"  # Origin, OS, Received, Sent
)

# REAL (WebSphere documentation): 2004-06-25-15.53.42.078000   Instance:DB2   Node:000
HEADER_V81 = rf"^{STAMP}[ \t]+Instance:[ \t]*(?P<instance>[^ \t]*)[ \t]+Node:[ \t]*(?P<member>[0-9]+)[ \t]*$"
HEADERS = {"v82": HEADER_V82, "v81": HEADER_V81}

# Both headers as one pattern without groups: what a record, and so a chunk, may begin with.
BOUNDARY = (
    rf"^{PREFIX}{STAMP}"
    rf"(?:[+-][0-9]{{3,4}}{BLANKS}+[A-Z][0-9]+[A-Z][0-9]+{BLANKS}+LEVEL{BLANKS}*:{BLANKS}*[A-Za-z]+"
    rf"(?:{BLANKS}*\([^)]*\))?"
    rf"|{BLANKS}+Instance:{BLANKS}*[^ \t\u00a0]*{BLANKS}+Node:{BLANKS}*[0-9]+)"
    rf"{BLANKS}*$"
)
HEADER_WORD = r"LEVEL|Instance:"
"""Is in every header: searched before the pattern, which costs far more."""

ELISIONS = ("...", "\u2026")
STAMP_LENGTH = 26


# What a notification log holds and nothing else: messages for administrators, and what applications put there.
NOTIFICATION = r"^[ \t>]*ADM[0-9]{4,5}|^User Application "


@dataclass(frozen=True, slots=True)
class Framed:
    """Lines as records. `lines` has the input's order.

    `lines`: file_id, line_no, text (without the mark of its record), record (number of a row of `heads`, from 0),
    is_header, is_blank (as read), is_empty (without its mark), is_elision, is_trailing (empty, and only such lines
    follow in its record). `heads`: one row per header and per stretch of lines before a file's first header, in order:
    record, file_id, line_no, era (null for such a stretch), stamp (null for an impossible date) and what the header
    states. `is_ascii`: no line has another character.
    """

    lines: pl.DataFrame
    heads: pl.DataFrame
    is_ascii: bool


def framed(lines: pl.DataFrame) -> Framed:
    """Number the records, take off the mark before their lines, and read their headers."""
    texts = lines.get_column("text")
    headers = _headers(texts)
    is_header = _places(headers.get_column("row"), len(texts))
    is_first_of_file = pl.col("file_id").ne_missing(pl.col("file_id").shift(1))
    marked = lines.with_columns(
        is_header.alias("is_header"),
        (is_header | is_first_of_file).alias("is_start"),
        pl.col("text").str.strip_chars().alias("content"),
    ).with_columns(
        (pl.col("content") == "").alias("is_blank"),
        (pl.col("is_start").cum_sum() - 1).alias("record"),
    )
    heads = _heads(marked, headers)
    is_ascii = bool((texts.str.len_bytes() == texts.str.len_chars()).all())
    if not is_ascii and texts.str.contains(NO_BREAK_BLANK, literal=True).any():
        marked = marked.with_columns(pl.col("text").str.replace_all(NO_BREAK_BLANK, " ", literal=True))
    marks = heads.get_column("mark")
    if (marks != "").any():
        marked = _without_marks(marked, marks)
    return Framed(_with_emptiness(marked), heads.drop("mark"), is_ascii)


def _headers(texts: pl.Series) -> pl.DataFrame:
    """The lines that are headers: row, text and mark (what is before it), era, and what it states."""
    rows = texts.str.contains(HEADER_WORD).arg_true()
    candidates = pl.DataFrame({"row": rows, "text": texts.gather(rows)})
    read, others = _read(candidates.with_columns(pl.lit("").alias("mark")))
    text = pl.col("text")
    others = others.filter(text.str.contains(BOUNDARY))
    if not others.is_empty():
        others = others.with_columns(text.str.replace_all(NO_BREAK_BLANK, " ", literal=True))
        mark = text.str.extract(rf"^({PREFIX}){STAMP}")
        others = others.with_columns(mark.alias("mark"), text.str.strip_prefix(mark))
        read = pl.concat([read, _read(others)[0]], how="diagonal").sort("row")
    return read


def _read(candidates: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What headers without a mark state, and the lines that are none."""
    others, read = candidates, []
    for era, pattern in HEADERS.items():
        groups = others.select(pl.col("text").str.extract_groups(pattern).alias("groups"))
        is_read = groups.select(pl.col("groups").struct[0].is_not_null()).to_series()
        found = others.with_columns(groups.to_series(), pl.lit(era).alias("era"))
        read.append(found.filter(is_read).unnest("groups"))
        others = others.filter(~is_read)
    filled = [each for each in read if not each.is_empty()] or read[:1]
    return pl.concat(filled, how="diagonal").sort("row") if len(filled) > 1 else filled[0], others


def _places(rows: pl.Series, count: int) -> pl.Series:
    """True at these rows."""
    return pl.repeat(False, count, dtype=pl.Boolean, eager=True).scatter(rows, True)


def _heads(marked: pl.DataFrame, headers: pl.DataFrame) -> pl.DataFrame:
    """A row per record: its header as read; one with an impossible date has no `stamp`."""
    printed = pl.col("text").str.head(STAMP_LENGTH)
    stamp = printed.str.to_datetime("%Y-%m-%d-%H.%M.%S.%6f", time_unit="us", strict=False)
    heads = (
        headers.with_columns(stamp.alias("stamp"))
        # Years that no arithmetic with a zone can push out of the calendar.
        .with_columns(pl.when(pl.col("stamp").dt.year().is_between(1970, 9998)).then("stamp"))
        .drop("text")
    )
    starts = marked.get_column("is_start").arg_true()
    if len(starts) > heads.height:
        headless = pl.DataFrame({"row": starts.filter(~marked.get_column("is_header").gather(starts))})
        heads = pl.concat([heads, headless], how="diagonal").sort("row")
    place = (marked.get_column(name).gather(heads.get_column("row")) for name in ("file_id", "line_no"))
    return heads.drop("row").with_row_index("record").with_columns(place)


def _without_marks(marked: pl.DataFrame, marks: pl.Series) -> pl.DataFrame:
    text, mark = pl.col("text"), pl.col("mark")
    return (
        marked.with_columns(marks.gather(marked.get_column("record")))
        .with_columns(
            pl.when(text.str.starts_with(mark))
            .then(text.str.strip_prefix(mark))
            .when(text == mark.str.strip_chars_end())
            .then(pl.lit(""))
            .otherwise(text)
            .alias("text")
        )
        .with_columns(text.str.strip_chars().alias("content"))
        .drop("mark")
    )


def _with_emptiness(marked: pl.DataFrame) -> pl.DataFrame:
    """Tell empty lines and elision marks. An empty line ends a record only if no more of the record follows."""
    content = pl.col("content")
    is_first_of_file = pl.col("file_id").ne_missing(pl.col("file_id").shift(1))
    is_content = ~(pl.col("is_empty") | pl.col("is_elision"))
    next_is_start = pl.when(is_content | is_first_of_file).then("is_start").backward_fill().fill_null(value=True)
    return (
        marked.with_columns(
            (content == "").alias("is_empty"),
            pl.any_horizontal(content == each for each in ELISIONS).alias("is_elision"),
        )
        .with_columns((pl.col("is_empty") & next_is_start).alias("is_trailing"))
        .drop("is_start", "content")
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """What the first lines of a file show: the line of the first header, of which layout and log the records are."""

    line_no: int
    has_v82: bool
    is_notification: bool


def layout_of(head: pl.Series) -> Layout | None:
    """The layout of a file with these first lines; None without any header."""
    text = pl.col("text").str
    seen = head.to_frame("text").select(
        text.contains(BOUNDARY).alias("is_header"),
        text.contains(NOTIFICATION),
        text.contains(rf"{STAMP}[+-]").alias("v82"),
    )
    first, has_v82 = 0, False
    says: list[bool] = []  # of each record, whether one of its lines does
    for line_no, (is_header, is_said, is_v82) in enumerate(seen.iter_rows(), 1):
        if is_header:
            first = first or line_no
            has_v82 |= is_v82
            says.append(is_said)
        elif says:
            says[-1] |= is_said
    return Layout(first, has_v82, all(says)) if first else None


def verdicts(framed_lines: Framed) -> pl.DataFrame:
    """Say what became of each line."""
    lines, heads = framed_lines.lines, framed_lines.heads
    refusal = (
        pl.when(pl.col("era").is_null())
        .then(pl.lit("is before the first record header"))
        .when(pl.col("stamp").is_null())
        .then(pl.lit("belongs to a record whose header has an impossible date"))
    )
    refusals = heads.select(refusal.alias("refusal")).to_series().gather(lines.get_column("record"))
    is_refused = pl.col("refusal").is_not_null()
    verdict = (
        pl.when("is_blank")
        .then(Verdict.BLANK)
        .when("is_elision")
        .then(Verdict.IGNORED)
        .when(is_refused)
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
        .when(is_refused & pl.col("is_header"))
        .then(pl.lit("record header with an impossible date"))
        .otherwise("refusal")
    )
    said = lines.with_columns(refusals).select("file_id", "line_no", verdict.alias("verdict"), reason.alias("reason"))
    return said.cast(pl.Schema(VERDICT_SCHEMA))
