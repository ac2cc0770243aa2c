"""Clocks that are set during a failover, and logs of another zone: put right where that is proved, else said."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.clock_cases import SAME_S, Case, Verdict, step_cases, verdicts, write_cases
from tests.support.failover_logs import Failover, Store, ingested, write, write_logs, write_timers

RESET = "ntpd[412]: time reset {:+.6f} s"
STEPPED = "chronyd[412]: System clock was stepped by {:.6f} seconds"
CHANGED = "systemd[1]: Time has been changed"
CASES = {
    "forward, said": Case(1, 60, 30, RESET),
    "an hour forward, said": Case(2, 3600, 20.3, RESET),
    "back, said": Case(3, -5, 30, STEPPED),
    "an hour back, said": Case(4, -3600, 30, STEPPED),
    "back between two lines, said": Case(5, -1.7, 30, STEPPED, is_chatty=True),
    "forward, no amount": Case(6, 60, 30, CHANGED),
    "back while a line of db2diag may be of either clock": Case(3, -5, 52, STEPPED, day=2),
    "back, no amount": Case(7, -60, 30, CHANGED),
    "forward, uptime": Case(8, 60, 30, has_uptime=True),
    "1.9 s forward, uptime": Case(9, 1.9, 24, has_uptime=True),
    "back, uptime": Case(10, -3, 30, has_uptime=True, is_chatty=True),
    "said, too small to see, uptime": Case(11, 0, 30, CHANGED, has_uptime=True),
    "back among many lines": Case(12, -2.2, 30, is_chatty=True),
    "1 % fast": Case(13, drift=0.01),
    "1 % slow": Case(14, drift=-0.01),
    "db2diag an hour behind": Case(15, db2diag_s=-3600),
    "db2diag five and a half hours ahead": Case(16, db2diag_s=19800),
    "engine log an hour ahead": Case(17, engine_s=3600),
    "engine log and db2diag an hour ahead": Case(18, engine_s=3600, db2diag_s=3600),
}
OPEN = {
    "forward, no amount",
    "back, no amount",
    "back among many lines",
    "back while a line of db2diag may be of either clock",
}
RIGHT = set(CASES) - OPEN
SHIFTED = {name for name, case in CASES.items() if case.db2diag_s or case.engine_s}


@pytest.fixture(scope="module")
def clocks(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two configurations for each case: the clock set, and left alone."""
    study = tmp_path_factory.mktemp("clocks") / "clocks"
    write_cases(study, CASES)
    return ingested(study)


@pytest.fixture(scope="module")
def reported(clocks: Store) -> dict[str, Verdict]:
    """What became of each."""
    return verdicts(clocks, CASES)


@pytest.mark.parametrize("name", CASES)
def test_no_duration_is_wrong_without_a_warning(reported: dict[str, Verdict], name: str) -> None:
    verdict = reported[name]
    assert verdict.word == ("right" if name in RIGHT else "warned"), verdict
    assert verdict.is_used == (name in RIGHT)


def test_untouched_clocks_raise_no_doubt(clocks: Store) -> None:
    doubts = "select configuration, text from finding where kind in ('clock_step', 'clock_doubt')"
    assert clocks.rows(f"{doubts} and contains(configuration, 'untouched')") == []
    assert clocks.rows("select * from clock_step where contains(configuration, 'untouched') or step_s = 0") == []


def test_a_step_is_kept_with_its_amount_and_line(clocks: Store) -> None:
    query = "select node, step_s, error_s, source, is_corrected, is_inside from clock_step where configuration = ?"
    assert clocks.one(query, "forward, said") == ("sun-ha4", 60, 0, "ntpd", True, True)
    assert clocks.one(query, "forward, no amount") == ("sun-ha4", None, None, "systemd", False, True)
    node, step_s, error_s, source, *_ = clocks.one(query, "forward, uptime")
    assert (node, source) == ("sun-ha4", "uptime")
    assert abs(step_s - 60) <= error_s < 1
    assert clocks.rows(query, "said, too small to see, uptime") == []


