"""What is in an archive: its members, each to be read in place, or skipped and why.

An archive is listed, never unpacked. A member that is a link or a device, that would lie outside the archive, that is
encrypted or too much is listed with the reason and not followed. Archives in an archive are read one level deep.
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Self

from pipeline.discovery.address import Place
from pipeline.discovery.compression import BrokenArchiveError, Decoded, Prefixed, Stream, codec_of
from pipeline.discovery.containers import MAX_HEAD_BYTES, Containers, Cut, Step, Steps, seekable, stored_at
from pipeline.discovery.entry_names import as_text, is_report, refusal_of_name
from pipeline.discovery.tar_members import BLOCK_BYTES, TarMember, is_tar, tar_members
from pipeline.discovery.zip_members import ZipMember, content_at, is_document, is_zip, overlapping_members, zip_members
from pipeline.memory import MEBIBYTE

SNIFFED_BYTES = MEBIBYTE
"""Of a compressed member, to see whether a tar archive is in it: a block of bzip2 has 900 kB."""

MAX_INNER_ZIP_BYTES = 64 * MEBIBYTE
"""The list of a zip archive is at its end: one inside another archive is held in memory for listing."""

MAX_DEPTH = 1
OVERLAPS = "its bytes overlap those of another member; no archive program writes such a file"
OUTSIDE = re.compile(r"[/\\]|[A-Za-z]:[/\\]")

OTHER_FORMS = (
    (b"\x1f\x9d", "compressed by compress (.Z), which haledger cannot read: decompress it with uncompress"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive, which haledger cannot read: unpack it"),
    (b"Rar!\x1a\x07", "a rar archive, which haledger cannot read: unpack it"),
)

MAX_PADDING_BYTES = 16 * MEBIBYTE
"""Looked over behind the last member of a tar archive."""


@dataclass(frozen=True, slots=True)
class Form:
    """What kind of archive a file is: tar, maybe compressed, or zip."""

    kind: str
    codec: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A member to read; `path` is the one inside the archive, behind `!/` one inside an archive that is a member."""

    path: str
    bytes: int
    modified_ns: int
    steps: Steps


