"""Writes the sample study failover-2004: nine configurations, ten runs each, in the log formats of 2003.

Beside them stands what was measured without a failover.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from samples.simulate import beside_2004, noise, steps, texts
from samples.simulate.calibration import calibrated, silent_seconds
from samples.simulate.cluster import Service, gabtab, llttab, main_cf, service_2004
from samples.simulate.journal import STAMP, Journal, NodeLogs, soon_after
from samples.simulate.physics import Run, instant_of, wall
from samples.simulate.scenarios import FAILOVER_2004, SECOND, Scenario
from samples.simulate.truth import Truth, truth_of

DEVICES = ("qfe:0", "qfe:1")
MINUTE = 60 * SECOND
EDT_ENDS = instant_of("2003-10-26 02:00")  # the tests' only change of clocks; none of them is near it


def utc_offset_min(instant: int) -> int:
    """Minutes east of UTC of the servers' clocks."""
    return -240 if instant < EDT_ENDS else -300


def _files(logs: NodeLogs) -> dict[str, str]:
    """The logs of a node by the names of their files."""
    return {
        "engine_A.log": logs.engine.written(texts.engine_stamp, logs.node),
        "messages": logs.messages.written(texts.solaris_stamp, logs.node),
        "db2diag.log": logs.db2diag.written(texts.db2_stamp, logs.node),
    }


@dataclass(frozen=True, slots=True)
class Test:
    """One run with all that its logs need."""

    scenario: Scenario
    service: Service
    run: Run
    random: Random
    generation: int  # of GAB's membership, the same on both nodes
    start: int  # of the logs
    back: int  # the lost node is a member again
    end: int
    survivor: NodeLogs
    lost: NodeLogs


def _test(scenario: Scenario, service: Service, run: Run, random: Random) -> Test:
    survivor, lost = NodeLogs(service.nodes[run.survivor]), NodeLogs(service.nodes[run.lost])
    lost.set_clock(run.skew)
    booted = run.fault_at + random.randrange(225, 300) * SECOND + random.randrange(SECOND)
    back = max(booted, run.at("db2udb") + random.randrange(45, 75) * SECOND)
    return Test(
        scenario=scenario,
        service=service,
        run=run,
        random=random,
        generation=random.randrange(0x100000, 0xFFF000),
        start=run.fault_at - random.randrange(240, 400) * SECOND,
        back=back,
        end=back + random.randrange(80, 140) * SECOND,
        survivor=survivor,
        lost=lost,
    )


# --- messages --------------------------------------------------------------------------------------------------------


def _silence(test: Test) -> None:
    """LLT on the survivor notices that no heartbeat comes."""
    run, journal, host = test.run, test.survivor.messages, test.survivor.node
    key = test.random.randrange(1_000_000, 9_000_000)
    for number, device in enumerate(DEVICES):
        link = texts.link(number, device, run.lost)
        trouble = run.last_heard + 2 * SECOND + 12_000 + number * 7_000
        journal.add(trouble, texts.solaris_kernel(host, "llt", 10205, f"{link} in trouble"))
        for seconds in silent_seconds(test.scenario):
            text = f"{link} inactive {seconds} sec ({key})"
            journal.add(run.silent_line_at(seconds, number), texts.solaris_kernel(host, "llt", 10032, text))
        if test.scenario.expiry_is_logged:
            expired = run.silent_line_at(test.scenario.peerinact_s, number)
            journal.add(expired, texts.solaris_kernel(host, "llt", 10509, f"{link} expired"))


def _ports(test: Test, logs: NodeLogs, at: int, members: str) -> None:
    journal, host = logs.messages, logs.node
    generation = test.generation + (at - test.start) // SECOND
    ports = "ahfvw" if test.scenario.clustered else "ahf"
    for i, port in enumerate(ports):
        text = texts.membership(port, generation + i * 3, members)
        journal.add(soon_after(at, i * 4_000), texts.solaris_kernel(host, "gab", 20036, text))


def _vxconfigd(journal: Journal, host: str, at: int, text: str) -> None:
    journal.add(at, texts.solaris(host, "vxvm:vxconfigd", 702911, "daemon.notice", f"NOTICE: {text}"))


