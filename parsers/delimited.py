"""Tables of text with a header: cells of a file by column name, no matter what separates them.

Separators  tab, semicolon, comma, or (where allowed) runs of blanks; the one that cuts the header into most cells
Numbers     a decimal comma counts only where cells are separated by something else. Thousands may be set
            apart by the other mark
Quotes      double quotes hold a separator together with its cell; quotes around a cell are taken off
"""

import re
from dataclasses import dataclass
from functools import reduce

import polars as pl

from parsers.measurement import epoch_stamp

COMMENT = r"^\s*(?:#|--|//)"
CONTENT = re.compile(rf"(?!{COMMENT}).*\S")
SEPARATORS = ("\t", ";", ",")
SHIELDED = "\x1f"
"""Stands for a separator inside quotes while a line is cut."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line with content: its number, names in order (small letters, `_` for blanks), separator.

    0 is the number of a header that is not written: rows begin with the first line.
    """

    line_no: int
    names: tuple[str, ...]
    separator: str


@dataclass(frozen=True, slots=True)
class Grid:
    """The lines of one file below a header: `cells` has line_no and a column of text per place (c0, c1, ...).

    `bad` are the numbers of lines that have another count of cells than the header, with that count.
    """

    header: Header
    cells: pl.DataFrame
    bad: pl.DataFrame


