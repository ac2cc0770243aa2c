"""Lines that a mail, a ticket or a terminal folded, joined again before their records are read.

A line that begins with the full stamp of a format begins a record and never continues another. Where such a head is
cut, it is joined with the lines below, if that makes a whole head of it (`with_whole_heads`). Where every line stops
before a word that would not fit on it, the text was folded as a whole (`unfolded`).
"""

from collections.abc import Callable
from itertools import product

import polars as pl

from parsers.format import Parsed, Verdict

MOST_PARTS = 3
"""A head is cut into at most this many further lines."""

NARROWEST, WIDEST = 56, 80
"""Columns at which texts are folded as a whole: lines of mails, tickets and terminals."""

LEAST_FOLDS = 3
"""Fewer may be so by chance."""

MOST_BLANKS = 12
"""Blanks between two words, which a fold takes away: so much earlier may a folded line end."""

LEAST_SHARE = 0.6
"""Of the lines that could be the rest of the line above, this share did not fit on it."""
Marks = Callable[[pl.Series], pl.Series]
"""Says of each text whether it is something."""


def at(rows: pl.Series, height: int) -> pl.Series:
    """True at these of so many rows."""
    return pl.repeat(False, height, dtype=pl.Boolean, eager=True).scatter(rows, True)


def with_whole_heads(
    lines: pl.DataFrame, is_cut: pl.Series, is_rest: pl.Series, is_whole: Marks, mark: str = "^()"
) -> pl.DataFrame:
    """Lines with their heads joined, and `is_absorbed`: the text of the line is in the head above.

    `is_cut`: heads that lack something; what stays cut is left as it is. `is_rest`: lines that may be the end of one.
    `mark`: what may be before every line.
    """
    texts, nothing = lines.get_column("text"), pl.repeat(False, lines.height, dtype=pl.Boolean, eager=True)
    if not is_cut.any():
        return lines.with_columns(nothing.alias("is_absorbed"))
    cut, absorbed = _with_parts(lines, is_cut, is_rest & ~is_cut, mark), nothing
    for count, separator in product(range(1, MOST_PARTS + 1), (" ", "")):
        parts = ["head", *(f"below_{number}" for number in range(1, count + 1))]
        joined = cut.select(pl.concat_str(parts, separator=separator)).to_series()
        is_made = is_whole(joined).fill_null(value=False)
        made = cut.filter(is_made).get_column("place")
        texts = texts.scatter(made, joined.filter(is_made))
        for number in range(1, count + 1):
            absorbed = absorbed.scatter(made + number, True)
        cut = cut.filter(~is_made)
    return lines.with_columns(texts.alias("text"), absorbed.alias("is_absorbed"))


def _with_parts(lines: pl.DataFrame, is_cut: pl.Series, is_rest: pl.Series, mark: str) -> pl.DataFrame:
    """Cut heads with their `place`, and the lines `below_1`, ... as long as they may be the rest of it."""
    text, place = pl.col("text"), is_cut.arg_true()
    columns = [lines.get_column("text").gather(place).str.strip_chars_end(" \t").alias("head")]
    marks = columns[0].str.extract(mark)
    goes_on = pl.Series(place.len() * [True], dtype=pl.Boolean)
    for number in range(1, MOST_PARTS + 1):
        row = (place + number).clip(upper_bound=lines.height - 1)
        is_same_file = lines.get_column("file_id").gather(row) == lines.get_column("file_id").gather(place)
        goes_on = goes_on & is_rest.gather(row) & is_same_file & (row == place + number)
        below = pl.DataFrame({"text": lines.get_column("text").gather(row), "mark": marks, "goes_on": goes_on})
        bare = pl.when("goes_on").then(text.str.strip_prefix(pl.col("mark")).str.strip_chars(" \t"))
        columns.append(below.select(bare.alias(f"below_{number}")).to_series())
    return pl.DataFrame([place.alias("place"), *columns])


def unfolded(lines: pl.DataFrame, is_start: Marks) -> pl.DataFrame:
    """Lines of files that were folded as a whole, joined, and `is_absorbed`; the lines of other files as they are.

    `is_start`: which texts begin a record.
    """
    widths = lines.select(pl.col("text").str.len_chars().max().over("file_id")).to_series()
    narrow = widths.is_between(NARROWEST, WIDEST).arg_true()
    starts = pl.repeat(True, lines.height, dtype=pl.Boolean, eager=True)
    if not narrow.is_empty():
        starts = starts.scatter(narrow, is_start(lines.get_column("text").gather(narrow)))
    if starts.all():
        return lines.with_columns(is_absorbed=pl.lit(value=False))
    marked = _with_folds(lines.with_columns(starts.alias("is_start"), widths.alias("width")))
    is_absorbed, is_hard = marked.get_column("is_absorbed"), marked.get_column("is_hard")
    return joined(lines.with_columns(is_absorbed=pl.lit(value=False)), is_absorbed & is_hard, is_absorbed & ~is_hard)


