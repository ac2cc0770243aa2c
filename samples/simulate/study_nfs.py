"""The study `nfs-fcp-2009`: a database over NFS and over Fibre Channel, each knob alone and all together.

150 users keep a four-way server busy, 400 an eight-way one. Without tuning the protocol keeps too few requests in
flight, so that the processors wait; tuned, they are nearly all in use.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from samples.simulate.clock import SECOND, instant_of, wall
from samples.simulate.facts import Fact, facts_file
from samples.simulate.load import counted, normal, scattered, wandering
from samples.simulate.nfs_server import RELEASE, SERVER
from samples.simulate.nfs_server import files as server_files
from samples.simulate.sysstat import Cpu, Disk, head, iostat_2009

RUNS = 4
LENGTH_S = 1200
SERIES_S, REPORT_S = 30, 60
IO_PER_TRANSACTION = 14.1
KIB_PER_IO = 9.7
NFS_DEFAULT = 214.0  # transactions per second


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration: its mean rate, the mean I/O time at the storage, and the processors' share in use."""

    name: str
    tps: float
    latency_ms: float
    busy_pct: float
    cpus: int = 4

    @property
    def is_nfs(self) -> bool:
        """Over NFS; else over Fibre Channel."""
        return self.name.startswith("nfs")

    @property
    def users(self) -> int:
        """Users at work."""
        return 150 if self.cpus == 4 else 400


NFS_TUNED, FCP_DEFAULT = 3.37 * NFS_DEFAULT, 305.0  # +237 % is published
FCP_TUNED = 2.44 * FCP_DEFAULT  # +144 % is published

SETUPS = (
    Setup("nfs-default", NFS_DEFAULT, 9.4, 31.0),
    Setup("nfs-jumbo-frames", 1.18 * NFS_DEFAULT, 8.9, 34.0),
    Setup("nfs-rsize-wsize", 1.46 * NFS_DEFAULT, 8.6, 42.5),
    Setup("nfs-slot-table", 2.41 * NFS_DEFAULT, 7.7, 68.0),
    Setup("nfs-tuned", NFS_TUNED, 7.2, 94.8),
    Setup("fcp-default", FCP_DEFAULT, 8.3, 40.5),
    Setup("fcp-queue-depth-64", 1.74 * FCP_DEFAULT, 7.1, 68.5),
    Setup("fcp-tuned", FCP_TUNED, 6.5, 95.6),
    Setup("fcp-queue-depth-256", 2.29 * FCP_DEFAULT, 7.4, 90.3),
    Setup("nfs-tuned-8way", 2 * NFS_TUNED, 1.69 * 7.2, 93.5, cpus=8),  # twice the I/O, +69 % are published
    Setup("fcp-tuned-8way", 2 * FCP_TUNED, 1.18 * 6.5, 95.1, cpus=8),  # twice the I/O, +18 % are published
)
RATIOS = (
    ("nfs-tuned", "nfs-default", "tps", 3.37, 0.005),
    ("fcp-tuned", "fcp-default", "tps", 2.44, 0.005),
    ("nfs-tuned-8way", "nfs-tuned", "iops", 2.0, 0.005),
    ("fcp-tuned-8way", "fcp-tuned", "iops", 2.0, 0.005),
    ("nfs-tuned-8way", "nfs-tuned", "latency_avg_ms", 1.69, 0.005),
    ("fcp-tuned-8way", "fcp-tuned", "latency_avg_ms", 1.18, 0.005),
)


def study() -> tuple[Mapping[str, str], str]:
    """The study's files by path, and the truth about them."""
    files: dict[str, str] = {}
    facts: list[Fact] = []
    start = instant_of("2009-02-02 09:00")
    for position, setup in enumerate(SETUPS):
        files.update({f"{setup.name}/{SERVER}/{name}": text for name, text in _server(setup)})
        random = Random(2_009_000 + position)
        rates = scattered(random, RUNS, setup.tps, 1.4)
        latencies = scattered(random, RUNS, setup.latency_ms, 1.8)
        for i in range(RUNS):
            run = f"run{i + 1:02d}"
            folder = f"{setup.name}/{run}"
            files.update(_run_files(setup, folder, start, (rates[i], latencies[i]), random))
            facts.append(Fact(setup.name, run, "tps", "1/s", rates[i], 0.01))
            facts.append(Fact(setup.name, run, "iops", "1/s", rates[i] * IO_PER_TRANSACTION, 1.0))
            facts.append(Fact(setup.name, run, "latency_avg_ms", "ms", latencies[i], 0.005))
            facts.append(Fact(setup.name, run, "busy_pct", "%", setup.busy_pct, 0.8))
            start += 45 * 60 * SECOND
        start += 15 * 60 * 60 * SECOND
    facts += [Fact(name, "", f"{metric} over that of {of}", "", *rest) for name, of, metric, *rest in RATIOS]
    return files, facts_file(facts)