def first_content(texts: pl.Series) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, with its number; None where all are."""
    return next(((line_no, text) for line_no, text in enumerate(texts, 1) if CONTENT.match(text)), None)


def header_of(texts: pl.Series, *, may_be_blanks: bool = False) -> Header | None:
    """The header of lines that begin with one; None where no line is given, or it is no list of names."""
    found = first_content(texts)
    if found is None:
        return None
    line_no, text = found[0], found[1].removeprefix("\ufeff").strip(" \r")
    separator = max(SEPARATORS, key=text.count)
    if text.count(separator) == 0:
        if not may_be_blanks or len(text.split()) < 2:
            return None
        separator = " "
    names = tuple(_name(cell) for cell in (text.split() if separator == " " else text.split(separator)))
    is_named = all(names) and len(set(names)) == len(names) and len(names) <= 200
    return Header(line_no, names, separator) if is_named else None


def set_aside(header: Header) -> pl.Expr:
    """Why lines of a table are set aside, row by row of its file: its header and comments. Null for others."""
    return (
        pl.when(pl.int_range(pl.len()) == header.line_no - 1)
        .then(pl.lit("header"))
        .when(pl.col("text").str.contains(COMMENT))
        .then(pl.lit("comment"))
    )


def grid_of(lines: pl.DataFrame, header: Header) -> Grid:
    """Cells below the header; `lines` are those of one file, and comments and blank lines are left out."""
    text = pl.col("text").str.strip_chars(" \r")
    if header.separator == " ":
        text = pl.col("text").str.strip_chars().str.replace_all(r"\s+", " ")
    cells = _shielded(text, header.separator).str.split(header.separator)
    split = (
        content_below(lines, header)
        .select("file_id", "line_no", cells.alias("cells"))
        .with_columns(pl.col("cells").list.len().alias("count"))
    )
    is_whole = pl.col("count") == len(header.names)
    columns = [
        pl.col("cells")
        .list.get(place, null_on_oob=True)
        .str.replace_all(SHIELDED, header.separator, literal=True)
        .str.strip_chars(" \t\"'")
        .alias(f"c{place}")
        for place in range(len(header.names))
    ]
    return Grid(
        header,
        split.filter(is_whole).select("file_id", "line_no", *columns),
        split.filter(~is_whole).select("file_id", "line_no", "count"),
    )


def content_below(lines: pl.DataFrame, header: Header) -> pl.DataFrame:
    """The lines of a file below its header that are neither blank nor comments."""
    text = pl.col("text")
    is_below = pl.int_range(pl.len()) >= header.line_no
    return lines.filter(is_below & text.str.contains(r"\S") & ~text.str.contains(COMMENT))


def _shielded(text: pl.Expr, separator: str) -> pl.Expr:
    """The text with every separator inside double quotes hidden; unchanged where a quote is left open."""
    piece = pl.element()
    hidden = piece.str.replace_all(separator, SHIELDED, literal=True)
    pieces = text.str.split('"').list.eval(pl.when(pl.int_range(pl.len()) % 2 == 1).then(hidden).otherwise(piece))
    is_quoted = text.str.contains('"', literal=True) & (text.str.count_matches('"', literal=True) % 2 == 0)
    return pl.when(is_quoted).then(pieces.list.join('"')).otherwise(text)


def number(cell: pl.Expr, header: Header) -> pl.Expr:
    """The number in a cell; null where it holds none."""
    plain = pl.when(cell.str.contains(GROUPED_POINT)).then(cell.str.replace_all(",", "", literal=True)).otherwise(cell)
    if header.separator != ",":
        grouped = cell.str.contains(GROUPED_COMMA) & cell.str.contains(DECIMAL_COMMA).any()
        german = cell.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
        plain = pl.when(grouped | cell.str.contains(DECIMAL_COMMA)).then(german).otherwise(plain)
    is_number = plain.str.contains(r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$")
    read = pl.when(is_number).then(plain).cast(pl.Float64, strict=False)
    return pl.when(read.is_finite()).then(read)


DECIMAL_COMMA = r"^[+-]?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+$"  # 1234,5 and 1.234,5
GROUPED_COMMA = r"^[+-]?[0-9]{1,3}(?:\.[0-9]{3})+$"  # 1.234, which is a thousand where other cells have a decimal comma
GROUPED_POINT = r"^[+-]?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+$"  # 1,234.5 within quotes

# 2003-07-28T10:27:04.2-04:00
ISO = (
    r"^(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,](?P<fraction>[0-9]{1,9}))? ?(?:(?P<utc>Z|UTC)|(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2}))?$"
)
# 10:27:04
CLOCK = r"^(?P<hours>[0-9]{1,3}):(?P<minutes>[0-5][0-9]):(?P<seconds>[0-5][0-9](?:\.[0-9]{1,6})?)$"


def time_columns(cell: pl.Expr, header: Header) -> list[pl.Expr]:
    """A cell of time as stamp, utc_offset_min, offset_s: ISO 8601; since 1970 in s, ms or us; or relative seconds."""
    iso = cell.str.extract_groups(ISO)
    hour = iso.struct.field("time") + pl.when(iso.struct.field("time").str.len_chars() == 5).then(
        pl.lit(":00")
    ).otherwise(pl.lit(""))
    whole = (iso.struct.field("day") + " " + hour).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us", strict=False)
    fraction = iso.struct.field("fraction").fill_null("0").str.pad_end(6, "0").str.head(6).cast(pl.Int64)
    east = iso.struct.field("hours").cast(pl.Int16) * 60 + iso.struct.field("minutes").cast(pl.Int16)
    offset = (
        pl.when(iso.struct.field("utc").is_not_null())
        .then(0)
        .when(iso.struct.field("sign") == "-")
        .then(-east)
        .otherwise(east)
    )
    value = number(cell, header)
    unit = pl.when(value >= 1e14).then(1e6).when(value >= 1e11).then(1e3).otherwise(1.0)
    is_epoch = value.is_between(1e8, 1e17)
    clock = cell.str.extract_groups(CLOCK)
    passed = reduce(
        lambda total, part: total * 60 + clock.struct.field(part).cast(pl.Float64, strict=False),
        ("minutes", "seconds"),
        clock.struct.field("hours").cast(pl.Float64, strict=False),
    )
    return [
        pl.coalesce(
            whole + pl.duration(microseconds=fraction), pl.when(is_epoch).then(epoch_stamp(value / unit))
        ).alias("stamp"),
        pl.when(is_epoch).then(0).otherwise(offset).cast(pl.Int16).alias("utc_offset_min"),
        pl.coalesce(pl.when(value < 1e8).then(value), passed).alias("offset_s"),
    ]


def _name(cell: str) -> str:
    """`"Latency (ms)"` as latency_ms."""
    bare = cell.strip(" \t\"'").lower()
    return "_".join("".join(letter if letter.isalnum() or letter in "%./#" else " " for letter in bare).split())
