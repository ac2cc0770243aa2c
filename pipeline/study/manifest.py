"""The study's manifest, study.toml: what a person knows about the logs and the logs do not say.

Optional as a whole and in every part. An unknown key, a wrong type or a path out of the study is an error that names
the file, the place and the nearest key, because a misspelt override that is silently ignored would falsify results.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from pydantic import ConfigDict

from pipeline.discovery.address import Address, study_name
from pipeline.discovery.entry_names import MANIFEST_NAME
from pipeline.discovery.globs import matches
from pipeline.errors import InputError, UsageError
from pipeline.local_time import as_utc
from pipeline.study import manifest_file
from pipeline.study.branding_options import logo_bytes
from pipeline.study.declared_names import wrong_names
from pipeline.study.draft import Usable, usable
from pipeline.study.manifest_entries import ORIGIN_OF_NOTE, DeclaredFile, Event, FileOverride, LogFormat, Node, Run
from pipeline.study.manifest_mistakes import Document, Mistake, refusal
from pipeline.study.manifest_tables import Tables
from pipeline.study.places.hosts import is_same_host
from pipeline.study.study_tables import TABLES

NO_OVERRIDE = FileOverride.model_construct(match="", _fields_set=set())
"""What the study declares for a file that no `[[files]]` matches: nothing."""


MOST_PARTS = 100
LONG_KEY = re.compile(rf"(?<![\w\"'-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}")
"""A dotted key that nobody writes: the time that tomllib needs grows with the square of its parts."""

LONG_NUMBER = re.compile(r"[0-9][0-9_]{4000}")

E = TypeVar("E", Run, Event)


class Manifest(Tables):
    """All of study.toml, with its times in UTC.

    `doubts` are sentences for the report, such as a time without a zone in a study without one; `content` is the file
    as it was read, empty without one, and `logo` that of the file which `[report]` names.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False)

    name: str = ""
    doubts: tuple[str, ...] = ()
    content: bytes = b""
    logo: bytes = b""

    def file_override(self, path: str) -> FileOverride:
        """What the first matching `[[files]]` declares for a file, and the first `[[format]]` where that names none."""
        if not self.files and not self.formats:
            return NO_OVERRIDE
        found = next((each for each in self.files if each.match and matches(path, each.match)), NO_OVERRIDE)
        own = self.format_of(path, found.format)
        if own is None:
            return found
        declared = {name: getattr(found, name) for name in found.model_fields_set}
        return DeclaredFile.model_construct(
            **({"match": found.match or own.match} | declared | {"format": own.name}), layout=own.layout
        )

    def format_of(self, path: str, named: str | None = None) -> LogFormat | None:
        """The `[[format]]` of a file: the one that its `[[files]]` names, else the first whose glob fits."""
        if named is not None:
            return next((each for each in self.formats if each.name == named), None)
        return next((each for each in self.formats if matches(path, each.match)), None)

    def node_entry(self, node: str | None) -> Node | None:
        """The `[node.*]` of a host, compared as host names are: with or without domain, ignoring case."""
        if node is None or not self.nodes:
            return None
        exact = [entry for name, entry in self.nodes.items() if name.lower() == node.lower()]
        short = [entry for name, entry in self.nodes.items() if is_same_host(name, node)]
        return next(iter(exact or short), None)

    def node_of_folder(self, folder: str) -> str | None:
        """The host to which the study assigns a folder, given by its path in the study."""
        named = ((name, glob) for name, entry in self.nodes.items() for glob in entry.folders)
        return next((name for name, glob in named if matches(folder, glob.rstrip("/"))), None)

    def zone_of(self, node: str | None) -> str | None:
        """The zone that the study declares for a host, else for all logs without one."""
        entry = self.node_entry(node)
        return entry.timezone if entry and entry.timezone else self.study.timezone

    def tables(self, paths: Sequence[str] = (), reference: str = "") -> dict[str, pl.DataFrame]:
        """The tables of schema `study` that study.toml fills, possibly empty.

        `paths`: the files of the study. `reference`: a configuration that comes before those of study.toml.
        """
        branding = self.report.row() | {"logo": self.logo or None}
        rows: dict[str, Sequence[dict[str, Any]]] = {  # values of any column
            "manifest": [{"content": self.content}] if self.content else [],
            "setting": [{"name": self.name, "reference_option": reference or None} | self.study.row()],
            "house_style": [branding] if any(branding.values()) else [],
            "configuration": [{"configuration": name} | each.row() for name, each in self.configurations.items()],
            "run": [each.row() for each in self.runs],
            "node": [{"node": name} | each.row() for name, each in self.nodes.items()],
            "resource_type": [{"pattern": glob, "resource_type": type_} for glob, type_ in self.resource_types.items()],
            "event": [each.row() for each in self.events],
            "claim": sorted(
                (row for each in self.claims for row in each.rows()), key=lambda row: row["published"] is not None
            ),
            "publication_table": [each.row() for each in self.publication_tables],
            "publication_figure": [each.row() for each in self.publication_figures],
            "file_rule": list(self._file_rules(paths)),
            "section": [each.row() for each in self.sections],
        }
        return {name: table.frame(rows[name]) for name, table in TABLES.items()}

    def _file_rules(self, paths: Sequence[str]) -> Iterator[dict[str, Any]]:  # values of any column
        """The `[[files]]` and `[[format]]`, and of how many files each is the first choice."""
        if not self.files and not self.formats:
            return
        chosen = [self.file_override(path) for path in paths]
        by_glob = Counter(each.match for each in chosen)
        by_format = Counter(each.format for each in chosen if isinstance(each, DeclaredFile))
        for files in self.files:
            yield {"kind": "files", "pattern": files.match, "files": by_glob[files.match]}
        for own in self.formats:
            yield {"kind": "format", "name": own.name, "pattern": own.match, "files": by_format[own.name]}


