"""Whether a store still holds: its counts, the files it was made from, and every row, computed again from them."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from parsers.format import tables
from pipeline.ask.verify.rows import differences
from pipeline.discovery.address import Address, study_name
from pipeline.discovery.source import Source
from pipeline.discovery.walk import discover
from pipeline.discovery.written_files import folder_at
from pipeline.errors import HaledgerError, StoreError
from pipeline.ingest.ingest import ingest
from pipeline.progress import Progress
from pipeline.reading import unit
from pipeline.reading.file_facts import DuplicateRanges, FileFacts
from pipeline.reading.lines import digest
from pipeline.scratch import scratch_folder
from pipeline.store import log_tables, part, store
from pipeline.store.fingerprint import program_key
from pipeline.store.locate import find_study
from pipeline.store.statements import Row, rows
from pipeline.store.store import StoreInfo
from pipeline.study.manifest_file import manifest_bytes
from pipeline.version import version

COUNTS = ("lines", "parsed_lines", "continuation_lines", "ignored_lines", "blank_lines", "rejected_lines")


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. `holds` None: it could not be made, and `text` says why. `items`: what differs, one by one."""

    check: str
    holds: bool | None
    text: str
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verified:
    """What was verified. `kind`: store or report; `study`: where its sources were found, None if nowhere."""

    file: str
    kind: str
    study: str | None
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> list[str]:
        """The checks that do not hold."""
        return [each.check for each in self.findings if each.holds is False]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "file": self.file,
            "kind": self.kind,
            "study": self.study,
            "holds": not self.broken,
            "checks": [asdict(each) for each in self.findings],
        }


def verify_store(
    db: Path, study: Path | Address | None = None, *, near: Sequence[Path] = (), progress: Progress | None = None
) -> Verified:
    """Verify a store. `study`: where its sources are; None: looked for beside the store and in the folders `near`."""
    try:
        with store.opened(db) as con:
            info = store.info(con, db)
            parts = part.listed(con)
            of_parts = [_parts(parts)] if info.parts else []
            if any(each.holds is False for each in of_parts):
                return Verified(str(db), "store", None if study is None else str(study), tuple(of_parts))
            held = _Held.read(con)
            findings = [*of_parts, *_accounts(held), _row_counts(con, held)]
    except duckdb.Error as error:
        raise StoreError(f"{db}: {store.DAMAGED.format(message=error)}") from error
    found = study or find_study(info, (db.parent, *near))
    if found is None:
        lost = f"the study {info.study!r} is not where it was; name its folder with --study DIR"
        findings += [Finding("sources", None, lost), Finding("rows", None, "the sources are needed for it")]
    else:
        sources = _sources(found, db, held, info)
        findings += [sources, _recomputed(found, db, info, sources, progress)]
    return Verified(str(db), "store", None if found is None else str(found), tuple(findings))


@dataclass(frozen=True, slots=True)
class _Held:
    """What the store says of its files: rows of source_file and file_ledger, rejected lines kept by file."""

    files: Sequence[Row]
    ledger: Sequence[Row]
    rejected: Mapping[int, int]

    @classmethod
    def read(cls, con: duckdb.DuckDBPyConnection) -> "_Held":
        """Read it all."""
        return cls(
            rows(con, "select * from main.source_file order by path"),
            rows(con, "select * from log.file_ledger order by path"),
            dict(con.execute("select file_id, count(*) from main.rejected_line group by file_id").fetchall()),
        )


def verify_parts(db: Path) -> list[Finding]:
    """The Parquet files of a store, where it has any."""
    with store.opened(db) as con:
        return [_parts(part.listed(con))] if store.info(con, db).parts else []


def _parts(parts: Sequence[part.Part]) -> Finding:
    """The content of every Parquet file against its SHA-256."""
    text = f"the SHA-256 of {len(parts)} Parquet files is that of the store's list"
    return checked("parts", text, "Parquet files that are not as they were written", part.damaged(parts))


# --- the counts and keys of the store itself --------------------------------------------------------------------------


