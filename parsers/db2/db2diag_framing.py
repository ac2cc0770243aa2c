"""Where records of db2diag.log begin and end: headers of both layouts, marks before the lines of a copy, verdicts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from parsers.db2.db2diag_header import (
    BOUNDARY,
    BROKEN_HEADER,
    HEADER_WORD,
    HEADERS,
    NO_BREAK_BLANK,
    PREFIX,
    STAMP,
    with_whole_headers,
)
from parsers.first_look import FirstLook, together
from parsers.format import VERDICT_SCHEMA, Verdict

BEFORE_FIRST = "is before the first record header"
ELISIONS = ("...", "\u2026")
STAMP_LENGTH = 26


# What a notification log holds and nothing else: messages for administrators, and what applications put there.
NOTIFICATION = r"^[ \t>]*ADM[0-9]{4,5}|^User Application "


@dataclass(frozen=True, slots=True)
class Framed:
    """Lines as records. `lines` has the input's order.

    `lines`: file_id, line_no, text (without the mark of its record), record (number of a row of `heads`, from 0),
    is_header, is_broken (the beginning of a header), is_absorbed (its text is in the line above), is_blank (as read),
    is_empty (without its mark), is_elision, is_trailing (empty, and only such lines follow in its record). `heads`:
    one row per header, per broken one and per stretch of lines before a file's first header, in order: record,
    file_id, line_no, is_broken, era (null without a header), stamp (null for an impossible date) and what the header
    states. `is_ascii`: no line has another character.
    """

    lines: pl.DataFrame
    heads: pl.DataFrame
    is_ascii: bool


def framed(lines: pl.DataFrame) -> Framed:
    """Number the records, take off the mark before their lines, and read their headers.

    `is_absorbed` of lines: the text is in the line above.
    """
    texts = lines.get_column("text")
    headers = _headers(texts)
    is_header = _places(headers.get_column("row"), len(texts))
    is_first_of_file = pl.col("file_id").ne_missing(pl.col("file_id").shift(1))
    is_broken = texts.str.contains(BROKEN_HEADER) & ~is_header
    marked = lines.with_columns(
        is_header.alias("is_header"),
        is_broken.alias("is_broken"),
        (is_header | is_broken | is_first_of_file).alias("is_start"),
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
    place = (marked.get_column(name).gather(heads.get_column("row")) for name in ("file_id", "line_no", "is_broken"))
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


def with_extents(found: Framed) -> pl.DataFrame:
    """Add to heads how long each record is as read."""
    text = pl.col("text")
    is_counted = ~pl.col("is_trailing") & ~pl.col("is_elision")
    is_own = ~pl.col("is_absorbed")
    counts = {"line_count": pl.lit(1), "byte_count": pl.when(is_own).then(text.str.len_bytes() + 1).otherwise(0)}
    if not found.is_ascii:
        counts["character_count"] = pl.when(is_own).then(text.str.len_chars() + 1).otherwise(0)
    sums = found.lines.select(
        pl.when(is_counted).then(count).otherwise(0).cast(pl.Int64).cum_sum().alias(name)
        for name, count in counts.items()
    )
    ends = found.lines.select((pl.col("record") != pl.col("record").shift(-1)).fill_null(value=True).arg_true())
    extents = sums[ends.to_series()].select(pl.all() - pl.all().shift(1, fill_value=0))
    if found.is_ascii:
        extents = extents.with_columns(character_count="byte_count")
    return found.heads.with_columns(extents.get_columns())


@dataclass(frozen=True, slots=True)
class Layout:
    """What the first lines of a file show: the line of the first header, of which layout and log the records are."""

    line_no: int
    has_v82: bool
    is_notification: bool


def _layouts(heads: Sequence[pl.Series]) -> Iterator[Layout | None]:
    """The layouts of files with these first lines; None without any header."""
    text = pl.col("text").str
    seen = (
        with_whole_headers(together(heads))
        .select(
            "file_id",
            "line_no",
            text.contains(BOUNDARY).alias("is_header"),
            text.contains(NOTIFICATION).alias("is_said"),
            text.contains(rf"{STAMP}[+-]").alias("v82"),
        )
        .filter(pl.col("is_header") | pl.col("is_said"))
    )
    of_files: list[list[tuple[int, bool, bool, bool]]] = [[] for _ in heads]
    for file_id, *line in seen.iter_rows():
        of_files[file_id].append((line[0], line[1], line[2], line[3]))
    yield from map(_layout, of_files)


def _layout(lines: Iterable[tuple[int, bool, bool, bool]]) -> Layout | None:
    """The layout that the lines of a file show."""
    first, has_v82 = 0, False
    says: list[bool] = []  # of each record, whether one of its lines does
    for line_no, is_header, is_said, is_v82 in lines:
        if is_header:
            first = first or line_no
            has_v82 |= is_v82
            says.append(is_said)
        elif says:
            says[-1] |= is_said
    return Layout(first, has_v82, all(says)) if first else None


_looks = FirstLook(_layouts)
layout_of, look = _looks.of, _looks.look
"""The layout of a file by its first lines, and a look at several files together for it."""


def verdicts(framed_lines: Framed) -> pl.DataFrame:
    """Say what became of each line."""
    lines, heads = framed_lines.lines, framed_lines.heads
    refusal = (
        pl.when("is_broken")
        .then(pl.lit("belongs to a record whose header is not whole"))
        .when(pl.col("era").is_null())
        .then(pl.lit(BEFORE_FIRST))
        .when(pl.col("stamp").is_null())
        .then(pl.lit("belongs to a record whose header has an impossible date"))
    )
    refusals = heads.select(refusal.alias("refusal")).to_series().gather(lines.get_column("record"))
    before = (refusals == BEFORE_FIRST).arg_true()
    marks = before.filter(lines.get_column("text").gather(before).str.contains(r"^[>#|\s]+$"))
    is_mark = pl.lit(_places(marks, lines.height))
    is_refused = pl.col("refusal").is_not_null() & ~is_mark
    verdict = (
        pl.when("is_blank")
        .then(Verdict.BLANK)
        .when(pl.col("is_elision") | is_mark)
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
        .when(is_mark)
        .then(pl.lit("nothing but a mark of quotation"))
        .when(is_refused & pl.col("is_header"))
        .then(pl.lit("record header with an impossible date"))
        .when("is_broken")
        .then(pl.lit("record header whose end is not on the next line"))
        .otherwise("refusal")
    )
    said = lines.with_columns(refusals).select("file_id", "line_no", verdict.alias("verdict"), reason.alias("reason"))
    return said.cast(pl.Schema(VERDICT_SCHEMA))
