"""What a log format is to haledger: how it is recognised, where it may be cut, how it is read, what it fills.

A `FORMAT` of a module of this package is a format, and so is each of its `FORMATS`; no other file names it.
Parsing is pure: numbered lines of some files in, frames out, the same for one file as for six hundred.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import IntEnum
from functools import cache
from typing import Any, Literal, TypeVar

import polars as pl

import parsers
from parsers.derived import derived
from parsers.star import NUMBER, Rows, Star, flat, number_column, split

LINE_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "text": pl.String(),
}
"""Numbered lines: sorted by file and line, many files together. `text` has no line end and is never null."""

KEY_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "part": pl.Int16(),
}
"""Where a row came from. `part` is 1, and counts on where one line holds several messages."""

STAMP_SCHEMA: dict[str, pl.DataType] = {
    "stamp": pl.Datetime("us"),
    "has_year": pl.Boolean(),
    "utc_offset_min": pl.Int16(),
}
"""The time as printed: the writer's wall clock, year 2000 where none is printed (`has_year` false), and minutes
east of UTC where the line gives a zone. The pipeline's clock turns it into `at` (UTC) and `local_at`."""

NARROWEST, WIDEST = 56, 80
"""Columns at which texts are folded as a whole: lines of mails, tickets and terminals."""

DAYLESS = date(1904, 1, 1)
"""The first day of a log that prints times of day alone (`has_year` false): its stamps count days from here."""

VERDICT_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "verdict": pl.UInt8(),
    "reason": pl.String(),
}
"""One row per input line, in the input's order. `reason` is set for rejected lines, may be set for ignored ones."""


T = TypeVar("T", "Format", "Table")


