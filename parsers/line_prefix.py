r"""What copies and collectors put before every line of a log, and the log without it.

Copies       marks of quotation (`> `), rows of a table (`| text |`), numbers (`cat -n`, `grep -n`), names of files
             (`grep -H`), the signs of a patch, quotation marks around a line, blanks that set a text in
Collectors   `db-1  | text` of `docker compose logs`, `db_pg.2.k3jx9q2m0abc@worker-1 | text` of `docker service logs`
             (the writer is the replica: `db_pg.2`), `[pod/db-0/patroni] text` of `kubectl logs --prefix`, `db-0 ›
             patroni text` and `db-0 patroni 2024-05-06 10:11:12 text` of stern, `node1: text` of pdsh,
             `[192.0.2.1-redis-6379]text`; times of `docker logs -t`, of a container's runtime (CRI), of `ts`

Several may be before a line, one after the other. No line continues one of another writer. A writer is the host of
what its lines say, unless they name one; a program or a file is none.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.first_look import by_file, together
from parsers.format import LINE_SCHEMA, Format, Parsed, Table, formats, tables
from parsers.star import flat
from parsers.syslog.words import level_of
from parsers.syslog.wrapping import of_receipt

NAME = r"[A-Za-z0-9][\w.-]{0,252}"
DATE = r"(?:19|20)[0-9][0-9][-/][0-9][0-9][-/][0-9][0-9][ T][0-9][0-9]:[0-9][0-9]"
INSTANT = (
    r"[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{1,9})?(?:Z|[+-][0-9][0-9]:?[0-9][0-9])"
)
NANOSECONDS = r"[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\.[0-9]{9}Z"
PROCESS = r"redis|sentinel|valkey|keydb|mysqld?|mariadbd?|postgres|mongod|etcd|patroni"
FILE = r"(?:[A-Za-z]:)?[\w.\\/@~+-]*(?:[A-Za-z]{2}|[\\/])[\w.\\/@~+-]*"
LOG = r"(?:[A-Za-z]:)?[\w.\\/@~+-]*(?:log|LOG|\.txt|\.out|\.err|\.trc|\.[0-9]|messages|diag|stat)[\w.@~+-]*"

BEGINS = ascii_only(
    r"^(?:[\[<]?[0-9]{4}[-/.][0-9][0-9][-/.][0-9][0-9][T _-][0-9][0-9][:.][0-9][0-9]"
    r"|\[?[A-Z][a-z]{2}(?: [A-Z][a-z]{2})? {1,2}[0-9]{1,2} (?:[0-9]{4} )?[0-9][0-9]:"
    r"|TAG_[A-Z] [0-9]{4}/|[0-9]{6} {1,2}[0-9]{1,2}:[0-9]{2}:[0-9]{2}|[0-9]+:[A-Z] [0-9]{2} [A-Z]"
    r"|[IWEF][0-9]{4} [0-9]{2}:|\[ *[0-9]+\.[0-9]{6}\]"
    r"|[A-Za-z][\w./-]*(?:\([^)]*\))?\[[0-9]+\]: |time=|\{|<[0-9]+>)"
)
"""How lines of a program's own log begin."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """What is before the lines of a file, in words, and a pattern of a whole line: the group `said` is the log's.

    The group `writer` is a host where `names_hosts`, else keeps lines of several logs apart. `least_share`: of the
    lines of a file that are not blank, since other texts have such beginnings here and there. `shows`: a pattern of
    what some lines say. `counts`: the group `number` grows from line to line. `is_of_runtime`: what a format that
    unwraps lines knows better. `is_vague`: other texts have it, which are read as well with it.
    """

    what: str
    pattern: str
    least_share: float = 0.8
    names_hosts: bool = False
    shows: str | None = None
    counts: bool = False
    is_of_runtime: bool = False
    is_vague: bool = False


# RECONSTRUCTED, after the documentation of the tools
PREFIXES = {
    "compose": Prefix(
        "the container's name",
        rf"^(?P<writer>{NAME}?)(?:\.[a-z0-9]{{12,25}}@{NAME})? *\|(?: (?P<said>.*)|$)",
        names_hosts=True,
    ),
    "kubectl": Prefix(
        "the pod's name", r"^\[pod/(?P<writer>[^/\]\s]+)/[^\]\s]+\](?: (?P<said>.*)|$)", names_hosts=True
    ),
    "stern": Prefix("the pod's name", rf"^(?P<writer>{NAME}) › \S+(?: (?P<said>.*)|$)", names_hosts=True),
    "process": Prefix(
        "the process's name", rf"^\[(?P<writer>{NAME}?)-(?:{PROCESS})[\w.-]*\] ?(?P<said>.*)$", names_hosts=True
    ),
    "pair": Prefix(
        "the names of pod and container",
        rf"^(?P<writer>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?) [a-z](?:[a-z0-9-]*[a-z0-9])? (?P<said>{DATE}.*)$",
        names_hosts=True,
    ),
    "pdsh": Prefix("the node's name", rf"^(?P<writer>{NAME}): (?P<said>.*)$", 0.95, names_hosts=True, is_vague=True),
    "grep -Hn": Prefix(
        "the file name and line number of grep",
        rf"^(?P<writer>{FILE})[:-](?P<number>[0-9]{1, 18})[:-](?P<said>.*)$",
        counts=True,
    ),
    "grep -H": Prefix("the file name of grep", rf"^(?P<writer>{LOG}):(?P<said>[^/].*|)$"),
    "grep": Prefix("the file name of grep", rf"^(?P<writer>{FILE}):(?P<said>.*)$", is_vague=True),
    "number": Prefix("the line number", r"^[ \t]*(?P<number>[0-9]{1,9})[:\t -](?P<said>.*)$", 0.6, counts=True),
    "quotation": Prefix("the marks of a quotation", r"^[ \t]*>(?:[ \t]*>)* ?(?P<said>.*)$", 0.5),
    "row": Prefix("the bars of a table", r"^[ \t]*\|[ \t]?(?P<said>.*?)(?:[ \t]*\|[ \t]*)?$", 0.5),
    "patch": Prefix("the signs of a patch", r"^[+-](?P<said>.*)$", 0.95, is_vague=True),
    "quoted": Prefix("the quotation marks around it", r"""^(?:"(?P<said>.*)"|'(?P<second>.*)'|`(?P<third>.*)`),?$"""),
    "terminal": Prefix("commands for a terminal", r"^(?:\x1b\[[0-9;?]*[A-Za-z])+(?P<said>[^\x1b]*)(?:\x1b.*)?$"),
    "stream": Prefix("the stream's name", rf"^(?P<kept>{INSTANT} )std(?:out|err) [FP] ?(?P<said>.*)$"),
    "time": Prefix(
        "the time of receipt", rf"^(?P<time>{INSTANT}) (?P<said>.*)$", shows=BEGINS, is_of_runtime=True, is_vague=True
    ),
    "nanoseconds": Prefix("the time of receipt", rf"^(?P<time>{NANOSECONDS}) (?P<said>.*)$", is_of_runtime=True),
    "local time": Prefix(
        "the time of receipt",
        r"^(?:\[?[0-9]{4}-[0-9][0-9]-[0-9][0-9][ T][0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:[.,][0-9]{1,9})?\]?"
        r"|[A-Z][a-z]{2} [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]):? (?P<said>.*)$",
        shows=BEGINS,
        is_of_runtime=True,
        is_vague=True,
    ),
}
SET_IN = "blanks"
"""How a prefix of blanks is called, with their number behind it."""

MAX_DEPTH = 3
"""So many of them are before a line at most: the file of grep, the container's name, the time of receipt."""

