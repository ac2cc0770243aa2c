"""Log of a client's probe: a table of questions asked of a service again and again, and what came of each.

Written by  a script that asks (`asked_at,outcome,elapsed_ms,reason`); JMeter's results and similar tables read alike
One row     per question
Columns     known by their names in any order: a time, an outcome, and if there are, how long it took, why it failed,
            and what was asked; others are left alone. Without an outcome a question with a reason has failed
Time        of asking: ISO 8601, or seconds, milliseconds or microseconds since 1970. A time without a zone is the
            client's wall clock
Elapsed     until the answer, or until it was clear that none would come; milliseconds where neither the name nor the
            cell gives a unit, and the cell is not h:mm:ss
Outcome     `ok` or `failed`, `true` or `false`, `1` or `0`, a status of HTTP (200 to 399 are answers), ...
No header   a loop of the shell often prints none: a time, an outcome, then if there are how long it took and a reason,
            with blanks, commas, semicolons or tabs between them: `2026-11-22T14:10:47.835Z OK 3.9 ms`. The time may
            be in brackets, or as date(1) prints it in English: `Tue Nov 24 11:57:06 UTC 2026 OK`
Order       any: questions overlap where the next one does not wait for the answer
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, Literal, TypeAlias

import polars as pl

from parsers.delimited import (
    CONTENT,
    IN_SECONDS,
    Grid,
    Header,
    cell_of,
    content_below,
    duration,
    first_content,
    grid_of,
    header_of,
    set_aside,
    time_columns,
)
from parsers.division import divided
from parsers.format import Column, Format, Parsed, Recognition, Refusal, Table
from parsers.line_verdict import NEVER, is_in, verdicts
from parsers.zone_names import SURE_MIN

CLIENT_QUESTION = Table(
    name="client_question",
    grain="One row per question that a client's probe asked of a service.",
    is_public=False,
    columns=(
        Column("is_answered", pl.Boolean(), "the service did what was asked; false: it refused, failed or kept silent"),
        Column("elapsed_s", pl.Float64(), "from asking until the outcome was known, seconds; null where not printed"),
        Column("reason", pl.String(), "why a question failed, as the probe words it"),
        Column("target", pl.String(), "what was asked, where the table distinguishes several"),
    ),
)

Part = Literal["time", "outcome", "elapsed", "reason", "target"]

PARTS: dict[Part, str] = {
    "time": "asked_at asked sent_at sent started_at started start time timestamp ts at date datetime date_time t",
    "outcome": (
        "outcome result success is_answered answered ok status state responsecode response_code http_code code up"
    ),
    "elapsed": "elapsed latency duration response_time responsetime rtt took time_taken total_time",
    "reason": "reason error failuremessage failure_message error_message message detail exception cause",
    "target": "target label service url host server endpoint address probe check name",
}
"""Names of columns, the preferred first: JMeter prints `responseCode` and `success`."""

MILLISECONDS = IN_SECONDS["ms"]

ANSWERED_WORDS = "ok|okay|success|successful|succeeded|answered|pass|passed|true|yes|up"
PLAINLY_FAILED_WORDS = "fail|failed|failure|ko|not[ _]ok|false|no"
FAILED_WORDS = (
    "error|err|exception|down|time[ _]?out|timed[ _]out|refused|rejected|unreachable|lost|no[ _]answer|aborted"
)
ANSWERED = rf"^(?:{ANSWERED_WORDS}|y|t|1)$"
PLAINLY_FAILED = rf"^(?:{PLAINLY_FAILED_WORDS}|n|f|0|-1)$"
FAILED = rf"^(?:{FAILED_WORDS})$"
# curl prints 000 where there was no answer
CODE_ANSWERED, CODE_FAILED = r"^[23][0-9][0-9]$", r"^(?:000|[145][0-9][0-9])$"

STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8}(?:[.,][0-9]{1,9})?(?: ?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?"
# REAL: Tue Nov 24 11:57:06 UTC 2026, of date(1)
CTIME = (
    r"[A-Z][a-z]{2} (?P<month>[A-Z][a-z]{2}) {1,2}(?P<day>[0-9]{1,2}) (?P<clock>[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?: (?P<zone>[A-Z]{3,4}|[+-][0-9]{4}))? (?P<year>[0-9]{4})"
)
OFFSETS = {
    name: f"{'-' if east < 0 else '+'}{abs(east) // 60:02}{abs(east) % 60:02}" for name, east in SURE_MIN.items()
}
WITHOUT_NAMES = re.sub(r"\?P<[a-z]+>", "?:", CTIME)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# without a header no single sign: 0 is success of a command and false, and 230 is any number
WORD = rf"(?i:{ANSWERED_WORDS}|{PLAINLY_FAILED_WORDS}|{FAILED_WORDS})"
CODE = "000|20[0146]|30[1-8]|40[0134]|429|50[0-4]"
COMPLAINT = (
    r"(?i:could not|can(?:no|')t|unable to|failed to|connect|lost connection|server closed|no route|network is|host is)"
)
NUMBER = r"[0-9]+(?:\.[0-9]+)?"
GAP = r"[ \t,;]+"
# REAL: 2026-11-22T14:10:47.835Z OK
# REAL: 2026-11-22T14:06:49.640Z port=6401 OK
# REAL: 2026-11-22T14:14:50.108Z 2026-11-22T14:14:50.110Z 73 ok
# 1795356647.835 failed 1.2 s connection refused
WITHOUT_HEADER = (
    rf"^\s*\[?(?P<time>{STAMP}|{WITHOUT_NAMES}|[0-9]{{10,16}}(?:\.[0-9]{{1,9}})?)\]?(?:{GAP}(?P<end>{STAMP}))?"
    rf"(?:{GAP}(?P<target>[A-Za-z][\w.-]*=[\w.:/-]+))?"
    rf"(?:(?:{GAP}[0-9]{{1,9}}{GAP}(?P<counted>{WORD})|{GAP}(?P<outcome>{WORD}|{CODE}))"
    rf"(?:{GAP}{NUMBER}|(?:{GAP}\(?(?P<elapsed>{NUMBER}) ?(?P<unit>us|ms|s)\)?)?(?:[ \t,;:-]+(?P<reason>\S.*?))?)"
    rf"|{GAP}(?P<complaint>{COMPLAINT}.*?))?\s*$"
)
"""A time, when the answer came, what was asked, a count, an outcome, how long it took, why it failed; or no answer.

