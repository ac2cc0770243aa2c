"""The answer card that opens page 1: what was tested, what came out, how far it can be trusted, what to do next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.ask.compare.runs import runs_to_add
from pipeline.ask.explain.next_steps import NOTHING_FOUND
from pipeline.failover.fault_sources import FIRST_SYMPTOM
from pipeline.local_time import wall_clock
from reports import numbers, recoveries
from reports.data_origin import marked_sentence
from reports.findings.highlights import Highlight, further, governing_settings, lead, measured_changes
from reports.findings.holdings import holdings
from reports.findings.planning import DOUBTS
from reports.metrics import name_of
from reports.runs_to_add import needed_words
from reports.study.view import StudyView
from reports.tables import claims
from reports.words import Doubt, counted, named, planned_runs, read_sentence, runs_sentence

MOST_OPEN: Final = 2
"""Comparisons that are named because runs would decide them."""
FEWEST_FOR_INTERVAL: Final = 3
VAGUE: Final = 0.1
"""Of a mean time; a fault time that is known less well is worth a marker."""

LONGER_LOGS: Final = "Longer logs, those of the lost node too, may show what the runs that are set aside lack."
WHOLE_OUTPUT: Final = "Keep the output of a benchmark to its end: what it prints there stands for the whole run."

PRODUCTS: Final = {
    "vcs_engine": "VCS",
    "db2diag": "DB2",
    "simhadr": "IBM's HADR simulator",
    "postgresql": "PostgreSQL",
    "haproxy": "HAProxy",
    "mysql": "MySQL",
    "drbd": "DRBD",
    "etcd": "etcd",
    "repmgr": "repmgr",
    "redis": "Redis",
    "keepalived": "keepalived",
    "maxscale": "MaxScale",
    "pgbouncer": "PgBouncer",
    "mongodb": "MongoDB",
    "paf": "PAF",
    "hana": "SAP HANA",
    "wsfc": "WSFC",
    "vxfen": "VxFEN",
    "sqlserver": "SQL Server",
    "pgbench": "pgbench",
    "sysbench": "sysbench",
    "hammerdb": "HammerDB",
}
"""How products write their names; others get a capital."""


@dataclass(frozen=True, slots=True)
class Card:
    """Sentences of the card, and below the first figure what it leaves out.

    `doubts`: how many there are and the gravest of them.
    """

    tested: tuple[str, ...]
    result: tuple[Highlight, ...]
    trust: tuple[str, ...]
    doubts: str
    next: tuple[str, ...]
    further: tuple[Highlight, ...]


def card(study: StudyView, doubts: Sequence[Doubt]) -> Card:
    """The card of a study; each sentence is made of rows of its store."""
    found = lead(study)
    return Card(
        tested=tuple(filter(None, (runs_sentence(study), _hosts(study), _software(study), read_sentence(study)))),
        result=tuple(found or holdings(study)),
        trust=tuple(filter(None, (_recovered(study), _fault_time(study), _claims(study)))),
        doubts=doubts_sentence(study, doubts),
        next=tuple(_next(study, has_result=bool(found))),
        further=tuple(further(study)),
    )


# --- tested ----------------------------------------------------------------------------------------------------------


def _hosts(study: StudyView) -> str:
    """Whose logs they are, and of which days by their own clocks."""
    rows = study.rows("hosts")
    if not rows:
        return ""
    spans = study.rows("log_spans")
    days = sorted(wall_clock(row[end], row["timezone"]) for row in spans for end in ("first_at", "last_at"))
    first, last = (f"{day:%Y-%m-%d}" for day in (days[0], days[-1])) if days else ("", "")
    span = f", {first}" if first == last and days else f", {first} to {last}" if days else ""
    return f"Logs of {named([row['node'] for row in rows], 'host')}{span}."


def _software(study: StudyView) -> str:
    """The products whose lines were read, and the versions that files state."""
    found = [f"{_product(row['product'])} {row['version'] or ''}".strip() for row in study.rows("software")]
    return f"Software: {', '.join(found)}." if found else ""


def _product(key: str) -> str:
    return PRODUCTS.get(key) or f"{key[:1].upper()}{key[1:]}"


# --- trust -----------------------------------------------------------------------------------------------------------


def _recovered(study: StudyView) -> str:
    text = recoveries.sentence(study)
    return f"{recoveries.SUBJECT}: {text}" if text else ""


def _fault_time(study: StudyView) -> str:
    """How well the moment is known that times are counted from."""
    planned = planned_runs(study)
    used = [row for row in study.failover_runs if row["used"] and (row["configuration"], row["run"]) not in planned]
    if not used:
        return ""
    sources = sorted({row["fault_source"] or "unknown" for row in used})
    width_s = max(row["fault_width_s"] or 0.0 for row in used)
    symptom = "; no line bounds the fault itself from below" if FIRST_SYMPTOM in sources else ""
    known = (
        f"to {numbers.PLUS_MINUS} {numbers.fixed(width_s / 2, 1)} s or better" if width_s >= 0.1 else "to the stamps"
    )
    return f"Time of the fault: known {known} (evidence: {named(sources, 'source')}){symptom}."


def _claims(study: StudyView) -> str:
    """How the claims fare; its sign is that of the claims of which data were made."""
    tables = claims.claims(study)
    return claims.summary(tables[0], claims.built_in_count(study)) if tables else ""


def doubts_sentence(study: StudyView, doubts: Sequence[Doubt]) -> str:
    """How many warnings and notes there are, and the warning that concerns most runs."""
    warnings = [each for each in doubts if each.severity == "Warning"]
    notes = len(doubts) - len(warnings)
    counts = [counted(len(warnings), "warning")] if warnings or not notes else []
    counts += [counted(notes, "note")] if notes else []
    if not warnings:
        return f"{counts[0] if notes else 'No warning and no note'}."
    gravest = max(warnings, key=lambda each: _reach(study, each))
    what = "gravest" if len(warnings) > 1 else "warning"
    return f"{' and '.join(counts)}; the {what}: {_first_part(gravest.text)}."


def _reach(study: StudyView, doubt: Doubt) -> int:
    """How many runs a doubt concerns; one that names none concerns all."""
    if not doubt.runs:
        return len(study.rows("runs"))
    return sum(
        bool(run) or sum(row["configuration"] == configuration for row in study.rows("runs"))
        for configuration, run in doubt.runs
    )


def _first_part(text: str) -> str:
    """A text up to where its first sentence or the first of several things ends."""
    return text.partition(". ")[0].partition("; ")[0].removesuffix(".")


# --- next ------------------------------------------------------------------------------------------------------------


def _next(study: StudyView, *, has_result: bool) -> Iterable[str]:
    """What would settle what is open, the cheapest first."""
    if not has_result:
        steps = [each.removeprefix(f"{NOTHING_FOUND}. ") for each in study.store.next_steps()]
        yield from steps or [LONGER_LOGS if study.failover_runs else WHOLE_OUTPUT]
        return
    steps = [*_open_comparisons(study), *_two_modes(study), *_few_runs(study), *_marker(study)]
    steps += [f"{each.subject}: {each.sentence}" for each in _marked(study, governing_settings(study))]
    yield from steps or [_nothing_open(study)]


def _open_comparisons(study: StudyView) -> list[str]:
    """Comparisons of the headline that further runs would decide."""
    rows = study.end_changes or ([] if study.split_times else measured_changes(study))
    margin = study.setting.get("margin_pct")
    found = []
    for row in rows:
        if row["is_decided"] is None or row["is_decided"]:
            continue
        to_add = runs_to_add(row)
        if to_add.to_show is None and to_add.to_equal is None and row["ratio_ci95_low"] is not None:
            continue
        reference = row.get("reference") or next(
            each.reference for each in study.configurations if each.configuration == row["configuration"]
        )
        of_metric = f", {name_of(row['metric'])}" if "metric" in row else ""
        against = f"{study.label_inside(row['configuration'])} against {study.label_inside(reference)}{of_metric}"
        found.append(f"Runs to add, {against}: {needed_words(row, to_add, margin)}.")
    more = [f"{len(found) - MOST_OPEN} more comparisons are open."] if len(found) > MOST_OPEN + 1 else []
    return [*found[: MOST_OPEN + (not more)], *more]


def _two_modes(study: StudyView) -> list[str]:
    """How to find why the times of a configuration divide into two modes."""
    return [
        f"{each.label}: `haledger why {each.configuration}` lists the lines that only its slower runs have."
        for each in study.configurations
        if (each.configuration, study.end_milestone(each.configuration)) in study.split_times
    ]


def _few_runs(study: StudyView) -> list[str]:
    """Configurations without a comparison whose runs are too few for an interval."""
    compared = {row[side] for row in study.rows("changes") for side in ("configuration", "reference")}
    few: dict[int, list[str]] = {}
    for configuration, runs in _headline_runs(study):
        if runs < FEWEST_FOR_INTERVAL and configuration not in compared:
            kind = study.kind_of_fault(configuration)
            few.setdefault(FEWEST_FOR_INTERVAL - runs, []).append(
                f"{study.label(configuration)}{f' ({kind})' if kind else ''}"
            )
    return [
        f"{counted(missing, 'more run')} of {named(labels, 'configuration')} would give a 95 % interval."
        for missing, labels in few.items()
    ]


def _headline_runs(study: StudyView) -> list[tuple[str, int]]:
    """How many runs the mean time to recovery of each configuration rests on."""
    return [
        (each.configuration, row["runs"])
        for each in study.configurations
        if (end := study.end_milestone(each.configuration)) is not None
        and (row := study.milestone_stats.get((each.configuration, end))) is not None
    ]


def _marker(study: StudyView) -> list[str]:
    """What would show the fault itself, where its time is known badly against the shortest mean."""
    means = [
        row["mean_s"]
        for each in study.configurations
        if (row := study.milestone_stats.get((each.configuration, study.end_milestone(each.configuration) or "")))
    ]
    widths = [row["fault_width_s"] or 0.0 for row in study.failover_runs if row["used"]]
    if not means or not widths or max(widths) / 2 <= VAGUE * min(means):
        return []
    return ["To know the fault better: log it (logger haledger fault) before each crash, or declare [[run]] fault_at."]


def _nothing_open(study: StudyView) -> str:
    doubtful = [row["warning"] for row in study.planning("hadr_warnings") if row["severity"] == "warning"]
    if doubtful:
        words = ", ".join(DOUBTS.get(each, each.replace("_", " ")) for each in dict.fromkeys(doubtful))
        return f"Runs of the simulator to repeat without what makes them doubtful: {words}."
    if study.end_changes or measured_changes(study):
        return "No comparison is open: further runs would only narrow the intervals."
    compared = f"Compared with {study.earlier.name} alone" if study.earlier else "Nothing is compared"
    if len(study.configurations) > 1:
        return f"{compared}: [study] reference in study.toml names the configuration to compare with."
    return f"{compared}: runs of a second configuration would show what a setting changes."


def _marked(study: StudyView, found: Iterable[Highlight]) -> list[Highlight]:
    return [
        Highlight(each.subject, marked_sentence(study, each.sentence, each.configurations), each.configurations)
        for each in found
    ]
