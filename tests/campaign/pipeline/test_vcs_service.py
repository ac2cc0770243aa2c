"""Services of VCS without DB2: any type of resource, with main.cf and without; they end with the group online."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.failover_logs import GABTAB, LLTTAB, Failover, Store, ingested, text_of, write, write_logs

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
    node, group, lost = crash.survivor, "(Owner: unknown, Group: ora_grp)", f"System {crash.lost} (Node '0')"
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


def study(folder: Path, lines: list[str], **files: str) -> Store:
    """A folder of one run: logs of the survivor, timers, other files by name with __ for the dot."""
    crash = Failover(steps=STEPS)
    write_logs(folder / "run01" / crash.survivor, {"engine_A.log": lines, "messages": crash.messages()})
    write_logs(folder, {"llttab": LLTTAB, "gabtab": GABTAB})
    for name, content in files.items():
        write(folder / name.replace("__", "."), content)
    return ingested(folder)


def test_group_online_ends_the_failover_of_any_service(tmp_path: Path) -> None:
    crash = Failover(steps=STEPS)
    folder = tmp_path / "services"
    write_logs(folder, {"llttab": LLTTAB, "gabtab": GABTAB})
    for service, service_type in SERVICES.items():
        write(folder / service / "main.cf", main_cf(service_type))
        write_logs(
            folder / service / "run01" / crash.survivor, {"engine_A.log": engine(crash), "messages": crash.messages()}
        )
    store = ingested(folder)
    for service in SERVICES:
        found = store.milestones(service)
        assert found["group_online"] == pytest.approx(61.25, abs=0.01), service
        assert {"vm", "fs", "ip"} <= {*found}, service
    outcomes = store.rows("select configuration, outcome, last_step from run_outcome")
    assert {*outcomes} == {(service, "recovered", "group_online") for service in SERVICES}
    assert {*store.rows("select headline from recovery")} == {("group_online",)}


@pytest.mark.parametrize("pasted", ["", "TYPE", "Oracle"])
def test_group_online_needs_no_types(tmp_path: Path, pasted: str) -> None:
    names = [*TYPES, "ora_app"]
    toml = text_of(["[resource_type]", *(f'"{name}" = "{pasted}"' for name in names)]) if pasted else ""
    files: dict[str, Any] = {"study__toml": toml} if toml else {}
    store = study(tmp_path / "plain", engine(Failover(steps=STEPS)), **files)
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
    found = study(tmp_path / "lvm", engine(Failover(steps=STEPS)), study__toml=toml).milestones("lvm")
    assert found["vm"] < found["fs"] < found["ip"] < found["group_online"]


def test_a_group_that_is_partly_online_is_no_service(tmp_path: Path) -> None:
    lines = engine(
        Failover(steps=STEPS),
        is_online=False,
        more=((61, "NOTICE V-16-1-50000 Group ora_grp is partially online on system sun-ha4"),),
    )
    store = study(tmp_path / "partial", lines, main__cf=main_cf("Oracle"))
    assert "group_online" not in store.milestones("partial")


def test_a_fault_that_is_not_critical_is_no_failure(tmp_path: Path) -> None:
    more = (
        (
            65.0,
            f"ERROR V-16-1-10303 Resource ora_log {GROUP} is FAULTED (timed out) on sys sun-ha4",
        ),
    )
    uncritical = "\tProcess ora_log (\n\t\tCritical = 0\n\t\t)\n\n"
    lines = engine(Failover(steps=STEPS), more=more)
    store = study(tmp_path / "log", lines, main__cf=main_cf("Oracle", uncritical))
    assert store.one("select outcome from run_outcome") == ("recovered",)
    critical = study(tmp_path / "critical", lines, main__cf=main_cf("Oracle", uncritical.replace("0", "1")))
    assert critical.one("select outcome from run_outcome") == ("failed",)


@pytest.mark.parametrize(
    "notice",
    [
        "INFO V-16-1-50135 User root fired command: hastop -local -evacuate  from localhost",
        "NOTICE V-16-1-10322 System sun-ha3 (Node '0') changed state from RUNNING to LEAVING",
    ],
)
def test_a_node_that_is_stopped_is_a_planned_change(tmp_path: Path, notice: str) -> None:
    crash = Failover(steps=STEPS)
    lines = engine(crash)
    folder = tmp_path / "stopped"
    told = crash.engine_line(crash.at(-20), notice)
    own = "50135" in notice
    write_logs(
        folder / "run01" / crash.lost,
        {
            "engine_A.log": [
                *([told] if own else []),
                crash.engine_line(crash.at(-30), "INFO V-16-1-53504 VCS Engine Alive message!!"),
            ][::-1]
        },
    )
    store = study(folder, lines if own else [told, *lines], main__cf=main_cf("Oracle"))
    (seconds,) = store.one("select epoch(fault_at - ?) from run where fault_source = 'shutdown notice'", crash.at(-20))
    assert seconds == pytest.approx(0, abs=1)
    assert store.one("select outcome from run_outcome") == ("planned",)
    assert store.rows("select * from recovery") == []


def test_groups_of_the_cluster_itself_are_no_service(tmp_path: Path) -> None:
    more = ((300.0, "NOTICE V-16-1-10447 Group ClusterService is online on system sun-ha4"),)
    store = study(tmp_path / "own", engine(Failover(steps=STEPS), more=more), main__cf=main_cf("Oracle"))
    assert store.milestones("own")["group_online"] == pytest.approx(61.25, abs=0.01)


# SOURCE: message ids of VCS; RECONSTRUCTED lines
SWITCH = (
    (0.0, "INFO V-16-1-50135 User root fired command: hagrp -switch ora_grp  sun-ha4 from localhost"),
    (0.1, "NOTICE V-16-1-10208 Initiating switch of group ora_grp from system sun-ha3 to system sun-ha4"),
    (8.0, "NOTICE V-16-1-10446 Group ora_grp is offline on system sun-ha3"),
)


def test_a_switch_is_no_crash(tmp_path: Path) -> None:
    crash = Failover(steps=STEPS)
    own = [line for line in engine(crash, more=SWITCH) if "V-16-1-10077" not in line and "FAULTED" not in line]
    write_logs(tmp_path / "switched" / "run01" / crash.survivor, {"engine_A.log": own})
    store = ingested(tmp_path / "switched")
    assert store.rows("select * from incident where not is_planned") == []
    assert store.rows("select run from run where used and fault_at is not null and flags not like '%planned%'") == []
    assert store.rows("select outcome from run_outcome where outcome in ('recovered', 'failed')") == []
    (text,) = store.one("select text from finding where kind = 'not_used'")
    assert text == "In `switched`, run01 is set aside: an operator moved the service, and no node was lost."


def test_a_run_without_a_loss_says_how_a_fault_is_declared(tmp_path: Path) -> None:
    crash = Failover(steps=STEPS)
    lines = [line for line in engine(crash) if "V-16-1-10077" not in line and "FAULTED" not in line]
    write_logs(tmp_path / "killed" / "run01" / crash.survivor, {"engine_A.log": lines})
    (text,) = ingested(tmp_path / "killed").one("select text from finding where kind = 'not_used'")
    assert text.endswith("If there was a fault, say in study.toml when it was: `fault_at` of `[[run]]`.")


def test_a_crash_minutes_after_a_switch_is_a_crash(tmp_path: Path) -> None:
    crash = Failover(steps=STEPS)
    before = tuple((at - 1200, text) for at, text in SWITCH)
    there = (-1130.0, "NOTICE V-16-1-10447 Group ora_grp is online on system sun-ha3")
    store = study(tmp_path / "later", engine(crash, more=(*before, there)), main__cf=main_cf("Oracle"))
    assert store.one("select lost_node, surviving_node, used from run") == ("sun-ha3", "sun-ha4", True)
    assert "planned" not in store.one("select coalesce(flags, '') from run")[0]
    assert store.milestones("later")["group_online"] == pytest.approx(61.25, abs=0.01)


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
    ("more", "named", "outcome", "online_s"),
    [
        pytest.param(BATCH_BACK, "", "recovered", 91.25, id="the last of all groups is back"),
        pytest.param(BATCH_BACK, "ora_grp", "recovered", 61.25, id="the named group is back"),
        pytest.param(BATCH_FAULTED, "", "failed", None, id="one group never came online"),
        pytest.param(BATCH_FAULTED, "ora_grp", "recovered", 61.25, id="another group never came online"),
        pytest.param(BATCH_FAULTED, "bat_grp", "failed", None, id="the named group never came online"),
        pytest.param(BATCH_BACK, "bat_gpr", "recovered", 91.25, id="a group that is not there"),
    ],
)
def test_a_run_is_measured_by_all_groups_or_by_those_that_the_study_names(
    more: tuple[tuple[float, str], ...], named: str, outcome: str, online_s: float | None, tmp_path: Path
) -> None:
    lines = engine(Failover(steps=STEPS), more=more)
    files: dict[str, Any] = {"study__toml": f'[study]\nservice_groups = ["{named}"]\n'} if named else {}
    store = study(tmp_path / "groups", lines, main__cf=main_cf("Oracle"), **files)
    assert store.one("select outcome from run_outcome") == (outcome,)
    if outcome == "failed":
        assert "bat_app" in store.one("select reason from run_outcome")[0]
        assert store.rows("select * from counted_milestone where milestone = 'group_online'") == []
    else:
        assert store.milestones("groups")["group_online"] == pytest.approx(online_s, abs=0.01)
    texts = [
        text for (text,) in store.rows("select text from finding where kind in ('service_groups', 'unknown_name')")
    ]
    if not named:
        assert ["2 service groups of `groups` moved: `bat_grp`, `ora_grp`." in each for each in texts] == [True]
    else:
        unknown = "study.toml mentions the service group `bat_gpr`, but the study holds none of that name."
        assert texts == ([unknown] if named == "bat_gpr" else [])


def test_a_group_that_ran_on_two_nodes_at_once_is_reported(tmp_path: Path) -> None:
    more = (
        (90.0, "ERROR V-16-1-10214 Concurrency Violation:CurrentCount increased above 1 for failover group ora_grp"),
    )
    store = study(tmp_path / "twice", engine(Failover(steps=STEPS), more=more), main__cf=main_cf("Oracle"))
    (text,) = store.one("select text from finding where kind = 'concurrency'")
    assert text.startswith("In `twice`, run01: `ora_grp` ran on two nodes at once (concurrency violation at ")


def test_messages_of_the_kernel_alone_do_not_say_that_no_service_moved(tmp_path: Path) -> None:
    crash = Failover(steps=STEPS)
    write_logs(tmp_path / "bare" / "run01" / crash.survivor, {"messages": crash.messages()})
    write_logs(tmp_path / "bare", {"llttab": LLTTAB, "gabtab": GABTAB})
    store = ingested(tmp_path / "bare")
    outcome, reason, is_counted = store.one("select outcome, reason, is_counted from run_outcome")
    assert (outcome, is_counted) == ("unknown", False)
    assert reason.endswith("to show whether a service moved")
    (text,) = store.one("select text from finding where kind = 'unseen_service'")
    assert text.startswith("Of run01 of `bare` no log of the cluster manager or database is there")


def test_a_fault_after_which_nothing_starts_does_not_lack_logs(tmp_path: Path) -> None:
    crash = Failover(steps=STEPS)
    entries = (
        (5.0, "ERROR V-16-2-13067 (sun-ha4) Agent is calling clean for resource(ora_app) because it became OFFLINE."),
        (90.0, f"ERROR V-16-1-10303 Resource ora_app {GROUP} is FAULTED (timed out) on sys sun-ha4"),
    )
    lines = [crash.engine_line(crash.at(at), text) for at, text in entries]
    fault = f"fault_at = {crash.at(4.0):%Y-%m-%dT%H:%M:%S}Z"
    write_logs(tmp_path / "local" / "run01" / crash.survivor, {"engine_A.log": lines})
    write(
        tmp_path / "local" / "study.toml",
        f'[study]\ntimezone = "UTC"\n[[run]]\nconfiguration = "local"\nrun = 1\n{fault}\n',
    )
    store = ingested(tmp_path / "local")
    assert store.one("select outcome, reason from run_outcome") == (
        "unknown",
        "no line shows that a service started after the fault, nor on which node",
    )


FAULTED = f"ERROR V-16-1-10303 Resource ora_app {GROUP} is FAULTED (timed out) on sys sun-ha4"


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
    crash = Failover(steps=STEPS)
    later = Failover(crash.crash + timedelta(seconds=late_s), steps=STEPS)
    folder = tmp_path / "clocks"
    write(folder / "main.cf", main_cf("Oracle"))
    for node, clock in ((crash.lost, crash), (crash.survivor, later)):
        lines = [line for line in engine(clock) if "V-16-1-10077" not in line and "FAULTED" not in line]
        write_logs(folder / "run01" / node, {"engine_A.log": lines})
    declared(folder, f"{crash.crash:%Y-%m-%dT%H:%M:%S}Z")
    store = ingested(folder)
    assert store.one("select outcome from run_outcome") == ("recovered",)
    shown = {name: at for name, at in store.milestones("clocks").items() if name in ("vm", "fs", "ip", "group_online")}
    assert shown == {"vm": 10.5 + late_s, "fs": 18.5 + late_s, "ip": 20.5 + late_s, "group_online": 61.5 + late_s}
    texts = [text for (text,) in store.rows("select text from finding where kind = 'clock_difference'")]
    start = "In run01 of `clocks`, sun-ha4 writes of the same events 187 s later than sun-ha3: their clocks differ"
    assert [text.startswith(start) for text in texts] == ([True] if is_doubtful else [])