def _clustered_storage(test: Test) -> None:
    """CVM and CFS recover on the survivor; the last message is the milestone."""
    run, journal, host = test.run, test.survivor.messages, test.survivor.node
    gab, last = run.at("gab"), run.at("cvm_cfs")
    group = test.service.veritas_disk_group
    _vxconfigd(journal, host, gab + 160_000, "CVM_VOLD_CHANGE command received")
    _vxconfigd(journal, host, gab + 470_000, f"cluster reconfiguration complete, master takeover of disk group {group}")
    first = gab + 600_000
    file_systems = test.service.file_systems
    for i, each in enumerate(file_systems):
        at = first + (last - first) * (i + 1) // len(file_systems)
        what = ("vx_cfs_reconf", f"reconfiguration complete, node {run.survivor} remains primary")
        if not test.scenario.preset:
            what = ("vx_cfs_takeover", f"primary taken over by node {run.survivor}, log replay complete")
        text = f"NOTICE: msgcnt {40 + i}: vxfs: mesg 104: {what[0]} - {each.mount_point} file system {what[1]}"
        journal.add(at, texts.solaris(host, "vxfs", 573118, "kern.notice", text))


def _return_seen(test: Test) -> None:
    run, journal, host = test.run, test.survivor.messages, test.survivor.node
    up = test.back - 6 * SECOND
    for number, device in enumerate(DEVICES):
        link = texts.link(number, device, run.lost)
        ticks = (up - run.last_heard) // 10_000 + number
        peer = f"from {run.lost} link {number} ({device})"
        lines = (
            (10019, f"delayed hb {ticks} ticks {peer}"),
            (10023, f"lost {ticks // 50} hb seq {2_000_000 + ticks} {peer}"),
            (10024, f"{link} active"),
        )
        for i, (message, text) in enumerate(lines):
            journal.add(up + number * 9_000 + i * 1_000, texts.solaris_kernel(host, "llt", message, text))
    _ports(test, test.survivor, test.back, "01")
    if test.scenario.clustered:
        _vxconfigd(journal, host, test.back + 5 * SECOND, "CVM_VOLD_CHANGE command received")


BOOT: tuple[tuple[int, str, int, str, str], ...] = (
    (0, "genunix", 540533, "kern.notice", "\rSunOS Release 5.9 Version Generic_112233-08 64-bit"),
    (0, "genunix", 172907, "kern.notice", "Copyright 1983-2003 Sun Microsystems, Inc.  All rights reserved."),
    (0, "genunix", 678236, "kern.info", "Ethernet address = 0:3:ba:1e:42:7"),
    (0, "unix", 389951, "kern.info", "mem = 8388608K (0x200000000)"),
    (0, "rootnex", 466748, "kern.info", "root nexus = Sun Fire 480R"),
    (1, "pcisch", 370704, "kern.info", "PCI-device: SUNW,qlc@4, qlc0"),
    (2, "scsi", 193665, "kern.info", "ssd0 at fp0: name w21000004cf99d2a1,0, bus address e8"),
    (4, "vxio", 202105, "kern.notice", "VxVM vxio NOTICE: drivers loaded"),
    (9, "qfe", 517527, "kern.info", "SUNW,qfe0 : 100 Mbps full duplex link up - internal transceiver"),
    (9, "qfe", 517527, "kern.info", "SUNW,qfe1 : 100 Mbps full duplex link up - internal transceiver"),
    (11, "hme", 517527, "kern.info", "SUNW,hme0 : 100 Mbps full duplex link up - internal transceiver"),
    (14, "savecore[91]", 570001, "auth.error", "reboot after power failure: no dump was taken"),
    (23, "syslogd", 702911, "syslog.error", "line 24: WARNING: loghost could not be resolved"),
)


