"""Services of VCS without DB2: any type of resource, with main.cf and without; they end with the group online."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.failover_logs import (
    GABTAB,
    LLTTAB,
    Failover,
    Store,
    ingested,
    on_days,
    text_of,
    write,
    write_logs,
    write_timers,
)

GROUP = "(Owner: unknown, Group: ora_grp)"
STEPS = {"trouble": 2.0, "llt": 3.0, "gab": 5.0, "vm": 10.0, "fs": 18.0, "ip": 20.0, "app": 60.0, "online": 61.0}
TYPES = {"ora_dg": "DiskGroup", "ora_mnt": "Mount", "ora_ip": "IP"}
SERVICES = {"oracle": "Oracle", "sap": "SAPNW04", "application": "Application", "mysql": "MySQL", "nfs": "NFSRestart"}


def main_cf(service_type: str, *more: str) -> str:
    """A group whose top is a service of a type."""
    kinds = {**TYPES, "ora_app": service_type}
    resources = "".join(f"\t{kind} {name} (\n\t\t)\n\n" for name, kind in kinds.items())
    systems = "system sun-ha3 (\n\t)\n\nsystem sun-ha4 (\n\t)\n\n"
    group = "group ora_grp (\n\tSystemList = { sun-ha3 = 0, sun-ha4 = 1 }\n\t)\n\n"
    needs = "\tora_app requires ora_mnt\n\tora_app requires ora_ip\n\tora_mnt requires ora_dg\n"
    return f'include "types.cf"\n\ncluster prod (\n\t)\n\n{systems}{group}{resources}{"".join(more)}{needs}'


def engine(crash: Failover, *, is_online: bool = True, more: tuple[tuple[float, str], ...] = ()) -> list[str]:
    """Lines of engine_A.log of the survivor."""
    node, group, lost = crash.survivor, GROUP, f"System {crash.lost} (Node '0')"
    entries: list[tuple[float, str]] = [
        (5, "INFO V-16-1-10077 Received new cluster membership"),
        (5, f"ERROR V-16-1-10322 {lost} changed state from RUNNING to FAULTED"),
        *(
            (5.1, f"NOTICE V-16-1-10301 Initiating Online of Resource {name} {group} on System {node}")
            for name in TYPES
        ),
    ]
    for name, at in (("ora_dg", "vm"), ("ora_mnt", "fs"), ("ora_ip", "ip"), ("ora_app", "app")):
        text = f"INFO V-16-1-10298 Resource {name} {group} is online on {node} (VCS initiated)"
        entries.append((STEPS[at], text))
    if is_online:
        entries.append((STEPS["online"], f"NOTICE V-16-1-10447 Group ora_grp is online on system {node}"))
    return [crash.engine_line(crash.at(at), text) for at, text in sorted([*entries, *more], key=lambda each: each[0])]


CRASH = Failover(steps=STEPS)


def study(folder: Path, lines: list[str], **files: str) -> Store:
    """A folder of one run: logs of the survivor, timers, other files by name with __ for the dot."""
    write_logs(folder / "run01" / CRASH.survivor, {"engine_A.log": lines, "messages": CRASH.messages()})
    write_logs(folder, {"llttab": LLTTAB, "gabtab": GABTAB})
    for name, content in files.items():
        write(folder / name.replace("__", "."), content)
    return ingested(folder)


# SOURCE: message ids of VCS; RECONSTRUCTED lines
SWITCH = (
    (0.0, "INFO V-16-1-50135 User root fired command: hagrp -switch ora_grp  sun-ha4 from localhost"),
    (0.1, "NOTICE V-16-1-10208 Initiating switch of group ora_grp from system sun-ha3 to system sun-ha4"),
    (8.0, "NOTICE V-16-1-10446 Group ora_grp is offline on system sun-ha3"),
)
BEFORE = (
    *((at - 1200, text) for at, text in SWITCH),
    (-1130.0, "NOTICE V-16-1-10447 Group ora_grp is online on system sun-ha3"),
)
LOG_FAULTED = ((65.0, f"ERROR V-16-1-10303 Resource ora_log {GROUP} is FAULTED (timed out) on sys sun-ha4"),)
UNCRITICAL = "\tProcess ora_log (\n\t\tCritical = 0\n\t\t)\n\n"
PARTIAL = ((61.0, "NOTICE V-16-1-50000 Group ora_grp is partially online on system sun-ha4"),)
OWN = ((300.0, "NOTICE V-16-1-10447 Group ClusterService is online on system sun-ha4"),)
TWICE = ((90.0, "ERROR V-16-1-10214 Concurrency Violation:CurrentCount increased above 1 for failover group ora_grp"),)
ALIVE = CRASH.engine_line(CRASH.at(-30), "INFO V-16-1-53504 VCS Engine Alive message!!")
HASTOP = CRASH.engine_line(
    CRASH.at(-20), "INFO V-16-1-50135 User root fired command: hastop -local -evacuate  from localhost"
)
LEAVING = CRASH.engine_line(
    CRASH.at(-20), "NOTICE V-16-1-10322 System sun-ha3 (Node '0') changed state from RUNNING to LEAVING"
)


def without_loss(lines: list[str]) -> list[str]:
    """The lines that do not say that a node is gone."""
    return [line for line in lines if "V-16-1-10077" not in line and "FAULTED" not in line]


SURVIVORS = {
    **{name: (main_cf(kind), engine(CRASH)) for name, kind in SERVICES.items()},
    "partial": (main_cf("Oracle"), engine(CRASH, is_online=False, more=PARTIAL)),
    "uncritical": (main_cf("Oracle", UNCRITICAL), engine(CRASH, more=LOG_FAULTED)),
    "critical": (main_cf("Oracle", UNCRITICAL.replace("0", "1")), engine(CRASH, more=LOG_FAULTED)),
    "hastop": (main_cf("Oracle"), engine(CRASH)),
    "leaving": (main_cf("Oracle"), [LEAVING, *engine(CRASH)]),
    "own": (main_cf("Oracle"), engine(CRASH, more=OWN)),
    "later": (main_cf("Oracle"), engine(CRASH, more=BEFORE)),
    "twice": (main_cf("Oracle"), engine(CRASH, more=TWICE)),
    "switched": ("", without_loss(engine(CRASH, more=SWITCH))),
    "killed": ("", without_loss(engine(CRASH))),
    "bare": ("", []),
}
"""By configuration: main.cf, and what engine_A.log of the survivor holds."""
LOST = {"hastop": [ALIVE, HASTOP], "leaving": [ALIVE]}
"""By configuration what that of the node holds that is gone."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A run of each, all of one study, each on a day of its own."""
    folder = tmp_path_factory.mktemp("told") / "told"
    write_logs(folder, {"llttab": LLTTAB, "gabtab": GABTAB})
    for name, (main, lines) in SURVIVORS.items():
        logs = {"engine_A.log": lines, "messages": CRASH.messages()}
        present = {"switched": ["engine_A.log"], "killed": ["engine_A.log"], "bare": ["messages"]}.get(name, [*logs])
        write_logs(folder / name / "run01" / CRASH.survivor, {each: logs[each] for each in present})
        if main:
            write(folder / name / "main.cf", main)
        if name in LOST:
            write(folder / name / "run01" / CRASH.lost / "engine_A.log", LOST[name])
    return ingested(on_days(folder))