SAMPLED_LINES = 32
TOLERANCE = 0.2
"""These lines of a file show at first whether it may have a prefix; all of them may have it less often."""

MAX_WRITERS_SHARE = 0.5
"""Where each line begins with another name, it is that of a value."""

LEAST_SHOWN = 0.03
LEAST_RISING = 0.9


def prefix_of(name: str) -> Prefix:
    """The prefix of a name."""
    if name.startswith(SET_IN):
        return Prefix("the blanks", rf"^[ \t]{{0,{name.removeprefix(SET_IN)}}}(?P<said>.*)$", is_vague=True)
    return PREFIXES[name]


def chains_of(heads: Sequence[pl.Series], most: int = MAX_DEPTH) -> list[list[tuple[str, ...]]]:
    """What may be before the lines of files with these first lines: `most` prefixes at most, the outer one first."""
    lines = together(heads).filter(pl.col("text").str.contains(r"\S"))
    filled = [each.get_column("text") for each in by_file(lines, len(heads))]
    return [
        [chain for name in _first(names, own) for chain in _chains(own, name, most)]
        for own, names in zip(filled, _likely(lines, filled), strict=True)
    ]


def _first(names: Sequence[str], filled: pl.Series) -> list[str]:
    """The prefix that lines begin with; where none is plain, those that may be."""
    found = [name for name in names if _is_before(name, filled)]
    plain = [name for name in found if not prefix_of(name).is_vague]
    return plain[:1] or found


