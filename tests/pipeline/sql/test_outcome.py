"""What became of runs whose logs end early, the share that recovered with Wilson's interval, and kinds of fault."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import CRASH, Failover, Store, ingested, slower, write, write_run, write_timers
from tests.support.hand_made import (
    DEFAULT_ROW,
    SURVIVOR,
    T0,
    Ledger,
    add_default_run,
    add_main_cf,
    recovery,
)

LAST_S = 24
"""The disk group is imported; what comes later is not in a log that ends early."""


def cut(ledger: Ledger, run: str, last_s: float = LAST_S) -> None:
    """A run of which all logs end with the import of the disk group, or later."""
    add_default_run(ledger, run=run)
    files = {each["file_id"] for each in ledger.files if each["run"] == run}
    for name, rows in ledger.rows.items():
        ledger.rows[name] = [
            row for row in rows if row["file_id"] not in files or (row["at"] - T0).total_seconds() <= last_s
        ]


def outcomes(whole: int, ended: int) -> Ledger:
    """Runs that are whole, then runs whose logs end early."""
    ledger = Ledger()
    add_main_cf(ledger, "default")
    for number in range(1, whole + 1):
        add_default_run(ledger, run=f"run{number:02d}")
    for number in range(whole + 1, whole + ended + 1):
        cut(ledger, f"run{number:02d}")
    return ledger


def test_a_run_whose_logs_end_before_service_is_back_is_no_recovery_and_no_failure() -> None:
    con = outcomes(1, 1).build()  # lines that count the silence leave -1 to 1.5 s for the fault: it is at 0.25 s
    found = con.execute(
        "select run, outcome, censored_s, last_step, missing_step from run_outcome order by run"
    ).fetchall()
    assert found == [("run01", "recovered", None, "db2udb", None), ("run02", "log_ended", 23.75, "vm", "complete")]


@pytest.mark.parametrize(
    ("whole", "ended", "expected"),
    [
        # z = 1.96, z² = 3.84: (1/4 + z²/8 ± z √(3/64 + z²/64)) / (1 + z²/4)
        pytest.param(1, 3, (0.25, 0.0456, 0.6994), id="one of four"),
        pytest.param(2, 0, (1.0, 0.3424, 1.0), id="all: from 1 / (1 + z²/2)"),
    ],
)
def test_the_share_of_runs_that_recovered_has_wilsons_interval(
    whole: int, ended: int, expected: Sequence[float]
) -> None:
    con = outcomes(whole, ended).build()
    (found,) = con.execute("select share, ci95_low, ci95_high from recovery").fetchall()
    assert found == pytest.approx(expected, abs=5e-5)


def test_a_step_after_service_is_not_named_as_what_brought_it_back() -> None:
    ledger = Ledger()
    ledger.user_milestones = [{"name": "noted", "text": "client connected", "ends_recovery": False}]
    add_main_cf(ledger, "default")
    run = add_default_run(ledger)
    line = ledger.add("syslog_event", run["messages"], 120, host=SURVIVOR, tag="app", text="client connected")
    con = ledger.build()
    (noted,) = con.execute("select line_no from milestone where milestone = 'noted'").fetchall()
    assert noted == (line,)
    found = con.execute("""
        select reason, run_outcome.recovered_at = milestone."at", run_outcome.line_no = milestone.line_no, last_step
        from run_outcome cross join milestone where milestone.milestone = 'db2udb'
    """).fetchall()
    assert found == [("every step that means service was done, the last `db2udb`", True, True, "noted")]


@pytest.mark.parametrize(
    ("second", "outcome"), [(0.3, "recovered"), (1.3, "failed")], ids=["within the second of the step", "after it"]
)
def test_a_recovery_within_the_second_of_a_cut_stamp_is_no_second_failure(second: float, outcome: str) -> None:
    ledger = Ledger()
    add_main_cf(ledger, "default")
    run = add_default_run(ledger, row={**DEFAULT_ROW, "complete": DEFAULT_ROW["db2udb"] + 2})
    recovery(ledger, run["db2diag"], DEFAULT_ROW["db2udb"] + second, "crash_recovery_needed")
    con = ledger.build()
    assert con.execute("select outcome from run_outcome").fetchall() == [(outcome,)]


RECOVERED = ("recovered", "every step that means service was done, the last `db2udb`")
FOLLOWED = "steps were followed for {} (`follow` of `[study]`); `complete` came later, {} s after the fault"


@pytest.mark.parametrize(
    ("later_s", "study", "found"),
    [
        pytest.param(9000, "", RECOVERED, id="after hours"),
        pytest.param(0, '[study]\nfollow = "2 min"\n', RECOVERED, id="before the limit of the study"),
        pytest.param(
            9000, '[study]\nfollow = "2 h"\n', ("not_followed", FOLLOWED.format("2 h", 9061)), id="past that limit"
        ),
        pytest.param(90_000, "", ("not_followed", FOLLOWED.format("24 h", 90_061)), id="after more than a day"),
    ],
)
def test_a_limit_of_the_tool_is_no_outcome_of_the_system(later_s: int, study: str, found: tuple[str, str]) -> None:
    ledger = Ledger(study)
    add_main_cf(ledger, "default")
    add_default_run(ledger, row={name: at + (later_s if at > 20 else 0) for name, at in DEFAULT_ROW.items()})
    assert ledger.build().execute("select outcome, reason from run_outcome").fetchall() == [found]


FAULTS = ["power off"] * 4 + ["kill"] * 2


def _study(folder: Path, faults: list[str]) -> Store:
    write_timers(folder / "a")
    entries = ["[study]", 'timezone = "UTC"']
    for number, fault in enumerate(faults, 1):
        crash = CRASH + timedelta(days=number)
        failover = Failover(crash=crash) if fault == "power off" else slower(30, crash=crash)
        write_run(folder / "a" / f"run{number:02d}", failover)
        entries += ["[[run]]", f"run = {number}", *([f'fault = "{fault}"'] if fault else [])]
    write(folder / "study.toml", entries)
    return ingested(folder)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return _study(tmp_path_factory.mktemp("kinds") / "study", FAULTS)


def test_mean_is_of_the_kind_that_most_runs_had(store: Store) -> None:
    found = store.rows("select fault_kind, runs, round(stddev_s, 1) from milestone_stats where milestone = 'complete'")
    assert found == [("power off", 4, 0.0)]
    assert store.rows("select distinct fault_kind, runs from phase_stats") == [("power off", 4)]


def test_relations_by_kind_have_all(store: Store) -> None:
    found = store.rows(
        "select fault_kind, runs, round(mean_s) from milestone_stats_by_kind where milestone = 'complete'"
    )
    (lost, lost_runs, lost_s), (killed, killed_runs, killed_s) = sorted(found, reverse=True)
    assert (lost, lost_runs, killed, killed_runs, killed_s - lost_s) == ("power off", 4, "kill", 2, 30)
    assert sorted(store.rows("select fault_kind, runs, recovered from recovery_by_kind")) == [
        ("kill", 2, 2),
        ("power off", 4, 4),
    ]


def test_share_of_several_kinds_says_so(store: Store) -> None:
    assert store.one("select runs, kinds, fault_kinds from recovery") == (6, 2, "4 power off, 2 kill")
    (text,) = store.one("select text from finding where kind = 'fault_kinds'")
    assert "faults of several kinds: 4 power off, 2 kill" in text


def test_kind_that_the_logs_show_is_one_for_all(tmp_path: Path) -> None:
    store = _study(tmp_path / "study", ["power off", "power off", "", ""])
    assert store.rows("select distinct fault_kind from run") == [("power off",)]