def outcome(store: Store, configuration: str) -> str:
    """What became of the run of a configuration."""
    (found,) = store.one("select outcome from run_outcome where configuration = ?", configuration)
    return str(found)


def finding(store: Store, kind: str, configuration: str) -> str:
    """The only finding of a kind about a configuration."""
    (text,) = store.one("select text from finding where kind = ? and configuration = ?", kind, configuration)
    return str(text)


@pytest.mark.parametrize("service", SERVICES)
def test_group_online_ends_the_failover_of_any_service(told: Store, service: str) -> None:
    found = told.milestones(service)
    assert found["group_online"] == pytest.approx(61.25, abs=0.01)
    assert {"vm", "fs", "ip"} <= {*found}
    query = "select outcome, last_step from run_outcome where configuration = ?"
    assert told.one(query, service) == ("recovered", "group_online")
    assert told.one("select headline from recovery where configuration = ?", service) == ("group_online",)


@pytest.mark.parametrize("pasted", ["", "TYPE"])
def test_group_online_needs_no_types(tmp_path: Path, pasted: str) -> None:
    names = [*TYPES, "ora_app"]
    toml = text_of(["[resource_type]", *(f'"{name}" = "{pasted}"' for name in names)]) if pasted else ""
    files: dict[str, Any] = {"study__toml": toml} if toml else {}
    store = study(tmp_path / "plain", engine(CRASH), **files)
    assert store.milestones("plain")["group_online"] == pytest.approx(61.25, abs=0.01)
    texts = [text for (text,) in store.rows("select text from finding where kind = 'unknown_resource_type'")]
    if pasted:
        assert texts == []
    else:
        (text,) = texts
        assert all(f'`"{name}" = "TYPE"`' in text for name in names)