def _chains(filled: pl.Series, name: str, most: int) -> Iterator[tuple[str, ...]]:
    """A prefix alone, and with those behind it, none of them twice."""
    yield (name,)
    if most > 1:
        said = _parts(filled, prefix_of(name))["said"].fill_null(filled)
        (inner,) = chains_of([said], most - 1)
        yield from ((name, *more) for more in inner if name not in more)


def _likely(lines: pl.DataFrame, filled: Sequence[pl.Series]) -> list[list[str]]:
    """Prefixes that files may have, by a few of their lines: most have none."""
    step = pl.len() // SAMPLED_LINES + 1
    few = lines.filter((pl.int_range(pl.len()) % step == 0).over("file_id"))
    likely = few.group_by("file_id").agg(
        *(_is_likely(each).alias(name) for name, each in PREFIXES.items()),
        (pl.col("text").slice(1).str.contains(r"^[ \t]").all() & (pl.len() > 1)).alias(SET_IN),
    )
    found: list[list[str]] = [[] for _ in filled]
    for each in likely.iter_rows(named=True):
        number = int(each["file_id"])
        found[number] = [name for name in PREFIXES if each[name]]
        least = filled[number][1:].str.extract(r"^([ \t]*)", 1).str.len_bytes().min() if each[SET_IN] else 0
        found[number] += [f"{SET_IN} {int(str(least))}"] if least else []
    return found


def _is_likely(prefix: Prefix) -> pl.Expr:
    """Whether some lines of a file may have a prefix."""
    text, pattern = pl.col("text").str, ascii_only(prefix.pattern)
    is_frequent = text.contains(pattern).mean() >= prefix.least_share - TOLERANCE
    if prefix.shows is None:
        return is_frequent
    return is_frequent & text.extract_groups(pattern).struct.field("said").str.contains(prefix.shows).any()


def _is_before(name: str, filled: pl.Series) -> bool:
    """Whether lines have a prefix."""
    prefix = prefix_of(name)
    parts = _parts(filled, prefix)
    said = parts["said"].drop_nulls()
    writer_count = parts["writer"].drop_nulls().n_unique()
    if len(said) < prefix.least_share * len(filled) or writer_count > MAX_WRITERS_SHARE * len(filled) + 1:
        return False
    if prefix.counts:
        numbers = parts["number"].drop_nulls().cast(pl.Int64)
        return len(numbers) > 1 and int((numbers.diff() > 0).sum()) >= LEAST_RISING * (len(numbers) - 1)
    return prefix.shows is None or int(said.str.contains(prefix.shows).sum()) >= LEAST_SHOWN * len(said)


GROUPS = ("said", "second", "third", "kept", "writer", "number", "time")


def _parts(lines: pl.Series, prefix: Prefix) -> pl.DataFrame:
    """`said` (null where a line has no prefix), `writer`, `number` and `time` of lines."""
    pattern = ascii_only(prefix.pattern)
    groups = lines.to_frame("line").select("line", pl.col("line").str.extract_groups(pattern).alias("groups"))
    found = groups.unnest("groups")
    found = found.with_columns(pl.lit(None, pl.String).alias(name) for name in GROUPS if name not in found.columns)
    said = pl.concat_str(pl.col("kept").fill_null(""), pl.coalesce("said", "second", "third", pl.lit("")))
    return found.select(pl.when(pl.col("line").str.contains(pattern)).then(said).alias("said"), *GROUPS[4:])


