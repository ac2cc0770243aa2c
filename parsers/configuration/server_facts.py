"""What commands say of a server: uname -a, lscpu, free, df, db2level, and /proc/meminfo, /etc/os-release and the like.

Written by  people who note what a test ran on: one command a file, or several one after another
One row     per fact that stays: name and release of the system, processors, memory, size of file systems, level of DB2.
            What passes (memory in use, free space) is set aside
Units       as printed; `free` prints none, and depends on its options
Commands    echoed before their output are set aside
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import polars as pl

from parsers.by_line import CONTINUATION, LineVerdict, Row, ignored, parse_by_line, parsed, rejected
from parsers.db2.environment import facts_of
from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.format import Format, Recognition, Refusal, Verdict

# REAL: Linux vm 6.18.44 #1 SMP PREEMPT_DYNAMIC @0 x86_64 GNU/Linux
UNAME_LINUX = re.compile(r"^Linux (?P<host>[\w.-]+) (?P<release>[0-9]\S*) #(?P<rest>.*)$")
# RECONSTRUCTED: SunOS sun-ha3 5.9 Generic_112233-04 sun4u sparc SUNW,Sun-Fire-280R        AIX db1 1 7 00F6050A4C00
UNAME_UNIX = re.compile(
    r"^(?P<name>SunOS|AIX|HP-UX|FreeBSD) (?P<host>[\w.-]+) (?P<release>[A-Z]?\.?[0-9][\w.-]*) (?P<next>\S+)"
    r"(?P<rest>.*)$"
)
SIGNATURE = (
    r"^(?:Linux|SunOS|AIX|HP-UX|FreeBSD) |^(?:Architecture|Mem|MemTotal):|^Filesystem\s|^PRETTY_NAME=|^DB21085I"
    r"|^(?:psql|postgres|pgbench|pg_ctl) \(PostgreSQL\)|^Kernel release: "
)
BANNER_DATE = re.compile(
    r"[0-9][0-9][/.-][0-9][0-9][/.-][0-9][0-9]"
)  # sar and iostat begin with much the same line, and a date
MACHINE = re.compile(r"\b(?:x86_64|i[3-6]86|aarch64|ppc64(?:le)?|s390x?|ia64|sparc\S*|sun4\w|amd64|9000/[0-9]+)\b")
# REAL: Model name:                              AMD EPYC
PAIR = re.compile(r"^\s*(?P<name>[A-Za-z][\w ()./+-]{0,60}?):\s+(?P<value>\S.*)$")
LSCPU = {
    "Architecture": ("architecture", None),
    "CPU(s)": ("total", None),
    "On-line CPU(s) list": ("online_list", None),
    "Thread(s) per core": ("threads_per_core", None),
    "Core(s) per socket": ("cores_per_socket", None),
    "Socket(s)": ("sockets", None),
    "NUMA node(s)": ("numa_nodes", None),
    "Vendor ID": ("vendor", None),
    "Model name": ("model", None),
    "CPU MHz": ("clock", "MHz"),
    "CPU max MHz": ("clock_max", "MHz"),
    "L1d cache": ("l1d_cache", None),
    "L1i cache": ("l1i_cache", None),
    "L2 cache": ("l2_cache", None),
    "L3 cache": ("l3_cache", None),
    "Hypervisor vendor": ("hypervisor", None),
    "Virtualization type": ("virtualization", None),
}
OF_LSCPU = re.compile(
    r"^\s*(?:CPU|Vendor|Model|Stepping|BogoMIPS|Flags|Byte Order|Address sizes|NUMA|Vulnerabilit|L[0-9]|Virtualization"
    r"|Frequency|Hypervisor|Caches|BIOS|Off-line|On-line|Physical sockets|Drawer|Book|Itlb|Meltdown|Spectre|Srbds|Tsx"
    r"|Mds|Spec|Retbleed|Mmio|Gather|Reg file|Ghostwrite|Indirect|Tsa|Vmscape|Old microcode)"
)
# REAL: MemTotal:       24684084 kB
MEMINFO = re.compile(r"^(?P<name>[A-Z][\w()]+): +(?P<value>[0-9]+)(?: (?P<unit>kB))?$")
MEMORY = {
    "MemTotal": ("memory", "physical_total"),
    "SwapTotal": ("memory", "swap_total"),
    "HugePages_Total": ("memory", "huge_pages_total"),
    "Hugepagesize": ("memory", "huge_page_size"),
}
# REAL: Mem:            23Gi       626Mi        20Gi       8.7Mi       2.7Gi        22Gi
FREE_HEAD = re.compile(r"^\s+total\s+used\s+free\b")
FREE = re.compile(r"^(?P<name>Mem|Swap): +(?P<value>[0-9.]+)(?P<unit>[KMGTP]i?B?|B)?(?:\s|$)")
# REAL: Filesystem               Size  Used Avail Use% Mounted on
DF_HEAD = re.compile(
    r"^Filesystem\s(?=.*Mounted on\s*$).*?"
    r"(?P<unit>Size|[0-9]{1,9}[KMG]?-blocks|[KMG]B-blocks|kbytes|MB blocks|GB blocks)\s"
)
BLOCKS = {"Size": None, "1K-blocks": "kB", "1024-blocks": "kB", "kbytes": "kB", "1M-blocks": "MB"}
DF = re.compile(
    r"^(?P<device>\S*)\s+(?:(?:ext[234]|xfs|nfs4?|vxfs|btrfs|zfs|ufs|jfs2?)\s+)?(?P<size>[0-9.]+)(?P<unit>[KMGTP]i?)?\s+"
    r"[0-9.]+[KMGTP]?i?\s+-?[0-9.]+[KMGTP]?i?\s+(?:[0-9]+%|-)\s+(?:[0-9]+\s+[0-9]+%\s+)?(?P<point>/.*)$"
)
WRAPPED_DEVICE = re.compile(r"^\S+$")
PSEUDO = re.compile(r"^(?:tmpfs|devtmpfs|udev|proc|none|overlay|shm|efivarfs|swap|ctfs|mnttab|objfs|fd)$")
# REAL: PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
OS_RELEASE = re.compile(r"^(?P<name>[A-Z][A-Z_]{1,30})=\"?(?P<value>[^\"]*)\"?$")
RELEASE_FACTS = {"PRETTY_NAME": "distribution", "VERSION_ID": "distribution_version"}
# SOURCE: sysinfo.txt of crm report and hb_report; other lines of it are versions of packages
BUNDLE = re.compile(r"^(?P<name>Platform|Kernel release|Architecture|Distribution): (?P<value>\S.*)$")
BUNDLE_FACTS = {
    "Platform": ("os", "name"),
    "Kernel release": ("os", "release"),
    "Architecture": ("cpu", "architecture"),
    "Distribution": ("os", "distribution"),
}
PACKAGE = re.compile(r"^[A-Za-z][\w.+ -]{0,60}(?::| ).*[0-9]")
DB2LEVEL = re.compile(r"^DB21085I\b")
DB2LEVEL_END = re.compile(r"^Product is installed")
# REAL: psql (PostgreSQL) 15.3
POSTGRESQL = re.compile(r"^(?:psql|postgres|pgbench|pg_ctl) \(PostgreSQL\) (?P<version>[0-9]\S*)")
COMMAND = re.compile(
    r"(?:^|[$#>] *|/|\bcat )"
    r"(?:uname|lscpu|free|df|db2level|hostname|nproc|psql|postgres|os-release|meminfo|cpuinfo|date)\b[^:=]*$"
)
SEPARATOR = re.compile(r"^\s*[-=#*~_]{3,}\s*$|^==> .* <==$")
MAX_LINE = 4096
LEAST_OF_BUNDLE = 3


@dataclass(slots=True)
class _Place:
    """What the lines above leave open: unit and wrapped device of a table of `df`, the text of `db2level`."""

    df_unit: str | None = None
    device: str | None = None
    level: list[str] = field(default_factory=list)
    is_release: bool = False
    is_bundle: bool = False


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of which most lines are output of such commands, with at least one fact."""
    if not head.str.contains(SIGNATURE).any():
        return Refusal("no line of a command that describes a server", 0 if head.is_empty() else 1)
    classified = read(head.to_list())
    facts = [line for line, each in enumerate(classified, 1) if each.rows]
    given = head.str.contains(r"\S").sum()
    strange = sum(each.verdict is Verdict.REJECTED and bool(head[line].strip()) for line, each in enumerate(classified))
    if facts and 4 * strange <= given:
        return Recognition(0.7, "facts of a server", facts[0])
    return Refusal(
        "less than three quarters are output of commands that describe a server", 0 if head.is_empty() else 1
    )


