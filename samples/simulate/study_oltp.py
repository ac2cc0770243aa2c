"""The study `oltp-cluster-2003`: events posted by a database cluster, against the number of queues that feed it.

Five servers with two partitions each. With one coordinator all inserts go through one server; with a coordinator on
every partition each queue feeds the partition that it is nearest to, until the stream of events that arrive is
exhausted. Then twelve queries on the cluster and on the system that it is to replace.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from samples.simulate.clock import SECOND, instant_of, wall
from samples.simulate.facts import Fact, facts_file
from samples.simulate.load import counted, normal, scattered, wandering
from samples.simulate.sysstat import head

RELEASE = "2.4.9-e.25enterprise"
SERVERS = tuple(f"db2srv{i}" for i in range(1, 6))
RUNS = 3
LENGTH_S = 1800
STEP_S = 60
FULL_LOAD_PCT = 88.0  # of the processors, at the highest rate
HIGHEST = 1_600_000


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration: number of queues and mean rate in events per hour."""

    name: str
    queues: int
    rate: float
    is_distributed: bool = True


SETUPS = (
    Setup("single-coordinator", 1, 250_000, is_distributed=False),  # published
    Setup("single-coordinator-improved", 1, 300_000, is_distributed=False),  # published
    Setup("queues-02", 2, 208_000),
    Setup("queues-05", 5, 506_000),
    Setup("queues-10", 10, 985_000),  # one a partition; published: approached one million
    Setup("queues-12", 12, 1_160_000),
    Setup("queues-16", 16, 1_421_000),
    Setup("queues-20", 20, 1_436_000),  # published: this step was a problem
    Setup("queues-24", 24, 1_600_000),  # published
)

# Seconds on the old system, and the cluster's share of them. The published bars bear no numbers: these are made up.
QUERIES = {
    "1": (41.2, 0.31),
    "2": (12.9, 0.58),
    "3": (118.4, 0.22),
    "4": (7.3, 0.91),
    "5": (63.8, 0.37),
    "6": (25.1, 0.44),
    "7": (204.6, 0.18),
    "8": (3.4, 1.12),
    "9": (88.0, 0.29),
    "10": (16.7, 0.63),
    "11": (51.5, 0.35),
    "12": (31.9, 0.49),
}


def study() -> tuple[Mapping[str, str], str]:
    """The study's files by path, and the truth about them."""
    files: dict[str, str] = {}
    facts: list[Fact] = []
    start = instant_of("2003-01-20 09:00")
    for position, setup in enumerate(SETUPS):
        random = Random(2_003_000 + position)
        rates = _even(scattered(random, RUNS, setup.rate, 1.1))
        for i, rate in enumerate(rates):
            run = f"run{i + 1:02d}"
            shape = _shape(setup, i + 1, random)
            files.update(_run_files(setup, f"{setup.name}/{run}", start, [rate * each for each in shape], random))
            facts.append(Fact(setup.name, run, "events_per_hour", "1/h", rate, 1.0))
            facts.append(Fact(setup.name, run, "busy_pct", "%", FULL_LOAD_PCT * rate / HIGHEST, 0.6))
            start += 60 * 60 * SECOND
        facts.append(Fact(setup.name, "", "mean events_per_hour", "1/h", setup.rate, 1.0))
        start += 21 * 60 * 60 * SECOND
    files.update(_queries(facts))
    return files, facts_file(facts)


def _even(rates: Sequence[float]) -> list[float]:
    """Rates of an hour that are whole numbers of events in half an hour, with the same mean."""
    first = [2.0 * round(each / 2) for each in rates[1:]]
    return [sum(rates) - sum(first), *first]


def _shape(setup: Setup, number: int, random: Random) -> list[float]:
    """Share of the mean rate in each minute. In one run with all queues the stream of events runs dry for a while."""
    shape = wandering(random, LENGTH_S // STEP_S, jitter=0.02, drift=0.012)
    if setup.queues == 24 and number == 2:
        starved = {0: 0.42, 1: 0.78, 16: 0.71, 17: 0.55, 18: 0.74}
        shape = [each * starved.get(minute, 1.0) for minute, each in enumerate(shape)]
    mean = sum(shape) / len(shape)
    return [each / mean for each in shape]


def _run_files(
    setup: Setup, folder: str, start: int, rates: Sequence[float], random: Random
) -> Iterator[tuple[str, str]]:
    counts = counted([each / 3600 for each in rates], STEP_S)
    points = "".join(
        f"{wall(start + (i + 1) * STEP_S * SECOND):%Y-%m-%d %H:%M:%S},{setup.queues},{count * 3600 // STEP_S}\n"
        for i, count in enumerate(counts)
    )
    yield f"{folder}/events.csv", f"time,queues,events_per_hour\n{points}"
    end = start + LENGTH_S * SECOND
    span = f"{wall(start):%Y-%m-%d %H:%M:%S},{wall(end):%Y-%m-%d %H:%M:%S}"
    yield f"{folder}/summary.csv", f"queues,events,start,end\n{setup.queues},{sum(counts)},{span}\n"
    for server in SERVERS:
        yield f"{folder}/{server}/sar.txt", _sar(setup, server, start, rates, random)


def _sar(setup: Setup, server: str, start: int, rates: Sequence[float], random: Random) -> str:
    """Processors of a server: in proportion to the rate; a single coordinator works harder than the others."""
    share = 1.0 if setup.is_distributed else (1.9 if server == SERVERS[0] else 0.775)
    rows = []
    totals = [0.0, 0.0]
    for i, rate in enumerate(rates):
        busy = share * FULL_LOAD_PCT * rate / HIGHEST * (1 + 0.012 * normal(random))
        user, system = min(busy, 99.0) * 0.76, min(busy, 99.0) * 0.24
        totals = [totals[0] + user, totals[1] + system]
        rows.append(_sar_row(f"{wall(start + (i + 1) * STEP_S * SECOND):%H:%M:%S}", user, system))
    average = _sar_row("Average:", totals[0] / len(rates), totals[1] / len(rates))
    heading = f"{wall(start):%H:%M:%S}          CPU     %user     %nice   %system     %idle\n"
    return f"{head(RELEASE, server, start)}\n{heading}{''.join(rows)}{average}"


def _sar_row(stamp: str, user: float, system: float) -> str:
    idle = 100 - round(user, 2) - round(system, 2)
    return f"{stamp:<8}          all {user:9.2f} {0:9.2f} {system:9.2f} {idle:9.2f}\n"


def _queries(facts: list[Fact]) -> Iterator[tuple[str, str]]:
    """Times of each query on both systems, five repetitions a run."""
    random = Random(2_003_500)
    for configuration in ("queries-zos", "queries-linux"):
        for number in range(1, RUNS + 1):
            rows = []
            for query, (seconds, share) in QUERIES.items():
                true = seconds * (share if configuration == "queries-linux" else 1.0)
                times = [true * (1 + 0.02 * normal(random)) for _ in range(5)]
                mean = sum(times) / len(times)
                rows.append(f"{query}\t{min(times):.3f}\t{mean:.3f}\t{max(times):.3f}\n")
                facts.append(Fact(configuration, f"run{number:02d}", f"query {query}", "s", mean, 0.001))
            yield f"{configuration}/run{number:02d}/queries.tsv", "query\tmin\tavg\tmax\n" + "".join(rows)