def joined(lines: pl.DataFrame, is_cut: pl.Series, is_wrapped: pl.Series) -> pl.DataFrame:
    """Lines with the rest of each, which begins in the lines below: cut within words, or wrapped between them.

    Some wrap behind a hyphen, which no blank follows.
    """
    rest, is_absorbed = is_cut | is_wrapped, lines.get_column("is_absorbed")
    is_before = is_wrapped.shift(-1, fill_value=False)
    text = pl.when(is_before).then(pl.col("text").str.strip_chars_end(" ")).otherwise("text")
    is_hyphenated = pl.col("text").shift(1).str.contains(r"\w-$")
    between = pl.when(is_wrapped & ~is_hyphenated.fill_null(value=False)).then(pl.lit(" ")).otherwise(pl.lit(""))
    own = pl.when(is_absorbed).then(pl.lit("")).otherwise(pl.concat_str(between, text))
    is_absorbed = is_absorbed | rest
    numbered = lines.select(own.alias("text"), (~is_absorbed).cum_sum().alias("line"))
    whole = numbered.group_by("line", maintain_order=True).agg(pl.col("text").str.join(""))
    texts = lines.get_column("text").scatter((~is_absorbed).arg_true(), whole.get_column("text"))
    return lines.with_columns(texts.alias("text"), is_absorbed.alias("is_absorbed"))


def _with_folds(marked: pl.DataFrame) -> pl.DataFrame:
    """`is_absorbed`: the rest of the line above; `is_hard`: it was cut at the last column, within a word or not."""
    text = pl.col("text")
    above = pl.when(pl.col("file_id") == pl.col("file_id").shift(1)).then(text.shift(1))
    has_blank = above.str.ends_with(" ").cast(pl.UInt32)  # a tool that keeps it cuts behind it
    taken = above.str.strip_chars_end(" ").str.len_chars() + 1 + text.str.extract(r"^(\S+)").str.len_chars() + has_blank
    is_rest = ~pl.col("is_start") & (above.str.strip_chars() != "") & (text.str.strip_chars() != "")
    found = marked.with_columns(
        is_rest.fill_null(value=False).alias("is_rest"),
        (is_rest & (above.str.len_chars() == pl.col("width"))).fill_null(value=False).alias("is_full"),
        (is_rest & (taken > pl.col("width"))).fill_null(value=False).alias("is_folded"),
        (is_rest & (taken + MOST_BLANKS > pl.col("width"))).fill_null(value=False).alias("is_late"),
        (is_rest & text.str.contains(r"^\S")).fill_null(value=False).alias("is_plain"),
    )
    full, folded, rest, plain = (
        pl.col(name).sum().over("file_id") for name in ("is_full", "is_folded", "is_rest", "is_plain")
    )
    is_hard = (full >= LEAST_FOLDS) & (full >= LEAST_SHARE * rest)
    is_soft = ~is_hard & (folded >= LEAST_FOLDS) & (folded >= LEAST_SHARE * plain)
    absorbed = (is_hard & pl.col("is_full")) | (is_soft & (pl.col("is_late") | (pl.col("is_full") & (has_blank == 1))))
    return found.with_columns(absorbed.alias("is_absorbed"), is_hard.alias("is_hard"))


def reads_folded(parse: Callable[[pl.DataFrame], Parsed], is_start: Marks) -> Callable[[pl.DataFrame], Parsed]:
    """A parser that reads texts which were folded as a whole like the texts before they were."""

    def read(lines: pl.DataFrame) -> Parsed:
        found = unfolded(lines, is_start)
        if not found.get_column("is_absorbed").any():
            return parse(lines)
        return with_absorbed(parse(found.filter(~pl.col("is_absorbed")).drop("is_absorbed")), found)

    return read


def reads_whole_heads(
    parse: Callable[[pl.DataFrame], Parsed], cut: str, whole: str
) -> Callable[[pl.DataFrame], Parsed]:
    """A parser that reads heads which were cut. Patterns: of the beginning of a head, and of a whole one."""

    def read(lines: pl.DataFrame) -> Parsed:
        texts = lines.get_column("text")
        is_cut = texts.str.contains(cut) & ~texts.str.contains(whole)
        if not is_cut.any():
            return parse(lines)
        is_rest = ~texts.str.contains(whole) & (texts.str.strip_chars() != "")
        found = with_whole_heads(lines, is_cut, is_rest, lambda joined: joined.str.contains(whole))
        return with_absorbed(parse(found.filter(~pl.col("is_absorbed")).drop("is_absorbed")), found)

    return read


def with_absorbed(parsed: Parsed, found: pl.DataFrame) -> Parsed:
    """What was parsed of the lines that are not absorbed, with a verdict for those that are: that of the line above."""
    places = found.select("file_id", "line_no", "is_absorbed")
    said = places.join(parsed.lines, on=["file_id", "line_no"], how="left", maintain_order="left")
    above = pl.col("verdict").forward_fill()
    rest = pl.when(above == Verdict.PARSED).then(pl.lit(Verdict.CONTINUATION, pl.UInt8)).otherwise(above)
    verdict = pl.when("is_absorbed").then(rest).otherwise("verdict").alias("verdict")
    of_above = pl.when(~pl.col("is_absorbed")).then(pl.col("reason").fill_null("")).forward_fill().replace("", None)
    is_reasoned = pl.col("is_absorbed") & above.is_in([Verdict.REJECTED, Verdict.IGNORED])
    reason = pl.when(is_reasoned).then(of_above).otherwise("reason").alias("reason")
    return Parsed(parsed.rows, said.select("file_id", "line_no", verdict, reason))
