"""The study's manifest, study.toml: what a person knows about the logs and the logs do not say.

Optional as a whole and in every part. An unknown key, a wrong type or a path out of the study is an error that names
the file, the place and the nearest key, because a misspelt override that is silently ignored would falsify results.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import TypeVar

import polars as pl

from pipeline.errors import UsageError

FILE_NAME = "study.toml"

OPERATORS = ("<", "<=", "=", "==", "!=", ">=", ">")
TOP = "the top level"
DATE_ORDERS = ("ymd", "mdy", "dmy")

Scalar = str | int | float | bool
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Study:
    """What holds for the whole study. `timezone` and `year` serve logs that carry none."""

    title: str | None = None
    subtitle: str | None = None
    organisation: str | None = None
    date: str | None = None
    abstract: str | None = None
    authors: tuple[str, ...] = ()
    reference: str | None = None
    timezone: str | None = None
    year: int | None = None
    margin_pct: float | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration as the study describes it; the order of appearance is the order in tables."""

    configuration: str
    label: str | None
    reference: str | None
    factors: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Node:
    """A host. `clock_offset_s` is how far its clock is ahead of true time: it is subtracted from its stamps."""

    node: str
    timezone: str | None
    clock_offset_s: float | None


@dataclass(frozen=True, slots=True)
class Run:
    """A person's statement about a run. `run` is the text or number as written; times are naive UTC."""

    configuration: str | None
    run: str | None
    fault_at: datetime | None
    true_fault_at: datetime | None
    exclude: str | None


@dataclass(frozen=True, slots=True)
class FileOverride:
    """What the study states for the files of one glob; None: not stated. A naive `start` is the file's wall clock."""

    match: str | None = None
    format: str | None = None
    node: str | None = None
    configuration: str | None = None
    run: str | None = None
    encoding: str | None = None
    timezone: str | None = None
    year: int | None = None
    interval_s: float | None = None
    start: datetime | None = None
    date_order: str | None = None