def bare(lines: pl.DataFrame, chain: Sequence[str]) -> pl.DataFrame:
    """Lines without their prefixes, with what these say: `writer`, `host`, `received` (UTC)."""
    text, writer = lines["text"], pl.repeat("", lines.height, eager=True)
    host = received = pl.repeat(None, lines.height, dtype=pl.String, eager=True)
    for name in chain:
        prefix = prefix_of(name)
        parts = _parts(text, prefix)
        text, writer = parts["said"].fill_null(text), writer + parts["writer"].fill_null("") + "\n"
        received = parts["time"].fill_null(received)
        if prefix.names_hosts:
            is_program = parts["writer"].str.contains(rf"^(?:{PROCESS})$").fill_null(value=False)
            host = parts["writer"].set(is_program, None)
    at = received.str.replace("Z$", "+00:00").str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_unit="us", strict=False)
    said = [
        text.alias("text"),
        writer.alias("writer"),
        host.alias("host"),
        at.dt.replace_time_zone(None).alias("received"),
    ]
    return lines.with_columns(said)


def in_words(chain: Sequence[str]) -> str | None:
    """What is taken off the lines of a file."""
    return f"read without {' and '.join(prefix_of(each).what for each in chain)} before each line" if chain else None


def with_formats(lines: pl.DataFrame, name: str, of_writers: Mapping[str, str]) -> pl.DataFrame:
    """Lines with the column `format`: that of their writer, else the one of this name."""
    writer = pl.col("writer")
    return lines.with_columns(format=writer.replace_strict(of_writers, default=name, return_dtype=pl.String))


def reads_prefixed(parser: Format, names: Iterable[str]) -> Format:
    """A format that reads lines with the columns `writer`, `host` and `format`, those of each writer by themselves.

    `names`: the formats that lines may have.
    """
    by_name = {parser.name: parser, **{name: formats()[name] for name in names if name != parser.name}}
    own = {table.name: table for each in by_name.values() for table in each.tables}
    own |= {name: tables()[name] for table in own.values() if (name := table.host_table) is not None}

    def read(lines: pl.DataFrame) -> Parsed:
        keys = lines.select("file_id", "writer").unique(maintain_order=True).with_row_index("number")
        numbered = lines.join(keys, on=["file_id", "writer"], maintain_order="left").with_columns(
            pl.col("file_id").alias("of_file"), pl.col("number").cast(pl.Int32).alias("file_id")
        )
        verdicts, rows = [], defaultdict[str, list[pl.DataFrame]](list)
        for (name,), part in numbered.partition_by("format", as_dict=True).items():
            apart = part.sort("file_id", "line_no")
            parsed = by_name[str(name)].parse(apart.select(LINE_SCHEMA.keys()))
            verdicts.append(_placed(parsed.lines, apart, None))
            carriers = own if apart["host"].count() else {}
            for table, found in _with_carriers(parsed, carriers).items():
                rows[table].append(_placed(found, apart, own[table].own_host))
        return Parsed({table: _in_order(found) for table, found in rows.items()}, _in_order(verdicts))

    return replace(parser, tables=(*own.values(),), parse=read)


def _with_carriers(parsed: Parsed, own: Mapping[str, Table]) -> dict[str, pl.DataFrame]:
    """Rows, and rows of the table that names their writers where the format has none: a collector carried them."""
    found = {name: flat(rows) for name, rows in parsed.rows.items()}
    for table in [own[name] for name in found if name in own]:
        if table.host_table is not None and table.host_table not in parsed.rows:
            schema = own[table.host_table].schema
            rows = (
                found[table.name].drop("host", strict=False).with_columns(level_of(pl.col("severity")).alias("level"))
            )
            absent = [pl.lit(None, dtype).alias(name) for name, dtype in schema.items() if name not in rows.columns]
            found[table.host_table] = rows.with_columns(absent).select(schema.keys())
    return found


def _placed(rows: pl.DataFrame, lines: pl.DataFrame, own_host: str | None) -> pl.DataFrame:
    """Rows of the lines of writers as rows of their files; `own_host`: a column that names the writer."""
    places = lines.select(
        "file_id",
        "line_no",
        "of_file",
        pl.col("host").alias("of_prefix"),
        pl.col("received").alias("outer_stamp"),
        pl.lit(0, pl.Int16).alias("outer_utc_offset_min"),
    )
    joined = rows.join(places, on=["file_id", "line_no"], how="left", maintain_order="left")
    if "stamp" in rows.columns and lines["received"].null_count() < lines.height:
        joined = of_receipt(joined)
    hosts = [] if own_host is None else [pl.coalesce(own_host, "of_prefix").alias(own_host)]
    return joined.with_columns(pl.col("of_file").alias("file_id"), *hosts).select(rows.columns)


def _in_order(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames).sort("file_id", "line_no", maintain_order=True)
