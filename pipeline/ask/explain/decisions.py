"""The decisions of an ingest for each file: its format and why, where it belongs, what became of its lines.

It reads the store that an ingest writes, so that it can only show what an ingest does. Only the first lines of the
files are read again, to show the lines on which a decision rests.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import polars as pl

from parsers.format import Format, format_of, formats
from pipeline.ask.explain import hints
from pipeline.ask.explain.hints import Look, Nearest
from pipeline.ask.explain.next_steps import has_result, next_steps
from pipeline.ask.explain.trials import Trial, try_draft, try_encoding, try_formats
from pipeline.discovery.address import Address
from pipeline.discovery.entry_names import MANIFEST_NAME, study_around
from pipeline.discovery.source import Source
from pipeline.discovery.walk import discover
from pipeline.ingest.current_store import current_store
from pipeline.progress import Progress
from pipeline.reading.file_facts import FileFacts
from pipeline.reading.lines import read_head
from pipeline.store import findings, store
from pipeline.store.statements import dated_lines
from pipeline.study.manifest import Manifest, load
from pipeline.study.manifest_entries import layout_of

Made = TypeVar("Made")

SHOWN_REJECTED = 5
LINE_WIDTH = 400
"""Longer lines are cut to this many characters."""

COUNTED = ("parsed", "continuation", "ignored", "blank", "rejected")
SHOWN_FINDINGS = ("clock_doubt", "clock_step", "misplaced_file", "unknown_name", "assumed_timezone", "unused_rule")
"""Findings about files and names; the others are about results, and are in the report."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that its format could not read."""

    line_no: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class FormatRefusal:
    """Where and why a format refused a file. `text`: the line; None where it is not of the first lines."""

    reason: str
    line_no: int
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt about the times of a file's lines; `lines` None: all that have no year."""

    kind: str
    line_no: int | None
    lines: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Hints:
    """What would help with a file that no format recognises.

    `name_fits`: formats whose files usually have such a name. `encoding`: what the bytes may be in, if they are text at
    all. `trial`: the setting that reads it, with what came of it.
    """

    looks_like: tuple[Look, ...] = ()
    nearest: Nearest | None = None
    name_fits: tuple[str, ...] = ()
    encoding: str | None = None
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One file or skipped entry. Its keys in JSON are these fields; `docs/explain.md` says what each means.

    `sources` says what configuration, run and node were read from. Times are naive UTC; `first_local_at` and
    `last_local_at` are the file's own wall clock, with the year.
    """

    path: str
    status: str
    reason: str | None
    bytes: int | None
    sha256: str | None
    format: str | None
    format_title: str | None
    recognised_at: int | None
    recognised_text: str | None
    refusals: Mapping[str, FormatRefusal]
    not_tried: tuple[str, ...]
    configuration: str | None
    run: str | None
    node: str | None
    sources: Mapping[str, str]
    written_by: Mapping[str, int]
    named_hosts: tuple[str, ...]
    year_source: str | None
    date_order: str | None
    date_order_source: str | None
    timezone: str | None
    timezone_source: str | None
    first_at: str | None
    last_at: str | None
    first_local_at: str | None
    last_local_at: str | None
    doubts: tuple[Doubt, ...]
    encoding: str | None
    remarks: tuple[str, ...]
    counts: Mapping[str, int]
    table_rows: Mapping[str, int]
    rejected: tuple[Rejected, ...]
    overrides: Mapping[str, object]
    hints: Hints = field(default_factory=Hints)

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Explained:
    """What was asked about one study. `file_count` counts all entries of the study, `files` are those asked about.

    `is_alone`: the study is one file, whose folders are not known. `incident_counts`: runs found by time in
    configurations without run folders. `findings`: path of the file, text. `next_steps`: sentences on what the study
    lacks. `has_result`: there is an incident or a measurement.
    """

    study: str
    name: str
    manifest: str | None
    is_alone: bool
    file_count: int
    files: tuple[Explanation, ...]
    incident_counts: Mapping[str, int]
    findings: tuple[tuple[str, str], ...]
    manifest_remarks: tuple[str, ...]
    next_steps: tuple[str, ...] = ()
    has_result: bool = True


def explain(
    paths: Sequence[Path | Address], progress: Progress | None = None, near: Sequence[Path] = ()
) -> list[Explained]:
    """Explain files, folders, addresses. One inside a folder with a study.toml is explained as part of that study.

    `near`: folders whose store of a study answers if nothing changed.
    """
    wanted: dict[Path | Address, set[str]] = defaultdict(set)
    for path in paths:
        if isinstance(path, Address):
            wanted[path].add(".")
        else:
            study = study_around(path)
            wanted[study].add(path.resolve().relative_to(study).as_posix())
    return [_explained(study, insides, progress, near) for study, insides in wanted.items()]


def _explained(
    study: Path | Address, insides: Collection[str], progress: Progress | None, near: Sequence[Path]
) -> Explained:
    with current_store(study, near=near, progress=progress) as current:
        manifest = load(study)
        with store.opened(current.db) as con:
            facts_by_file = _Facts.read(con)
            steps, is_fruitful = tuple(next_steps(con)), has_result(con)
        sources = {each.path: each for each in (current.sources or discover(study).sources)}
    rows = [row for row in facts_by_file.files if _is_inside(row["path"], insides)]
    heads = {row["file_id"]: _head(sources.get(row["path"]), manifest) for row in rows}
    unread = {row["file_id"] for row in rows if row["status"] == "unrecognised"}
    nearest = hints.nearest({number: heads[number] for number in unread}, formats())
    files = tuple(_explanation(row, facts_by_file, heads[row["file_id"]], manifest) for row in rows)
    hinted = tuple(
        _with_hints(each, heads[row["file_id"]], nearest.get(row["file_id"]), sources.get(each.path))
        for each, row in zip(files, rows, strict=True)
    )
    is_whole = "." in insides
    paths = {row["file_id"]: row["path"] for row in rows}
    shown = [(paths.get(file_id, MANIFEST_NAME), text) for file_id, text in facts_by_file.findings]
    return Explained(
        study=str(study),
        name=manifest.name,
        manifest=MANIFEST_NAME if manifest.content else None,
        is_alone=isinstance(study, Path) and study.is_file() and len(facts_by_file.files) == 1,
        file_count=len(facts_by_file.files),
        files=hinted,
        incident_counts=facts_by_file.incident_counts,
        findings=tuple(each for each in shown if is_whole or each[0] in paths.values()),
        manifest_remarks=manifest.doubts if is_whole else (),
        next_steps=steps if is_whole else (),
        has_result=is_fruitful,
    )


def _is_inside(path: str, insides: Collection[str]) -> bool:
    return any(
        inside == "." or path.rstrip("/") == inside or path.startswith((f"{inside}/", f"{inside}!/"))
        for inside in insides
    )


# --- what the store says ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the store says of its files; lines, doubts and times by file_id."""

    files: list[dict[str, Any]]  # rows of source_file and file_ledger, values of many types
    rejected: Mapping[int, list[Rejected]]
    doubts: Mapping[int, list[Doubt]]
    local_spans: Mapping[int, tuple[datetime, datetime]]
    incident_counts: Mapping[str, int]
    findings: list[tuple[int | None, str]]

    @classmethod
    def read(cls, con: duckdb.DuckDBPyConnection) -> "_Facts":
        """Read it all."""
        files = store.frame(
            con,
            "select s.*, l.facts, l.place_sources, l.table_rows from main.source_file as s "
            "left join log.file_ledger as l on s.file_id = l.file_id order by s.path",
        )
        local_times = dated_lines("file_id, local_at", "local_at is not null")
        spans = con.execute(
            f"select file_id, min(local_at), max(local_at) from ({local_times}) group by file_id"
        ).fetchall()
        incidents = con.execute(
            "select configuration, count(*) from main.run where configuration not in "
            "(select configuration from main.source_file where run is not null) group by configuration"
        ).fetchall()
        shown = con.execute(f"select file_id, text from ({findings.relation(*SHOWN_FINDINGS)})").fetchall()
        return cls(
            files=list(files.iter_rows(named=True)),
            rejected=_by_file(
                con,
                f"select file_id, line_no, reason, text[:{LINE_WIDTH}] from main.rejected_line "
                f"qualify row_number() over (partition by file_id order by line_no) <= {SHOWN_REJECTED} order by all",
                Rejected,
            ),
            doubts=_by_file(con, "select file_id, kind, line_no, lines, text from log.clock_doubt order by all", Doubt),
            local_spans={file_id: (first, last) for file_id, first, last in spans},
            incident_counts=dict(incidents),
            findings=shown,
        )


