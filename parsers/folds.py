"""Lines that a mail, a ticket or a terminal folded, joined again before their records are read.

A line that begins with the full stamp of a format begins a record and never continues another. Where such a head is
cut, it is joined with the lines below, if that makes a whole head of it (`with_whole_heads`). Where every line stops
before a word that would not fit on it, the text was folded as a whole (`unfolded`).
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import polars as pl

from parsers.format import NARROWEST, WIDEST, Parsed, Verdict
from parsers.star import Rows, Star, lines_of

MOST_PARTS = 3
"""A head is cut into at most this many further lines."""

LEAST_FOLDS = 3
"""Fewer may be so by chance."""

MOST_BLANKS = 12
"""Blanks between two words, which a fold takes away: so much earlier may a folded line end."""

FULL_TO_EARLY = 5
"""Where lines end before the last column, words were not cut: so many times as many as those end at it."""

MANY_FOLDS, LEAST_WITHIN = 10, 0.4
"""A text was cut where so many lines end at the last column, so many times as many as records end there, and this share
of them goes on with a letter behind a letter; unless it can be wrapped, with half as many lines that end earlier."""

LEAST_RECORD = 20
"""Where a second record is pasted, its head ends no earlier."""

BETWEEN = "\ue000\ue001"
"""What no line holds."""

LEVEL_ALONE = r"\b[A-Z]{3,}[1-5]?:"
"""A level at the end of a line, as PostgreSQL writes it before two blanks."""

LEAST_SHARE = 0.6
"""Of the lines that could be the rest of the line above, this share did not fit on it."""

Marks = Callable[[pl.Series], pl.Series]
"""Says of each text whether it is something."""

Kinds = Callable[[pl.Series], pl.Series]
"""Says of each text how it begins a record; empty: it begins none."""

SURE = "!"
"""The end of a kind that no text holds, so that a line that begins with it is never the rest of the one above."""


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


def unfolded(lines: pl.DataFrame, kinds_of: Kinds) -> pl.DataFrame:
    """Lines of files that were folded as a whole, joined, and `is_absorbed`; the lines of other files as they are."""
    widths = lines.select(pl.col("text").str.len_chars().max().over("file_id")).to_series()
    narrow = widths.is_between(NARROWEST, WIDEST).arg_true()
    kinds = kinds_of(lines.get_column("text").gather(narrow))
    bare = lines.with_columns(is_absorbed=pl.lit(value=False))
    if kinds.n_unique() < 2:
        return bare
    candidates = lines.select(pl.all().gather(narrow))
    marked = _with_folds(candidates.with_columns(kinds.alias("kind"), widths.gather(narrow).alias("width")))
    is_cut, is_wrapped = (at(narrow.filter(marked.get_column(name)), lines.height) for name in ("is_cut", "is_wrapped"))
    return joined(bare, is_cut, is_wrapped)


def joined(lines: pl.DataFrame, is_cut: pl.Series, is_wrapped: pl.Series) -> pl.DataFrame:
    """Lines with the rest of each, which begins in the lines below: cut within words, or wrapped between them.

    Some wrap behind a hyphen, which no blank follows; two follow a level of PostgreSQL.
    """
    rest, is_absorbed = is_cut | is_wrapped, lines.get_column("is_absorbed")
    is_before = is_wrapped.shift(-1, fill_value=False)
    text = pl.when(is_before).then(pl.col("text").str.strip_chars_end(" ")).otherwise("text")
    is_hyphenated = pl.col("text").shift(1).str.contains(r"\w-$")
    is_level = pl.col("text").shift(1).str.contains(rf"{LEVEL_ALONE} ?$").fill_null(value=False)
    blanks = pl.when(is_level).then(pl.lit("  ")).otherwise(pl.lit(" "))
    between = pl.when(is_wrapped & ~is_hyphenated.fill_null(value=False)).then(blanks).otherwise(pl.lit(""))
    own = pl.when(is_absorbed).then(pl.lit("")).otherwise(pl.concat_str(between, text))
    is_absorbed = is_absorbed | rest
    numbered = lines.select(own.alias("text"), (~is_absorbed).cum_sum().alias("line"))
    whole = numbered.group_by("line", maintain_order=True).agg(pl.col("text").str.join(""))
    texts = lines.get_column("text").scatter((~is_absorbed).arg_true(), whole.get_column("text"))
    return lines.with_columns(texts.alias("text"), is_absorbed.alias("is_absorbed"))


def _with_folds(marked: pl.DataFrame) -> pl.DataFrame:
    """`is_cut` and `is_wrapped`: the rest of the line above, cut at the last column or wrapped between words."""
    text, width = pl.col("text"), pl.col("width")
    above = pl.when(pl.col("file_id") == pl.col("file_id").shift(1)).then(text.shift(1))
    has_blank = above.str.ends_with(" ").cast(pl.UInt32)  # a tool that keeps it cuts behind it
    taken = above.str.strip_chars_end(" ").str.len_chars() + 1 + text.str.extract(r"^(\S+)").str.len_chars() + has_blank
    is_below = (above.str.strip_chars() != "") & (text.str.strip_chars() != "")
    found = marked.with_columns(
        (is_below & (above.str.len_chars() == width)).fill_null(value=False).alias("is_full"),
        (is_below & (taken > width)).fill_null(value=False).alias("is_over"),
        (is_below & (taken + MOST_BLANKS > width) & ~above.str.ends_with("}")).fill_null(value=False).alias("is_late"),
        is_below.fill_null(value=False).alias("is_below"),
        (has_blank == 1).fill_null(value=False).alias("has_blank"),
    ).with_columns(is_rest=pl.col("is_below") & ~_is_start())
    rest = pl.col("is_rest")
    is_plain, is_early = text.str.contains(r"^\S"), pl.col("is_over") & ~pl.col("is_full")
    is_within = pl.col("is_full") & above.str.contains(r"\w$") & text.str.contains(r"^\w")
    counted = (pl.lit(value=True), pl.col("is_full"), pl.col("is_over"), is_plain, is_early, is_within)
    rests, full, over, plain, early, within = ((rest & each).sum().over("file_id") for each in counted)
    is_hard = (full >= LEAST_FOLDS) & (full >= LEAST_SHARE * rests) & (full >= FULL_TO_EARLY * early)
    ended = (pl.col("is_full") & ~rest).sum().over("file_id")
    is_soft = (over >= LEAST_FOLDS) & (over >= LEAST_SHARE * plain)
    is_many = (full >= MANY_FOLDS) & (full >= MANY_FOLDS * ended) & (within >= LEAST_WITHIN * full)
    is_hard |= is_many & ~(is_soft & (2 * early >= full))
    is_soft &= ~is_hard
    torn = above.str.extract(r"(\S+)$").str.len_chars() + text.str.extract(r"^(\S+)").str.len_chars() > width
    is_torn = is_soft & pl.col("is_full") & ~pl.col("has_blank") & torn.fill_null(value=False)
    is_wrapped = is_soft & (pl.col("is_late") | (pl.col("is_full") & pl.col("has_blank")))
    return found.with_columns(
        is_cut=rest & (is_torn | (is_hard & pl.col("is_full"))), is_wrapped=rest & is_wrapped & ~is_torn
    )


def _is_start() -> pl.Expr:
    """Whether a line begins a record.

    Beginnings of a kind that never had room on the line above are the rest of it. Where that is the usual kind of a
    file, its records begin a line earlier: their heads were cut before the stamp.
    """
    is_marked, is_first = pl.col("kind") != "", pl.col("file_id") != pl.col("file_id").shift(1)
    is_unfit = (pl.col("is_full") | pl.col("is_over")).all().over("file_id", "kind")
    is_unfit &= ~pl.col("kind").str.ends_with(SURE)
    count = pl.len().over("file_id", "kind")
    weight = pl.when(is_marked).then(2 * count + (~is_unfit).cast(pl.UInt32)).otherwise(0)
    is_usual = is_marked & (weight == weight.max().over("file_id"))
    is_early = is_usual & is_unfit & (count > LEAST_FOLDS)
    is_above_early = is_early.shift(-1, fill_value=False) & ~is_first.shift(-1, fill_value=True)
    return (is_marked & ~is_unfit) | (is_usual & ~is_early) | is_above_early | is_first.fill_null(value=True)


def reads_folded(parse: Callable[[pl.DataFrame], Parsed], kinds_of: Kinds) -> Callable[[pl.DataFrame], Parsed]:
    """A parser that reads texts which were folded as a whole like the texts before they were."""

    def read(lines: pl.DataFrame) -> Parsed:
        found = unfolded(lines, kinds_of)
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


def reads_pasted(parse: Callable[[pl.DataFrame], Parsed], head: str, mark: str) -> Callable[[pl.DataFrame], Parsed]:
    """A parser that reads each of the records that were pasted on one line.

    `head`: a pattern of a whole head; `mark`: of what a head has, which is looked for first.
    """

    def read(lines: pl.DataFrame) -> Parsed:
        text, place = pl.col("text"), ["file_id", "line_no"]
        begin, behind = text.str.slice(0, LEAST_RECORD), text.str.slice(LEAST_RECORD)
        if not lines.select(behind.str.contains(mark).any()).item():
            return parse(lines)
        cut = pl.concat_str(begin, behind.str.replace_all(rf"\s+({head})", f"{BETWEEN}${{1}}"))
        pieces = pl.when(text.str.contains(rf"^\s*{head}")).then(cut).otherwise(text).str.split(BETWEEN)
        split = lines.with_columns(pieces).explode("text")
        if split.height == lines.height:
            return parse(lines)
        split = split.with_columns(piece_no=(pl.int_range(pl.len()).over("file_id") + 1).cast(pl.Int32))
        parsed = parse(split.select("file_id", line_no="piece_no", text="text"))
        origin = split.select("file_id", "piece_no", "line_no")

        def placed(rows: pl.DataFrame) -> pl.DataFrame:
            found = rows.rename({"line_no": "piece_no"}).join(
                origin, on=["file_id", "piece_no"], how="left", maintain_order="left"
            )
            return found.select(rows.columns)

        rows = {name: _with_lines(each, placed) for name, each in parsed.rows.items()}
        verdicts = placed(parsed.lines).sort(*place, pl.col("verdict") != Verdict.PARSED, maintain_order=True)
        return Parsed(rows, verdicts.unique(place, keep="first", maintain_order=True))

    return read


def _with_lines(rows: Rows, placed: Callable[[pl.DataFrame], pl.DataFrame]) -> Rows:
    """Rows at the lines that they come from, counted anew on each."""
    part = pl.int_range(1, pl.len() + 1).over("file_id", "line_no").cast(pl.Int16)
    lines = placed(lines_of(rows)).with_columns(part.alias("part"))
    return replace(rows, lines=lines) if isinstance(rows, Star) else lines


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
