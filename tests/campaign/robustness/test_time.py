"""Clocks as they are: New Year, leap days, summer time, steps, skew, contradictions."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.support.failover_logs import (
    CRASH,
    INFERRED,
    LATE_S,
    Failover,
    Store,
    ingested,
    text_of,
    write,
    write_logs,
    write_run,
    write_timers,
)

TORONTO = '[study]\ntimezone = "America/Toronto"\n'


def moment(text: str) -> datetime:
    """A wall clock time."""
    return datetime.fromisoformat(text)


def toronto(at: datetime) -> datetime:
    """What a clock in Toronto shows at a time in UTC."""
    return at.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo("America/Toronto")).replace(tzinfo=None)


def study_of(folder: Path, failover: Failover, manifest: str = "") -> Store:
    """One run in configuration `default`."""
    study = folder / "study"
    write_timers(study / "default")
    write_run(study / "default" / "run01", failover)
    write(study / "study.toml", manifest)
    return ingested(study)


CALENDAR = {
    "New Year two seconds after the crash": "2003-12-31T23:59:58",
    "New Year during the failover": "2003-12-31T23:59:30",
    "into 29 February": "2004-02-28T23:59:50",
    "29 February": "2004-02-29T12:00:00",
    "past 28 February": "2003-02-28T23:59:50",
    "into 2000": "1999-12-31T23:59:50",
    "past 2^31 seconds": "2038-01-19T03:14:00",
    "first minutes of Unix time": "1970-01-01T00:10:00",
}
SUMMER_TIME = {
    "the hour that comes twice begins again": "2003-10-26T05:59:50",
    "before it begins again": "2003-10-26T05:55:00",
    "in the second of the two hours": "2003-10-26T06:10:00",
    "the hour that is left out": "2003-04-06T06:59:50",
    "after the hour that is left out": "2003-04-06T07:30:00",
}


@pytest.fixture(scope="module")
def calendar(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One configuration for each crash, in UTC."""
    study = tmp_path_factory.mktemp("calendar") / "calendar"
    for configuration, crash in CALENDAR.items():
        write_timers(study / configuration)
        write_run(study / configuration / "run01", Failover(crash=moment(crash)))
    return ingested(study)


