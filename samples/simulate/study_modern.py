"""Writes the sample study failover-modern: two configurations, one continuous log a node, in the formats of today."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from samples.simulate import diagnostics, noise, steps, texts
from samples.simulate.calibration import calibrated, silent_seconds
from samples.simulate.cluster import Service, gabtab, llttab, main_cf, service_modern
from samples.simulate.diagnostics import Writer, record
from samples.simulate.journal import STAMP, Journal, NodeLogs
from samples.simulate.physics import Run, instant_of, wall
from samples.simulate.scenarios import FAILOVER_MODERN, SECOND, Scenario
from samples.simulate.truth import Truth, truth_of

DEVICES = ("eth1", "eth2")
UTC_OFFSET_MIN = 60  # both configurations were tested in winter
MINUTE = 60 * SECOND
OVER_MIDNIGHT = 3  # index of the failover that begins ten seconds before midnight


def _files(logs: NodeLogs) -> dict[str, str]:
    """The logs of a node by the names of their files."""
    return {
        "engine_A.log": logs.engine.written(texts.engine_stamp, logs.node),
        "messages": logs.messages.written(lambda at: texts.iso_stamp(at, "+01:00"), logs.node),
        "db2diag.log": diagnostics.written(logs.db2diag, UTC_OFFSET_MIN),
    }


@dataclass(frozen=True, slots=True)
class Cycle:
    """A failover, the lost node's return, and the planned switch back; then load until the next."""

    scenario: Scenario
    service: Service
    run: Run
    random: Random
    generation: int
    back: int  # the lost node is a member again
    switch: int  # the operator moves the service back
    until: int  # the next fault, or the end of the logs
    survivor: NodeLogs
    lost: NodeLogs

    @property
    def home_again(self) -> int:
        """The service is up on its first node again."""
        return self.switch + 74 * SECOND


