"""One run as it happened: the interval of the fault, the steps, and every log line, in seconds after the fault."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from pipeline.errors import UsageError
from reports.study.store import Row, opened
from reports.study.view import StudyView

NO_NODE: Final = "(no node)"

SEVERITIES: Final = (
    ("grave", frozenset({"emerg", "alert", "crit", "critical", "fatal", "panic", "severe", "error", "err", "e", "f"})),
    ("warning", frozenset({"warning", "warn", "w"})),
)
"""Words of logs for what deserves a look, by how grave it is; any other word is plain."""

LINES = (
    "select e.at, e.node, e.source, e.severity, e.process, e.text, e.line_no, f.path "
    "from main.event e join main.source_file f using (file_id) "
    "where e.configuration = $configuration and e.run = $run order by e.at, f.path, e.line_no, e.part"
)
STEPS = (
    "select m.milestone, m.elapsed_s, m.elapsed_low_s, m.elapsed_high_s, m.line_no, f.path "
    "from main.milestone m left join main.source_file f using (file_id) "
    "where m.configuration = $configuration and m.run = $run order by m.elapsed_s, m.milestone"
)
PHASES = "select * from main.phase where configuration = $configuration and run = $run order by start_s, end_s, phase"


@dataclass(frozen=True, slots=True)
class Step:
    """A milestone, in seconds after t = 0 with its interval, and the line that shows it."""

    name: str
    at_s: float
    low_s: float
    high_s: float
    place: str


@dataclass(frozen=True, slots=True)
class Span:
    """A phase, in seconds after t = 0."""

    name: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class LogLine:
    """A log line. `at_s`: after t = 0; `grade`: grave, warning or nothing; `place`: file and line."""

    at: datetime
    at_s: float
    node: str
    source: str
    severity: str
    grade: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class RunTimeline:
    """One run.

    `fault_s`: the interval that holds the fault, around t = 0. None where the run has none; its first line is t = 0.
    """

    title: str
    configuration: str
    run: str
    zero: datetime
    fault_s: tuple[float, float] | None
    fault_source: str
    lost_node: str
    surviving_node: str
    remarks: tuple[str, ...]
    phases: tuple[Span, ...]
    steps: tuple[Step, ...]
    lines: tuple[LogLine, ...]

    @property
    def lanes(self) -> list[tuple[str, str]]:
        """Nodes with their sources: the lost node first, then the survivor, then the others."""
        first = [self.lost_node, self.surviving_node]
        found = {(line.node, line.source) for line in self.lines}
        return sorted(found, key=lambda lane: (first.index(lane[0]) if lane[0] in first else len(first), lane))


def run_timeline(store: Path, configuration: str, run: str) -> RunTimeline:
    """The timeline of a run, named by its configuration (name or label) and its name or number.

    Raises UsageError, with the names that there are, where no such run is in the store.
    """
    with opened(store) as connection:
        study = StudyView(connection)
        key, name = _named(study, configuration, run)
        asked = {"configuration": key, "run": name}
        facts = study.store.rows("select * from main.run where configuration = $configuration and run = $run", **asked)
        found = study.store.rows(LINES, **asked)
        if not found:
            raise UsageError(f"{configuration}, {run}: no line of this run has a time")
        fact = facts[0] if facts else None
        zero = fact["fault_at"] if fact is not None and fact["fault_at"] is not None else found[0]["at"]
        return RunTimeline(
            title=f"{study.label(key)}, {name}",
            configuration=key,
            run=name,
            zero=zero,
            fault_s=_interval(fact, zero),
            fault_source=str(fact["fault_source"] or "") if fact is not None else "",
            lost_node=str(fact["lost_node"] or "") if fact is not None else "",
            surviving_node=str(fact["surviving_node"] or "") if fact is not None else "",
            remarks=tuple(_remarks(fact)),
            phases=tuple(
                Span(study.phase(row["phase"]).label, row["start_s"], row["end_s"])
                for row in study.store.rows(PHASES, **asked)
            ),
            steps=tuple(
                Step(
                    study.milestone_phrase(row["milestone"]),
                    row["elapsed_s"],
                    row["elapsed_low_s"],
                    row["elapsed_high_s"],
                    _place(row),
                )
                for row in study.store.rows(STEPS, **asked)
                if row["elapsed_s"] is not None
            ),
            lines=tuple(_line(row, zero) for row in found),
        )


def _named(study: StudyView, configuration: str, run: str) -> tuple[str, str]:
    """The names of a configuration and of its run in the store."""
    rows = study.store.rows(
        "select distinct configuration, run, run_no from main.source_file where run is not null order by all"
    )
    keys = {row["configuration"] for row in rows if row["configuration"] is not None}
    labels = {study.label(each): each for each in sorted(keys)}
    key = configuration if configuration in keys else labels.get(configuration)
    if key is None:
        raise UsageError(f"{configuration}: no such configuration with runs{_choices(configuration, sorted(keys))}")
    names = [row["run"] for row in rows if row["configuration"] == key]
    numbered = {str(row["run_no"]): row["run"] for row in rows if row["configuration"] == key}
    name = run if run in names else numbered.get(run)
    if name is None:
        raise UsageError(f"{run}: no such run of {key}{_choices(run, names)}")
    return key, name


def _choices(wanted: str, names: Sequence[str]) -> str:
    near = get_close_matches(wanted, names, n=1)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; there are: {', '.join(names[:20])}{' ...' if len(names) > 20 else ''}" if names else ""


def _interval(fact: Row | None, zero: datetime) -> tuple[float, float] | None:
    if fact is None or fact["fault_at"] is None:
        return None
    low, high = fact["fault_at_low"] or zero, fact["fault_at_high"] or zero
    return _seconds(low, zero), _seconds(high, zero)


def _remarks(fact: Row | None) -> Iterator[str]:
    if fact is None or fact["fault_at"] is None:
        yield "No fault was found in this run: times are counted from its first line."
    if fact is not None and not fact["used"]:
        yield f"Set aside: {fact['excluded_reason'] or 'see the finding'}"
    if fact is not None and fact["flags"]:
        yield f"Flags: {fact['flags']}"


def _line(row: Row, zero: datetime) -> LogLine:
    severity = str(row["severity"] or "")
    return LogLine(
        at=row["at"],
        at_s=_seconds(row["at"], zero),
        node=str(row["node"] or NO_NODE),
        source=str(row["source"]),
        severity=severity,
        grade=next((grade for grade, words in SEVERITIES if severity.lower() in words), ""),
        text=f"{row['process']}: {row['text']}" if row["process"] else str(row["text"]),
        place=_place(row),
    )


def _place(row: Row) -> str:
    return f"{row['path']}:{row['line_no']}" if row["path"] is not None and row["line_no"] is not None else ""


def _seconds(at: datetime, zero: datetime) -> float:
    return (at - zero) / timedelta(seconds=1)
