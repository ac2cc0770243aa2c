"""Files whose clock shows another zone than the other logs of their node, by whole quarter hours, and say so nowhere.

What both sources share proves it: HAD's membership follows GAB's within seconds, in any log, and the
crash recovery of a database lies between the initiation of its start and its being online. Where exactly one shift by
quarter hours brings this about, the file is moved. This comes after the steps of the clock are corrected.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import cast

import duckdb
import polars as pl

from pipeline.clock import change, correction
from pipeline.clock.change import SECOND, Place, place_of
from pipeline.clock.correction import Corrections, Moved
from pipeline.clock.doubt import Doubt
from pipeline.clock.repeated_hour import Settled, Window, settle
from pipeline.store import log_tables, store
from pipeline.store.lines import Lines
from pipeline.store.statements import Row

QUARTER = 900 * SECOND
MOST = 56
"""Quarter hours: no two zones are further apart than 26 hours, no two in one cluster than 14."""

BEFORE_US, AFTER_US = 60 * SECOND, 300 * SECOND
"""A recovery so near to the start of its database runs on the same clock, whether the start was complete or not."""

SLACK_US = SECOND
MEMBERSHIP_US = 20 * SECOND
SHARE = 0.7
"""Of the files of a node that are off, at least this many must show the same shift."""

CLOCK_FILE = {
    "file_id": pl.Int32(),
    "path": pl.String(),
    "format": pl.String(),
    "configuration": pl.String(),
    "run": pl.String(),
    "node": pl.String(),
    "timezone_source": pl.String(),
}


@dataclass(frozen=True, slots=True)
class Corrected:
    """What the corrections of all clocks changed: the new spans of files, and doubts about them.

    `settled`: files and hours that come twice, about which there was a doubt.
    """

    spans: Mapping[int, tuple[datetime | None, datetime | None]]
    by_file: dict[int, list[Doubt]]
    settled: Settled = frozenset()


@dataclass(frozen=True, slots=True)
class _File:
    """A file whose content lies elsewhere than that of the node's other logs: by which shifts it would fit."""

    file_id: int
    line_no: int
    place: Place
    fits: frozenset[int]
    pieces: int


def corrected(
    con: duckdb.DuckDBPyConnection,
    lines: Lines,
    files: Sequence[tuple[object, ...]],
    files_with_steps: Iterable[int],
    doubtful_hours: Mapping[int, Sequence[Window]],
) -> Corrected:
    """Correct the times of lines where clocks were set, of hours that come twice, and of files in another zone.

    `files`: rows of `CLOCK_FILE`. `doubtful_hours`: those that come twice in a file, which does not say which is which.
    """
    types = ", ".join(f"{name} {log_tables.sql_type(dtype)}" for name, dtype in CLOCK_FILE.items())
    con.execute(f"create temp table clock_file ({types})")
    store.insert(con, "clock_file", pl.DataFrame(files, schema=CLOCK_FILE, orient="row"))
    done = Corrections(lines)
    correction.correct_steps(con, files_with_steps, done)
    settled = settle(con, doubtful_hours, done)
    doubts: dict[int, list[Doubt]] = defaultdict(list)
    _engine_logs(con, done, doubts)
    _database_logs(con, done, doubts)
    correction.write(con, done)
    moved = done.files()
    spans = correction.spans(con, moved) if moved else {}
    counts = correction.line_counts(con, doubts) if doubts else {}
    con.execute("drop table clock_file")
    counted = {
        file_id: [replace(each, lines=counts.get(file_id, 0)) for each in of_file]
        for file_id, of_file in doubts.items()
    }
    return Corrected(cast("Mapping[int, tuple[datetime | None, datetime | None]]", spans), counted, settled)


# --- engine logs -----------------------------------------------------------------------------------------------------


