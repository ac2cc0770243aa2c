"""What to do about the outage of clients, in sentences for each configuration that was compared; numbers from views."""

from collections.abc import Mapping

from reports import numbers
from reports.client_view import comparisons, effects, is_shown, outages
from reports.metrics import name_of
from reports.planning import Advice, Point
from reports.store import Row
from reports.study_view import StudyView
from reports.words import counted

MOST_PARAMETERS = 6
BEFORE = "_before_fault"

Compared = Mapping[tuple[str, str, str], Row]


def recommendations(study: StudyView) -> list[Advice]:
    """What each configuration brings its clients, why, by which settings, and what it costs."""
    compared = comparisons(study)
    return [
        Advice(
            study.label(row["configuration"]),
            tuple(
                Point(about, text)
                for about, text in (
                    ("Clients", _outage(study, row)),
                    ("Why", _causes(study, row, compared)),
                    ("Settings", _settings(study, row["configuration"])),
                    ("Throughput", _throughput(row, compared)),
                )
                if text
            ),
            (),
        )
        for row in outages(study)
        if row["target"] is None and row["relative_ratio"] is not None and row["configuration"] != row["reference"]
    ]


def _outage(study: StudyView, row: Row) -> str:
    found = (
        f"Without the service for {numbers.fixed(row['mean'], 1)} s on average instead of "
        f"{numbers.fixed(row['reference_mean'], 1)} s with {study.label_inside(row['reference'])}: {row['verdict']}, "
        f"over {counted(row['runs'], 'run')}."
    )
    if row["ratio_low"] is None:
        return f"{found} More runs are needed before anything is changed for it."
    saved = row["reference_mean"] - row["mean"]
    if row["ratio_high"] < 1:
        return f"{found} Recommended: a fault costs clients {numbers.fixed(saved, 1)} s less."
    if row["ratio_low"] > 1:
        return f"{found} Not recommended: a fault costs clients {numbers.fixed(-saved, 1)} s more."
    return f"{found} That is no reason to change anything."


def _causes(study: StudyView, row: Row, compared: Compared) -> str:
    """Phases by which the outage differs, the greatest difference first, and those that do not."""
    own = [
        (each.label, found)
        for each in effects(study)
        if each.subject == "phase" and (found := compared.get((row["configuration"], "phase", each.item))) is not None
    ]
    shown = sorted((each for each in own if is_shown(each[1])), key=lambda each: -abs(each[1]["difference"]))
    changed = [f"{label} {_difference(found)}" for label, found in shown]
    same = [f"{label[:1].lower()}{label[1:]}" for label, found in own if not is_shown(found)]
    sentences = [
        f"{'; '.join(changed)}." if changed else "",
        f"No difference shown in {' and '.join(same)}." if same else "",
    ]
    return " ".join(filter(None, sentences))


def _difference(row: Row) -> str:
    before = row["mean"] - row["difference"]
    direction = "less" if row["difference"] < 0 else "more"
    low, high = sorted(abs(row[name] or 0) for name in ("difference_ci95_low", "difference_ci95_high"))
    interval = "" if row["difference_ci95_low"] is None else f", 95 % CI {numbers.interval(low, high, 1)} s"
    return (
        f"{numbers.fixed(row['mean'], 1)} s instead of {numbers.fixed(before, 1)} s "
        f"({numbers.fixed(abs(row['difference']), 1)} s {direction}{interval})"
    )


def _settings(study: StudyView, configuration: str) -> str:
    """Parameters that were set otherwise than in the reference."""
    if not study.store.has("main.parameter_change"):
        return ""
    found = {
        row["name"]: f"`{row['name']}` {row['value'] or 'not set'} instead of {row['reference_value'] or 'not set'}"
        for row in study.rows("parameter_changes")
        if row["configuration"] == configuration
    }
    if not found or len(found) > MOST_PARAMETERS:
        return f"{len(found)} parameters differ from the reference's." if found else ""
    return f"{', '.join(found.values())}."


def _throughput(row: Row, compared: Compared) -> str:
    """What the same configuration does to the load while nothing fails."""
    for (configuration, subject, item), found in compared.items():
        if configuration == row["configuration"] and subject == "measurement" and item.endswith(BEFORE):
            after, before = numbers.compact_pair(found["mean"], found["mean"] - found["difference"])
            return f"{after} {name_of(item)} instead of {before}: {found['verdict']}."
    return ""
