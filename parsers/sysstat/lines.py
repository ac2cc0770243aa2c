"""What each line of a report is: time, header, row, prompt, ornament; and which header is above a row."""

from dataclasses import dataclass
from enum import IntEnum

import polars as pl

from parsers.sysstat.cleaning import cleaned
from parsers.sysstat.headers import header_of, header_rest
from parsers.sysstat.layout import Header
from parsers.sysstat.time import LOOKS_LIKE_TIME, PLAIN, TIME_LINE

MAX_HEADERS = 300
"""Different headers in one chunk; more are no reports but noise."""


class Role(IntEnum):
    """What a line is."""

    ROW = 0
    BLANK = 1
    TIME = 2
    HEADER = 3
    HEADER_REST = 4
    INVOCATION = 5
    RESTART = 6
    ELISION = 7
    ORNAMENT = 8


# A name and numbers, or numbers only: nine lines in ten, tested first because it is cheap.
PLAIN_ROW = r"^[^ \t]+[ \t][ \t0-9.,]*[0-9]$"
OWN_LINE = r"^(?:Linux|AIX|HP-UX|SunOS|FreeBSD|NetBSD|OpenBSD|Darwin|VIOS) \S"
COMMAND = (
    r"(?:^|[#$%>\]] ?|^example% )((?:/\S*/)?(?:iostat|vmstat|sar|mpstat|sadf)(?:\s+[-\w/.:,]+)*)(?:\s*(?:#|\|).*)?$"
)
PROMPT = r"^\S*[#$%>]$|^\S+[@:]\S*[#$>](?:\s|$)"
ELISION = r"(?i)^(?:\[?\.{3,}\]?|\[?…\]?|\[snip\]|<snip>|-+ ?more ?-+|skipped.*)$"
RESTART = "LINUX RESTART"
# sysstat's catalogues of 12.7.9, and the Unix ones without a colon
AVERAGE = (
    r"^(?:Average|Durchschn\.|Moyenne|Media|Média|Medie|Średnia|Průměr|Priemer|Gemiddeld|Gj\.snitt|Middel|Genomsnitt"
    r"|Keskiarvo|Átlag|Ortalama|Среднее|Середнє|平均値|平均时间|平均時間|평균)\s*[:：]?(?:\s|$)"
)
ORNAMENTS = (
    (r"^[-=+|\s]+$", "ruler"),
    (r"extended (?:device|disk) statistics", "banner of a table"),
    (r"^-*procs\b|^kthr\b|^(?:tty\s+)?cpu$|^procs\s+memory", "banner of a table"),
    (r"^System configuration:|^System: ", "configuration of the system"),
    (r"^<<.*>>$|^cpu\[s\] taken|^Disk history since boot", "message of a change of state"),
    (r"^%tm\s+bps|^act\s+serv|^Kbps\s+tps\s+bkread|^serv\s+serv\s+serv", "second line of a header"),
    (r"^(?:<[a-z/]+>)+$", "markup"),
)
COLUMN_HINT = (
    r"/s\b|%[ a-z]|[Dd]evice|avg-cpu|CPU|[Dd]isks?:?\s|/t\b|\bus\s|bps|xfer|read:|write:|queue:|rps|swpd|avm|Disks"
    r"|dapter|FS Name|[0-9]:[0-9][0-9]\s.*[a-z]/s"
)
HEADER_HINT = COLUMN_HINT + r"|:[0-9][0-9]( [AP]M)?\s+[A-Za-z%]"
GROUP_HINT = r"KB/t|rps\s+wps|kps\s+tps|sps\s+tps"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines with their roles.

    `frame`, in the input's order: row, file_id, line_no, content (cleaned, without blanks around it), indent,
    put_before (a time), role, note (of ornaments), header (index into `headers`; of header lines and of what is
    below), head_row (the row of that header line, -1 where none is above).
    """

    frame: pl.DataFrame
    headers: tuple[Header, ...]


def classify_lines(lines: pl.DataFrame) -> Lines:
    """Clean lines, give each its role, and each row its header."""
    frame = cleaned(lines).with_columns(content=pl.col("text").str.strip_chars_start())
    content = frame.get_column("content")
    frame = frame.with_row_index("row").with_columns(
        indent=(pl.col("text").str.len_bytes().cast(pl.Int32) - pl.col("content").str.len_bytes().cast(pl.Int32)),
        role=pl.when(~lines.get_column("text").str.contains(r"\S"))
        .then(pl.lit(Role.BLANK, pl.UInt8))
        .when(content == "")
        .then(pl.lit(Role.ORNAMENT, pl.UInt8))
        .otherwise(pl.lit(Role.ROW, pl.UInt8)),
        note=pl.when((content == "") & (lines.get_column("text") != "")).then(pl.lit("markup")),
    )
    is_plain = content.str.contains(PLAIN_ROW) & ~content.str.contains(OWN_LINE)
    odd_rows = (~is_plain & (content != "")).arg_true()
    odd = frame[odd_rows].select("row", "file_id", "content").with_columns(above=_above(frame, odd_rows))
    odd = odd.join(_roles(odd.select("content").unique()), on="content", how="left", maintain_order="left")
    odd, headers = _with_headers(odd)
    frame = frame.with_columns(
        frame.get_column("role").scatter(odd.get_column("row"), odd.get_column("role")),
        _scattered(frame.height, odd, "header", pl.Int32()),
        frame.get_column("note").scatter(odd.get_column("row"), odd.get_column("note")),
    )
    frame = _names_of_groups(frame, headers)
    return Lines(_with_head_rows(frame), headers)


def _above(frame: pl.DataFrame, rows: pl.Series) -> pl.Series:
    """The line before each row, null at the begin of a file."""
    before = (rows.cast(pl.Int64) - 1).clip(lower_bound=0)
    is_same = frame.get_column("file_id").gather(before) == frame.get_column("file_id").gather(rows)
    above = frame.get_column("content").gather(before)
    return pl.select(pl.when(is_same & (rows > 0)).then(above)).to_series()


def _scattered(height: int, odd: pl.DataFrame, name: str, dtype: pl.DataType) -> pl.Series:
    empty = pl.repeat(None, height, dtype=dtype, eager=True).alias(name)
    return empty.scatter(odd.get_column("row"), odd.get_column(name)) if odd.height else empty


def _roles(odd: pl.DataFrame) -> pl.DataFrame:
    """What texts that are no plain rows are: role and note; of those that may be headers, may_head and may_group."""
    is_time = odd.get_column("content").str.contains(PLAIN)  # most of them in a long file, and nothing else fits them
    times = odd.filter(is_time).with_columns(
        note=pl.lit(None, pl.String), role=pl.lit(Role.TIME, pl.UInt8), may_head=pl.lit(False), may_group=pl.lit(False)
    )
    return pl.concat([times, _roles_of_others(odd.filter(~is_time))])


def _roles_of_others(odd: pl.DataFrame) -> pl.DataFrame:
    content = pl.col("content")
    note = pl.coalesce(
        *(pl.when(content.str.contains(pattern)).then(pl.lit(name)) for pattern, name in ORNAMENTS),
        pl.when(content.str.contains(PROMPT)).then(pl.lit("prompt")),
    )
    looks_like_time = content.str.contains(LOOKS_LIKE_TIME)
    role = (
        pl.when(content.str.contains(RESTART, literal=True))
        .then(Role.RESTART)
        .when(content.str.contains(OWN_LINE) | content.str.contains(COMMAND))
        .then(Role.INVOCATION)
        .when(looks_like_time & content.str.contains(TIME_LINE))
        .then(Role.TIME)
        .when(content.str.contains(ELISION))
        .then(Role.ELISION)
        .when(pl.col("note").is_not_null())
        .then(Role.ORNAMENT)
        .otherwise(Role.ROW)
    )
    may_head = pl.col("role").is_in([Role.ROW, Role.ORNAMENT]) & content.str.contains(HEADER_HINT)
    return (
        odd.with_columns(note=note)
        .with_columns(role=role.cast(pl.UInt8))
        .with_columns(may_head=may_head)
        .with_columns(may_group=pl.col("may_head") & content.str.contains(GROUP_HINT))
    )


def _with_headers(odd: pl.DataFrame) -> tuple[pl.DataFrame, tuple[Header, ...]]:
    """Read the headers among the lines; each different one once."""
    is_open = pl.col("may_head")
    keyed = odd.with_columns(above=pl.when("may_group").then("above").otherwise(pl.lit("")))
    different = (
        keyed.filter(is_open)
        .select("content", "above")
        .unique(maintain_order=True)
        .with_columns(pl.col("above").fill_null(""))
    )
    rests = {text for text in different.get_column("content").to_list() if header_rest(text)}
    joined = _wrapped(keyed, rests)
    pairs = different.rows() + [
        (text, "") for text in joined.get_column("joined").unique(maintain_order=True).to_list()
    ]
    read = {pair: header for pair in pairs if (header := header_of(*pair)) is not None}
    headers = tuple(dict.fromkeys(read.values()))[:MAX_HEADERS]
    number = {each: index for index, each in enumerate(headers)}
    known = [(*pair, number[header]) for pair, header in read.items() if header in number]
    schema = {"content": pl.String(), "above": pl.String(), "header": pl.Int32()}
    table = pl.DataFrame(known, schema=schema, orient="row")
    keyed = keyed.with_columns(above=pl.col("above").fill_null(""))
    whole = keyed.join(joined, on="row", how="left", maintain_order="left").with_columns(
        content=pl.coalesce("joined", "content")
    )
    found = whole.join(table, on=["content", "above"], how="left", maintain_order="left").get_column("header")
    is_header = found.is_not_null() & keyed.select(is_open).to_series()
    is_rest = keyed.get_column("row").is_in((joined.get_column("row") + 1).implode()) & ~is_header
    role = (
        pl.when(is_header)
        .then(pl.lit(Role.HEADER, pl.UInt8))
        .when(is_rest)
        .then(pl.lit(Role.HEADER_REST, pl.UInt8))
        .otherwise("role")
    )
    return keyed.with_columns(header=pl.when(is_header).then(found), role=role), headers


def _wrapped(odd: pl.DataFrame, rests: set[str]) -> pl.DataFrame:
    """Headers that go on in the next line: their row and the text of both."""
    if not rests:
        return pl.DataFrame(schema={"row": pl.UInt32(), "joined": pl.String()})
    after = pl.col("content").shift(-1)
    is_next = (pl.col("row").shift(-1) == pl.col("row") + 1) & (pl.col("file_id").shift(-1) == pl.col("file_id"))
    starts = pl.col("content").str.contains(r"^Device:?\s")
    return (
        odd.filter(starts & is_next & after.is_in(list(rests)))
        .select("row")
        .join(
            odd.select("row", joined=pl.col("content") + pl.lit(" ") + after),
            on="row",
            how="left",
            maintain_order="left",
        )
    )


def _names_of_groups(frame: pl.DataFrame, headers: tuple[Header, ...]) -> pl.DataFrame:
    """The line above a header of column groups names the groups."""
    groups = [number for number, header in enumerate(headers) if header.flavour.endswith("_groups")]
    if not groups:
        return frame
    is_above = pl.col("header").shift(-1).is_in(groups) & (pl.col("file_id").shift(-1) == pl.col("file_id"))
    is_names = is_above.fill_null(value=False) & pl.col("role").is_in([Role.ROW, Role.ORNAMENT])
    return frame.with_columns(
        role=pl.when(is_names).then(pl.lit(Role.ORNAMENT, pl.UInt8)).otherwise("role"),
        note=pl.when(is_names).then(pl.lit("names of the groups of columns")).otherwise("note"),
    )


def _with_head_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """Give each line the header it is under; a line of the tool's own, and a new file, end a table."""
    is_head = pl.col("role") == Role.HEADER
    ends = (pl.col("role") == Role.INVOCATION) | (pl.col("file_id") != pl.col("file_id").shift(1))
    marked = pl.when(is_head).then(pl.col("row").cast(pl.Int64)).when(ends.fill_null(value=True)).then(-1)
    head_row = frame.select(marked.forward_fill().fill_null(-1).alias("head_row")).to_series()
    under = frame.get_column("header").gather(head_row.clip(lower_bound=0))
    is_under = head_row >= 0
    return frame.with_columns(head_row, header=pl.select(pl.when(is_under).then(under)).to_series())