@dataclass(frozen=True, slots=True)
class Passed:
    """A member that is not read; a folder stands for all that is in it and ends in `/`."""

    path: str
    status: str
    reason: str
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """All members of an archive. `problem`: why there may be more of them; `refusal`: why none is listed."""

    members: tuple[Member, ...]
    passed: tuple[Passed, ...]
    problem: str | None = None
    refusal: str | None = None

    @property
    def status(self) -> str:
        """That of the archive itself, which is no log."""
        return "unreadable" if self.problem else "skipped"

    @property
    def reason(self) -> str:
        """What became of the archive, in words."""
        count = len(self.members)
        read = f"an archive; {count:,} member{'' if count == 1 else 's'} read in place"
        return self.refusal or "; ".join(filter(None, (read, self.problem)))

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        members = [(each.path, each.bytes, each.modified_ns, each.steps) for each in self.members]
        passed = [(each.path, each.status, each.reason, each.bytes) for each in self.passed]
        return json.dumps([members, passed, self.problem, self.refusal], separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        members, passed, problem, refusal = json.loads(text)
        return cls(
            tuple(
                Member(path, size, modified_ns, tuple(Step(*step) for step in steps))
                for path, size, modified_ns, steps in members
            ),
            tuple(Passed(*each) for each in passed),
            problem,
            refusal,
        )


def form_of(stream: Stream) -> Form | None:
    """The kind of archive that a stream holds, by its first bytes; None for any other file."""
    head = stream.read(BLOCK_BYTES)
    if is_zip(head):
        return Form("zip")
    if is_tar(head):
        return Form("tar")
    codec = codec_of(head)
    if codec is not None and is_tar(Decoded(Prefixed(head, stream), codec).read(BLOCK_BYTES)):
        return Form("tar", codec)
    return None


def refusal_of_form(head: bytes) -> str | None:
    """Why a file with these first bytes is not read though it may well hold logs."""
    return next((reason for magic, reason in OTHER_FORMS if head.startswith(magic)), None)


def listing(location: Place, size: int, form: Form, containers: Containers) -> Listing:
    """List an archive of this size. Raises OSError where it cannot be read."""
    return _Lister(location, size, containers).of_file(form)


class _Lister:
    """Goes through one archive on disk and the archives in it."""

    def __init__(self, location: Place, size: int, containers: Containers) -> None:
        self._location = location
        self._containers = containers
        self._limits = containers.limits
        self._count = 0
        self._room = max(self._limits.free_bytes, self._limits.ratio * size)

    def of_file(self, form: Form) -> Listing:
        file = stored_at(self._location)
        try:
            self._identity = file.identity()
            if form.kind == "zip":
                with seekable(self._location) as whole:
                    return self._collected(self._of_zip(whole, (), "", 0))
            return self._collected(self._of_tar(file, form, (), "", 0))
        finally:
            file.close()

    def _collected(self, found: Iterator[Member | Passed]) -> Listing:
        entries: list[Member | Passed] = []
        problem = refusal = None
        try:
            entries.extend(found)
        except _DocumentError as error:
            refusal = str(error)
        except BrokenArchiveError as error:
            problem = str(error)
        entries = _without_reports(_last_of_each_name(entries))
        return Listing(
            tuple(each for each in entries if isinstance(each, Member)),
            tuple(each for each in entries if isinstance(each, Passed)),
            problem,
            refusal,
        )

    # --- tar

    def _of_tar(self, stored: Stream, form: Form, steps: Steps, prefix: str, depth: int) -> Iterator[Member | Passed]:
        stream = stored
        if form.codec is not None:
            stream = Decoded(stored, form.codec, self._limits)
            steps = (*steps, Step(form.codec))
        for each in tar_members(stream):
            self._counted()
            if not each.is_folder:
                yield from self._tar_member(each, stream, steps, prefix, depth)
        if form.codec is not None:
            stream.skip(MAX_PADDING_BYTES)  # to the checksum
            if stream.note is not None:
                raise BrokenArchiveError(stream.note)

    def _tar_member(
        self, each: TarMember, stream: Stream, steps: Steps, prefix: str, depth: int
    ) -> Iterator[Member | Passed]:
        path, refusal = _inside(each.name)
        refusal = refusal or each.refusal or self._refusal_of_size(each.bytes)
        if refusal is not None:
            yield Passed(prefix + path, "skipped", refusal, each.bytes)
            return
        own_steps = (*steps, Step("cut", each.offset, each.bytes))
        content = Cut(stream, each.bytes)
        head = content.read(BLOCK_BYTES)
        is_costly = any(step.kind != "cut" for step in steps)
        if is_costly or codec_of(head):
            head += content.read((SNIFFED_BYTES if codec_of(head) else MAX_HEAD_BYTES) - len(head))
        member = Member(prefix + path, each.bytes, each.modified_ns, own_steps)
        form = form_of(Prefixed(head, io.BytesIO()))
        if form is not None:
            yield from self._inner(member, form, Prefixed(head, content), depth)
            return
        if is_costly:
            self._containers.cache(self._location, own_steps, head[:MAX_HEAD_BYTES])
        yield _unless_other_form(member, head)

    # --- zip

    def _of_zip(self, file: BinaryIO, steps: Steps, prefix: str, depth: int) -> Iterator[Member | Passed]:
        members = zip_members(file)
        if is_document(members):
            raise _DocumentError("a document or a program in the form of a zip archive")
        overlapping = overlapping_members(members)
        for number, each in enumerate(members):
            self._counted()
            if number in overlapping:
                yield Passed(prefix + _inside(each.name)[0], "skipped", OVERLAPS, each.bytes)
            elif not each.is_folder:
                yield from self._zip_member(each, file, steps, prefix, depth)

    def _zip_member(
        self, each: ZipMember, file: BinaryIO, steps: Steps, prefix: str, depth: int
    ) -> Iterator[Member | Passed]:
        path, refusal = _inside(each.name)
        refusal = refusal or each.refusal or self._refusal_of_size(each.bytes)
        offset = None if refusal else content_at(file, each)
        if offset is None:
            reason = refusal or "damaged: the member is not where the archive's list says"
            yield Passed(prefix + path, "skipped" if refusal else "unreadable", reason, each.bytes)
            return
        decoding = (Step(each.codec),) if each.codec else ()
        check = Step("check", each.bytes, each.crc32)
        own_steps = (*steps, Step("cut", offset, each.stored_bytes), *decoding, check)
        file.seek(offset)
        stored = io.BytesIO(file.read(min(each.stored_bytes, SNIFFED_BYTES)))
        head = (Decoded(stored, each.codec) if each.codec else stored).read(SNIFFED_BYTES)
        member = Member(prefix + path, each.bytes, each.modified_ns, own_steps)
        form = form_of(Prefixed(head, io.BytesIO()))
        if form is None:
            yield _unless_other_form(member, head)
            return
        inner = self._containers.open(self._location, self._identity, own_steps)
        yield from self._inner(member, form, inner, depth)
        inner.close()

    # --- an archive in an archive

    def _inner(self, member: Member, form: Form, content: Stream, depth: int) -> Iterator[Member | Passed]:
        """Its members, and itself."""
        if depth >= MAX_DEPTH:
            reason = "an archive in an archive in an archive, which is not read: unpack the outer one"
            yield Passed(member.path, "skipped", reason, member.bytes)
            return
        prefix = f"{member.path}!/"
        if form.kind == "tar":
            found = self._collected(self._of_tar(content, form, member.steps, prefix, depth + 1))
        elif member.bytes <= MAX_INNER_ZIP_BYTES:
            held = io.BytesIO(content.read(member.bytes))
            found = self._collected(self._of_zip(held, member.steps, prefix, depth + 1))
        else:
            reason = f"a zip archive of {member.bytes:,} bytes in another archive: unpack the outer one"
            found = Listing((), (), refusal=reason)
        yield from found.members
        yield from found.passed
        yield Passed(member.path, found.status, found.reason, member.bytes)

    # --- limits

    def _counted(self) -> None:
        self._count += 1
        if self._count > self._limits.members:
            raise BrokenArchiveError(f"more than {self._limits.members:,} members; the rest is not read")

    def _refusal_of_size(self, size: int) -> str | None:
        if size > self._limits.content_bytes:
            return f"{size:,} bytes, more than haledger unpacks: unpack it yourself"
        if size > self._room:
            return f"the archive unpacks to more than {self._limits.ratio} times its size: unpack it yourself"
        self._room -= size
        if not self._containers.has_room(size):
            return f"beyond the {self._limits.total_bytes:,} bytes that haledger unpacks of all archives of a study"
        return None


class _DocumentError(BrokenArchiveError):
    """An archive that is not one of files."""


def _inside(name: str) -> tuple[str, str | None]:
    """The path of a member as people see it, and why it is not read. A folder that is passed over ends in `/`."""
    text = as_text(name)
    if OUTSIDE.match(name):
        return text, "its path is absolute: members are read inside their archive only"
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in re.split(r"[/\\]", name):
        return text, "its path leads out of the archive"
    if not parts:
        return text or "(without a name)", "a member without a name"
    for depth, folder in enumerate(parts[:-1], 1):
        if folder.startswith("."):
            return "/".join(parts[:depth]) + "/", "a hidden folder"
    return "/".join(parts), refusal_of_name(parts[-1])


def _unless_other_form(member: Member, head: bytes) -> Member | Passed:
    reason = refusal_of_form(head)
    return Passed(member.path, "skipped", reason, member.bytes) if reason else member


def _last_of_each_name(entries: list[Member | Passed]) -> list[Member | Passed]:
    """A later member of the same name is the newer one: unpacking would leave nothing of the earlier."""
    last = {each.path: number for number, each in enumerate(entries) if isinstance(each, Member)}
    earlier = [
        Passed(each.path, "skipped", "a later member has the same name", each.bytes)
        for number, each in enumerate(entries)
        if isinstance(each, Member) and last[each.path] != number
    ]
    kept = [each for number, each in enumerate(entries) if isinstance(each, Passed) or last[each.path] == number]
    folders = {each.path: each for each in kept if each.path.endswith("/")}  # a hidden one, once for all in it
    return [*(each for each in kept if not each.path.endswith("/")), *folders.values(), *earlier]


def _without_reports(entries: list[Member | Passed]) -> list[Member | Passed]:
    """Folders that haledger wrote stand for all that is in them."""
    names: dict[str, set[str]] = {}
    for each in entries:
        folder, _, name = each.path.rpartition("/")
        names.setdefault(folder, set()).add(name)
    reports = sorted(f"{folder}/" for folder, inside in names.items() if folder and is_report(inside))
    if not reports:
        return entries
    kept = [each for each in entries if not each.path.startswith(tuple(reports))]
    return [*kept, *(Passed(folder, "skipped", "a report that haledger wrote") for folder in reports)]
