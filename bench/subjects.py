"""What is measured: commands on made-up logs, and against which of them the others are held."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import logs
from bench.processes import MEBIBYTE, Cost, cost_of

A_DAY_NS = 86_400 * 10**9

FILES = {"syslog": "messages", "vcs_engine": "engine_A.log", "db2diag": "db2diag.log", "iostat": "iostat.txt"}

# What a line, or the header of a record, is made of; each part in a group of its own, as a parser has to find them
PATTERNS = {
    "syslog": (
        r"^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ \d]\d) (\d\d:\d\d:\d\d) "
        r"(\S+) ([^\s:\[]+)(?:\[(\d+)\])?: (.*)$"
    ),
    "vcs_engine": r"^(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d) VCS ([A-Z]+) (V-16-\d+-\d+) (.*)$",
    "db2diag": (
        r"^(\d{4}-\d\d-\d\d-\d\d\.\d\d\.\d\d\.\d{6})([+-]\d{3,4})[ \t]+([A-Z])(\d+)([A-Z])(\d+)[ \t]+"
        r"LEVEL[ \t]*:[ \t]*([A-Za-z]+)(?:[ \t]*\(([^)]*)\))?[ \t]*$"
    ),
    "iostat": r"^(\S+)" + r"[ \t]+([\d.]+)" * 22 + "$",
}

GROUP_BY = ";select log_hostname, log_procname, count(*) from syslog_log group by log_hostname, log_procname"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of each log, of the cut that slower tools get, and of the many small files, with their count."""

    log: int
    cut: int
    small: int
    small_count: int


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing to measure.

    `bytes`: what it goes through, 0 if nothing. `start_up`: the subject whose time is taken off. `against`: the subject
    to which its time for a byte is held. `prepare` is run before each measurement and not measured.
    """

    name: str
    run: Callable[[], Cost]
    bytes: int = 0
    start_up: str | None = None
    against: str | None = None
    prepare: Callable[[], object] = lambda: None


PYTHON = "python, nothing to do"
RIPGREP = "rg, nothing to do"


def subjects(folder: Path, sizes: Sizes) -> Iterator[Subject]:
    """Everything that can be measured here; the logs are written to `folder` first."""
    yield Subject(PYTHON, lambda: cost_of([sys.executable, "-c", "pass"]))
    yield Subject(RIPGREP, lambda: cost_of(["rg", "-c", "x", _written(folder / "nothing" / "log", b"x\n")]))
    for kind, file_name in FILES.items():
        yield from _of_format(kind, _log(kind, folder / kind / file_name, sizes.log), folder)
    yield from _of_many_files(folder, sizes)
    yield from _of_peers(_log("syslog", folder / "cut" / FILES["syslog"], sizes.cut))


def _of_format(kind: str, log: Path, folder: Path) -> Iterator[Subject]:
    size = log.stat().st_size
    search = f"{kind}: rg -c"
    yield Subject(search, lambda: cost_of(search_it), size, RIPGREP)
    search_it: list[str | Path] = ["rg", "-c", PATTERNS[kind], log]
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


def missing_tools() -> list[str]:
    """Tools that could be measured and are not installed."""
    return [name for name in ("lnav", "jc") if not shutil.which(name)]


def _ingest(name: str, study: Path, db: Path, size: int, against: str | None = None) -> Subject:
    command = _command("ingest", study, "--db", db, "--replace")
    return Subject(name, lambda: cost_of(command), size, PYTHON, against, lambda: db.unlink(missing_ok=True))


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
