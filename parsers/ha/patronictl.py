"""Output of `patronictl list`: the members of a Patroni cluster at one moment.

Written by  patronictl, for a person: a table with a frame
One row     per member
Time        none
"""

import re
from collections.abc import Iterator
from functools import partial

import polars as pl

from parsers.by_line import LineVerdict, ignored, parse_by_line, parsed, rejected
from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Format, Recognition, Refusal, recognised_by

# REAL: + Cluster: batman (6919213028405485581) ------+----+-----------+
TITLE = re.compile(r"^\s*\+[ -]*Cluster: (?P<name>\S+)")
HEADER = r"^\s*\|(?: +Cluster +\|)? +Member +\|.*\| +Role +\| +State +\|"
TIMELINE = re.compile(r"^[0-9]{1,10}$")
NUMBER = re.compile(r"^[0-9]{1,18}(?:\.[0-9]{1,9})?$")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what has the header of the table of members."""
    return recognised_by(head.str.contains(HEADER), 0.95, "header of the members that patronictl lists") or Refusal(
        "no header of a table of members", 1
    )


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    names: list[str] = []
    cluster: str | None = None
    for text in texts:
        cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
        if title := TITLE.match(text):
            cluster = title["name"]
            yield ignored("title")
        elif re.search(HEADER, text):
            names = cells
            yield ignored("header")
        elif text.lstrip().startswith("+") or re.match(r"^\s*+(?>\S*[$#>] ?)\S*patronictl\b", text):
            yield ignored("frame or command")
        elif names and text.lstrip().startswith("|") and len(cells) == len(names):
            yield parsed(_member(dict(zip(names, cells, strict=True)), cluster))
        else:
            yield rejected("no row of a member")


def _member(cells: dict[str, str], cluster: str | None) -> dict[str, object]:
    lag, timeline = cells.get("Lag in MB", ""), cells.get("TL", "")
    return {
        "subject": "member",
        "name": cells["Member"],
        "parent": cells.get("Cluster") or cluster,
        "host": cells["Member"],
        "state": cells["State"] or None,
        "role": cells["Role"] or "Replica",
        "timeline": int(timeline) if TIMELINE.match(timeline) else None,
        "lag_mb": float(lag) if NUMBER.match(lag) else None,
        "detail": cells.get("Host") or None,
    }


FORMAT = Format(
    name="patronictl",
    title="Members of a Patroni cluster (patronictl list)",
    tables=(CLUSTER_STATE,),
    recognise=recognise,
    parse=partial(parse_by_line, read=read, table=CLUSTER_STATE),
    file_names=("patronictl*",),
    needs=HEADER,
)
