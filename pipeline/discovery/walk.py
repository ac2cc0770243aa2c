"""Walks a study and says for each entry: a file to read, or skipped and why; of an archive, for each of its members.

Everything that is not read appears with its reason. Links are not followed out of the study,
and what they lead to inside it is read once. What haledger itself wrote is never input. Of a file, only the first
bytes are looked at here, to tell archives; an archive that the ledger knows is not listed again.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Literal

from pipeline.discovery.address import Address, StoredObject, cache_heads
from pipeline.discovery.archives import Form, form_of, listing, refusal_of_form
from pipeline.discovery.bundles import refusals
from pipeline.discovery.compression import LIMITS, Hashed, Limits, Prefixed, gzip_time
from pipeline.discovery.containers import (
    Containers,
    identity_of,
    stored_at,
)
from pipeline.discovery.entry_names import (
    IGNORE_MARKER,
    MANIFEST_NAME,
    REPORT_MARKER,
    REPORT_OUTPUTS,
    STORE_NAME,
    as_text,
    is_report,
    refusal_of_name,
)
from pipeline.discovery.source import Archive, Inside, Source
from pipeline.discovery.tar_members import BLOCK_BYTES
from pipeline.errors import InputError
from pipeline.memory import free_bytes

LEAST_ENTRIES = 200_000
"""Files that a study may have on any machine."""

ENTRY_BYTES = 4096
"""What an ingest holds of a file from beginning to end: its entry, its facts, its place and clock."""

SPECIAL = (
    (stat.S_ISFIFO, "a FIFO, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
)


@dataclass(frozen=True, slots=True)
class Looked:
    """What the first bytes of an object showed: the time that gzip gives, or why it is not read, or neither."""

    path: str
    bytes: int
    tag: str
    header_ns: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Remembered:
    """What an earlier ingest listed and looked at, by path; times from `racy_from_ns` on prove nothing."""

    archives: Mapping[str, Archive] = field(default_factory=dict)
    racy_from_ns: int = 0
    objects: Mapping[str, Looked] = field(default_factory=dict)


NOTHING_REMEMBERED = Remembered()


@dataclass(frozen=True, slots=True)
class Skipped:
    """An entry that is not read. A folder stands for all that is in it; its path ends in `/`."""

    path: str
    status: Literal["skipped", "unreadable"]
    reason: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Discovery:
    """All entries of a study, each list in the order of paths. An archive is among `skipped`, its members are not."""

    sources: tuple[Source, ...]
    skipped: tuple[Skipped, ...]
    archives: tuple[Archive, ...] = ()
    objects: tuple[Looked, ...] = ()


def discover(
    study: Path | Address,
    *,
    own: Collection[Path] = (),
    remembered: Remembered = NOTHING_REMEMBERED,
    limits: Limits = LIMITS,
    max_entries: int | None = None,
) -> Discovery:
    """Walk a study's folder or address; a single file is a study of one file. `own` files and folders are passed over.

    `max_entries`: more of them are an InputError; None: as many as half of the free memory can hold.
    """
    most = most_entries(free_bytes()) if max_entries is None else max_entries
    if isinstance(study, Address):
        entries: Iterable[Source | Skipped] = _stored(study, remembered)
    elif not (root := study.resolve()).is_dir():
        entries = [_single(root)]
    else:
        entries = _walk(root, {each.resolve() for each in own})
    look = _Look(Containers(limits), remembered)
    sources: list[Source] = []
    skipped: list[Skipped] = []
    taken: dict[str, int] = {}
    for walked in entries:
        for entry in look.into(_with_own_path(walked, taken)):
            if len(taken) >= most:
                raise InputError(
                    f"{study}: more than {most:,} files, for which there is no memory; is this the folder you mean?"
                )
            named = _with_own_path(entry, taken)
            taken[named.path] = 1
            if isinstance(named, Source):
                sources.append(named)
            else:
                skipped.append(named)
    refused = refusals(each.path for each in sources)
    skipped += [
        Skipped(each.path, "skipped", refused[each.path], each.bytes) for each in sources if each.path in refused
    ]
    sources = [each for each in sources if each.path not in refused]
    return Discovery(
        tuple(sorted(sources, key=lambda each: each.path)),
        tuple(sorted(skipped, key=lambda each: each.path)),
        tuple(sorted(look.archives, key=lambda each: each.path)),
        tuple(sorted(look.objects, key=lambda each: each.path)),
    )


def most_entries(free: int) -> int:
    """How many files an ingest takes on with this much free memory, in bytes."""
    return max(LEAST_ENTRIES, free // 2 // ENTRY_BYTES)


class _Look:
    """Looks at the first bytes of files: an archive becomes its members."""

    def __init__(self, containers: Containers, remembered: Remembered) -> None:
        self._containers = containers
        self._remembered = remembered
        self.archives: list[Archive] = []
        self.objects: list[Looked] = []

    def into(self, entry: Source | Skipped) -> Iterator[Source | Skipped]:
        """The entry itself, and the members of an archive."""
        if isinstance(entry, Skipped):
            yield entry
            return
        try:
            found = self._found(entry)
            if isinstance(found, Looked):
                yield self._as_file(entry, found)
                return
        except OSError:  # reading it will say the same
            yield entry
            return
        self.archives.append(found)
        listed = found.listing
        yield Skipped(entry.path, _status(listed.status), listed.reason, entry.bytes, found.sha256)
        for member in listed.members:
            inside = Inside(found, member.steps, self._containers)
            yield Source(f"{entry.path}!/{member.path}", entry.location, member.bytes, member.modified_ns, inside)
        for each in listed.passed:
            yield Skipped(f"{entry.path}!/{each.path}", _status(each.status), each.reason, each.bytes)

    def _found(self, source: Source) -> Archive | Looked:
        """An archive, or what the first bytes of another file show."""
        remembered = _looked(source, self._remembered) or self._known(source)
        if remembered is not None:
            return remembered
        form, looked = _look_at(source)
        return looked if form is None else self._listed(source, form)

    def _known(self, source: Source) -> Archive | None:
        """The archive as it was listed before, if it is the same still."""
        archive = self._remembered.archives.get(source.path)
        if archive is None or archive.bytes != source.bytes or archive.tag != source.tag:
            return None
        if source.tag is not None:
            return replace(archive, modified_ns=source.modified_ns, is_known=True)
        is_racy = source.touched_ns >= self._remembered.racy_from_ns
        if (is_racy or archive.modified_ns != source.modified_ns) and _sha256(source) != archive.sha256:
            return None
        return replace(archive, modified_ns=source.modified_ns, is_known=True)

    def _listed(self, source: Source, form: Form) -> Archive:
        found = listing(source.location, source.bytes, form, self._containers)
        return Archive(source.path, source.bytes, source.modified_ns, _sha256(source), found, source.tag)

    def _as_file(self, source: Source, looked: Looked) -> Source | Skipped:
        """A file to read or not; `looked`: what its first bytes show, or showed when it was the same object."""
        if source.tag is not None:
            self.objects.append(looked)
        if looked.reason is not None:
            return Skipped(source.path, "skipped", looked.reason, source.bytes)
        return source if looked.header_ns is None else replace(source, header_ns=looked.header_ns)


def _look_at(source: Source) -> tuple[Form | None, Looked]:
    """What the first bytes of a file show, which is opened once: an archive's form, and all else."""
    file = stored_at(source.location)
    try:
        head = file.read(BLOCK_BYTES)
        form = form_of(Prefixed(head, file))
    finally:
        file.close()
    seconds = gzip_time(head)
    header_ns = None if seconds is None else seconds * 1_000_000_000
    return form, Looked(source.path, source.bytes, source.tag or "", header_ns, refusal_of_form(head))


