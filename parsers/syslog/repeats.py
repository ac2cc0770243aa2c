"""Repeat lines of syslog: which record they repeat, and how often.

`last message repeated 5 times`, with a tag or without, mentions the record above of its host; so does the form of
macOS, `--- last message repeated 1 time ---`, which names no host. rsyslog's `message repeated 5 times: [ text]` quotes
the text, and mentions the record above of its host and program, if that has this text. Chained lines add up.
A record behind the header that tail prints between two files is in another log, and so is not found.
"""

from collections.abc import Sequence

import polars as pl

from parsers.syslog.words import LEVEL_WORD

# REAL: Mar 19 12:57:16 jyro last message repeated 5 times
# RECONSTRUCTED: Aug 16 00:28:56 --- last message repeated 1 time ---
REPEAT = r"^(?:--- )?last message repeated (?P<count>[0-9]{1,9}) times?(?: ---)?\s*$"
# REAL: message repeated 5 times: [ Failed password for root from 5.36.59.76 port 42393 ssh2]
REPEAT_QUOTED = r"^message repeated (?P<count>[0-9]{1,9}) times: \[ *(?P<quoted>.*)\]\s*$"

TAIL = r"^==> .* <==$"
"""The header of a file, as tail prints it."""


def repeat_part(group: str) -> pl.Expr:
    """What a repeat line says in column `text`: `count`, and `quoted` where it names the text."""
    text = pl.col("text").str
    plain, quoted = text.extract_groups(REPEAT).struct, text.extract_groups(REPEAT_QUOTED).struct
    if group == "quoted":
        return quoted.field("quoted")
    return pl.coalesce(plain.field(group), quoted.field(group))


def fold(special: pl.DataFrame, plain: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the record of every repeat; orphans get their reason. Second: `repeat_count` by the record's `row`."""
    repeats = special.filter("is_repeat")
    if not repeats.height:
        return special, pl.DataFrame(schema={"row": pl.UInt32(), "repeat_count": pl.Int32()})
    asked = repeats.with_columns(
        repeat_part("count").cast(pl.Int64).alias("count"), repeat_part("quoted").alias("quoted")
    )
    heads = special.filter(pl.col("framing").is_not_null() & ~pl.col("is_repeat"))
    tails = special.filter(pl.col("line").str.contains(TAIL))["row"]
    # asked one after the other: to join them in the order of the lines would take longer than all the rest
    parents = _parents(asked, (plain.with_columns(pl.lit(None, pl.String).alias("fault")), heads), tails)
    orphans = pl.when(pl.col("parent").is_null()).then(pl.lit("repeat of a line that is not in the file"))
    reasons = parents.select("row", orphans.alias("orphan"))
    explained = special.join(reasons, on="row", how="left", maintain_order="left")
    folded = (
        parents.filter(pl.col("parent").is_not_null())
        .group_by(pl.col("parent").alias("row"))
        .agg(pl.col("count").sum().clip(0, 2**31 - 1).cast(pl.Int32).alias("repeat_count"))
    )
    return explained.with_columns(pl.coalesce("reason", "orphan").alias("reason")).drop("orphan"), folded


def _parents(repeats: pl.DataFrame, above: Sequence[pl.DataFrame], tails: pl.Series) -> pl.DataFrame:
    """`row`, `count`, `parent` of every repeat: the nearest line above of its host, or of its program if it quotes."""
    is_quote, is_host = pl.col("quoted").is_not_null(), _host() != ""
    kinds = {
        ("file_id", "section"): ~is_quote & ~is_host,
        ("file_id", "section", "host"): ~is_quote & is_host,
        ("file_id", "section", "host", "program"): is_quote,
    }
    found = [
        _nearest(asked, lines, keys, tails)
        for keys, of_kind in kinds.items()
        for asked in [repeats.filter(of_kind)]
        for lines in above
        if asked.height
    ]
    nearest = pl.concat(found).sort("row", "parent").unique("row", keep="last", maintain_order=True)
    is_record = pl.col("fault").is_null() & (pl.col("quoted").is_null() | _is_quoted())
    return nearest.select("row", "count", pl.when(is_record).then("parent").alias("parent"))


def _nearest(repeats: pl.DataFrame, lines: pl.DataFrame, keys: Sequence[str], tails: pl.Series) -> pl.DataFrame:
    """The nearest of the lines above each repeat that has the same keys, with what it says where programs are asked."""
    is_program = "program" in keys
    if is_program:
        lines = lines.filter(pl.col("tag").is_in(repeats["tag"].unique().implode(), nulls_equal=True))
    else:
        lines = lines.select("row", "file_id", "host", "fault")
    said = pl.col("text") if is_program else pl.lit(None, pl.String)
    keyed = _keyed(lines.sort("row"), keys, tails).select("row", *keys, "fault", said.alias("said"), parent="row")
    asked = _keyed(repeats, keys, tails).select("row", "count", "quoted", *keys)
    # the check for sorted keys cannot look into groups
    return asked.join_asof(keyed, on="row", by=list(keys), strategy="backward", check_sortedness=False).drop(keys)


def _keyed(lines: pl.DataFrame, keys: Sequence[str], tails: pl.Series) -> pl.DataFrame:
    """The keys to find a record by: part of the file (`tails`: rows between two), host, program."""
    section = pl.lit(0, pl.UInt32)
    if len(tails):
        marks = pl.DataFrame({"row": tails, "section": pl.int_range(1, len(tails) + 1, dtype=pl.UInt32, eager=True)})
        lines = lines.join_asof(marks, on="row", strategy="backward")
        section = pl.col("section").fill_null(0)
    program = pl.concat_str(pl.col("tag").fill_null(""), pl.col("pid").fill_null(-1), separator="\0")
    columns = {"section": section, "host": _host(), "program": program}
    return lines.with_columns(columns[key].alias(key) for key in keys if key in columns)


def _host() -> pl.Expr:
    """The host, empty where a line names none; macOS prints hyphens."""
    return pl.when(pl.col("host") != "---").then("host").fill_null("")


def _is_quoted() -> pl.Expr:
    """Whether `quoted` is the text `said`, whose level may have been taken off. rsyslog cuts at 800 characters."""
    said, quoted = pl.col("said"), pl.col("quoted")
    bare = quoted.str.replace(rf"^{LEVEL_WORD}: +", "")
    return (said == quoted) | (said == bare) | ((quoted.str.len_chars() > 700) & said.str.starts_with(bare))
