"""The tables of study.toml: what each may declare, of which type, and what it means.

What `stored` describes is a column of schema `study` as well; `study_tables` makes the tables of it.
"""

import json
from typing import Annotated, Any, ClassVar, Final, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from parsers.format import Layout
from pipeline.study.manifest_mistakes import EntryError
from pipeline.study.manifest_values import (
    BuiltIn,
    Count,
    Day,
    Duration,
    Encoding,
    FormatName,
    Glob,
    Globs,
    Instant,
    Label,
    Line,
    MessageIds,
    Name,
    Number,
    Offset,
    Pattern,
    Phrase,
    PositiveNumber,
    PrintedNumber,
    Reason,
    Scalar,
    Spanners,
    Stamp,
    Texts,
    Year,
    Zone,
)
from pipeline.study.publication_options import (
    FIGURE_KINDS,
    OWN_FIGURE,
    OWN_TABLE,
    TABLE_KINDS,
    known_kind,
    refuse_misfit,
)

Origin = Literal["recorded", "simulated", "calibrated"]
"""How data came about: measured; made by a program; made by a program so that published numbers come out."""
AGREES: Final = "~"
"""How a number that a paper printed is compared: the interval holds it, as far as its digits tell."""

Operator = Literal["<", "<=", "=", "==", "!=", ">=", ">"]
PairStatistic = Literal["difference", "ratio", "reduction_pct", "improvement_pct"]
Statistic = Literal["mean", "median", "min", "max", "stddev", "cv_pct", "runs", PairStatistic, "share"]
Outcome = Literal[
    "recovered", "recovered_by_hand", "failed", "aborted", "log_ended", "not_followed", "planned", "unknown"
]
"""What may become of a run, as relation `run_outcome` says it."""
DateOrder = Literal["ymd", "mdy", "dmy"]
SectionPlace = Literal[
    "introduction", "environment", "method", "results", "doubts", "claims", "conclusion", "appendix", "provenance"
]
"""The sections of the report that prose may be in."""
Source = Literal["vcs", "syslog", "db2diag", "llt", "gab", "storage", "ha", "log"]
"""The logs that evidence of a milestone may be of."""

PAIR_STATISTICS = get_args(PairStatistic)
"""Statistics of a configuration and its reference."""
STATISTICS = get_args(Statistic)
SPREAD_OUT = ("median", "min", "max")
"""Statistics of single runs, which phases do not keep."""
OUTCOME_STATISTICS = ("share", "runs")
ORIGIN_OF_NOTE = f"a key 'origin' beside 'origin_note': one of {', '.join(get_args(Origin))}"

_CONFIGURATION = "folder group it is about"
_KIND = "built-in kind that it narrows; null: its own statement"
_ORIGIN = "how the data came about: recorded, simulated, calibrated (simulated so that published numbers come out)"
_BUILT_IN = "what of its numbers was put into the data, in words; yes or no without any; null: not declared"


def stored(comment: str, default: Any = None) -> Any:  # noqa: ANN401  as `Field` is declared
    """A key whose value is a column of the entry's table in the store."""
    return Field(default=default, description=comment)


class Entry(BaseModel):
    """A table of study.toml. Unknown keys are refused, and no value is turned into one of another type.

    What checks them is built when a first file is read: a study without a study.toml needs none of it.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    def row(self) -> dict[str, Any]:  # values of any column
        """The values of its columns."""
        declared = {name: getattr(self, name) for name, field in type(self).model_fields.items() if field.description}
        return {name: as_json(value) if isinstance(value, dict | list) else value for name, value in declared.items()}


def as_json(value: object) -> str:
    """JSON text with sorted keys; dates as ISO text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


