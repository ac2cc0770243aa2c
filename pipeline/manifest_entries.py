"""The entries of study.toml: what each may state, and how its table is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from pipeline.globs import leaves_the_study
from pipeline.manifest_keys import Keys

OPERATORS = ("<", "<=", "=", "==", "!=", ">=", ">")
PAIR_STATISTICS = ("difference", "ratio", "reduction_pct", "improvement_pct")
"""Statistics of a configuration and its reference."""
STATISTICS = ("mean", "median", "min", "max", "stddev", "cv_pct", "runs", *PAIR_STATISTICS, "share")
OUTCOMES = ("recovered", "recovered_by_hand", "failed", "aborted", "log_ended", "planned", "unknown")
"""What may become of a run, as relation `run_outcome` says it."""
OUTCOME_STATISTICS = ("share", "runs")
DATE_ORDERS = ("ymd", "mdy", "dmy")
ORIGINS = ("recorded", "simulated", "calibrated")
"""How data came about: measured; made by a program; made by a program so that published numbers come out."""
BUILT_IN, NOT_BUILT_IN = "yes", "no"
"""What a table of the manifest holds for `built_in = true` and `built_in = false`."""

Scalar = str | int | float | bool
Moment = Callable[[Keys, str], datetime | None]
"""Reads an instant as naive UTC."""


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
    recovered_pct: float | None = None
    origin: str | None = None
    origin_note: str | None = None
    paired: bool | None = None

    @classmethod
    def read(cls, keys: Keys) -> Self:
        """Read `[study]`."""
        day = keys.get("date", (str, date), "text or a date, such as 2003-08-01")
        study = cls(
            title=keys.string("title"),
            subtitle=keys.string("subtitle"),
            organisation=keys.string("organisation"),
            date=None if day is None else str(day),
            abstract=keys.string("abstract"),
            authors=keys.strings("authors"),
            reference=keys.string("reference"),
            timezone=keys.timezone("timezone"),
            year=keys.year("year"),
            margin_pct=keys.positive("margin_pct"),
            recovered_pct=keys.positive("recovered_pct"),
            origin=keys.choice("origin", ORIGINS),
            origin_note=_one_line(keys.string("origin_note")),
            paired=keys.truth("paired"),
        )
        keys.done()
        if study.origin_note and not study.origin:
            raise keys.lacking(f"a key 'origin' beside 'origin_note': one of {', '.join(ORIGINS)}")
        return study


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration as the study describes it; the order of appearance is the order in tables.

    `origin` is said where it differs from the study's; a note alone adds to what the study says.
    """

    configuration: str
    label: str | None
    reference: str | None
    factors: Mapping[str, Scalar]
    origin: str | None = None
    origin_note: str | None = None
    paired: bool | None = None

    @classmethod
    def read(cls, key: str, keys: Keys, study_origin: str | None = None) -> Self:
        """Read `[configuration.KEY]`; `study_origin` is what the study says of all its data."""
        factors = keys.table("factors")
        for factor in factors.values:
            factors.get(factor, (str, int, float, bool), "text, a number, true or false")
        entry = cls(
            configuration=key.strip("/"),
            label=keys.string("label"),
            reference=keys.string("reference"),
            factors={name: value for name, value in factors.values.items() if isinstance(value, Scalar)},
            origin=keys.choice("origin", ORIGINS),
            origin_note=_one_line(keys.string("origin_note")),
            paired=keys.truth("paired"),
        )
        keys.done()
        if entry.origin_note and not (entry.origin or study_origin):
            raise keys.lacking(f"a key 'origin' beside 'origin_note': one of {', '.join(ORIGINS)}")
        return entry


@dataclass(frozen=True, slots=True)
class Node:
    """A host. `clock_offset_s` is how far its clock is ahead of true time: it is subtracted from its stamps."""

    node: str
    timezone: str | None
    clock_offset_s: float | None

    @classmethod
    def read(cls, key: str, keys: Keys) -> Self:
        """Read `[node.KEY]`."""
        entry = cls(node=key, timezone=keys.timezone("timezone"), clock_offset_s=keys.number("clock_offset_s"))
        keys.done()
        return entry


@dataclass(frozen=True, slots=True)
class Run:
    """A person's statement about a run. `run` is the text or number as written; times are naive UTC."""

    configuration: str | None
    run: str | None
    fault_at: datetime | None
    true_fault_at: datetime | None
    exclude: str | None

    @classmethod
    def read(cls, keys: Keys, moment: Moment) -> Self:
        """Read one `[[run]]`."""
        entry = cls(
            configuration=keys.string("configuration"),
            run=keys.label("run"),
            fault_at=moment(keys, "fault_at"),
            true_fault_at=moment(keys, "true_fault_at"),
            exclude=keys.string("exclude"),
        )
        keys.done()
        return entry


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

    @classmethod
    def read(cls, keys: Keys) -> Self:
        """Read one `[[files]]`."""
        match = keys.required("match")
        if leaves_the_study(match):
            raise keys.error(
                "match", f"{match!r} leaves the study; expected a path or glob inside it, such as 'a/*.txt'"
            )
        entry = cls(
            match=match.removeprefix("./"),
            format=keys.string("format"),
            node=keys.string("node"),
            configuration=keys.string("configuration"),
            run=keys.label("run"),
            encoding=keys.string("encoding"),
            timezone=keys.timezone("timezone"),
            year=keys.year("year"),
            interval_s=keys.positive("interval_s"),
            start=keys.instant("start"),
            date_order=keys.choice("date_order", DATE_ORDERS),
        )
        keys.done()
        return entry


