"""The span of time that --since and --until name: from an instant on, and before another.

A time without an offset is local time of the study: in the zone that study.toml names, else the only one of the logs.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pipeline.errors import UsageError
from pipeline.local_time import as_utc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.clock.file_clock import FileClock

EXAMPLES = "write it as 2026-03-01, 2026-03-01T10:30 or 2026-03-01T10:30:00+01:00"


@dataclass(frozen=True, slots=True)
class Instants:
    """The same span in naive UTC; None: no bound on this side. `until` is the first instant beyond it."""

    since: datetime | None
    until: datetime | None

    def __bool__(self) -> bool:
        """Whether there is a bound at all."""
        return (self.since, self.until) != (None, None)

    def texts(self) -> tuple[str, str]:
        """Both bounds as the store holds them, and as --since and --until take them."""
        since, until = ("" if each is None else f"{each.isoformat()}Z" for each in (self.since, self.until))
        return since, until

    def sentence(self) -> str:
        """For people."""
        since, until = ("" if each is None else f"{each.isoformat(' ')} UTC" for each in (self.since, self.until))
        if since and until:
            return f"from {since} until {until}"
        return f"from {since} on" if since else f"before {until}"


@dataclass(frozen=True, slots=True)
class Window:
    """Both bounds as they were written: an instant that knows its offset, or a local time; None where none was."""

    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(cls, since: str, until: str) -> "Window":
        """Read both; empty: none. A UsageError for what is no time, and for a span without an instant."""
        window = cls(_instant("--since", since), _instant("--until", until))
        has_offset = {each.utcoffset() is not None for each in (window.since, window.until) if each is not None}
        if len(has_offset) == 1:
            _refuse_reversed(window.since, window.until)
        return window

    def __bool__(self) -> bool:
        """Whether there is a bound at all."""
        return (self.since, self.until) != (None, None)

    def asked(self) -> str:
        """Both as they were written, by which a later ingest sees that the same was asked."""
        return "/".join("" if each is None else each.isoformat() for each in (self.since, self.until)) if self else ""

    def instants(self, zone: str | None) -> Instants | None:
        """The span in UTC by the zone of study.toml; None where a time is local and the zone has to come from logs."""
        bounds = [each for each in (self.since, self.until) if each is not None]
        if zone is None and any(each.utcoffset() is None for each in bounds):
            return None
        since, until = (None if each is None else as_utc(each, zone or "UTC") for each in (self.since, self.until))
        _refuse_reversed(since, until)
        return Instants(since, until)

    def instants_of_logs(self, clocks: "Iterable[FileClock]") -> Instants:
        """The span in UTC, local times by the only zone of the logs; a UsageError where they have none or several."""
        known = [each for each in clocks if each.timezone_source not in {None, "assumed"}]
        since = _by_clocks("--since", self.since, known)
        until = _by_clocks("--until", self.until, known)
        _refuse_reversed(since, until)
        return Instants(since, until)


def stored_span(since: str, until: str) -> str:
    """The span whose bounds a store holds, in words; empty where it has none."""
    span = Window.of(since, until).instants(None)
    return span.sentence() if span else ""


def _instant(option: str, text: str) -> datetime | None:
    if not text:
        return None
    try:
        instant = datetime.fromisoformat(text.strip())
        as_utc(instant)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{option} {text}: is no time; {EXAMPLES}") from error
    return instant


def _refuse_reversed(since: datetime | None, until: datetime | None) -> None:
    if since is not None and until is not None and since >= until:
        raise UsageError(
            f"--since {since.isoformat()} does not lie before --until {until.isoformat()}: no line can be of that span"
        )


def _by_clocks(option: str, wall: datetime | None, clocks: "Iterable[FileClock]") -> datetime | None:
    if wall is None:
        return None
    if wall.utcoffset() is not None:
        return as_utc(wall)
    from pipeline.clock.file_clock import local_instant  # loads clocks

    found = {local_instant(wall, each): each.timezone for each in clocks}
    if len(found) == 1:
        return next(iter(found))
    zones = sorted({str(each) for each in found.values()})
    why = f"the logs are of several zones ({', '.join(zones)})" if zones else "no log shows a zone"
    stored = "" if zones else "; with Z it is the time as the logs print it"
    raise UsageError(
        f"{option} {wall.isoformat()}: {why}; write it in UTC, as {wall.isoformat()}Z{stored}, or with an offset, "
        "or set timezone under [study] in study.toml"
    )
