"""What a comparison shows of the outage of clients, in sentences for each configuration; numbers from views.

A significant difference is no cause: what is said is by how much the outage differs, in which phases, and what was set
otherwise. Why, and what to do, the reader decides.
"""

from collections.abc import Mapping

from reports import numbers
from reports.client_view import comparisons, effects, is_shown, outages
from reports.findings.planning import Advice, Point, said_once
from reports.metrics import name_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.words import counted

MOST_PARAMETERS = 6
BEFORE = "_before_fault"
NO_CAUSE = "The comparison shows a difference and not its cause"
NO_FILE = f"{NO_CAUSE}: no file gives what was set otherwise."

Compared = Mapping[tuple[str, str, str], Row]


def recommendations(study: StudyView) -> list[Advice]:
    """How each configuration differs for its clients, in which phases, what was set otherwise, and the throughput."""
    compared = comparisons(study)
    found = [
        Advice(
            study.label(row["configuration"]),
            tuple(
                Point(about, text)
                for about, text in (
                    ("Clients", _outage(study, row)),
                    ("Phases", _phases(study, row, compared)),
                    ("Cause", _settings(study, row)),
                    ("Throughput", _throughput(row, compared)),
                )
                if text
            ),
            (),
        )
        for row in outages(study)
        if row["target"] is None and row["relative_ratio"] is not None and row["configuration"] != row["reference"]
    ]
    return said_once(found)


def _outage(study: StudyView, row: Row) -> str:
    found = (
        f"Time without the service, against {study.label_inside(row['reference'])}: {row['verdict']}, "
        f"over {counted(row['runs'], 'run')}."
    )
    if row["ratio_low"] is None:
        return f"{found} More runs are needed to tell."
    saved = row["reference_mean"] - row["mean"]
    if row["ratio_high"] < 1:
        return f"{found} In these runs a fault cost clients {numbers.fixed(saved, 1)} s less."
    if row["ratio_low"] > 1:
        return f"{found} In these runs a fault cost clients {numbers.fixed(-saved, 1)} s more."
    return found


def _phases(study: StudyView, row: Row, compared: Compared) -> str:
    """Phases by which the outage differs, the greatest difference first, and those that do not."""
    own = [
        (each.label, found)
        for each in effects(study)
        if each.subject == "phase" and (found := compared.get((row["configuration"], "phase", each.item))) is not None
    ]
    shown = sorted((each for each in own if is_shown(each[1])), key=lambda each: -abs(each[1]["difference"]))
    changed = [
        f"{label if place == 0 else _lowered(label)} {_difference(found)}" for place, (label, found) in enumerate(shown)
    ]
    same = [_lowered(label) for label, found in own if not is_shown(found)]
    sentences = [
        f"{'; '.join(changed)}." if changed else "",
        f"No difference shown in {' and '.join(same)}." if same else "",
    ]
    return " ".join(filter(None, sentences))


def _lowered(label: str) -> str:
    return f"{label[:1].lower()}{label[1:]}"


def _difference(row: Row) -> str:
    before = row["mean"] - row["difference"]
    direction = "less" if row["difference"] < 0 else "more"
    low, high = sorted(abs(row[name] or 0) for name in ("difference_ci95_low", "difference_ci95_high"))
    interval = "" if row["difference_ci95_low"] is None else f", 95 % CI {numbers.interval(low, high, 1)} s"
    return (
        f"{numbers.fixed(row['mean'], 1)} s instead of {numbers.fixed(before, 1)} s "
        f"({numbers.fixed(abs(row['difference']), 1)} s {direction}{interval})"
    )


def _settings(study: StudyView, row: Row) -> str:
    """Parameters that were set otherwise than in the reference; that one of them is the cause is not shown."""
    if row["ratio_low"] is None or row["ratio_low"] <= 1 <= row["ratio_high"]:
        return ""
    changed = _changed(study, row["configuration"])
    if not changed:
        return NO_FILE
    return f"{NO_CAUSE}. By the files, what was set otherwise is: {changed}."


def _changed(study: StudyView, configuration: str) -> str:
    found = {
        row["name"]: f"`{row['name']}` {row['value'] or 'not set'} instead of {row['reference_value'] or 'not set'}"
        for row in study.rows("parameter_changes")
        if row["configuration"] == configuration
    }
    if not found or len(found) > MOST_PARAMETERS:
        return f"{len(found)} parameters" if found else ""
    return ", ".join(found.values())


def _throughput(row: Row, compared: Compared) -> str:
    """What the same configuration does to the load while nothing fails."""
    for (configuration, subject, item), found in compared.items():
        if configuration == row["configuration"] and subject == "measurement" and item.endswith(BEFORE):
            after, before = numbers.compact_pair(found["mean"], found["mean"] - found["difference"])
            return f"{after} {name_of(item)} instead of {before}: {found['verdict']}."
    return ""
