"""Copies a study with pseudonyms: recognised files and study.toml, decompressed, at the same places.

A file that no format recognises is left out, since nobody knows what it names. What was replaced by what is written
beside the new study, not into it.
"""

import codecs
import csv
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from parsers.format import formats
from pipeline.ask.anonymise.names import (
    LEAST_WORD,
    Name,
    domains_of,
    names_at,
    names_in_store,
    neighbours,
    organisations,
    qualified,
    secrets_at,
)
from pipeline.ask.anonymise.places import NO_DIGITS, Kind, Place, Places, wide_places
from pipeline.ask.anonymise.pseudonyms import Pseudonyms
from pipeline.ask.anonymise.study_text import prose_of, with_own_values, without_comments, without_people
from pipeline.ask.anonymise.vocabulary import WORD, is_known, unknown_words
from pipeline.discovery.address import Address
from pipeline.discovery.compression import without_suffix
from pipeline.discovery.entry_names import MANIFEST_NAME
from pipeline.discovery.source import Source
from pipeline.discovery.walk import discover
from pipeline.errors import InputError, UsageError
from pipeline.ingest.current_store import current_store
from pipeline.progress import Progress
from pipeline.reading import lines
from pipeline.scratch import replacing
from pipeline.store import store
from pipeline.store.sole_writer import sole_writer
from pipeline.study.manifest_file import manifest_bytes

MARKER: Final = ".haledger-anonymous"
"""Marks a folder that this module wrote, and so may replace."""

BLOCK_CHARACTERS: Final = 1 << 20
COLOUR: Final = re.compile(lines.COLOUR.pattern.decode())
"""A name may stand right behind it."""

MAX_DOUBTS: Final = 500
LONGEST_UNIT: Final = 3
HEX_NUMBER: Final = re.compile(
    r"(?<![^\W_])(?:0x)?(?:(?=[A-Fa-f.:-]*[0-9])[0-9A-Fa-f]+(?:[.:-][0-9A-Fa-f]+)*|[a-f]{6,})(?![^\W_])"
)
# REAL: Max number of log files    (LOGPRIMARY) = 3
DB2_PARAMETER: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]*\([A-Z][A-Z0-9_]+\)[ ]*=")
# REAL: FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000
DB2_FUNCTION: Final = re.compile(r"\bDB2 [A-Z][A-Za-z]{1,9}, [A-Za-z0-9 ,/-]{1,60}, [A-Za-z0-9_:~]{1,99}, probe:[0-9]")
"""Its words are IBM's: thousands of functions that no template lists."""

LARGEST_WHOLE: Final = 8 << 20
"""Bytes of a configuration that is read in one piece."""


@dataclass(frozen=True, slots=True)
class Anonymised:
    """What was written. `table`: a CSV file of names and pseudonyms. `left_out`: files that nothing recognised."""

    folder: Path
    table: Path
    files: int
    left_out: tuple[str, ...]
    replaced: dict[Name, str]
    counts: dict[Name, int]
    to_look_at: dict[str, int]

    def summary(self) -> list[str]:
        """What was done, for people."""
        kinds = Counter(each.kind.value for each in self.replaced)
        lines = [
            f"Study: {self.folder} ({self.files} files)",
            f"Names: {self.table}; keep it to yourself",
            f"Replaced: {', '.join(f'{kind} {count}' for kind, count in sorted(kinds.items())) or 'nothing'}",
        ]
        if self.left_out:
            lines.append(f"Left out, since no format recognises them: {len(self.left_out)}")
        return lines

    def to_dict(self) -> dict[str, object]:
        """For JSON; names themselves are in the table alone."""
        return {
            "folder": str(self.folder),
            "table": str(self.table),
            "files": self.files,
            "left_out": list(self.left_out),
            "names": dict(Counter(each.kind.value for each in self.replaced)),
            "to_look_at": self.to_look_at,
        }


