"""Names of hosts, and nothing else: `hostname`, crm report's `members.txt` and `RUNNING`, VCS' `sysname`.

Written by  `hostname`, and collectors of support bundles (sosreport, crm report, hb_report, hagetcf)
One row     per name. A name alone is that of the host that the folder is of; several are the members of a cluster
Recognised  only by these names of files: a word by itself may be anything
"""

import re

import polars as pl

from parsers.format import Column, Format, Parsed, Recognition, Refusal, Table
from parsers.line_verdict import verdicts

HOST_NAME = Table(
    name="host_name",
    grain="One row per name in a file of names of hosts.",
    subject="Environment",
    columns=(
        Column("host", pl.String(), "the only name in its file, the host that the file is of", host="own"),
        Column("member", pl.String(), "one of several names, a member of the cluster", host="named"),
    ),
    is_dated=False,
)

NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9])?"
LINE = rf"^\s*{NAME}(?:[\s,]+{NAME})*\s*$"
MOST_NAMES = 64
SMALL_WORDS = frozenset(
    ("the", "for", "and", "not", "see", "are", "ask", "was", "der", "die", "das", "und", "les", "des")
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of nothing but a few words that may be names of hosts."""
    words = [word for line in head.to_list() for word in re.split(r"[\s,]+", line) if word]
    if not 0 < len(words) <= MOST_NAMES or not all(re.fullmatch(NAME, word) for word in words):
        return Refusal("not a few names of hosts", 1)
    if not any(re.search("[A-Za-z]", word) for word in words):
        return Refusal("numbers", 1)
    if len(words) > 1 and any(word.lower() in SMALL_WORDS or re.fullmatch("[A-Za-z]{1,2}", word) for word in words):
        return Refusal("a sentence", 1)
    return Recognition(0.9, "nothing but names of hosts in a file of this name", 1)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn each name into a row."""
    is_of_names = pl.col("text").str.contains(LINE)
    names = (
        lines.filter(is_of_names)
        .with_columns(pl.col("text").str.extract_all(NAME).alias("name"))
        .explode("name")
        .with_columns((pl.int_range(pl.len(), dtype=pl.Int16) + 1).over("file_id", "line_no").alias("part"))
    )
    is_alone = pl.len().over("file_id") == 1
    rows = names.select(
        "file_id",
        "line_no",
        "part",
        pl.when(is_alone).then("name").alias("host"),
        pl.when(~is_alone).then("name").alias("member"),
    )
    said = verdicts(lines, is_of_names, "no names of hosts")
    return Parsed({HOST_NAME.name: rows} if rows.height else {}, said)


FORMAT = Format(
    name="host_names",
    title="Names of hosts",
    tables=(HOST_NAME,),
    recognise=recognise,
    parse=parse,
    file_names=("hostname", "hostname.txt", "nodename", "members.txt", "running", "stopped", "sysname", "uname_-n"),
    role="configuration",
    is_known_by_name=True,
)
