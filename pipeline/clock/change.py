"""Where the clock of a host was set: by lines that say so, by counts of seconds that no setting changes, by stamps.

A change of known amount is proved: what spans it is corrected (`pipeline/clock/correction.py`). One of unknown amount
is kept as such, so that nobody averages over it. What is seen depends on the evidence: a clock set forward that no line
reports and that no count of seconds spans looks like a silence, and cannot be seen.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path

import duckdb

from pipeline.store.statements import Row, rows_of

SQL_FOLDER = Path(__file__).parent / "sql"
SECOND = 1_000_000
MINUTE = 60 * SECOND
LEAST_US = 1_400_000
"""Changes from 1.5 s on are looked for, less the rounding."""

OWN_US = 900_000
"""One and the same process cannot stamp a line earlier than the one before, but by a fraction of a second."""

SURE_US = 2_000_000
"""Several writers of one file disagree by up to this."""

SAME_US = 15 * SECOND
"""What programs say of a change within this time concerns the same one."""

SLEW_US = 500_000
"""A slow correction by less changes no result."""

SLEW_LINES_US = 60 * SECOND
"""A program that announces a correction and does not step within this time slews the clock."""

LATE_US = 300_000
"""A kernel's line is stamped so much after the kernel counted its time, as a rule."""

LEVEL_LINES = 20
"""Lines before and after a change by which its amount is measured."""

LEVEL_US = 3600 * SECOND
"""Nor does a reading count that is further away: a kernel's clock drifts by 1 s in some hours."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whose clock: a node, in the files of one run, or (`run` None) of a folder group."""

    configuration: str
    run: str | None
    node: str | None

    def holds(self, other: "Place") -> bool:
        """Whether the clock is the same: a log above the runs is of all of them."""
        return (
            self.configuration == other.configuration
            and self.node == other.node
            and (self.run is None or other.run is None or self.run == other.run)
        )


@dataclass(frozen=True, slots=True)
class Change:
    """A clock was set. Microseconds; instants in UTC as the stamps have them.

    `line_no`: the first line of the file on the new clock. `old_us`: the last instant that the old clock is known to
    have shown; `new_us`: the first of the new one. `step_us`: forward; None: unknown. `error_us`: half width.
    """

    place: Place
    file_id: int
    line_no: int
    old_us: int
    new_us: int
    step_us: int | None
    error_us: int
    source: str

    @property
    def idle_us(self) -> int:
        """How long before `new_us` the clock may have been set."""
        return max(0, self.new_us - self.old_us - (self.step_us or 0))


def rows(con: duckdb.DuckDBPyConnection, name: str, **parameters: object) -> list[Row]:
    """The rows of one of the statements beside this module."""
    return rows_of(con, SQL_FOLDER / f"{name}.sql", **parameters)


def place_of(row: Row) -> Place:
    """Whose clock a row is about."""
    return Place(row["configuration"], row["run"], row["node"])


# --- lines that say so -----------------------------------------------------------------------------------------------


