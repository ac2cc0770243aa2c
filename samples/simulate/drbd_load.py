"""What an OLTP load does to the disks of a server, with DRBD over them and without.

The database waits for its disks, so the load follows them. With DRBD and protocol C a commit also waits for the other
server's disk, and DRBD writes a little of its own beside the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from samples.simulate.load import normal
from samples.simulate.sysstat import Cpu, Disk

TPS_WITHOUT = 48.6
RATIO_WITH = 0.908  # published
METADATA = 1.02  # writes to a replicated disk for each write to the device above it: activity log and bitmap

DATA, LOG, HOME, SYSTEM = "sdb", "sdc", "sdd", "sda"
REPLICATED = {"drbd0": DATA, "drbd1": LOG, "drbd2": HOME}
RESYNC_KIB_S = 33_500.0


class Mirror(Enum):
    """Whether writes are replicated; ALONE: DRBD without its peer."""

    NONE = "none"
    CONNECTED = "connected"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in a run, seconds after its start, in which the load runs at a share of its usual rate."""

    start_s: float
    end_s: float
    share: float
    mirror: Mirror = Mirror.CONNECTED


def share_of(stretches: Sequence[Stretch], start_s: float, end_s: float) -> float:
    """Mean share of the usual rate in an interval; outside of all stretches it is 1."""
    lost = sum((1 - each.share) * max(min(end_s, each.end_s) - max(start_s, each.start_s), 0.0) for each in stretches)
    return 1 - lost / (end_s - start_s)


def mirror_at(stretches: Sequence[Stretch], usual: Mirror, at_s: float) -> Mirror:
    """The state of replication at a time in the run."""
    return next((each.mirror for each in stretches if each.start_s <= at_s < each.end_s), usual)


def disks_of(random: Random, tps: float, mirror: Mirror, resync_kib_s: float = 0.0) -> list[Disk]:
    """The disks of a server while its database does so many transactions per second."""
    extra = 1.0 if mirror is Mirror.NONE else METADATA
    below = {
        SYSTEM: Disk(
            SYSTEM,
            0.0,
            _about(random, 1.6, 0.3),
            0.0,
            _about(random, 14.0, 0.3),
            0.0,
            _about(random, 1.9, 0.3),
            7.1,
            4.4,
        ),
        DATA: _data(random, tps, extra),
        LOG: _log(random, tps, extra),
        HOME: Disk(HOME, 0.0, _about(random, 0.4, 0.4) * extra, 0.0, _about(random, 2.4, 0.4), 0.0, 0.2, 6.3, 4.1),
    }
    above = [] if mirror is Mirror.NONE else [_over(name, below[disk]) for name, disk in REPLICATED.items()]
    if resync_kib_s:
        below[DATA] = _also_read(below[DATA], resync_kib_s)
    return [*below.values(), *above]


def cpu_of(random: Random, tps: float, mirror: Mirror) -> Cpu:
    """Shares of a two-processor server; replication costs the system some."""
    load = tps / TPS_WITHOUT
    per_system = 6.0 if mirror is Mirror.NONE else 8.6
    return Cpu(
        user=_about(random, 0.4 + 21.5 * load, 0.04),
        system=_about(random, 0.3 + per_system * load, 0.05),
        iowait=_about(random, 0.2 + 47.0 * min(load, 1.0), 0.05),
    )


def _data(random: Random, tps: float, extra: float) -> Disk:
    """Pages that the buffer pool lacks are read, changed ones written in the background."""
    reads = _about(random, 1.95 * tps, 0.05)
    writes = _about(random, 3.1 * tps * extra, 0.05)
    return Disk(
        DATA,
        reads,
        writes,
        read_kib=reads * 4.3,
        written_kib=writes * 5.1,
        merged_reads=reads * 0.02,
        merged_writes=writes * 0.11,
        await_ms=_about(random, 6.0 + 20.0 * min(tps / TPS_WITHOUT, 1.2), 0.08) if reads + writes else 0.0,
        service_ms=_about(random, 3.95, 0.01),
    )


def _log(random: Random, tps: float, extra: float) -> Disk:
    """Commits of five clients, some of them together."""
    writes = _about(random, 0.92 * tps * extra, 0.03)
    return Disk(
        LOG,
        0.0,
        writes,
        0.0,
        written_kib=writes * 6.6,
        merged_writes=writes * 0.35,
        await_ms=_about(random, 4.6, 0.05) if writes else 0.0,
        service_ms=_about(random, 4.1, 0.02),
    )


def _over(name: str, disk: Disk) -> Disk:
    """A DRBD device over its disk: the same data, before requests are merged; this kernel keeps no times for it."""
    return Disk(
        name,
        disk.reads + disk.merged_reads,
        (disk.writes + disk.merged_writes) / METADATA,
        disk.read_kib,
        disk.written_kib / METADATA,
    )


def _also_read(disk: Disk, kib_s: float) -> Disk:
    """A resynchronisation reads large pieces beside the load."""
    return Disk(
        disk.device,
        disk.reads + kib_s / 32,
        disk.writes,
        disk.read_kib + kib_s,
        disk.written_kib,
        disk.merged_reads + kib_s / 32 * 7,
        disk.merged_writes,
        disk.await_ms * 1.2,
        min(disk.service_ms, 1000 / (disk.requests + kib_s / 32)),
    )


def _about(random: Random, value: float, spread: float) -> float:
    return max(value * (1 + spread * normal(random)), 0.0)
