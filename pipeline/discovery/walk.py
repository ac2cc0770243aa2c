"""Walks a study and says for each entry: a file to read, or skipped and why; of an archive, for each of its members.

Everything that is not read appears with its reason. Links are not followed out of the study,
and what they lead to inside it is read once. What haledger itself wrote is never input. Of a file, only the first
bytes are looked at here, to tell archives; an archive that the ledger knows is not listed again.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path, PurePath
from typing import BinaryIO, Literal, cast

from pipeline.discovery.address import Address, Place, StoredObject, hold_heads
from pipeline.discovery.archives import Form, Listing, form_of, listing, refusal_of_form
from pipeline.discovery.bundles import refusals
from pipeline.discovery.compression import CODECS, LIMITS, Hashed, Limits, Prefixed, gzip_time, without_suffix
from pipeline.discovery.containers import (
    MAX_HEAD_BYTES,
    Containers,
    Content,
    Steps,
    content_of,
    identity_at,
    identity_of,
    seekable,
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
from pipeline.discovery.tar_members import BLOCK_BYTES
from pipeline.errors import InputError
from pipeline.memory import free_bytes

CHANGED = "changed while it was read"
"""Noted of a file."""

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
class Archive:
    """An archive and what is in it; `tag`: its ETag where it is an object. `is_known`: the ledger knew this content."""

    path: str
    bytes: int
    modified_ns: int
    sha256: str
    listing: Listing
    tag: str | None = None
    is_known: bool = False


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
class Inside:
    """Where a member is: the archive, and the steps that lead to it."""

    archive: Archive
    steps: Steps
    containers: Containers

    def identity(self, location: Place) -> tuple[int, int]:
        """Size and time of the archive; of an object as they were a moment ago, not asked for each of its members."""
        return location.opened().identity() if isinstance(location, StoredObject) else identity_at(location)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the bytes of a file were when it was read: SHA-256 as they lie there, and what was odd, in words."""

    sha256: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. `path` is what people see: relative to the study, `/` between parts, always valid text.

    `bytes` and `modified_ns` are those of the file on disk, or of the member in its archive, as it lies there:
    compressed where it is compressed. `header_ns`: the time that the head of a gzip file gives of its content.
    `changed_ns`: when the inode changed, 0 for what is no file on disk.
    """

    path: str
    location: Place
    bytes: int
    modified_ns: int
    inside: Inside | None = None
    header_ns: int | None = None
    changed_ns: int = 0

    @property
    def touched_ns(self) -> int:
        """When it was last written or given a time stamp: no program that keeps the stamp keeps this."""
        return max(self.modified_ns, self.changed_ns)

    @property
    def name(self) -> str:
        """The file's own name, without the ending of a compressor."""
        return without_suffix(self.path.rsplit("/", 1)[-1])

    @property
    def tag(self) -> str | None:
        """The ETag of the object that it is or lies in: the same says that the content is. None: there is none."""
        return self.location.tag if isinstance(self.location, StoredObject) else None

    @property
    def modified_at(self) -> datetime:
        """Time of the content's last change, naive UTC."""
        return naive_utc(self.header_ns or self.modified_ns)

    @property
    def is_dated_within(self) -> bool:
        """Whether that time is given in an archive or a compressed file: a copy does not change it."""
        return self.inside is not None or self.header_ns is not None

    @property
    def position(self) -> tuple[str, tuple[int, ...]]:
        """Sorts files so that a compressed archive is gone through once, forwards."""
        if self.inside is None:
            return self.path, ()
        return self.inside.archive.path, tuple(step.first for step in self.inside.steps if step.kind == "cut")

    @property
    def is_costly_to_reach(self) -> bool:
        """Whether all that is before it has to be decompressed: a member of a compressed archive, not held."""
        steps = self.inside.steps if self.inside else ()
        is_compressed = any(step.kind in CODECS and later.kind == "cut" for step, later in pairwise(steps))
        return is_compressed and self.bytes > MAX_HEAD_BYTES

    def open(self) -> BinaryIO:
        """The content from the beginning; what is compressed is decompressed. To be closed."""
        limits = self.inside.containers.limits if self.inside else LIMITS
        return content_of(self.open_stored(), limits)

    def open_stored(self) -> BinaryIO:
        """The bytes as they lie on disk or in the archive. To be closed."""
        if self.inside is None:
            return seekable(self.location)
        archive = self.inside.archive
        identity = (archive.bytes, archive.modified_ns)
        return cast("BinaryIO", self.inside.containers.open(self.location, identity, self.inside.steps))

    def has_changed(self) -> bool:
        """Whether size or time of the file on disk differ from what the walk saw."""
        seen = self if self.inside is None else self.inside.archive
        try:
            now = identity_at(self.location) if self.inside is None else self.inside.identity(self.location)
        except OSError:
            return True
        return now != (seen.bytes, seen.modified_ns)

    def seen(self, stream: BinaryIO, read_bytes: int, sha256: str) -> Seen:
        """What came out of `open` once all was read: this many bytes with this SHA-256. To be asked before closing."""
        note = getattr(stream, "note", None)
        stored_bytes, stored_sha256 = stream.stored() if isinstance(stream, Content) else (read_bytes, sha256)
        if self.has_changed() or (stored_bytes != self.bytes and note is None):
            note = "; ".join(filter(None, (note, CHANGED)))
        return Seen(stored_sha256 or None, note)


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