def _server(setup: Setup) -> Iterator[tuple[str, str]]:
    """The server's own word for the settings of a configuration."""
    is_all = setup.name.startswith("nfs-tuned")
    return server_files(
        is_nfs=setup.is_nfs,
        cpus=setup.cpus,
        slots=128 if is_all or setup.name == "nfs-slot-table" else 16,
        block=32_768 if is_all or setup.name == "nfs-rsize-wsize" else 4096,
    )


def _run_files(
    setup: Setup, folder: str, start: int, means: tuple[float, float], random: Random
) -> Iterator[tuple[str, str]]:
    tps, latency_ms = means
    factors = wandering(random, LENGTH_S // SERIES_S, jitter=0.015, drift=0.012)
    counts = counted([tps * each for each in factors], SERIES_S)
    rows = "".join(
        f"{wall(start + (i + 1) * SERIES_S * SECOND):%Y-%m-%d %H:%M:%S},{setup.users},{count / SERIES_S:.1f}\n"
        for i, count in enumerate(counts)
    )
    yield f"{folder}/workload.csv", f"time,users,tps\n{rows}"
    total = sum(counts)
    summary = f"users,duration_s,transactions,tps\n{setup.users},{LENGTH_S},{total},{total / LENGTH_S:.3f}\n"
    yield f"{folder}/summary.csv", summary
    storage = f"duration_s,iops,latency_ms\n{LENGTH_S},{tps * IO_PER_TRANSACTION:.1f},{latency_ms:.3f}\n"
    yield f"{folder}/storage.csv", storage
    yield f"{folder}/{SERVER}/iostat.txt", _iostat(setup, start, counts, latency_ms, random)


def _iostat(setup: Setup, start: int, counts: Sequence[int], latency_ms: float, random: Random) -> str:
    """What the server sees: all of its processors, and disks where they are not behind NFS."""
    idle = (Cpu(2.1, 0.9, 0.4), _disks(setup, random, 3.0, latency_ms))
    reports = [head(RELEASE, SERVER, start), iostat_2009(start, *idle)]
    per_report = REPORT_S // SERIES_S
    for i in range(0, len(counts), per_report):
        tps = sum(counts[i : i + per_report]) / REPORT_S
        at = start + (i + per_report) * SERIES_S * SECOND
        reports.append(iostat_2009(at, _cpu(setup, random), _disks(setup, random, tps, latency_ms)))
    return "".join(reports)


def _cpu(setup: Setup, random: Random) -> Cpu:
    """NFS costs the system more than Fibre Channel; what is not in use mostly waits for the storage."""
    busy = min(setup.busy_pct * (1 + 0.006 * normal(random)), 99.5)
    system = busy * (0.215 if setup.is_nfs else 0.135) * (1 + 0.03 * normal(random))
    return Cpu(busy - system, system, iowait=(100 - busy) * 0.8)


def _disks(setup: Setup, random: Random, tps: float, latency_ms: float) -> list[Disk]:
    local = Disk("sda", 0.05, 1.9 * (1 + 0.2 * normal(random)), 0.4, 16.0, 0.0, 2.1, 0.9, 0.4)
    if setup.is_nfs:
        return [local]
    data = [_lun(name, random, tps * 6.4, 0.66, latency_ms) for name in ("sdb", "sdc")]
    return [local, *data, _lun("sdd", random, tps * 1.3, 0.0, latency_ms * 0.35)]


def _lun(name: str, random: Random, requests: float, read_share: float, await_ms: float) -> Disk:
    requests *= 1 + 0.01 * normal(random)
    reads, writes = requests * read_share, requests * (1 - read_share)
    return Disk(
        name,
        reads,
        writes,
        reads * KIB_PER_IO,
        writes * KIB_PER_IO,
        merged_writes=writes * 0.03,
        await_ms=await_ms * (1 + 0.03 * normal(random)),
        service_ms=min(0.2, 985 / max(requests, 1)),
    )
