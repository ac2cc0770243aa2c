"""Logs to measure with: made up, the same for the same seed and size, with the variety that real logs have.

Templates of lines are in `templates/`; what they leave open is filled from draws, each of which is used many times, so
that 500 MB take seconds and not minutes. Some lines are such that no fast path takes them: repeats, wrapped messages.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

SEED = 20030728
DRAWS = 20_000
BLOCK = 100
"""Records made at a time."""

TEMPLATES = Path(__file__).parent / "templates"

HOSTS = tuple(f"{name}-{number}" for name in ("elm", "oak", "birch") for number in range(1, 5))
USERS = ("root", "ops", "db2inst1", "oracle", "nagios", "backup")
RESOURCES = ("db2_prod", "mnt_db01", "mnt_log", "vip_prod", "nic_bond0", "dg_data", "vol_db01", "app_portal")
GROUPS = ("db2_grp", "app_grp", "net_grp")
DATABASES = ("PROD", "STAGE", "HADRDB")

BEGINNING = datetime(2010, 1, 4)  # noqa: DTZ001  a wall clock

Draw = Mapping[str, str]


def write(kind: str, path: Path, size: int, seed: int = SEED) -> None:
    """Write a log of a kind, of `size` bytes or a little more."""
    written = 0
    random = Random(seed)  # noqa: S311  no secret
    with path.open("w", encoding="ascii", newline="\n") as file:
        for text in KINDS[kind](random, _draws(random)):
            file.write(text)
            written += len(text)
            if written >= size:
                return


def _draws(random: Random) -> list[Draw]:
    """Values for what templates leave open."""
    return [
        {
            "pid": str(random.randrange(900, 33_000)),
            "port": str(random.randrange(32_768, 61_000)),
            "digit": str(random.randrange(10)),
            "small": str(random.randrange(10, 100)),
            "number": str(random.randrange(10_000, 100_000)),
            "hex": f"{random.getrandbits(40):010X}",
            "uptime": f"{random.randrange(10**7)}.{random.randrange(10**6):06}",
            "ip": f"10.20.{random.randrange(8)}.{random.randrange(1, 255)}",
            "user": random.choice(USERS),
            "host": random.choice(HOSTS),
            "resource": random.choice(RESOURCES),
            "group": random.choice(GROUPS),
            "database": random.choice(DATABASES),
        }
        for _ in range(DRAWS)
    ]


def _templates(name: str, separator: str = "\n") -> list[str]:
    return (TEMPLATES / f"{name}.txt").read_text(encoding="ascii").strip().split(separator)


def syslog(random: Random, draws: list[Draw]) -> Iterator[str]:
    """Lines of a central syslog of twelve hosts, four a second; one in 200 is a folded repeat."""
    templates = [f"{{stamp}} {{host}} {text}\n".format for text in _templates("syslog")]
    repeat = "{stamp} {host} last message repeated {small} times\n".format
    choice, chance = random.choice, random.random
    second = 0
    while True:
        lines = []
        stamp = ""
        for _ in range(BLOCK):
            if not stamp or chance() < 0.25:
                second += 1
                stamp = _bsd_stamp(BEGINNING + timedelta(seconds=second))
            template = repeat if chance() < 0.005 else choice(templates)
            lines.append(template(stamp=stamp, **choice(draws)))
        yield "".join(lines)


def vcs(random: Random, draws: list[Draw]) -> Iterator[str]:
    """Messages of an engine log of release 4.0 on: monitors, now and then the burst of a failover, wrapped lines."""
    everyday, failover = (
        [f"{{stamp}} VCS {text}\n".format for text in _templates(name)] for name in ("vcs_everyday", "vcs_failover")
    )
    wrapped = "{stamp} VCS NOTICE V-16-1-10016 Agent\n        for type Mount is restarted, pid {pid}\n".format
    choice, chance = random.choice, random.random
    at, burst = BEGINNING, 0
    while True:
        lines = []
        for _ in range(BLOCK):
            burst = burst - 1 if burst else random.randrange(100) * (chance() < 0.0005)
            at += timedelta(seconds=random.randrange(2 if burst else 30))
            template = wrapped if chance() < 0.002 else choice(failover if burst else everyday)
            lines.append(template(stamp=f"{at:%Y/%m/%d %H:%M:%S}", **choice(draws)))
        yield "".join(lines)


def db2diag(random: Random, draws: list[Draw]) -> Iterator[str]:
    """Records of release 8.2 on, some seconds apart, with the offset and length that each gives for itself."""
    head = (
        "PID     : {pid:<20} TID  : 1403{number:<11} PROC : db2sysc 0\n"
        "INSTANCE: db2inst1             NODE : 000           DB   : {database}\n"
        "APPHDL  : 0-{small:<18} APPID: {ip}.{port}.1001{number}\n"
        "AUTHID  : DB2INST1             HOSTNAME: elm-1\n"
        "EDUID   : {small:<20} EDUNAME: db2agent ({database}) 0\n"
    )
    templates = [text.partition("\n")[::2] for text in _templates("db2diag", "\n\n")]
    forms = [(level, f"{head}{body}\n".format) for level, body in templates]
    at, offset = BEGINNING, 1
    while True:
        records = []
        for _ in range(BLOCK):
            at += timedelta(microseconds=random.randrange(10**7))
            level, form = random.choice(forms)
            body = form(**random.choice(draws))
            length = len(body) + 60
            place = f"E{offset}E{length}"
            records.append(f"{at:%Y-%m-%d-%H.%M.%S.%f}+060 {place:<20} {level}\n{body}\n")
            offset += length + 1
        yield "".join(records)


IOSTAT_DEVICES = ("sda", "sdb", "nvme0n1", "md0", "dm-0", "dm-1")
IOSTAT_COLUMNS = (
    "r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz "
    "d/s dkB/s drqm/s %drqm d_await dareq-sz f/s f_await aqu-sz %util"
)


def iostat(random: Random, _draws: list[Draw]) -> Iterator[str]:
    """What `iostat -xt 5` of sysstat 12 prints: processors and six devices, one of them idle for most of the time."""
    names = IOSTAT_COLUMNS.split()
    header = f"{'Device':<10}" + "".join(f"{name:>{max(9, len(name) + 1)}}" for name in names) + "\n"
    widths = [max(9, len(name) + 1) for name in names]
    rows = [
        "".join(f"{value:{width}.2f}" for value, width in zip(_device_values(random), widths, strict=True)) + "\n"
        for _ in range(DRAWS)
    ]
    idle = "".join(f"{0:{width}.2f}" for width in widths) + "\n"
    at = BEGINNING
    yield f"Linux 6.1.0-18-amd64 (elm-1) \t{at:%m/%d/%y} \t_x86_64_\t(8 CPU)\n\n"
    choice, chance = random.choice, random.random
    while True:
        reports = []
        for _ in range(BLOCK // 10):
            user, system, waiting = 40 * chance(), 20 * chance(), 10 * chance()
            shares = (user, 0, system, waiting, 0, 100 - user - system - waiting)
            reports.append(
                f"{at:%m/%d/%y %H:%M:%S}\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
                "        "
                + "".join(f"{share:8.2f}" for share in shares)
                + f"\n\n{header}"
                + "".join(
                    f"{device:<10}{idle if device == 'sda' and chance() < 0.9 else choice(rows)}"
                    for device in IOSTAT_DEVICES
                )
                + "\n\n"
            )
            at += timedelta(seconds=5)
        yield "".join(reports)


def _device_values(random: Random) -> list[float]:
    """Values of a device in the order of the columns, sizes and shares as they belong to the counts."""
    chance = random.random
    reads, writes, flushes = 900 * chance() ** 3, 1500 * chance() ** 2, 40 * chance()
    read_kib, write_kib = 4 + 60 * chance(), 4 + 30 * chance()
    merged = 50 * chance()
    waits = [4 * chance() ** 2 for _ in range(3)]
    in_queue = (reads * waits[0] + writes * waits[1]) / 1000
    return [
        *(reads, reads * read_kib, 0, 0, waits[0], read_kib),
        *(writes, writes * write_kib, merged, 100 * merged / (writes + merged + 1), waits[1], write_kib),
        *(0, 0, 0, 0, 0, 0),
        *(flushes, waits[2], in_queue, min(100, 20 * in_queue)),
    ]


def _bsd_stamp(at: datetime) -> str:
    return f"{at:%b} {at.day:2} {at:%H:%M:%S}"


KINDS: dict[str, Callable[[Random, list[Draw]], Iterator[str]]] = {
    "syslog": syslog,
    "vcs_engine": vcs,
    "db2diag": db2diag,
    "iostat": iostat,
}
"""How to make a log of each format that is measured, by the format's name."""
