"""Tables of failover times: milestones, changes, phases, and every run."""

from collections.abc import Iterable, Sequence

from reports import numbers, recoveries
from reports.store import Row
from reports.study_view import Configuration, StudyView, statement
from reports.tables.model import Cell, Column, Naming, Table, figures, rows_of, text, words
from reports.words import OUTCOME_WORDS

SHOWN_RESOLUTION_S = 0.1  # finer stamps are beyond the decimals that are printed

SPREAD_NOTE = (
    "Seconds after the fault at which a step is complete: mean over the runs ± sample standard deviation; "
    "a dash: no such value."
)


def milestone_groups(study: StudyView) -> list[tuple[list[str], list[Configuration]]]:
    """Configurations that share a set of milestones, so that no table is half empty, and those milestones."""
    groups: list[tuple[set[str], list[Configuration]]] = []
    for configuration in study.configurations:
        shown = {name for name in study.milestones if (configuration.configuration, name) in study.milestone_stats}
        if not shown:
            continue
        fitting = next((group for group in groups if shown <= group[0] or group[0] <= shown), None)
        if fitting is None:
            groups.append((set(shown), [configuration]))
        else:
            fitting[0].update(shown)
            fitting[1].append(configuration)
    return [([name for name in study.milestones if name in names], members) for names, members in groups]


def milestones(study: StudyView) -> list[Table]:
    """Mean and spread of every milestone, a table for each set of milestones."""
    groups = milestone_groups(study)
    return [
        milestone_table(study, members, Naming(_numbered("milestones", place, groups)))
        for place, (_, members) in enumerate(groups, 1)
    ]


def milestone_table(
    study: StudyView,
    members: Sequence[Configuration],
    naming: Naming,
    *,
    decimals: int | None = None,
    has_spread: bool = True,
) -> Table:
    """Milestones of some configurations under grouped headings."""
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
    return Table(
        name=naming.name,
        caption=naming.caption or _milestone_caption(study, members),
        columns=tuple(columns),
        rows=rows_of(rows),
        notes=(
            SPREAD_NOTE if has_spread else SPREAD_NOTE.replace(" ± sample standard deviation", ""),
            *_precision_note(study, members),
            *recoveries.note(study, (member.configuration for member in members)),
        ),
        source="Source: relation milestone_stats.",
        sql=_with_configurations(statement("milestone_stats"), members),
        label=naming.label,
    )


def changes(study: StudyView) -> list[Table]:
    """The last milestone of every configuration against its reference, and all milestones."""
    if not study.changes:
        return []
    ends = [row for row in study.changes if study.ends_alike(row)]
    tables = []
    if ends:
        tables.append(
            _change_table(study, ends, "changes", "Time to recovery of each configuration against its reference")
        )
    tables.append(
        _change_table(
            study, study.changes, "changes-all", "Every milestone of each configuration against its reference"
        )
    )
    return tables


def phases(study: StudyView) -> list[Table]:
    """Start and duration of every phase."""
    if not study.phases:
        return []
    place = {each.configuration: i for i, each in enumerate(study.configurations)}
    found = sorted(study.phases, key=lambda row: place.get(row["configuration"], len(place)))
    columns = (
        words("Configuration", "configuration"),
        words("Phase", "phase"),
        figures("Runs", "runs"),
        figures("Start", "mean_start_s", unit="s"),
        figures("Duration", "mean_duration_s", "stddev_duration_s", unit="s"),
        figures("95 % interval", "ci95_low_s", "ci95_high_s", unit="s"),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            Cell(study.phase(row["phase"]).label, (row["phase"],)),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            Cell(numbers.fixed(row["mean_start_s"], 1), (row["mean_start_s"],)),
            Cell(
                numbers.mean_and_spread(row["mean_duration_s"], row["stddev_duration_s"], row["resolution_s"]),
                (row["mean_duration_s"], row["stddev_duration_s"]),
            ),
            Cell(numbers.interval(row["ci95_low_s"], row["ci95_high_s"], 1), (row["ci95_low_s"], row["ci95_high_s"])),
        )
        for row in found
    ]
    note = (
        "Mean over the runs that show both ends; duration ± sample standard deviation. "
        "Phases overlap, as the cluster works in parallel, and must not be added up."
    )
    caption = "Start after the fault and duration of every phase"
    source = "Source: relation phase_stats."
    return [
        Table(
            "phases",
            caption,
            columns,
            rows_of(rows),
            (note,),
            source,
            statement("phases"),
            row_heads=2,
            is_grouped=True,
        )
    ]


