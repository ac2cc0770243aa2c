"""What clients went through, as the report shows it: their outages and what these consist of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reports.study.store import Row
from reports.study.view import StudyView

OUTAGE: Final = "client_outage_s"
DETECTION, REDO, RECOVERY_ROLE = "detection", "redo", "recovery"
SHOWN: Final = 0.05
"""A difference counts as shown when its p, adjusted after Holm, is below."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a fault led to: a phase or a measurement, and how a sentence names it."""

    subject: str
    item: str
    label: str


def outages(study: StudyView) -> list[Row]:
    """Outage of the clients of each configuration, where they were watched."""
    return study.rows("client_outage")


def effects(study: StudyView) -> list[Effect]:
    """Detection, recovery of the database and outage, as far as the study shows them."""
    if not outages(study):
        return []
    phases = {row["phase"] for row in study.phases}
    found = [Effect("phase", name, study.phase(name).label) for name in (DETECTION, _recovery(study)) if name in phases]
    return [*found, Effect("measurement", OUTAGE, "Client outage")]


def comparisons(study: StudyView) -> Mapping[tuple[str, str, str], Row]:
    """Means and changes by configuration, subject and item."""
    found = study.rows("client_effects")
    return {(row["configuration"], row["subject"], row["item"]): row for row in found}


def is_shown(row: Row) -> bool:
    """Whether a configuration differs from its reference beyond chance."""
    return row["p_holm"] is not None and row["p_holm"] < SHOWN


def factor_names(study: StudyView) -> Sequence[str]:
    """Factors that study.toml declares and in which configurations differ."""
    values: dict[str, set[str]] = {}
    for factors in study.factors.values():
        for name, row in factors.items():
            values.setdefault(name, set()).add(str(row["value"]))
    return [name for name, found in values.items() if len(found) > 1]


def _recovery(study: StudyView) -> str:
    """The phase in which the database recovers: its redo, else all of it."""
    names = [row["phase"] for row in study.phases]
    if REDO in names:
        return REDO
    steps = {name for name, milestone in study.milestones.items() if milestone.ends_recovery}
    ends = [name for name in names if study.phase(name).to_milestone in steps]
    return next((name for name in ends if study.phase(name).role == RECOVERY_ROLE), "")
