"""The study `drbd-2005`: a database on DRBD, its throughput, its disks, and what a fault on the other side does to it.

Eight runs of an hour, four without DRBD and four with it; then three runs each in which the roles are switched, the
link of DRBD is broken, and the other server loses its power.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from samples.simulate import drbd_texts as texts
from samples.simulate.clock import SECOND, instant_of, wall
from samples.simulate.drbd_load import (
    RATIO_WITH,
    RESYNC_KIB_S,
    TPS_WITHOUT,
    Mirror,
    Stretch,
    cpu_of,
    disks_of,
    mirror_at,
    share_of,
)
from samples.simulate.facts import Fact, facts_file
from samples.simulate.load import between, counted, normal, scattered, wandering
from samples.simulate.sysstat import VMSTAT_HEAD, Cpu, head, iostat_2005, vmstat_row

RELEASE = "2.6.5-7.151-smp"
CLIENTS = 5
SERIES_S = 5  # the workload generator counts every five seconds
PLAIN, REPLICATED = "without-drbd", "with-drbd"
SWITCH, LINK, SECONDARY = "role-switch", "link-failure", "secondary-failure"
SIZES_KIB = {"drbd0": 134_000, "drbd1": 84_000, "drbd2": 260}


@dataclass(frozen=True, slots=True)
class Test:
    """One run: where, when and how long, and the mean rate that it would have undisturbed."""

    configuration: str
    run: str
    start: int
    length_s: int
    report_s: int  # interval of iostat
    level: float
    clients_on: str
    seed: int

    @property
    def usual(self) -> Mirror:
        """State of replication when nothing has happened."""
        return Mirror.NONE if self.configuration == PLAIN else Mirror.CONNECTED

    def at(self, seconds: float) -> int:
        """Instant, so many seconds after the start."""
        return self.start + round(seconds * SECOND)

    @property
    def folder(self) -> str:
        """Where the run's files are."""
        return f"{self.configuration}/{self.run}"


@dataclass(slots=True)
class Course:
    """What happens in a run: stretches of another rate, log lines of each server, resynchronisations, and the truth."""

    stretches: list[Stretch] = field(default_factory=list)
    kernel: dict[str, list[texts.Line]] = field(default_factory=lambda: {host: [] for host in texts.HOSTS})
    daemon: dict[str, list[texts.Line]] = field(default_factory=lambda: {host: [] for host in texts.HOSTS})
    resync: list[tuple[float, float, float]] = field(default_factory=list)  # start, end, KiB/s read from the data disk
    facts: list[tuple[str, str, float, float]] = field(default_factory=list)  # quantity, unit, value, tolerance
    moved_s: float | None = None  # when the database began to leave spock1


def study() -> tuple[Mapping[str, str], str]:
    """The study's files by path, and the truth about them."""
    files: dict[str, str] = {}
    facts: list[Fact] = []
    for test in _tests():
        random = Random(test.seed)
        course = _course(test, random)
        rates = _rates(test, course, random)
        counts = counted(rates, SERIES_S)
        files.update(_workload(test, counts))
        files.update(_reports(test, course, rates, random))
        files.update(_logs(test, course, random))
        tps = sum(counts) / test.length_s
        facts.append(Fact(test.configuration, test.run, "tps", "1/s", tps, 0.001))
        facts += [Fact(test.configuration, test.run, *each) for each in course.facts]
    facts += [
        Fact(PLAIN, "", "mean tps", "1/s", TPS_WITHOUT, 0.01),
        Fact(REPLICATED, "", "mean tps", "1/s", TPS_WITHOUT * RATIO_WITH, 0.01),
        Fact(REPLICATED, "", "relative ratio of throughput", "", RATIO_WITH, 0.0005),
    ]
    return files, facts_file(facts)


def _tests() -> Iterator[Test]:
    """All runs in order of time."""
    random = Random(2005)
    days = {
        PLAIN: "2005-06-14",
        REPLICATED: "2005-06-15",
        SWITCH: "2005-06-20",
        LINK: "2005-06-21",
        SECONDARY: "2005-06-22",
    }
    hours = (("09:00", "10:30", "13:00", "14:30"), ("10:00", "11:00", "13:30"))
    for position, (configuration, day) in enumerate(days.items()):
        is_long = configuration in (PLAIN, REPLICATED)
        mean = TPS_WITHOUT * (1 if configuration == PLAIN else RATIO_WITH)
        starts = hours[0] if is_long else hours[1]
        levels = scattered(random, len(starts), mean, 1.3)
        for i, (start, level) in enumerate(zip(starts, levels, strict=True), 1):
            yield Test(
                configuration,
                f"run{i:02d}",
                instant_of(f"{day} {start}"),
                3600 if is_long else 600,
                30 if is_long else SERIES_S,
                level,
                "spock1" if configuration in (LINK, SECONDARY) else "spock2",
                2_005_000 + 10 * position + i,
            )


# --- what happens -----------------------------------------------------------------------------------------------------


