"""How long the steps of a recovery are followed."""

from collections.abc import Iterable
from datetime import timedelta

from pipeline.failover.evidence import Setting
from pipeline.failover.windows import STEPS_FOLLOWED


def how_long(settings: Iterable[Setting]) -> timedelta:
    """How long after a loss steps are followed."""
    seconds = next((each.follow for each in settings if each.follow is not None), None)
    return STEPS_FOLLOWED if seconds is None else timedelta(seconds=seconds)
