"""Verdicts of formats that are read column by column: what became of each line, as expressions say."""

from typing import Final

import polars as pl

from parsers.format import Verdict

NEVER: Final = pl.lit(value=False)
NOTHING: Final = pl.lit(None, pl.String)
COMMENT: Final = pl.when(pl.col("text").str.contains(r"^\s*#")).then(pl.lit("comment"))
"""Why lines of most configuration files are set aside."""


def verdicts(
    lines: pl.DataFrame,
    parsed: pl.Expr,
    rejection: str | pl.Expr,
    *,
    continued: pl.Expr = NEVER,
    ignored: pl.Expr = NOTHING,
) -> pl.DataFrame:
    """One verdict per line. `ignored` gives the reason to set a line aside, or null; what is left is rejected."""
    refused = pl.lit(rejection) if isinstance(rejection, str) else rejection
    is_blank = pl.col("text").str.strip_chars() == ""
    verdict = (
        pl.when(is_blank)
        .then(int(Verdict.BLANK))
        .when(parsed)
        .then(int(Verdict.PARSED))
        .when(continued)
        .then(int(Verdict.CONTINUATION))
        .when(ignored.is_not_null())
        .then(int(Verdict.IGNORED))
        .otherwise(int(Verdict.REJECTED))
        .cast(pl.UInt8())
    )
    reason = pl.when(verdict == Verdict.IGNORED).then(ignored).when(verdict == Verdict.REJECTED).then(refused)
    return lines.select("file_id", "line_no", verdict.alias("verdict"), reason.cast(pl.String).alias("reason"))


def first_reason(*reasons: tuple[str, str]) -> pl.Expr:
    """Why a line is set aside: the reason beside the first pattern that fits it, or null."""
    text = pl.col("text").str
    return pl.coalesce(*(pl.when(text.contains(pattern)).then(pl.lit(reason)) for pattern, reason in reasons))


def is_in(lines: pl.DataFrame, *rows: pl.DataFrame) -> pl.Expr:
    """For every line, whether one of the frames has a row of it."""
    keys = pl.concat([each.select("file_id", "line_no") for each in rows]).unique()
    marked = keys.with_columns(pl.lit(value=True).alias("is_in"))
    found = lines.select("file_id", "line_no").join(
        marked, on=["file_id", "line_no"], how="left", maintain_order="left"
    )
    return pl.lit(found["is_in"].fill_null(value=False))
