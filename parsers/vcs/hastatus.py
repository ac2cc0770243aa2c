"""Output of `hastatus -sum`: the states of a VCS cluster at one moment.

Written by  hastatus, for a person
One row     per system (A), group on a system (B), failed resource (C) and resource in transition (D)
Time        none
Ignored     headings, the prompt, rows of remote clusters and of global groups
"""

import re
from collections.abc import Iterator
from functools import partial

import polars as pl

from parsers.by_line import LineVerdict, Row, ignored, parse_by_line, parsed, rejected
from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Format, Recognition, Refusal, recognised_by

# RECONSTRUCTED: B  dbgrp         alpha             Y          N               ONLINE|FAULTED
SYSTEM = re.compile(r"^\s*A\s+(?P<name>\S+)\s+(?P<state>[A-Z_]+)\s+(?P<frozen>[01])\s*$")
GROUP = re.compile(
    r"^\s*B\s+(?P<name>\S+)\s+(?P<host>\S+)\s+(?P<probed>[YN])\s+(?P<auto>[YN])\s+"
    r"(?P<state>[A-Z_]+(?:\s*\|\s*[A-Z_]+)*)\s*$"
)
RESOURCE = re.compile(
    r"^\s*(?P<letter>[CD])\s+(?P<group>\S+)\s+(?P<type>\S+)\s+(?P<name>\S+)\s+(?P<host>\S+)(?:\s+(?P<state>\S.*?))?\s*$"
)
REMOTE = re.compile(r"^\s*[E-Z]\s+\S+\s+\S")
HEADING = re.compile(r"^\s*--|^\s*+(?>\S*[$#>] ?|)(?:\S*/)?hastatus\b|^\s*#")
NEEDS = r"^\s*(?:A\s+\S+\s+[A-Z_]+\s+[01]|B\s+\S+\s+\S+\s+[YN]\s+[YN]\s+[A-Z_])"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim what has a row of a system or of a group."""
    return recognised_by(head.str.contains(NEEDS), 0.95, "rows of systems and groups of hastatus -sum") or Refusal(
        "no row of a system or of a group", 1
    )


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    for text in texts:
        row = _row(text)
        if row is not None:
            yield parsed(row)
        elif HEADING.match(text):
            yield ignored("heading")
        elif REMOTE.match(text):
            yield ignored("of another cluster")
        else:
            yield rejected("no row of hastatus -sum")


def _row(text: str) -> Row | None:
    if found := SYSTEM.match(text):
        return {
            "subject": "node",
            "name": found["name"],
            "host": found["name"],
            "state": found["state"],
            "is_frozen": found["frozen"] == "1",
        }
    if found := GROUP.match(text):
        return {
            "subject": "group",
            "name": found["name"],
            "host": found["host"],
            "state": re.sub(r"\s+", "", found["state"]),
            "is_probed": found["probed"] == "Y",
            "is_autodisabled": found["auto"] == "Y",
        }
    if found := RESOURCE.match(text):
        return {
            "subject": "resource",
            "name": found["name"],
            "parent": found["group"],
            "host": found["host"],
            "state": found["state"] or ("FAULTED" if found["letter"] == "C" else None),
            "detail": found["type"],
        }
    return None


FORMAT = Format(
    name="hastatus",
    title="States of a VCS cluster (hastatus -sum)",
    tables=(CLUSTER_STATE,),
    recognise=recognise,
    parse=partial(parse_by_line, read=read, table=CLUSTER_STATE),
    file_names=("hastatus*",),
    needs=NEEDS,
)