@dataclass(frozen=True, slots=True)
class Declared:
    """What a study.toml declares: what of it can be used, and the mistakes that it shows by itself.

    `document` is the file, for those that show later; None without a file. `usable` gives the places of entries.
    `tag`: the ETag of an object.
    """

    manifest: Manifest
    mistakes: tuple[Mistake, ...] = ()
    document: Document | None = None
    usable: Usable[Tables] = Usable(Tables.model_construct(), (), {})  # noqa: RUF009  frozen, and empty
    tag: str | None = None


def load(study: Path | Address) -> Manifest:
    """Read the manifest of a study folder; without a study.toml it is empty."""
    return _whole(declared(study))


def declared(study: Path | Address, known: manifest_file.KnownManifest | None = None) -> Declared:
    """Read the manifest of a study, with its mistakes. What is no TOML at all is an error here, too.

    `known`: the manifest of an address as it was read before.
    """
    path = f"{str(study).rstrip('/')}/{MANIFEST_NAME}" if isinstance(study, Address) else study / MANIFEST_NAME
    name = study_name(study)
    try:
        content, tag = manifest_file.content(study, str(path), known)
    except (FileNotFoundError, NotADirectoryError):
        return Declared(Manifest.model_construct(name=name))
    except OSError as error:
        kind = InputError if isinstance(study, Address) else UsageError
        raise kind(f"{path}: cannot be read ({error.strerror or error}); expected a TOML file") from error
    found = replace(read(content, name=name, source=str(path)), tag=tag)
    logo = found.manifest.report.logo
    if logo is None or found.document is None:
        return found
    try:
        return replace(found, manifest=found.manifest.model_copy(update={"logo": logo_bytes(study, logo)}))
    except ValueError as error:
        return replace(found, mistakes=(*found.mistakes, found.document.wrong(("report", "logo"), str(error))))


def parse(content: bytes, *, name: str = "", source: str = MANIFEST_NAME) -> Manifest:
    """Turn the bytes of a manifest into a `Manifest`; `source` is the file that messages name."""
    return _whole(read(content, name=name, source=source))


def _whole(found: Declared) -> Manifest:
    if found.mistakes:
        raise refusal(found.mistakes)
    return found.manifest


def read(content: bytes, *, name: str = "", source: str = MANIFEST_NAME) -> Declared:
    """Turn the bytes of a manifest into what of it can be used, and its mistakes."""
    text = _decoded(content, source)
    document = Document(Tables, text, source)
    found = usable(Tables, _tables(text, source), document)
    tables, mistakes = found.tables, list(found.mistakes)
    mistakes += [
        document.lacking(("configuration", key), ORIGIN_OF_NOTE)
        for key, entry in tables.configurations.items()
        if entry.origin_note and not (entry.origin or tables.study.origin)
    ]
    mistakes += wrong_names(found, document)
    doubts: list[str] = []
    in_utc = {
        "runs": _in_utc("run", tables.runs, tables.study.timezone, doubts),
        "events": _in_utc("event", tables.events, tables.study.timezone, doubts),
    }
    manifest = Manifest(**dict(tables) | in_utc, name=name, content=content, doubts=tuple(doubts))
    return Declared(manifest, tuple(mistakes), document, found)


def _tables(text: str, source: str) -> dict[str, Any]:
    """What TOML makes of a text."""
    if long := LONG_KEY.search(text):
        number = text.count("\n", 0, long.start()) + 1
        raise UsageError(f"{source}:{number}: not usable TOML: a key of {MOST_PARTS} parts or more")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line ([0-9]+)", str(error))
        line = found[1] if found else text.rstrip().count("\n") + 1  # else: at the end of the document
        raise UsageError(f"{source}:{line}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{source}: not usable TOML: nested too deeply") from error
    except ValueError as error:  # Python makes no number of more than 4,300 digits
        long_number = LONG_NUMBER.search(text)
        line = text.count("\n", 0, long_number.start()) + 1 if long_number else 1
        raise UsageError(f"{source}:{line}: not usable TOML: a number of thousands of digits") from error


def _in_utc(key: str, entries: Sequence[E], zone: str | None, doubts: list[str]) -> tuple[E, ...]:
    """The `[[key]]` with times as naive UTC; one without an offset is the wall clock of the study's zone."""
    converted = []
    for number, entry in enumerate(entries, 1):
        times = {name: value for name, value in entry if isinstance(value, datetime)}
        doubts += [
            f"{name} in [[{key}]] number {number} of {MANIFEST_NAME} has no offset and the study no timezone: "
            "taken as UTC"
            for name, value in times.items()
            if value.tzinfo is None and zone is None
        ]
        in_utc = {name: as_utc(value, zone or "UTC") for name, value in times.items()}
        converted.append(entry.model_copy(update=in_utc))
    return tuple(converted)


def _decoded(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UsageError(f"{source}:{line}: not UTF-8; expected a TOML file in UTF-8") from error