def _course(test: Test, random: Random) -> Course:
    course = Course()
    if test.configuration == LINK:
        _break_link(test, course, random)
    elif test.configuration == SECONDARY:
        _stop_secondary(test, course, random)
    elif test.configuration == SWITCH:
        _switch_roles(test, course, random)
    return course


def _break_link(test: Test, course: Course, random: Random) -> None:
    """Commits wait until DRBD gives up on its peer; then it goes on alone until the link is mended."""
    broken = 240 + between(random, 0.3, 2.0)
    stall = between(random, 1.6, 2.4)
    mended = 390 + between(random, 0.3, 2.0)
    course.facts += [
        ("link broken", "s after start", broken, 1.0),
        ("stall", "s", stall, float(SERIES_S)),
        ("least share of the usual rate in an interval", "", 1 - 0.85 * stall / SERIES_S, 0.1),
        ("link mended", "s after start", mended, 1.0),
    ]
    course.stretches += [
        Stretch(broken, broken + stall, 0.15),
        Stretch(broken + stall, mended + 2, 1.05, Mirror.ALONE),
    ]
    for host, role in zip(texts.HOSTS, ("Primary", "Secondary"), strict=True):
        for i, device in enumerate(texts.DEVICES):
            course.kernel[host] += texts.lost(test.at(broken + stall + i * 0.05), device, role)
    _resynchronise(test, course, random, mended + 2, 0.8)


def _stop_secondary(test: Test, course: Course, random: Random) -> None:
    """The other server loses its power and starts again; the database goes on alone meanwhile."""
    off = 120 + between(random, 0.3, 4.0)
    stall = between(random, 0.25, 0.4)
    dead = off + 10 + between(random, 0.1, 1.0)
    back = off + 186 + between(random, 0.0, 12.0)
    course.facts += [
        ("power off", "s after start", off, 1.0),
        ("peer declared dead", "s after power off", dead - off, 1.0),
        ("power on again", "s after start", off + 120, 1.0),
        ("peer back", "s after start", back, 1.0),
    ]
    course.stretches += [
        Stretch(off, off + stall, 0.2),
        Stretch(off + stall, back + 3, 1.05, Mirror.ALONE),
    ]
    for i, device in enumerate(texts.DEVICES):
        course.kernel["spock1"] += texts.lost(test.at(off + stall + i * 0.04), device, "Primary")
    course.kernel["spock1"].append((test.at(off + 0.2), "kernel: tg3: eth1: Link is down."))
    course.kernel["spock1"].append((test.at(back - 20), "kernel: tg3: eth1: Link is up at 1000 Mbps, full duplex."))
    course.daemon["spock1"] += texts.peer_dead(test.at(dead), "spock1")
    course.daemon["spock1"] += texts.peer_back(test.at(back), "spock1")
    _resynchronise(test, course, random, back + 3, 1.0)


