"""The record that begins every new db2diag.log: which DB2 on which machine.

There is one to a file, so it is read line by line in Python.
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.environment_fact import ENVIRONMENT_FACT

Fact = tuple[str, str, str, str | None]
"""Subject, name, value, unit."""

# REAL (IBM Data Server Driver 12.1.4):
# Instance "DB2" uses "64" bits and DB2 code release "SQL12014"
# with level identifier "02050110".
# Informational tokens are "DB2 v12.1.4.0", "special_87349", "DYN2606270632AMD64_87349", Fix Pack "0".
BUILD_LEVEL = (
    ("bits", re.compile(r'\buses "([0-9]+)" bits'), "bit"),
    ("code_release", re.compile(r'\bcode release "([^"]*)"'), None),
    ("level", re.compile(r'\blevel identifier\s+"([^"]*)"'), None),
    ("version", re.compile(r'\btokens are\s+"(?:DB2 v)?([^"]*)"'), None),
    ("build", re.compile(r'\btokens are\s+"[^"]*",\s+"([^"]*)"'), None),
    ("ptf", re.compile(r'\btokens are\s+"[^"]*",\s+"[^"]*",\s+"([^"]*)"'), None),
    ("fix_pack", re.compile(r'\bFix ?Pac?k\s+"([^"]*)"'), None),
)
# REAL: System: Linux vm 18 6 x86_64          (what uname calls system, node, version, release, machine)
SYSTEM = re.compile(
    r"System: +(?P<name>\S+) +(?P<host>\S+) +(?P<version>[0-9]+) +(?P<release>[0-9]+) +(?P<machine>\S+) *$"
)
# REAL: CPU: total:2 online:2 Cores per socket:2 Threading degree per core:1 SIMD:Y CPU Features:SSE2,SSE3
# REAL: CPU cache: L2:2097152 bytes L3:272629760 bytes (shared by 2 threads)
VALUE = re.compile(r"(?:(?<! ) ++)?:(?P<value>\S+)(?: (?P<unit>bytes)\b)?(?: *\([^)]{0,200}\))?")
# REAL: Physical Memory(MB): total:24106 free:16407
MEMORY = re.compile(r"(?P<kind>Physical|Virtual|Swap) +Memory\((?P<unit>[A-Z]+)\): *(?P<pairs>.*)$")
# REAL: Cur cpu time limit (seconds)  = 0xFFFFFFFFFFFFFFFF        and: nofiles (descriptors)  = 0x0000000000004E20
LIMIT = re.compile(r"(?:Cur )?(?P<name>[a-z][a-z ]*+)(?:\((?P<unit>[a-z]+)\))? *= *0x(?P<value>[0-9A-Fa-f]{1,16}) *$")
UNLIMITED = 2**64 - 1
# REAL: Kernel   Params: msgMaxMessageSize:8192 msgMsgMap:16384 msgMaxQueueIDs:32000         (goes on in indented lines)
KERNEL = re.compile(r"Kernel +Params:(?P<pairs>.*)$")
# REAL: Disk: 4K Device Support: NONE        and: CPU binding: not in use
PLAIN = re.compile(r"(?P<subject>Disk|CPU)(?:: ++| ++)(?P<name>[A-Za-z0-9 ]++): ++(?P<value>(?: *+[^: ]++)*+) *$")

MAX_PART = 32767
MAX_RECORD, MAX_LINE = 65536, 1000
"""The record has 2 kB and lines of 150 characters; what is far longer is something else, and would take long."""


def environment_facts(records: pl.DataFrame) -> pl.DataFrame:
    """The facts among records of `db2diag_record` that begin a file."""
    rows: list[tuple[object, ...]] = []
    found = records.filter(kind="new_diag_file").select("file_id", "line_no", "host", "data")
    for file_id, line_no, host, data in found.iter_rows():
        facts = list(facts_of((data or "")[:MAX_RECORD]))[:MAX_PART]
        named = next((value for subject, name, value, _ in facts if (subject, name) == ("os", "host")), None)
        rows += [(file_id, line_no, part, host or named, *fact) for part, fact in enumerate(facts, 1)]
    return pl.DataFrame(rows, schema=ENVIRONMENT_FACT.schema, orient="row")


def facts_of(data: str) -> Iterator[Fact]:
    """What the sections of one record state."""
    for name, pattern, unit in BUILD_LEVEL:
        if found := pattern.search(data):
            yield "db2", name, found[1], unit
    is_kernel = False
    for line in filter(lambda line: len(line) <= MAX_LINE, data.splitlines()):
        kernel = KERNEL.match(line)
        is_kernel = kernel is not None or (is_kernel and line.startswith(" "))
        if is_kernel:
            yield from _pairs("kernel", kernel["pairs"] if kernel else line)
        else:
            yield from _facts_of_line(line)


def _facts_of_line(line: str) -> Iterator[Fact]:
    if found := SYSTEM.match(line):
        yield from _system(found)
    elif line.startswith("System: "):  # Windows, Solaris and HP-UX put other things in other places
        yield "os", "system", line.removeprefix("System: ").strip(), None
    elif line.startswith("CPU: "):
        yield from _pairs("cpu", line.removeprefix("CPU: "))
    elif line.startswith("CPU cache: "):
        yield from _pairs("cpu", line.removeprefix("CPU cache: "), suffix="_cache")
    elif found := MEMORY.match(line):
        kind = found["kind"].lower()
        yield from _pairs("memory", found["pairs"], prefix=f"{kind}_", unit=found["unit"])
    elif found := LIMIT.match(line):
        value = int(found["value"], 16)
        limit = "unlimited" if value == UNLIMITED else str(value)
        yield "limit", _snake(found["name"].strip().removesuffix(" limit")), limit, found["unit"]
    elif found := PLAIN.match(line):
        yield found["subject"].lower(), _snake(found["name"]), found["value"], None


def _system(found: re.Match[str]) -> Iterator[Fact]:
    """AIX and Linux print the minor number of the release as its version."""
    yield "os", "name", found["name"], None
    yield "os", "release", f"{found['release']}.{found['version']}", None
    yield "os", "host", found["host"], None
    yield "cpu", "architecture", found["machine"], None


def _pairs(subject: str, text: str, *, prefix: str = "", suffix: str = "", unit: str | None = None) -> Iterator[Fact]:
    """`name:value` one after another; a name may have blanks."""
    end = 0
    for found in VALUE.finditer(text):
        name = _snake(text[end : found.start()].strip().removeprefix("CPU "))
        end = found.end()
        if name:
            yield subject, f"{prefix}{name}{suffix}", found["value"], found["unit"] or unit


def _snake(name: str) -> str:
    """Cores per socket -> cores_per_socket; msgMaxQueueIDs stays as the kernel spells it."""
    is_spelt = " " not in name and not name.istitle() and not name.isupper()
    return name if is_spelt else "_".join(name.split()).lower()
