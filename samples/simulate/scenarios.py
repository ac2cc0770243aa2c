"""The configurations that are simulated: layout of the cluster, timers, and the milestones their means are to show."""

from collections.abc import Mapping
from dataclasses import dataclass

SECOND = 1_000_000  # all times and durations are whole microseconds


@dataclass(frozen=True, slots=True)
class Scenario:
    """One configuration. `targets_s` are means over its runs: the step minus the fault, in whole seconds."""

    name: str
    first_day: str  # of the first test, local time, YYYY-MM-DD HH:MM
    targets_s: Mapping[str, int]
    mounts: int
    lag_half_us: int  # half width of the spread of the database resource's late `online`
    peerinact_s: int = 3
    stable_s: int = 2
    expiry_is_logged: bool = True  # a line `expired`, else the last `inactive` line ends the LLT step
    clustered: bool = False  # CVM and CFS instead of a disk group
    preset: bool = False  # the standby is CFS primary before the fault
    prestarted: bool = False  # the DB2 instance runs on the standby before the fault
    runs: int = 10
    fine: frozenset[str] = frozenset({"detect", "complete"})  # milestones whose stamps have microseconds
    tick_us: tuple[int, int] = (100_000, 850_000)  # LLT's one-second timer after the last heartbeat, modulo 1 s


DISK_GROUP = ("llt", "gab", "vm", "fs", "ip", "db2udb", "detect", "complete")
CLUSTERED = ("llt", "gab", "cvm_cfs", "ip", "db2udb", "detect", "complete")


def _targets(names: tuple[str, ...], values: str) -> dict[str, int]:
    return dict(zip(names, map(int, values.split()), strict=True))


# The means are those of IBM and VERITAS, "Accelerating Failover Times in IBM DB2 UDB database environments" (2004):
# table 3.7, table A.1, figures 3.8 and 3.9. What the paper does not print (the small steps of the figures) follows from
# the steps it does print. Each: name, first day, means, mounts, half width of the late `online`, what is its own.
FAILOVER_2004 = (
    Scenario(
        "default",
        "2003-07-28 10:04",
        _targets(DISK_GROUP, "15 19 24 31 21 109 49 61"),
        2,
        11_000_000,
        peerinact_s=16,
        stable_s=5,
        expiry_is_logged=False,
    ),
    Scenario("tuned", "2003-08-06 09:31", _targets(DISK_GROUP, "3 5 10 18 8 52 34 40"), 2, 6_500_000),
    Scenario("fs14-diskgroup", "2003-09-17 13:12", _targets(DISK_GROUP, "3 5 17 54 8 90 71 77"), 14, 7_500_000),
    Scenario("fs14-cfs", "2003-10-15 09:47", _targets(CLUSTERED, "3 5 13 8 48 30 36"), 14, 6_000_000, clustered=True),
    Scenario("fs86-diskgroup", "2003-11-12 08:55", _targets(DISK_GROUP, "3 5 52 279 8 315 296 302"), 86, 9_000_000),
    Scenario("fs86-cfs", "2003-12-03 10:18", _targets(CLUSTERED, "3 5 82 8 118 99 105"), 86, 8_000_000, clustered=True),
    Scenario(
        "fs86-cfs-preset",
        "2003-12-10 14:26",
        _targets(CLUSTERED, "3 5 7 8 44 25 31"),
        86,
        5_500_000,
        clustered=True,
        preset=True,
    ),
    Scenario(
        "prestart-fs2",
        "2004-01-21 09:40",
        _targets(CLUSTERED, "3 5 7 8 35 12 19"),
        2,
        4_500_000,
        clustered=True,
        preset=True,
        prestarted=True,
    ),
    Scenario(
        "prestart-fs86",
        "2004-02-04 11:03",
        _targets(CLUSTERED, "3 5 7 8 38 12 19"),
        86,
        5_000_000,
        clustered=True,
        preset=True,
        prestarted=True,
    ),
)

# today's syslog stamps microseconds, the engine log does not
FINE_SYSLOG = frozenset({"llt", "gab", "detect", "complete"})
MODERN_TICK_US = (100_000, 500_000)

FAILOVER_MODERN = (
    Scenario(
        "default",
        "2024-11-12 19:07",
        _targets(DISK_GROUP, "16 21 25 29 23 62 38 47"),
        4,
        6_000_000,
        peerinact_s=16,
        stable_s=5,
        runs=6,
        fine=FINE_SYSLOG,
        tick_us=MODERN_TICK_US,
    ),
    Scenario(
        "tuned",
        "2024-11-19 19:22",
        _targets(DISK_GROUP, "3 5 8 11 7 38 18 24"),
        4,
        4_500_000,
        runs=6,
        fine=FINE_SYSLOG,
        tick_us=MODERN_TICK_US,
    ),
)