def _boot(test: Test) -> None:
    journal, host, at = test.lost.messages, test.lost.node, test.back - 74 * SECOND
    for second, tag, number, level, text in BOOT:
        journal.add(at + second * SECOND, texts.solaris(host, tag, number, level, text.strip()))
    up = test.back - 9 * SECOND
    lines = (
        ("llt", 10009, "LLT Protocol available"),
        ("gab", 20021, "GAB available"),
        ("gab", 20026, "Port a registration waiting for seed port membership"),
    )
    for i, (driver, message, text) in enumerate(lines):
        journal.add(up + i * SECOND, texts.solaris_kernel(host, driver, message, text))
    for number, device in enumerate(DEVICES):
        link = texts.link(number, device, test.run.survivor)
        journal.add(test.back - 6 * SECOND, texts.solaris_kernel(host, "llt", 10024, f"{link} active"))
    _ports(test, test.lost, test.back, "01")
    if test.scenario.clustered:
        _vxconfigd(journal, host, test.back + 5 * SECOND, "CVM_VOLD_CONFIG command received")
        _vxconfigd(journal, host, test.back + 6 * SECOND, "establishing cluster")


def _messages(test: Test) -> None:
    survivor, lost = test.survivor, test.lost
    noise.solaris_messages(test.random, survivor.messages, survivor.node, test.start, test.end)
    noise.solaris_messages(test.random, lost.messages, lost.node, test.start, test.run.fault_at)
    noise.solaris_messages(test.random, lost.messages, lost.node, test.back, test.end)
    if test.scenario.preset:
        count = len(test.service.file_systems)
        text = f"fsclustadm: {survivor.node} set as primary of {count} mount points before the test"
        at = test.start + 20 * SECOND
        survivor.messages.add(at, texts.solaris(survivor.node, "logger[9021]", 702911, "user.notice", text))
    _silence(test)
    _ports(test, survivor, test.run.at("gab"), texts.survivors(test.run.survivor))
    if test.scenario.clustered:
        _clustered_storage(test)
    _return_seen(test)
    _boot(test)


# --- engine log ------------------------------------------------------------------------------------------------------


def _put(journal: Journal, messages: Iterator[steps.Timed]) -> None:
    for at, message in messages:
        journal.add(at, message.tagged)


