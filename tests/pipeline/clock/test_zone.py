"""Zones: every source once, offsets in time, summer time; expected values worked out by hand."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest

from pipeline.clock import file_clock
from tests.support.dated_logs import SUN, TORONTO, Log, dated, moment, resolve, toml


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
    first = resolve(*logs, manifest=toml(manifest))["a"]
    assert (first.timezone_source, first.timezone) == (source, zone)
    assert dated(*logs, manifest=toml(manifest)) == [at]


def test_declared_zone_that_agrees_with_the_offsets_seen_knows_the_other_half_of_the_year() -> None:
    log, diag = Log("messages", "2003-12-24T12:00:00"), Log("db2diag.log", ("2003-07-28T12:00:00", -240))
    assert dated(log, diag) == ["2003-12-24T16:00:00"]
    assert dated(log, diag, manifest=toml(TORONTO)) == ["2003-12-24T17:00:00"]
    found = resolve(log, diag, manifest=toml(TORONTO))["messages"]
    assert (found.timezone_source, found.timezone) == ("node", "America/Toronto")


def test_offset_nearest_in_time_is_taken() -> None:
    log = Log("messages", "2003-07-01T12:00:00", "2003-12-24T12:00:00")
    diag = Log("db2diag.log", ("2003-10-25T12:00:00", -240), ("2003-10-27T12:00:00", -300))
    assert dated(log, diag) == ["2003-07-01T16:00:00", "2003-12-24T17:00:00"]
    assert resolve(log, diag)["messages"].timezone == "-04:00, -05:00"


def test_line_without_offset_takes_that_of_its_file() -> None:
    log = Log("m", ("2003-07-28T10:00:00", -240), "2003-07-28T10:00:01")
    assert dated(log) == ["2003-07-28T14:00:00", "2003-07-28T14:00:01"]


def test_file_in_utc_does_not_hide_the_hosts_own_offset() -> None:
    journal, diag = Log("journal", ("2003-07-28T13:59:00", 0)), Log("db2diag.log", ("2003-07-28T12:00:00", -240))
    assert dated(Log("messages", SUN), journal, diag) == ["2003-07-28T14:00:00"]


def test_seconds_since_1970_of_a_benchmark_tell_nothing_of_the_hosts_zone() -> None:
    logs = [Log("a", SUN), Log("pgbench_log.1", (SUN, 0), log_format="pgbench")]
    assert [each.timezone_source for each in resolve(*logs).values()] == ["assumed", "line"]
    assert [each.timezone_source for each in resolve(*logs, manifest=toml(TORONTO)).values()] == ["manifest", "line"]


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
    clocks = resolve(log, manifest=toml(TORONTO))
    assert file_clock.clock_steps([log.facts(7)], clocks).rows() == [(7, 4, -2058.0, True)]
    assert clocks["m"].doubts == ()


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
    clocks = resolve(log, manifest=toml(TORONTO))
    assert file_clock.clock_steps([log.facts(0)], clocks).get_column("is_dst").to_list() == [False]


def test_spring_hour_is_shifted_forward() -> None:
    log = Log("m", *(f"2003-04-06T{at}" for at in ("01:59:59", "02:30:00", "03:00:00")))
    assert dated(log, manifest=toml(TORONTO)) == ["2003-04-06T06:59:59", "2003-04-06T07:30:00", "2003-04-06T07:00:00"]
    assert dated(log, manifest=toml(TORONTO), column="local_at")[1] == "2003-04-06T02:30:00"
    (doubt,) = resolve(log, manifest=toml(TORONTO))["m"].doubts
    assert (doubt.kind, doubt.between) == ("left_out", (moment("2003-04-06T02:00"), moment("2003-04-06T03:00")))


def test_line_with_an_offset_ignores_the_zone() -> None:
    log = Log("m", ("2003-10-26T01:30:00", -300))
    assert dated(log, manifest=toml(TORONTO)) == ["2003-10-26T06:30:00"]


def test_steps_of_hours_are_never_summer_time() -> None:
    start = moment("2003-10-26T01:59")
    log = Log("m", start.isoformat(), (start - timedelta(hours=3)).isoformat(), "2003-10-26T01:30:00")
    assert dated(log, manifest=toml(TORONTO))[2] == "2003-10-26T05:30:00"


# --- strangers -------------------------------------------------------------------------------------------------------

TOKYO = ("2019-03-05T04:10:00", 540)


@pytest.mark.parametrize(
    ("others", "source"),
    [
        pytest.param([Log("p", TOKYO, node="printer", run=None)], "assumed", id="a stranger of another year"),
        pytest.param([Log("p", TOKYO, node="printer", run="run02")], "assumed", id="in another run"),
        pytest.param([Log("p", (SUN, 540), node="b", run=None)], "study", id="another host of the same time"),
        pytest.param([Log("p", TOKYO, node="b")], "study", id="another host of the same run"),
        pytest.param([Log("p", TOKYO)], "node", id="the same host"),
        pytest.param([Log("p", (SUN, 540), node="b"), Log("q", (SUN, 60), node="c")], "assumed", id="two zones"),
        pytest.param(
            [Log("p", (SUN, 540), node="b", run=None), Log("q", TOKYO[0], node="c", run=None)],
            "study",
            id="and one of none",
        ),
    ],
)
def test_a_zone_is_inherited_from_the_host_the_run_or_the_same_time(others: list[Log], source: str) -> None:
    log = Log("a", "2003-07-28T09:00:00", "2003-07-28T11:00:00", run="run01")
    assert resolve(log, *others)["a"].timezone_source == source


# --- the database of zones -------------------------------------------------------------------------------------------

WITHOUT_DATABASE = """
import polars as pl
from parsers.dated.dated_log import FORMAT
from parsers.zone_names import is_zone
from pipeline.clock.zone import _named_zone
assert all(map(is_zone, ("Europe/Berlin", "US/Eastern", "America/Toronto")))
assert not any(map(is_zone, ("", "+02:00", "Europe/Nowhere", "localtime", "Factory")))
assert _named_zone({"America/Toronto"}) == "America/Toronto"
line = "2026-07-01 10:00:00 Europe/Berlin [1] text"
lines = pl.DataFrame({"file_id": [1], "line_no": [1], "text": [line]}, schema_overrides={"line_no": pl.Int32})
assert FORMAT.parse(lines).tables["log_record"]["utc_offset_min"].to_list() == [120]
"""


def test_names_of_zones_are_known_where_the_system_has_no_database() -> None:
    """A slim container, or a bare Debian."""
    environment = {**os.environ, "PYTHONTZPATH": ""}
    found = subprocess.run([sys.executable, "-c", WITHOUT_DATABASE], env=environment, capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()
