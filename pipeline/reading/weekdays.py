"""Weekdays that lines print beside a day without a year: `Thu Oct  9 10:27:04` is of one year in five to eleven."""

import polars as pl

from parsers.ascii_pattern import ascii_only

NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

LOOKED_AT = 1000
"""The first lines of a file: a log that prints weekdays does so from its beginning."""

PRINTED = ascii_only(
    rf"^[^A-Za-z0-9]{{0,3}}(?P<weekday>{'|'.join(NAMES)})[a-z]*\.?,? +"
    rf"(?:(?P<month>{'|'.join(MONTHS)})[a-z]*\.? +(?P<day>[0-3]?[0-9])|"
    rf"(?P<first_day>[0-3]?[0-9])\.? +(?P<second_month>{'|'.join(MONTHS)})[a-z]*\.?)"
    r",?[ T]+[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?[.,0-9]*(?P<behind>.{0,16})"
)
YEAR = r"^(?: (?:[A-Z]{2,5}|[+-][0-9:]{4,6}))?,? (?:19|20)[0-9]{2}\b"


def weekdays_of(lines: pl.DataFrame) -> list[tuple[int, str]]:
    """File, and weekday with its day (`Thu 10-09`), of lines that print no year; `lines`: file_id, line_no, text."""
    first = lines.filter(pl.col("line_no") <= LOOKED_AT).select("file_id", pl.col("text"))
    printed = first.filter(pl.col("text").str.contains(PRINTED))
    if not printed.height:
        return []
    groups = printed.with_columns(pl.col("text").str.extract_groups(PRINTED).alias("groups")).unnest("groups")
    month = pl.coalesce("month", "second_month").replace_strict(
        {name: f"{number:02}" for number, name in enumerate(MONTHS, 1)}, return_dtype=pl.String
    )
    day = pl.coalesce("day", "first_day").str.zfill(2)
    text = pl.concat_str("weekday", pl.lit(" "), month, pl.lit("-"), day).alias("text")
    bare = groups.filter(~pl.col("behind").str.contains(YEAR)).select("file_id", text)
    return bare.unique().sort("file_id", "text").rows()