def _engine_logs(con: duckdb.DuckDBPyConnection, done: Corrections, doubts: dict[int, list[Doubt]]) -> None:
    pairs = change.rows(con, "membership_pairs")
    by_line: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in pairs:
        by_line[row["file_id"], row["line_no"]].append(row)
    by_file: dict[int, list[tuple[Row, frozenset[int]]]] = defaultdict(list)
    for (file_id, _), rows in by_line.items():
        by_file[file_id].append((rows[0], frozenset(shift for row in rows for shift in _following(row))))
    found = [
        _file(file_id, fitting) for file_id, fitting in by_file.items() if not any(0 in fits for _, fits in fitting)
    ]
    _move(con, [each for each in found if each.fits], done, doubts, "HAD's memberships follow GAB's")


def _following(row: Row) -> list[int]:
    """By which shifts a line would stand where its counterpart does."""
    longest = MEMBERSHIP_US if row["is_membership"] else SECOND
    shift = -round((row["later_us"] - longest // 2) / QUARTER)
    return [shift] if -2 * SLACK_US <= row["later_us"] + shift * QUARTER <= longest + SLACK_US else []


def _file(file_id: int, fitting: Sequence[tuple[Row, frozenset[int]]]) -> _File:
    votes = Counter(shift for _, fits in fitting for shift in fits)
    most = max(votes.values(), default=0)
    fits = frozenset(shift for shift, count in votes.items() if count == most and abs(shift) <= MOST)
    first = fitting[0][0]
    return _File(file_id, first["line_no"], place_of(first), fits, len(fitting))


# --- database logs ---------------------------------------------------------------------------------------------------


def _database_logs(con: duckdb.DuckDBPyConnection, done: Corrections, doubts: dict[int, list[Doubt]]) -> None:
    recoveries = change.rows(con, "crash_recoveries")
    starts = _Starts(change.rows(con, "database_starts") if recoveries else [])
    by_file: dict[int, list[tuple[Row, frozenset[int]]]] = defaultdict(list)
    is_near: set[int] = set()
    for recovery in recoveries:
        own = starts.of(place_of(recovery), recovery)
        if own is None:
            continue
        if any(_is_near(recovery, each) for each in own):
            is_near.add(recovery["file_id"])
        by_file[recovery["file_id"]].append(
            (recovery, frozenset(shift for each in own for shift in _within(recovery, each)))
        )
    off = [_file(file_id, fitting) for file_id, fitting in by_file.items() if file_id not in is_near]
    _move(con, off, done, doubts, "its crash recoveries lie within the start of the database")


class _Starts:
    """Starts of databases by whose clock stamps them, in the order of time."""

    REACH_US = MOST * QUARTER + AFTER_US
    """A start further from a recovery is not its start in any zone."""

    def __init__(self, starts: Iterable[Row]) -> None:
        self._of: dict[Place, list[Row]] = defaultdict(list)
        self._of_all_runs: dict[Place, list[Row]] = defaultdict(list)
        for each in sorted(starts, key=itemgetter("start_us")):
            place = place_of(each)
            self._of[place].append(each)
            self._of_all_runs[replace(place, run=None)].append(each)
        self._longest_us = max(
            (each["end_us"] - each["start_us"] for rows in self._of.values() for each in rows), default=0
        )

    def of(self, place: Place, recovery: Row) -> list[Row] | None:
        """The starts that may be a recovery's; None where no log of its place shows any.

        A log above the runs is of all of them.
        """
        above = replace(place, run=None)
        groups = [self._of_all_runs.get(above)] if place.run is None else [self._of.get(place), self._of.get(above)]
        found = [each for each in groups if each]
        return [row for rows in found for row in self._within_reach(rows, recovery)] if found else None

    def _within_reach(self, rows: Sequence[Row], recovery: Row) -> Sequence[Row]:
        first = bisect_left(rows, recovery["start_us"] - self.REACH_US - self._longest_us, key=itemgetter("start_us"))
        last = bisect_right(rows, recovery["end_us"] + self.REACH_US, key=itemgetter("start_us"))
        return rows[first:last]


def _is_near(recovery: Row, start: Row) -> bool:
    return bool(
        recovery["start_us"] <= start["end_us"] + AFTER_US and recovery["end_us"] >= start["start_us"] - BEFORE_US
    )


def _within(recovery: Row, start: Row) -> list[int]:
    """By which shift a recovery would lie within a start; nothing is shifted by more than the zones of a cluster."""
    if start["end_us"] - start["start_us"] > QUARTER // 2:
        return []
    shift = round((start["start_us"] + start["end_us"] - recovery["start_us"] - recovery["end_us"]) / (2 * QUARTER))
    moved_us = shift * QUARTER
    fits = (
        recovery["start_us"] + moved_us >= start["start_us"] - SLACK_US
        and recovery["end_us"] + moved_us <= start["end_us"] + SLACK_US
    )
    return [shift] if fits and shift and abs(shift) <= MOST else []


# --- moving ----------------------------------------------------------------------------------------------------------


def _move(
    con: duckdb.DuckDBPyConnection,
    files: Sequence[_File],
    done: Corrections,
    doubts: dict[int, list[Doubt]],
    then: str,
) -> None:
    """Move files, where those of a node agree by how much; state a doubt where they do not."""
    by_node: dict[str | None, list[_File]] = defaultdict(list)
    for each in files:
        by_node[each.place.node].append(each)
    for node, of_node in by_node.items():
        shifts = _agreed(of_node)
        for each in of_node:
            if each.file_id in shifts:
                _move_file(con, each, shifts[each.file_id], done, doubts, f"for only then {then}")
            else:
                text = (
                    f"do not fit the other logs of {node or 'its node'}: "
                    f"{'several shifts' if each.fits else 'no shift'} by quarter hours would make it so that {then}"
                )
                doubts[each.file_id].append(Doubt("zone", text, each.line_no))


def _agreed(files: Sequence[_File]) -> dict[int, int]:
    """By how much to move each file of a node: what fits most of them, else most of those of its folder group."""
    groups: dict[str, list[_File]] = defaultdict(list)
    for each in files:
        groups[each.place.configuration].append(each)
    whole = _best(files)
    fitting: dict[int, int] = {}
    for group in groups.values():
        shift = _best(group) if whole is None else whole
        fitting |= {each.file_id: shift for each in group if shift is not None and shift in each.fits}
    return fitting


def _best(files: Sequence[_File]) -> int | None:
    votes = Counter(shift for each in files for shift in each.fits)
    most = max(votes.values(), default=0)
    best = [shift for shift, count in votes.items() if count == most and count >= SHARE * len(files)]
    return best[0] if len(best) == 1 else None


def _move_file(  # noqa: PLR0913, PLR0917  what is moved, by how much, why
    con: duckdb.DuckDBPyConnection,
    file: _File,
    shift: int,
    done: Corrections,
    doubts: dict[int, list[Doubt]],
    reason: str,
) -> None:
    """Move a file by quarter hours; or, where its lines print their zone, the node's other logs the other way."""
    is_sure = con.execute(
        "select timezone_source = 'line' from clock_file where file_id = ?", [file.file_id]
    ).fetchall()
    moved, quarters = [file.file_id], shift
    if is_sure == [(True,)]:
        others = con.execute(
            "select file_id from clock_file where configuration = ? and run is not distinct from ? "
            "and lower(short_host(node)) is not distinct from ? and timezone_source <> 'line'",
            [file.place.configuration, file.place.run, file.place.node],
        ).fetchall()
        if others:
            moved, quarters = [each for (each,) in others], -shift
    already = {each.file_id for each in done.moved if each.change_no is None}
    whole = [(each, 0, 2**31 - 1, quarters * QUARTER) for each in moved if each not in already]
    correction.move(con, done.lines, whole)
    for file_id, first, last, shift_us in whole:
        done.moved.append(Moved(file_id, first, last, shift_us, 0, "zone", None))
        text = (
            f"of a clock in another zone than the other logs of {file.place.node or 'its node'}: "
            f"taken {_words(quarters)}, {reason}"
        )
        line_no = file.line_no if file_id == file.file_id else None
        doubts[file_id].append(Doubt("zone", text, line_no))


def _words(quarters: int) -> str:
    hours, rest = divmod(abs(quarters) * 15, 60)
    amount = " ".join(([f"{hours} h"] if hours else []) + ([f"{rest} min"] if rest else []))
    return f"{amount} {'later' if quarters > 0 else 'earlier'}"