@dataclass(frozen=True, slots=True)
class Publication:
    """A further table or figure: its own statement, or a built-in kind narrowed to some configurations.

    `built_in`: what of its numbers was put into the data, as words; `yes` or `no` without any; None: not said.
    """

    name: str
    kind: str | None
    caption: str | None
    sql: str | None
    spanners: object
    configurations: tuple[str, ...]
    options: Mapping[str, object]
    built_in: str | None = None

    @classmethod
    def read(cls, keys: Keys) -> Self:
        """Read one `[[table]]` or `[[figure]]`."""
        words = {key: keys.label(key) for key in ("label", "number", "note")}
        phases = keys.strings("phases")
        entry = cls(
            name=keys.required("name"),
            kind=keys.string("kind"),
            caption=keys.string("caption"),
            sql=keys.string("sql"),
            spanners=keys.get("spanners", (dict, list), "a table of headings with their columns, or a list of such"),
            configurations=keys.strings("configurations"),
            options=keys.table("options").values
            | {key: word for key, word in words.items() if word is not None}
            | ({"phases": list(phases)} if phases else {}),
            built_in=_built_in(keys),
        )
        if entry.sql is None and entry.kind is None:
            raise keys.lacking("a key 'sql' (its own statement) or 'kind' (a built-in)")
        keys.done()
        return entry


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the condition under which it is true: a statement, or one statistic against a number.

    `label` and `clients` tell measurements of one name apart. `margin` (in the unit of `value`) or `margin_pct` (in
    percent of it) says what still counts as equal. `unit` is that of the values of a statement. `outcome`: what became
    of runs; its statistic is the share of them, with Wilson's interval, or their number. `built_in` is that of
    `Publication`.
    """

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
    label: str | None
    clients: int | None
    margin: float | None
    margin_pct: float | None
    unit: str | None
    outcome: str | None = None
    built_in: str | None = None

    @classmethod
    def read(cls, keys: Keys) -> Self:
        """Read one `[[claim]]`."""
        subjects = {key: keys.string(key) for key in ("sql", "milestone", "measurement", "phase")}
        subjects["outcome"] = keys.choice("outcome", OUTCOMES)
        clients = keys.positive("clients")
        entry = cls(
            text=keys.string("text"),
            **subjects,
            statistic=keys.choice("statistic", STATISTICS) or ("share" if subjects["outcome"] else "mean"),
            configuration=keys.string("configuration"),
            reference=keys.string("reference"),
            op=keys.choice("op", OPERATORS),
            value=keys.number("value"),
            label=keys.string("label"),
            clients=None if clients is None else int(clients),
            margin=keys.positive("margin"),
            margin_pct=keys.positive("margin_pct"),
            unit=keys.string("unit"),
            built_in=_built_in(keys),
        )
        keys.done()
        stated = [key for key, value in subjects.items() if value is not None]
        if len(stated) != 1:
            found = " and ".join(stated) or "none"
            raise keys.lacking(f"exactly one of {', '.join(subjects)}; found {found}")
        if entry.outcome is not None and entry.statistic not in OUTCOME_STATISTICS:
            raise keys.error("statistic", f"what became of runs has {' and '.join(OUTCOME_STATISTICS)}")
        if entry.statistic == "share" and entry.outcome is None:
            raise keys.error("statistic", "a share is one of 'outcome'")
        conditions = [each for each in (entry.op, entry.value) if each is not None]
        if len(conditions) == 1 or (not conditions and entry.sql is None):
            raise keys.lacking(f"keys 'op' and 'value' beside {stated[0]!r}")
        if entry.margin is not None and entry.margin_pct is not None:
            raise keys.lacking("one of 'margin' and 'margin_pct'; found both")
        if entry.unit is not None and (entry.sql is None or entry.value is None):
            raise keys.lacking("keys 'sql' and 'value' beside 'unit': other claims have the unit of what was measured")
        return entry


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person noted; `at` is naive UTC."""

    at: datetime
    configuration: str | None
    run: str | None
    text: str

    @classmethod
    def read(cls, keys: Keys, moment: Moment) -> Self:
        """Read one `[[event]]`."""
        at = moment(keys, "at")
        if at is None:
            raise keys.lacking("a key 'at'")
        entry = cls(
            at=at, configuration=keys.string("configuration"), run=keys.label("run"), text=keys.required("text")
        )
        keys.done()
        return entry


@dataclass(frozen=True, slots=True)
class Section:
    """Prose in Markdown. `place` names the section of the report it follows."""

    title: str | None
    place: str | None
    body: str

    @classmethod
    def read(cls, keys: Keys) -> Self:
        """Read one `[[section]]`."""
        entry = cls(title=keys.string("title"), place=keys.string("place"), body=keys.required("body"))
        keys.done()
        return entry


def _built_in(keys: Keys) -> str | None:
    """What was built in, in words; `yes` or `no` where the file says true or false."""
    value = keys.get("built_in", (str, bool), "true, false, or text in quotes that says what was built in")
    if isinstance(value, bool):
        return BUILT_IN if value else NOT_BUILT_IN
    text = None if value is None else " ".join(str(value).split())
    if text == "":
        raise keys.error("built_in", "expected true, false, or what was built in, found an empty text")
    return text


def _one_line(text: str | None) -> str | None:
    """Text on one line, whatever lines the file has it on; None where it holds nothing."""
    return " ".join(text.split()) or None if text else None
