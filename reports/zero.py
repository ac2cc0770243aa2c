"""What times count from: the fault, its first symptom where nothing bounds the fault, or the order of a change."""

from collections.abc import Iterable
from typing import Final

from pipeline.failover.fault_sources import COMMAND, FIRST_SYMPTOM, NOTICE
from reports.study.view import StudyView
from reports.words import planned_runs

THE_FAULT: Final = "the fault"
THE_SYMPTOM: Final = "the first symptom"
EITHER: Final = "the fault or its first symptom"
ORDERS: Final = {COMMAND: "the take-over command", NOTICE: "the shutdown notice"}
"""Sources of a fault time that are no fault: somebody ordered the take-over."""


def zero_of(study: StudyView, configurations: Iterable[str] | None = None) -> str:
    """From what the times of configurations, of all where none is named, count: "seconds after the fault"."""
    return _of(_sources(study, configurations))


def is_ordered(study: StudyView) -> bool:
    """Whether all that is timed are planned changes."""
    sources = _sources(study, None)
    return bool(sources) and sources <= ORDERS.keys()


def starting_point(study: StudyView, configurations: Iterable[str]) -> str:
    """The same as a sentence names it: with the orders of planned changes beside faults."""
    sources = _sources(study, configurations)
    ordered = _orders(sources)
    return f"{_of(sources)} (in planned take-overs {ordered})" if ordered and sources - ORDERS.keys() else _of(sources)


def _sources(study: StudyView, configurations: Iterable[str] | None) -> set[str]:
    """The sources of the fault times of runs that are used: of failovers, else of planned changes."""
    chosen = None if configurations is None else set(configurations)
    planned = planned_runs(study)
    used = [row for row in study.failover_runs if row["used"] and (chosen is None or row["configuration"] in chosen)]
    failovers = [row for row in used if (row["configuration"], row["run"]) not in planned]
    return {row["fault_source"] for row in failovers or used}


def _of(sources: set[str]) -> str:
    if sources and sources <= ORDERS.keys():
        return _orders(sources)
    if FIRST_SYMPTOM not in sources:
        return THE_FAULT
    return EITHER if sources - ORDERS.keys() - {FIRST_SYMPTOM} else THE_SYMPTOM


def _orders(sources: set[str]) -> str:
    return " or ".join(word for source, word in ORDERS.items() if source in sources)
