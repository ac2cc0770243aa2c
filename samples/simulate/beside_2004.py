"""What was measured beside the failovers of 2004: parameters, the start of the instance, the workload, the load.

The numbers are those of the paper: table 3.6, section 3.6.2, the mix of statements. Figures 3.10 and 3.11 have no
numbers to be read: about 100,000 rows a minute stand in the text, and no significant difference between storages.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from samples.simulate.db2_texts import (
    Snapshot,
    database_configuration,
    database_manager_configuration,
    registry,
    timed_start,
)
from samples.simulate.load import counted, scattered, wandering
from samples.simulate.physics import instant_of
from samples.simulate.scenarios import SECOND

NODE = "sun-ha3"
KEYWORDS = (
    *("LOGBUFSZ", "CHNGPGS_THRESH", "NUM_IOCLEANERS", "NUM_IOSERVERS", "LOGFILSIZ"),
    *("LOGPRIMARY", "LOGSECOND", "SOFTMAX", "INDEXREC"),
)
DATABASE = {
    "default": dict(zip(KEYWORDS, ("8", "60", "1", "3", "1000", "3", "2", "100", "SYSTEM (RESTART)"), strict=True)),
    "tuned": dict(zip(KEYWORDS, ("4", "20", "20", "10", "500", "250", "0", "1", "ACCESS"), strict=True)),
}
EVENT_LOG_ON = {"DB2COMM": "tcpip"}
EVENT_LOG_MINIMUM = {"DB2_EVENT_LOG_CONFIG": "MINIMUM", **EVENT_LOG_ON}
EVENT_LOG_OFF = {"DB2_EVENT_LOG_CONFIG": "OFF", **EVENT_LOG_ON}
REGISTRY = {
    "default": EVENT_LOG_ON,
    "tuned": EVENT_LOG_OFF,
    "db2start-event-log-on": EVENT_LOG_ON,
    "db2start-event-log-minimum": EVENT_LOG_MINIMUM,
    "db2start-event-log-off": EVENT_LOG_OFF,
}
STARTS = {
    "db2start-event-log-on": ("2003-07-25 10:27", {"real": "13.39", "user": "0.42", "sys": "0.93"}),
    "db2start-event-log-minimum": ("2003-07-25 10:31", {"real": "5.12", "user": "0.46", "sys": "0.91"}),
    "db2start-event-log-off": ("2003-07-25 10:34", {"real": "4.67", "user": "0.48", "sys": "0.89"}),
}
MIX = {"SELECT": 1664, "SEARCHED UPDATE": 1492, "SEARCHED DELETE": 381, "LOCK TABLE": 120, "INSERT": 324}

LOADS = {"load-diskgroup": ("2003-12-15 09:12", 1.0), "load-cfs": ("2003-12-16 09:20", 0.991)}
"""First connection, local time, and share of the load below that the storage lets through."""

RUNS = 3
MINUTES = 20
MINUTE = 60 * SECOND
COUNTERS = {
    "Commit statements attempted": (1840, 0.03),
    "Rollback statements attempted": (21, 0.1),
    "Rows deleted": (4300, 0.2),
    "Rows inserted": (5700, 0.16),
    "Rows updated": (15200, 0.14),
    "Rows selected": (78800, 0.09),
}
"""Counters of a snapshot: their mean in a minute, and how much of it a minute's value differs from others."""


def files() -> Iterator[tuple[str, str]]:
    """Files by path."""
    for configuration, values in DATABASE.items():
        yield f"{configuration}/db2-get-db-cfg.txt", database_configuration(values)
        yield f"{configuration}/db2-get-dbm-cfg.txt", database_manager_configuration()
    for configuration, variables in REGISTRY.items():
        yield f"{configuration}/db2set-all.txt", registry(variables)
    for configuration, (minute, times) in STARTS.items():
        up = instant_of(minute) + 14 * SECOND
        yield f"{configuration}/run01/{NODE}/time-db2start.txt", timed_start(up, times)
    yield (
        "load-diskgroup/workload-mix.csv",
        "sql_type,count\n" + "".join(f"{name},{count}\n" for name, count in MIX.items()),
    )
    for position, (configuration, (first, share)) in enumerate(LOADS.items()):
        yield from _load(configuration, instant_of(first), share, Random(2_004_310 + position))


def _load(configuration: str, first: int, share: float, random: Random) -> Iterator[tuple[str, str]]:
    means = {label: scattered(random, RUNS, share * mean, cv_pct=0.8) for label, (mean, _) in COUNTERS.items()}
    for run in range(RUNS):
        connected = first + run * 45 * MINUTE + random.randrange(MINUTE)
        start = connected + 9 * MINUTE + random.randrange(MINUTE)
        counts = {label: _counts(means[label][run], COUNTERS[label][1], random) for label in COUNTERS}
        yield f"{configuration}/run{run + 1:02d}/{NODE}/snapshots.txt", _snapshots(connected, start, counts)


def _counts(mean: float, jitter: float, random: Random) -> Sequence[int]:
    """What is counted in each minute: first the nine before the first snapshot, then one by one."""
    return [round(9 * mean), *counted([mean * each for each in wandering(random, MINUTES, jitter, jitter / 3)], 1)]


def _snapshots(connected: int, start: int, counts: Mapping[str, Sequence[int]]) -> str:
    """A snapshot each minute, in one file."""
    totals = dict.fromkeys(counts, 0)
    printed = []
    for minute in range(MINUTES + 1):
        totals = {label: totals[label] + counts[label][minute] for label in counts}
        printed.append(Snapshot(connected, start + minute * MINUTE, totals).printed())
    return "".join(printed)
