"""One run as it happened: the interval of the fault, the steps, and every log line, in seconds after the fault."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from pipeline.errors import UsageError
from pipeline.severity import grade_of
from reports.figures.series.points import thinned
from reports.figures.series.series import SHOWN_BY_DEFAULT, Series, device_series, metric_series
from reports.metrics import name_of
from reports.study.named import configuration_named, run_named
from reports.study.store import Row, opened
from reports.study.view import StudyView, statement
from reports.words import in_words

NO_NODE: Final = "(no node)"

MOST_LINES: Final = 60_000
"""Log lines that a page carries; of more each run shows its share, those nearest to its fault."""

NAMED: Final = "($configuration is null or {0}.configuration = $configuration) and ($run is null or {0}.run = $run)"
LINES: Final = (
    "select e.configuration, e.run, e.at, e.node, e.source, e.severity, e.process, e.text, e.line_no, f.path "
    "from main.event e join main.source_file f using (file_id) "
    "left join main.run r on r.configuration = e.configuration and r.run = e.run "
    f"where {NAMED.format('e')} "
    "and e.configuration is not null and e.run is not null and e.at is not null{0} "
    "order by e.configuration, e.run, e.at, f.path, e.line_no, e.part"
)
NEAREST: Final = (
    " and r.fault_at is not null and e.at between r.fault_at - interval 10 minute and r.end_at "
    "qualify row_number() over (partition by e.configuration, e.run order by "
    "case when e.at < r.fault_at then 6 * epoch(r.fault_at - e.at) else epoch(e.at - r.fault_at) end, "
    "f.path, e.line_no, e.part) <= $most"
)
"""Where not all lines fit: ten minutes before a fault count as an hour after it, which says more of it."""

COUNTS: Final = (
    "select e.configuration, e.run, count(*) as lines from main.event e "
    f"where {NAMED.format('e')} and e.configuration is not null and e.run is not null and e.at is not null group by all"
)
STEPS: Final = (
    "select m.configuration, m.run, m.milestone, m.elapsed_s, m.elapsed_low_s, m.elapsed_high_s, m.line_no, f.path "
    "from main.milestone m left join main.source_file f using (file_id) "
    f"where {NAMED.format('m')} and m.elapsed_s is not null order by m.elapsed_s, m.milestone"
)
PHASES: Final = (
    "select *, if(p.begin = 'assumed', p.begin_milestone, null) as assumed_since from main.phase p "
    f"where {NAMED.format('p')} order by start_s, end_s, phase"
)
RUNS: Final = f"select * from main.run r where {NAMED.format('r')}"
OUTCOMES: Final = f"select configuration, run, outcome, reason from main.run_outcome o where {NAMED.format('o')}"
PROBE: Final = "probe"
MEASURED: Final = "measured"
BUSY: Final = "util_pct"
SECOND: Final = timedelta(seconds=1)
Key = tuple[str, str]


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


class LogLine(NamedTuple):
    """A log line. `at_s`: after t = 0; `grade`: grave, warning, measured or nothing; `place`: file and line."""

    at: datetime
    at_s: float
    node: str
    source: str
    severity: str
    grade: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A rate of work or the use of a disk in a run: pairs of seconds after t = 0 and a value in `unit`."""

    name: str
    unit: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class RunTimeline:
    """One run.

    `fault_s`: the interval that holds the fault, around t = 0. None where the run has none; its first line is t = 0.
    `measured`: lines of a client's measurement, which are no log lines and in no trace.
    `outcome`: the word of the relation run_outcome; empty where the run is no failover.
    """

    title: str
    configuration: str
    run: str
    zero: datetime
    fault_s: tuple[float, float] | None
    fault_source: str
    lost_node: str
    surviving_node: str
    outcome: str
    reason: str
    remarks: tuple[str, ...]
    phases: tuple[Span, ...]
    steps: tuple[Step, ...]
    lines: tuple[LogLine, ...]
    measured: tuple[LogLine, ...] = ()
    curves: tuple[Curve, ...] = ()

    @property
    def measured_lanes(self) -> list[tuple[str, str]]:
        """Nodes with the sources of what was measured, that no lane of log lines is of."""
        return sorted({(line.node, line.source) for line in self.measured} - set(self.lanes))

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
        key = configuration_named(study, configuration)
        name = run_named(study, key, run)
        found = _timelines(study, key, name, most=None)
    if not found:
        raise UsageError(f"{configuration}, {run}: no failover to show: none of its files has dated messages")
    return found[0]