def read(texts: list[str]) -> list[LineVerdict]:
    """Classify the lines of one file; the only host that uname names is that of all facts."""
    place = _Place(
        is_release=any(text.startswith(("PRETTY_NAME=", "ID=", "VERSION_ID=")) for text in texts),
        is_bundle=sum(BUNDLE.match(text) is not None for text in texts) >= LEAST_OF_BUNDLE,
    )
    found: list[LineVerdict] = []
    for text in texts:
        line_verdict = _level(text, place, found) if place.level else None
        found.append(line_verdict or _classify(text, place))
    hosts = {
        str(row["value"]) for each in found for row in each.rows if (row["subject"], row["name"]) == ("os", "host")
    }
    host = {"host": hosts.pop()} if len(hosts) == 1 else {}
    return [parsed(*(dict(row) | host for row in each.rows)) if each.rows else each for each in found]


def _classify(text: str, place: _Place) -> LineVerdict:
    if len(text) > MAX_LINE:
        return rejected("too long for a fact")
    for recognised in READERS:
        line_verdict = recognised(text, place)
        if line_verdict is not None:
            return line_verdict
    return rejected("no fact of a server")


def _uname(text: str, _: _Place) -> LineVerdict | None:
    linux, unix = UNAME_LINUX.match(text), UNAME_UNIX.match(text)
    found = linux or unix
    if found is None or BANNER_DATE.search(found["rest"]):
        return None
    name = "Linux" if linux else found["name"]
    release = f"{found['next']}.{found['release']}" if name == "AIX" else found["release"]
    machine = MACHINE.search(found["rest"])
    rows = [_fact("os", "name", name), _fact("os", "release", release), _fact("os", "host", found["host"])]
    return parsed(*rows, *([_fact("cpu", "architecture", machine[0])] if machine else []))


