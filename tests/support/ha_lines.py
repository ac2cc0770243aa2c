"""Lines of any log that carries cluster messages, cut into the records that `ha_message.read` takes."""

import re
from collections.abc import Iterable

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA

MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
HEARTBEAT = (
    r"^(?P<tag>[A-Za-z/][\w./-]*(?:\([^)]*\))?)(?:\[(?P<pid>\d+)\](?:\[\d+\])?)?:\s+"
    r"\d{4}/\d\d/\d\d_\d\d:\d\d:\d\d (?P<text>.*)$"
)
HEADS = (
    rf"^{MONTH} +\d+ \d\d:\d\d:\d\d (?P<host>\S+) (?P<tag>[\w.-]+) +\[(?P<pid>\d+)\] \([^)]*\) +(?P<text>.*)$",
    rf"^(?:{MONTH} +\d+ \d\d:\d\d:\d\d|\d{{4}}-\d\d-\d\dT\S+) (?P<host>\S+) (?P<rest>.*)$",
    HEARTBEAT,
    r"^\[ *(?P<uptime_s>\d+\.\d+)\] (?P<text>.*)$",
)
TAG = r"^(?P<tag>[^\s:\[(]+(?:\([^)]*\))?)(?:\[(?P<pid>\d+)\])?: ?(?P<text>.*)$"
UPTIME = r"^\[ *(?P<uptime_s>\d+\.\d+)\] (?P<text>.*)$"
RECORD_SCHEMA = {
    **KEY_SCHEMA,
    **STAMP_SCHEMA,
    "host": pl.String(),
    "tag": pl.String(),
    "pid": pl.Int64(),
    "uptime_s": pl.Float64(),
    "text": pl.String(),
}


def cut(line: str) -> dict[str, str | None]:
    """Host, tag, pid, uptime and text of a line; a line without a head may still have a tag."""
    fields: dict[str, str | None] = {"rest": line}
    for head in HEADS:
        if found := re.match(head, line):
            fields = found.groupdict()
            break
    if (rest := fields.pop("rest", None)) is not None:
        tagged = re.match(TAG, rest)
        fields |= tagged.groupdict() if tagged else {"text": rest}
    if fields.get("tag") == "kernel" and (uptime := re.match(UPTIME, fields["text"] or "")):
        fields |= uptime.groupdict()
    if solaris := re.match(r"^\[ID \d+ \w+\.\w+\] (.*)$", fields["text"] or ""):
        fields["text"] = solaris[1]
    return fields


def records(lines: Iterable[str]) -> pl.DataFrame:
    """One record a line, in order, with plausible keys."""
    rows = [cut(line) for line in lines]
    names = ("host", "tag", "pid", "uptime_s", "text")
    frame = pl.DataFrame(
        {name: [row.get(name) for row in rows] for name in names}, schema=dict.fromkeys(names, pl.String)
    )
    return frame.with_columns(
        file_id=pl.lit(1),
        line_no=pl.int_range(1, pl.len() + 1),
        part=pl.lit(1),
        stamp=pl.lit(None),
        has_year=pl.lit(value=False),
        utc_offset_min=pl.lit(None),
    ).select(pl.col(name).cast(dtype) for name, dtype in RECORD_SCHEMA.items())
