"""What became of every run: known outcomes in two stacks, found with their line, and never averaged in silence."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.metamorphic.variations import Base, merge_runs
from pipeline.ask.explain.decisions import explain
from reports.figures.catalogue import all_figures
from reports.findings.highlights import lead
from reports.recoveries import sentence
from reports.study.view import opened_study
from reports.words import runs_sentence
from tests.support.drawings import texts
from tests.support.failover_logs import (
    Store,
    ingested,
    on_days,
    slower,
    write,
    write_logs,
    write_timers,
)
from tests.support.outcome_logs import SCENARIOS, WRITERS, write_outcomes

PLAN = [*["healthy"] * 3, *SCENARIOS, *SCENARIOS]
REMOVABLE = ("ip", "vm", "fs", "detect", "complete", "db2udb")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Some forty runs: both stacks, every outcome twice."""
    study = tmp_path_factory.mktemp("outcomes") / "outcomes"
    for stack in WRITERS:
        write_outcomes(study / stack, stack, PLAN)
    return ingested(on_days(study))


@pytest.mark.parametrize("stack", WRITERS)
def test_every_run_is_reported_as_what_it_is(outcomes: Store, stack: str) -> None:
    found = dict(outcomes.rows("select run, outcome from run_outcome where configuration = ?", stack))
    assert found == {f"run{number:02d}": SCENARIOS[each] for number, each in enumerate(PLAN, 1)}


@pytest.mark.parametrize("stack", WRITERS)
def test_a_flat_folder_changes_no_outcome(tmp_path: Path, stack: str) -> None:
    """A log that is cut goes on with the next run here."""
    plan = ["healthy", *(each for each in SCENARIOS if each != "cut")]
    write_outcomes(tmp_path / "study" / stack, stack, plan)
    study = on_days(tmp_path / "study")
    (study / "study.toml").touch()
    merge_runs(study, Base({}, {}, {}))
    store = ingested(study)
    found = store.rows("select outcome from run_outcome inner join run using (configuration, run) order by run_no")
    assert [outcome for (outcome,) in found] == [SCENARIOS[each] for each in plan]
    ordered = store.rows("select milestone from milestone where run = ?", str(plan.index("ordered") + 1))
    assert ("ip",) in ordered


def test_every_outcome_names_a_line_of_its_run(outcomes: Store) -> None:
    strays = outcomes.rows(
        "select * from run_outcome as outcome left join source_file as file using (file_id) "
        "where file.run is distinct from outcome.run or outcome.line_no not between 1 and file.lines"
    )
    assert strays == []


@pytest.mark.parametrize(("stack", "end"), [("vcs", "complete"), ("pacemaker", "ready")])
def test_means_are_of_the_runs_that_came_back(outcomes: Store, stack: str, end: str) -> None:
    healthy = PLAN.count("healthy")
    assert outcomes.one("select recovered, runs, headline from recovery where configuration = ?", stack) == (
        healthy,
        len(PLAN) - PLAN.count("ordered"),
        end,
    )
    assert outcomes.stats(stack, end)["runs"] == healthy
    assert outcomes.stats(stack, end)["max_s"] < 50  # by hand it took four minutes
    assert outcomes.stats(stack, "ip")["runs"] > healthy  # an earlier step of a run that failed later was a step


def test_every_run_that_did_not_come_back_is_a_finding(outcomes: Store) -> None:
    found = set(outcomes.rows("select configuration, run from finding where kind = 'not_recovered'"))
    assert found == {
        (stack, f"run{number:02d}")
        for stack in WRITERS
        for number, each in enumerate(PLAN, 1)
        if SCENARIOS[each] not in ("recovered", "planned")
    }


# --- half of the runs ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Five of ten targets die too."""
    study = tmp_path_factory.mktemp("half") / "half"
    write_outcomes(study / "only", "vcs", [*["healthy"] * 5, *["target_dies"] * 3, *["cut"] * 2])
    return ingested(on_days(study))


