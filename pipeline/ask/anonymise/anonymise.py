"""Copies a study with pseudonyms: recognised files and study.toml, decompressed, at the same places.

A file that no format recognises is left out, since nobody knows what it names. What was replaced by what is written
beside the new study, not into it.
"""

import codecs
import csv
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pipeline.ask.anonymise.names import (
    Kind,
    Name,
    candidates,
    domains_of,
    names_in_store,
    names_in_text,
    neighbours,
    organisations,
    qualified,
    secrets_in_text,
)
from pipeline.ask.anonymise.pseudonyms import Pseudonyms
from pipeline.discovery.address import Address
from pipeline.discovery.compression import without_suffix
from pipeline.discovery.entry_names import MANIFEST_NAME
from pipeline.discovery.walk import Source, discover
from pipeline.errors import InputError, UsageError
from pipeline.ingest.ingest import ingest
from pipeline.progress import Progress
from pipeline.reading import lines
from pipeline.scratch import scratch_folder
from pipeline.store import store
from pipeline.store.sole_writer import sole_writer
from pipeline.study.manifest import manifest_bytes

MARKER: Final = ".haledger-anonymous"
"""Marks a folder that this module wrote, and so may replace."""

BLOCK_CHARACTERS: Final = 1 << 20
COLOUR: Final = re.compile(lines.COLOUR.pattern.decode())
"""A name may stand right behind it."""

PERSONAL: Final = re.compile(r"(?m)^[ \t]*(?:authors|organisation|logo)[ \t]*=[ \t]*")
"""Keys of study.toml that name people, or show whose study it is."""

MAX_CANDIDATES: Final = 500


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
        if self.to_look_at:
            shown = ", ".join(sorted(self.to_look_at)[:8])
            lines.append(f"Have a look at {len(self.to_look_at)} words that may be names: {shown}")
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


def anonymise(study: Path | Address, folder: Path, progress: Progress | None = None) -> Anonymised:
    """Copy the study into a folder, which must be new, empty or written by an earlier call.

    One process writes a folder at a time: a StoreError names who does.
    """
    place, root = folder.resolve(), None if isinstance(study, Address) else study.resolve()
    if root is not None and (place.is_relative_to(root) or root.is_relative_to(place)):
        raise UsageError(f"{folder}: name a folder outside the study with -o DIR")
    with sole_writer(folder):
        return _anonymise(study, folder, progress)


def _anonymise(study: Path | Address, folder: Path, progress: Progress | None) -> Anonymised:
    table = folder.with_name(f"{folder.name}-names.csv")
    if folder.exists() and not (folder.is_dir() and (not any(folder.iterdir()) or (folder / MARKER).is_file())):
        raise UsageError(f"{folder}: holds something else; name a new folder with -o DIR")
    with scratch_folder() as scratch:
        db = scratch / "haledger.duckdb"
        ingest(study, db, progress=progress, own=(folder, table))
        with store.opened(db) as con:
            rows = con.execute("select path, encoding from main.source_file where format is not null").fetchall()
            found = set(names_in_store(con))
    encodings = {path: encoding or "utf-8" for path, encoding in rows}
    discovered = discover(study, own=(folder, table))
    sources = [each for each in discovered.sources if each.path in encodings]
    if not sources:
        raise InputError(f"{study}: nothing in it is recognised; `haledger explain {study}` says why")
    hosts = frozenset(each.key for each in found if each.kind is Kind.HOST)  # what the parsers read
    full_names: set[tuple[str, str]] = set()
    secrets: set[str] = set()
    for source in sources:
        for block in _blocks(source, encodings[source.path]):
            found.update(names_in_text(block))
            secrets.update(secrets_in_text(block))
            full_names.update(qualified(block))
    found.update(domains_of(hosts, full_names))
    domains = frozenset(each.key for each in found if each.kind is Kind.DOMAIN)
    pseudonyms = Pseudonyms(found.union(neighbours(full_names, domains)), secrets)
    new = folder.with_name(f"{folder.name}.tmp-{os.getpid()}")
    old = new.with_name(f"{new.name}-old")
    try:
        found_words = _write(study, new, sources, encodings, pseudonyms)
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    left_out = tuple(sorted(each.path for each in discovered.sources if each.path not in encodings))
    looks = dict(found_words.most_common(MAX_CANDIDATES))
    _write_table(table, pseudonyms, looks)
    return Anonymised(folder, table, len(sources), left_out, pseudonyms.by_name, dict(pseudonyms.counts), looks)


def _write(
    study: Path | Address, new: Path, sources: list[Source], encodings: dict[str, str], pseudonyms: Pseudonyms
) -> Counter[str]:
    """Write all files; give the words that stand where names do and are none that is known."""
    looks: Counter[str] = Counter()
    known = pseudonyms.known()
    owners = organisations(each.text for each in pseudonyms.by_name if each.kind is Kind.DOMAIN)
    new.mkdir(parents=True)
    (new / MARKER).write_text("Written by `haledger anonymise`; it may be replaced.\n", encoding="utf-8")
    for source in sources:
        *parents, name = source.path.split("/")
        place = new.joinpath(*(pseudonyms.replaced(each) for each in (*parents, without_suffix(name))))
        place.parent.mkdir(parents=True, exist_ok=True)
        while place.exists():  # a log beside its compressed copy
            place = place.with_name(f"{place.name}-copy")
        encoding = encodings[source.path]
        with place.open("xb") as out:
            for block in _blocks(source, encoding):
                replaced = pseudonyms.replaced(block)
                looks.update(candidates(replaced, known, owners))
                out.write(replaced.encode(_codec(encoding), _errors(encoding)))
        os.utime(place, ns=(source.modified_ns, source.header_ns or source.modified_ns))
    if manifest := manifest_bytes(study):
        text = pseudonyms.replaced(_without_people(manifest.decode("utf-8-sig")))
        looks.update(candidates(text, known, owners))
        (new / MANIFEST_NAME).write_text(text, encoding="utf-8")
    return looks


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


def _without_people(text: str) -> str:
    """study.toml without the keys that name people; a value goes on until its brackets and quotes are closed."""
    while match := PERSONAL.search(text):
        end, depth, quote = match.end(), 0, ""
        while end < len(text) and (depth or quote or text[end] != "\n"):
            if quote:
                quote = "" if text.startswith(quote, end) else quote
            elif text[end] in "\"'":
                quote = text[end]
            else:
                depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        text = text[: match.start()] + text[end + 1 :]
    return text


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