def runs(study: StudyView) -> list[Table]:
    """Fault time of every run, and how it is known."""
    if not study.failover_runs:
        return []
    columns = [
        words("Configuration", "configuration"),
        words("Run", "run", is_code=True),
        words("Lost", "lost_node", is_code=True),
        words("Took over", "surviving_node", is_code=True),
        figures("Fault", "fault_at", unit="UTC"),
        figures("Interval", "fault_at_low", "fault_at_high", unit="s"),
        words("Fault time from", "fault_source"),
        words("Remarks", "flags"),
    ]
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["run"]),
            text(row["lost_node"]),
            text(row["surviving_node"]),
            Cell(numbers.moment(row["fault_at"], with_fraction=True), (row["fault_at"],)),
            Cell(numbers.fixed(row["fault_width_s"], 1), (row["fault_at_low"], row["fault_at_high"])),
            text(row["fault_source"]),
            Cell(_remarks(row) or numbers.DASH, (row["flags"],)),
        )
        for row in study.failover_runs
    ]
    used = sum(bool(row["used"]) for row in study.failover_runs)
    note = (
        "Interval: width of the span that the evidence leaves for the fault; the middle is printed and is zero "
        f"seconds. {used} of {len(rows)} runs are used in the statistics."
    )
    caption = "Fault time of every run, with its interval and the evidence it rests on"
    return [
        Table(
            "runs",
            caption,
            tuple(columns),
            rows_of(rows),
            (note,),
            "Source: relation run.",
            statement("runs"),
            "",
            2,
            True,
        )
    ]


def run_milestones(study: StudyView) -> list[Table]:
    """Every milestone of every run, a table for each set of milestones."""
    values = {(row["configuration"], row["run"], row["milestone"]): row for row in study.run_milestones}
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
                notes=("Seconds after the fault of the run; a dash: no line shows the step.",),
                source="Source: relation milestone, which names file and line of every value.",
                sql=_with_configurations(statement("run_milestones"), members),
                row_heads=2,
                is_grouped=True,
            )
        )
    return tables


def run_range(rows: Iterable[Row], key: str = "runs") -> str:
    """`10` or `8 to 10`."""
    found = sorted({row[key] for row in rows})
    if not found:
        return numbers.DASH
    return numbers.count(found[0]) if len(found) == 1 else f"{numbers.count(found[0])} to {numbers.count(found[-1])}"


def _change_table(study: StudyView, found: Sequence[Row], name: str, caption: str) -> Table:
    is_single = name == "changes" and len({row["milestone"] for row in found}) == 1
    milestone_column = [] if is_single else [words("Milestone", "milestone")]
    if is_single:
        caption += f" ({study.milestone_phrase(found[0]['milestone'])})"
    columns = (
        Column("Configuration", ("configuration",), is_number=False),
        *milestone_column,
        figures("Mean", "mean_s", unit="s"),
        Column("Reference", ("reference_mean_s", "reference"), "s"),
        figures("Difference", "difference_s", unit="s"),
        figures("Ratio", "ratio"),
        figures("95 % interval", "ratio_ci95_low", "ratio_ci95_high"),
        figures("p", "p_holm", "p_value"),
        words("Verdict", "verdict"),
    )
    rows = [
        (
            Cell(
                f"{study.label(row['configuration'])} against {study.label_inside(row['reference'])}",
                (row["configuration"],),
            ),
            *([_milestone_label(study, row)] if milestone_column else []),
            Cell(numbers.fixed(row["mean_s"], 1), (row["mean_s"],)),
            Cell(numbers.fixed(row["reference_mean_s"], 1), (row["reference_mean_s"], row["reference"])),
            Cell(numbers.signed(row["difference_s"], 1), (row["difference_s"],)),
            Cell(numbers.ratio(row["ratio"]), (row["ratio"],)),
            Cell(
                numbers.interval(row["ratio_ci95_low"], row["ratio_ci95_high"], 3),
                (row["ratio_ci95_low"], row["ratio_ci95_high"]),
            ),
            Cell(numbers.p_value(row["p_holm"]), (row["p_holm"], row["p_value"])),
            Cell(numbers.bound(row["verdict"] or numbers.DASH), (row["verdict"],)),
        )
        for row in found
    ]
    note = (
        f"Means over {run_range(found)} runs each. Ratio of the means with its 95 % interval (log-delta, Welch); "
        "p of Welch's t test, adjusted after Holm for all comparisons of the study. The verdict follows from both."
    )
    source, sql = "Source: relation milestone_change.", statement("changes")
    return Table(
        name,
        caption,
        columns,
        rows_of(rows),
        (
            note,
            *recoveries.note(study, dict.fromkeys(row[key] for row in found for key in ("configuration", "reference"))),
        ),
        source,
        sql,
        "",
        1 + len(milestone_column),
        is_grouped=name != "changes",
    )