def test_half_of_the_runs_is_what_the_report_opens_with(half: Store) -> None:
    assert half.one("select round(ci95_low, 4), round(ci95_high, 4) from recovery") == (0.2366, 0.7634)
    with opened_study(half.db) as study:
        first, second = lead(study)
        assert first.sentence == "3 failed, 2 unfinished in the log, of 10 failovers."
        assert "the mean of the 5 of 10 runs that came back" in second.sentence
        assert sentence(study).startswith("5 of 10 failovers (95\u00a0% CI 24 to 76\u00a0%)")


def test_a_configuration_of_which_no_run_came_back_is_in_the_first_figure(tmp_path: Path) -> None:
    write_outcomes(tmp_path / "study" / "good", "vcs", ["healthy"] * 3)
    write_outcomes(tmp_path / "study" / "never", "vcs", ["target_dies"] * 3)
    with opened_study(ingested(on_days(tmp_path / "study")).db) as study:
        drawn = all_figures(study)["recovery-times"]
    assert drawn.configurations == ("good", "never")
    assert "never: none of 3 came back" in drawn.description
    assert [row[:2] for row in drawn.rows if row[-1] != "recovered"] == [("never", f"run0{each}") for each in (1, 2, 3)]
    assert texts(drawn).count("none of 3 came back") == 1


LOST_ALONE = """\
2011/05/12 10:05:11 VCS INFO V-16-6-15004 (ash) hatrigger:Failed to send trigger for postonline; script doesn't exist
2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership
2011/05/13 03:31:40 VCS NOTICE V-16-1-10112 System (elm) - Membership: 0x7, DDNA: 0x4
2011/05/13 03:31:40 VCS ERROR V-16-1-10111 System ash (Node '2') is in Regular and Jeopardy Memberships - \
Membership: 0x7, Jeopardy: 0x4
2011/05/13 03:31:45 VCS INFO V-16-1-10077 Received new cluster membership
2011/05/13 03:31:45 VCS NOTICE V-16-1-10112 System (elm) - Membership: 0x3, DDNA: 0x0
2011/05/13 03:31:45 VCS ERROR V-16-1-10079 System ash (Node '2') is in Down State - Membership: 0x3
2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System ash (Node '2') changed state from RUNNING to FAULTED
"""


LATER = "2011/05/13 03:41:45 VCS INFO V-16-1-53504 VCS Engine Alive message!!"


def test_a_failover_that_failed_is_a_result_without_a_fault_time(tmp_path: Path) -> None:
    """Nothing starts in the ten minutes that the log goes on."""
    write(tmp_path / "study" / "engine_A.log", LOST_ALONE + LATER)
    store = ingested(tmp_path / "study")
    assert store.one("select outcome, is_counted from run_outcome") == ("failed", True)
    assert store.one("select fault_at from run") == (None,)
    with opened_study(store.db) as study:
        assert study.store.next_steps() == []
        assert runs_sentence(study).startswith("1 failover, ")
        assert [each.sentence for each in lead(study)] == ["1 failed, of 1 failover."]
    (explained,) = explain([tmp_path / "study"])
    assert explained.has_result
    assert not any("No fault was found" in each for each in explained.next_steps)


# --- steps removed ---------------------------------------------------------------------------------------------------


def write_with_steps_removed(folder: Path, seed: int) -> dict[str, set[str]]:
    """A configuration of five runs that lack steps at random; gives the steps that are left in each."""
    source = random.Random(seed)  # noqa: S311  no secrets
    write_timers(folder)
    left = {}
    for number in range(1, 6):
        crash = slower(number)
        run = f"run{number:02d}"
        left[run] = {each for each in REMOVABLE if source.random() > 0.3}
        engine = crash.engine(["gab", "ip", "vm", "fs", "db2udb"])
        gone = {name: f"Resource {resource} " for name, resource in RESOURCES.items() if name not in left[run]}
        kept = [line for line in engine if not ("is online on" in line and _is_of(line, gone))]
        logs = {"engine_A.log": kept, "messages": crash.messages(), "db2diag.log": crash.db2diag(left[run])}
        write_logs(folder / run / crash.survivor, logs)
    return left


RESOURCES = {"ip": "shark_ip", "vm": "db2shark", "fs": "datashark", "db2udb": "absolut_udb"}


def _is_of(line: str, gone: Mapping[str, str]) -> bool:
    return any(each in line for each in gone.values()) or ("db2udb" in gone and "Group db2_shark is online" in line)