def _looked(source: Source, remembered: Remembered) -> Looked | None:
    """What the first bytes of an object showed to an earlier ingest; None where it is not the same."""
    found = remembered.objects.get(source.path) if source.tag is not None else None
    return found if found is not None and (found.bytes, found.tag) == (source.bytes, source.tag) else None


def _sha256(source: Source) -> str:
    stream = Hashed(source.open_stored())
    try:
        return stream.finished()
    finally:
        stream.close()


def _status(status: str) -> Literal["skipped", "unreadable"]:
    return "unreadable" if status == "unreadable" else "skipped"


def shown(path: PurePath) -> str:
    r"""A path as text: `/` between parts, bytes that are not UTF-8 as `\xNN`."""
    return as_text(path.as_posix())


def _single(file: Path) -> Source | Skipped:
    try:
        status = file.stat()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; expected a folder of logs or one log file") from error
    return _regular(file, as_text(file.name), status)


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
        is_own_report = is_report({each.name for each in entries})
        near = [each for each in own if folder in {each.parent, each.parent.parent}]
        above = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
        for entry in entries:
            path = Path(entry.path)
            if _is_own(path, near) or (is_own_report and entry.name in REPORT_OUTPUTS):
                continue
            relative = as_text(f"{above}{entry.name}")
            try:
                if entry.is_symlink():
                    yield _link(root, path, linked)
                elif not entry.is_dir(follow_symlinks=False):
                    yield _regular(path, relative, entry.stat(follow_symlinks=False))
                elif reason := _folder_refusal(entry.name, _marks(path)):
                    yield Skipped(f"{relative}/", "skipped", reason)
                else:
                    pending.append(path)
            except OSError as error:  # gone since the folder was listed, or not ours to see
                yield Skipped(relative, "unreadable", _reason(error))