def _engine(test: Test) -> None:
    scenario, service, run = test.scenario, test.service, test.run
    survivor, lost = test.survivor.engine, test.lost.engine
    resources = (service.nic, service.database)
    noise.engine_notes_2004(test.random, survivor, resources, test.start, run.fault_at)
    noise.engine_notes_2004(test.random, survivor, resources, run.at("db2udb") + MINUTE // 2, test.end)
    noise.engine_notes_2004(test.random, lost, resources, test.start, run.fault_at)
    noise.engine_notes_2004(test.random, lost, resources, test.back + MINUTE, test.end)
    _put(survivor, steps.membership_lost(service, run))
    _put(survivor, steps.service_moves(scenario, service, run, test.random, host_in_output=False))
    _put(survivor, steps.engine_returns(service, run, test.back))
    _put(lost, steps.engine_boots(service, run, test.back))
    probed = list(steps.probes(scenario, service, run, test.back + 4 * SECOND))
    _put(survivor, iter(probed))
    _put(lost, iter(probed))


# --- db2diag.log -----------------------------------------------------------------------------------------------------


def _record(diagnostic: texts.Diagnostic, process: str, appid: str) -> str:
    database = "   Database:ABSOLUT" if diagnostic.database and diagnostic.function != "sqledint" else " "
    return "\n".join(
        [
            f"{STAMP}   Instance:svtdbm   Node:000",
            f"PID:{process}   TID:1   Appid:{appid}",
            f"{diagnostic.component}  {diagnostic.function} Probe:{diagnostic.probe}{database}",
            "",
            diagnostic.text,
            "",
        ]
    )


def _appid(at: int) -> str:
    utc = wall(at - utc_offset_min(at) * 60 * SECOND)
    return f"*LOCAL.svtdbm.{utc:%y%m%d%H%M%S}"


def _database_notes(test: Test, journal: Journal, start: int, end: int) -> None:
    for at in noise.database_instants(test.random, start, end):
        agent = f"{test.random.randrange(900, 29_000)}(db2agent (ABSOLUT))"
        client = f"0A00230C.{test.random.randrange(0x8000, 0xFFFF):04X}.{test.random.randrange(16**12):012X}"
        journal.add(at, _record(noise.database_note(test.random, "SVTDBM"), agent, client))


def _instance_starts(test: Test, journal: Journal, at: int) -> None:
    process = f"{test.random.randrange(900, 29_000)}(db2star2)"
    journal.add(at, _record(texts.db2start_done(), process, "none"))


def _crash_recovery(test: Test) -> None:
    run, journal, random = test.run, test.survivor.db2diag, test.random
    agent = f"{random.randrange(900, 29_000)}(db2agent (ABSOLUT))"
    detect, complete = run.at("detect"), run.at("complete")
    appid = _appid(detect - SECOND // 3)
    lsn = random.randrange(0x1A0000000, 0x1FF000000)
    end = lsn + random.randrange(0x90000, 0x1F0000)
    records = (
        (detect, texts.recovery_needed()),
        (
            detect + random.randrange(200_000, 420_000),
            texts.recovery_started(lsn, lsn - random.randrange(0x9000, 0xA0000)),
        ),
        (detect + random.randrange(430_000, 700_000), texts.parallel_recovery()),
        (complete - random.randrange(700_000, 1_400_000), texts.forward_phase_done(end)),
        (complete, texts.recovery_done(end + random.randrange(0x800, 0x1800))),
    )
    for at, diagnostic in records:
        journal.add(at, _record(diagnostic, agent, appid))


def _db2diag(test: Test) -> None:
    run, survivor, lost = test.run, test.survivor.db2diag, test.lost.db2diag
    _database_notes(test, lost, test.start, run.fault_at)
    if test.scenario.prestarted:
        _instance_starts(test, survivor, test.start - test.random.randrange(500, 900) * SECOND)
        _instance_starts(test, lost, test.back + 19 * SECOND)
    else:
        _instance_starts(test, survivor, run.at("detect") - test.random.randrange(3_100_000, 3_900_000))
    _crash_recovery(test)
    _database_notes(test, survivor, run.at("complete") + 5 * SECOND, test.end)


# --- the study -------------------------------------------------------------------------------------------------------


def runs_of(scenario: Scenario, position: int) -> list[Run]:
    """The ten runs; the nodes take turns, for each failover leaves the service on the other one."""
    random = Random(40_000 + position)
    faults = [instant_of(scenario.first_day)]
    while len(faults) < scenario.runs:
        faults.append(faults[-1] + random.randrange(24 * 60, 39 * 60) * SECOND)
    lost = [i % 2 for i in range(scenario.runs)]
    return calibrated(scenario, 100_000 * (position + 1), faults, lost)


def _run_files(scenario: Scenario, service: Service, run: Run, seed: int) -> Iterator[tuple[str, str]]:
    test = _test(scenario, service, run, Random(seed))
    _messages(test)
    _engine(test)
    _db2diag(test)
    for logs in (test.survivor, test.lost):
        for name, text in _files(logs).items():
            yield f"{scenario.name}/run{run.number:02d}/{logs.node}/{name}", text


def study() -> tuple[Mapping[str, str], list[Truth]]:
    """The study's files by path, and the truth about every milestone."""
    files = dict(beside_2004.files())
    truth: list[Truth] = []
    for position, scenario in enumerate(FAILOVER_2004):
        service = service_2004(scenario)
        files[f"{scenario.name}/main.cf"] = main_cf(scenario, service, modern=False)
        files[f"{scenario.name}/llttab"] = llttab(scenario, modern=False)
        files[f"{scenario.name}/gabtab"] = gabtab(scenario)
        for run in runs_of(scenario, position):
            files.update(_run_files(scenario, service, run, 50_000 + position * 100 + run.number))
            truth += truth_of(scenario, run, utc_offset_min(run.fault_at), _printed)
    return files, truth


def _printed(milestone: str, instant: int) -> str:
    if milestone in {"detect", "complete"}:
        return texts.db2_stamp(instant)
    return texts.solaris_stamp(instant) if milestone in {"llt", "gab", "cvm_cfs"} else texts.engine_stamp(instant)
