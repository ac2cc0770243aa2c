"""What a host's clock and zone are: what `date` and `timedatectl` print, alone or in a support bundle's `time.txt`.

Written by  people and collectors: sosreport (`date`), crm report and hb_report (`time.txt`), `etc/timezone`
One row     per line that gives the time, or the zone by its place. Its year and zone hold for the logs of the host
Time        as printed; the zone of `timedatectl` is that of its line `Time zone: Europe/Berlin (CEST, +0200)`
Ignored     what else `timedatectl` prints, and the state of ntp
"""

from collections.abc import Sequence

import polars as pl

from parsers.dated.heads import read_heads
from parsers.dated.moments import with_moments
from parsers.dated.recognition import first_lines
from parsers.first_look import FirstLook
from parsers.format import Column, Format, Parsed, Recognition, Refusal, Table
from parsers.line_verdict import verdicts
from parsers.zone_names import REGION

HOST_TIME = Table(
    name="host_time",
    grain="One row per line that says what time it was on a host, or which zone its clock is of.",
    subject="Environment",
    columns=(
        Column("host", pl.String(), "host whose clock it is, where the file names one", host="own"),
        Column("zone", pl.String(), "zone of the clock by its place: Europe/Berlin", host="zone"),
        Column("text", pl.String(), "the line"),
    ),
)

MOST_LINES = 60
# ADAPTED: Time: Thu Mar 22 10:41:19 2019        Current time: ...        Local time: Mo 2025-07-28 10:27:04 CEST
LABEL = r"^\s*(?:(?:[Cc]urrent |[Ll]ocal )?[Tt]ime|[Dd]ate): +"
# REAL: Time zone: Asia/Shanghai (CST, +0800)
PLACE = rf"^\s*(?:Time ?zone: *|TZ=\"?|ZONE=\"?)?({REGION}|UTC)\"?(?: \([^()]*\))?\s*$"
PLACE_OFFSET = r"^\s*Time ?zone: .*\([A-Z0-9+-]+, ([+-][0-9]{4})\)"
STATE = (
    r"^\s*(?:(?:Universal|RTC) time|RTC in local TZ|DST active|(?:Last|Next) DST change|NTP (?:enabled|synchronized"
    r"|service)|Network time on|System clock synchronized|systemd-timesyncd\.service active):?"
    r"|^\s*(?:DST (?:began|ended|begins|ends) at|[A-Z][a-z]{2} [0-9-]{10} [0-9:]{8} [A-Z]{2,5}$)"
)
NO_TIME = r"[\[\]{}<>=\"]|^.{100}"
"""What no line has that is a time and nothing else; patterns of times take long to compile."""
NTP = r"^\s*(?:ntpdc|ntpq|chronyc)\b"
COMMAND = r"^[#$>] *(?:/\S*/)?(?:date|timedatectl|hwclock|ntpq|ntpdc|chronyc)\b"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a few lines that are nothing but the time, the zone, and the state of both."""
    kinds = _looks.of(head)
    if not 0 < len(kinds) <= MOST_LINES:
        return Refusal("more lines than a clock has" if kinds else "no line to decide by", 1)
    found = [kind for _, kind in kinds]
    first_no = kinds[0][0]
    if None in found:
        return Refusal("a line that no clock prints", kinds[found.index(None)][0])
    count = found.count("time")
    if count > 1 or not (count or "place" in found):
        return Refusal("several times" if count else "neither a time nor a zone", first_no)
    return Recognition(0.9, "the time of a host or its zone, and nothing else", first_no)


def _seen(heads: Sequence[pl.Series]) -> list[list[tuple[int, str | None]]]:
    """Number and kind of the first lines of each file.

    The kind is looked for up to the first line that no clock prints, in files of no more lines than a clock has.
    """
    lines = first_lines(heads)
    few = lines.filter(pl.len().over("file_id") <= MOST_LINES)
    marked = few.with_columns(is_other=_unlabelled().str.contains(NO_TIME) & _plain_kind().is_null())
    is_after = pl.col("is_other").cum_sum().shift(1, fill_value=0).over("file_id") > 0
    kinds = _kinds(marked.filter(~is_after))
    found: list[list[tuple[int, str | None]]] = [[] for _ in heads]
    of_rows = lines.join(kinds.select("row", "kind"), on="row", how="left", maintain_order="left")
    for file_id, line_no, kind in of_rows.select("file_id", "line_no", "kind").iter_rows():
        found[file_id].append((line_no, kind))
    return found


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn the lines that give time or zone into rows."""
    rows = lines.with_row_index("row")
    kinds = _kinds(rows)
    of_place = kinds.with_columns(pl.col("text").str.extract(PLACE_OFFSET, 1).alias("offset_text"))
    offset = pl.col("offset_text").drop_nulls().first().over("file_id")
    hours, minutes = (offset.str.slice(start, 2).cast(pl.Int16) for start in (1, 3))
    east = pl.when(offset.str.starts_with("-")).then(-1).otherwise(1) * (hours * 60 + minutes)
    found = of_place.with_columns(pl.coalesce("utc_offset_min", east).cast(pl.Int16).alias("utc_offset_min"))
    kept = found.filter(pl.col("kind").is_in(["time", "place"])).with_columns(
        pl.lit(1, pl.Int16).alias("part"),
        pl.lit(None, pl.String).alias("host"),
        pl.when(pl.col("kind") == "place").then(pl.col("text").str.extract(PLACE, 1)).alias("zone"),
        pl.col("text").str.strip_chars().alias("text"),
    )
    kept = kept.with_columns(
        pl.when(pl.col("stamp").is_not_null()).then("utc_offset_min").alias("utc_offset_min"),
    )
    events = kept.select(pl.col(name).cast(dtype) for name, dtype in HOST_TIME.schema.items())
    said = verdicts(
        kinds,
        pl.col("kind").is_in(["time", "place"]),
        "neither a time nor a zone",
        ignored=pl.when(pl.col("kind") == "state").then(pl.lit("state of the clock")),
    )
    return Parsed({HOST_TIME.name: events} if events.height else {}, said)


