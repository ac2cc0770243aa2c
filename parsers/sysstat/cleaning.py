"""What mails, papers, terminals and scripts put around the lines of iostat is taken off before they are read."""

import polars as pl

_HEADER = r"(?:Device:?\s|avg-cpu:|Disks:\s|extended de|procs\b|tty:?\s|Linux [0-9])"
_STAMP = (
    r"^\[?(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]|[A-Z][a-z]{2} +[0-9]{1,2} )?[0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"(?:[.,][0-9]+)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?\]?:? +|^-+time-+ +"
)
# A mark before a header: quoting of mails, the frame of a document, HTML, a parallel shell's host, a time put in front.
_MARKS = (
    ("quote", rf"^(?:> ?)+\s*{_HEADER}"),
    ("frame", rf"^\|\s*{_HEADER}.*\|$"),
    ("html", rf"^(?:<[a-z]+>)+\s*{_HEADER}"),
    ("host", rf"^[\w.-]+: +{_HEADER}"),
    ("time", rf"(?:{_STAMP}){_HEADER}"),
)
ENDS_IN_NUMBER = r"[ \t][0-9][0-9.,]*$"
"""No header ends so; nearly all other lines do."""

_PEELS = {"quote": r"^((?:> ?)+)", "frame": r"^(\|)", "html": r"^((?:<[a-z]+>)+)", "time": rf"({_STAMP})"}


def cleaned(lines: pl.DataFrame) -> pl.DataFrame:
    """The lines with `text` cleaned, and `put_before`: the time that a script put before the line, null if none."""
    text = lines.get_column("text")
    if text.str.contains("\ufeff", literal=True).any():
        text = text.str.strip_chars_start("\ufeff")
    text = text.str.strip_chars_end()
    frame = lines.with_columns(text.alias("text"), pl.lit(None, pl.String).alias("put_before"))
    marks = _marks(frame)
    for kind in marks.get_column("kind").unique(maintain_order=True):
        frame = _peeled(frame, kind, marks.filter(kind=kind))
    return frame


def _marks(frame: pl.DataFrame) -> pl.DataFrame:
    """Which files have which mark before a header; for `host` also the mark itself."""
    text = pl.col("text")
    headers = frame.select("file_id", "text").filter(text.str.contains(_HEADER))
    is_behind = text.str.contains(rf"^\S.*{_HEADER}") & ~text.str.contains(ENDS_IN_NUMBER)
    suspects = headers.unique(maintain_order=True).filter(is_behind)
    if suspects.is_empty():
        return suspects.select("file_id", kind=pl.lit(""), mark=pl.lit(None, pl.String))
    kind = pl.coalesce(
        pl.when(pl.col("text").str.contains(pattern)).then(pl.lit(name)) for name, pattern in _MARKS
    ).alias("kind")
    return (
        suspects.select("file_id", kind, mark=pl.col("text").str.extract(r"^([\w.-]+: +)"))
        .with_columns(mark=pl.when(pl.col("kind") == "host").then(pl.col("mark").str.strip_chars_end()))
        .drop_nulls("kind")
        .unique(maintain_order=True)
    )


def _peeled(frame: pl.DataFrame, kind: str, marks: pl.DataFrame) -> pl.DataFrame:
    text = pl.col("text")
    if kind == "host":
        mark = marks.select("file_id", "mark").unique("file_id")
        joined = frame.join(mark, on="file_id", how="left", maintain_order="left")
        bare = pl.when(text.str.starts_with(pl.col("mark"))).then(text.str.strip_prefix(pl.col("mark")))
        return joined.with_columns(pl.coalesce(bare.str.strip_prefix(" "), text)).drop("mark")
    is_marked = pl.col("file_id").is_in(marks.get_column("file_id").to_list())
    inner = text.str.replace(_PEELS[kind], "")
    if kind == "frame":
        inner = inner.str.strip_suffix("|").str.strip_chars_end()
    peeled: dict[str, pl.Expr] = {"text": pl.when(is_marked).then(inner).otherwise(text)}
    if kind == "time":
        stamp = text.str.extract(_PEELS[kind]).str.strip_chars(" []:")
        peeled["put_before"] = pl.when(is_marked & stamp.str.contains("[0-9]")).then(stamp)
    return frame.with_columns(**peeled)
