"""Repeat lines of syslog: which record they repeat, and how often.

`last message repeated 5 times`, with a tag or without, speaks of the record above of its host; so does the form of
macOS, `--- last message repeated 1 time ---`, which names no host. rsyslog's `message repeated 5 times: [ text]` quotes
the text, and speaks of the record above of its host and program, if that has this text. Chained lines add up.
A record behind the header that tail prints between two files is in another log, and so is not found.
"""

import polars as pl

from parsers.syslog_words import LEVEL_WORD

# REAL: Mar 19 12:57:16 jyro last message repeated 5 times
# RECONSTRUCTED: Aug 16 00:28:56 --- last message repeated 1 time ---
REPEAT = r"^(?:--- )?last message repeated (?P<count>\d{1,9}) times?(?: ---)?\s*$"
# REAL: message repeated 5 times: [ Failed password for root from 5.36.59.76 port 42393 ssh2]
REPEAT_QUOTED = r"^message repeated (?P<count>\d{1,9}) times: \[ *(?P<quoted>.*)\]\s*$"

TAIL = r"^==> .* <==$"
"""The header of a file, as tail prints it."""


def said_of_repeat(group: str) -> pl.Expr:
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
    asked = _keyed(repeats, special).with_columns(
        said_of_repeat("count").cast(pl.Int64).alias("count"), said_of_repeat("quoted").alias("quoted")
    )
    heads = special.filter(pl.col("framing").is_not_null() & ~pl.col("is_repeat"))
    columns = ["row", "file_id", "host", "fault"]
    if asked["quoted"].null_count() < asked.height:
        columns += ["tag", "pid", "text"]
    above = pl.concat(
        [plain.with_columns(pl.lit(None, pl.String).alias("fault")).select(columns), heads.select(columns)]
    )
    parents = _parents(asked, _keyed(above.sort("row"), special))
    orphans = pl.when(pl.col("parent").is_null()).then(pl.lit("repeat of a line that is not in the file"))
    reasons = parents.select("row", orphans.alias("orphan"))
    told = special.join(reasons, on="row", how="left", maintain_order="left")
    folded = (
        parents.filter(pl.col("parent").is_not_null())
        .group_by(pl.col("parent").alias("row"))
        .agg(pl.col("count").sum().clip(0, 2**31 - 1).cast(pl.Int32).alias("repeat_count"))
    )
    return told.with_columns(pl.coalesce("reason", "orphan").alias("reason")).drop("orphan"), folded


def _keyed(lines: pl.DataFrame, special: pl.DataFrame) -> pl.DataFrame:
    """The keys to find a record by: part of the file, host, program where there is a tag."""
    tails = special.filter(pl.col("line").str.contains(TAIL))["row"].to_list()
    section = pl.lit(0, pl.UInt32)
    if tails:
        marks = pl.DataFrame({"row": tails, "section": range(1, len(tails) + 1)}, schema_overrides={"row": pl.UInt32})
        lines = lines.join_asof(marks, on="row", strategy="backward").with_columns(pl.col("section").fill_null(0))
        section = pl.col("section").cast(pl.UInt32)
    anyone = pl.col("host") == "---"  # macOS names no host
    program = pl.concat_str(pl.col("tag").fill_null(""), pl.col("pid").fill_null(-1), separator="\0")
    return lines.with_columns(
        section.alias("section"),
        pl.when(anyone).then(pl.lit("")).otherwise(pl.col("host").fill_null("")).alias("host"),
        *([program.alias("program")] if "tag" in lines.columns else []),
    )


def _parents(repeats: pl.DataFrame, above: pl.DataFrame) -> pl.DataFrame:
    """`row`, `count`, `parent` of every repeat: the nearest line above of its host, or of its program if it quotes."""
    is_quote, is_host = pl.col("quoted").is_not_null(), pl.col("host") != ""
    kinds = {
        ("file_id", "section"): ~is_quote & ~is_host,
        ("file_id", "section", "host"): ~is_quote & is_host,
        ("file_id", "section", "host", "program"): is_quote,
    }
    found = []
    for keys, of_kind in kinds.items():
        asked = repeats.filter(of_kind).select("row", "count", "quoted", *keys)
        if not asked.height:
            continue
        said = pl.col("text") if "text" in above.columns else pl.lit(None, pl.String)
        lines = above.select("row", *keys, "fault", said.alias("said"), parent="row")
        # the check for sorted keys cannot look into groups, and both frames are in file order
        found.append(asked.join_asof(lines, on="row", by=list(keys), strategy="backward", check_sortedness=False))
    is_record = pl.col("fault").is_null() & (pl.col("quoted").is_null() | _is_quoted())
    answers = pl.concat([each.select("row", "count", "quoted", "said", "fault", "parent") for each in found])
    return answers.select("row", "count", pl.when(is_record).then("parent").alias("parent"))


def _is_quoted() -> pl.Expr:
    """Whether `quoted` is the text `said`, whose level may have been taken off. rsyslog cuts at 800 characters."""
    said, quoted = pl.col("said"), pl.col("quoted")
    bare = quoted.str.replace(rf"^{LEVEL_WORD}: +", "")
    return (said == quoted) | (said == bare) | ((quoted.str.len_chars() > 700) & said.str.starts_with(bare))