def forward_runs(sources: Sequence[Source]) -> list[list[int]]:
    """Files in the order of their numbers, by index, in as many runs as it takes to go through archives forwards."""
    costly = sorted(
        (index for index, each in enumerate(sources) if each.is_costly_to_reach),
        key=lambda index: sources[index].position,
    )
    runs = [[index for index, each in enumerate(sources) if not each.is_costly_to_reach]]
    for index in costly:
        if runs[-1] and runs[-1][-1] < index and len(runs) > 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return [run for run in runs if run]


def naive_utc(nanoseconds: int) -> datetime:
    """A file's time stamp as naive UTC; the epoch where the file system gives nonsense."""
    try:
        return datetime.fromtimestamp(nanoseconds // 1000 / 1e6, tz=UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return datetime(1970, 1, 1)  # noqa: DTZ001  naive UTC


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
                elif reason := _folder_refusal(path):
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
    hold_heads([each.location for each in new if each.path not in archives or archives[each.path].tag != each.tag])
    return entries


def _stored_entries(objects: Mapping[str, StoredObject]) -> Iterator[Source | Skipped]:
    """A folder is what the names of objects begin with."""
    names: dict[str, set[str]] = {"": set()}
    for path in objects:
        folder, _, name = path.rpartition("/")
        while name:
            names.setdefault(folder, set()).add(name)
            folder, _, name = folder.rpartition("/")
    refused = {f"{each}/": reason for each in names if each and (reason := _stored_folder_refusal(each, names[each]))}
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


def _stored_folder_refusal(folder: str, names: Collection[str]) -> str | None:
    if folder.rpartition("/")[2].startswith("."):
        return "a hidden folder"
    if is_report(names):
        return "a report that haledger wrote"
    return f"no part of the study: it holds a file {IGNORE_MARKER}" if IGNORE_MARKER in names else None


def _is_own(path: Path, own: Collection[Path]) -> bool:
    return any(
        path == each or (path.parent == each.parent and path.name.startswith(f"{each.name}.")) for each in own
    ) or any(path == each.parent and _is_report(path) for each in own)


def _folder_refusal(folder: Path) -> str | None:
    if folder.name.startswith("."):
        return "a hidden folder"
    if _is_report(folder):
        return "a report that haledger wrote"
    if (folder / IGNORE_MARKER).is_file():
        return f"no part of the study: it holds a file {IGNORE_MARKER}"
    return None


def _is_report(folder: Path) -> bool:
    return is_report([name for name in (REPORT_MARKER, STORE_NAME, "report.pdf") if (folder / name).is_file()])


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
