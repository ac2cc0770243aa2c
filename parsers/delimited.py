"""Tables of text with a header: cells of a file by column name, no matter what separates them.

Separators  tab, semicolon, comma, bar, or (where allowed) runs of blanks; the one that cuts the header into most cells.
            Bars may frame the lines too, as in Markdown, mysql and psql, whose rulers and counts of rows are set aside
Numbers     a decimal comma counts only where cells are separated by something else. Thousands may be set
            apart by the other mark
Durations   a number in the unit of its column, one with a unit of its own (`12 ms`, `1m2.5s`), or h:mm:ss
Quotes      double quotes hold a separator together with its cell; quotes around a cell are taken off
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import polars as pl

from parsers.division import divided
from parsers.measurement import epoch_stamp

PartT = TypeVar("PartT", bound=str)

COMMENT = r"^\s*(?:#|--|//)"
RULER = r"^\s*[+|][-+|:= ]*--[-+|:= ]*$"  # +-----+----+ and |---|--:|
FOOTER = r"^\s*(?:\([0-9]+ rows?\)|[0-9]+ rows? in set\b.*)\s*$"
NO_ROW = f"(?:{COMMENT}|{RULER}|{FOOTER})"
CONTENT = re.compile(rf"(?!{NO_ROW}).*\S")
SEPARATORS = ("\t", ";", ",", "|")
FRAMED = r"^\|(.*)\|$"
SIGNS = re.compile(r"[^\w%./#]|_")
SHIELDED = "\x1f"
"""Stands for a separator inside quotes while a line is cut."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line with content: its number, names in order (small letters, `_` for blanks), separator.

    0 is the number of a header that is not written: rows begin with the first line. `is_framed`: the separator also
    stands before the first cell and behind the last.
    """

    line_no: int
    names: tuple[str, ...]
    separator: str
    is_framed: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The lines of one file below a header: `cells` has line_no and a column of text per place (c0, c1, ...).

    `bad` are the numbers of lines that have another count of cells than the header, with that count.
    """

    header: Header
    cells: pl.DataFrame
    bad: pl.DataFrame


def first_content(texts: pl.Series) -> tuple[int, str] | None:
    """The first line that is no blank, comment or ruler, with its number; None where all are."""
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
    is_framed = separator == "|" and re.fullmatch(FRAMED, text) is not None
    text = text[1:-1] if is_framed else text
    names = tuple(_name(cell) for cell in (text.split() if separator == " " else text.split(separator)))
    is_named = all(names) and len(set(names)) == len(names) and len(names) <= 200
    return Header(line_no, names, separator, is_framed) if is_named else None


def set_aside(header: Header) -> pl.Expr:
    """Why lines of a table are set aside, row by row of its file: its header, comments, rulers. Null for others."""
    return (
        pl.when(pl.int_range(pl.len()) == header.line_no - 1)
        .then(pl.lit("header"))
        .when(pl.col("text").str.contains(COMMENT))
        .then(pl.lit("comment"))
        .when(pl.col("text").str.contains(RULER))
        .then(pl.lit("ruler"))
        .when(pl.col("text").str.contains(FOOTER))
        .then(pl.lit("count of rows"))
    )


def grid_of(lines: pl.DataFrame, header: Header) -> Grid:
    """Cells below the header; `lines` are those of one file, and comments and blank lines are left out."""
    text = pl.col("text").str.strip_chars(" \r")
    if header.is_framed:
        text = text.str.replace(FRAMED, "$1")
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


def cell_of(places: Mapping[PartT, int], part: PartT) -> pl.Expr:
    """The text of a part's cell; null where it is empty or the table has no such column."""
    if part not in places:
        return pl.lit(None, pl.String)
    cell = pl.col(f"c{places[part]}")
    return pl.when(cell != "").then(cell)


def content_below(lines: pl.DataFrame, header: Header) -> pl.DataFrame:
    """The lines of a file below its header that are neither blank nor comments, rulers or counts of rows."""
    text = pl.col("text")
    is_below = pl.int_range(pl.len()) >= header.line_no
    return lines.filter(is_below & text.str.contains(r"\S") & ~text.str.contains(NO_ROW))


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
# 1m2.5s
HOURS_MINUTES_SECONDS = (
    r"^(?:(?P<hours>[0-9]{1,3})h ?)?(?:(?P<minutes>[0-9]{1,5})m(?:in)? ?)(?P<seconds>[0-9]{1,2}(?:\.[0-9]{1,9})?)s$"
)

IN_SECONDS: dict[str, float] = {
    **dict.fromkeys(("ns", "nsec"), 1e-9),
    **dict.fromkeys(("us", "usec", "µs", "μs"), 1e-6),
    **dict.fromkeys(("ms", "msec"), 1e-3),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins", "minutes"), 60.0),
    **dict.fromkeys(("h", "hours"), 3600.0),
}
"""Seconds in each unit of time that a heading or a cell may name."""


def time_columns(cell: pl.Expr, header: Header, unit_s: float = 1.0) -> list[pl.Expr]:
    """A cell of time as stamp, utc_offset_min, offset_s: ISO 8601; since 1970 in s, ms or us; or since the start.

    `unit_s`: seconds in the unit of times since the start that give none.
    """
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
    passed = pl.when(value.is_null() | (value < 1e8)).then(duration(cell, header, unit_s))
    return [
        pl.coalesce(
            whole + pl.duration(microseconds=fraction), pl.when(is_epoch).then(epoch_stamp(value / unit))
        ).alias("stamp"),
        pl.when(is_epoch).then(0).otherwise(offset).cast(pl.Int16).alias("utc_offset_min"),
        passed.alias("offset_s"),
    ]


def duration(cell: pl.Expr, header: Header, scale: float = 1.0, unit_s: float = 1.0) -> pl.Expr:
    """How long a cell says, in units of `unit_s` seconds; null where it says nothing of the kind.

    A number counts `scale` of these units, unless it has a unit of its own.
    """
    own = cell.str.extract_groups(
        rf"^(?P<value>\S+?) ?(?P<unit>{'|'.join(sorted(IN_SECONDS, key=len, reverse=True))})$"
    )
    in_units = {name: round(seconds / unit_s, 9) for name, seconds in IN_SECONDS.items()}
    per_unit = own.struct.field("unit").replace_strict(in_units, default=None, return_dtype=pl.Float64)
    parts = [cell.str.extract_groups(pattern) for pattern in (CLOCK, HOURS_MINUTES_SECONDS)]
    summed = [
        reduce(
            lambda total, name: total * 60 + part.struct.field(name).cast(pl.Float64, strict=False).fill_null(0),
            ("minutes", "seconds"),
            part.struct.field("hours").cast(pl.Float64, strict=False).fill_null(0),
        )
        for part in parts
    ]
    is_in_parts = [cell.str.contains(pattern) for pattern in (CLOCK, HOURS_MINUTES_SECONDS)]
    return pl.coalesce(
        number(cell, header) * scale,
        number(own.struct.field("value"), header) * per_unit,
        *(pl.when(is_so).then(divided(seconds, unit_s)) for is_so, seconds in zip(is_in_parts, summed, strict=True)),
    )


def _name(cell: str) -> str:
    """`"Latency (ms)"` as latency_ms."""
    return "_".join(SIGNS.sub(" ", cell.strip(" \t\"'").lower()).split())
