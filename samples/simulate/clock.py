"""Wall clocks as the logs have them: whole microseconds since 1970, without a zone."""

from datetime import datetime, timedelta

SECOND = 1_000_000
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  without a zone


def wall(instant: int) -> datetime:
    """Wall clock of an instant."""
    return EPOCH + timedelta(microseconds=instant)


def instant_of(text: str) -> int:
    """Instant of a wall clock written YYYY-MM-DD HH:MM."""
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)
