"""Walks a study and says for each entry: a file to read, or skipped and why.

Nothing is opened here, and nothing is left out in silence: whatever is not read appears with its reason. Links are not
followed out of the study, and what they lead to inside it is read once. What haledger itself wrote is never input.
"""

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import BinaryIO, Literal

from pipeline.errors import InputError
from pipeline.locate import STORE_NAME
from pipeline.manifest import FILE_NAME as MANIFEST_NAME

REPORT_MARKER = ".haledger"
"""An empty file of this name marks a folder that haledger wrote; the report's writer puts it there."""

REPORT_OUTPUTS = frozenset({STORE_NAME, "report.pdf", "report.html", "tables", "figures", REPORT_MARKER})
"""What haledger writes into a report folder."""

MAX_ENTRIES = 200_000
"""More files than any study has: a sign that the folder is not the one meant."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".z", ".tar", ".tgz", ".tbz2", ".txz", ".tzst", ".zip", ".7z", ".rar")

SPECIAL = (
    (stat.S_ISFIFO, "a FIFO, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. `path` is what people see: relative to the study, `/` between parts, always valid text."""

    path: str
    location: Path
    bytes: int
    modified_ns: int

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def modified_at(self) -> datetime:
        """Time of the last change, naive UTC."""
        return naive_utc(self.modified_ns)

    def open(self) -> BinaryIO:
        """The file's bytes from the beginning."""
        # Not blocking: an entry replaced by a FIFO since the walk must not hang the program
        descriptor = os.open(self.location, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(0, "no longer a file")
        return os.fdopen(descriptor, "rb", buffering=0)

    def has_changed(self) -> bool:
        """Whether size or time differ from what the walk saw."""
        try:
            now = self.location.stat()
        except OSError:
            return True
        return (now.st_size, now.st_mtime_ns) != (self.bytes, self.modified_ns)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An entry that is not read. A folder stands for all that is in it; its path ends in `/`."""

    path: str
    status: Literal["skipped", "unreadable"]
    reason: str
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Discovery:
    """All entries of a study, each list in the order of paths."""

    sources: tuple[Source, ...]
    skipped: tuple[Skipped, ...]


def discover(study: Path, *, own: Collection[Path] = (), max_entries: int = MAX_ENTRIES) -> Discovery:
    """Walk a study folder, or take a single file as a study of one file. `own` files and folders are passed over."""
    root = study.resolve()
    if not root.is_dir():
        entries: Iterator[Source | Skipped] = iter([_single(root)])
    else:
        entries = _walk(root, {each.resolve() for each in own})
    sources: list[Source] = []
    skipped: list[Skipped] = []
    taken: set[str] = set()
    for entry in entries:
        if len(taken) >= max_entries:
            raise InputError(f"{study}: more than {max_entries:,} files; is this the folder you mean?")
        named = _with_own_path(entry, taken)
        taken.add(named.path)
        if isinstance(named, Source):
            sources.append(named)
        else:
            skipped.append(named)
    return Discovery(
        tuple(sorted(sources, key=lambda each: each.path)), tuple(sorted(skipped, key=lambda each: each.path))
    )


def naive_utc(nanoseconds: int) -> datetime:
    """A file's time stamp as naive UTC; the epoch where the file system states nonsense."""
    try:
        return datetime.fromtimestamp(nanoseconds // 1000 / 1e6, tz=UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return datetime(1970, 1, 1)  # noqa: DTZ001  naive UTC


def shown(path: PurePath) -> str:
    r"""A path as text: `/` between parts, bytes that are not UTF-8 as `\xNN`."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def is_report(folder: Path) -> bool:
    """Whether haledger wrote this folder."""
    if (folder / REPORT_MARKER).is_file():
        return True
    return (folder / STORE_NAME).is_file() and (folder / "report.pdf").is_file()


def _single(file: Path) -> Source | Skipped:
    try:
        status = file.stat()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; expected a folder of logs or one log file") from error
    return _regular(file, Path(file.name), status)


def _walk(root: Path, own: Collection[Path]) -> Iterator[Source | Skipped]:
    linked: set[Path] = set()
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda each: each.name)
        except OSError as error:
            if folder == root:
                raise InputError(f"{root}: {error.strerror}; expected a folder of logs that can be read") from error
            yield Skipped(f"{shown(folder.relative_to(root))}/", "unreadable", _reason(error))
            continue
        is_own_report = is_report(folder)
        for entry in entries:
            path = Path(entry.path)
            if _is_own(path, own) or (is_own_report and entry.name in REPORT_OUTPUTS):
                continue
            relative = path.relative_to(root)
            try:
                if entry.is_symlink():
                    yield _link(root, path, linked)
                elif not entry.is_dir(follow_symlinks=False):
                    yield _regular(path, relative, entry.stat(follow_symlinks=False))
                elif reason := _folder_refusal(path):
                    yield Skipped(f"{shown(relative)}/", "skipped", reason)
                else:
                    pending.append(path)
            except OSError as error:  # gone since the folder was listed, or not ours to see
                yield Skipped(shown(relative), "unreadable", _reason(error))


def _is_own(path: Path, own: Collection[Path]) -> bool:
    return any(
        path == each or (path.parent == each.parent and path.name.startswith(f"{each.name}.")) for each in own
    ) or any(path == each.parent and is_report(path) for each in own)


def _folder_refusal(folder: Path) -> str | None:
    if folder.name.startswith("."):
        return "a hidden folder"
    if is_report(folder):
        return "a report that haledger wrote"
    return None


def _regular(path: Path, relative: Path, status: os.stat_result) -> Source | Skipped:
    reason = _refusal(path.name, status.st_mode)
    if reason is not None:
        return Skipped(shown(relative), "skipped", reason, status.st_size if stat.S_ISREG(status.st_mode) else None)
    return Source(shown(relative), path, status.st_size, status.st_mtime_ns)


def _refusal(name: str, mode: int) -> str | None:
    for is_special, reason in SPECIAL:
        if is_special(mode):
            return reason
    lower = name.lower()
    if name == MANIFEST_NAME:
        return "the study's manifest"
    if name.startswith("."):
        return "a hidden file"
    if lower.endswith((".duckdb", ".duckdb.wal")) or ".duckdb.tmp-" in lower:
        return "a DuckDB file"
    if lower.endswith(COMPRESSED):
        return "compressed input is read from a later release"
    return None


def _link(root: Path, path: Path, linked: set[Path]) -> Source | Skipped:
    """A link inside the study whose target the walk does not reach is read through it, once; any other is skipped."""
    relative = shown(path.relative_to(root))
    try:
        target = Path(os.path.realpath(path, strict=True))
        status = target.stat()
    except FileNotFoundError:
        return Skipped(relative, "skipped", "a symbolic link to nothing")
    except OSError as error:
        return Skipped(relative, "skipped", f"a symbolic link that cannot be followed: {_reason(error)}")
    if target == root or not target.is_relative_to(root):
        where = "to the study itself" if target == root else "out of the study"
        return Skipped(relative, "skipped", f"a symbolic link {where}")
    inside = target.relative_to(root)
    is_hidden = any(part.startswith(".") for part in inside.parts)
    if target in linked or not is_hidden or not stat.S_ISREG(status.st_mode):
        return Skipped(relative, "skipped", f"a symbolic link to {shown(inside)}")
    linked.add(target)
    reason = _refusal(path.name, status.st_mode)
    if reason is not None:
        return Skipped(relative, "skipped", reason, status.st_size)
    return Source(relative, target, status.st_size, status.st_mtime_ns)


def _with_own_path(entry: Source | Skipped, taken: Collection[str]) -> Source | Skipped:
    r"""Two names may look alike once escaped: the bytes \xff and the characters `\`, `x`, `f`, `f`."""
    path, number = entry.path, 1
    while path in taken:
        number += 1
        path = f"{entry.path} ({number})"
    if isinstance(entry, Source):
        return Source(path, entry.location, entry.bytes, entry.modified_ns)
    return Skipped(path, entry.status, entry.reason, entry.bytes)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or "cannot be read").lower()