def test_no_run_without_its_last_step_is_called_recovered(tmp_path: Path) -> None:
    study = tmp_path / "removed"
    left = {f"study{seed:03d}": write_with_steps_removed(study / f"study{seed:03d}", seed) for seed in range(12)}
    found = ingested(on_days(study))
    wrong = []
    for configuration, runs in left.items():
        can_complete = any(steps & {"detect", "complete"} for steps in runs.values())
        last = {"db2udb", "complete"} if can_complete else {"db2udb"}
        expected = {run for run, steps in runs.items() if last <= steps}
        query = "select run from run_outcome where configuration = ? and outcome = 'recovered'"
        recovered = {run for (run,) in found.rows(query, configuration)}
        end = "complete" if any("complete" in steps for steps in runs.values()) else "db2udb"
        counted = dict(found.rows("select milestone, runs from milestone_stats where configuration = ?", configuration))
        if recovered != expected or counted.get(end, 0) != len(expected):
            wrong.append((configuration, recovered ^ expected, counted.get(end)))
    assert wrong == []
    with opened_study(found.db) as view:
        censored = any(row["recovered"] < row["runs"] for row in view.rows("recovery"))
        assert any("of the runs that came back" in each.sentence for each in lead(view)) == censored


# --- other ends ------------------------------------------------------------------------------------------------------

RULE = '[[milestone]]\nname = "orders"\nsource = "syslog"\ntext = "orders are accepted"\nends_recovery = true\n'


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Configurations of three runs, each with another last step or another reason to lack it."""
    study = tmp_path_factory.mktemp("ends") / "ends"
    for name in ("default", "blind", "hidden", "own", "idle", "later"):
        write_timers(study / name)
        for number in range(1, 4):
            crash = slower(number)
            logs = crash.survivors()
            if name == "own" and number < 3:
                logs["messages"].append(crash.syslog_line(90, "app[7]: orders are accepted again"))
            elif name == "blind":
                del logs["db2diag.log"]
            elif name == "hidden" and number == 2:
                del logs["engine_A.log"]
            elif name == "idle" and number == 3:
                engine = [line for line in crash.engine(["gab"]) if "Initiating" not in line]
                logs = {"engine_A.log": engine, "messages": crash.messages()}
            elif name == "later":
                command = "INFO V-16-1-50135 User root fired command: hastop -all  from localhost"
                logs["engine_A.log"].append(crash.engine_line(crash.at(120), command))
            write_logs(study / name / f"run{number:02d}" / crash.survivor, logs)
    write(study / "study.toml", f'[study]\nreference = "default"\n{RULE}')
    return ingested(on_days(study))


@pytest.mark.parametrize(
    ("configuration", "recovered", "headline"),
    [
        pytest.param("default", 3, "complete", id="all of the steps"),
        pytest.param("blind", 3, "db2udb", id="no log of the study's database: the last step that its logs can show"),
        pytest.param("hidden", 2, "complete", id="the log that shows the last step lacks in one run"),
        pytest.param("own", 2, "orders", id="what the study calls the end decides"),
        pytest.param("idle", 2, "complete", id="nothing starts after the loss"),
        pytest.param("later", 3, "complete", id="a command after recovery changes nothing"),
    ],
)
def test_recovery_ends_with_the_last_step_that_means_service(
    ends: Store, configuration: str, recovered: int, headline: str
) -> None:
    query = "select recovered, runs, headline from recovery where configuration = ?"
    assert ends.one(query, configuration) == (recovered, 3, headline)
    assert ends.stats(configuration, headline)["runs"] == recovered


def test_what_a_log_does_not_show_is_not_known(ends: Store) -> None:
    query = "select outcome, missing_step from run_outcome where configuration = 'hidden' and run = 'run02'"
    assert ends.one(query) == ("unknown", "db2udb")


def test_no_ratio_is_formed_between_different_last_steps(ends: Store) -> None:
    """Without db2diag recovery ends with the resource; that is no crash recovery that is complete."""
    with opened_study(ends.db) as view:
        compared = {row["configuration"] for row in view.end_changes}
    assert compared == {"hidden", "idle", "later"}
    reported = {name for (name,) in ends.rows("select configuration from finding where kind = 'last_step'")}
    assert "blind" in reported