class Study(Entry):
    """What holds for the whole study. `timezone` and `year` serve logs that carry none."""

    title: str | None = stored("title of the report")
    subtitle: str | None = stored("line below the title")
    organisation: str | None = stored("who did the study")
    date: Day | None = stored("date as it is printed")
    abstract: str | None = stored("abstract, Markdown")
    authors: Texts = stored("names, in order", ())
    reference: str | None = stored("configuration that others are compared with")
    timezone: Zone | None = stored("zone of logs without one, IANA name")
    year: Year | None = stored("year of stamps that have none")
    margin_pct: PositiveNumber | None = stored("differences up to this many percent count as none")
    recovered_pct: PositiveNumber | None = stored(
        "a rate is back when it reaches this many percent of what it was before; null: 90"
    )
    follow: Duration | None = stored("how long steps are followed after a loss, seconds; null: 24 h")
    service_groups: Texts = stored(
        "service groups of VCS that failovers are measured by; empty: see service_window", ()
    )
    origin: Origin | None = stored(f"{_ORIGIN}; null: not declared")
    origin_note: Line = stored("what was simulated, and after what")
    paired: bool | None = stored(
        "runs of the same number are pairs in comparisons, or not; null: where their times prove it"
    )

    @model_validator(mode="after")
    def _note_has_an_origin(self) -> Self:
        if self.origin_note and not self.origin:
            raise EntryError(ORIGIN_OF_NOTE)
        return self


class Configuration(Entry):
    """A configuration as the study describes it.

    `origin` is given where it differs from the study's; a note alone adds to that of the study.
    """

    label: str | None = stored("name in print")
    reference: str | None = stored("its own reference")
    factors: dict[str, Scalar] = stored("what distinguishes it, JSON object", {})
    origin: Origin | None = stored(f"{_ORIGIN}; null: as the study's")
    origin_note: Line = stored("what was simulated in it, and after what")
    paired: bool | None = stored(
        "its runs and its reference's of the same number are pairs, or not; null: as the study says"
    )


class Node(Entry):
    """A host. `clock_offset_s` is how far its clock is ahead of true time: it is subtracted from its stamps.

    `folders`: folders that hold its files, as globs of paths, or of their own names in any place.
    """

    timezone: Zone | None = stored("zone of its wall clock, IANA name")
    clock_offset_s: Offset | None = stored("how much its clock is ahead, seconds")
    folders: Globs = ()


class Run(Entry):
    """What a person knows about a run."""

    configuration: str | None = stored("folder group; null: not named, in a study of several")
    run: Label | None = stored("run as its folder is named")
    fault_at: Instant | None = stored("declared time of the fault, used as t = 0")
    true_fault_at: Instant | None = stored("known time of the fault, only compared with the inferred one")
    exclude: Reason | None = stored("why the run is left out of statistics; null: it is not")
    fault: Reason | None = stored("kind of fault, in words of one's own: power off; null: as the logs show it")


class FileOverride(Entry):
    """What the study declares for the files of one glob. A `start` without an offset is the file's wall clock."""

    match: Glob
    format: str | None = None
    node: str | None = None
    configuration: str | None = None
    run: Label | None = None
    encoding: Encoding | None = None
    timezone: Zone | None = None
    year: Year | None = None
    interval_s: PositiveNumber | None = None
    start: Instant | None = None
    date_order: DateOrder | None = None


class DeclaredFile(FileOverride):
    """What the study declares for a file, with the layout of a format of the study's own."""

    layout: Layout | None = None


def layout_of(declared: FileOverride) -> Layout | None:
    """The layout that the study declares for a file, if it has a format of the study's own."""
    return declared.layout if isinstance(declared, DeclaredFile) else None


class LogFormat(Entry):
    """A dated log of one's own: its files, the first line of a record, its stamp, its host and severity."""

    name: FormatName
    match: Glob
    begins: Pattern | None = None
    stamp: Stamp | None = None
    host: Pattern | None = None
    severity: Pattern | None = None

    @property
    def layout(self) -> Layout:
        """The same for the parser."""
        return Layout(self.name, self.begins, self.stamp, self.host, self.severity)

    @model_validator(mode="after")
    def _has_a_beginning(self) -> Self:
        if self.begins is None and self.stamp is None:
            raise EntryError("a key 'begins' or 'stamp': how the first line of a record is known")
        return self


class Milestone(Entry):
    """A further milestone, shown by the lines that have one of the message ids or hold the text."""

    name: Name
    label: str | None = None
    group: str | None = None
    phrase: Phrase | None = None
    source: Source | None = None
    message_id: MessageIds = ()
    text: Pattern | None = None
    pick: Literal["first", "last"] = "first"
    after: str = "fault"
    before: str = "end"
    ends_recovery: bool | None = None

    @model_validator(mode="after")
    def _has_evidence(self) -> Self:
        if not self.message_id and not self.text:
            raise EntryError("a key 'message_id' or 'text' (a regular expression): which line shows it")
        return self


