"""Lines of an old clock are moved onto the new one: which of them, by how much, which way, and what is kept of it."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import duckdb
import polars as pl
import pytest

from pipeline.clock import correction
from pipeline.clock.change import SECOND, place_of
from pipeline.clock.correction import Corrections
from pipeline.clock.shift import CLOCK_FILE, _is_near, _Starts, _within
from pipeline.store import log_tables, store
from pipeline.store.lines import InStore
from pipeline.store.statements import Row
from tests.support.hand_made import T0, Ledger, without_rows

Rows = list[tuple[Any, ...]]  # of any columns


class Cluster:
    """The logs of one run of `only`; seconds are those of the stamps as printed."""

    def __init__(self) -> None:
        self.ledger = Ledger()

    def log(self, node: str, name: str = "messages") -> int:
        """A log of a node."""
        return self.ledger.file(f"only/run01/{node}/{name}", "syslog", "only", "run01", node)

    def line(self, file_id: int, second: float) -> int:
        """A line of the node of the log."""
        host = self.ledger.files[file_id - 1]["node"]
        return self.ledger.add("syslog_event", file_id, second, host=host, text="a line")

    def time_reset(self, file_id: int, second: float, step_s: float) -> int:
        """A line by which ntpd says that it has just set the clock."""
        number = self.line(file_id, second)
        host = self.ledger.files[file_id - 1]["node"]
        said = {"host": host, "writer": "ntpd", "kind": "stepped", "step_s": step_s}
        self.ledger.add("clock_set", file_id, second, line_no=number, **said)
        return number

    def correct(self, con: duckdb.DuckDBPyConnection, with_steps: Sequence[int] = ()) -> dict[int, float]:
        """Correct the times. By line, how many seconds its time was moved. `with_steps`: files whose stamps go back."""
        self.ledger.write(con)
        types = ", ".join(f"{name} {log_tables.sql_type(dtype)}" for name, dtype in CLOCK_FILE.items())
        con.execute(f"create temp table clock_file ({types})")
        files = [{**each, "timezone_source": "assumed"} for each in self.ledger.files]
        store.insert(con, "clock_file", pl.DataFrame(files, schema=CLOCK_FILE))
        done = Corrections(InStore(con))
        correction.correct_steps(con, with_steps, done)
        correction.write(con, done)
        moved = con.execute('select line_no, epoch("at" - local_at) from log.syslog_event').fetchall()
        return dict(moved)


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with without_rows() as empty:
        yield empty


def test_lines_before_a_clock_was_set_forward_are_moved_forward(con: duckdb.DuckDBPyConnection) -> None:
    """The clock of b was 10 s slow: what it stamped 5 s was 15 s."""
    cluster = Cluster()
    messages, engine, other = cluster.log("b"), cluster.log("b", "engine_A.log"), cluster.log("a")
    old = [cluster.line(messages, 0), cluster.line(messages, 5), cluster.line(engine, 2), cluster.line(engine, 13)]
    first_new = cluster.time_reset(messages, 25, +10)
    new = [cluster.line(messages, 30), cluster.line(engine, 28)]
    others = [cluster.line(other, 3), cluster.line(other, 26)]
    moved = cluster.correct(con)
    assert moved == {**dict.fromkeys(old, 10.0), **dict.fromkeys([first_new, *new, *others], 0.0)}
    query = 'select node, step_s, error_s, source, file_id, line_no, old_at, "at" from log.clock_change'
    printed = [T0 + timedelta(seconds=each) for each in (15, 25)]
    assert con.execute(query).fetchall() == [("b", 10.0, 0.0, "ntpd", messages, first_new, *printed)]
    kept = con.execute("select file_id, from_line, to_line, shift_s, error_s from log.clock_correction").fetchall()
    assert kept == [(messages, old[0], old[1], 10.0, 0.0), (engine, old[2], old[3], 10.0, 0.0)]


def test_lines_before_a_clock_was_set_back_are_moved_back(con: duckdb.DuckDBPyConnection) -> None:
    """The clock of b was 10 s fast: what it stamped 5 s was -5 s. Where the stamps of a log fall, the clock was set."""
    cluster = Cluster()
    messages, engine, other = cluster.log("b"), cluster.log("b", "engine_A.log"), cluster.log("a")
    old = [cluster.line(messages, 0), cluster.line(messages, 5), cluster.line(engine, 2)]
    first_new = cluster.time_reset(messages, -2, -10)
    new = [cluster.line(messages, 7), cluster.line(engine, -1), cluster.line(engine, 6)]
    others = [cluster.line(other, 3)]
    moved = cluster.correct(con)
    assert moved == {**dict.fromkeys(old, -10.0), **dict.fromkeys([first_new, *new, *others], 0.0)}
    assert con.execute("select distinct shift_s, error_s from log.clock_correction").fetchall() == [(-10.0, 0.0)]


def test_two_changes_add_up(con: duckdb.DuckDBPyConnection) -> None:
    cluster = Cluster()
    messages = cluster.log("b")
    first, _ = cluster.line(messages, 0), cluster.time_reset(messages, 25, +10)
    between, _ = cluster.line(messages, 60), cluster.time_reset(messages, 127, +4)
    moved = cluster.correct(con)
    assert (moved[first], moved[between]) == (14.0, 4.0)


def test_uptimes_of_several_kernels_under_one_name_show_no_clock(con: duckdb.DuckDBPyConnection) -> None:
    """One kernel shows that its clock was set by 100 s; two that take turns show nothing."""
    cluster = Cluster()
    alone, mixed = cluster.log("a"), cluster.log("b")
    for number in range(40):
        second = float(number if number < 20 else number + 100)
        cluster.ledger.add("syslog_event", alone, second, host="a", text="a line", uptime_s=5000.0 + number)
        uptime_s = (9000.0 if number % 2 else 500.0) + number
        cluster.ledger.add("syslog_event", mixed, float(number), host="b", text="a line", uptime_s=uptime_s)
    cluster.correct(con)
    assert con.execute("select file_id, step_s from log.clock_change").fetchall() == [(alone, 100.0)]


def test_the_change_of_another_run_moves_nothing(con: duckdb.DuckDBPyConnection) -> None:
    cluster = Cluster()
    messages = cluster.log("b")
    cluster.line(messages, 0)
    elsewhere = cluster.ledger.file("only/run02/b/messages", "syslog", "only", "run02", "b")
    before = cluster.line(elsewhere, 1)
    cluster.time_reset(elsewhere, 25, +10)
    assert {line for line, seconds in cluster.correct(con).items() if seconds} == {before}


@pytest.mark.parametrize(
    ("above", "below", "is_set"),
    [
        pytest.param(10.95, 10.0, False, id="a whole second below a finer stamp: the head of the line alone"),
        pytest.param(11.0, 10.05, False, id="and above it"),
        pytest.param(11.0, 10.0, True, id="a whole second back, in whole seconds"),
        pytest.param(10.975, 10.025, True, id="0.95 s back in milliseconds"),
        pytest.param(11.05, 10.0, True, id="by more than the coarser of both is fine"),
    ],
)
def test_a_step_below_the_coarser_of_two_resolutions_proves_nothing(
    con: duckdb.DuckDBPyConnection, above: float, below: float, *, is_set: bool
) -> None:
    cluster = Cluster()
    messages = cluster.log("a")
    for second in (9.5, above, below, 12.5):
        cluster.ledger.add("syslog_event", messages, second, host="a", tag="patroni", pid=77, text="a line")
    cluster.correct(con, with_steps=[messages])
    assert bool(con.execute("select * from log.clock_change").fetchall()) == is_set


@pytest.mark.parametrize("is_set", [True, False])
def test_a_log_newest_first_shows_no_clock_that_was_set(con: duckdb.DuckDBPyConnection, *, is_set: bool) -> None:
    cluster = Cluster()
    messages = cluster.log("a")
    seconds = [*range(0, 400, 40), 200.0, *range(240, 600, 40)] if is_set else range(600, 0, -40)
    for second in seconds:
        cluster.line(messages, second)
    cluster.correct(con, with_steps=[messages])
    found = con.execute("select source, error_s from log.clock_change").fetchall()
    assert found == ([("stamps go back", 160.0)] if is_set else [])


DAY = 86_400 * SECOND


def row(run: str | None, start_s: float, took_s: float = 20, node: str = "alder") -> Row:
    start_us = int(start_s * SECOND)
    return {
        "configuration": "default",
        "run": run,
        "node": node,
        "start_us": start_us,
        "end_us": start_us + int(took_s * SECOND),
    }


def starts_of(recovery: Row, starts: list[Row]) -> list[Row]:
    return [each for each in starts if place_of(each).holds(place_of(recovery))]


@pytest.mark.parametrize("run", [pytest.param("run07", id="of a run"), pytest.param(None, id="above the runs")])
@pytest.mark.parametrize("off_s", [0, 3_600, -7_200, 50 * 3_600])
def test_what_a_recovery_fits_is_found_among_the_starts_near_it(run: str | None, off_s: int) -> None:
    starts = [row(f"run{number:02}", number * 7_200) for number in range(40)]
    starts += [row(None, number * 9_000 + 5, took_s=400 * number) for number in range(40)]
    starts += [row("run07", number * 7_200, node="birch") for number in range(40)]
    recovery = row(run, 7 * 7_200 + 4 + off_s, took_s=9)
    every = starts_of(recovery, starts)
    near = _Starts(starts).of(place_of(recovery), recovery) or []
    assert {shift for each in near for shift in _within(recovery, each)} == {
        shift for each in every for shift in _within(recovery, each)
    }
    assert any(_is_near(recovery, each) for each in near) == any(_is_near(recovery, each) for each in every)


def test_a_recovery_is_compared_with_as_many_starts_in_a_month_of_runs_as_in_a_year() -> None:
    recovery = row("run05", 5 * 3_600)
    month, year = ([row(None, number * 3_600) for number in range(days * 24)] for days in (30, 365))
    assert len(_Starts(month).of(place_of(recovery), recovery) or ()) == len(
        _Starts(year).of(place_of(recovery), recovery) or ()
    )


def test_a_place_without_starts_proves_nothing() -> None:
    assert _Starts([row("run01", 0)]).of(place_of(row("run02", 0)), row("run02", 0)) is None
    assert _Starts([row("run01", 400 * DAY / SECOND)]).of(place_of(row("run01", 0)), row("run01", 0)) == []