def test_a_run_whose_clock_is_not_proved_says_why(clocks: Store) -> None:
    for name in OPEN:
        assert "clock" in clocks.run(name)["excluded_reason"]
        assert "clock_step" in clocks.flags(name)


def test_the_printed_stamp_stays_and_resolution_is_that_of_the_stamp(clocks: Store) -> None:
    lines = clocks.rows(
        'select epoch(e."at" - e.local_at) as moved, e.line_no < s.line_no as is_before from log.syslog_event as e '
        "inner join clock_step as s using (file_id) where s.configuration = 'forward, said'"
    )
    assert {(60.0, True), (0.0, False)} == set(lines)
    resolution = "select distinct resolution_s from milestone where milestone = 'fs' and configuration = ?"
    assert clocks.one(resolution, "back between two lines, said") == (1,)


@pytest.mark.parametrize("name", sorted(SHIFTED))
def test_a_log_of_another_zone_is_put_back_and_said(clocks: Store, name: str) -> None:
    texts = clocks.rows("select text from finding where kind = 'clock_doubt' and configuration = ?", name)
    assert texts
    assert all("another zone" in text for (text,) in texts)


def test_all_shifts_by_half_hours_are_put_back(tmp_path: Path) -> None:
    """Ten runs of one node, one shift; and no shift by quarter hours fits a log that is a minute off."""
    study = tmp_path / "zones"
    write_timers(study / "shifted")
    write_timers(study / "unfit")
    for number in range(1, 5):
        case = Case(number, db2diag_s=-9000)
        write_logs(study / "shifted" / f"run{number:02d}" / "sun-ha4", case.logs())
    write_logs(study / "unfit" / "run01" / "sun-ha4", replace(case, db2diag_s=-9000 + 400).logs())
    found = ingested(study)
    assert found.one("select count(*) from milestone where milestone = 'complete' and configuration = 'shifted'") == (
        4,
    )
    assert found.rows("select * from milestone where milestone = 'complete' and configuration = 'unfit'") == []
    texts = found.rows("select text from finding where kind = 'clock_doubt' and configuration = 'unfit'")
    assert ["no shift" in text for (text,) in texts] == [True]


def test_a_second_ingest_moves_no_line_twice(tmp_path: Path) -> None:
    study = tmp_path / "again"
    write_timers(study / "default")
    run = study / "default" / "run01" / "sun-ha4"
    write_logs(run, CASES["forward, said"].logs())
    first = ingested(study).milestones("default")
    write(study / "default" / "notes.txt", "nothing to read\n")
    assert ingested(study).milestones("default") == first
    logs = CASES["forward, said"].logs()
    logs["messages"] = [line for line in logs["messages"] if "ntpd" not in line]
    write_logs(run, logs)
    later = ingested(study)
    assert later.milestones("default")["complete"] == pytest.approx(first["complete"] + 60, abs=SAME_S)
    assert later.rows("select * from clock_step") == []


def test_one_clock_in_a_log_of_many_hosts(tmp_path: Path) -> None:
    """A relay holds two hosts: the clock of one is set, the lines of the other stay where they are."""
    study = tmp_path / "relay"
    write_timers(study / "default")
    failover = Failover()
    logs = Case(1, 60, 30, RESET).logs()
    logs["messages"] += [failover.syslog_line(at, "sshd[9]: Accepted publickey", "oak") for at in (-20, 10, 40)]
    write_logs(study / "default" / "run01" / "sun-ha4", logs)
    found = ingested(study)
    moved = found.rows('select distinct "at" = local_at from log.syslog_event where host = ?', "oak")
    assert moved == [(True,)]
    assert found.one("select count(*) from clock_step") == (1,)


def test_cases_are_the_same_every_time() -> None:
    assert step_cases(20) == step_cases(20)
