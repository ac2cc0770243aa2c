"""How long the steps of a recovery are followed."""

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from pipeline.failover.windows import STEPS_FOLLOWED


class FollowSetting(NamedTuple):
    """`follow` of study.toml, in seconds."""

    follow: float | None


def how_long(settings: Iterable[FollowSetting]) -> timedelta:
    """How long after a loss steps are followed."""
    seconds = next((each.follow for each in settings if each.follow is not None), None)
    return STEPS_FOLLOWED if seconds is None else timedelta(seconds=seconds)