class Verdict(IntEnum):
    """What became of a line. Every line has exactly one."""

    PARSED = 1
    CONTINUATION = 2
    IGNORED = 3
    BLANK = 4
    REJECTED = 5


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its name, type and meaning with its unit.

    `host` marks a column of host names: `own` the writer of the line, `named` a host that the text mentions; or of the
    names of their zones (`zone`).
    `is_public`: the public relation of the table shows it. `of`: the dimension that it belongs to, whose different rows
    are stored once; None: every row of the table has a value of its own. See `of`.
    """

    name: str
    dtype: pl.DataType
    comment: str
    host: Literal["own", "named", "zone"] | None = None
    is_public: bool = True
    of: str | None = None


def of(dimension: str, *columns: Column) -> tuple[Column, ...]:
    """Columns of a dimension: what many lines say alike, such as all that follows from the text of a message.

    None of floating numbers, of which unequal ones may compare as equal (0.0 and -0.0).
    """
    return tuple(replace(each, of=dimension) for each in columns)


@dataclass(frozen=True, slots=True)
class Message:
    """How the rows of a table read as log messages, for the relation `event`: SQL expressions over its columns."""

    source: str
    text: str
    severity: str = "null"
    message_id: str = "null"
    process: str = "null"
    pid: str = "null"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that one or more formats fill. `grain` says what one row is; both it and the columns become comments.

    A public relation of its name shows its rows with configuration, run and node, unless `is_public` is false because
    SQL of the pipeline computes from them what users see. `subject`: its heading in the reference of relations.
    `part`: what the part counts; None: the public relation shows none. `message`: its rows are log messages, and
    belong to `event`. `host_table`: a row of that table, of the same line, names the writer of the line. `is_series`:
    rows count seconds (`offset_s`) from a start that study.toml may declare; `summary_no` numbers the series of a file.
    `whole_seconds`: SQL condition of the rows whose stamp is in whole seconds, unless a text shows a finer one.
    `stamp_step`: the column that says how fine stamps are that print no seconds, in seconds.
    `in_date_order`: reads dates again that a file leaves open (12/11/09), by the orders that study.toml declares.
    """

    name: str
    grain: str
    columns: tuple[Column, ...]
    is_dated: bool = True
    message: Message | None = None
    subject: str = "Other relations"
    part: str | None = "number within the line, from 1"
    is_public: bool = True
    host_table: str | None = None
    is_series: bool = False
    whole_seconds: str | None = None
    stamp_step: str | None = None
    in_date_order: Callable[[pl.DataFrame, Mapping[int, str]], pl.DataFrame] | None = None

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The frame a parser hands over: key, stamp if dated, then the columns."""
        stamps = STAMP_SCHEMA if self.is_dated else {}
        return {**KEY_SCHEMA, **stamps, **{column.name: column.dtype for column in self.columns}}

    @property
    def dimensions(self) -> dict[str, dict[str, pl.DataType]]:
        """Columns and types of each dimension by its name; empty for a table whose rows are stored as they are."""
        found: dict[str, dict[str, pl.DataType]] = {}
        for column in self.columns:
            if column.of is not None:
                found.setdefault(column.of, {})[column.name] = column.dtype
        return found

    @property
    def line_schema(self) -> dict[str, pl.DataType]:
        """The lines of a star: key, stamp if dated, the columns of the line, and the number of each dimension."""
        of_dimension = {name for columns in self.dimensions.values() for name in columns}
        own = {name: dtype for name, dtype in self.schema.items() if name not in of_dimension}
        return own | {number_column(name): NUMBER for name in self.dimensions}

    def star(self, lines: pl.DataFrame, **dimensions: pl.DataFrame) -> Star:
        """Rows of this table, which has dimensions. Lines and dimensions may have further columns."""
        frames = {name: dimensions[name].select(columns.keys()) for name, columns in self.dimensions.items()}
        return Star(lines.select(self.line_schema.keys()), frames, tuple(self.schema))

    def split(self, rows: Rows) -> Rows:
        """Rows in the form in which they are stored: a flat frame of a table with dimensions as a star."""
        if isinstance(rows, Star) or not self.dimensions:
            return rows
        return split(rows, {name: list(columns) for name, columns in self.dimensions.items()})

    def is_filled_by(self, rows: Rows) -> bool:
        """Whether rows have the columns and types that the table declares, in the order of the declaration."""
        if not isinstance(rows, Star):
            return rows.schema == pl.Schema(self.schema)
        return (
            rows.lines.schema == pl.Schema(self.line_schema)
            and rows.columns == tuple(self.schema)
            and {name: dict(frame.schema) for name, frame in rows.dimensions.items()} == self.dimensions
        )

    def empty(self) -> pl.DataFrame:
        """The table without a row."""
        return pl.DataFrame(schema=self.schema)

    @property
    def own_host(self) -> str | None:
        """The column that names the writer of the line, if there is one."""
        return next((column.name for column in self.columns if column.host == "own"), None)


@dataclass(frozen=True, slots=True)
class Recognition:
    """A format's claim on a file. `confidence` is 0 to 1: from 0.9 on a signature that no other format has."""

    confidence: float
    reason: str
    line_no: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file is not of a format, and the line on which that became clear."""

    reason: str
    line_no: int


def recognised_by(hits: pl.Series, confidence: float, reason: str) -> Recognition | None:
    """A claim that rests on the first of the lines that are hit; None where none is."""
    return Recognition(confidence, reason, (hits.arg_max() or 0) + 1) if hits.any() else None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser made of some lines: the rows of each table that got some, and a verdict for every line."""

    rows: Mapping[str, Rows]
    lines: pl.DataFrame

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The rows of each table as a flat frame."""
        return {name: flat(rows) for name, rows in self.rows.items()}


@dataclass(frozen=True, slots=True)
class Reports:
    """Reports that a tool prints one after the other; it takes the whole file to number and to date them.

    `marks`: the table of the lines at which reports begin, and of times; `invocations`: that of the lines that begin a
    run of the tool. The first report of the sections `from_boot` covers the time since the start of the system, unless
    the command has what the pattern `without_boot` matches.
    """

    marks: Table
    invocations: Table
    from_boot: tuple[str, ...]
    without_boot: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A log of one's own, as study.toml declares it: how a record begins, and where its stamp, host and severity are.

    `begins`: a pattern of the first line of a record. `stamp`: how its stamp is written in directives of strptime
    (`%Y-%m-%d %H:%M:%S`), or a pattern whose first group, else all of it, is one that haledger knows. `host` and
    `severity`: patterns likewise.
    """

    name: str
    begins: str | None = None
    stamp: str | None = None
    host: str | None = None
    severity: str | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A line that only one kind of text has, and what that text is then said to look like.

    `is_vague`: said only where no other hint of a file fits.
    """

    pattern: str
    what: str
    is_vague: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """One log format.

    `recognise` sees the first lines of a file (at most 400, from the first 64 KiB). `parse` sees numbered lines of
    one or more files. `boundary` matches a line before which a file may be cut into chunks without tearing a record;
    None: the file is always handed over whole. `file_names` are patterns that only break a tie, unless the format
    `is_known_by_name`: then a text says too little by itself, and no file of another name is one. `role`: a log of what
    happened, a configuration that was in force, or measurements. `needs`: a pattern that fits at least one of the first
    lines of any file that `recognise` claims, so that most files need not be looked at closely. `is_of_client`: written
    by a user of the service, not by a node. `counts_up`: fits what rotation adds to a file's name, with the number as
    `number`, where the number grows with time; without it the copy with the greatest number is the oldest. `hints`:
    what a file looks like that has such lines and is not recognised. `look`: looks at the first lines of several files
    together, so that `recognise` is quicker for each of them; with or without it the answers are the same.
    `names_configurations`: its lines may name the configuration and the run that they are of.
    `unwraps`: reads times that others put before its lines.
    `takes_the_rest`: claims only what no other format does, and not a file at which another fails. `begins_late`: in a
    file that no format recognises by its first lines, it is sought behind them. `of_layout`: the
    format of logs that study.toml declares; `draft`: how it would declare a log, by its first lines, in whose lines
    there are stamps where no format looks for them.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    recognise: Callable[[pl.Series], Recognition | Refusal]
    parse: Callable[[pl.DataFrame], Parsed]
    boundary: str | None = None
    file_names: tuple[str, ...] = ()
    role: Literal["log", "configuration", "measurement"] = "log"
    needs: str | None = None
    reports: Reports | None = None
    is_of_client: bool = False
    counts_up: str | None = None
    hints: tuple[Hint, ...] = ()
    look: Callable[[Sequence[pl.Series]], None] | None = None
    names_configurations: bool = False
    unwraps: bool = False
    takes_the_rest: bool = False
    begins_late: bool = False
    is_known_by_name: bool = False
    of_layout: "Callable[[Layout], Format] | None" = None
    draft: "Callable[[str, pl.Series], Layout | None] | None" = None


