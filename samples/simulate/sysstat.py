"""Reports of iostat, vmstat and sar as the sysstat and procps of the time printed them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from samples.simulate.clock import wall

CPU_HEAD_2005 = "avg-cpu:  %user   %nice    %sys %iowait   %idle"
CPU_HEAD_2009 = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle"
DEVICES_2005 = (
    "Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await  svctm  %util"
)
DEVICES_2009 = "Device:         rrqm/s   wrqm/s   r/s   w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await  svctm  %util"


@dataclass(frozen=True, slots=True)
class Cpu:
    """Shares of the time in percent; idle is what is left."""

    user: float
    system: float
    iowait: float = 0.0

    @property
    def idle(self) -> float:
        """The rest, as the printed shares leave it."""
        return 100 - sum(round(each, 2) for each in (self.user, self.system, self.iowait))


@dataclass(frozen=True, slots=True)
class Disk:
    """What a device did in an interval; requests that it merged count besides. Times in ms, amounts in KiB."""

    device: str
    reads: float
    writes: float
    read_kib: float
    written_kib: float
    merged_reads: float = 0.0
    merged_writes: float = 0.0
    await_ms: float = 0.0
    service_ms: float = 0.0

    @property
    def requests(self) -> float:
        """Requests per second."""
        return self.reads + self.writes

    @property
    def request_sectors(self) -> float:
        """Mean size of a request in sectors."""
        return 2 * (self.read_kib + self.written_kib) / self.requests if self.requests else 0.0

    @property
    def queue(self) -> float:
        """Mean number of requests in the queue and in service."""
        return self.requests * self.await_ms / 1000

    @property
    def used_pct(self) -> float:
        """Share of the time with a request in service."""
        return min(self.requests * self.service_ms / 10, 100.0)


def clock_12(instant: int) -> str:
    """Clock of locale en_US: `09:05:20 AM`."""
    return f"{wall(instant):%I:%M:%S %p}"


def head(release: str, host: str, day: int) -> str:
    """First line of every tool of sysstat."""
    return f"Linux {release} ({host}) \t{wall(day):%m/%d/%Y}\n"


def iostat_2005(at: int, cpu: Cpu, disks: Iterable[Disk]) -> str:
    """A report of `iostat -x -t`, sysstat 5.0."""
    shares = "".join(f"  {each:6.2f}" for each in (cpu.user, 0.0, cpu.system, cpu.iowait, cpu.idle))
    rows = "".join(
        f"{each.device:<10} {each.merged_reads:6.2f} {each.merged_writes:6.2f} {each.reads:5.2f} {each.writes:5.2f} "
        f"{2 * each.read_kib:7.2f} {2 * each.written_kib:7.2f} {each.read_kib:8.2f} {each.written_kib:8.2f} "
        f"{each.request_sectors:8.2f} {each.queue:8.2f} "
        f"{each.await_ms:7.2f} {each.service_ms:6.2f} {each.used_pct:6.2f}\n"
        for each in disks
    )
    return f"\nTime: {clock_12(at)}\n{CPU_HEAD_2005}\n        {shares}\n\n{DEVICES_2005}\n{rows}"


def iostat_2009(at: int, cpu: Cpu, disks: Iterable[Disk]) -> str:
    """A report of `iostat -x -k -t`, sysstat 7.0."""
    shares = "".join(f"  {each:6.2f}" for each in (cpu.user, 0.0, cpu.system, cpu.iowait, 0.0, cpu.idle))
    rows = "".join(
        f"{each.device:<13} {each.merged_reads:8.2f} {each.merged_writes:8.2f} {each.reads:5.2f} {each.writes:5.2f} "
        f"{each.read_kib:8.2f} {each.written_kib:8.2f} {each.request_sectors:8.2f} {each.queue:8.2f} "
        f"{each.await_ms:7.2f} {each.service_ms:6.2f} {each.used_pct:6.2f}\n"
        for each in disks
    )
    return f"\nTime: {clock_12(at)}\n{CPU_HEAD_2009}\n        {shares}\n\n{DEVICES_2009}\n{rows}"


VMSTAT_HEAD = (
    "procs -----------memory---------- ---swap-- -----io---- --system-- ----cpu----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in    cs us sy id wa\n"
)


def vmstat_row(procs: tuple[int, int], memory: Sequence[int], io: Sequence[int], cpu: Cpu) -> str:
    """A line of vmstat, procps 3.2. `memory`: swapped, free, buffers, cache; `io`: bi, bo, in, cs."""
    swapped, free, buffers, cache = memory
    blocks_in, blocks_out, interrupts, switches = io
    user, system, waiting = round(cpu.user), round(cpu.system), round(cpu.iowait)
    idle = 100 - user - system - waiting
    return (
        f"{procs[0]:2d} {procs[1]:2d} {swapped:6d} {free:6d} {buffers:6d} {cache:6d} {0:4d} {0:4d} {blocks_in:5d} "
        f"{blocks_out:5d} {interrupts:4d} {switches:5d} {user:2d} {system:2d} {idle:2d} {waiting:2d}\n"
    )
