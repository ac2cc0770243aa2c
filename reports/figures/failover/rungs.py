"""The rows of the ladder: runs of a configuration, and of each the steps to recovery end to end."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from reports.figures.marks import is_rare
from reports.study.store import Row
from reports.study.view import KIND_NOT_KNOWN, Configuration, StudyView, kind_phrase

TOGETHER_S = 0.05
"""Steps that begin so little before another ends follow it."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A row of the ladder: runs of a configuration, of one kind of fault where it had several.

    `stats`: of the time to recovery; None where no run came back. `censored`: runs that did not. `fault_error_s`: half
    the mean width of the intervals in which the faults of the runs lie, seconds. `modes`: two into which the runs
    divide; a mean of all would lie where no run does.
    """

    member: Configuration
    fault_kind: str
    stats: Row | None
    runs: tuple[Row, ...]
    censored: tuple[Row, ...]
    phases: tuple[Row, ...]
    fault_error_s: float = 0.0
    modes: Row | None = None

    @property
    def mean(self) -> Row | None:
        """Statistics of runs that have a mean."""
        return None if self.modes else self.stats

    def is_counted(self, study: StudyView) -> bool:
        """Whether statistics of the configuration are of its runs."""
        return self.fault_kind in {"", study.kind_of_fault(self.member.configuration)}

    @property
    def name(self) -> str:
        """What stands beside it."""
        return f"{self.member.label}, {kind_phrase(self.fault_kind)}" if self.fault_kind else self.member.label


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the way to recovery, seconds after the fault; `phase` None: no phase covers it."""

    phase: Row | None
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class RunRows:
    """Rows of a study by configuration."""

    kinds: Mapping[str, Sequence[Row]]
    runs: Mapping[str, Sequence[Row]]
    outcomes: Mapping[str, Sequence[Row]]
    milestones: Mapping[str, Sequence[Row]]
    phases: Mapping[str, Sequence[Row]]
    kind_phases: Mapping[str, Sequence[Row]]
    recovered_phases: Mapping[str, Sequence[Row]]

    @classmethod
    def of(cls, study: StudyView) -> "RunRows":
        """Those that rows of the ladder are made of."""
        return cls(
            _by_configuration(study.rows("fault_kinds")),
            _by_configuration(study.rows("runs")),
            _by_configuration(study.rows("outcomes")),
            _by_configuration(study.rows("run_milestones")),
            _by_configuration(study.phases),
            _by_configuration(study.kind_phases),
            _by_configuration(study.rows("recovered_phases")),
        )


def _by_configuration(rows: Sequence[Row]) -> Mapping[str, Sequence[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["configuration"]].append(row)
    return found


def rungs_of(study: StudyView, member: Configuration, rows: RunRows) -> Iterator[Rung]:
    """The rows of a configuration: one for each kind of fault, where it had several."""
    configuration = member.configuration
    end = study.end_milestone(configuration)
    kinds = rows.kinds[configuration]
    used = {row["run"]: row["fault_kind"] for row in rows.runs[configuration] if row["used"]}
    own = rows.outcomes[configuration]
    back = {row["run"] for row in own if row["outcome"] == "recovered"} & used.keys() if kinds else set()
    runs = [
        row for row in rows.milestones[configuration] if row["milestone"] == end and (row["used"] or row["run"] in back)
    ]
    censored = [
        row for row in own if row["is_counted"] and row["outcome"] != "recovered" and row["censored_s"] is not None
    ]
    widths = {
        row["run"]: row["fault_width_s"] or 0.0 for row in rows.runs[configuration] if row["fault_at"] is not None
    }

    def rung(kind: str, stats: Row | None, runs: Sequence[Row], censored: Sequence[Row], phases: Sequence[Row]) -> Rung:
        known = [widths[run] for run in {row["run"] for row in runs} if run in widths]
        error_s = fmean(known) / 2 if known else 0.0
        return Rung(member, kind, stats, tuple(runs), tuple(censored), tuple(phases), error_s)

    if not kinds:
        stats = study.milestone_stats.get((configuration, end)) if end else None
        if stats is not None or censored:
            phases = rows.recovered_phases[configuration] if censored else rows.phases[configuration]
            found = rung("", stats, runs, censored, phases)
            yield replace(found, modes=study.split_times.get((configuration, end or "")))
        return
    for row in kinds:
        kind = row["fault_kind"]
        own_runs, own_censored = (
            [each for each in found if (used.get(each["run"]) or KIND_NOT_KNOWN) == kind] for found in (runs, censored)
        )
        stats = row if row["mean_s"] is not None else None
        if stats is not None or own_censored:
            of_runs = rows.recovered_phases if own_censored else rows.kind_phases
            phases = [each for each in of_runs[configuration] if each["fault_kind"] == kind]
            yield rung(kind, stats, own_runs, own_censored, phases)


def in_order(rungs: Sequence[Rung]) -> list[Rung]:
    """What is compared together: what it is compared with first, then from the shortest to the longest."""
    families = list(dict.fromkeys(rung.member.reference for rung in rungs))
    shortest: dict[str, float] = {}
    for rung in rungs:
        mean_s = float("inf") if rung.stats is None else rung.stats["mean_s"]
        name = rung.member.configuration
        shortest[name] = min(mean_s, shortest.get(name, mean_s))

    def place(rung: Rung) -> tuple[int, bool, float]:
        member = rung.member
        return families.index(member.reference), not member.is_reference, shortest[member.configuration]

    return sorted(rungs, key=place)


def steps_to_recovery(rung: Rung) -> list[Step]:
    """The way to recovery from its end back: before each step the one that ended last until then."""
    if rung.mean is None:
        return []
    at_s = rung.mean["mean_s"]
    most = max((row["runs"] for row in rung.phases), default=0)
    left = [row for row in rung.phases if row["mean_duration_s"] > 0 and not is_rare(row, most)]
    found: list[Step] = []
    while at_s > TOGETHER_S:
        before = [row for row in left if _end(row) <= at_s + TOGETHER_S and row["mean_start_s"] < at_s]
        step = max(before, key=lambda row: (_end(row), row["mean_duration_s"]), default=None)
        end_s = min(_end(step), at_s) if step is not None else 0.0
        if at_s - end_s > TOGETHER_S:
            found.append(Step(None, end_s, at_s))
        else:
            end_s = at_s
        if step is None:
            break
        start_s = max(step["mean_start_s"], 0.0)
        found.append(Step(step, start_s, end_s))
        left.remove(step)
        at_s = start_s
    return found[::-1]


def _end(phase: Row) -> float:
    return float(phase["mean_start_s"] + phase["mean_duration_s"])