def test_groups_of_a_logical_volume_manager_are_storage(tmp_path: Path) -> None:
    declared = ['ora_dg = "LVMVolumeGroup"', 'ora_mnt = "Mount"', 'ora_ip = "IP"', 'ora_app = "SAPNW"']
    toml = text_of(["[resource_type]", *declared])
    found = study(tmp_path / "lvm", engine(CRASH), study__toml=toml).milestones("lvm")
    assert found["vm"] < found["fs"] < found["ip"] < found["group_online"]


def test_a_group_that_is_partly_online_is_no_service(told: Store) -> None:
    assert "group_online" not in told.milestones("partial")


def test_a_fault_that_is_not_critical_is_no_failure(told: Store) -> None:
    assert [outcome(told, each) for each in ("uncritical", "critical")] == ["recovered", "failed"]


@pytest.mark.parametrize("configuration", LOST)
def test_a_node_that_is_stopped_is_a_planned_change(told: Store, configuration: str) -> None:
    query = "select fault_source, extract(second from fault_at) from run where configuration = ?"
    source, second = told.one(query, configuration)
    assert (source, second) == ("shutdown notice", pytest.approx(CRASH.at(-20).second, abs=1))
    assert outcome(told, configuration) == "planned"
    assert told.rows("select * from recovery where configuration = ?", configuration) == []


def test_groups_of_the_cluster_itself_are_no_service(told: Store) -> None:
    assert told.milestones("own")["group_online"] == pytest.approx(61.25, abs=0.01)


def test_a_switch_is_no_crash(told: Store) -> None:
    assert told.rows("select * from incident where configuration = 'switched' and not is_planned") == []
    assert (
        told.rows(
            "select run from run where configuration = 'switched' and used and fault_at is not null "
            "and flags not like '%planned%'"
        )
        == []
    )
    assert outcome(told, "switched") not in ("recovered", "failed")
    text = "In `switched`, run01 is set aside: an operator moved the service, and no node was lost."
    assert finding(told, "not_used", "switched") == text


def test_a_run_without_a_loss_says_how_a_fault_is_declared(told: Store) -> None:
    text = "If there was a fault, say in study.toml when it was: `fault_at` of `[[run]]`."
    assert finding(told, "not_used", "killed").endswith(text)


def test_a_crash_minutes_after_a_switch_is_a_crash(told: Store) -> None:
    run = told.run("later")
    assert (run["lost_node"], run["surviving_node"], run["used"]) == ("sun-ha3", "sun-ha4", True)
    assert "planned" not in told.flags("later")
    assert told.milestones("later")["group_online"] == pytest.approx(61.25, abs=0.01)


BATCH_STEPS = (
    (
        5.1,
        "NOTICE V-16-1-10301 Initiating Online of Resource bat_app (Owner: unknown, Group: bat_grp) on System sun-ha4",
    ),
    (
        90.0,
        "INFO V-16-1-10298 Resource bat_app (Owner: unknown, Group: bat_grp) is online on sun-ha4 (VCS initiated)",
    ),
)
BATCH_BACK = (*BATCH_STEPS, (91.0, "NOTICE V-16-1-10447 Group bat_grp is online on system sun-ha4"))
BATCH_FAULTED = (
    BATCH_STEPS[0],
    (
        80.0,
        "ERROR V-16-1-10303 Resource bat_app (Owner: unknown, Group: bat_grp) is FAULTED (timed out) on sys sun-ha4",
    ),
    (80.0, "ERROR V-16-1-10205 Group bat_grp is faulted on system sun-ha4"),
)