class _Search:
    """Collects names and secrets from the text of a study. `is_strict`: words that no template knows are names too."""

    def __init__(self, names: set[Name], *, is_strict: bool) -> None:
        self.names = names
        self.secrets: set[str] = set()
        self.places = Places()
        self._full_names: set[tuple[str, str]] = set()
        self._seen: set[tuple[Kind, bool, str]] = set()
        self._is_strict = is_strict
        self._hosts = frozenset(each.key for each in names if each.kind is Kind.HOST)  # what the parsers read

    def read(self, text: str, *, is_whole: bool = False) -> None:
        """Take the names of a text. `is_whole`: a place may take several lines."""
        self._take(text, wide_places(text, is_whole=is_whole))
        if not is_whole:
            for line in text.splitlines(keepends=True):
                self._take(line, self.places.of(line))
        if self._is_strict:
            self.read_words(text)

    def read_words(self, text: str, least: int = 2) -> None:
        """Take all words that no template knows, of so many letters."""
        self.names.update(Name(Kind.WORD, each) for each in _strange_words(text) if len(each) >= least)

    def found(self) -> set[Name]:
        """All names, with domains of known machines and other machines of known domains."""
        self.names.update(domains_of(self._hosts, self._full_names))
        domains = frozenset(each.key for each in self.names if each.kind is Kind.DOMAIN)
        owners = {Name(Kind.ORGANISATION, each) for each in organisations(domains) if unknown_words(each)}
        return self.names.union(neighbours(self._full_names, domains), owners)

    def _take(self, text: str, found: Iterable[Place]) -> None:
        for place in found:
            written = text[place.start : place.end]
            key = (place.kind, place.is_sure, written)
            if key in self._seen:
                continue
            self._seen.add(key)
            self.names.update(names_at(place, written))
            if place.kind is Kind.SECRET:
                self.secrets.update(secrets_at(written))
            elif place.kind is Kind.DOMAIN and (full := qualified(written)):
                self._full_names.add(full)