@dataclass(frozen=True, slots=True)
class Publication:
    """A further table or figure: its own statement, or a built-in kind narrowed to some configurations."""

    name: str
    kind: str | None
    caption: str | None
    sql: str | None
    spanners: object
    configurations: tuple[str, ...]
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the condition under which it is true: a statement, or one statistic against a number."""

    text: str | None
    sql: str | None
    milestone: str | None
    measurement: str | None
    phase: str | None
    statistic: str
    configuration: str | None
    reference: str | None
    op: str | None
    value: float | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person noted; `at` is naive UTC."""

    at: datetime
    configuration: str | None
    run: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """Prose in Markdown. `place` names the section of the report it follows."""

    title: str | None
    place: str | None
    body: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of study.toml. `milestones` stay as written: `pipeline/rules.py` reads them.

    `doubts` are sentences for the report, such as a time without a zone in a study without one.
    """

    name: str = ""
    study: Study = field(default_factory=Study)
    configurations: tuple[Configuration, ...] = ()
    nodes: tuple[Node, ...] = ()
    resource_types: tuple[tuple[str, str], ...] = ()
    runs: tuple[Run, ...] = ()
    files: tuple[FileOverride, ...] = ()
    milestones: tuple[dict[str, object], ...] = ()
    publication_tables: tuple[Publication, ...] = ()
    publication_figures: tuple[Publication, ...] = ()
    claims: tuple[Claim, ...] = ()
    events: tuple[Event, ...] = ()
    sections: tuple[Section, ...] = ()
    doubts: tuple[str, ...] = ()

    def file_override(self, path: str) -> FileOverride:
        """What the first matching `[[files]]` states for a file; all None when none matches."""
        return next((each for each in self.files if each.match and matches(path, each.match)), FileOverride())

    def node_entry(self, node: str | None) -> Node | None:
        """The `[node.*]` of a host, compared as host names are: by short name, whatever the case."""
        if node is None:
            return None
        exact = [each for each in self.nodes if each.node.lower() == node.lower()]
        short = [each for each in self.nodes if _short(each.node) == _short(node)]
        return next(iter(exact or short), None)

    def zone_of(self, node: str | None) -> str | None:
        """The zone that the study states for a host, else for all logs without one."""
        entry = self.node_entry(node)
        return entry.timezone if entry and entry.timezone else self.study.timezone

    def tables(self) -> dict[str, pl.DataFrame]:
        """Schema `study` of the store: every table, possibly empty, but `milestone_rule`."""
        study = self.study
        setting = [(self.name, *(_cell(getattr(study, each.name)) for each in fields(Study)))]
        return {
            "setting": _frame(SETTING, setting),
            "configuration": _frame(
                CONFIGURATION,
                [
                    (i, each.configuration, each.label, each.reference, _json(each.factors))
                    for i, each in enumerate(self.configurations, 1)
                ],
            ),
            "run": _frame(RUN, [_row(each) for each in self.runs]),
            "node": _frame(NODE, [_row(each) for each in self.nodes]),
            "resource_type": _frame(RESOURCE_TYPE, [(i, *each) for i, each in enumerate(self.resource_types, 1)]),
            "event": _frame(EVENT, [_row(each) for each in self.events]),
            "claim": _frame(CLAIM, [(i, *_row(each)) for i, each in enumerate(self.claims, 1)]),
            "publication_table": _frame(
                PUBLICATION_TABLE,
                [
                    (i, p.name, p.kind, p.caption, p.sql, _json(p.spanners), list(p.configurations), _json(p.options))
                    for i, p in enumerate(self.publication_tables, 1)
                ],
            ),
            "publication_figure": _frame(
                PUBLICATION_FIGURE,
                [
                    (i, p.name, p.kind, p.caption, p.sql, list(p.configurations), _json(p.options))
                    for i, p in enumerate(self.publication_figures, 1)
                ],
            ),
            "section": _frame(SECTION, [(i, *_row(each)) for i, each in enumerate(self.sections, 1)]),
        }


def load(study: Path) -> Manifest:
    """Read the manifest of a study folder; without a study.toml it is empty."""
    path = study / FILE_NAME
    name = study.resolve().name
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Manifest(name=name)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); expected a TOML file") from error
    return parse(content, name=name, source=str(path))


def parse(content: bytes, *, name: str = "", source: str = FILE_NAME) -> Manifest:
    """Turn the bytes of a manifest into a `Manifest`; `source` is the file that messages name."""
    text = _decoded(content, source)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        stated = re.search(r"at line (\d+)", str(error))
        line = stated[1] if stated else text.rstrip().count("\n") + 1  # else: at the end of the document
        raise UsageError(f"{source}:{line}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{source}: not usable TOML: nested too deeply") from error
    return _manifest(_Table(document, TOP, text, source), name)


def matches(path: str, glob: str) -> bool:
    """Tell whether a path in the study matches a glob.

    A glob without `/` is matched against the file's own name in any folder, else against the whole path:
    `*` and `?` stay within a folder, `**` crosses folders.
    """
    subject = path if "/" in glob else path.rsplit("/", 1)[-1]
    return _pattern(glob).fullmatch(subject) is not None


def utc(wall: pl.Expr, zone: str) -> pl.Expr:
    """Wall clock of a zone as naive UTC: the earlier of an ambiguous hour, a skipped hour shifted forward."""

    def converted(stamp: pl.Expr) -> pl.Expr:
        in_zone = stamp.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
        return in_zone.dt.convert_time_zone("UTC").dt.replace_time_zone(None)

    # The offset in force before a gap holds 25 hours earlier too; a gap is at most a day (Samoa, 2011).
    day = pl.duration(hours=25)
    return pl.coalesce(converted(wall), converted(wall - day) + day)


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Table:
    """One table of the document being read. Every key asked for becomes known; `done` rejects the others."""

    values: dict[str, object]
    where: str
    text: str
    source: str
    known: list[str] = field(default_factory=list)

    def get(self, key: str, types: tuple[type, ...], expected: str) -> object:
        self.known.append(key)
        value = self.values.get(key)
        is_flag = isinstance(value, bool) and bool not in types  # to Python a bool is an int
        if value is not None and (is_flag or not isinstance(value, types)):
            raise self.error(key, f"expected {expected}, found {_shown(value)}")
        return value

    def string(self, key: str) -> str | None:
        value = self.get(key, (str,), 'text in quotes, such as "…"')
        return None if value is None else str(value)

    def required(self, key: str) -> str:
        value = self.string(key)
        if value is None:
            raise UsageError(f"{self.source}: {self.where} needs a key {key!r}")
        return value

    def label(self, key: str) -> str | None:
        """Text, or a whole number taken as text (a run)."""
        value = self.get(key, (str, int), 'text in quotes or a whole number, such as "run03" or 3')
        return None if value is None else str(value)

    def number(self, key: str) -> float | None:
        value = self.get(key, (int, float), "a number")
        if value is None:
            return None
        number = float(str(value))
        if not abs(number) < float("inf"):
            raise self.error(key, "expected a finite number")
        return number

    def positive(self, key: str) -> float | None:
        number = self.number(key)
        if number is not None and number <= 0:
            raise self.error(key, f"expected a number above 0, found {number:g}")
        return number

    def year(self, key: str) -> int | None:
        value = self.get(key, (int,), "a year, such as 2003")
        if value is None:
            return None
        if not 1970 <= int(str(value)) <= 9998:
            raise self.error(key, f"expected a year from 1970 on, found {value}")
        return int(str(value))

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.get(key, (list,), 'a list of texts, such as ["a", "b"]')
        items = value if isinstance(value, list) else []
        if not all(isinstance(item, str) for item in items):
            raise self.error(key, 'expected a list of texts, such as ["a", "b"]')
        return tuple(items)

    def choice(self, key: str, allowed: Sequence[str]) -> str | None:
        value = self.string(key)
        if value is not None and value not in allowed:
            raise self.error(key, f"expected one of {', '.join(allowed)}, found {value!r}{_nearest(value, allowed)}")
        return value

    def timezone(self, key: str) -> str | None:
        value = self.string(key)
        if value is None:
            return None
        reason = _refused_zone(value)
        if reason is not None:
            raise self.error(key, f"{value!r} is no time zone{reason}; expected a name such as 'America/Toronto'")
        return value

    def instant(self, key: str) -> datetime | None:
        value = self.get(key, (datetime,), "a date and time, such as 2003-07-28T10:27:04-04:00")
        return value if isinstance(value, datetime) else None

    def table(self, key: str) -> "_Table":
        value = self.get(key, (dict,), f"a table, [{key}]")
        if self.where == TOP:
            where = f"[{key}]"
        else:
            where = f"{self.where[:-1]}.{_quoted(key)}]" if self.where.endswith("]") else f"{key!r} of {self.where}"
        return self.inner(value if isinstance(value, dict) else {}, where)

    def tables(self, key: str) -> Iterator["_Table"]:
        value = self.get(key, (list,), f"a list of tables, each headed [[{key}]]")
        for i, item in enumerate(value if isinstance(value, list) else [], 1):
            if not isinstance(item, dict):
                raise self.error(key, f"expected a list of tables, each headed [[{key}]]")
            yield self.inner(item, f"[[{key}]] number {i}")

    def inner(self, values: dict[str, object], where: str) -> "_Table":
        return _Table(values, where, self.text, self.source)

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self.values:
            if key not in self.known:
                hint = _nearest(key, self.known) or f"; known keys: {', '.join(self.known)}"
                raise UsageError(f"{self.source}{self._line(key)}: unknown key {key!r} in {self.where}{hint}")

    def error(self, key: str, message: str) -> UsageError:
        return UsageError(f"{self.source}{self._line(key)}: {key!r} in {self.where}: {message}")

    def _line(self, key: str) -> str:
        """The line of a key, where the text leaves no doubt about it; tomllib does not tell."""
        head = re.compile(rf"""^\s*(?:\[+\s*)?["']?{re.escape(key)}["']?\s*[=.\]]""")
        hits = [i for i, line in enumerate(self.text.split("\n"), 1) if head.search(line)]
        return f":{hits[0]}" if len(hits) == 1 else ""


def _manifest(document: _Table, name: str) -> Manifest:
    doubts: list[str] = []
    study = _study(document.table("study"))

    def moment(table: _Table, key: str) -> datetime | None:
        """An instant as naive UTC; one without an offset is the wall clock of the study's zone."""
        value = table.instant(key)
        if value is not None and value.tzinfo is None and study.timezone is None:
            doubts.append(
                f"{key} in {table.where} of {FILE_NAME} has no offset and the study no timezone: taken as UTC"
            )
        return None if value is None else _as_utc(value, study.timezone or "UTC")

    manifest = Manifest(
        name=name,
        study=study,
        configurations=_named(document.table("configuration"), _configuration),
        nodes=_named(document.table("node"), _node),
        resource_types=_resource_types(document.table("resource_type")),
        runs=tuple(_run(each, moment) for each in document.tables("run")),
        files=tuple(_file_override(each) for each in document.tables("files")),
        milestones=tuple(each.values for each in document.tables("milestone")),
        publication_tables=tuple(_publication(each) for each in document.tables("table")),
        publication_figures=tuple(_publication(each) for each in document.tables("figure")),
        claims=tuple(_claim(each) for each in document.tables("claim")),
        events=tuple(_event(each, moment) for each in document.tables("event")),
        sections=tuple(_section(each) for each in document.tables("section")),
        doubts=tuple(doubts),
    )
    document.done()
    return manifest


def _study(table: _Table) -> Study:
    day = table.get("date", (str, date), "text or a date, such as 2003-08-01")
    study = Study(
        title=table.string("title"),
        subtitle=table.string("subtitle"),
        organisation=table.string("organisation"),
        date=None if day is None else str(day),
        abstract=table.string("abstract"),
        authors=table.strings("authors"),
        reference=table.string("reference"),
        timezone=table.timezone("timezone"),
        year=table.year("year"),
        margin_pct=table.positive("margin_pct"),
    )
    table.done()
    return study


def _named(table: _Table, read: Callable[[str, _Table], T]) -> tuple[T, ...]:
    return tuple(read(key, table.table(key)) for key in table.values)


def _configuration(key: str, table: _Table) -> Configuration:
    factors = table.table("factors")
    for factor in factors.values:
        factors.get(factor, (str, int, float, bool), "text, a number, true or false")
    entry = Configuration(
        configuration=key.strip("/"),
        label=table.string("label"),
        reference=table.string("reference"),
        factors={name: value for name, value in factors.values.items() if isinstance(value, Scalar)},
    )
    table.done()
    return entry


def _node(key: str, table: _Table) -> Node:
    entry = Node(node=key, timezone=table.timezone("timezone"), clock_offset_s=table.number("clock_offset_s"))
    table.done()
    return entry


def _resource_types(table: _Table) -> tuple[tuple[str, str], ...]:
    return tuple((pattern, table.required(pattern)) for pattern in table.values)


Moment = Callable[[_Table, str], datetime | None]


def _run(table: _Table, moment: Moment) -> Run:
    entry = Run(
        configuration=table.string("configuration"),
        run=table.label("run"),
        fault_at=moment(table, "fault_at"),
        true_fault_at=moment(table, "true_fault_at"),
        exclude=table.string("exclude"),
    )
    table.done()
    return entry


def _file_override(table: _Table) -> FileOverride:
    match = table.required("match")
    if _leaves_the_study(match):
        raise table.error("match", f"{match!r} leaves the study; expected a path or glob inside it, such as 'a/*.txt'")
    entry = FileOverride(
        match=match.removeprefix("./"),
        format=table.string("format"),
        node=table.string("node"),
        configuration=table.string("configuration"),
        run=table.label("run"),
        encoding=table.string("encoding"),
        timezone=table.timezone("timezone"),
        year=table.year("year"),
        interval_s=table.positive("interval_s"),
        start=table.instant("start"),
        date_order=table.choice("date_order", DATE_ORDERS),
    )
    table.done()
    return entry


def _publication(table: _Table) -> Publication:
    words = {key: table.label(key) for key in ("label", "number", "note")}
    phases = table.strings("phases")
    entry = Publication(
        name=table.required("name"),
        kind=table.string("kind"),
        caption=table.string("caption"),
        sql=table.string("sql"),
        spanners=table.get("spanners", (dict, list), "a table of headings with their columns, or a list of such"),
        configurations=table.strings("configurations"),
        options=table.table("options").values
        | {key: word for key, word in words.items() if word is not None}
        | ({"phases": list(phases)} if phases else {}),
    )
    if entry.sql is None and entry.kind is None:
        raise UsageError(f"{table.source}: {table.where} needs a key 'sql' (its own statement) or 'kind' (a built-in)")
    table.done()
    return entry


def _claim(table: _Table) -> Claim:
    subjects = {key: table.string(key) for key in ("sql", "milestone", "measurement", "phase")}
    entry = Claim(
        text=table.string("text"),
        **subjects,
        statistic=table.string("statistic") or "mean",
        configuration=table.string("configuration"),
        reference=table.string("reference"),
        op=table.choice("op", OPERATORS),
        value=table.number("value"),
    )
    table.done()
    stated = [key for key, value in subjects.items() if value is not None]
    if len(stated) != 1:
        found = " and ".join(stated) or "none"
        raise UsageError(f"{table.source}: {table.where} needs exactly one of {', '.join(subjects)}; found {found}")
    if entry.sql is None and (entry.op is None or entry.value is None):
        raise UsageError(f"{table.source}: {table.where} needs keys 'op' and 'value' beside {stated[0]!r}")
    return entry


def _event(table: _Table, moment: Moment) -> Event:
    at = moment(table, "at")
    if at is None:
        raise UsageError(f"{table.source}: {table.where} needs a key 'at'")
    entry = Event(
        at=at, configuration=table.string("configuration"), run=table.label("run"), text=table.required("text")
    )
    table.done()
    return entry


def _section(table: _Table) -> Section:
    entry = Section(title=table.string("title"), place=table.string("place"), body=table.required("body"))
    table.done()
    return entry


# --- words and values ------------------------------------------------------------------------------------------------


def _decoded(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UsageError(f"{source}:{line}: not UTF-8; expected a TOML file in UTF-8") from error


def _nearest(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    return f"; the nearest known is {near[0]!r}" if near else ""


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    kinds = ((bool, "the truth value "), (str, "the text "), (int, "the number "), (float, "the number "))
    kind = next((word for each, word in kinds if isinstance(value, each)), "")
    if not kind and isinstance(value, datetime | date | time):
        kind = "the time "
    return kind + (repr(text) if isinstance(value, str) else text)[:60]


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)


def _refused_zone(zone: str) -> str | None:
    """None for a zone that Polars knows (it carries its own database: bare systems have none), else a hint or ''."""
    if not zone:  # to Polars: no zone at all
        return ""
    try:
        pl.Series([datetime(2000, 1, 1)]).dt.replace_time_zone(zone)  # noqa: DTZ001  a wall clock is meant
    except pl.exceptions.PolarsError as error:
        hint = re.search(r"did you mean ('[^']+')", str(error))
        return f" (did you mean {hint[1]}?)" if hint else ""
    return None


def _as_utc(value: datetime, zone: str) -> datetime:
    offset = value.utcoffset()
    if offset is not None:
        return value.replace(tzinfo=None) - offset
    result = pl.Series("wall", [value], dtype=pl.Datetime("us")).to_frame().select(utc(pl.col("wall"), zone)).item()
    return result if isinstance(result, datetime) else value


def _leaves_the_study(glob: str) -> bool:
    parts = re.split(r"[/\\]", glob)
    return glob.startswith(("/", "\\", "~")) or ".." in parts or re.match(r"[A-Za-z]:", glob) is not None


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", glob, re.DOTALL)
    shapes = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = [shapes.get(token) or (_characters(token) if len(token) > 1 else re.escape(token)) for token in tokens]
    return re.compile("".join(pieces), re.DOTALL)


def _characters(token: str) -> str:
    """A set such as `[!abc]` or `[0-9]` as a regular expression."""
    inside = token[1:-1]
    negated = "^" if inside.startswith("!") else ""
    members = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside.removeprefix("!"))
    try:
        re.compile(f"[{negated}{members}]")
    except re.error:
        return re.escape(token)
    return f"(?!/)[{negated}{members}]"


def _short(host: str) -> str:
    return host.lower().split(".", 1)[0]


# --- tables ----------------------------------------------------------------------------------------------------------

_TEXT, _WHEN, _POSITION, _REAL, _LIST = pl.String(), pl.Datetime("us"), pl.Int32(), pl.Float64(), pl.List(pl.String())
Schema = dict[str, pl.DataType]

SETTING: Schema = {
    "name": _TEXT,
    "title": _TEXT,
    "subtitle": _TEXT,
    "organisation": _TEXT,
    "date": _TEXT,
    "abstract": _TEXT,
    "authors": _LIST,
    "reference": _TEXT,
    "timezone": _TEXT,
    "year": pl.Int32(),
    "margin_pct": _REAL,
}
CONFIGURATION: Schema = {
    "position": _POSITION,
    "configuration": _TEXT,
    "label": _TEXT,
    "reference": _TEXT,
    "factors": _TEXT,
}
RUN: Schema = {"configuration": _TEXT, "run": _TEXT, "fault_at": _WHEN, "true_fault_at": _WHEN, "exclude": _TEXT}
NODE: Schema = {"node": _TEXT, "timezone": _TEXT, "clock_offset_s": _REAL}
RESOURCE_TYPE: Schema = {"position": _POSITION, "pattern": _TEXT, "resource_type": _TEXT}
EVENT: Schema = {"at": _WHEN, "configuration": _TEXT, "run": _TEXT, "text": _TEXT}
CLAIM: Schema = {
    "position": _POSITION,
    "text": _TEXT,
    "sql": _TEXT,
    "milestone": _TEXT,
    "measurement": _TEXT,
    "phase": _TEXT,
    "statistic": _TEXT,
    "configuration": _TEXT,
    "reference": _TEXT,
    "op": _TEXT,
    "value": _REAL,
}
PUBLICATION_FIGURE: Schema = {
    "position": _POSITION,
    "name": _TEXT,
    "kind": _TEXT,
    "caption": _TEXT,
    "sql": _TEXT,
    "configurations": _LIST,
    "options": _TEXT,
}
PUBLICATION_TABLE: Schema = {
    "position": _POSITION,
    "name": _TEXT,
    "kind": _TEXT,
    "caption": _TEXT,
    "sql": _TEXT,
    "spanners": _TEXT,
    "configurations": _LIST,
    "options": _TEXT,
}
SECTION: Schema = {"position": _POSITION, "title": _TEXT, "place": _TEXT, "body": _TEXT}


def _frame(schema: Schema, rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")


def _row(entry: Run | Node | Event | Claim | Section) -> tuple[object, ...]:
    return tuple(getattr(entry, each.name) for each in fields(entry))


def _cell(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _json(value: object) -> str | None:
    """JSON text with sorted keys; dates as ISO text."""
    return None if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
