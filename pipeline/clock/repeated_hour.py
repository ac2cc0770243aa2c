"""Lines of the hour that comes twice whose file does not show which of the two: they lie where the host's logs go on.

A log of few lines, as a database writes it, has no stamp that steps back, and spans both hours. The other logs of its
host have lines near one of the two instants that a stamp may mean, and none near the other. Lines of one log are in the
order of time: where a line is of the second hour, none behind it is of the first.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import duckdb
import polars as pl

from pipeline.clock import correction
from pipeline.clock.correction import NEAR_US, Corrections, Moved
from pipeline.store.statements import dated_lines

SOURCE = "hour that comes twice"

CLEARLY = 3
"""An instant counts whose nearest line of other logs is this much nearer: the lines of one failover lie together."""

Window = tuple[datetime, datetime]
"""The hour, on the wall clock."""

Settled = frozenset[tuple[int, Window]]
"""Files and the hours in which they are no longer doubtful."""

OTHERS = """
select epoch_us("at") as at_us
from ({dated}) as lines
inner join clock_file as other using (file_id)
inner join clock_file as own on own.file_id = $file_id
where
    other.file_id <> own.file_id
    and not list_contains($doubtful, other.file_id)
    and other.configuration = own.configuration
    and other.run is not distinct from own.run
    and lower(short_host(other.node)) is not distinct from lower(short_host(own.node))
order by at_us
"""


def settle(con: duckdb.DuckDBPyConnection, doubtful: Mapping[int, Sequence[Window]], done: Corrections) -> Settled:
    """Move lines of doubtful hours that are of the second one. `doubtful`: the hours of each file."""
    settled: set[tuple[int, Window]] = set()
    for file_id, windows in doubtful.items():
        for window in windows:
            second = _second_lines(con, file_id, window, sorted(doubtful))
            if second is None:
                continue
            settled.add((file_id, window))
            if second:
                shift_us = _us(window[1] - window[0])
                moved = (file_id, second[0], second[1], shift_us)
                correction.move(con, done.lines, [moved])
                done.moved.append(Moved(*moved, 0, SOURCE, None))
    return frozenset(settled)


def _second_lines(
    con: duckdb.DuckDBPyConnection, file_id: int, window: Window, doubtful: Sequence[int]
) -> tuple[()] | tuple[int, int] | None:
    """First and last line of the second hour, none where all are of the first; None where that is not known."""
    own = dated_lines(
        'line_no, epoch_us("at") as at_us', "file_id = $file_id and local_at >= $start and local_at < $end"
    )
    lines = con.execute(
        f"select distinct line_no, at_us from ({own}) order by line_no",
        {"file_id": file_id, "start": window[0], "end": window[1]},
    ).fetchall()
    others = con.execute(
        OTHERS.format(dated=dated_lines('file_id, "at"', '"at" is not null')),
        {"file_id": file_id, "doubtful": list(doubtful)},
    ).fetchall()
    if not lines or not others:
        return None
    sure = pl.Series([at_us for (at_us,) in others], dtype=pl.Int64())
    at_us = pl.Series([at for _, at in lines], dtype=pl.Int64())
    hours = second_hours(at_us, sure, _us(window[1] - window[0]))
    if None in hours:
        return None
    second = [line_no for (line_no, _), is_second in zip(lines, hours, strict=True) if is_second]
    return (second[0], second[-1]) if second else ()


def second_hours(at_us: pl.Series, sure: pl.Series, hour_us: int) -> list[bool | None]:
    """Of lines in order, each taken to be of the first hour, whether it is of the second; None where nothing shows it.

    `sure`: instants of other logs, sorted.
    """
    first, second = (correction.distance(each, sure).to_list() for each in (at_us, at_us + hour_us))
    votes = list(map(_vote, first, second))
    last_first = max((i for i, vote in enumerate(votes) if vote is False), default=-1)
    first_second = votes.index(True) if True in votes else len(votes)
    if first_second < last_first:
        return [None] * len(votes)
    return list(_filled(votes, last_first, first_second))


def _vote(to_first_us: int, to_second_us: int) -> bool | None:
    near, far = sorted((to_first_us, to_second_us))
    is_clear = near <= NEAR_US < far and far > CLEARLY * near
    return near == to_second_us if is_clear else None


def _filled(votes: Sequence[bool | None], last_first: int, first_second: int) -> Iterator[bool | None]:
    for i in range(len(votes)):
        yield True if i >= first_second else False if i <= last_first else None


def _us(length: timedelta) -> int:
    return length // timedelta(microseconds=1)