def _stored(study: Address, remembered: Remembered) -> list[Source | Skipped]:
    """The objects below an address, by the rules of a folder."""
    entries = list(_stored_entries(study.objects()))
    new = [each for each in entries if isinstance(each, Source) and _looked(each, remembered) is None]
    archives = remembered.archives
    cache_heads([each.location for each in new if each.path not in archives or archives[each.path].tag != each.tag])
    return entries


def _stored_entries(objects: Mapping[str, StoredObject]) -> Iterator[Source | Skipped]:
    """A folder is what the names of objects begin with."""
    names: dict[str, set[str]] = {"": set()}
    for path in objects:
        folder, _, name = path.rpartition("/")
        while name:
            names.setdefault(folder, set()).add(name)
            folder, _, name = folder.rpartition("/")
    reasons = {each: _folder_refusal(each.rpartition("/")[2], names[each]) for each in names if each}
    refused = {f"{each}/": reason for each, reason in reasons.items() if reason}
    own_outputs = REPORT_OUTPUTS if is_report(names[""]) else frozenset()
    passed: set[str] = set()
    for path, place in sorted(objects.items()):
        *folders, name = path.split("/")
        if path.partition("/")[0] in own_outputs:
            continue
        above = ("/".join(folders[:depth]) + "/" for depth in range(1, len(folders) + 1))
        outer = next((each for each in above if each in refused), None)
        if outer is not None:
            if outer not in passed:
                passed.add(outer)
                yield Skipped(as_text(outer), "skipped", refused[outer])
            continue
        reason = "the study's manifest" if path == MANIFEST_NAME else refusal_of_name(name)
        if reason is not None:
            yield Skipped(as_text(path), "skipped", reason, place.size)
        else:
            yield Source(as_text(path), place, place.size, place.modified_ns)


def _is_own(path: Path, own: Collection[Path]) -> bool:
    return any(
        path == each or (path.parent == each.parent and path.name.startswith(f"{each.name}.")) for each in own
    ) or any(path == each.parent and is_report(_marks(path)) for each in own)


def _folder_refusal(name: str, files: Collection[str]) -> str | None:
    """Why a folder with files of these names is not looked through."""
    if name.startswith("."):
        return "a hidden folder"
    if is_report(files):
        return "a report that haledger wrote"
    return f"no part of the study: it holds a file {IGNORE_MARKER}" if IGNORE_MARKER in files else None


def _marks(folder: Path) -> list[str]:
    """The files in a folder by which it may be refused."""
    return [name for name in (REPORT_MARKER, STORE_NAME, "report.pdf", IGNORE_MARKER) if (folder / name).is_file()]


def _regular(path: Path, relative: str, status: os.stat_result) -> Source | Skipped:
    reason = _refusal(path.name, status.st_mode)
    if relative == MANIFEST_NAME and stat.S_ISREG(status.st_mode):
        reason = "the study's manifest"
    if reason is not None:
        return Skipped(relative, "skipped", reason, status.st_size if stat.S_ISREG(status.st_mode) else None)
    return Source(relative, path, *identity_of(status), changed_ns=status.st_ctime_ns)


def _refusal(name: str, mode: int) -> str | None:
    for is_special, reason in SPECIAL:
        if is_special(mode):
            return reason
    return refusal_of_name(name)


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
    return Source(relative, target, *identity_of(status), changed_ns=status.st_ctime_ns)


def _with_own_path(entry: Source | Skipped, taken: MutableMapping[str, int]) -> Source | Skipped:
    r"""Two names may look alike once escaped: the bytes \xff and the characters `\`, `x`, `f`, `f`.

    `taken`: paths of other entries, with the number up to which names like them are taken.
    """
    path = entry.path
    while path in taken:
        taken[entry.path] += 1
        path = f"{entry.path} ({taken[entry.path]})"
    return entry if path == entry.path else replace(entry, path=path)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or "cannot be read").lower()