def _processor(text: str, _: _Place) -> LineVerdict | None:
    pair = PAIR.match(text)
    if pair and pair["name"] in LSCPU:
        name, unit = LSCPU[pair["name"]]
        return parsed(_fact("cpu", name, pair["value"].strip(), unit))
    return ignored("detail of the processor") if OF_LSCPU.match(text) and ":" in text else None


def _memory(text: str, _: _Place) -> LineVerdict | None:
    if found := MEMINFO.match(text):
        if found["name"] not in MEMORY:
            return ignored("passing state of memory")
        return parsed(_fact(*MEMORY[found["name"]], found["value"], found["unit"]))
    if FREE_HEAD.match(text):
        return ignored("heads of columns")
    if found := FREE.match(text):
        name = "physical_total" if found["name"] == "Mem" else "swap_total"
        return parsed(_fact("memory", name, found["value"], found["unit"]))
    return ignored("passing state of memory") if text.startswith("-/+ buffers/cache:") else None


def _file_system(text: str, place: _Place) -> LineVerdict | None:
    if head := DF_HEAD.match(text):
        place.df_unit = head["unit"]
        return ignored("heads of columns")
    if place.df_unit is None:
        return None
    device, place.device = place.device, None
    found = DF.match(text)
    if found is None:
        place.device = text if WRAPPED_DEVICE.match(text) else None
        return ignored("device of the line below") if place.device else None
    device = found["device"] or device or ""
    if PSEUDO.match(device):
        return ignored("file system that holds no files")
    unit = found["unit"] or BLOCKS.get(place.df_unit, place.df_unit)
    size = _fact("disk", f"{found['point']} size", found["size"], unit)
    return parsed(size, *([_fact("disk", f"{found['point']} device", device)] if device else []))


def _release(text: str, place: _Place) -> LineVerdict | None:
    found = OS_RELEASE.match(text) if place.is_release else None
    if found is None:
        return None
    name = RELEASE_FACTS.get(found["name"])
    return parsed(_fact("os", name, found["value"])) if name else ignored("further field of os-release")


def _bundle(text: str, place: _Place) -> LineVerdict | None:
    """Lines of a bundle's `sysinfo.txt`."""
    if not place.is_bundle:
        return None
    if found := BUNDLE.match(text):
        subject, name = BUNDLE_FACTS[found["name"]]
        return parsed(_fact(subject, name, found["value"].strip()))
    return ignored("version of a package") if PACKAGE.match(text) else None


def _products(text: str, place: _Place) -> LineVerdict | None:
    if DB2LEVEL.match(text):
        place.level = [text]
        return parsed(*_db2(text))
    if found := POSTGRESQL.match(text):
        return parsed(_fact("postgresql", "version", found["version"]))
    return None


def _level(text: str, place: _Place, found: list[LineVerdict]) -> LineVerdict | None:
    """A line below that of `db2level`: its facts are rows of the first line, for they are wrapped anywhere."""
    if not text.strip() or len(place.level) > 9 or len(text) > MAX_LINE:
        place.level = []
        return None
    first = len(found) - len(place.level)
    place.level.append(text)
    found[first] = parsed(*_db2(" ".join(place.level)))
    place.level = [] if DB2LEVEL_END.match(text) else place.level
    return CONTINUATION


def _db2(text: str) -> Iterator[Row]:
    yield _fact("db2", "message", "DB21085I")
    for subject, name, value, unit in facts_of(text):
        yield _fact(subject, name, value, unit)


def _command(text: str, _: _Place) -> LineVerdict | None:
    if SEPARATOR.match(text) or text.startswith("#"):
        return ignored("separator or comment")
    return ignored("command") if COMMAND.search(text.strip()) else None


def _fact(subject: str, name: str, value: str, unit: str | None = None) -> Row:
    return {"subject": subject, "name": name, "value": value, "unit": unit}


READERS: tuple[Callable[[str, _Place], LineVerdict | None], ...] = (
    _uname,
    _bundle,
    _processor,
    _memory,
    _file_system,
    _release,
    _products,
    _command,
)

FORMAT = Format(
    name="server_facts",
    title="Facts of a server",
    tables=(ENVIRONMENT_FACT,),
    recognise=recognise,
    parse=partial(parse_by_line, read=read, table=ENVIRONMENT_FACT),
    file_names=("*uname*", "*lscpu*", "*meminfo*", "*df*", "*free*", "os-release*", "*db2level*"),
    role="configuration",
    needs=SIGNATURE,
)