A number without a unit may be seconds as well as milliseconds, and is left alone.
"""

PLAIN_OUTCOMES = frozenset([*ANSWERED_WORDS.split("|"), "200", "204"])
"""The first line of a probe without a header has one of these: what never answered before is not asked."""

LONGEST_BEGINNING = 120
"""Of a line, in which an outcome is looked for."""

LINES_AT_A_TIME = 40_000
"""Of those without a header, which take a kilobyte each while they are cut."""

LONGEST_LINE = 1000
"""Of a line that may be a probe's: what is longer is cut."""

FEWEST = 3
"""Answers without a header that are a probe's."""

NO_ANSWER = "no answer"
"""What came of a question behind whose time nothing stands."""

SAMPLE = 50
"""Rows below the header that recognition looks at."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the columns, seconds in the unit of the elapsed time, and whether outcomes may be of HTTP."""

    parts: dict[Part, int]
    unit_s: float
    has_codes: bool


def layout_of(names: tuple[str, ...]) -> Layout | None:
    """The layout of a table with these columns; None where they show no time, or not what came of a question."""
    parts: dict[Part, int] = {}
    unit_s = MILLISECONDS
    for part, known in PARTS.items():
        for name in known.split():
            spellings = {name: MILLISECONDS}
            if part == "elapsed":
                spellings |= {f"{name}_{unit}": seconds for unit, seconds in IN_SECONDS.items()}
            found = next((each for each in spellings if each in names), None)
            if found is not None:
                parts[part] = names.index(found)
                unit_s = spellings[found] if part == "elapsed" else unit_s
                break
    if "time" not in parts or not ("outcome" in parts or {"elapsed", "reason"} <= set(parts)) or "event" in names:
        return None  # a table of events, like repmgr's, has `ok` too
    outcome = names[parts["outcome"]] if "outcome" in parts else ""
    return Layout(parts, unit_s, "code" in outcome or outcome == "status")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a table whose header names a time and an outcome, with such values in nearly all rows; or only the rows."""
    form = _form(head)
    if form is None:
        return Refusal("no header with a time and an outcome", 1)
    if form is BARE:
        return _recognised_without_header(head)
    header, layout = form
    lines = pl.DataFrame({"text": head}).with_row_index("line_no", 1).with_columns(pl.lit(1).alias("file_id"))
    cells, _ = _read(lines.head(header.line_no + SAMPLE), header, layout)
    good = cells["problem"].null_count()
    if 10 * good < 9 * len(cells) or (good == 0 and tuple(header.names) != OWN):
        return Refusal("rows below the header show no time with an outcome", header.line_no)
    names = ", ".join(header.names[place] for place in layout.parts.values())
    return Recognition(0.93, f"header of a probe's questions ({names})", header.line_no)


def _recognised_without_header(head: pl.Series) -> Recognition | Refusal:
    """Claim lines of a time and an outcome; many logs have such lines too, but not for the most part nothing else."""
    found = [_bare_line().match(each[:LONGEST_LINE]) for each in head.head(SAMPLE) if CONTENT.match(each)]
    good = [each for each in found if each is not None]
    plain = sum(_is_plain_answer(each) for each in good)
    if plain < FEWEST or 2 * plain < len(found) or 10 * len(good) < 9 * len(found):
        return Refusal("few lines are a time and what came of a question", 1)
    return Recognition(0.85, "lines of a time and what came of a probe's question, without a header", 1)


@cache
def _bare_line() -> re.Pattern[str]:
    """A line without a header, for Python: of each file the first lines are looked at, for which Polars takes long."""
    return re.compile(WITHOUT_HEADER)


def _is_plain_answer(line: re.Match[str]) -> bool:
    """Whether a line says that the service answered, and nothing else."""
    outcome = line["counted"] or line["outcome"] or ""
    return line["reason"] is None and (outcome.lower() in PLAIN_OUTCOMES or outcome[:1] in {"2", "3"})


OWN = ("asked_at", "outcome", "elapsed_ms", "reason")
"""The form to write: known even before the first question."""

GAPS = str.maketrans(",;[]", "    ")
WEEKDAYS = frozenset(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))

BARE_PARTS: tuple[Part, ...] = ("time", "outcome", "elapsed", "reason", "target")
Form: TypeAlias = tuple[Header, Layout]

BARE: Final[Form] = (
    Header(0, OWN, " "),
    Layout({part: place for place, part in enumerate(BARE_PARTS)}, MILLISECONDS, has_codes=True),
)
"""Rows that no header stands above, in the same order."""


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn rows into questions, file by file."""
    if lines.is_empty():
        return Parsed({}, verdicts(lines, NEVER, ""))
    read = [_files_of(form, frame) for form, frame in _by_form(lines)]
    rows = pl.concat([each for each, _ in read])
    return Parsed(
        {} if rows.is_empty() else {CLIENT_QUESTION.name: rows}, pl.concat([line_verdicts for _, line_verdicts in read])
    )


