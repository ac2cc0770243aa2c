"""Tables of the steps of a failover: mean and spread, and every run."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reports import numbers, recoveries
from reports.naming import Naming
from reports.recoveries import run_range
from reports.study.result_rows import origins_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView, milestone_groups, statement
from reports.tables.catalogue import table
from reports.tables.model import Cell, Column, Table, figures, rows_of, words
from reports.words import OUTCOME_WORDS
from reports.zero import zero_of

SHOWN_RESOLUTION_S = 0.1  # finer stamps are beyond the decimals that are printed
COMPLETE_NOTE = "Seconds after {} at which a step is complete"
NONE_NOTE = "; a dash: no such value"


@table(section="results", topic="failover", after="changes-all")
def milestones(study: StudyView) -> list[Table]:
    """Mean and spread of every milestone, a table for each set; beside all runs where the study replaces it."""
    groups = milestone_groups(study)
    found = [
        milestone_table(study, members, Naming(_numbered("milestones", place, groups)))
        for place, (_, members) in enumerate(groups, 1)
    ]
    return [replace(each, section="runs") for each in found] if "milestones" in study.replaced_tables else found


def milestone_table(
    study: StudyView,
    members: Sequence[Configuration],
    naming: Naming,
    *,
    decimals: int | None = None,
    has_spread: bool = True,
) -> Table:
    """Milestones of some configurations under grouped headings; single runs have no spread."""
    keys = {member.configuration for member in members}
    has_means = any(row["runs"] > 1 for (key, _), row in study.milestone_stats.items() if key in keys)
    has_spread &= has_means
    spread = " ± sample standard deviation" if has_spread else ""
    names = _shown_milestones(study, members)
    columns = [words("Configuration", "configuration"), figures("Runs", "runs")]
    for each in names:
        milestone = study.milestones[each]
        columns.append(
            Column(milestone.label, (f"{each}_mean_s", f"{each}_stddev_s"), unit="s", spanner=milestone.spanner)
        )
    rows = [
        [
            Cell(member.label, (member.configuration,)),
            _runs_cell(study, member, names),
            *(_milestone_cell(study, member, each, decimals, has_spread=has_spread) for each in names),
        ]
        for member in members
    ]
    zero = zero_of(study, [each.configuration for each in members])
    none = NONE_NOTE if any(cell.text == numbers.DASH for row in rows for cell in row) else ""
    return Table(
        name=naming.name,
        caption=naming.caption or _milestone_caption(study, members),
        columns=tuple(columns),
        rows=rows_of(rows),
        notes=(
            f"{COMPLETE_NOTE.format(zero)}{f': mean over the runs{spread}' if has_means else ''}{none}.",
            *_precision_note(study, members, has_means=has_means),
            *recoveries.note(study, (member.configuration for member in members)),
            *_fewer_runs_note(study, members, names),
            *_modes_note(study, members),
        ),
        source="Source: relation milestone_stats.",
        sql=_with_configurations(statement("milestones"), members),
        label=naming.label,
    )


@table(section="runs", after="fault-time-errors")
def run_milestones(study: StudyView) -> list[Table]:
    """Every milestone of every run, a table for each set of milestones."""
    values = {(row["configuration"], row["run"], row["milestone"]): row for row in study.rows("run_milestones")}
    groups = milestone_groups(study)
    tables = []
    for place, (names, members) in enumerate(groups, 1):
        keys = {each.configuration for each in members}
        columns = [words("Configuration", "configuration"), words("Run", "run", is_code=True)]
        columns += [
            Column(study.milestones[each].label, (f"{each}_s",), unit="s", spanner=study.milestones[each].spanner)
            for each in names
        ]
        rows = [
            [
                Cell(study.label(run["configuration"]), (run["configuration"],)),
                Cell(run["run"] + _not_counted(study, run), (run["run"],)),
                *(_elapsed(values.get((run["configuration"], run["run"], each))) for each in names),
            ]
            for run in study.failover_runs
            if run["configuration"] in keys
        ]
        tables.append(
            Table(
                name=_numbered("run-milestones", place, groups),
                caption="Milestones of every run" + _of_group(groups, members),
                columns=tuple(columns),
                rows=rows_of(rows),
                notes=(f"Seconds after {zero_of(study, keys)}; a dash: no line shows the step.",),
                source="Source: relation milestone, which names file and line of every value.",
                sql=_with_configurations(statement("run_milestones"), members),
                row_heads=2,
                is_grouped=True,
            )
        )
    return tables


def _shown_milestones(study: StudyView, members: Sequence[Configuration]) -> list[str]:
    return [
        name
        for name in study.milestones
        if any((member.configuration, name) in study.milestone_stats for member in members)
    ]


def _runs_cell(study: StudyView, member: Configuration, names: Sequence[str]) -> Cell:
    found = [
        study.milestone_stats[key] for each in names if (key := (member.configuration, each)) in study.milestone_stats
    ]
    most = max((row["runs"] for row in found), default=None)
    return Cell(run_range(found), (most,), tuple(origin for row in found for origin in origins_of(row, "runs")))


def _fewer_runs_note(study: StudyView, members: Sequence[Configuration], names: Sequence[str]) -> Iterator[str]:
    """Which means rest on fewer runs than others of their row."""
    for member in members:
        counts = {
            each: study.milestone_stats[key]["runs"]
            for each in names
            if (key := (member.configuration, each)) in study.milestone_stats
        }
        fewer = sorted({count for count in counts.values() if count < max(counts.values())})
        if fewer:
            texts = (
                f"{', '.join(study.milestones[each].label for each in names if counts.get(each) == count)} "
                f"in {numbers.count(count)}"
                for count in fewer
            )
            yield f"{member.label}: not all of its runs show every step: {'; '.join(texts)}."


def _modes_note(study: StudyView, members: Sequence[Configuration]) -> tuple[str, ...]:
    """What two numbers in a cell are."""
    keys = {member.configuration for member in members}
    is_any = any(configuration in keys for configuration, _ in study.split_times)
    return ("a | b: the runs divide into two modes, most of them at a; they have no common mean.",) if is_any else ()


def _milestone_cell(
    study: StudyView, member: Configuration, milestone: str, decimals: int | None, *, has_spread: bool
) -> Cell:
    row = study.milestone_stats.get((member.configuration, milestone))
    if row is None:
        return Cell(numbers.DASH, (None, None))
    mean, stddev = row["mean_s"], row["stddev_s"]
    if split := study.split_times.get((member.configuration, milestone)):
        modes = ("majority_mean", "minority_mean")
        return Cell(
            " | ".join(numbers.fixed(split[each], 1) for each in modes), (None, None), origins_of(split, *modes)
        )
    if has_spread:
        printed = numbers.mean_and_spread(mean, stddev, row["resolution_s"], decimals)
    else:
        printed = numbers.fixed(
            mean, numbers.seconds_decimals(stddev, row["resolution_s"]) if decimals is None else decimals
        )
    return Cell(printed, (mean, stddev), origins_of(row, "mean_s", "stddev_s"))


def _precision_note(study: StudyView, members: Sequence[Configuration], *, has_means: bool) -> tuple[str, ...]:
    """What a deviation cannot show: stamps that are cut, and a fault time that was inferred from the same lines."""
    names = {member.configuration for member in members}
    runs = [row for row in study.rows("runs") if row["configuration"] in names and row["used"]]
    widest = max((row["fault_width_s"] or 0.0 for row in runs), default=0.0)
    coarsest = max(
        (row["resolution_s"] or 0.0 for (name, _), row in study.milestone_stats.items() if name in names), default=0.0
    )
    parts = []
    if widest > 0:
        parts.append(f"The fault time of a run is known to ± {numbers.fixed(widest / 2, 1)} s")
    if coarsest >= SHOWN_RESOLUTION_S:
        parts.append(f"stamps are cut to {numbers.as_given(coarsest)} s")
    if not parts:
        return ()
    sentence = "; ".join(parts)
    if not has_means:
        return (f"{sentence[0].upper()}{sentence[1:]}.",)
    warning = f"{sentence[0].upper()}{sentence[1:]}: a smaller ± means nothing."
    return (f"{warning} The 95 % intervals allow for both.",)


def _milestone_caption(study: StudyView, members: Sequence[Configuration]) -> str:
    found = [row for (name, _), row in study.milestone_stats.items() if name in {m.configuration for m in members}]
    runs_text = run_range(found)
    zero = zero_of(study, [each.configuration for each in members])
    step = f"Completion of each recovery step in seconds after {zero}"
    return f"{step}: 1 run" if runs_text == "1" else f"{step}, mean ± standard deviation of {runs_text} runs"


def _elapsed(row: Row | None) -> Cell:
    if row is None:
        return Cell(numbers.DASH, (None,))
    printed = numbers.fixed(row["elapsed_s"], numbers.seconds_decimals(None, row["resolution_s"]))
    return Cell(printed, (row["elapsed_s"],), origins_of(row, "elapsed_s"))


def _not_counted(study: StudyView, run: Row) -> str:
    """Why a run's times do not count like the others', as a remark behind its name."""
    if not run["used"]:
        return " (not used)"
    key = (run["configuration"], run["run"])
    outcome = next(
        (row["outcome"] for row in study.rows("outcomes") if (row["configuration"], row["run"]) == key), "recovered"
    )
    return "" if outcome == "recovered" else f" ({OUTCOME_WORDS[outcome]})"


def _numbered(name: str, place: int, groups: Sequence[object]) -> str:
    return name if len(groups) == 1 else f"{name}-{place}"


def _of_group(groups: Sequence[object], members: Sequence[Configuration]) -> str:
    if len(groups) == 1:
        return ""
    listed = ", ".join(member.label for member in members[:3])
    return f": {listed}" + (f" and {len(members) - 3} more" if len(members) > 3 else "")


def _with_configurations(sql: str, members: Sequence[Configuration]) -> str:
    return sql + "\n\n-- shown: " + ", ".join(repr(member.configuration) for member in members)