class _Doubts:
    """Counts the words of a copy that no template knows: they may be names that no place announces."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self._forms: set[str] = set()

    def read(self, text: str) -> None:
        """Count those of a text; lines that differ in digits alone are looked at once."""
        for line in text.splitlines():
            form = line.translate(NO_DIGITS)
            if form not in self._forms:
                self._forms.add(form)
                self.words.update(each for each in _strange_words(line) if len(each) >= LEAST_WORD)


def _strange_words(text: str) -> Iterator[str]:
    """Words that no template knows; no numbers in hexadecimal or base64, and no units behind a number."""
    for known in (DB2_FUNCTION, DB2_PARAMETER, HEX_NUMBER):
        text = known.sub(" ", text)
    for match in WORD.finditer(text):
        is_unit = len(match[0]) <= LONGEST_UNIT and text[match.start() - 1 : match.start()].isdigit()
        if not is_unit and not is_known(match[0]):
            yield match[0]


def anonymise(
    study: Path | Address,
    folder: Path,
    progress: Progress | None = None,
    *,
    is_strict: bool = False,
    near: Sequence[Path] = (),
) -> Anonymised:
    """Copy the study into a folder, which must be new, empty or written by an earlier call.

    `is_strict`: every word that no template knows is replaced. `near`: folders whose store of the study names what is
    to be replaced, if nothing changed. One process writes a folder at a time: a StoreError names who does.
    """
    place, root = folder.resolve(), None if isinstance(study, Address) else study.resolve()
    if root is not None and (place.is_relative_to(root) or root.is_relative_to(place)):
        raise UsageError(f"{folder}: name a folder outside the study with -o DIR")
    with sole_writer(folder):
        return _anonymise(study, folder, progress, is_strict=is_strict, near=near)


def _anonymise(
    study: Path | Address, folder: Path, progress: Progress | None, *, is_strict: bool, near: Sequence[Path]
) -> Anonymised:
    table = folder.with_name(f"{folder.name}-names.csv")
    if folder.exists() and not (folder.is_dir() and (not any(folder.iterdir()) or (folder / MARKER).is_file())):
        raise UsageError(f"{folder}: is not empty and was not written by haledger; choose another with -o DIR")
    own = (folder, table)
    with current_store(study, near=near, own=own, progress=progress) as current, store.opened(current.db) as con:
        rows = con.execute("select path, encoding, format from main.source_file where format is not null").fetchall()
        found = set(names_in_store(con))
    read_as = {path: (encoding or "utf-8", name) for path, encoding, name in rows}
    discovered = discover(study, own=own)
    files = [_File(each, *read_as[each.path]) for each in discovered.sources if each.path in read_as]
    if not files:
        raise InputError(f"{study}: nothing in it is recognised; `haledger explain {study}` says why")
    search = _Search(found, is_strict=is_strict)
    for file in files:
        search.read(file.source.path.replace("/", "\n"))
        search.read_words(file.source.path, least=LEAST_WORD)
        for block in file.blocks():
            search.read(block, is_whole=file.is_configuration)
    manifest = without_people(manifest_bytes(study).decode("utf-8-sig"))
    search.read(manifest, is_whole=True)
    for text in prose_of(manifest):
        search.read_words(text)
    pseudonyms = Pseudonyms(search.found(), search.secrets, search.places)
    with replacing(folder) as new:
        doubts = _write(new, files, manifest, pseudonyms)
    left_out = tuple(sorted(each.path for each in discovered.sources if each.path not in read_as))
    looks = dict(doubts.words.most_common(MAX_DOUBTS))
    _write_table(table, pseudonyms, looks)
    return Anonymised(folder, table, len(files), left_out, pseudonyms.by_name, dict(pseudonyms.counts), looks)


def _write(new: Path, files: list["_File"], manifest: str, pseudonyms: Pseudonyms) -> _Doubts:
    """Write all files; give the words that no template knows and no pseudonym replaced."""
    doubts = _Doubts()
    new.mkdir(parents=True)
    (new / MARKER).write_text("Written by `haledger anonymise`; it may be replaced.\n", encoding="utf-8")
    for file in files:
        *parents, name = file.source.path.split("/")
        place = new.joinpath(*(pseudonyms.replaced(each) for each in (*parents, without_suffix(name))))
        place.parent.mkdir(parents=True, exist_ok=True)
        while place.exists():  # a log beside its compressed copy
            place = place.with_name(f"{place.name}-copy")
        with place.open("xb") as out:
            for block in file.blocks():
                replaced = pseudonyms.replaced(block, is_whole=file.is_configuration)
                doubts.read(replaced)
                out.write(replaced.encode(_codec(file.encoding), _errors(file.encoding)))
        os.utime(place, ns=(file.source.modified_ns, file.source.header_ns or file.source.modified_ns))
    if manifest:
        text = with_own_values(manifest, lambda part: pseudonyms.replaced(part, is_whole=True))
        (new / MANIFEST_NAME).write_text(text, encoding="utf-8")
    return doubts


@dataclass(frozen=True, slots=True)
class _File:
    """A file that is copied, with its encoding and the name of its format."""

    source: Source
    encoding: str
    format: str

    @property
    def is_configuration(self) -> bool:
        return formats()[self.format].role == "configuration" and self.source.bytes <= LARGEST_WHOLE

    def blocks(self) -> Iterator[str]:
        """Its text, of a configuration in one piece and without comments that say something."""
        blocks = _blocks(self.source, self.encoding)
        if self.is_configuration:
            yield without_comments("".join(blocks), formats()[self.format])
        else:
            yield from blocks


def _blocks(source: Source, encoding: str) -> Iterator[str]:
    """The text of a file without colours, cut at ends of lines; bytes that its encoding does not have stay."""
    decoder = codecs.getincrementaldecoder(_codec(encoding))(_errors(encoding))
    rest = ""
    with source.open() as stream:
        while read := stream.read(BLOCK_CHARACTERS):
            text = rest + decoder.decode(read)
            end = text.rfind("\n") + 1
            yield COLOUR.sub("", text[:end])
            rest = text[end:]
    yield COLOUR.sub("", rest + decoder.decode(b"", final=True))


def _codec(encoding: str) -> str:
    """The codec that writes the bytes which it read."""
    return {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding, encoding)


def _errors(encoding: str) -> str:
    """The way of keeping what an encoding does not have."""
    return "surrogatepass" if "16" in encoding else "surrogateescape"


def _write_table(table: Path, pseudonyms: Pseudonyms, looks: dict[str, int]) -> None:
    """Names, pseudonyms, how often they were replaced; then words to look at. Only its owner can read the file."""
    table.unlink(missing_ok=True)
    with os.fdopen(
        os.open(table, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline=""
    ) as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("kind", "name", "pseudonym", "count"))
        for name, pseudonym in sorted(pseudonyms.by_name.items(), key=lambda each: (each[0].kind, each[1])):
            writer.writerow((name.kind.value, name.text, pseudonym, pseudonyms.counts[name]))
        for word, count in sorted(looks.items()):
            writer.writerow(("not replaced, have a look", word, "", count))