def _by_form(lines: pl.DataFrame) -> Iterator[tuple[Form | None, pl.DataFrame]]:
    """The files in their order, each with its form; those without a header by lines, as no row depends on another."""
    files = ((_form(each["text"]), each) for each in lines.partition_by("file_id", maintain_order=True))
    for is_bare, alike in groupby(files, key=lambda each: each[0] is BARE):
        if is_bare:
            together = pl.concat(frame for _, frame in alike)
            yield from ((BARE, some) for some in together.iter_slices(LINES_AT_A_TIME))
        else:
            yield from alike


def _files_of(form: Form | None, lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows and verdicts of files of a form; of one with a header, one file."""
    if form is None:
        below_none = "below no header with a time and an outcome"
        return CLIENT_QUESTION.empty(), verdicts(lines, NEVER, below_none)
    header, layout = form
    cells, ragged = _read(lines, header, layout)
    rows = cells.filter(pl.col("problem").is_null()).select(
        pl.col(name).cast(dtype) for name, dtype in CLIENT_QUESTION.schema.items()
    )
    problems = pl.concat([cells.select("file_id", "line_no", "problem").drop_nulls(), ragged])
    is_header = (  # a probe that was restarted writes it again
        pl.col("text") == lines["text"][header.line_no - 1] if header.line_no else pl.lit(value=False)
    )
    line_verdicts = verdicts(
        lines.join(problems, on=["file_id", "line_no"], how="left", maintain_order="left"),
        is_in(lines, rows),
        pl.col("problem"),
        ignored=pl.coalesce(pl.when(is_header).then(pl.lit("header")), set_aside(header)),
    )
    return rows, line_verdicts


def _read(lines: pl.DataFrame, header: Header, layout: Layout) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows with the columns of the table and `problem`, and the lines that have no row's count of cells."""
    grid = grid_of(lines, header) if header.line_no else _grid_without_header(lines)
    elapsed = cell_of(layout.parts, "elapsed")
    elapsed_s = duration(elapsed, header, layout.unit_s).round(9)
    cells = grid.cells.with_columns(
        *time_columns(cell_of(layout.parts, "time"), header),
        _is_answered(layout).alias("is_answered"),
        elapsed_s.alias("elapsed_s"),
        cell_of(layout.parts, "target").alias("target"),
    ).with_columns(
        pl.when(~pl.col("is_answered")).then(_reason(layout)).alias("reason"),
        pl.when(pl.col("stamp").is_not_null()).then(pl.lit(True)).alias("has_year"),
        pl.lit(1).alias("part"),
        pl.coalesce(
            pl.when(pl.col("stamp").is_null()).then(pl.lit("no date and time")),
            pl.when(pl.col("is_answered").is_null()).then(pl.lit("neither ok nor failed")),
            pl.when((elapsed.is_not_null() & elapsed_s.is_null()) | (elapsed_s < 0)).then(
                pl.lit("no number in the column of elapsed time")
            ),
        ).alias("problem"),
    )
    ragged = grid.bad.select(
        "file_id",
        "line_no",
        pl.format("{} cells where the header has {}", "count", len(header.names)).alias("problem"),
    )
    return cells, ragged


def _form(texts: pl.Series) -> Form | None:
    """The header and what its columns are; for lines without one, those of a probe that writes none."""
    header = header_of(texts)
    layout = None if header is None else layout_of(header.names)
    if header is not None and layout is not None:
        return header, layout
    _, first = first_content(texts) or (0, "")
    return BARE if _may_be_without_header(first) and _bare_line().match(first[:LONGEST_LINE]) else None


def _may_be_without_header(line: str) -> bool:
    """Whether a line may be a time with an outcome; asked of each file, and the pattern takes long to compile."""
    words = line[:LONGEST_BEGINNING].translate(GAPS).split()
    is_dated = bool(words) and (words[0][:4].isdecimal() or words[0] in WEEKDAYS)
    return is_dated and not PLAIN_OUTCOMES.isdisjoint(map(str.lower, words[1:8]))


def _grid_without_header(lines: pl.DataFrame) -> Grid:
    """Cells of lines without a header, elapsed time in milliseconds; empty where a line has another form."""
    content = content_below(lines, BARE[0])
    found = content.select("file_id", "line_no", pl.col("text").str.extract_groups(WITHOUT_HEADER)).unnest("text")
    found = found.with_columns(pl.coalesce(_iso_of_ctime(), "time").alias("time"))
    stamp, _, since = time_columns(pl.col("time"), BARE[0])
    ended, _, until = time_columns(pl.col("end"), BARE[0])
    took_ms = pl.coalesce(divided((ended - stamp).dt.total_microseconds(), 1000), (until - since) * 1000)
    printed_ms = duration(pl.col("elapsed") + pl.col("unit"), BARE[0], unit_s=MILLISECONDS)
    outcome = pl.coalesce("counted", "outcome")
    is_plain = outcome.str.to_lowercase().str.contains(PLAINLY_FAILED)
    said = pl.when(is_plain | pl.col("reason").is_null()).then("reason").otherwise(outcome + " " + pl.col("reason"))
    cells = found.select(
        "file_id",
        "line_no",
        pl.col("time").alias("c0"),
        pl.when(pl.col("time").is_not_null())
        .then(
            pl.coalesce(outcome, pl.when(pl.col("complaint").is_not_null()).then(pl.lit("failed")), pl.lit(NO_ANSWER))
        )
        .alias("c1"),
        pl.coalesce(printed_ms, took_ms).round(6).cast(pl.String).alias("c2"),
        pl.coalesce(said, "complaint").alias("c3"),
        pl.col("target").alias("c4"),
    )
    return Grid(BARE[0], cells, content.clear().select("file_id", "line_no", pl.lit(0, pl.UInt32).alias("count")))


def _iso_of_ctime() -> pl.Expr:
    """A time as date(1) prints it in the order of ISO 8601; null for others."""
    parts = pl.col("time").str.extract_groups(f"^{CTIME}$").struct.field
    months = {name: f"{number:02}" for number, name in enumerate(MONTHS, 1)}
    month = parts("month").replace_strict(months, default=None, return_dtype=pl.String)
    zone = parts("zone").replace(OFFSETS)
    zone = (
        pl.when(zone.str.contains("^[+-]")).then(zone).otherwise(pl.lit(""))
    )  # the client's own, where a name is open
    date = pl.concat_str(parts("year"), month, parts("day").str.zfill(2), separator="-")
    return pl.concat_str(date, pl.lit(" "), parts("clock"), zone)


def _is_answered(layout: Layout) -> pl.Expr:
    """What the outcome says; null for a word that says neither."""
    if "outcome" not in layout.parts:
        return cell_of(layout.parts, "reason").is_null()
    line_verdicts = cell_of(layout.parts, "outcome").str.to_lowercase()
    is_answered, is_failed = (
        line_verdicts.str.contains(ANSWERED),
        line_verdicts.str.contains(f"{PLAINLY_FAILED}|{FAILED}"),
    )
    if layout.has_codes:
        is_answered, is_failed = (
            is_answered | line_verdicts.str.contains(CODE_ANSWERED),
            is_failed | line_verdicts.str.contains(CODE_FAILED),
        )
    return pl.when(is_answered).then(pl.lit(value=True)).when(is_failed).then(pl.lit(value=False))


def _reason(layout: Layout) -> pl.Expr:
    """Why it failed; an outcome that says more than that it did stands for it."""
    line_verdicts = cell_of(layout.parts, "outcome")
    is_plain = line_verdicts.str.to_lowercase().str.contains(PLAINLY_FAILED)
    return pl.coalesce(cell_of(layout.parts, "reason"), pl.when(~is_plain).then(line_verdicts))


FORMAT = Format(
    name="client_probe",
    title="log of a client's probe",
    tables=(CLIENT_QUESTION,),
    recognise=recognise,
    parse=parse,
    file_names=("*probe*.csv", "*probe*.txt", "*probe*.log", "*.jtl"),
    role="measurement",
    is_of_client=True,
)
