"""The study's manifest, study.toml: what a person knows about the logs and the logs do not say.

Optional as a whole and in every part. An unknown key, a wrong type or a path out of the study is an error that names
the file, the place and the nearest key, because a misspelt override that is silently ignored would falsify results.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import polars as pl

from pipeline import manifest_tables
from pipeline.errors import UsageError
from pipeline.globs import matches
from pipeline.hosts import short_name
from pipeline.house_style import HouseStyle, logo_bytes
from pipeline.manifest_entries import (
    Claim,
    Configuration,
    Event,
    FileOverride,
    Node,
    Publication,
    Run,
    Section,
    Study,
)
from pipeline.manifest_keys import TOP, Keys
from pipeline.wall_clock import as_utc

FILE_NAME = "study.toml"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of study.toml. `milestones` stay as written: `pipeline/rules.py` reads them.

    `doubts` are sentences for the report, such as a time without a zone in a study without one; `content` is the file
    as it was read, empty without one, and `logo` that of the file which `[report]` names.
    """

    name: str = ""
    study: Study = field(default_factory=Study)
    configurations: tuple[Configuration, ...] = ()
    nodes: tuple[Node, ...] = ()
    resource_types: tuple[tuple[str, str], ...] = ()
    runs: tuple[Run, ...] = ()
    files: tuple[FileOverride, ...] = ()
    milestones: tuple[dict[str, object], ...] = ()
    publication_tables: tuple[Publication, ...] = ()
    publication_figures: tuple[Publication, ...] = ()
    claims: tuple[Claim, ...] = ()
    events: tuple[Event, ...] = ()
    sections: tuple[Section, ...] = ()
    doubts: tuple[str, ...] = ()
    content: bytes = b""
    report: HouseStyle = field(default_factory=HouseStyle)
    logo: bytes = b""

    def file_override(self, path: str) -> FileOverride:
        """What the first matching `[[files]]` states for a file; all None when none matches."""
        return next((each for each in self.files if each.match and matches(path, each.match)), FileOverride())

    def node_entry(self, node: str | None) -> Node | None:
        """The `[node.*]` of a host, compared as host names are: by short name, whatever the case."""
        if node is None:
            return None
        exact = [each for each in self.nodes if each.node.lower() == node.lower()]
        short = [each for each in self.nodes if short_name(each.node) == short_name(node)]
        return next(iter(exact or short), None)

    def zone_of(self, node: str | None) -> str | None:
        """The zone that the study states for a host, else for all logs without one."""
        entry = self.node_entry(node)
        return entry.timezone if entry and entry.timezone else self.study.timezone

    def tables(self) -> dict[str, pl.DataFrame]:
        """Schema `study` of the store: every table, possibly empty, but `milestone_rule`."""
        return {
            "manifest": manifest_tables.manifest(self.content),
            "setting": manifest_tables.setting(self.name, self.study),
            "house_style": manifest_tables.house_style(self.report, self.logo),
            "configuration": manifest_tables.configuration(self.configurations),
            "run": manifest_tables.run(self.runs),
            "node": manifest_tables.node(self.nodes),
            "resource_type": manifest_tables.resource_type(self.resource_types),
            "event": manifest_tables.event(self.events),
            "claim": manifest_tables.claim(self.claims),
            "publication_table": manifest_tables.publication_table(self.publication_tables),
            "publication_figure": manifest_tables.publication_figure(self.publication_figures),
            "section": manifest_tables.section(self.sections),
        }


def load(study: Path) -> Manifest:
    """Read the manifest of a study folder; without a study.toml it is empty."""
    path = study / FILE_NAME
    name = study.resolve().name
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Manifest(name=name)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); expected a TOML file") from error
    manifest = parse(content, name=name, source=str(path))
    if manifest.report.logo is None:
        return manifest
    return replace(manifest, logo=logo_bytes(study, manifest.report.logo, str(path)))


def parse(content: bytes, *, name: str = "", source: str = FILE_NAME) -> Manifest:
    """Turn the bytes of a manifest into a `Manifest`; `source` is the file that messages name."""
    text = _decoded(content, source)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        stated = re.search(r"at line (\d+)", str(error))
        line = stated[1] if stated else text.rstrip().count("\n") + 1  # else: at the end of the document
        raise UsageError(f"{source}:{line}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{source}: not usable TOML: nested too deeply") from error
    return replace(_manifest(Keys(document, TOP, text, source), name), content=content)


def _manifest(document: Keys, name: str) -> Manifest:
    doubts: list[str] = []
    study = Study.read(document.table("study"))

    def moment(keys: Keys, key: str) -> datetime | None:
        """An instant as naive UTC; one without an offset is the wall clock of the study's zone."""
        value = keys.instant(key)
        if value is not None and value.tzinfo is None and study.timezone is None:
            doubts.append(f"{key} in {keys.where} of {FILE_NAME} has no offset and the study no timezone: taken as UTC")
        return None if value is None else as_utc(value, study.timezone or "UTC")

    manifest = Manifest(
        name=name,
        study=study,
        report=HouseStyle.read(document.table("report")),
        configurations=_named(
            document.table("configuration"), lambda key, keys: Configuration.read(key, keys, study.origin)
        ),
        nodes=_named(document.table("node"), Node.read),
        resource_types=_resource_types(document.table("resource_type")),
        runs=tuple(Run.read(each, moment) for each in document.tables("run")),
        files=tuple(FileOverride.read(each) for each in document.tables("files")),
        milestones=tuple(each.values for each in document.tables("milestone")),
        publication_tables=tuple(Publication.read(each) for each in document.tables("table")),
        publication_figures=tuple(Publication.read(each) for each in document.tables("figure")),
        claims=tuple(Claim.read(each) for each in document.tables("claim")),
        events=tuple(Event.read(each, moment) for each in document.tables("event")),
        sections=tuple(Section.read(each) for each in document.tables("section")),
        doubts=tuple(doubts),
    )
    document.done()
    return manifest


def _named(keys: Keys, read: Callable[[str, Keys], T]) -> tuple[T, ...]:
    return tuple(read(key, keys.table(key)) for key in keys.values)


def _resource_types(keys: Keys) -> tuple[tuple[str, str], ...]:
    return tuple((pattern, keys.required(pattern)) for pattern in keys.values)


def _decoded(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UsageError(f"{source}:{line}: not UTF-8; expected a TOML file in UTF-8") from error