def _kinds(rows: pl.DataFrame) -> pl.DataFrame:
    """Lines with `kind` (time, place, state or null), and the moment of those that give the time."""
    bare = rows.with_columns(_unlabelled().alias("bare"))
    may_be_times = bare.filter(~pl.col("bare").str.contains(NO_TIME))
    found = with_moments(read_heads(may_be_times.select("row", pl.col("bare").alias("text"))))
    whole = found.filter(
        pl.col("stamp").is_not_null()
        & (pl.col("before").fill_null("") == "")
        & (pl.col("after").fill_null("").str.strip_chars() == "")
        & pl.col("has_year")
    ).select("row", "stamp", "has_year", "utc_offset_min")
    kind = pl.coalesce(_plain_kind(), pl.when(pl.col("stamp").is_not_null()).then(pl.lit("time")))
    return rows.join(whole, on="row", how="left", maintain_order="left").with_columns(kind.alias("kind"))


def _unlabelled() -> pl.Expr:
    """The line without what is before a time."""
    bare = pl.col("text").str.replace(LABEL, "").str.strip_chars()
    return bare.str.replace(r"^\pL{2,4}\.?,? ([12][0-9]{3}-)", "${1}")


def _plain_kind() -> pl.Expr:
    """What a line is that gives no time: state, place, or null."""
    text = pl.col("text").str
    is_below_ntp = text.contains(NTP).cum_max().over("file_id")
    is_state = text.contains(STATE) | is_below_ntp | text.contains(COMMAND)
    return pl.when(is_state).then(pl.lit("state")).when(text.contains(PLACE)).then(pl.lit("place"))


_looks = FirstLook(_seen)

FORMAT = Format(
    name="host_time",
    title="Clock and zone of a host",
    tables=(HOST_TIME,),
    recognise=recognise,
    look=_looks.look,
    parse=parse,
    file_names=("date", "date.txt", "date.out", "time.txt", "timedatectl*", "timezone"),
    role="configuration",
    needs=rf"[0-9]{{1,2}}[:.][0-5][0-9][:.][0-5][0-9]|{REGION}",
)
