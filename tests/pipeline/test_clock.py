"""Year and zone: every source once, New Year, 29 February, summer time; expected values worked out by hand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA
from pipeline import clock
from pipeline.clock import FileClock, StampFacts
from pipeline.manifest import Manifest, parse

moment = datetime.fromisoformat

NOW = moment("2026-03-01T12:00")
NO_MANIFEST = Manifest()

Row = tuple[str, int | None]  # stamp ("07-28T10:00:00" bears no year), offset


class Log:
    """A file for the clock: its rows, and what assignment found."""

    def __init__(self, path: str, *rows: Row | str, run: str | None = "run01", node: str | None = "sun-ha4") -> None:
        self.path = path
        self.run, self.node = run, node
        self.modified_at: datetime | None = None
        self.rows: list[Row] = [(row, None) if isinstance(row, str) else row for row in rows]

    def modified(self, at: datetime) -> "Log":
        self.modified_at = at
        return self

    def frame(self, file_id: int) -> pl.DataFrame:
        cells = []
        for line, (text, offset) in enumerate(self.rows, 1):
            has_year = text[4] == "-"
            stamp = datetime.fromisoformat(text if has_year else f"2000-{text}")
            cells.append((file_id, line, 1, stamp, has_year, offset))
        return pl.DataFrame(cells, schema={**KEY_SCHEMA, **STAMP_SCHEMA}, orient="row")

    def facts(self, file_id: int) -> StampFacts:
        stamps = clock.stamps_of(clock.facts_of(self.frame(file_id))).get(file_id)
        return StampFacts(file_id, self.path, "tuned", self.run, self.node, "syslog", self.modified_at, stamps)


def settle(*logs: Log, manifest: Manifest = NO_MANIFEST, now: datetime = NOW) -> dict[str, FileClock]:
    return clock.settle([log.facts(i) for i, log in enumerate(logs)], manifest, now)


def dated(*logs: Log, manifest: Manifest = NO_MANIFEST, column: str = "at") -> list[str | None]:
    """The rows of the first log."""
    clocks = dict(enumerate(settle(*logs, manifest=manifest).values()))
    cells = clock.apply(logs[0].frame(0), clocks).get_column(column).to_list()
    return [at and at.isoformat() for at in cells]


def toml(text: str) -> Manifest:
    return parse(text.encode())


# --- year ------------------------------------------------------------------------------------------------------------

JULY = "07-28T10:27:04"
YEAR_2003 = "2003-07-28T10:27:00"


@pytest.mark.parametrize(
    ("logs", "manifest", "source", "year"),
    [
        pytest.param([Log("messages", JULY)], "[study]\nyear = 2003", "explicit", 2003, id="explicit: the study"),
        pytest.param(
            [Log("messages", JULY, YEAR_2003)],
            '[[files]]\nmatch = "messages"\nyear = 2002',
            "explicit",
            2002,
            id="explicit: an override for the file comes before its own lines",
        ),
        pytest.param([Log("ha-log", JULY, YEAR_2003)], "[study]\nyear = 2002", "in_line", 2003, id="in_line"),
        pytest.param([Log("engine_A.log", YEAR_2003)], "", "in_line", 2003, id="in_line: every line"),
        pytest.param(
            [
                Log("messages", JULY),
                Log("engine_A.log", YEAR_2003),
                Log("other", "2004-07-28T10:00:00", node="sun-ha5"),
            ],
            "",
            "sibling",
            2003,
            id="sibling: node and run first",
        ),
        pytest.param(
            [Log("messages", JULY), Log("x", YEAR_2003, node="b"), Log("y", "2004-07-28T10:00:00", run="run02")],
            "",
            "sibling",
            2003,
            id="sibling: then the run",
        ),
        pytest.param([Log("messages", JULY), Log("y", YEAR_2003, run="run02")], "", "sibling", 2003, id="sibling: any"),
        pytest.param([Log("messages-20031001", JULY)], "", "filename", 2003, id="filename: rotation"),
        pytest.param([Log("messages-20030301", JULY)], "", "filename", 2002, id="filename: before the rotation"),
        pytest.param([Log("2003-07-28T1000/messages", JULY)], "", "filename", 2003, id="filename: folder"),
        pytest.param([Log("20030728102704/messages", JULY)], "", "filename", 2003, id="filename: folder to the second"),
        pytest.param([Log("a.zip!/messages", JULY).modified(moment("2003-08-01"))], "", "archive", 2003, id="archive"),
        pytest.param([Log("messages", JULY).modified(moment("2003-08-01"))], "", "mtime", 2003, id="mtime"),
        pytest.param(
            [Log("messages", JULY).modified(moment("2003-07-27T11:00"))], "", "mtime", 2003, id="mtime: a day off"
        ),
        pytest.param([Log("messages", JULY).modified(moment("2003-05-01"))], "", "mtime", 2002, id="mtime: last year"),
        pytest.param(
            [Log("messages", JULY).modified(moment("1970-01-01"))], "", "now", 2025, id="now: mtime is no time"
        ),
        pytest.param(
            [Log("messages", JULY).modified(moment("2027-01-01"))], "", "now", 2025, id="now: mtime in the future"
        ),
        pytest.param([Log("messages", "02-28T00:00:00")], "", "now", 2026, id="now"),
    ],
)
def test_year_source(logs: list[Log], manifest: str, source: str, year: int) -> None:
    first = next(iter(settle(*logs, manifest=toml(manifest)).values()))
    assert (first.year_source, first.first_year) == (source, year)


def test_year_taken_from_the_clock_of_today_is_a_doubt() -> None:
    assert "study.toml" in str(settle(Log("messages", JULY))["messages"].doubt)


def test_file_without_dated_lines_has_no_clock() -> None:
    found = settle(Log("main.cf"))["main.cf"]
    assert (found.timezone, found.timezone_source, found.year_source, found.first_year) == (None, None, None, None)


def test_now_may_carry_a_zone() -> None:
    assert settle(Log("messages", JULY), now=NOW.replace(tzinfo=UTC))["messages"].first_year == 2025


NEW_YEAR = ("12-31T23:59:58", "01-01T00:00:02")
AROUND_NEW_YEAR = ["2003-12-31T23:59:58", "2004-01-01T00:00:02"]


@pytest.mark.parametrize(
    ("logs", "manifest"),
    [
        pytest.param([Log("m", *NEW_YEAR), Log("e", "2004-01-01T00:00:05")], "", id="sibling on the last line's day"),
        pytest.param([Log("m", *NEW_YEAR), Log("e", "2003-12-31T10:00:00")], "", id="sibling on the first line's day"),
        pytest.param([Log("m", *NEW_YEAR), Log("e", "2003-12-20T10:00:00")], "", id="nearest sibling before"),
        pytest.param([Log("m", *NEW_YEAR)], "[study]\nyear = 2004", id="a stated year is the last line's"),
        pytest.param(
            [Log("m", *NEW_YEAR), Log("e", "2003-12-31T10:00:00")],
            "[study]\nyear = 2003",
            id="unless others show it is not",
        ),
        pytest.param([Log("m-20040104", *NEW_YEAR)], "", id="filename"),
        pytest.param([Log("m", *NEW_YEAR).modified(moment("2004-01-01T00:01"))], "", id="mtime"),
    ],
)
def test_new_year_within_a_file(logs: list[Log], manifest: str) -> None:
    assert dated(*logs, manifest=toml(manifest), column="local_at") == AROUND_NEW_YEAR


def test_new_year_with_the_only_year_on_the_last_line() -> None:
    log = Log("ha-log", "12-30T00:00:00", *NEW_YEAR, "2004-01-01T00:00:03")
    assert dated(log, column="local_at") == ["2003-12-30T00:00:00", *AROUND_NEW_YEAR, "2004-01-01T00:00:03"]


def test_line_takes_the_year_of_the_nearest_line_that_bears_one() -> None:
    log = Log("ha-log", "2003-07-01T00:00:00", "07-02T00:00:00", "08-01T00:00:00", "2004-08-01T00:00:00")
    assert dated(log, column="local_at")[1:3] == ["2003-07-02T00:00:00", "2004-08-01T00:00:00"]


def test_mixed_file_goes_on_counting_new_years_after_its_last_anchor() -> None:
    log = Log("ha-log", "2003-12-31T00:00:00", "12-31T00:00:01", "01-01T00:00:00", "08-30T00:00:00", "01-02T00:00:00")
    assert dated(log, column="local_at")[1:] == [
        "2003-12-31T00:00:01",
        "2004-01-01T00:00:00",
        "2004-08-30T00:00:00",
        "2005-01-02T00:00:00",
    ]


def test_rotated_copies_are_one_log() -> None:
    logs = [
        Log("messages", "01-05T00:00:00").modified(moment("2004-01-06")),
        Log("messages.1", "12-28T00:00:00", "01-02T00:00:00"),
        Log("messages.2.gz", "11-01T00:00:00"),
    ]
    found = settle(*logs)
    assert [found[log.path].first_year for log in logs] == [2004, 2003, 2003]
    assert {each.year_source for each in found.values()} == {"mtime"}


def test_long_sibling_leaves_a_doubt_about_the_year() -> None:
    found = settle(Log("messages", JULY), Log("e", "2003-07-28T00:00:00", "2004-07-28T00:00:00"))["messages"]
    assert found.first_year == 2004
    assert "2003, 2004" in str(found.doubt)


def test_days_in_common_decide_between_the_years_of_a_long_sibling() -> None:
    sibling = Log("e", "2003-01-01T00:00:00", "2003-07-28T10:00:00", "2004-12-31T00:00:00")
    assert settle(Log("messages", JULY), sibling)["messages"].first_year == 2003


LEAP_DAY = "02-29T10:00:00"


@pytest.mark.parametrize(
    ("logs", "manifest", "expected"),
    [
        pytest.param([Log("m", LEAP_DAY)], "[study]\nyear = 2003", None, id="a stated year is not moved"),
        pytest.param([Log("m", LEAP_DAY)], "[study]\nyear = 2004", "2004-02-29T10:00:00", id="leap year"),
        pytest.param([Log("m", LEAP_DAY)], "", "2024-02-29T10:00:00", id="now: the last leap year"),
        pytest.param(
            [Log("m", LEAP_DAY), Log("e", "2003-03-10T00:00:00")], "", "2004-02-29T10:00:00", id="sibling close by"
        ),
        pytest.param(
            [Log("m", LEAP_DAY, "03-01T00:00:00"), Log("e", "2003-03-01T00:00:00")], "", None, id="sibling of that day"
        ),
    ],
)
def test_29_february(logs: list[Log], manifest: str, expected: str | None) -> None:
    for column in ("at", "local_at"):
        assert dated(*logs, manifest=toml(manifest), column=column)[0] == expected


def test_day_that_does_not_exist_is_counted() -> None:
    log = Log("m", LEAP_DAY, JULY)
    clocks = {0: settle(log, manifest=toml("[study]\nyear = 2003"))["m"]}
    assert clock.doubts(log.frame(0), clocks).rows() == [(0, 1, 0, 0)]


# --- zone ------------------------------------------------------------------------------------------------------------

TORONTO = '[study]\ntimezone = "America/Toronto"\n'
SUN = "2003-07-28T10:00:00"


@pytest.mark.parametrize(
    ("logs", "manifest", "source", "zone", "at"),
    [
        pytest.param(
            [Log("a", (SUN, 120)), Log("b", (SUN, -240))], TORONTO, "line", "+02:00", "2003-07-28T08:00:00", id="line"
        ),
        pytest.param(
            [Log("a", SUN), Log("db2diag.log", (SUN, -240)), Log("c", (SUN, 120), node="berlin")],
            '[study]\ntimezone = "Asia/Tokyo"',
            "node",
            "-04:00",
            "2003-07-28T14:00:00",
            id="node before study.toml",
        ),
        pytest.param(
            [Log("a", SUN), Log("c", (SUN, 120), node="b")],
            TORONTO,
            "manifest",
            "America/Toronto",
            "2003-07-28T14:00:00",
            id="manifest before the only zone",
        ),
        pytest.param(
            [Log("a", SUN)],
            TORONTO + '[node."SUN-HA4"]\ntimezone = "Europe/Berlin"',
            "manifest",
            "Europe/Berlin",
            "2003-07-28T08:00:00",
            id="manifest: the node before the study",
        ),
        pytest.param(
            [Log("a", SUN), Log("b", (SUN, -240))],
            '[[files]]\nmatch = "a"\ntimezone = "+02:00"',
            "manifest",
            "+02:00",
            "2003-07-28T08:00:00",
            id="manifest: an override for the very file",
        ),
        pytest.param(
            [Log("a", SUN), Log("c", (SUN, -240), node="b")], "", "study", "-04:00", "2003-07-28T14:00:00", id="study"
        ),
        pytest.param(
            [Log("a", "2003-12-28T10:00:00"), Log("c", (SUN, -240), node="b"), Log("d", (SUN, -240), node="c")],
            '[node.b]\ntimezone = "America/Toronto"',
            "study",
            "America/Toronto",
            "2003-12-28T15:00:00",
            id="study: a name that agrees with the offsets",
        ),
        pytest.param(
            [Log("a", SUN), Log("c", (SUN, -240), node="b"), Log("d", (SUN, 120), node="c")],
            "",
            "assumed",
            "UTC",
            SUN,
            id="assumed: two zones in the study",
        ),
        pytest.param([Log("a", SUN)], "", "assumed", "UTC", SUN, id="assumed"),
    ],
)
def test_timezone_source(logs: list[Log], manifest: str, source: str, zone: str, at: str) -> None:
    first = settle(*logs, manifest=toml(manifest))["a"]
    assert (first.timezone_source, first.timezone) == (source, zone)
    assert dated(*logs, manifest=toml(manifest)) == [at]


def test_offset_nearest_in_time_is_taken() -> None:
    log = Log("messages", "2003-07-01T12:00:00", "2003-12-24T12:00:00")
    diag = Log("db2diag.log", ("2003-10-25T12:00:00", -240), ("2003-10-27T12:00:00", -300))
    assert dated(log, diag) == ["2003-07-01T16:00:00", "2003-12-24T17:00:00"]
    assert settle(log, diag)["messages"].timezone == "-04:00, -05:00"


def test_line_without_offset_takes_that_of_its_file() -> None:
    log = Log("m", ("2003-07-28T10:00:00", -240), "2003-07-28T10:00:01")
    assert dated(log) == ["2003-07-28T14:00:00", "2003-07-28T14:00:01"]


def test_file_in_utc_does_not_hide_the_hosts_own_offset() -> None:
    journal, diag = Log("journal", ("2003-07-28T13:59:00", 0)), Log("db2diag.log", ("2003-07-28T12:00:00", -240))
    assert dated(Log("messages", SUN), journal, diag) == ["2003-07-28T14:00:00"]


def test_host_in_utc_is_in_utc() -> None:
    assert dated(Log("messages", SUN), Log("db2diag.log", (SUN, 0)), manifest=toml(TORONTO)) == [SUN]


def test_stamp_in_utc_does_not_hide_the_hosts_own_offset() -> None:
    log = Log("messages", "2003-07-28T10:00:00")
    mixed = Log("app.log", ("2003-07-28T14:00:00", 0), ("2003-07-28T10:00:00", -240), ("2003-07-28T14:00:01", 0))
    assert dated(log, mixed) == ["2003-07-28T14:00:00"]


def test_clock_that_was_ahead_is_set_back() -> None:
    manifest = toml('[node."sun-ha4"]\nclock_offset_s = 1.5')
    assert dated(Log("m", SUN), manifest=manifest) == ["2003-07-28T09:59:58.500000"]
    assert dated(Log("m", SUN), manifest=manifest, column="local_at") == [SUN]


# --- summer time: America/Toronto began it on 2003-04-06 and ended it on 2003-10-26 ---------------------------------


def test_autumn_hour_is_the_first_until_the_clock_steps_back() -> None:
    log = Log(
        "m", *(f"2003-10-26T{at}" for at in ("00:59:00", "01:01:00", "01:59:14", "01:24:56", "01:50:16", "02:08:19"))
    )
    assert dated(log, manifest=toml(TORONTO)) == [
        "2003-10-26T04:59:00",
        "2003-10-26T05:01:00",
        "2003-10-26T05:59:14",
        "2003-10-26T06:24:56",
        "2003-10-26T06:50:16",
        "2003-10-26T07:08:19",
    ]
    clocks = settle(log, manifest=toml(TORONTO))
    assert clock.clock_steps([log.facts(7)], clocks).rows() == [(7, 4, -2058.0, True)]
    assert clock.doubts(log.frame(0), {0: clocks["m"]}).rows() == [(0, 0, 0, 4)]


@pytest.mark.parametrize("at", ["01:59:14", "01:58:20"], ids=["same second", "54 s back: disorder"])
def test_autumn_hour_without_a_step_back_is_the_first(at: str) -> None:
    log = Log("m", "2003-10-26T01:59:14", f"2003-10-26T{at}")
    assert dated(log, manifest=toml(TORONTO))[1] == f"2003-10-26T05{at[2:]}"


def test_autumn_hour_of_a_log_without_years() -> None:
    log = Log("m", "10-26T01:59:14", "10-26T01:24:56")
    manifest = toml('[study]\ntimezone = "America/Toronto"\nyear = 2003')
    assert dated(log, manifest=manifest) == ["2003-10-26T05:59:14", "2003-10-26T06:24:56"]


def test_step_back_on_another_day_is_no_end_of_summer_time() -> None:
    log = Log("m", "2003-10-25T01:59:14", "2003-10-25T01:24:56", "2003-10-26T01:30:00")
    assert dated(log, manifest=toml(TORONTO))[2] == "2003-10-26T05:30:00"
    clocks = settle(log, manifest=toml(TORONTO))
    assert clock.clock_steps([log.facts(0)], clocks).get_column("is_dst").to_list() == [False]


def test_spring_hour_is_shifted_forward() -> None:
    log = Log("m", *(f"2003-04-06T{at}" for at in ("01:59:59", "02:30:00", "03:00:00")))
    assert dated(log, manifest=toml(TORONTO)) == ["2003-04-06T06:59:59", "2003-04-06T07:30:00", "2003-04-06T07:00:00"]
    assert dated(log, manifest=toml(TORONTO), column="local_at")[1] == "2003-04-06T02:30:00"
    assert clock.doubts(log.frame(0), {0: settle(log, manifest=toml(TORONTO))["m"]}).rows() == [(0, 0, 1, 0)]


def test_line_with_an_offset_ignores_the_zone() -> None:
    log = Log("m", ("2003-10-26T01:30:00", -300))
    assert dated(log, manifest=toml(TORONTO)) == ["2003-10-26T06:30:00"]


# --- whole frames ----------------------------------------------------------------------------------------------------


def test_other_columns_and_order_stay() -> None:
    log = Log("m", "2003-07-28T10:00:01", "2003-07-28T10:00:00")
    frame = log.frame(0).with_columns(text=pl.Series(["b", "a"]))[::-1]
    placed = clock.apply(frame, {0: settle(log)["m"]})
    assert placed.columns == [*KEY_SCHEMA, "at", "local_at", "text"]
    assert placed.get_column("line_no").to_list() == [2, 1]


def test_empty_frame() -> None:
    assert clock.apply(Log("m").frame(0), {}).columns == [*KEY_SCHEMA, "at", "local_at"]


MOMENTS = st.datetimes(moment("2000-01-01"), moment("2004-12-31")).map(lambda at: at.replace(microsecond=0).isoformat())
ANY_ROWS = st.lists(st.tuples(MOMENTS, st.sampled_from([None, None, 0, -240, 840])), max_size=20)


@settings(max_examples=40, deadline=None)
@given(st.lists(ANY_ROWS, min_size=1, max_size=4), st.sampled_from(["", TORONTO, "[study]\nyear = 2003"]), st.data())
def test_any_stamps_are_placed_and_chunks_change_nothing(
    files: list[list[Row]], manifest: str, data: st.DataObject
) -> None:
    logs = [
        Log(f"m.{i}", *((at[5:] if at.startswith("2000") else at, offset) for at, offset in rows), node=f"n{i % 2}")
        for i, rows in enumerate(files)
    ]
    clocks = settle(*logs, manifest=toml(manifest))
    by_id = {i: clocks[log.path] for i, log in enumerate(logs)}
    frame = pl.concat([log.frame(i) for i, log in enumerate(logs)])
    whole = clock.apply(frame, by_id)
    assert whole.height == frame.height
    cut = data.draw(st.integers(0, frame.height))
    assert pl.concat([clock.apply(part, by_id) for part in (frame[:cut], frame[cut:])]).equals(whole)


def test_settling_does_not_depend_on_the_order_of_files() -> None:
    logs = [Log("messages.1", *NEW_YEAR), Log("messages", JULY), Log("e", (YEAR_2003, -240)), Log("x", SUN, node="y")]
    facts = [log.facts(i) for i, log in enumerate(logs)]
    assert clock.settle(facts, NO_MANIFEST, NOW) == clock.settle(facts[::-1], NO_MANIFEST, NOW)


def test_file_of_another_run_is_no_nearer_relative() -> None:
    near = Log("e", "2003-07-28T00:00:00", node="other")
    far = Log("d", "2004-07-28T00:00:00", run="run02")
    log = Log("messages", JULY).facts(0)
    moved = replace(log, run="run02")
    facts = [near.facts(1), far.facts(2)]
    assert clock.settle([log, *facts], NO_MANIFEST, NOW)["messages"].first_year == 2003
    assert clock.settle([moved, *facts], NO_MANIFEST, NOW)["messages"].first_year == 2004


def test_steps_of_hours_are_never_summer_time() -> None:
    start = moment("2003-10-26T01:59")
    log = Log("m", start.isoformat(), (start - timedelta(hours=3)).isoformat(), "2003-10-26T01:30:00")
    assert dated(log, manifest=toml(TORONTO))[2] == "2003-10-26T05:30:00"
