"""Studies with too few, too many, broken and odd runs: what is counted, what is set aside, and what is never invented.

Expected numbers are those of `failover_logs`: a step's seconds minus 0.25, as the inferred fault is so much later.
"""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.command import haledger
from tests.support.failover_logs import (
    CRASH,
    INFERRED,
    MAIN_CF,
    STEPS,
    Failover,
    Store,
    ingested,
    on_days,
    slower,
    write,
    write_logs,
    write_run,
    write_timers,
)

COMPLETE = INFERRED["complete"]


def write_series(folder: Path, *extra_s: float) -> None:
    """Runs 1, 2, ... that take so much longer than the shortest."""
    write_timers(folder)
    for number, extra in enumerate(extra_s, 1):
        write_run(folder / f"run{number:02d}", slower(extra))


def write_three_nodes(folder: Path) -> None:
    """Of three nodes one is lost; of the two that see it one takes the service over."""
    crash = Failover(lost_id=1, survivor_id=2)
    witness = Failover(lost_id=1, survivor_id=2, survivor="sun-ha5")
    port_lines = ("Port a gen 79c052 membership 0 2", "Port h gen 79c055 membership 0 2")

    def messages(node: Failover) -> list[str]:
        kept = [line for line in node.messages() if "GAB" not in line]
        return [*kept[:-1], *(node.syslog_line("gab", f"kernel: GAB INFO V-15-1-20036 {each}") for each in port_lines)]

    seen = [line for line in witness.engine(["gab"]) if "Initiating" not in line]
    write_logs(folder / "sun-ha4", crash.survivors() | {"messages": messages(crash)})
    write_logs(folder / "sun-ha5", {"engine_A.log": seen, "messages": messages(witness)})
    write_logs(folder / "sun-ha3", crash.crashed())


# --- one study of odd runs -------------------------------------------------------------------------------------------


Writer = Callable[[Path], None]


def aborted(folder: Path) -> None:
    write_logs(
        folder / "sun-ha4", {"engine_A.log": Failover().engine(["gab", "ip"]), "messages": Failover().messages()}
    )


def survivor_only(folder: Path) -> None:
    write_logs(folder / "sun-ha4", Failover().survivors())


def crashed_only(folder: Path) -> None:
    write_logs(folder / "sun-ha3", Failover().crashed())


def swapped(folder: Path) -> None:
    write_logs(folder / "sun-ha3", Failover().survivors())
    write_logs(folder / "sun-ha4", Failover().crashed())


def without_node_folders(folder: Path) -> None:
    write_logs(folder, Failover().survivors())


def large_ids(folder: Path) -> None:
    write_run(folder, Failover(lost_id=3, survivor_id=12))


def one_instant(folder: Path) -> None:
    write_run(folder, Failover(steps=STEPS | dict.fromkeys(("ip", "vm", "fs", "detect", "complete", "db2udb"), 5.0)))


ODD: dict[str, Writer] = {
    "plain": write_run,
    "aborted": aborted,
    "survivor-only": survivor_only,
    "crashed-only": crashed_only,
    "swapped": swapped,
    "without-node-folders": without_node_folders,
    "large-ids": large_ids,
    "three-nodes": write_three_nodes,
    "one-instant": one_instant,
}
COMPARED = CRASH + timedelta(hours=1)
MANIFEST = f"""
[study]
reference = "plain"

[[run]]
configuration = "compared"
run = 1
true_fault_at = {COMPARED.isoformat()}Z

[[run]]
configuration = "excluded"
run = 3
exclude = "operator rebooted the wrong node"
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One configuration for each odd run."""
    study = tmp_path_factory.mktemp("odd") / "odd"
    for configuration, writer in ODD.items():
        write_timers(study / configuration)
        writer(study / configuration / "run01")
    write_timers(study / "compared")
    write_run(study / "compared" / "run01", Failover(crash=COMPARED))
    write_series(study / "excluded", 0, 2, 100)
    write_series(study / "same-file", 0, 0)
    write_timers(study / "same-number")
    for name, extra in (("run1", 0), ("run01", 4)):
        write_run(study / "same-number" / name, slower(extra))
    write_run(study / "without-main-cf" / "run01")
    write(study / "study.toml", MANIFEST)
    return ingested(on_days(study, kept={"compared", "same-file"}))


@pytest.mark.parametrize(
    "configuration",
    ["plain", "survivor-only", "without-node-folders", "large-ids", "three-nodes", "compared"],
)
def test_a_complete_survivor_gives_every_milestone(odd: Store, configuration: str) -> None:
    assert odd.milestones(configuration) == pytest.approx(INFERRED, abs=1e-9)
    run = odd.run(configuration)
    assert (run["used"], run["lost_node"], run["surviving_node"], run["flags"]) == (True, "sun-ha3", "sun-ha4", "")


def test_swapped_node_folders_invent_nothing_and_are_reported(odd: Store) -> None:
    """A path names the node no matter what the lines say (contract 2), so the survivor is treated as the lost node."""
    assert odd.milestones("swapped") == {}
    assert not odd.run("swapped")["used"]
    texts = odd.rows("select configuration, text from finding where kind = 'misplaced_file' order by text")
    assert texts == [
        (
            "swapped",
            f"swapped/run01/{node}/messages is treated as a log of {node}, but {writer} wrote its lines.",
        )
        for node, writer in (("sun-ha3", "sun-ha4"), ("sun-ha4", "sun-ha3"))
    ]


