"""Bodies of records of db2diag.log that were folded: cut at the last column, within words, or wrapped between them.

A cut record is longer than it says by the line ends that the cut added. Where nothing proves it, the lines of
functions tell, which nearly always end with a probe.
"""

import polars as pl

from parsers.db2.db2diag_framing import Framed, framed, with_extents
from parsers.db2.db2diag_keys import V82_KEY, WHOLE_FUNCTION
from parsers.folds import joined
from parsers.format import NARROWEST

LABEL = r"[A-Z][A-Za-z ]{0,20}\([A-Za-z]+\):"
LONGEST_PROBE = 10
"""Digits that a probe has at most."""
OF_ITS_OWN = rf"^(?:0x[0-9A-Fa-f]+|[ \t]|\[|{LABEL})"
"""What begins lines of dumps, stacks and lists of values: none is the rest of the line above."""


def unfolded(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with `is_absorbed`, the bodies of the records in folded files joined."""
    if not lines.get_column("is_absorbed").any() and not _may_be_folded(lines.get_column("text")):
        return lines
    found = framed(lines)
    is_cut, is_wrapped = _folds(found)
    if not (is_cut | is_wrapped).any():
        return lines
    own = pl.when(is_cut | is_wrapped).then(found.lines.get_column("text")).otherwise("text")
    bare = lines.select("file_id", "line_no", own.alias("text"), "is_absorbed")
    return joined(bare, is_cut, is_wrapped)


def _may_be_folded(texts: pl.Series) -> bool:
    """Whether a function stands on a line without its probe, or digits on one by themselves."""
    of_functions = texts.filter(texts.str.contains("FUNCTION", literal=True))
    short = texts.filter(texts.str.len_bytes() <= LONGEST_PROBE)
    return not of_functions.str.contains(WHOLE_FUNCTION).all() or short.str.contains("^[0-9]+$").any()


def _folds(found: Framed) -> tuple[pl.Series, pl.Series]:
    """Which lines go on where the line above was cut, and which where it was wrapped."""
    text, record = pl.col("text"), pl.col("record")
    is_body = ~pl.any_horizontal("is_header", "is_absorbed", "is_trailing")
    width = pl.when(is_body).then(text.str.len_chars())
    widest = width.max().over("file_id")
    is_below = (record == record.shift(1)) & is_body & is_body.shift(1) & ~text.str.contains(V82_KEY)
    above = text.shift(1).str
    is_of_function = above.starts_with("FUNCTION") & (~above.contains(WHOLE_FUNCTION) | text.str.contains("^[0-9]+$"))
    is_full = is_below & (width.shift(1) == widest) & ~text.str.contains(f"^{LABEL}")
    is_made = pl.concat_str(text.shift(1), text).str.contains(WHOLE_FUNCTION)
    is_of_section = above.contains(r"^(?:DATA|ARG|CALLSTCK) *(?:#[0-9]+ *)?:")
    is_over = ~is_of_section & (width.shift(1) + 1 + text.str.extract(r"^(\S+)").str.len_chars() > widest)
    marks = found.lines.select(
        "file_id",
        "record",
        is_full.fill_null(value=False).alias("is_full"),
        (is_below & is_over & ~text.str.contains(OF_ITS_OWN)).fill_null(value=False).alias("is_over"),
        (is_full & is_of_function).fill_null(value=False).alias("is_cut_function"),
        (is_full & is_of_function & is_made).fill_null(value=False).alias("is_made_function"),
        (is_below & ~is_full & is_of_function).fill_null(value=False).alias("is_wrapped_function"),
        (is_below & ~is_over & is_of_function).fill_null(value=False).alias("is_short_function"),
        (widest > NARROWEST).fill_null(value=False).alias("is_wide"),
    )
    of_cut, of_wrapped = (each.gather(marks.get_column("record")) for each in _of_folded_files(found, marks))
    is_cut = marks.get_column("is_full") & of_cut
    return is_cut, marks.get_column("is_over") & of_wrapped & ~is_cut


def _of_folded_files(found: Framed, marks: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Of each record whether its file was cut, and whether it was wrapped."""
    counts = marks.group_by("record", maintain_order=True).agg(pl.col("^is_.*$").sum().cast(pl.Int64))
    heads = with_extents(found)
    stated = pl.col("record_length") if "record_length" in heads.columns else pl.lit(None)
    excess = pl.col("byte_count") - stated.cast(pl.Int64, strict=False)
    records = heads.select("file_id", excess.alias("excess")).with_columns(counts.get_columns()[1:])
    full = pl.col("is_full")
    proven = ((full > 0) & (pl.col("excess") == full)).sum().over("file_id")
    denied = ((full > 0) & (pl.col("excess") == 0)).sum().over("file_id")
    cut, made, wrapped, short, wide = (
        pl.col(f"is_{name}").sum().over("file_id")
        for name in ("cut_function", "made_function", "wrapped_function", "short_function", "wide")
    )
    looks_cut = (cut > 0) & (wrapped == 0) & ((made > 0) | (full.sum().over("file_id") > 1))
    is_cut = pl.when(proven + denied > 0).then(proven > denied).otherwise(looks_cut).fill_null(value=False)
    is_wrapped = ~is_cut & (cut + wrapped > 0) & (short == 0) & (wide > 0)
    return records.select(is_cut).to_series(), records.select(is_wrapped.fill_null(value=False)).to_series()