class _Known:
    """Changes by the node whose clock they are of and by time, so that those near a line are found among few."""

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self._by_minute: dict[tuple[str, str | None, int], list[Change]] = defaultdict(list)
        self._by_line: dict[tuple[str, str | None, int], list[Change]] = defaultdict(list)
        for each in changes:
            self.add(each)

    def add(self, change: Change) -> None:
        """Know one more."""
        node = (change.place.configuration, change.place.node)
        self._by_minute[*node, change.new_us // MINUTE].append(change)
        self._by_line[*node, change.line_no].append(change)

    def near(self, place: Place, at_us: int, within_us: int) -> Iterator[Change]:
        """Those of a place's clock that are at most `within_us` before or after an instant."""
        for minute in range((at_us - within_us) // MINUTE, (at_us + within_us) // MINUTE + 1):
            for each in self._by_minute.get((place.configuration, place.node, minute), ()):
                if each.place.holds(place) and abs(each.new_us - at_us) <= within_us:
                    yield each

    def on_line(self, place: Place, line_no: int) -> Iterator[Change]:
        """Those of a place's clock that a line of this number shows."""
        found = self._by_line.get((place.configuration, place.node, line_no), ())
        return (each for each in found if each.place.holds(place))


def reported(lines: Sequence[Row]) -> list[Change]:
    """Changes whose amount a line gives. One that two files or two programs report is one change."""
    found: list[Change] = []
    known = _Known()
    for row in lines:
        if row["kind"] != "stepped" or not row["step_s"]:
            continue
        step_us = round(row["step_s"] * SECOND)
        at_us = row["at_us"]
        change = Change(
            place_of(row), row["file_id"], row["line_no"], at_us - step_us, at_us, step_us, 0, row["writer"]
        )
        if not any(_is_same(change, other) for other in known.near(change.place, at_us, SURE_US)):
            found.append(change)
            known.add(change)
    return found


def _is_same(one: Change, other: Change) -> bool:
    return abs((one.step_us or 0) - (other.step_us or 0)) < 1000 and (
        one.file_id != other.file_id or one.source != other.source
    )


def unmeasured(lines: Sequence[Row], known: Sequence[Change], steady: Sequence[Row]) -> Iterator[Change]:
    """Changes whose amount nothing gives, where no known one explains the line and no count of seconds rules it out."""
    explained = _Known(known)
    steady_of: dict[int, list[Row]] = defaultdict(list)
    for row in steady:
        steady_of[row["file_id"]].append(row)
    for row in lines:
        place, at_us = place_of(row), row["at_us"]
        step_us = None if row["step_s"] is None else round(row["step_s"] * SECOND)
        if row["kind"] == "stepped" or (row["kind"] == "announced" and abs(step_us or 0) <= SLEW_US):
            continue
        near_us = SLEW_LINES_US if row["kind"] in {"announced", "ordered"} else SAME_US
        if any(explained.near(place, at_us, near_us)) or _is_ruled_out(row, steady_of[row["file_id"]]):
            continue
        is_old_clock = row["kind"] in {"announced", "ordered"}
        old_us = at_us if is_old_clock or row["above_us"] is None else row["above_us"]
        error_us = abs(step_us) if row["kind"] == "announced" and step_us is not None else 0
        source = f"{row['writer']} slews" if row["kind"] == "announced" else row["writer"]
        found = Change(place, row["file_id"], row["line_no"], old_us, at_us, None, error_us, source)
        explained.add(found)
        yield found


def _is_ruled_out(row: Row, steady: Sequence[Row]) -> bool:
    """Whether uptime before and after the line shows that the clock was not moved by much."""
    return any(
        each["line_no"] < row["line_no"] < each["next_line"] and abs(each["change_us"]) < LEAST_US for each in steady
    )


# --- counts of seconds -----------------------------------------------------------------------------------------------


def counted(readings: Sequence[Row]) -> Iterator[tuple[Change, int]]:
    """Changes that a count of seconds shows, each with the last line of its file that is sure to be on the old clock.

    The level before and the one after must hold: a kernel's lines may arrive late, and then the count runs ahead of
    the clock for some lines and no longer.
    """
    key = ("file_id", "node", "series", "boot_no")
    for _, group in groupby(readings, key=lambda row: tuple(row[name] for name in key)):
        series = list(group)
        width = _resolution(series) + series[0]["count_resolution_us"]
        start = 0
        for number in range(1, len(series)):
            before = _near(series[start:number], series[number - 1])
            low, high = _between([row["base_us"] for row in before], width)
            base_us = series[number]["base_us"]
            if low - LATE_US <= base_us + width and base_us <= high + LATE_US:
                continue
            after = _level(series[number:], width)
            low, high = _between([row["base_us"] for row in after], width)
            old = next(
                (each for each in reversed(range(start, number)) if _is_apart(series[each], low, high, width)), None
            )
            if old is None:
                continue
            before = _near(series[start : old + 1], series[old])
            returns = series[number + len(after) : number + len(after) + 1]
            bases = _between([row["base_us"] for row in before], width)
            if not _is_level(before) or any(_is_late(row, after, bases, width) for row in returns):
                continue
            found = _measured(before, series[old + 1 : number] + after, width)
            if found is not None:
                yield found, series[old]["line_no"]
                start = old + 1


def _resolution(series: Sequence[Row]) -> int:
    return SECOND if all(row["at_us"] % SECOND == 0 for row in series) else SECOND // 1000


def _near(series: Sequence[Row], last: Row) -> list[Row]:
    """The last readings, of a time so short that two clocks do not drift apart."""
    return [row for row in series[-LEVEL_LINES:] if last["count_us"] - row["count_us"] <= LEVEL_US]


def _level(series: Sequence[Row], width: int) -> list[Row]:
    """The readings after a change that agree with each other."""
    low = high = series[0]["base_us"]
    found = []
    for row in series[:LEVEL_LINES]:
        low, high = min(low, row["base_us"]), max(high, row["base_us"])
        if high - low > width + LATE_US or row["count_us"] - series[0]["count_us"] > LEVEL_US:
            break
        found.append(row)
    return found


def _is_apart(row: Row, low: int, high: int, width: int) -> bool:
    """Whether a reading is not of a level."""
    return bool(row["base_us"] + width < low - LATE_US or row["base_us"] > high + LATE_US)


def _is_late(row: Row, after: Sequence[Row], level: tuple[int, int], width: int) -> bool:
    """Whether all is as before soon after a change: then lines were late, and no clock was set."""
    is_soon = row["count_us"] - after[0]["count_us"] <= SLEW_LINES_US
    return is_soon and not _is_apart(row, *level, width)


def _is_level(readings: Sequence[Row]) -> bool:
    """Whether the clock went on while the count did: lines that a kernel kept for later have one stamp."""
    is_early = readings[0]["series"] == "uptime" and readings[0]["count_us"] <= 60 * SECOND
    return not is_early or len({row["at_us"] for row in readings}) > 1


def _measured(before: Sequence[Row], after: Sequence[Row], width: int) -> Change | None:
    low_before, high_before = _between([row["base_us"] for row in before], width)
    low_after, high_after = _between([row["base_us"] for row in after], width)
    low, high = low_after - high_before, high_after - low_before
    step_us = (low + high) // 2
    if abs(step_us) < LEAST_US:
        return None
    last, first = before[-1], after[0]
    is_sure = len(after) > 1 and len({row["at_us"] for row in after}) > 1
    return Change(
        place_of(first),
        first["file_id"],
        first["line_no"],
        last["at_us"],
        first["at_us"],
        step_us if is_sure else None,
        (high - low + 1) // 2 if is_sure else abs(step_us),
        first["series"] if first["series"] == "uptime" else "LLT's count of silence",
    )


def _between(bases: Sequence[int], width: int) -> tuple[int, int]:
    """Where the base lies: a stamp is cut, so the instant is up to the resolution later."""
    low, high = max(bases), min(bases) + width
    return (low, high) if low <= high else (min(bases), max(bases) + width)


# --- stamps that go back ---------------------------------------------------------------------------------------------


def gone_back(lines: Sequence[Row], known: Sequence[Change]) -> Iterator[Change]:
    """Changes that stamps show by going back. The clock was set back by that much at least; by how much is unknown."""
    explained = _Known(known)
    for row in lines:
        place, above_us, at_us = place_of(row), row["above_us"], row["at_us"]
        beside = chain(explained.near(place, at_us, SAME_US), explained.on_line(place, row["line_no"]))
        if any(each.step_us is None for each in beside):
            continue
        found = Change(place, row["file_id"], row["line_no"], above_us, at_us, None, above_us - at_us, "stamps go back")
        explained.add(found)
        yield found