def accounting(files: Sequence[Mapping[str, Any]]) -> Finding:
    """Whether every line of these files, rows of `source_file`, is accounted for."""
    accounted = {row["path"]: sum(int(row[name]) for name in COUNTS[1:]) for row in files}
    unequal = [
        f"{row['path']}: {row['lines']} lines, but {accounted[row['path']]} accounted for"
        for row in files
        if int(row["lines"]) != accounted[row["path"]]
    ]
    text = f"every line of {len(files)} files is parsed, continued, ignored, blank or rejected"
    return checked("accounting", text, "lines that are not accounted for", unequal)


def _accounts(held: _Held) -> Iterator[Finding]:
    """The accounting identity of every file, and the ledger against the accounts."""
    yield accounting(held.files)
    by_id = {row["file_id"]: row for row in held.files}
    wrong = [fault for row in held.ledger for fault in _ledger_faults(row, by_id.get(row["file_id"]), held.rejected)]
    unread = {row["file_id"] for row in held.files if row["sha256"] is not None} - {
        row["file_id"] for row in held.ledger
    }
    wrong += [
        f"{by_id[number]['path']}: read, but not in the ledger"
        for number in sorted(unread)
        if by_id[number]["status"] == "parsed"
    ]
    strangers = sorted(set(held.rejected) - set(by_id))
    wrong += [f"rejected_line: lines of file {number}, which is not in source_file" for number in strangers]
    text = f"file and rejected-line counts of {len(held.ledger)} files match"
    yield checked("ledger", text, "source_file and rejected_line are not what the ledger says", wrong)


def _ledger_faults(entry: Row, file: Row | None, rejected: Mapping[int, int]) -> Iterator[str]:
    if file is None:
        yield f"{entry['path']}: in the ledger, but not in source_file"
        return
    facts = _file_facts(entry)
    if facts is None:
        yield f"{entry['path']}: its ledger entry cannot be read"
        return
    expected: dict[str, object] = {
        "path": entry["path"],
        "sha256": entry["sha256"],
        "format": facts.format,
        "status": facts.status,
        "encoding": facts.encoding,
        "lines": facts.lines,
        **facts.verdicts,
        "rows": sum(facts.table_rows.values()),
    }
    for name, value in expected.items():
        if file[name] != value:
            yield f"{entry['path']}: {name} is {file[name]}, by the ledger {value}"
    kept = rejected.get(entry["file_id"], 0)
    if entry.get("cut") is not None and kept < facts.verdicts["rejected_lines"]:
        return  # those of the span may be beyond the ones that were kept
    if kept != min(facts.verdicts["rejected_lines"], unit.MAX_REJECTED):
        yield f"{entry['path']}: {kept} rejected lines kept of {facts.verdicts['rejected_lines']}"


def _file_facts(entry: Row) -> FileFacts | None:
    """What the ledger remembers of a file; None where it cannot be read."""
    try:
        cut = entry.get("cut")
        whole = DuplicateRanges.from_json(entry["copies"]).counted or FileFacts.from_json(entry["facts"])
        counted = FileFacts.from_json(cut) if cut is not None else whole
        return counted if json.loads(entry["table_rows"]) == counted.table_rows else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _row_counts(con: duckdb.DuckDBPyConnection, held: _Held) -> Finding:
    """Rows of every table of schema `log` by file, against the ledger."""
    counts = " union all ".join(
        f"select file_id, {store.literal(name)}, count(*) from {log_tables.whole_lines(table)} group by file_id"
        for name, table in tables().items()
    )
    found = {(number, name): count for number, name, count in con.execute(counts).fetchall()}
    expected: dict[tuple[int, str], int] = {}
    paths: dict[int, str] = {}
    for entry in held.ledger:
        paths[entry["file_id"]] = entry["path"]
        facts = _file_facts(entry)
        own = facts.table_rows if facts else {}
        expected |= {(entry["file_id"], name): count for name, count in own.items() if count}
    keys = sorted(set(found) | set(expected), key=lambda key: (str(paths.get(key[0])), key[1]))
    wrong = [
        f"{paths.get(number, f'file {number}, which the ledger does not know')}: log.{name} has "
        f"{found.get((number, name), 0)} rows, by the ledger {expected.get((number, name), 0)}"
        for number, name in keys
        if found.get((number, name), 0) != expected.get((number, name), 0)
    ]
    text = f"{sum(found.values()):,} rows in {len({name for _, name in found})} tables, as many of each file as it gave"
    return checked("counts", text, "files with more or fewer rows than they gave", wrong)


