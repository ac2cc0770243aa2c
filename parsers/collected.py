"""Lines that a collector gathered from several writers, with the name of the writer before each.

compose   `db-1  | text`, of `docker compose logs`
kubectl   `[pod/db-0/patroni] text`, of `kubectl logs --prefix`
stern     `db-0 › patroni text`; `db-0 patroni 2024-05-06 10:11:12 text`
process   `[192.0.2.1-redis-6379]3894:M 06 May 14:40:11.373 # text`: a host and its process

Where nearly all lines of a file are so, the name is taken off. It is the host of what the line says, unless the line
names one. A process is none.
"""

from collections.abc import Callable, Sequence

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.format import Parsed, Table, Verdict
from parsers.star import flat

NAME = r"[A-Za-z0-9][\w.-]{0,252}"
DATE = r"(?:19|20)\d\d[-/]\d\d[-/]\d\d[ T]\d\d:\d\d"
PROCESS = r"redis|sentinel|valkey|keydb|mysqld?|mariadbd?|postgres|mongod|etcd|patroni"

# RECONSTRUCTED, after the documentation of the tools
PREFIX = "|".join(
    (
        rf"(?P<compose>{NAME}) *\|(?: |$)",
        r"\[pod/(?P<kubectl>[^/\]\s]+)/[^\]\s]+\](?: |$)",
        rf"(?P<stern>{NAME}) › \S+(?: |$)(?:\d{{4}}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) )?",
        rf"\[(?P<process>{NAME}?)-(?:{PROCESS})[\w.-]*\]",
    )
)
PAIR = rf"(?P<pair>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?) [a-z](?:[a-z0-9-]*[a-z0-9])? (?P<stamped>{DATE}.*)"
COLLECTED = ascii_only(rf"^(?:(?:{PREFIX})(?P<said>.*)|{PAIR})$")
WRITERS = ("compose", "kubectl", "stern", "process", "pair")

LEAST_SHARE = 0.8
"""Of the lines of a file that are not blank: other texts have such beginnings here and there."""


def without_writers(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lines without the names before them, and those names: file_id, line_no, writer."""
    text, file_id = pl.col("text"), pl.col("file_id")
    has_name = text.str.contains(COLLECTED)
    share = has_name.sum().over("file_id") / (text.str.strip_chars() != "").sum().over("file_id")
    is_collected = lines.select(has_name & (share >= LEAST_SHARE)).to_series()
    rows = is_collected.arg_true()
    if rows.is_empty():
        return lines, lines.select(file_id, "line_no", writer=text).clear()
    groups = text.str.extract_groups(COLLECTED).struct.field
    said, writer = pl.coalesce(groups("said"), groups("stamped")), pl.coalesce(groups(name) for name in WRITERS)
    found = lines[rows].select(file_id, "line_no", writer.alias("writer"), said.alias("said"))
    texts = lines.get_column("text").scatter(rows, found.get_column("said"))
    return lines.with_columns(texts.alias("text")), found.drop("said")


def reads_collected(
    parse: Callable[[pl.DataFrame], Parsed], filled: Sequence[Table]
) -> Callable[[pl.DataFrame], Parsed]:
    """A parser that takes the names of writers off lines, and gives them to the rows of the tables that it fills."""

    def read(lines: pl.DataFrame) -> Parsed:
        bare, writers = without_writers(lines)
        if writers.is_empty():
            return parse(lines)
        parts = _parts(bare, writers)
        parsed, own = (
            parse(parts.select(bare.columns).sort("file_id", "line_no")),
            {table.name: table for table in filled},
        )
        names = parts.select("file_id", "line_no", "writer", "of_file")
        rows = {name: _with_writers(flat(rows), own[name], names) for name, rows in parsed.rows.items()}
        found = _placed(parsed.lines, names).select(parsed.lines.columns)
        return Parsed(rows, _as_printed(found, lines))

    return read


def _parts(lines: pl.DataFrame, writers: pl.DataFrame) -> pl.DataFrame:
    """Lines with `writer` and `of_file`, those of each writer in a file of their own: none continues another's."""
    named = lines.join(writers, on=["file_id", "line_no"], how="left", maintain_order="left")
    own = named.select("file_id", "writer").unique(maintain_order=True).with_row_index("part")
    numbered = named.join(own, on=["file_id", "writer"], how="left", nulls_equal=True, maintain_order="left")
    return numbered.with_columns(pl.col("file_id").alias("of_file"), pl.col("part").cast(pl.Int32).alias("file_id"))


def _placed(rows: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    """Rows of the parts of files as rows of the files, with `writer`."""
    named = rows.join(names, on=["file_id", "line_no"], how="left", maintain_order="left")
    return named.with_columns(pl.col("of_file").alias("file_id")).sort("file_id", "line_no", maintain_order=True)


def _with_writers(rows: pl.DataFrame, table: Table, names: pl.DataFrame) -> pl.DataFrame:
    placed = _placed(rows, names)
    if table.own_host is None:
        return placed.select(rows.columns)
    return placed.with_columns(pl.coalesce(table.own_host, "writer").alias(table.own_host)).select(rows.columns)


def _as_printed(verdicts: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Verdicts, in which no line is blank that holds a name."""
    is_named = (lines.get_column("text").str.strip_chars() != "") & (verdicts.get_column("verdict") == Verdict.BLANK)
    verdict = pl.when(is_named).then(pl.lit(Verdict.IGNORED, pl.UInt8)).otherwise("verdict")
    reason = pl.when(is_named).then(pl.lit("nothing behind the name of its writer")).otherwise("reason")
    return verdicts.with_columns(verdict.alias("verdict"), reason.alias("reason"))