def _milestone_label(study: StudyView, row: Row) -> Cell:
    return Cell(study.milestones[row["milestone"]].label, (row["milestone"],))


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
    return Cell(run_range(found), (most,))


def _milestone_cell(
    study: StudyView, member: Configuration, milestone: str, decimals: int | None, *, has_spread: bool
) -> Cell:
    row = study.milestone_stats.get((member.configuration, milestone))
    if row is None:
        return Cell(numbers.DASH, (None, None))
    mean, stddev = row["mean_s"], row["stddev_s"]
    if has_spread:
        printed = numbers.mean_and_spread(mean, stddev, row["resolution_s"], decimals)
    else:
        printed = numbers.fixed(
            mean, numbers.seconds_decimals(stddev, row["resolution_s"]) if decimals is None else decimals
        )
    return Cell(printed, (mean, stddev))


def _precision_note(study: StudyView, members: Sequence[Configuration]) -> tuple[str, ...]:
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
        parts.append(f"stamps are cut to {numbers.stated(coarsest)} s")
    if not parts:
        return ()
    sentence = "; ".join(parts)
    told = f"{sentence[0].upper()}{sentence[1:]}: a smaller ± does not mean that the step is steadier than that."
    return (f"{told} The 95 % intervals hold both.",)


def _milestone_caption(study: StudyView, members: Sequence[Configuration]) -> str:
    found = [row for (name, _), row in study.milestone_stats.items() if name in {m.configuration for m in members}]
    runs_text = run_range(found)
    of_each = "1 run" if runs_text == "1" else f"{runs_text} runs"
    return f"Completion of each recovery step in seconds after the fault, mean ± standard deviation of {of_each}"


def _elapsed(row: Row | None) -> Cell:
    if row is None:
        return Cell(numbers.DASH, (None,))
    return Cell(
        numbers.fixed(row["elapsed_s"], numbers.seconds_decimals(None, row["resolution_s"])), (row["elapsed_s"],)
    )


def _not_counted(study: StudyView, run: Row) -> str:
    """Why a run's times do not count like the others', as a remark behind its name."""
    if not run["used"]:
        return " (not used)"
    key = (run["configuration"], run["run"])
    outcome = next((row["outcome"] for row in study.outcomes if (row["configuration"], row["run"]) == key), "recovered")
    return "" if outcome == "recovered" else f" ({OUTCOME_WORDS[outcome]})"


def _remarks(row: Row) -> str:
    excluded = "" if row["used"] else f"not used: {row['excluded_reason'] or 'no reason given'}"
    flags = (row["flags"] or "").replace("_", " ")
    return "; ".join(filter(None, (excluded, flags)))


def _numbered(name: str, place: int, groups: Sequence[object]) -> str:
    return name if len(groups) == 1 else f"{name}-{place}"


def _of_group(groups: Sequence[object], members: Sequence[Configuration]) -> str:
    if len(groups) == 1:
        return ""
    listed = ", ".join(member.label for member in members[:3])
    return f": {listed}" + (f" and {len(members) - 3} more" if len(members) > 3 else "")


def _with_configurations(sql: str, members: Sequence[Configuration]) -> str:
    return sql + "\n\n-- shown: " + ", ".join(repr(member.configuration) for member in members)
