"""`haledger why`: from log files to the lines on the terminal."""

from pathlib import Path

import duckdb
import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.answers.why import lines, why
from reports.study.view import opened_study
from reports.tables.failover.slow_runs import slow_runs
from tests.support.failover_logs import STEPS, Failover, on_days, slower, write, write_run, write_timers

RETRY = "import of disk group 0x7f3a of 5 disks will be tried again in 20 seconds"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four failovers; in the third the import of the disk group is tried again, which takes 20 s."""
    study = tmp_path_factory.mktemp("why") / "study"
    write_timers(study / "tuned")
    held = Failover(steps={name: seconds + (20.0 if seconds > 8 else 0.0) for name, seconds in STEPS.items()})
    for number, failover in enumerate((Failover(), slower(0.5), held, slower(1.0)), 1):
        write_run(study / "tuned" / f"run0{number}", failover)
    log = study / "tuned" / "run03" / "sun-ha4" / "messages"
    write(log, [*log.read_text().splitlines()[:-1], held.syslog_line(9.0, f"vxvm: {RETRY}")])
    ingest(on_days(study), store := study.with_name("store.duckdb"))
    return store


def test_the_line_that_only_the_slow_run_has_comes_first_with_its_place(store: Path) -> None:
    found = why(store, "tuned")
    assert [run.run for run in found.slow] == ["run03"]
    assert found.only[0].places[0].text == RETRY
    shown = ["".join(span.text for span in line) for line in lines(found, 100, 3)]
    assert any("tuned/run03/sun-ha4/messages:6" in line for line in shown)
    (step,) = found.steps
    assert step.seconds == pytest.approx(22.0, abs=1.5)
    assert any(line.strip().startswith("run03: 2") and "in the other runs" in line for line in shown)


def test_a_run_is_named_by_its_number(store: Path) -> None:
    assert [run.run for run in why(store, "tuned", "2").slow] == ["run02"]


@pytest.mark.parametrize(("configuration", "run"), [("tunde", None), ("tuned", "run9")])
def test_a_name_that_nothing_has_is_told_with_those_that_there_are(
    store: Path, configuration: str, run: str | None
) -> None:
    with pytest.raises(UsageError, match=r"did you mean (tuned|run0.)|there are: run01"):
        why(store, configuration, run)


def test_runs_that_nothing_can_be_set_against_have_no_table_and_end_no_report(tmp_path: Path) -> None:
    """A failed run beside one whose log ends: nothing that recovered is left."""
    write_timers(tmp_path / "study" / "tuned")
    for number, failover in enumerate((Failover(), slower(1.0)), 1):
        write_run(tmp_path / "study" / "tuned" / f"run0{number}", failover)
    ingest(on_days(tmp_path / "study"), store := tmp_path / "store.duckdb")
    with duckdb.connect(store) as connection:
        connection.execute(
            "update run_outcome set outcome = if(run = 'run01', 'failed', 'log_ended'), recovered_at = null"
        )
    with opened_study(store) as study:
        assert slow_runs(study) == []


def test_the_report_has_the_line_with_its_place(store: Path) -> None:
    with opened_study(store) as study:
        (table,) = slow_runs(study)
    assert [cell.text for cell in table.rows[0]] == [
        "tuned",
        "run03",
        "sun-ha4",
        RETRY,
        "tuned/run03/sun-ha4/messages:6",
    ]