def runs_of(scenario: Scenario, position: int) -> list[Run]:
    """The failovers of a configuration; the first node is lost each time, for the service is always switched back."""
    random = Random(70_000 + position)
    first = instant_of(scenario.first_day)
    midnight = instant_of(f"{wall(first + 24 * 60 * MINUTE):%Y-%m-%d} 00:00") - 10 * SECOND
    faults = [first + (midnight - first) * i // OVER_MIDNIGHT // SECOND * SECOND for i in range(OVER_MIDNIGHT)]
    faults = [at + random.randrange(240) * SECOND for at in faults] + [midnight]
    while len(faults) < scenario.runs:
        faults.append(faults[-1] + random.randrange(43 * 60, 72 * 60) * SECOND)
    runs = calibrated(scenario, 100_000 * (position + 31), faults, [0] * scenario.runs)
    return [replace(run, skew=runs[0].skew) for run in runs]


# --- messages ---------------------------------------------------------------------------------------------------------


def _silence(cycle: Cycle) -> None:
    """LLT on the survivor notices that no heartbeat comes."""
    run, journal, host = cycle.run, cycle.survivor.messages, cycle.survivor.node
    seconds_silent = silent_seconds(cycle.scenario)
    key = cycle.random.randrange(1_000_000, 90_000_000)
    for number, device in enumerate(DEVICES):
        link = texts.link(number, device, run.lost)
        trouble = run.last_heard + 2 * SECOND + 3_100 + number * 40
        journal.add(trouble, texts.linux_kernel(host, "llt", 10205, f"{link} in trouble"))
        for seconds in seconds_silent:
            at = run.silent_line_at(seconds, number)
            text = f"{link} inactive {seconds} sec ({key})"
            journal.add(at, texts.linux_kernel(host, "llt", 10032, text))
            to_go = seconds_silent[-1] - seconds
            if to_go < 4:
                ping = f"sent hbreq (NULL) on {link}. {to_go} more to go."
                journal.add(at + 90, texts.linux_kernel(host, "llt", 10510, ping))
        expired = run.silent_line_at(cycle.scenario.peerinact_s, number)
        journal.add(expired, texts.linux_kernel(host, "llt", 10509, f"{link} expired"))


def _ports(cycle: Cycle, logs: NodeLogs, at: int, members: str) -> None:
    generation = cycle.generation + (at - cycle.run.fault_at) // SECOND
    for i, port in enumerate("ah"):
        text = texts.membership(port, generation + i * 2, members, width=8)
        logs.messages.add(at + i * 1_250, texts.linux_kernel(logs.node, "gab", 20036, text))


def _had_copies(cycle: Cycle) -> None:
    """HAD repeats its errors in syslog."""
    for at, message in steps.membership_lost(cycle.service, cycle.run):
        if message.severity == "ERROR":
            head = f"VCS ERROR V-16-{message.category}-{message.number}"
            journal, host = cycle.survivor.messages, cycle.survivor.node
            journal.add(at, f"{STAMP} {host} Had[20417]: {head} {message.text}")


BOOT = (
    (0, "kernel: Linux version 4.18.0-513.24.1.el8_9.x86_64 (gcc version 8.5.0 20210514 (Red Hat 8.5.0-20))"),
    (0, "kernel: Command line: BOOT_IMAGE=(hd0,gpt2)/vmlinuz-4.18.0-513.24.1.el8_9.x86_64 ro crashkernel=auto"),
    (0, "kernel: x86/fpu: Supporting XSAVE feature 0x001: 'x87 floating point registers'"),
    (3, "systemd[1]: Mounted /boot."),
    (8, "kernel: VxVM vxdmp V-5-0-34 added disk array 60060E8, datatype = THINRCLM"),
    (15, "chronyd[1130]: chronyd version 4.2 starting"),
    (16, "systemd[1]: Starting LLT (Low Latency Transport)..."),
)


def _boot(cycle: Cycle) -> None:
    journal, host, at = cycle.lost.messages, cycle.lost.node, cycle.back - 31 * SECOND
    for second, text in BOOT:
        journal.add(at + second * SECOND + 4_411, f"{STAMP} {host} {text}")
    lines = (
        ("llt", 10009, "LLT Protocol available"),
        ("gab", 20021, "GAB available"),
        ("gab", 20026, "Port a registration waiting for seed port membership"),
    )
    for i, (driver, number, text) in enumerate(lines):
        journal.add(cycle.back - (9 - i) * SECOND, texts.linux_kernel(host, driver, number, text))


def _return(cycle: Cycle) -> None:
    for logs, peer in ((cycle.survivor, cycle.run.lost), (cycle.lost, cycle.run.survivor)):
        for number, device in enumerate(DEVICES):
            text = f"{texts.link(number, device, peer)} active"
            at = cycle.back - 6 * SECOND + number * 700
            logs.messages.add(at, texts.linux_kernel(logs.node, "llt", 10024, text))
        _ports(cycle, logs, cycle.back, "01")


# --- engine log -------------------------------------------------------------------------------------------------------


def _put(journals: tuple[Journal, ...], messages: Iterator[steps.Timed]) -> None:
    for at, message in messages:
        for journal in journals:
            journal.add(at, message.numbered)


def _planned_switch(cycle: Cycle) -> Iterator[steps.Timed]:
    """The operator moves the service back to its first node."""
    service, at = cycle.service, cycle.switch
    source, target = cycle.survivor.node, cycle.lost.node
    group = service.group
    yield at, texts.user_command(f"hagrp -switch {group} {target}  localclus")
    yield at + 4_000, texts.switching(group, source, target)
    mounted = [each.resource for each in service.file_systems]
    stages = ([service.database], [*mounted, service.address], [service.disk_group])
    at += 6_000
    for stage, seconds in zip(stages, (14, 4, 5), strict=True):
        for resource in stage:
            yield at, texts.initiating("Offline", resource, group, source)
        at += seconds * SECOND
        for resource in stage:
            yield at, texts.resource_is("offline", resource, group, source)
    yield at + 3_000, texts.group_is("offline", group, source)
    stages = ([service.disk_group, service.address], mounted, [service.database])
    for stage, seconds in zip(stages, (4, 2, 40), strict=True):
        for resource in stage:
            yield at + 8_000, texts.initiating("Online", resource, group, target)
        at += seconds * SECOND
        for resource in stage:
            yield at, texts.resource_is("online", resource, group, target)
    yield at + 5_000, texts.group_is("online", group, target)


def _engine(cycle: Cycle) -> None:
    scenario, service, run = cycle.scenario, cycle.service, cycle.run
    survivor, lost = cycle.survivor.engine, cycle.lost.engine
    _put((survivor,), steps.membership_lost(service, run))
    survivor.add(run.at("gab") + 1_000, texts.evaluating(service.group, cycle.survivor.node).numbered)
    moves = steps.service_moves(scenario, service, run, cycle.random, host_in_output=True)
    _put((survivor,), moves)
    _put((survivor,), steps.engine_returns(service, run, cycle.back))
    _put((lost,), steps.engine_boots(service, run, cycle.back))
    _put((survivor, lost), steps.probes(scenario, service, run, cycle.back + 4 * SECOND))
    _put((survivor, lost), _planned_switch(cycle))
    noise.engine_notes_modern(cycle.random, survivor, run.fault_at + 3 * MINUTE, cycle.until)
    noise.engine_notes_modern(cycle.random, lost, cycle.back + MINUTE, cycle.until)


# --- db2diag.log ------------------------------------------------------------------------------------------------------


def _writer(random: Random, host: str, at: int) -> Writer:
    return Writer(
        host=host,
        pid=random.randrange(20_000, 30_000),
        tid=140_100_000_000_000 + random.randrange(90_000_000) * 1024,
        appid=f"*LOCAL.db2inst1.{wall(at - UTC_OFFSET_MIN * MINUTE):%y%m%d%H%M%S}",
        handle=random.randrange(7, 900),
        edu=random.randrange(18, 300),
    )


def _database_notes(random: Random, logs: NodeLogs, start: int, end: int) -> None:
    for at in noise.database_instants(random, start, end):
        writer = replace(
            _writer(random, logs.node, at), appid=f"10.20.4.77.{random.randrange(40_000, 60_000)}.2411120812"
        )
        logs.db2diag.add(at, record(writer, noise.database_note(random, "DB2INST1"), "E"))


def _instance(random: Random, logs: NodeLogs, at: int, code: int) -> None:
    """db2start or db2stop ends."""
    command = replace(_writer(random, logs.node, at), appid=None, edu_name=None)
    if code == -1063:
        released = replace(command, process="db2star2")
        logs.db2diag.add(at - 19_210, record(released, texts.lock_file_released()))
    name = "db2start" if code == -1063 else "db2stop"
    done = texts.start_stop_done(diagnostics.sqlca(code, "SQLESSSN"))
    logs.db2diag.add(at, record(replace(command, process=name), done, "E"))


def _crash_recovery(cycle: Cycle) -> None:
    run, random, logs = cycle.run, cycle.random, cycle.survivor
    detect, complete = run.at("detect"), run.at("complete")
    writer = _writer(random, logs.node, detect)
    lsn = random.randrange(0x4000000, 0x8000000)
    end = lsn + random.randrange(0x90000, 0x1F0000)
    begun = detect + random.randrange(300_000, 600_000)
    records = (
        (detect, "I", texts.recovery_needed()),
        (begun, "I", texts.recovery_started(lsn, lsn - random.randrange(0x900, 0x9000))),
        (begun + 183, "E", texts.recovery_notice("ADM1530E", "Crash recovery has been initiated.", 1)),
        (begun + random.randrange(9_000, 90_000), "I", texts.parallel_recovery()),
        (complete - random.randrange(700_000, 1_400_000), "I", texts.forward_phase_done(end)),
        (complete, "I", texts.recovery_done(end + random.randrange(0x800, 0x1800))),
        (complete + 409, "E", texts.recovery_notice("ADM1531E", "Crash recovery has completed successfully.", 3170)),
        (complete + 208_633, "E", texts.activated()),
    )
    for at, audience, diagnostic in records:
        logs.db2diag.add(at, record(writer, diagnostic, audience))


def _db2diag(cycle: Cycle) -> None:
    run, random, survivor, home = cycle.run, cycle.random, cycle.survivor, cycle.lost
    _instance(random, survivor, run.at("detect") - random.randrange(2_100_000, 3_400_000), -1063)
    _crash_recovery(cycle)
    _database_notes(random, survivor, run.at("complete") + 5 * SECOND, cycle.switch)
    survivor.db2diag.add(
        cycle.switch + 5 * SECOND, record(_writer(random, survivor.node, cycle.switch), texts.deactivated(), "E")
    )
    _instance(random, survivor, cycle.switch + 11 * SECOND, -1064)
    _instance(random, home, cycle.home_again - 28 * SECOND, -1063)
    opened = cycle.home_again - 22 * SECOND
    home.db2diag.add(opened, record(_writer(random, home.node, opened), texts.activated(), "E"))
    _database_notes(random, home, cycle.home_again, cycle.until)


# --- the study --------------------------------------------------------------------------------------------------------


def _before_the_first(logs: tuple[NodeLogs, NodeLogs], random: Random, start: int, fault: int) -> None:
    """Load on the first node, idleness on the second, until the first fault."""
    for each in logs:
        noise.engine_notes_modern(random, each.engine, start, fault)
        noise.linux_messages(random, each.messages, each.node, start, fault)
        writer = Writer(each.node, 19_811, 140_100_000_000_000, "db2star2", edu_name=None)
        each.db2diag.add(start - 6 * MINUTE, record(writer, texts.new_log_file(each.node), "E"))
    _database_notes(random, logs[0], start, fault)


def _cycles(
    scenario: Scenario, service: Service, runs: list[Run], random: Random, logs: tuple[NodeLogs, NodeLogs]
) -> list[Cycle]:
    generation = random.randrange(0x100000, 0xE00000)
    ends = [each.fault_at for each in runs[1:]] + [runs[-1].fault_at + 40 * MINUTE]
    return [
        Cycle(
            scenario=scenario,
            service=service,
            run=run,
            random=random,
            generation=generation + i * 5_000,
            back=run.fault_at + random.randrange(190, 330) * SECOND + random.randrange(SECOND),
            switch=run.fault_at + random.randrange(14 * 60, 23 * 60) * SECOND + random.randrange(SECOND),
            until=until,
            survivor=logs[run.survivor],
            lost=logs[run.lost],
        )
        for i, (run, until) in enumerate(zip(runs, ends, strict=True))
    ]


def _write(cycle: Cycle) -> None:
    _silence(cycle)
    _ports(cycle, cycle.survivor, cycle.run.at("gab"), texts.survivors(cycle.run.survivor))
    _had_copies(cycle)
    _boot(cycle)
    _return(cycle)
    noise.linux_messages(cycle.random, cycle.survivor.messages, cycle.survivor.node, cycle.run.fault_at, cycle.until)
    noise.linux_messages(cycle.random, cycle.lost.messages, cycle.lost.node, cycle.back, cycle.until)
    _engine(cycle)
    _db2diag(cycle)


def _printed(milestone: str, instant: int) -> str:
    if milestone in {"detect", "complete"}:
        return f"{texts.db2_stamp(instant)}{UTC_OFFSET_MIN:+04d}"
    return texts.iso_stamp(instant, "+01:00") if milestone in {"llt", "gab"} else texts.engine_stamp(instant)


def study() -> tuple[Mapping[str, str], list[Truth]]:
    """The study's files by path, and the truth about every milestone."""
    files: dict[str, str] = {}
    truth: list[Truth] = []
    for position, scenario in enumerate(FAILOVER_MODERN):
        service = service_modern(scenario)
        random = Random(80_000 + position)
        runs = runs_of(scenario, position)
        logs = (NodeLogs(service.nodes[0]), NodeLogs(service.nodes[1]))
        logs[0].set_clock(runs[0].skew)
        _before_the_first(logs, random, runs[0].fault_at - 25 * MINUTE, runs[0].fault_at)
        for cycle in _cycles(scenario, service, runs, random, logs):
            _write(cycle)
        files[f"{scenario.name}/main.cf"] = main_cf(scenario, service, modern=True)
        files[f"{scenario.name}/llttab"] = llttab(scenario, modern=True)
        files[f"{scenario.name}/gabtab"] = gabtab(scenario)
        files |= {f"{scenario.name}/{each.node}/{name}": text for each in logs for name, text in _files(each).items()}
        for run in runs:
            truth += truth_of(scenario, run, UTC_OFFSET_MIN, _printed, str(run.number))
    return files, truth