class Publication(Entry):
    """A further table or figure: its own statement, or a built-in kind narrowed to some configurations."""

    name: str = stored("name, also that of its files", ...)
    kind: str | None = stored(_KIND)
    caption: str | None = stored("text above or below it")
    sql: str | None = stored("statement that gives its rows; null: those of the kind")
    spanners: Spanners = stored("headings above several columns, JSON")
    configurations: Texts = stored("configurations that it shows; empty: all", ())
    options: dict[str, Any] = stored("what the kind accepts, JSON", {})
    built_in: BuiltIn | None = stored(_BUILT_IN)
    label: Label | None = None
    number: Label | None = None
    paper: Label | None = None
    note: Label | None = None
    phases: Texts = ()

    beside: ClassVar[tuple[str, ...]] = ("label", "number", "paper", "note", "phases")
    """Keys that are options too."""

    @model_validator(mode="after")
    def _has_rows(self) -> Self:
        if self.sql is None and self.kind is None:
            raise EntryError("a key 'sql' (its own statement) or 'kind' (a built-in)")
        self.refuse_misfit()
        return self

    def refuse_misfit(self) -> None:
        """Refuse what a table or figure of its kind does not have."""
        raise NotImplementedError

    def row(self) -> dict[str, Any]:
        """The values of its columns; keys that are none are options too."""
        return super().row() | {"options": as_json(self.all_options())}

    def all_options(self) -> dict[str, Any]:
        """What the kind accepts, from `options` and from the keys beside it."""
        beside = {key: getattr(self, key) for key in self.beside}
        return self.options | {key: value for key, value in beside.items() if value is not None and value != ()}


class OwnTable(Publication):
    """A `[[table]]`. A statement comes before a kind."""

    kind: Annotated[str, AfterValidator(lambda name: known_kind(name, TABLE_KINDS))] | None = stored(_KIND)
    replaces: Label | None = None
    heads: dict[str, str] | None = None

    beside: ClassVar[tuple[str, ...]] = (*Publication.beside, "replaces", "heads")

    def refuse_misfit(self) -> None:
        """Refuse what a table of its kind does not have."""
        kind = TABLE_KINDS[self.kind] if self.kind else OWN_TABLE
        if self.phases:
            raise EntryError("belongs to a [[figure]] of kind 'timeline'", "phases")
        refuse_misfit(kind if self.sql is None else OWN_TABLE, self.kind, self.sql, self.all_options())


class OwnFigure(Publication):
    """A `[[figure]]`. A statement comes before a kind that draws none."""

    kind: Annotated[str, AfterValidator(lambda name: known_kind(name, FIGURE_KINDS))] | None = stored(_KIND)

    def refuse_misfit(self) -> None:
        """Refuse what a figure of its kind does not have."""
        kind = FIGURE_KINDS[self.kind] if self.kind else OWN_FIGURE
        refuse_misfit(kind, self.kind, self.sql, self.all_options())


