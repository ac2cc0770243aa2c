"""What times count from: the fault, or its first symptom where nothing bounds the fault."""

from collections.abc import Iterable
from typing import Final

from pipeline.failover.fault_sources import FIRST_SYMPTOM
from reports.study.view import StudyView

THE_FAULT: Final = "the fault"
THE_SYMPTOM: Final = "the first symptom"
EITHER: Final = "the fault or its first symptom"


def zero_of(study: StudyView, configurations: Iterable[str] | None = None) -> str:
    """From what the times of configurations, of all where none is named, count: "seconds after the fault"."""
    chosen = None if configurations is None else set(configurations)
    sources = {
        row["fault_source"]
        for row in study.failover_runs
        if row["used"] and (chosen is None or row["configuration"] in chosen)
    }
    if FIRST_SYMPTOM not in sources:
        return THE_FAULT
    return THE_SYMPTOM if sources == {FIRST_SYMPTOM} else EITHER
