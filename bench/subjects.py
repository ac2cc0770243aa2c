"""What is measured: commands on made-up logs, and against which of them the others are held."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bench import logs
from bench.processes import MEBIBYTE, ROOT, Cost, cost_of

A_DAY_NS = 86_400 * 10**9

FILES = {"syslog": "messages", "vcs_engine": "engine_A.log", "db2diag": "db2diag.log", "iostat": "iostat.txt"}

# What a line, or the header of a record, is made of; each part in a group of its own, as a parser has to find them
PATTERNS = {
    "syslog": (
        r"^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ 0-9][0-9]) ([0-9][0-9]:[0-9][0-9]:[0-9][0-9]) "
        r"(\S+) ([^\s:\[]+)(?:\[([0-9]+)\])?: (.*)$"
    ),
    "vcs_engine": r"^([0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}) VCS ([A-Z]+) (V-16-[0-9]+-[0-9]+) (.*)$",
    "db2diag": (
        r"^([0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}\.[0-9]{6})([+-][0-9]{3,4})[ \t]+([A-Z])"
        r"([0-9]+)([A-Z])([0-9]+)[ \t]+"
        r"LEVEL[ \t]*:[ \t]*([A-Za-z]+)(?:[ \t]*\(([^)]*)\))?[ \t]*$"
    ),
    "iostat": r"^(\S+)" + r"[ \t]+([0-9.]+)" * 22 + "$",
}

DUCKDB = """
create table line as select regexp_extract(line, '{pattern}', ['month', 'day', 'time', 'host', 'tag', 'pid', 'text'])
from read_csv('{file}', columns = {{'line': 'varchar'}}, delim = '\x01', quote = '', escape = '', header = false)
"""

GROUP_BY = ";select log_hostname, log_procname, count(*) from syslog_log group by log_hostname, log_procname"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of each log, of the cut that slower tools get, of each of some files, with their count.

    `large`: bytes of the longer logs, which show what a further byte costs; 0: none.
    """

    log: int
    cut: int
    small: int
    small_count: int
    large: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing to measure.

    `bytes`: what it goes through, 0 if nothing. `start_up`: the subject whose CPU time is taken off. `against`: the
    subject to which its CPU time for a byte is held. `prepare` is run before each measurement and not measured.
    `store`: what it writes. `longer_than`: the subject that does the same for fewer bytes.
    """

    name: str
    run: Callable[[], Cost]
    bytes: int = 0
    start_up: str | None = None
    against: str | None = None
    prepare: Callable[[], object] = lambda: None
    store: Path | None = None
    longer_than: str | None = None


PYTHON = "python, nothing to do"
RIPGREP = "rg, nothing to do"
REPORTED = ROOT / "samples" / "failover-2004"
TINY_FILES = 600
TINY_BYTES = 10_000


def subjects(folder: Path, sizes: Sizes) -> Iterator[Subject]:
    """Everything that can be measured here; the logs are written to `folder` first."""
    yield Subject(PYTHON, lambda: cost_of([sys.executable, "-c", "pass"]))
    if shutil.which("rg"):
        yield Subject(RIPGREP, lambda: cost_of(["rg", "-c", "x", _written(folder / "nothing" / "log", b"x\n")]))
    yield from _fixed(folder)
    for kind, file_name in FILES.items():
        yield from _of_format(kind, _log(kind, folder / kind / file_name, sizes.log), folder)
        if sizes.large > sizes.log:
            yield from _of_large(kind, _log(kind, folder / "large" / kind / file_name, sizes.large), folder)
    yield from _of_many_files(folder, sizes)
    yield from _of_peers(_log("syslog", folder / "cut" / FILES["syslog"], sizes.cut))


def _fixed(folder: Path) -> Iterator[Subject]:
    """What an ingest costs before it reads much: a study of one line, and one of many small files of all kinds."""
    _written(folder / "line" / "run01" / FILES["syslog"], b"Jul 28 10:27:03 node1 kernel: LLT INFO V-14-1-10032\n")
    yield _ingest("a study of one line", folder / "line", folder / "line.duckdb", 0)
    tiny = folder / "tiny"
    if not tiny.exists():
        for kind, file_name in FILES.items():
            _cut(_log(kind, folder / "to cut" / file_name, TINY_BYTES * TINY_FILES // len(FILES)), tiny, file_name)
    yield _ingest(f"a study of {TINY_FILES} small files", tiny, folder / "tiny.duckdb", 0)
    yield from _of_report(folder)


def _of_report(folder: Path) -> Iterator[Subject]:
    """A report from the first line to the last page, and what is asked beside it; each after the one before it."""
    report = folder / f"{REPORTED.name}-report"
    asked: dict[str, Sequence[str | Path]] = {
        "report": ("report", REPORTED, "-o", report, "--force"),
        "report again": ("report", REPORTED, "-o", report),
        "one table": ("tables", "1", "--db", report, "-f", "csv", "-o", folder / "tables"),
        "one figure": ("figures", "1", "--db", report, "-f", "svg", "-o", folder / "figures"),
        "explain": ("explain", REPORTED),
        "check": ("check", REPORTED),
    }
    for name, arguments in asked.items():
        command = _command(*arguments)
        prepare = partial(shutil.rmtree, report, ignore_errors=True) if name == "report" else lambda: None
        yield Subject(f"{REPORTED.name}: {name}", partial(cost_of, command, folder), prepare=prepare)


def _cut(log: Path, study: Path, file_name: str) -> None:
    """A log cut into files of runs, two hosts each."""
    lines = log.read_bytes().splitlines(keepends=True)
    count = TINY_FILES // len(FILES)
    share = -(-len(lines) // count)
    for number in range(count):
        content = b"".join(lines[number * share : (number + 1) * share])
        _written(study / f"run{number // 2:03}" / f"node{number % 2}" / file_name, content)


def _of_large(kind: str, log: Path, folder: Path) -> Iterator[Subject]:
    """The same as for a shorter log; the difference is what a further byte costs."""
    size = log.stat().st_size
    search = _search(kind, log, size, f"{kind}: rg -c, longer", f"{kind}: rg -c")
    yield from search
    against = search[0].name if search else None
    name = f"{kind}: ingest, longer"
    longer = _ingest(name, log.parent, folder / f"{kind}-large.duckdb", size, against)
    yield replace(longer, longer_than=f"{kind}: ingest")


def _search(kind: str, log: Path, size: int, name: str, longer_than: str | None = None) -> list[Subject]:
    """Ripgrep over a log, where it is installed."""
    command: list[str | Path] = ["rg", "-c", PATTERNS[kind], log]
    found = Subject(name, lambda: cost_of(command), size, RIPGREP, longer_than=longer_than)
    return [found] if shutil.which("rg") else []


def _of_format(kind: str, log: Path, folder: Path) -> Iterator[Subject]:
    size = log.stat().st_size
    searched = _search(kind, log, size, f"{kind}: rg -c")
    yield from searched
    search = searched[0].name if searched else None
    parse: list[str | Path] = [sys.executable, "-m", "bench.parse", kind, log]
    yield Subject(f"{kind}: read and parse", lambda: cost_of(parse), size, PYTHON, search)
    db = folder / f"{kind}.duckdb"
    yield _ingest(f"{kind}: ingest", log.parent, db, size, search)
    if kind == "syslog":
        again = _command("ingest", log.parent, "--db", db)
        yield Subject(f"{kind}: ingest again, unchanged", lambda: cost_of(again), size, PYTHON)


def _of_many_files(folder: Path, sizes: Sizes) -> Iterator[Subject]:
    """The same bytes as one file and as many: what a file costs beside its lines."""
    total = sizes.small * sizes.small_count
    whole = _log("syslog", folder / "whole" / FILES["syslog"], total)
    many = folder / "many"
    if not many.exists():
        for number in range(sizes.small_count):
            _log("syslog", many / f"run{number // 2:03}" / f"node{number % 2}" / "messages", sizes.small, number)
    one = "syslog: ingest, one file"
    yield _ingest(one, whole.parent, folder / "whole.duckdb", total)
    yield _ingest(f"syslog: ingest, {sizes.small_count} files", many, folder / "many.duckdb", total, one)


def _of_peers(cut: Path) -> Iterator[Subject]:
    """Other tools that read syslog; they are passed over where they are not installed."""
    size = cut.stat().st_size
    ours = "syslog: ingest"
    if shutil.which("lnav"):
        yield Subject("syslog: lnav group by", lambda: cost_of(["lnav", "-n", "-c", GROUP_BY, cut]), size, None, ours)
    if shutil.which("jc"):
        command: list[str | Path] = ["sh", "-c", 'jc --syslog-bsd < "$0"', cut]
        yield Subject("syslog: jc", lambda: cost_of(command), size, None, ours)
    asked = DUCKDB.format(file=cut, pattern=PATTERNS["syslog"])
    sql: list[str | Path] = [sys.executable, "-c", "import duckdb, sys; duckdb.connect().execute(sys.argv[1])", asked]
    yield Subject("syslog: regular expression of DuckDB", lambda: cost_of(sql), size, PYTHON, ours)


def missing_tools() -> list[str]:
    """Tools that could be measured and are not installed."""
    return [name for name in ("rg", "lnav", "jc") if not shutil.which(name)]


def _ingest(name: str, study: Path, db: Path, size: int, against: str | None = None) -> Subject:
    command = _command("ingest", study, "--db", db, "--replace")
    return Subject(name, lambda: cost_of(command), size, PYTHON, against, lambda: db.unlink(missing_ok=True), db)


def _command(*arguments: str | Path) -> Sequence[str | Path]:
    return [sys.executable, "-m", "haledger", *arguments]


def _log(kind: str, path: Path, size: int, variant: int = 0) -> Path:
    """A made-up log, two days old: a younger one is compared byte by byte when a study is ingested again."""
    if not path.exists() or not size <= path.stat().st_size < size + MEBIBYTE:
        path.parent.mkdir(parents=True, exist_ok=True)
        logs.write(kind, path, size, logs.SEED + variant)
        changed_ns = path.stat().st_mtime_ns - 2 * A_DAY_NS
        os.utime(path, ns=(changed_ns, changed_ns))
    return path


def _written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
