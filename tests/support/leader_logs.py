"""Writes the logs of servers that elect a leader, every stamp known: Patroni's members, and Redis with Sentinel."""

from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import Store, ingested, write

START = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001  a wall clock
FAULT_S = 34.2
Said = dict[str, list[tuple[float, str]]]

HOLDS = "INFO: no action. I am ({}), the leader with the lock"
FOLLOWS = "INFO: no action. I am ({}), a secondary, and following a leader ({})"
WINS = "INFO: promoted self to leader by acquiring session lock"


SILENT: Said = {
    "bert": [(61.0, "WARNING: Request failed to anna: GET http://10.0.0.1:8008/patroni (timed out)"), (61.2, WINS)],
    "cora": [
        (61.1, "WARNING: Request failed to anna: GET http://10.0.0.1:8008/patroni (timed out)"),
        (61.3, "INFO: Could not take out TTL lock"),
        (71.0, FOLLOWS.format("cora", "bert")),
    ],
}
ORDERED: Said = {
    "anna": [
        (33.0, "INFO: received switchover request with leader=anna candidate=bert scheduled_at=None"),
        (33.5, "INFO: Demoting self (graceful)"),
        (41.0, FOLLOWS.format("anna", "bert")),
    ],
    "bert": [(36.0, "INFO: Cleaning up failover key after acquiring leader lock..."), (36.0, WINS)],
    "cora": [(41.0, FOLLOWS.format("cora", "bert"))],
}


def stamped(at: float) -> str:
    """A time in seconds as Patroni prints it."""
    moment = START + timedelta(seconds=at)
    return f"{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03d}"


def write_patroni(folder: Path, said: Said) -> None:
    """The logs of three members, of which anna leads for half a minute."""
    for member in ("anna", "bert", "cora"):
        text = HOLDS.format(member) if member == "anna" else FOLLOWS.format(member, "anna")
        lines = [*((at, text) for at in (0.0, 10.0, 20.0, 30.0)), *said.get(member, [])]
        write(folder / member / "patroni.log", [f"{stamped(at)} {text}" for at, text in sorted(lines)])


def patroni(folder: Path, said: Said) -> Store:
    """A study of these logs alone."""
    write_patroni(folder / "ttl30", said)
    return ingested(folder)


SENTINEL = "24497:X {} # {}"
SERVER = "100:{} {} * {}"


def incidents(store: Store) -> list[tuple[str, str, bool]]:
    return store.rows("select lost_node, surviving_node, is_planned from incident order by loss_at")


def milestones(store: Store) -> dict[str, float]:
    return dict(store.rows('select milestone, epoch("at" - ?) from milestone', START))


def redis(folder: Path) -> Store:
    """Three servers with a sentinel each, of which the first is lost."""

    def at(seconds: float) -> str:
        moment = START + timedelta(seconds=seconds)
        return f"{moment:%d %b %Y %H:%M:%S}.{moment.microsecond // 1000:03d}"

    first, second = "10.0.0.1 6379", "10.0.0.2 6379"
    taken = "(user request from 'id=7 addr=10.0.0.3:52016 laddr=10.0.0.{}:6379 fd=13 name=sentinel-28075820-cmd')"
    for number in (1, 2, 3):
        node = folder / "down3s" / f"redis{number}"
        said = [(0.0, f"+monitor master mymaster {first} quorum 2")]
        said += [(33.0 + number / 10, f"+sdown master mymaster {first}")] if number > 1 else []
        said += [(33.4, f"+odown master mymaster {first} #quorum 2/2")] if number == 3 else []
        said += [(35.5, f"+promoted-slave slave 10.0.0.2:6379 {second} @ mymaster {first}")] if number == 3 else []
        said += [(36.0, f"+switch-master mymaster {first} {second}")] if number > 1 else []
        write(node / "sentinel.log", [SENTINEL.format(at(when), text) for when, text in said])
        served = [
            (0.0, "Running mode=standalone, port=6379."),
            (20.0 + number, "Background saving terminated with success"),
        ]
        if number == 1:
            served += [(60.0, "REPLICAOF 10.0.0.2:6379 enabled " + taken.format(1))]
        if number == 2:
            served += [(35.0, "MASTER MODE enabled " + taken.format(2))]
        write(node / "redis.log", [SERVER.format("S", at(when), text) for when, text in served])
    return ingested(folder)


STATE = "The state of the local availability replica in availability group 'ag1' has changed from '{}' to '{}'."


def write_availability_group(folder: Path, said: Said) -> None:
    """The ERRORLOGs of two servers, of which anna's is the primary replica."""
    led = {"anna": [(0.0, STATE.format("PRIMARY_PENDING", "PRIMARY_NORMAL"))]}
    for server in ("anna", "bert"):
        named = (-5.0, f"Server name is '{server}'. This is an informational message only. No user action is required.")
        lines = sorted([named, *led.get(server, []), *said.get(server, [])])
        moments = [(START + timedelta(seconds=at), text) for at, text in lines]
        stamps = [(f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 10000:02d}", text) for at, text in moments]
        write(folder / server / "ERRORLOG", [f"{stamp} spid75s     {text}" for stamp, text in stamps])