@pytest.mark.parametrize(
    ("named", "back_s", "faulted_s"),
    [
        pytest.param("", 91.25, None, id="the last of all groups"),
        pytest.param("ora_grp", 61.25, 61.25, id="the named group, whatever another does"),
        pytest.param("bat_grp", 91.25, None, id="the named group that is late or never online"),
        pytest.param("bat_gpr", 91.25, None, id="a group that is not there"),
    ],
)
def test_a_run_is_measured_by_all_groups_or_by_those_that_the_study_names(
    named: str, back_s: float, faulted_s: float | None, tmp_path: Path
) -> None:
    folder = tmp_path / "groups"
    for name, more in (("back", BATCH_BACK), ("faulted", BATCH_FAULTED)):
        write_timers(folder / name, main_cf("Oracle"))
        logs = {"engine_A.log": engine(CRASH, more=more), "messages": CRASH.messages()}
        write_logs(folder / name / "run01" / CRASH.survivor, logs)
    if named:
        write(folder / "study.toml", f'[study]\nservice_groups = ["{named}"]\n')
    store = ingested(on_days(folder))
    for name, online_s in (("back", back_s), ("faulted", faulted_s)):
        query = "select elapsed_s from counted_milestone where milestone = 'group_online' and configuration = ?"
        if online_s is None:
            assert outcome(store, name) == "failed"
            assert "bat_app" in store.one("select reason from run_outcome where configuration = ?", name)[0]
            assert store.rows(query, name) == []
        else:
            assert outcome(store, name) == "recovered"
            assert store.milestones(name)["group_online"] == pytest.approx(online_s, abs=0.01)
    texts = [
        text for (text,) in store.rows("select text from finding where kind in ('service_groups', 'unknown_name')")
    ]
    if not named:
        assert any("2 service groups of `back` moved: `bat_grp`, `ora_grp`." in each for each in texts)
    else:
        unknown = "study.toml mentions the service group `bat_gpr`, but the study holds none of that name."
        assert texts == ([unknown] if named == "bat_gpr" else [])


def test_a_group_that_ran_on_two_nodes_at_once_is_reported(told: Store) -> None:
    start = "In `twice`, run01: `ora_grp` ran on two nodes at once (concurrency violation at "
    assert finding(told, "concurrency", "twice").startswith(start)


def test_messages_of_the_kernel_alone_do_not_say_that_no_service_moved(told: Store) -> None:
    query = "select outcome, is_counted, reason from run_outcome where configuration = 'bare'"
    *found, reason = told.one(query)
    assert found == ["unknown", False]
    assert reason.endswith("to show whether a service moved")
    start = "In run01 of `bare` there is no log of a cluster manager or database"
    assert finding(told, "unseen_service", "bare").startswith(start)


def test_a_fault_after_which_nothing_starts_does_not_lack_logs(tmp_path: Path) -> None:
    entries = (
        (5.0, "ERROR V-16-2-13067 (sun-ha4) Agent is calling clean for resource(ora_app) because it became OFFLINE."),
        (90.0, f"ERROR V-16-1-10303 Resource ora_app {GROUP} is FAULTED (timed out) on sys sun-ha4"),
    )
    lines = [CRASH.engine_line(CRASH.at(at), text) for at, text in entries]
    write_logs(tmp_path / "local" / "run01" / CRASH.survivor, {"engine_A.log": lines})
    declared(tmp_path / "local", f"{CRASH.at(4.0):%Y-%m-%dT%H:%M:%S}Z")
    assert ingested(tmp_path / "local").one("select outcome, reason from run_outcome") == (
        "unknown",
        "no line shows that a service started after the fault, nor on which node",
    )


def declared(folder: Path, fault: str) -> None:
    """A manifest with the time of the fault of the only run."""
    text = f'[study]\ntimezone = "UTC"\n[[run]]\nconfiguration = "{folder.name}"\nrun = 1\nfault_at = {fault}\n'
    write(folder / "study.toml", text)


@pytest.mark.parametrize(("late_s", "is_doubtful"), [(0.0, False), (1.0, False), (187.0, True)])
def test_steps_are_of_the_clock_of_the_node_that_took_over(
    late_s: float,
    is_doubtful: bool,  # noqa: FBT001 - a table of cases
    tmp_path: Path,
) -> None:
    later = Failover(CRASH.crash + timedelta(seconds=late_s), steps=STEPS)
    folder = tmp_path / "clocks"
    write(folder / "main.cf", main_cf("Oracle"))
    for node, clock in ((CRASH.lost, CRASH), (CRASH.survivor, later)):
        write_logs(folder / "run01" / node, {"engine_A.log": without_loss(engine(clock))})
    declared(folder, f"{CRASH.crash:%Y-%m-%dT%H:%M:%S}Z")
    store = ingested(folder)
    assert store.one("select outcome from run_outcome") == ("recovered",)
    shown = {name: at for name, at in store.milestones("clocks").items() if name in ("vm", "fs", "ip", "group_online")}
    assert shown == {"vm": 10.5 + late_s, "fs": 18.5 + late_s, "ip": 20.5 + late_s, "group_online": 61.5 + late_s}
    texts = [text for (text,) in store.rows("select text from finding where kind = 'clock_difference'")]
    start = "In run01 of `clocks`, sun-ha4 writes of the same events 187 s later than sun-ha3: their clocks differ"
    assert [text.startswith(start) for text in texts] == ([True] if is_doubtful else [])
