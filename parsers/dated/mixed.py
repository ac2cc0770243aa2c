"""Files with lines of two kinds, dated ones of a program and those of syslog: each line is read as what it is."""

from collections.abc import Callable

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.format import Parsed, Table
from parsers.star import Rows, flat
from parsers.syslog.words import MONTH

Parse = Callable[[pl.DataFrame], Parsed]

# ADAPTED: May  4 08:10:11 stor7 kernel: [  118.046319] drbd r6: Starting worker thread (from drbdsetup-84 [7791])
OF_SYSLOG = ascii_only(
    rf"^(?:<[0-9]{{1,3}}>)?(?:{MONTH} [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]"
    r"|[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]+)?(?:Z|[+-][0-9][0-9]:?[0-9][0-9]))"
    r" [\w.-]*[A-Za-z.][\w.-]* [A-Za-z_/][\w./-]*(?:\([\w.:/-]*\))?(?:\[[0-9]{1,18}\])?: "
)


def reads_syslog_between(parse: Parse, is_head: Callable[[pl.Series], pl.Series], of_syslog: Parse) -> Parse:
    """A parser of dated lines that leaves those of syslog, with what continues them, to another."""

    def read(lines: pl.DataFrame) -> Parsed:
        texts = lines.get_column("text")
        is_syslog = texts.str.contains(OF_SYSLOG)
        if not is_syslog.any() or is_syslog.all():
            return parse(lines)
        marked = lines.select("file_id", is_syslog.alias("is_syslog"), is_head(texts).alias("is_head"))
        kind = pl.when("is_syslog").then(pl.lit(value=True)).when("is_head").then(pl.lit(value=False))
        below = marked.select(kind.forward_fill().over("file_id").fill_null(value=False)).to_series()
        return together(lines, of_syslog(lines.filter(below)), parse(lines.filter(~below)))

    return read


def together(lines: pl.DataFrame, *parts: Parsed) -> Parsed:
    """What was parsed of some of the lines, and of the others."""
    rows: dict[str, Rows] = {}
    for part in parts:
        for name, found in part.rows.items():
            rows[name] = found if name not in rows else pl.concat([flat(rows[name]), flat(found)])
    ordered = {name: flat(found).sort("file_id", "line_no", "part") for name, found in rows.items()}
    keys = lines.select("file_id", "line_no")
    verdicts = pl.concat([part.lines for part in parts])
    return Parsed(ordered, keys.join(verdicts, on=["file_id", "line_no"], how="left", maintain_order="left"))


def tables_of(*groups: tuple[Table, ...]) -> tuple[Table, ...]:
    """The tables of several formats, each once."""
    return tuple({table.name: table for group in groups for table in group}.values())