@dataclass(frozen=True, slots=True)
class ByNeed:
    """A function of a declared format, or of a table of it, whose module is imported when it is called.

    Most studies have a few formats, and their modules are most of the program.
    """

    module: str
    format: str
    function: str
    table: str | None = None

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401  those of any function
        """What the function gives."""
        return self._found(*arguments)

    @property
    def _found(self) -> Callable[..., Any]:
        form = _declared(self.module)[self.format]
        owners = [form] if self.table is None else [each for each in form.tables if each.name == self.table]
        found: Callable[..., Any] = getattr(owners[0], self.function)
        return found


@cache
def _declared(module_name: str) -> dict[str, Format]:
    """The formats that a module declares, by name."""
    module = importlib.import_module(module_name)
    own = [getattr(module, "FORMAT", None), *getattr(module, "FORMATS", ())]
    return {each.name: each for each in own if isinstance(each, Format)}


@derived
def formats() -> dict[str, Format]:
    """Every format of this package by name; its functions are `ByNeed`."""
    shared: dict[str, Table] = {}
    found: dict[str, Format] = {}
    for module in pkgutil.walk_packages(parsers.__path__, "parsers."):
        for form in _declared(module.name).values():
            for table in form.tables:
                shared.setdefault(table.name, _with_functions_by_need(table, module.name, form.name, table.name))
            own = _with_functions_by_need(form, module.name, form.name)
            found[form.name] = replace(own, tables=tuple(shared[each.name] for each in form.tables))
    return dict(sorted(found.items()))


def _with_functions_by_need(declared: T, module: str, form: str, table: str | None = None) -> T:
    names = [each.name for each in fields(declared) if callable(getattr(declared, each.name))]
    by_need: dict[str, Any] = {each: ByNeed(module, form, each, table) for each in names}
    return replace(declared, **by_need)


def format_of(name: str, layout: Layout | None = None) -> Format:
    """The format of a name, or the one of a log that study.toml declares."""
    return formats()[name] if layout is None else _format_of(layout)


@cache
def _format_of(layout: Layout) -> Format:
    made = next(each.of_layout for each in formats().values() if each.of_layout is not None)
    return made(layout)


def drafted(name: str, head: pl.Series) -> Layout | None:
    """How study.toml may declare a log that no format recognises, by its first lines; None where they have no dates."""
    found = (each.draft(name, head) for each in formats().values() if each.draft is not None)
    return next((layout for layout in found if layout is not None), None)


@cache
def tables() -> dict[str, Table]:
    """Every table that some format fills, by name."""
    return {table.name: table for each in formats().values() for table in each.tables}