def run_timelines(study: StudyView, most: int = MOST_LINES) -> list[RunTimeline]:
    """Every run of a study that has dated lines, in the order of the tables; together at most `most` lines."""
    if not all(map(study.store.has, ("main.event", "main.run", "main.milestone", "main.phase", "main.run_outcome"))):
        return []
    return _timelines(study, None, None, most=most)


def _timelines(study: StudyView, configuration: str | None, run: str | None, *, most: int | None) -> list[RunTimeline]:
    asked = {"configuration": configuration, "run": run}
    fits = most is None or study.totals["lines"] <= most  # all lines of its files: no need to count those of runs
    counts = {} if fits else {_key(row): row["lines"] for row in study.store.rows(COUNTS, **asked)}
    is_whole = fits or sum(counts.values()) <= (most or 0)
    limit = {} if is_whole else {"most": max(1, (most or 0) // len(counts))}
    lines = _alike(study.store.plain_rows(LINES.format("" if is_whole else NEAREST), **asked, **limit))
    facts = {_key(row): row for row in study.store.rows(RUNS, **asked)}
    outcomes = {_key(row): row for row in study.store.rows(OUTCOMES, **asked)}
    steps = _alike(study.store.plain_rows(STEPS, **asked))
    phases = _alike(study.store.plain_rows(PHASES, **asked))
    is_watched = all(map(study.store.has, ("main.client_outage", "main.client_question")))
    questions = _alike(study.store.plain_rows(statement("questions_around_outage"), **asked)) if is_watched else {}
    curves = _curves(study)
    place = {each.configuration: number for number, each in enumerate(study.configurations)}
    ordered = sorted(lines, key=lambda key: (place.get(key[0], len(place)), key))
    return [
        _timeline(
            study,
            key,
            lines[key],
            facts.get(key),
            outcomes.get(key),
            steps.get(key, ()),
            phases.get(key, ()),
            questions.get(key, ()),
            curves.get(key, ()),
            0 if is_whole else counts[key] - len(lines[key]),
        )
        for key in ordered
    ]


def _key(row: Row) -> Key:
    return row["configuration"], row["run"]


def _timeline(  # noqa: PLR0913, PLR0917  a row or rows of each relation that knows of runs
    study: StudyView,
    key: Key,
    lines: Sequence[Row],
    fact: Row | None,
    outcome: Row | None,
    steps: Sequence[Row],
    phases: Sequence[Row],
    questions: Sequence[Row],
    curves: Sequence[tuple[str, str, Sequence[Row]]],
    left_out: int,
) -> RunTimeline:
    configuration, run = key
    zero = fact["fault_at"] if fact is not None and fact["fault_at"] is not None else lines[0]["at"]
    return RunTimeline(
        title=f"{study.label(configuration)}, {run}",
        configuration=configuration,
        run=run,
        zero=zero,
        fault_s=_interval(fact, zero),
        fault_source=str(fact["fault_source"] or "") if fact is not None else "",
        lost_node=str(fact["lost_node"] or "") if fact is not None else "",
        surviving_node=str(fact["surviving_node"] or "") if fact is not None else "",
        outcome=str(outcome["outcome"]) if outcome is not None else "",
        reason=in_words(study, outcome["reason"] or "") if outcome is not None else "",
        remarks=tuple(_remarks(fact, left_out)),
        phases=tuple(Span(study.phase_label(row), row["start_s"], row["end_s"]) for row in phases),
        steps=tuple(
            Step(
                study.milestone_phrase(row["milestone"]),
                row["elapsed_s"],
                row["elapsed_low_s"],
                row["elapsed_high_s"],
                _place(row),
            )
            for row in steps
        ),
        lines=tuple(_line(row, zero) for row in lines),
        measured=tuple(_question(row, zero) for row in questions),
        curves=tuple(
            Curve(name, unit, tuple((_seconds(rows[0]["zero_at"], zero) + x, value) for x, value in thinned(rows)))
            for name, unit, rows in curves
        ),
    )


def _curves(study: StudyView) -> dict[Key, list[tuple[str, str, Sequence[Row]]]]:
    """Of each run the usual rates of work, and the use of its busiest disk: name, unit, rows in order of time."""
    found: dict[Key, list[tuple[str, str, Sequence[Row]]]] = {}
    for metric in SHOWN_BY_DEFAULT if study.store.has("main.measurement_series") else ():
        drawn = metric_series(study, metric)
        for (configuration, run, _), rows in _alike(_placed(drawn), "series_no").items():
            name = ", ".join(filter(None, (name_of(metric), rows[0]["line"])))
            found.setdefault((configuration, run), []).append((name, rows[0]["unit"], rows))
    disks = device_series(study, BUSY, ())
    busiest: dict[Key, list[Row]] = {}
    for (configuration, run, _, _), rows in _alike(_placed(disks), "node", "device").items():
        known = busiest.get((configuration, run), rows)
        busiest[configuration, run] = max(known, rows, key=lambda each: fmean(row["value"] for row in each))
    for key, rows in busiest.items():
        found.setdefault(key, []).append((f"{rows[0]['device']} of {rows[0]['node'] or NO_NODE} busy", "%", rows))
    return found


def _placed(series: Series | None) -> list[Row]:
    """The rows of a series that have a place among dated lines: neither a date nor a fault gives it to the others."""
    return [row for row in (series.rows if series else ()) if row["zero_at"] is not None]


def _alike(rows: Sequence[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """The rows of each run, and of each value of further columns, under configuration, run and these values."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault((*_key(row), *(row[name] for name in names)), []).append(row)
    return found


def _interval(fact: Row | None, zero: datetime) -> tuple[float, float] | None:
    if fact is None or fact["fault_at"] is None:
        return None
    low, high = fact["fault_at_low"] or zero, fact["fault_at_high"] or zero
    return _seconds(low, zero), _seconds(high, zero)


def _remarks(fact: Row | None, left_out: int) -> Iterator[str]:
    if left_out:
        yield f"{left_out:,} lines far from the fault are left out; the command haledger timeline shows them."
    if fact is None or fact["fault_at"] is None:
        yield "No fault was found in this run: times are counted from its first line."
    if fact is not None and not fact["used"]:
        yield f"Set aside: {fact['excluded_reason'] or 'see the finding'}."
    flags = [] if fact is None else str(fact["flags"] or "").split(", ")
    further = ", ".join(each.replace("_", " ") for each in flags if each != "no_incident")  # said above
    if further:
        yield f"Flags: {further}."


def _line(row: Row, zero: datetime) -> LogLine:
    severity = str(row["severity"] or "")
    return LogLine(
        at=row["at"],
        at_s=_seconds(row["at"], zero),
        node=str(row["node"] or NO_NODE),
        source=str(row["source"]),
        severity=severity,
        grade=grade_of(severity),
        text=f"{row['process']}: {row['text']}" if row["process"] else str(row["text"]),
        place=_place(row),
    )


def _question(row: Row, zero: datetime) -> LogLine:
    text = f"{row['target']}: {row['text']}" if row["target"] else str(row["text"])
    return LogLine(
        at=row["at"],
        at_s=_seconds(row["at"], zero),
        node=str(row["node"] or NO_NODE),
        source=PROBE,
        severity="",
        grade=MEASURED,
        text=text,
        place=_place(row),
    )


def _place(row: Row) -> str:
    return f"{row['path']}:{row['line_no']}" if row["path"] is not None and row["line_no"] is not None else ""


def _seconds(at: datetime, zero: datetime) -> float:
    return (at - zero) / SECOND
