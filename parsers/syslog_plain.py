"""Plain syslog lines: a BSD or ISO stamp, a host, a tag and a text, each after one blank.

Most lines of most files are so. They are cut by position and by blanks, several times faster than by the groups of a
pattern; the result is the same as that of `parsers.syslog_framing.read_heads`.
"""

import polars as pl

from parsers.syslog_stamps import instant, offset_min
from parsers.syslog_text import MESSAGE_SCHEMA
from parsers.syslog_words import LEVEL_WORD, MONTH, PROGRAM_WORD, level_of

# REAL: Nov  3 09:23:38 veridian automount[7998]: lookup(file): lookup for foobar failed
PLAIN_BSD_STAMP = MONTH + r" [ \d]\d \d\d:\d\d:\d\d"

# REAL: 2019-03-22T10:45:14.906552+08:00 15sp1-1 pacemaker-controld[1740]:  notice: State transition ...
PLAIN_ISO_STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):?[0-5]\d)?"

PLAIN_REST = (
    r" [\w.-]*[A-Za-z.][\w.-]*"  # host: not a bare number
    r" [A-Za-z_/][\w./-]*(?:\([\w.:/-]*\))?"  # tag, with the resource or module in parentheses
    r"(?:\[\d{1,18}\])?: "  # process id
    r"(?:[^\s\[]|\[ID \d+ [a-z0-9]+\.[a-z]+\] [^\s\[])"  # text, or Solaris' message id before it
)
PLAIN_BSD = f"^{PLAIN_BSD_STAMP}{PLAIN_REST}"
PLAIN_ISO = f"^{PLAIN_ISO_STAMP}{PLAIN_REST}"

NOT_PLAIN = (
    rf"^(?:.{{15}}|\S{{19,40}}) (?:{PROGRAM_WORD} "  # a program's own log
    rf"|\S+ [^\s:]+(?:\([^)\s]*\))?(?:\[\d+\])?: (?:{LEVEL_WORD}: "  # a level before the text
    r"|\d{4}-\d\d-\d\d \d\d:))"  # a finer stamp before it
)
ESCAPES_AND_REPEATS = ("message repeated", "#0", "#177")
"""Words of the lines that the patterns must read: folded repeats, escaped bytes."""

VERITAS_WORDS = (
    *("V-", "LLT:", "GAB:", "VCS", "msgcnt", "UX:vxfs"),
    *(" vx", "VXFEN:", " qlogckd", "log replay", "super-block"),
)
"""Words of the lines that may hold a Veritas message: each of `parsers.veritas_kernel.MENTIONS` has one of them."""


def read_plain(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Messages of plain lines, messages of plain lines that may be Veritas', and the lines that are not plain.

    `stamp` is null where day or hour do not exist.
    """
    shapes = lines.lazy().with_columns(_shape().alias("shape")).collect(engine="streaming")
    bsd, iso, veritas_bsd, veritas_iso, other = (
        shapes.filter(pl.col("shape") == shape).drop("shape") for shape in (1, 2, 3, 4, 0)
    )
    plain = pl.concat([_read_bsd(bsd), _read_iso(iso)])
    mentioning = pl.concat([_read_bsd(veritas_bsd), _read_iso(veritas_iso)])
    return plain, mentioning, other


def _shape() -> pl.Expr:
    """0 not plain, 1 BSD, 2 ISO; 3 and 4 the same with a word of Veritas."""
    text = pl.col("text")
    care = text.str.contains_any(list(ESCAPES_AND_REPEATS)) | text.str.contains(NOT_PLAIN)
    shift = pl.when(text.str.contains_any(list(VERITAS_WORDS))).then(2).otherwise(0)
    stamp = pl.when(text.str.contains(PLAIN_BSD)).then(1 + shift).when(text.str.contains(PLAIN_ISO)).then(2 + shift)
    return pl.when(care).then(0).otherwise(stamp.otherwise(0)).cast(pl.UInt8)


def _read_bsd(lines: pl.DataFrame) -> pl.DataFrame:
    """Plain BSD lines by position; `stamp` is null where the date does not exist."""
    cut = lines.lazy().with_columns(
        ("2000 " + pl.col("text").str.slice(0, 15))
        .str.to_datetime("%Y %b %e %H:%M:%S", time_unit="us", strict=False)
        .alias("stamp"),
        pl.lit(value=False).alias("has_year"),
        pl.lit(None, pl.Int16).alias("utc_offset_min"),
        pl.lit("bsd").alias("framing"),
        pl.col("text").str.slice(16).str.splitn(" ", 2).struct.rename_fields(["host", "rest"]).alias("cut"),
    )
    return _read_rest(cut)


def _read_iso(lines: pl.DataFrame) -> pl.DataFrame:
    """Plain ISO lines by their blanks; `stamp` is null where the date does not exist."""
    cut = lines.lazy().with_columns(
        pl.lit("iso").alias("framing"),
        pl.col("text").str.splitn(" ", 3).struct.rename_fields(["printed", "host", "rest"]).alias("cut"),
    )
    printed = pl.col("cut").struct.field("printed")
    dated = cut.with_columns(
        instant(printed.str.slice(0, 10), printed.str.slice(11, 8), printed.str.extract(r"[.,](\d{1,9})")).alias(
            "stamp"
        ),
        pl.lit(value=True).alias("has_year"),
        offset_min(printed.str.slice(19).str.extract(r"(Z|[+-]\d\d:?\d\d)$")).alias("utc_offset_min"),
    )
    return _read_rest(dated)


def _read_rest(cut: pl.LazyFrame) -> pl.DataFrame:
    """Tag, pid and text of plain lines, with or without Solaris' `[ID n facility.level]`."""
    head = pl.col("said").struct.field("head").str.splitn("[", 2).struct.rename_fields(["tag", "pid"])
    body = pl.col("said").struct.field("body")
    solaris = body.str.starts_with("[ID ")
    has_solaris = bool(cut.select(pl.col("text").str.contains(": [ID ", literal=True).any()).collect().item())
    said = (
        cut.unnest("cut")
        .with_columns(pl.col("rest").str.splitn(": ", 2).struct.rename_fields(["head", "body"]).alias("said"))
        .with_columns(head.alias("head"), body.alias("text"))
        .unnest("head")
        .with_columns(pl.col("pid").str.strip_suffix("]").cast(pl.Int64, strict=False))
    )
    nothing = [pl.lit(None, pl.String).alias(name) for name in ("facility", "level", "msgid")]
    if has_solaris:
        marks = said.with_columns(
            pl.when(solaris).then(body.str.splitn("] ", 2).struct.rename_fields(["mark", "rest"])).alias("solaris")
        )
        mark = pl.col("solaris").struct.field("mark").str.splitn(" ", 3)
        source = mark.struct.field("field_2").str.splitn(".", 2)
        said = marks.with_columns(
            pl.when(solaris & (pl.col("framing") == "bsd"))
            .then(pl.lit("solaris"))
            .otherwise("framing")
            .alias("framing"),
            mark.struct.field("field_1").alias("msgid"),
            source.struct.field("field_0").alias("facility"),
            level_of(source.struct.field("field_1")).alias("level"),
            pl.coalesce(pl.col("solaris").struct.field("rest"), "text").alias("text"),
        )
        nothing = []
    return (
        said.with_columns(pl.lit(None, pl.Float64).alias("uptime_s"), *nothing)
        .select(pl.col(name).cast(dtype) for name, dtype in MESSAGE_SCHEMA.items())
        .collect(engine="streaming")
    )