@pytest.fixture(scope="module")
def summer_time(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One configuration for each crash, on clocks in Toronto."""
    study = tmp_path_factory.mktemp("summer") / "summer"
    for configuration, crash in SUMMER_TIME.items():
        write_timers(study / configuration)
        write_run(study / configuration / "run01", Failover(crash=moment(crash), shown=toronto))
    write(study / "study.toml", TORONTO)
    return ingested(study)


@pytest.mark.parametrize("configuration", CALENDAR)
def test_a_calendar_changes_no_duration(calendar: Store, configuration: str) -> None:
    assert calendar.milestones(configuration) == pytest.approx(INFERRED, abs=1e-9)
    fault_at = moment(CALENDAR[configuration]) + timedelta(seconds=LATE_S)
    assert calendar.run(configuration)["fault_at"] == fault_at
    assert calendar.flags(configuration) == set()


@pytest.mark.parametrize("configuration", SUMMER_TIME)
def test_summer_time_of_the_study_changes_no_duration(summer_time: Store, configuration: str) -> None:
    assert summer_time.milestones(configuration) == pytest.approx(INFERRED, abs=1e-9)
    assert "clock_step" not in summer_time.flags(configuration)


def test_one_syslog_over_new_year_serves_both_runs(tmp_path: Path) -> None:
    """A messages file above the run folders, without years, that holds two failovers in two years."""
    study = tmp_path / "study"
    write_timers(study / "default")
    old, new = Failover(crash=moment("2003-12-31T22:00:00")), Failover(crash=moment("2004-01-01T01:00:00"))
    back = old.syslog_line(400, "kernel: GAB INFO V-15-1-20036 Port a gen 79c060 membership 01")
    write_logs(study / "default", {"messages": [*old.messages(), back, *new.messages()]})
    for run, crash in (("run01", old), ("run02", new)):
        write_logs(
            study / "default" / run / "sun-ha4", {"engine_A.log": crash.engine(), "db2diag.log": crash.db2diag()}
        )
    found = ingested(study)
    assert found.files()["default/messages"]["year_source"] == "sibling"
    assert found.one("select min(year(local_at)), max(year(local_at)) from log.syslog_event") == (2003, 2004)
    for run in ("run01", "run02"):
        milestones = found.milestones("default", run)
        assert milestones["complete"] - milestones["detect"] == pytest.approx(6)
        assert milestones["db2udb"] - milestones["ip"] == pytest.approx(44)


@pytest.mark.parametrize(
    ("manifest", "year"),
    [
        pytest.param("[study]\nyear = 2001\n", 2001, id="another year"),
        pytest.param("[study]\nyear = 2004\n", 2004, id="the year after"),
    ],
)
def test_a_wrong_year_is_believed_and_invents_nothing(tmp_path: Path, manifest: str, year: int) -> None:
    """What study.toml declares wins. Lines of another year are then no evidence; those that have their year are."""
    found = study_of(tmp_path, Failover(), manifest)
    messages = found.files()["default/run01/sun-ha4/messages"]
    assert (messages["first_at"].year, messages["year_source"]) == (year, "explicit")
    assert "llt" not in found.milestones("default")
    assert found.rows("select * from milestone where abs(elapsed_s) > 3600") == []
    milestones = found.milestones("default")
    assert milestones["complete"] - milestones["detect"] == pytest.approx(6)


def test_doubts_stay_in_a_store_that_is_brought_up_to_date(tmp_path: Path) -> None:
    """The rows of files that did not change are copied, and counted as if they were read."""
    study = tmp_path / "study"
    logs = Failover(crash=moment("2003-10-26T06:10:00"), shown=toronto).survivors()
    write_logs(study / "default" / "run01" / "sun-ha4", logs)
    write(study / "study.toml", TORONTO)
    doubts = "select * from log.clock_doubt order by all"
    first = ingested(study).rows(doubts)
    write(study / "notes.txt", "nothing\n")
    again = ingested(study)
    assert again.result.reused_count == 3
    assert len(first) == 3
    shifted = [(file_id, *rest) for file_id, *rest in again.rows(doubts)]
    assert shifted == first


def test_without_a_zone_anywhere_durations_hold_and_times_are_marked(tmp_path: Path) -> None:
    found = study_of(tmp_path, Failover())
    zones = found.rows("select distinct timezone, timezone_source from source_file where first_at is not null")
    assert zones == [("UTC", "assumed")]
    assert found.rows("select * from finding where kind = 'assumed_timezone'") != []


# --- lines within one run --------------------------------------------------------------------------------------------


Change = Callable[[dict[str, list[str]]], None]


def stepped_back(logs: dict[str, list[str]]) -> None:
    """The clock is set back by 20 s once the address is up (8 s after the crash)."""
    later = Failover(shown=lambda at: at - timedelta(seconds=20) if at > CRASH + timedelta(seconds=8) else at)
    logs |= later.survivors()


def reversed_lines(logs: dict[str, list[str]]) -> None:
    logs["messages"].reverse()


def interleaved(logs: dict[str, list[str]]) -> None:
    engine = logs["engine_A.log"]
    logs["engine_A.log"] = engine[::2] + engine[1::2]


def hour_24(logs: dict[str, list[str]]) -> None:
    logs["engine_A.log"].insert(3, "2003/07/28 24:00:00 VCS INFO V-16-1-10077 Received new cluster membership")
    logs["messages"].insert(3, "Jul 28 24:00:00 sun-ha4 kernel: GAB INFO V-15-1-20036 Port a gen 79c052 membership ;1")


def second_60(logs: dict[str, list[str]]) -> None:
    logs["engine_A.log"].insert(3, "2003/07/28 10:27:60 VCS INFO V-16-1-53504 VCS Engine Alive message!!")
    logs["messages"].insert(3, "Jul 28 10:26:60 sun-ha4 sshd[9]: Accepted publickey for root")


def thirteenth_month(logs: dict[str, list[str]]) -> None:
    logs["engine_A.log"].insert(3, "2003/13/28 10:27:10 VCS INFO V-16-1-10077 Received new cluster membership")
    logs["messages"].insert(3, "Feb 30 10:27:10 sun-ha4 kernel: GAB INFO V-15-1-20036 Port a gen 79c052 membership 01")


def far_years(logs: dict[str, list[str]]) -> None:
    for year in ("0001", "9999"):
        line = f"{year}/07/28 10:27:10 VCS INFO V-16-1-53504 VCS Engine Alive message!!"
        logs["engine_A.log"].append(line)


def repeated(logs: dict[str, list[str]]) -> None:
    logs["messages"].append("Jul 28 10:27:20 sun-ha4 last message repeated 3 times")


EVERYDAY: dict[str, Change] = {
    "stepped-back": stepped_back,
    "reversed": reversed_lines,
    "interleaved": interleaved,
    "hour-24": hour_24,
    "second-60": second_60,
    "thirteenth-month": thirteenth_month,
    "far-years": far_years,
    "repeated": repeated,
}


@pytest.fixture(scope="module")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One configuration for each change of the survivor's lines."""
    study = tmp_path_factory.mktemp("everyday") / "everyday"
    for configuration, change in EVERYDAY.items():
        write_timers(study / configuration)
        logs = Failover().survivors()
        change(logs)
        write_logs(study / configuration / "run01" / "sun-ha4", logs)
    return ingested(study)


@pytest.mark.parametrize(
    "configuration", ["reversed", "interleaved", "hour-24", "second-60", "thirteenth-month", "far-years", "repeated"]
)
def test_odd_lines_and_odd_order_change_no_milestone(everyday: Store, configuration: str) -> None:
    assert everyday.milestones(configuration) == pytest.approx(INFERRED, abs=1e-9)


def test_a_step_back_is_flagged_and_no_phase_is_negative(everyday: Store) -> None:
    assert "clock_step" in everyday.flags("stepped-back")
    steps = everyday.rows("select step_s from clock_step where configuration = 'stepped-back'")
    assert steps
    assert all(step_s == pytest.approx(-18, abs=2) for (step_s,) in steps)
    assert everyday.rows("select * from phase where configuration = 'stepped-back' and duration_s < 0") == []


def test_disorder_is_flagged_as_a_step_of_the_clock_and_newest_first_is_none(everyday: Store) -> None:
    """Lines out of order look as if the clock had gone back; a log that runs backwards as a whole does not."""
    assert "clock_step" in everyday.flags("interleaved")
    assert "clock_step" not in everyday.flags("reversed")


def test_the_same_lines_give_the_same_store_at_any_file_times(tmp_path: Path) -> None:
    """Years come from neighbours that state them, not from the time a copy was made."""
    first = study_of(tmp_path / "a", Failover())
    copy = tmp_path / "b" / "study"
    for path in sorted((tmp_path / "a" / "study").rglob("*")):
        if path.is_file():
            write(copy / path.relative_to(tmp_path / "a" / "study"), text_of(path.read_text().splitlines()))
    assert ingested(copy).milestones("default") == first.milestones("default")