def _by_file(con: duckdb.DuckDBPyConnection, sql: str, made: Callable[..., Made]) -> dict[int, list[Made]]:
    """Rows by file_id, their first column; each made of the others."""
    found: dict[int, list[Made]] = defaultdict(list)
    for file_id, *values in con.execute(sql).fetchall():
        found[file_id].append(made(*values))
    return found


AS_FOUND = (
    *("path", "status", "reason", "sha256", "format", "configuration", "run", "node"),
    *("year_source", "date_order", "date_order_source", "timezone", "timezone_source", "encoding"),
)


def _explanation(row: Mapping[str, Any], facts_by_file: _Facts, head: pl.Series, manifest: Manifest) -> Explanation:
    number = row["file_id"]
    lines = head.to_list()  # a Series gives its values one by one more slowly
    file_facts = FileFacts.from_json(row["facts"]) if row["facts"] else FileFacts(row["status"])
    known = formats()
    chosen = known.get(row["format"] or "") or _declared_format(manifest, row["path"], row["format"])
    doubts = facts_by_file.doubts.get(number, [])
    span = facts_by_file.local_spans.get(number, (None, None))
    asked = {*(name for name, *_ in file_facts.refusals), *([row["format"]] if row["format"] else [])}
    return Explanation(
        **{name: row[name] for name in AS_FOUND},
        bytes=row["bytes"],
        format_title=chosen.title if chosen else None,
        recognised_at=file_facts.recognised_at,
        recognised_text=_line(lines, file_facts.recognised_at),
        refusals={
            name: FormatRefusal(reason, line_no, _line(lines, line_no)) for name, reason, line_no in file_facts.refusals
        },
        not_tried=tuple(name for name in known if name not in asked) if file_facts.refusals else (),
        sources=json.loads(row["place_sources"] or "{}"),
        written_by=file_facts.own_hosts,
        named_hosts=tuple(sorted(file_facts.named_hosts)),
        first_at=_shown(row["first_at"]),
        last_at=_shown(row["last_at"]),
        first_local_at=_shown(span[0]),
        last_local_at=_shown(span[1]),
        doubts=tuple(doubts),
        remarks=tuple(part for part in (row["note"] or "").split("; ") if part and not _is_doubt(part, doubts)),
        counts={"lines": row["lines"]} | {name: row[f"{name}_lines"] for name in COUNTED} | {"rows": row["rows"]},
        table_rows=json.loads(row["table_rows"] or "{}"),
        rejected=tuple(facts_by_file.rejected.get(number, ())),
        overrides=_overrides(manifest, row["path"], row["node"]),
    )