def _switch_roles(test: Test, course: Course, random: Random) -> None:
    """The database is stopped on one server and started on the other, whose memory holds none of its pages yet."""
    asked = 240 + between(random, 0.2, 0.9)
    step_s = (between(random, 0.36, 0.44), between(random, 0.38, 0.46))
    gone = texts.released(test.at(asked), step_s[0])
    there = texts.taken_over(gone[-1][0] + SECOND // 5, step_s[1])
    ready = (there[-1][0] - test.start) / SECOND
    course.daemon["spock1"] += gone
    course.daemon["spock2"] += there
    for name, lines, before, after in (
        ("spock1", gone, "Primary/Secondary", "Secondary/Secondary"),
        ("spock2", there, "Secondary/Secondary", "Primary/Secondary"),
    ):
        changes = [at for at, text in lines if "drbddisk " in text and "Running" in text]
        devices = texts.DEVICES if name == "spock2" else tuple(reversed(texts.DEVICES))
        for at, device in zip(changes, devices, strict=True):
            course.kernel[name].append(texts.role_changed(at + SECOND // 20, device, before, after))
            seen = {"Primary/Secondary": "Secondary/Primary", "Secondary/Primary": "Primary/Secondary"}
            other = "spock2" if name == "spock1" else "spock1"
            peers = (seen.get(before, before), seen.get(after, after))
            course.kernel[other].append(texts.role_changed(at + SECOND // 16, device, *peers))
    course.moved_s = asked
    course.facts += [
        ("switch asked for", "s after start", asked, 1.0),
        ("switch", "s", ready - asked, 1.0),
    ]
    warm = ((0, 8, 0.66), (8, 20, 0.83), (20, 35, 0.94))
    course.stretches.append(Stretch(asked + 0.3, ready + 0.4, 0.0))
    course.stretches += [Stretch(ready + 0.4 + low, ready + 0.4 + high, share) for low, high, share in warm]


def _resynchronise(test: Test, course: Course, random: Random, start_s: float, scale: float) -> None:
    """All devices at once; the blocks that changed meanwhile are sent."""
    longest = 0.0
    for device in texts.DEVICES:
        kib = 4 * round(SIZES_KIB[device] * scale * (1 + 0.08 * normal(random)) / 4)
        length = max(kib / RESYNC_KIB_S, 0.4)
        longest = max(longest, length)
        for host in texts.HOSTS:
            lines = texts.resynchronised(
                test.at(start_s), test.at(start_s + length), device, kib, is_source=host == "spock1"
            )
            course.kernel[host] += lines
        course.facts.append((f"resync {device}", "KiB", float(kib), 0.0))
        course.facts.append((f"resync {device}", "s", length, 1.0))
    course.resync.append((start_s, start_s + longest, RESYNC_KIB_S))
    course.stretches.append(Stretch(start_s, start_s + longest, 0.97))


# --- files ------------------------------------------------------------------------------------------------------------


def _rates(test: Test, course: Course, random: Random) -> list[float]:
    """Transactions per second in each interval of the series."""
    count = test.length_s // SERIES_S
    usual = wandering(random, count, jitter=0.02, drift=0.014)
    return [
        test.level * factor * share_of(course.stretches, i * SERIES_S, (i + 1) * SERIES_S)
        for i, factor in enumerate(usual)
    ]


def _workload(test: Test, counts: Sequence[int]) -> Iterator[tuple[str, str]]:
    """What the workload generator writes: its rate every few seconds, and its summary."""
    rows = "".join(
        f"{wall(test.at((i + 1) * SERIES_S)):%Y-%m-%d %H:%M:%S},{CLIENTS},{count / SERIES_S:.1f}\n"
        for i, count in enumerate(counts)
    )
    yield f"{test.folder}/{test.clients_on}/workload.csv", f"time,clients,tps\n{rows}"
    total = sum(counts)
    summary = f"clients,duration_s,transactions,tps\n{CLIENTS},{test.length_s},{total},{total / test.length_s:.3f}\n"
    yield f"{test.folder}/{test.clients_on}/summary.csv", summary


def _reports(test: Test, course: Course, rates: Sequence[float], random: Random) -> Iterator[tuple[str, str]]:
    """Reports of iostat on the server with the database, on both where it moves; of vmstat in the runs of an hour."""
    hosts = texts.HOSTS if course.moved_s is not None else ("spock1",)
    for host in hosts:
        text, cpus = _iostat(test, course, rates, random, host)
        yield f"{test.folder}/{host}/iostat.txt", text
        if test.length_s == 3600:
            yield f"{test.folder}/{host}/vmstat.txt", _vmstat(random, cpus)


def _iostat(test: Test, course: Course, rates: Sequence[float], random: Random, host: str) -> tuple[str, list[Cpu]]:
    since_boot = (cpu_of(random, 4.1, test.usual), disks_of(random, 4.1, test.usual))
    reports = [head(RELEASE, host, test.start), iostat_2005(test.start, *since_boot)]
    cpus = [since_boot[0]]
    per_report = test.report_s // SERIES_S
    for i in range(0, len(rates), per_report):
        end_s = (i + per_report) * SERIES_S
        middle_s = (i + per_report / 2) * SERIES_S
        is_here = course.moved_s is None or (end_s <= course.moved_s + SERIES_S) == (host == "spock1")
        tps = sum(rates[i : i + per_report]) / per_report if is_here else 0.0
        mirror = mirror_at(course.stretches, test.usual, middle_s)
        disks = disks_of(random, tps, mirror, _resync_rate(course, end_s - test.report_s, end_s))
        cpus.append(cpu_of(random, tps, mirror))
        reports.append(iostat_2005(test.at(end_s), cpus[-1], disks))
    return "".join(reports), cpus


def _resync_rate(course: Course, start_s: float, end_s: float) -> float:
    """KiB per second that a resynchronisation reads, over an interval."""
    seconds = sum(rate * max(min(end_s, end) - max(start_s, start), 0.0) for start, end, rate in course.resync)
    return seconds / (end_s - start_s)


def _vmstat(random: Random, cpus: Sequence[Cpu]) -> str:
    rows = []
    for i, cpu in enumerate(cpus):
        if i % 20 == 0:
            rows.append(VMSTAT_HEAD)
        blocked = 1 + random.randrange(4)
        memory = (1204, 21_400 + random.randrange(9000), 38_100 + 12 * i, 2_411_000 + random.randrange(4000))
        load = cpu.user / 22
        io = (round(400 * load), round(1100 * load), round(1180 + 900 * load), round(800 + 2900 * load))
        rows.append(vmstat_row((random.randrange(3), blocked), memory, io, cpu))
    return "".join(rows)


def _logs(test: Test, course: Course, random: Random) -> Iterator[tuple[str, str]]:
    """System log and Heartbeat's log of both servers, where DRBD is in use."""
    if test.usual is Mirror.NONE:
        return
    end = test.at(test.length_s)
    for host in texts.HOSTS:
        yield (
            f"{test.folder}/{host}/messages",
            texts.messages(host, [*texts.everyday(random, test.start, end), *course.kernel[host]]),
        )
        started = texts.daemon_start(test.start - 60 * SECOND, host)
        yield f"{test.folder}/{host}/ha-log", texts.ha_log([*started, *course.daemon[host]])