def test_an_aborted_run_shows_the_steps_that_its_lines_show(odd: Store) -> None:
    assert odd.milestones("aborted") == pytest.approx({name: INFERRED[name] for name in ("llt", "gab", "ip")}, abs=1e-9)
    assert [name for (name,) in odd.rows("select phase from phase where configuration = 'aborted' order by 1")] == [
        "detection",
        "virtual_ip",
    ]


def test_the_crashed_nodes_logs_alone_invent_nothing(odd: Store) -> None:
    assert odd.milestones("crashed-only") == {}
    assert not odd.run("crashed-only")["used"]


def test_steps_of_one_instant_last_no_time(odd: Store) -> None:
    durations = odd.rows("select phase, duration_s from phase where configuration = 'one-instant'")
    assert dict(durations) == {"detection": pytest.approx(5.25)} | dict.fromkeys(
        ["disk_group_import", "fs_check_mount", "virtual_ip", "database_restart", "crash_recovery"], 0
    )


def test_an_excluded_run_is_kept_and_both_results_are_shown(odd: Store) -> None:
    run = odd.run("excluded", "run03")
    assert (run["used"], run["excluded_reason"]) == (False, "operator rebooted the wrong node")
    assert odd.milestones("excluded", "run03")["complete"] == pytest.approx(COMPLETE + 100)
    row = odd.stats("excluded")
    assert (row["runs"], row["mean_s"]) == (2, pytest.approx(COMPLETE + 1))
    found = odd.rows("select * from milestone_sensitivity where configuration = 'excluded' and milestone = 'complete'")
    assert len(found) == 1
    assert any(value == pytest.approx(COMPLETE + 34) for value in found[0] if isinstance(value, float))
    ((text,),) = odd.rows("select text from finding where kind = 'excluded' and configuration = 'excluded'")
    last = INFERRED["db2udb"]
    assert f"`db2udb` takes {last + 1:.1f} s without and {last + 34:.1f} s with it." in text


def test_one_file_in_two_runs_is_two_files(odd: Store) -> None:
    hashes = odd.rows(
        "select count(*), count(distinct sha256) from source_file "
        "where configuration = 'same-file' and node = 'sun-ha4' and format = 'syslog'"
    )
    assert hashes == [(2, 1)]
    assert [odd.run("same-file", run)["same_as"] for run in ("run01", "run02")] == [None, "same-file/run01"]
    for run in ("run01", "run02"):
        assert odd.milestones("same-file", run) == pytest.approx(INFERRED, abs=1e-9)


def test_two_folders_of_one_number_are_two_runs(odd: Store) -> None:
    runs = odd.rows("select run, run_no from run where configuration = 'same-number' order by run")
    assert runs == [("run01", 1), ("run1", 1)]
    assert odd.milestones("same-number", "run01")["complete"] == pytest.approx(COMPLETE + 4)
    assert odd.milestones("same-number", "run1")["complete"] == pytest.approx(COMPLETE)


def test_without_timers_and_types_the_rest_still_stands(odd: Store) -> None:
    found = odd.milestones("without-main-cf")
    assert {"llt", "gab", "detect", "complete"} <= set(found)
    assert found["complete"] - found["detect"] == pytest.approx(6)


# --- references ------------------------------------------------------------------------------------------------------


def test_a_host_in_the_manifest_that_nothing_has_changes_no_result_and_is_reported(tmp_path: Path) -> None:
    study = tmp_path / "study"
    write_series(study / "a", 0)
    write_series(study / "b", 2)
    write(study / "study.toml", '[node."nobody"]\nclock_offset_s = 9\n')
    found = ingested(study)
    assert {configuration for (configuration,) in found.rows("select configuration from run")} == {"a", "b"}
    assert found.milestones("b")["complete"] == pytest.approx(COMPLETE + 2)
    assert found.one("select severity, text from finding where kind = 'unknown_name'") == (
        "warning",
        "study.toml mentions the node `nobody`, but the study holds none of that name.",
    )


def test_no_run_at_all_is_a_store_without_runs(tmp_path: Path) -> None:
    study = tmp_path / "study"
    write_timers(study / "default")
    found = ingested(study)
    assert found.rows("select * from run") == []
    assert found.rows("select * from milestone_stats") == []
    assert found.result.status_counts == {"parsed": 3}


def test_a_store_cannot_have_the_name_of_a_schema(tmp_path: Path) -> None:
    """DuckDB names the catalog after the file, and `study.run` in a catalog `study` is ambiguous to every client."""
    write(tmp_path / "failovers" / "main.cf", MAIN_CF)
    for name in ("study.duckdb", "log.duckdb", "Log.db"):
        outcome = haledger("ingest", "failovers", "--db", name, cwd=tmp_path)
        assert outcome.returncode == 2, outcome.stderr
        assert "choose another name" in outcome.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["failovers"]


def test_a_folder_that_is_read_as_a_copy_is_named(tmp_path: Path) -> None:
    for name, extra in (("old", 5.0), ("tuned", 0.0)):  # the same hosts crash at the same time: one of them is a copy
        write_series(tmp_path / "study" / name, extra)
    found = ingested(tmp_path / "study")
    assert found.rows("select distinct configuration from run") == [("tuned",)]
    severity, text = found.one("select severity, text from finding where kind = 'copied_folder'")
    assert severity == "note"
    assert text.startswith("The folder old (in the study) is taken as a copy of tuned because ")


def test_folders_that_are_no_copies_are_not(tmp_path: Path) -> None:
    for name, extra in (("default", 5.0), ("tuned", 0.0)):
        write_series(tmp_path / "study" / name, extra)
    assert ingested(tmp_path / "study").rows("select text from finding where kind = 'copied_folder'") == []