def _declared_format(manifest: Manifest, path: str, name: str | None) -> Format | None:
    """The format of a file that study.toml declares."""
    layout = layout_of(manifest.file_override(path))
    return format_of(layout.name, layout) if layout is not None and layout.name == name else None


def _is_doubt(remark: str, doubts: Sequence[Doubt]) -> bool:
    """The note of a file ends with its doubts, which are reported on their own."""
    return any(remark.endswith(each.text) for each in doubts)


def _overrides(manifest: Manifest, path: str, node: str | None) -> dict[str, object]:
    """What study.toml declares for a file by its path and its node."""
    declared: dict[str, object] = manifest.file_override(path).model_dump(exclude_unset=True, exclude={"layout"})
    entry = manifest.node_entry(node)
    if entry is not None and entry.clock_offset_s is not None:
        declared["clock_offset_s"] = entry.clock_offset_s
    return {name: _shown(value) if isinstance(value, datetime) else value for name, value in declared.items()}


# --- what the first lines say ----------------------------------------------------------------------------------------


def _head(source: Source | None, manifest: Manifest) -> pl.Series:
    """The first lines of a file as recognition saw them; none of what cannot be read (any more)."""
    nothing = pl.Series("text", [], dtype=pl.String())
    if source is None:
        return nothing
    try:
        with source.open() as stream:
            return read_head(stream, manifest.file_override(source.path).encoding).lines
    except OSError:
        return nothing


def _with_hints(each: Explanation, head: pl.Series, nearest: Nearest | None, source: Source | None) -> Explanation:
    if each.status == "skipped" and source is not None:
        return replace(each, hints=_of_bytes(source))
    if each.status != "unrecognised":
        return each
    name = each.path.rsplit("/", 1)[-1]
    looks = hints.looks(head.str.head(LINE_WIDTH).to_list())
    named = hints.fitting_names(name, formats())
    likely = [] if nearest is None else [nearest.format]
    trial = try_formats(each.path, head, [*likely, *named], formats())
    lines = head.to_list()
    found = Hints(
        looks_like=tuple(replace(look, text=_line(lines, look.line_no) or "") for look in looks),
        nearest=nearest,
        name_fits=tuple(named),
        trial=trial or try_draft(each.path, head),
    )
    return replace(each, hints=found)


def _of_bytes(source: Source) -> Hints:
    """What bytes that were taken for no text may be after all."""
    try:
        with source.open() as stream:
            encoding = hints.wide_text(stream.read(4096))
        if encoding is None:
            return Hints()
        with source.open() as stream:
            head = read_head(stream, encoding).lines
    except OSError:
        return Hints()
    return Hints(encoding=encoding, trial=try_encoding(source.path, head, encoding, formats()))


def _line(head: Sequence[str], line_no: int | None) -> str | None:
    """A line of the head, cut."""
    return None if line_no is None or not 1 <= line_no <= len(head) else head[line_no - 1][:LINE_WIDTH]


def _shown(moment: object) -> str | None:
    return None if moment is None else str(moment)
