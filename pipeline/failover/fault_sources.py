"""The sources of a fault time, as fault.toml declares them."""

from dataclasses import dataclass
from functools import cache

from pipeline.failover.rules import rules

RECORDED = "manifest"
"""The source of a time that study.toml gives."""

COMMAND, NOTICE = "take-over command", "shutdown notice"
"""Sources of a planned change: somebody ordered it, or who leaves said so."""

FIRST_SYMPTOM = "first symptom"
"""What times count from where nothing bounds a fault: the first line by which anybody saw the loss."""


@dataclass(frozen=True, slots=True)
class Source:
    """What differs between sources; the rule file explains the columns."""

    rank: int
    clockwork: str | None = None
    common_share: float = 0.0
    undecided_s: float = 0.0
    cause: str | None = None
    open_cause: str | None = None
    hold_cause: str | None = None
    is_moment: bool = False
    is_order: bool = False
    is_sharp: bool = False
    has_likely_time: bool = False
    unproved_rank: int | None = None


@cache
def source_rule(name: str) -> Source:
    """The rule of a source."""
    return Source(**rules("fault")["sources"][name])