# --- against the sources ---------------------------------------------------------------------------------------------


def _sources(study: Path | Address, db: Path, held: _Held, info: StoreInfo) -> Finding:
    hashes = {row["path"]: row["sha256"] for row in held.files}
    content = manifest_bytes(study)
    is_other_manifest = hashlib.sha256(content).hexdigest() != info.manifest_key
    return source_finding(study, hashes, own=_own(db, info), is_other_manifest=is_other_manifest)


def _own(db: Path, info: StoreInfo) -> tuple[Path, ...]:
    """What of a store may lie in its study."""
    folder = folder_at(info.parts) if info.parts else None
    return (db, folder) if isinstance(folder, Path) else (db,)


def source_finding(
    study: Path | Address, hashes: Mapping[str, str | None], *, own: Sequence[Path], is_other_manifest: bool = False
) -> Finding:
    """The files of a study against the SHA-256 that they had."""
    try:
        compared = compare_sources(study, hashes, own)
    except OSError as error:
        return Finding("sources", None, f"{study}: cannot be read: {error.strerror or error}")
    wrong = [f"study.toml: changed, in {study}"] if is_other_manifest else []
    wrong += [f"{word}: {path}" for word, path in compared]
    count = sum(value is not None for value in hashes.values())
    text = f"the SHA-256 of {count} files in {study} is that of the ledger"
    return checked("sources", text, f"the files in {study} are not those of the ledger", wrong)


def compare_sources(
    study: Path | Address, hashes: Mapping[str, str | None], own: Collection[Path]
) -> list[tuple[str, str]]:
    """What is not as it was, as (`changed`, `vanished`, `new` or `unreadable`; path), by path.

    `hashes`: SHA-256 by path, None for what was not read. `own`: files of ours in the study, to be passed over.
    """
    found = discover(study, own=own)
    sources = {each.path: each for each in found.sources}
    paths = {*sources, *(each.path for each in found.skipped)}
    differing = [(_change(sources[path], hashes[path]), path) for path in sources.keys() & hashes.keys()]
    differing += [("vanished", path) for path in hashes.keys() - paths]
    differing += [("new", path) for path in paths - hashes.keys()]
    return sorted(((word, path) for word, path in differing if word), key=lambda each: each[1])


def _change(source: Source, sha256: str | None) -> str:
    if sha256 is None:
        return ""
    try:
        with source.open_stored() as stream:
            return "" if digest(stream) == sha256 else "changed"
    except OSError:
        return "unreadable"


def other_code(written_by: str, what: str = "store") -> str:
    """Why nothing is computed again: another version of the program wrote what is verified."""
    here = version()
    if written_by == here:  # an installed copy whose files were edited
        return f"haledger {here} wrote the {what}, and its code was changed since"
    return f"haledger {written_by} wrote the {what}, this is {here}; compare with that version"


def _recomputed(
    study: Path | Address, db: Path, info: StoreInfo, sources: Finding, progress: Progress | None
) -> Finding:
    if not sources.holds:
        return Finding("rows", None, "not computed again: the sources are not the same")
    if study_name(study) != info.study:
        text = f"not computed again: the folder is named {study_name(study)!r}, not {info.study!r} as it was"
        return Finding("rows", None, text)
    if program_key() != info.program_key:
        return Finding("rows", None, f"not computed again: {other_code(info.haledger_version)}")
    with scratch_folder() as folder:
        fresh = folder / "fresh.duckdb"
        try:
            ingest(
                study,
                fresh,
                own=_own(db, info),
                progress=progress,
                reference=info.reference,
                since=info.since,
                until=info.until,
            )
        except HaledgerError as error:
            return Finding("rows", None, f"not computed again: {error}")
        count, wrong = differences(db, fresh)
    text = f"computed again from the sources, {count} relations and macros are the same, row by row"
    return checked("rows", text, "what the sources give is not what the store holds", wrong)


def checked(check: str, text: str, fault: str, wrong: Sequence[str]) -> Finding:
    """A check that was made: `text` where it holds, else `fault` with what is wrong."""
    return Finding(check, not wrong, fault if wrong else text, tuple(wrong))