class Claim(Entry):
    """A sentence and the condition under which it is true: a statement, or one statistic against a number.

    `label` and `clients` distinguish measurements of one name. Of `outcome`, the statistic is the share of runs, with
    Wilson's interval, or their number.
    """

    text: str | None = stored("the sentence")
    sql: str | None = stored("statement that must be true in every row; null: the condition is in the other columns")
    milestone: str | None = stored("milestone it is about")
    measurement: str | None = stored("metric it is about")
    phase: str | None = stored("phase it is about")
    statistic: Statistic = stored("which number of it: mean, cv_pct, ratio, reduction_pct, ...", "mean")
    configuration: str | None = stored(_CONFIGURATION)
    reference: str | None = stored("configuration that it is compared with")
    op: Operator | None = stored("comparison")
    value: Number | None = stored("number that the statistic is compared with, in its unit")
    label: str | None = stored("which of several measurements of one name")
    clients: Count | None = stored("which load, clients")
    margin: PositiveNumber | None = stored("what still counts as equal, in the unit of the value")
    margin_pct: PositiveNumber | None = stored("what still counts as equal, percent of the value")
    unit: str | None = stored("unit of the values of a statement; null: a pure number, or that of what was measured")
    outcome: Outcome | None = stored("what became of runs, of which it is the share or the number")
    built_in: BuiltIn | None = stored(_BUILT_IN)
    paper: Label | None = stored("number of the table or figure of a paper that printed the value")
    published: dict[str, PrintedNumber | dict[str, PrintedNumber]] | None = stored(
        "the value as a paper printed it; null: it is no such value"
    )

    def rows(self) -> list[dict[str, Any]]:
        """The claim; or one for each number that a paper printed, with half of its last digit as margin."""
        if self.published is None:
            return [self.row()]
        cells = [
            (configuration, milestone, printed)
            for configuration, found in self.published.items()
            for milestone, printed in (found if isinstance(found, dict) else {self.milestone: found}).items()
        ]
        return [
            self.row()
            | {"configuration": configuration, "milestone": milestone, "published": printed, "op": AGREES}
            | {"value": float(printed), "margin": 0.5 * 10.0 ** -len(printed.partition(".")[2])}
            for configuration, milestone, printed in cells
        ]

    @property
    def steps_published(self) -> frozenset[str]:
        """The milestones that `published` names."""
        rows = self.published.values() if self.published else ()
        return frozenset(name for each in rows if isinstance(each, dict) for name in each)

    @model_validator(mode="before")
    @classmethod
    def _share_of_outcomes(cls, declared: Any) -> Any:  # noqa: ANN401  what the file has in its place
        """The statistic of outcomes that is meant where none is declared."""
        return {"statistic": "share"} | declared if isinstance(declared, dict) and "outcome" in declared else declared

    @model_validator(mode="after")
    def _is_published_or_claimed(self) -> Self:
        if self.published is not None and (self.op, self.value, self.configuration, self.sql) != (None,) * 4:
            raise EntryError("stands in place of 'sql', 'op', 'value' and 'configuration'", "published")
        if self.paper is not None and self.published is None:
            raise EntryError("belongs beside 'published'", "paper")
        return self

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        subjects = ("sql", "milestone", "measurement", "phase", "outcome")
        found = [key for key in subjects if getattr(self, key) is not None]
        if self.steps_published and not found:
            return self
        if len(found) != 1:
            raise EntryError(f"exactly one of {', '.join(subjects)}; found {' and '.join(found) or 'none'}")
        if self.outcome is not None and self.statistic not in OUTCOME_STATISTICS:
            raise EntryError(f"what became of runs has {' and '.join(OUTCOME_STATISTICS)}", "statistic")
        if self.statistic == "share" and self.outcome is None:
            raise EntryError("a share is one of 'outcome'", "statistic")
        conditions = [each for each in (self.op, self.value) if each is not None]
        if len(conditions) == 1 or (not conditions and self.sql is None and self.published is None):
            raise EntryError(f"keys 'op' and 'value' beside {found[0]!r}")
        if self.phase is not None and self.statistic in SPREAD_OUT:
            raise EntryError("a phase has mean, stddev, cv_pct, runs and comparisons with a reference", "statistic")
        if self.statistic in PAIR_STATISTICS and self.configuration and self.configuration == self.reference:
            raise EntryError(f"{self.configuration!r} is compared with itself; name another", "reference")
        if self.margin is not None and self.margin_pct is not None:
            raise EntryError("one of 'margin' and 'margin_pct'; found both")
        if self.unit is not None and (self.sql is None or self.value is None):
            raise EntryError("keys 'sql' and 'value' beside 'unit': other claims have the unit of what was measured")
        return self


class Event(Entry):
    """Something a person noted."""

    at: Instant = stored("its time, UTC", ...)
    configuration: str | None = stored(_CONFIGURATION)
    run: Label | None = stored("run it is about")
    text: str = stored("what happened", ...)


class Section(Entry):
    """Prose in Markdown. `place` names the section of the report it follows."""

    title: str | None = stored("heading")
    place: SectionPlace | None = stored("where in the report it is")
    body: str = stored("text, Markdown; what is in double braces is computed", ...)
