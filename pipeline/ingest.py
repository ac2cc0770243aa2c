"""Drives the way from a folder of logs to a store.

Discovery, reading and recognition say what each file is; files of one format are parsed together in chunks; what the
parsers give is staged until assignment and clock, which need all files, have been settled; then all of it is written
in one transaction into a new file that takes the old one's place.

A second ingest reads only what changed. The ledger keeps for each file what a first one learnt; rows of a file whose
content and clock are the same are copied from the old store. Either way the store is what a first ingest would write.
"""

import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Format, Parsed, Table, Verdict, formats, tables
from pipeline import clock, relations, rules, stamps, store
from pipeline.assignment import FileFacts, Place, assign
from pipeline.clock import FileClock
from pipeline.discovery import Skipped, Source, discover
from pipeline.errors import HaledgerError, UsageError
from pipeline.manifest import FILE_NAME as MANIFEST_NAME
from pipeline.manifest import Manifest, load
from pipeline.reading import Facts, chunks, digest, read_head, read_lines
from pipeline.recognition import Decision, recognise
from pipeline.stamps import StampFacts

PROGRAM = Path(__file__).parent.parent

Progress = Callable[[str, float], None]

MEBIBYTE = 1024 * 1024
STAGE_BYTES = 192 * MEBIBYTE
"""Parsed rows held in memory; further ones wait on disk beside the store."""

MAX_REJECTED = 100_000
"""Rejected lines kept per file; all are counted."""

MAX_REJECTED_TEXT = 4096
MAX_HOSTS = 1000
"""Distinct host names taken from one file: more is no cluster but a list."""

RACY_NS = 3_600_000_000_000
"""A file changed in the hour before the store was written may have been read within the tick of its time stamp, and
have changed again since: its content is compared, not only its size and time."""

MAX_DIGEST_BYTES = 1024 * MEBIBYTE
"""Files that are not logs are hashed up to this size."""

COUNTS = {
    Verdict.PARSED: "parsed_lines",
    Verdict.CONTINUATION: "continuation_lines",
    Verdict.IGNORED: "ignored_lines",
    Verdict.BLANK: "blank_lines",
    Verdict.REJECTED: "rejected_lines",
}

SOURCE_FILE: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (pl.Int32(), "number of the file, from 1 in the order of paths"),
    "path": (pl.String(), "relative to the study, / between parts"),
    "sha256": (pl.String(), "of the file's bytes; null where it was not read"),
    "bytes": (pl.Int64(), "size"),
    "format": (pl.String(), "name of the recognised format"),
    "configuration": (pl.String(), "folder group"),
    "run": (pl.String(), "run as found in the path; null above the runs and where time splits runs"),
    "run_no": (pl.Int32(), "number in the run's name"),
    "node": (pl.String(), "host whose log it is"),
    "encoding": (pl.String(), "how bytes were read as text"),
    "lines": (pl.Int64(), "lines read = parsed + continuation + ignored + blank + rejected"),
    "parsed_lines": (pl.Int64(), "lines that are or begin a row"),
    "continuation_lines": (pl.Int64(), "lines that belong to the row above them"),
    "ignored_lines": (pl.Int64(), "lines set aside by rule: banners, rulers, folded repeats"),
    "blank_lines": (pl.Int64(), "lines of white space"),
    "rejected_lines": (pl.Int64(), "lines that could not be read; see rejected_line"),
    "rows": (pl.Int64(), "rows in schema log that came from the file"),
    "first_at": (pl.Datetime("us"), "earliest time in the file, UTC"),
    "last_at": (pl.Datetime("us"), "latest time in the file, UTC"),
    "timezone": (pl.String(), "zone of the file's wall clock; null where none is known"),
    "timezone_source": (pl.String(), "line, node, manifest, study or assumed (wall clock stored as UTC)"),
    "year_source": (pl.String(), "where the year comes from: explicit, in_line, sibling, filename, mtime, now"),
    "status": (pl.String(), "parsed, unrecognised, skipped or unreadable"),
    "reason": (pl.String(), "why it has this status or format"),
    "modified_at": (pl.Datetime("us"), "the file's time stamp, UTC; null for folders and what was not read"),
    "note": (pl.String(), "what was changed or left out in reading; doubts of the clock"),
}

REJECTED_LINE: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (pl.Int32(), "source_file"),
    "line_no": (pl.Int32(), "line in the file, from 1"),
    "reason": (pl.String(), "why it was rejected"),
    "text": (pl.String(), "the line, at most 4,096 characters"),
}

FILE_LEDGER: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (pl.Int32(), "source_file"),
    "path": (pl.String(), "relative to the study"),
    "bytes": (pl.Int64(), "size when read"),
    "modified_ns": (pl.Int64(), "time stamp when read, nanoseconds since 1970"),
    "sha256": (pl.String(), "of the bytes read"),
    "override": (pl.String(), "what study.toml states about reading the file, as JSON"),
    "clock": (pl.String(), "hash of the clock its rows were written with"),
    "table_rows": (pl.String(), "rows per table of schema log, as JSON"),
    "place_sources": (pl.String(), "why the file belongs where it does, as JSON"),
    "facts": (pl.String(), "what reading and parsing learnt, as JSON"),
}


@dataclass(slots=True)
class Learnt:
    """What reading and parsing one file taught; all that a later ingest needs of it besides its rows."""

    status: str
    reason: str | None = None
    format: str | None = None
    recognised_at: int | None = None
    refusals: dict[str, tuple[str, int]] = field(default_factory=dict)
    sha256: str | None = None
    encoding: str | None = None
    lines: int = 0
    verdicts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS.values(), 0))
    table_rows: dict[str, int] = field(default_factory=dict)
    own_hosts: dict[str, int] = field(default_factory=dict)
    named_hosts: list[str] = field(default_factory=list)
    stamps: str | None = None
    note: str | None = None

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        content = json.loads(text)
        content["refusals"] = {name: (reason, line) for name, (reason, line) in content["refusals"].items()}
        return cls(**content)

    def hosts(self, path: str) -> FileFacts:
        """The facts that assignment needs."""
        ranked = sorted(self.own_hosts, key=lambda host: (-self.own_hosts[host], host))
        return FileFacts(path, self.format, tuple(ranked), frozenset(self.named_hosts))


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A file as the old store remembers it."""

    file_id: int
    bytes: int
    modified_ns: int
    sha256: str | None
    override: str
    clock: str | None
    learnt: Learnt


@dataclass(frozen=True, slots=True)
class Previous:
    """The old store: what it says about itself, its files that were read, and its other entries."""

    info: store.StoreInfo
    entries: Mapping[str, LedgerEntry]
    skipped: frozenset[tuple[str, str, str | None]]
    written_ns: int


@dataclass(slots=True)
class File:
    """One file on its way through the ingest."""

    file_id: int
    source: Source
    override: str
    encoding: str | None
    learnt: Learnt
    old: LedgerEntry | None = None


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What an ingest did. `seconds` per step; `reused_count`: files that were not read again."""

    file_count: int
    status_counts: Mapping[str, int]
    format_counts: Mapping[str, int]
    lines: int
    rejected_lines: int
    rows: int
    read_count: int
    reused_count: int
    vanished_count: int
    is_unchanged: bool
    nothing_recognised: bool
    seconds: Mapping[str, float]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def ingest(  # noqa: PLR0913  the options of the command
    study: Path,
    db: Path,
    *,
    replace: bool = False,
    progress: Progress | None = None,
    strict: bool = False,  # noqa: ARG001  the result tells of rejected lines; the command decides
    now: datetime | None = None,
) -> IngestResult:
    """Read a study into a store; a store of the same study is brought up to date."""
    watch = _Watch(progress or (lambda _step, _share: None))
    manifest = load(study)
    own_info = _info(study, manifest)
    previous = _previous(db, own_info, replace=replace)
    watch.step("looking for files", 0.0)
    found = discover(study, own=(db,))
    files = _files(found.sources, found.skipped, manifest)
    if previous is not None:
        _take_over(files, previous, own_info)
        if _is_unchanged(files, found.skipped, previous, own_info):
            return _unchanged(db, files, watch)
    with store.building(db) as building:
        work = _Work(building, files, manifest, watch)
        work.learn()
        places = assign(manifest.name, [each.learnt.hosts(each.source.path) for each in work.placed()], manifest)
        clocks = work.settle(places, now or datetime.now(tz=UTC))
        work.create_tables()
        copied = work.copy(db, clocks)
        work.write_rows(clocks)
        work.write_ledger(own_info, found.skipped, places, clocks)
        watch.step("views", 0.9)
        relations.create(building.con)
        watch.step("writing", 0.95)
    watch.step("done", 1.0)
    vanished = set(previous.entries) - {each.source.path for each in files} if previous else set()
    read_count = len(files) - len(copied)
    return _result(work.source_rows, watch, _Extent(read_count, len(copied), len(vanished), is_unchanged=False))


# --- what there is ---------------------------------------------------------------------------------------------------


BESIDE_READING = frozenset({"assignment", "doctor", "errors", "explain", "locate", "relations", "rules", "sandbox"})
"""Modules of the pipeline that do not decide what rows a file gives. Any other is taken to: a new one too."""


@cache
def reading_key() -> str:
    """A hash of all that decides what rows a file gives: parsers, and the modules that lead to and from them."""
    around = [each for each in (PROGRAM / "pipeline").glob("*.py") if each.stem not in BESIDE_READING]
    return _hash([*(PROGRAM / "parsers").glob("*.py"), *around])


@cache
def program_key() -> str:
    """A hash of all that decides what a store holds: parsers, pipeline, statements, rules."""
    files = [each for folder in ("parsers", "pipeline") for each in (PROGRAM / folder).rglob("*")]
    return _hash([each for each in files if each.suffix in {".py", ".sql", ".toml"}])


def _hash(files: Iterable[Path]) -> str:
    sha256 = hashlib.sha256()
    for each in sorted(files):
        sha256.update(each.relative_to(PROGRAM).as_posix().encode() + b"\0" + each.read_bytes() + b"\0")
    return sha256.hexdigest()


def _info(study: Path, manifest: Manifest) -> store.StoreInfo:
    stated = study / MANIFEST_NAME
    content = stated.read_bytes() if stated.is_file() else b""
    place = str(study.resolve()).encode("utf-8", "surrogateescape")
    return store.StoreInfo(
        schema_version=store.SCHEMA_VERSION,
        haledger_version=_version(),
        study=manifest.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"),
        study_key=hashlib.sha256(place).hexdigest()[:16],
        manifest_key=hashlib.sha256(content).hexdigest(),
        reading_key=reading_key(),
        program_key=program_key(),
    )


def _version() -> str:
    try:
        return metadata.version("haledger")
    except metadata.PackageNotFoundError:
        return "from a checkout"


def _previous(db: Path, own: store.StoreInfo, *, replace: bool) -> Previous | None:
    """What stands at `db`; None if nothing does, or nothing that can be built upon."""
    if not db.exists():
        return None
    try:
        with store.opened(db) as con:
            found = store.info(con, db)
            ledger = store.frame(con, "select * from log.file_ledger")
            skipped = con.execute(
                "select path, status, reason from main.source_file where file_id not in "
                "(select file_id from log.file_ledger)"
            ).fetchall()
    except HaledgerError:
        if replace and db.is_file():
            return None
        raise
    entries = {
        row["path"]: LedgerEntry(
            row["file_id"],
            row["bytes"],
            row["modified_ns"],
            row["sha256"],
            row["override"],
            row["clock"],
            Learnt.from_json(row["facts"]),
        )
        for row in ledger.iter_rows(named=True)
    }
    if (found.study_key, found.study) != (own.study_key, own.study):
        if replace:
            return None
        if found.study_key != own.study_key:
            raise UsageError(
                f"{db}: holds the study {found.study!r} of another place, not this {own.study!r}; "
                "name another store with --db, or give --replace"
            )
    return Previous(found, entries, frozenset(skipped), db.stat().st_mtime_ns)


def _files(sources: Sequence[Source], skipped: Sequence[Skipped], manifest: Manifest) -> list[File]:
    numbers = {
        path: number
        for number, path in enumerate(sorted([*(each.path for each in sources), *(each.path for each in skipped)]), 1)
    }
    files = []
    for source in sources:
        stated = manifest.file_override(source.path)
        override = json.dumps({"format": stated.format, "encoding": stated.encoding}, sort_keys=True)
        files.append(File(numbers[source.path], source, override, stated.encoding, Learnt("new")))
    return files


def _take_over(files: Sequence[File], previous: Previous, own: store.StoreInfo) -> None:
    """Take from the ledger what is known of files that did not change."""
    if previous.info.reading_key != own.reading_key:
        return
    for file in files:
        entry = previous.entries.get(file.source.path)
        if entry is None or entry.sha256 is None or entry.override != file.override:
            continue
        if _is_same_content(file.source, entry, previous.written_ns):
            file.old = entry
            file.learnt = entry.learnt


def _is_same_content(source: Source, entry: LedgerEntry, written_ns: int) -> bool:
    if source.bytes != entry.bytes:
        return False
    is_racy = source.modified_ns >= written_ns - RACY_NS
    if source.modified_ns == entry.modified_ns and not is_racy:
        return True
    try:
        with source.open() as stream:
            return digest(stream) == entry.sha256
    except OSError:
        return False


def _is_unchanged(files: Sequence[File], skipped: Sequence[Skipped], previous: Previous, own: store.StoreInfo) -> bool:
    return (
        previous.info == own
        and len(files) == len(previous.entries)
        and all(file.old is not None and file.old.modified_ns == file.source.modified_ns for file in files)
        and {(each.path, each.status, each.reason) for each in skipped} == previous.skipped
    )


def _unchanged(db: Path, files: Sequence[File], watch: "_Watch") -> IngestResult:
    with store.opened(db) as con:
        rows = store.frame(con, "select status, format, lines, rejected_lines, rows from main.source_file")
    watch.step("done", 1.0)
    return _result(rows, watch, _Extent(0, len(files), 0, is_unchanged=True))


@dataclass(frozen=True, slots=True)
class _Extent:
    """How much of a study an ingest had to look at."""

    read_count: int
    reused_count: int
    vanished_count: int
    is_unchanged: bool


def _result(rows: pl.DataFrame, watch: "_Watch", extent: _Extent) -> IngestResult:
    statuses = Counter(rows.get_column("status").to_list())
    return IngestResult(
        file_count=rows.height,
        status_counts=dict(sorted(statuses.items())),
        format_counts=dict(sorted(Counter(rows.get_column("format").drop_nulls().to_list()).items())),
        lines=int(rows.get_column("lines").sum()),
        rejected_lines=int(rows.get_column("rejected_lines").sum()),
        rows=int(rows.get_column("rows").sum()),
        read_count=extent.read_count,
        reused_count=extent.reused_count,
        vanished_count=extent.vanished_count,
        is_unchanged=extent.is_unchanged,
        nothing_recognised=statuses["parsed"] == 0,
        seconds=watch.seconds(),
    )


class _Watch:
    """Tells how far the ingest is, and remembers how long each step took."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._steps: list[tuple[str, float]] = []

    def step(self, name: str, share: float) -> None:
        if not self._steps or self._steps[-1][0] != name:
            self._steps.append((name, time.perf_counter()))
        self._progress(name, share)

    def seconds(self) -> dict[str, float]:
        seconds: dict[str, float] = defaultdict(float)
        for (name, began), (_, ended) in pairwise(self._steps):
            seconds[name] += round(ended - began, 3)
        return dict(seconds)


# --- from files to rows ----------------------------------------------------------------------------------------------


class _Stage:
    """Frames per table, in order; those beyond the budget wait on disk."""

    def __init__(self, folder: Path, budget_bytes: int) -> None:
        self._folder = folder
        self._budget_bytes = budget_bytes
        self._held_bytes = 0
        self._spilled_count = 0
        self._frames: dict[str, list[pl.DataFrame | Path]] = defaultdict(list)

    def add(self, name: str, frame: pl.DataFrame) -> None:
        size = int(frame.estimated_size())
        if self._held_bytes + size <= self._budget_bytes:
            self._held_bytes += size
            self._frames[name].append(frame)
            return
        self._spilled_count += 1
        path = self._folder / f"{self._spilled_count}.arrow"
        frame.write_ipc(path)
        self._frames[name].append(path)

    def take(self, name: str) -> Iterator[pl.DataFrame]:
        """Give the frames of a table and let go of them."""
        for held in self._frames.pop(name, []):
            if isinstance(held, Path):
                yield pl.read_ipc(held)
                held.unlink()
            else:
                yield held

    def names(self) -> list[str]:
        return sorted(self._frames)


class _Work:
    """One build: the files, what is staged of them, and the store that they go into."""

    def __init__(self, building: store.Building, files: Sequence[File], manifest: Manifest, watch: _Watch) -> None:
        self._con = building.con
        self._stage = _Stage(building.folder, STAGE_BYTES)
        self._rejected_count: Counter[int] = Counter()
        self._facts: pl.DataFrame | None = None
        self._manifest = manifest
        self._watch = watch
        self._done_bytes = 0
        self._all_bytes = 1 + sum(each.source.bytes for each in files if each.old is None)
        self._at: dict[int, tuple[datetime | None, datetime | None]] = {}
        self.files = {each.file_id: each for each in files}
        self.source_rows = pl.DataFrame()

    def placed(self) -> list[File]:
        """The files that belong somewhere: recognised or not, but readable text."""
        return [each for each in self.files.values() if each.learnt.status in {"parsed", "unrecognised"}]

    def learn(self) -> None:
        """Recognise and parse the files that the ledger does not know."""
        self._watch.step("recognising", 0.0)
        fresh = [each for each in self.files.values() if each.old is None]
        for file in fresh:
            file.learnt = _recognised(file, self._manifest)
        self.parse(fresh)

    def parse(self, files: Iterable[File]) -> None:
        """Parse recognised files, those of one format together, and stage what comes out."""
        by_format: dict[str, list[File]] = defaultdict(list)
        for file in files:
            if file.learnt.status == "parsed" and file.learnt.format is not None:
                by_format[file.learnt.format].append(file)
        for name, group in sorted(by_format.items()):
            parser = formats()[name]
            for lines in chunks(self._lines(group), parser.boundary):
                self._take(parser, lines)
        if self._facts is not None:
            for file_id, found in stamps.stamps_of(self._facts).items():
                self.files[file_id].learnt.stamps = found.as_json()
        self._facts = None

    def _lines(self, files: Iterable[File]) -> Iterator[pl.DataFrame]:
        for file in files:
            learnt, source = file.learnt, file.source
            facts = Facts()
            try:
                with source.open() as stream:
                    for frame in read_lines(stream, file.file_id, facts, file.encoding):
                        self._watch.step("reading", 0.7 * min(1.0, (self._done_bytes + facts.bytes) / self._all_bytes))
                        learnt.lines += frame.height
                        yield frame
            except OSError as error:
                facts_note = f"reading broke off: {error.strerror or error}"
                learnt.note = "; ".join(filter(None, (learnt.note, facts_note)))
            self._done_bytes += facts.bytes
            learnt.sha256 = facts.sha256 or None
            learnt.encoding = facts.encoding
            changed = "changed while it was read" if source.has_changed() or facts.bytes != source.bytes else None
            learnt.note = "; ".join(filter(None, (learnt.note, facts.note(), changed))) or None

    def _take(self, parser: Format, lines: pl.DataFrame) -> None:
        """Parse a chunk; stage its rows and rejected lines, and add up what they tell of each file."""
        try:
            parsed = parser.parse(lines)
            _check(parser, lines, parsed)
        except Exception as error:
            paths = [self.files[file_id].source.path for file_id in lines.get_column("file_id").unique().to_list()[:3]]
            error.add_note(f"while the format {parser.name} read {', '.join(paths)}")
            raise
        counts = parsed.lines.group_by("file_id", "verdict").len().iter_rows()
        for file_id, verdict, count in counts:
            self.files[file_id].learnt.verdicts[COUNTS[Verdict(verdict)]] += count
        self._reject(lines, parsed.lines)
        declared = {table.name: table for table in parser.tables}
        for name, frame in parsed.tables.items():
            if frame.height:
                self._learn_rows(declared[name], frame)
                self._stage.add(name, frame)
        dated = [frame for name, frame in parsed.tables.items() if declared[name].is_dated and frame.height]
        if dated:
            stamped = pl.concat([frame.select(*KEY_SCHEMA, *STAMP_SCHEMA) for frame in dated])
            if len(dated) > 1:  # a syslog message and its typed form say the same of the clock
                stamped = stamped.unique(["file_id", "line_no"], keep="first", maintain_order=True)
            facts = stamps.facts_of(stamped)
            self._facts = facts if self._facts is None else stamps.merge(self._facts, facts)

    def _learn_rows(self, table: Table, frame: pl.DataFrame) -> None:
        for file_id, count in frame.group_by("file_id").len().iter_rows():
            rows = self.files[file_id].learnt.table_rows
            rows[table.name] = rows.get(table.name, 0) + count
        for column in table.columns:
            if column.host is None:
                continue
            hosts = frame.select("file_id", host=column.name)
            if isinstance(column.dtype, pl.List):
                hosts = hosts.explode("host")
            hosts = hosts.drop_nulls().group_by("file_id", "host").len().sort("file_id", "host")
            for file_id, host, count in hosts.iter_rows():
                self.files[file_id].learnt = _with_host(self.files[file_id].learnt, column.host, host, count)

    def _reject(self, lines: pl.DataFrame, verdicts: pl.DataFrame) -> None:
        is_rejected = verdicts.get_column("verdict") == Verdict.REJECTED
        if not is_rejected.any():
            return
        rejected = verdicts.filter(is_rejected).select("file_id", "line_no", "reason")
        texts = lines.filter(is_rejected).get_column("text").str.head(MAX_REJECTED_TEXT)
        rejected = rejected.with_columns(texts.alias("text"))
        for (file_id,), group in rejected.group_by("file_id", maintain_order=True):
            number = int(str(file_id))
            room = max(0, MAX_REJECTED - self._rejected_count[number])
            self._rejected_count[number] += group.height
            if room:
                self._stage.add("rejected_line", group.head(room))

    # --- settled -----------------------------------------------------------------------------------------------------

    def settle(self, places: Mapping[str, Place], now: datetime) -> dict[int, FileClock]:
        """The clock of every file, by its number."""
        self._watch.step("settling", 0.7)
        facts = [
            StampFacts(
                file_id=each.file_id,
                path=each.source.path,
                configuration=places[each.source.path].configuration,
                run=places[each.source.path].run,
                node=places[each.source.path].node,
                format=each.learnt.format,
                modified_at=each.source.modified_at,
                stamps=None if each.learnt.stamps is None else stamps.Stamps.from_json(each.learnt.stamps),
            )
            for each in self.placed()
            if each.learnt.status == "parsed"
        ]
        by_path = clock.settle(facts, self._manifest, now)
        steps = clock.clock_steps(facts, by_path)
        self._stage.add("clock_step", steps)
        return {each.file_id: by_path[each.path] for each in facts}

    def create_tables(self) -> None:
        """Create what rows go into, and write the manifest."""
        store.create_tables(self._con, self._manifest.tables() | rules.study_tables(self._manifest.milestones))
        empty = _frame(REJECTED_LINE, [])
        grain = f"One row per line that its format could not read; at most {MAX_REJECTED:,} per file."
        self._write("main.rejected_line", REJECTED_LINE, empty, grain)

    def copy(self, db: Path, clocks: Mapping[int, FileClock]) -> list[File]:
        """Copy from the old store the rows of files that kept content and clock; parse those that lost the clock."""
        known = [each for each in self.files.values() if each.old is not None]
        kept = [each for each in known if each.old and each.old.clock == _clock_key(clocks.get(each.file_id))]
        kept_ids = {each.file_id for each in kept}
        lost = [each for each in known if each.file_id not in kept_ids]
        for file in lost:
            file.learnt = _recognised(file, self._manifest)
        self.parse(lost)
        if kept:
            self._watch.step("copying", 0.7)
            self._copy_rows(db, kept)
        return kept

    def _copy_rows(self, db: Path, kept: Sequence[File]) -> None:
        numbers = pl.DataFrame(
            [(each.old.file_id, each.file_id) for each in kept if each.old],
            schema={"old_id": pl.Int32(), "new_id": pl.Int32()},
            orient="row",
        )
        self._con.execute("create temp table file_number (old_id integer, new_id integer)")
        store.insert(self._con, "file_number", numbers)
        self._con.execute(f"attach {store.literal(str(db))} as old (read_only)")
        for name, table in tables().items():
            self._copy_table(f"log.{store.quoted(name)}", list(store.log_columns(table)))
        self._copy_table("main.rejected_line", list(REJECTED_LINE))
        ranges = self._con.execute(
            "select n.new_id, s.first_at, s.last_at from old.main.source_file as s "
            "inner join file_number as n on s.file_id = n.old_id"
        ).fetchall()
        self._at |= {new_id: (first_at, last_at) for new_id, first_at, last_at in ranges}
        self._con.execute("drop table file_number")

    def _copy_table(self, relation: str, columns: Sequence[str]) -> None:
        names = ", ".join(store.quoted(each) for each in columns)
        values = ", ".join("n.new_id" if each == "file_id" else f"t.{store.quoted(each)}" for each in columns)
        self._con.execute(
            f"insert into {relation} ({names}) select {values} from old.{relation} as t "
            "inner join file_number as n on t.file_id = n.old_id"
        )

    def write_rows(self, clocks: Mapping[int, FileClock]) -> None:
        """Write what is staged, times settled."""
        known = tables()
        names = [name for name in self._stage.names() if name in known]
        for number, name in enumerate(names):
            self._watch.step("writing rows", 0.7 + 0.2 * number / len(names))
            for frame in self._stage.take(name):
                settled = frame
                if known[name].is_dated:
                    settled = clock.apply(frame, clocks)
                    self._learn_times(settled)
                store.insert(self._con, f"log.{store.quoted(name)}", settled)

    def _learn_times(self, frame: pl.DataFrame) -> None:
        spans = frame.group_by("file_id").agg(first=pl.col("at").min(), last=pl.col("at").max())
        for file_id, first, last in spans.iter_rows():
            old_first, old_last = self._at.get(file_id, (None, None))
            self._at[file_id] = (
                min(filter(None, (old_first, first)), default=None),
                max(filter(None, (old_last, last)), default=None),
            )

    def write_ledger(
        self,
        info: store.StoreInfo,
        skipped: Sequence[Skipped],
        places: Mapping[str, Place],
        clocks: Mapping[int, FileClock],
    ) -> None:
        """Write the tables that account for files and lines."""
        ids = sorted({*(each.path for each in skipped), *(each.source.path for each in self.files.values())})
        numbers = {path: number for number, path in enumerate(ids, 1)}
        rows = [self._source_row(each, places.get(each.source.path), clocks) for each in self.files.values()]
        rows += [_skipped_row(each, numbers[each.path]) for each in skipped]
        self.source_rows = _frame(SOURCE_FILE, rows).sort("file_id")
        ledger = [
            {
                "file_id": each.file_id,
                "path": each.source.path,
                "bytes": each.source.bytes,
                "modified_ns": each.source.modified_ns,
                "sha256": each.learnt.sha256,
                "override": each.override,
                "clock": _clock_key(clocks.get(each.file_id)),
                "table_rows": json.dumps(each.learnt.table_rows, sort_keys=True),
                "place_sources": _sources(places.get(each.source.path)),
                "facts": each.learnt.as_json(),
            }
            for each in sorted(self.files.values(), key=lambda each: each.file_id)
        ]
        self._write("main.source_file", SOURCE_FILE, self.source_rows, "One row per file, read or not.")
        for frame in self._stage.take("rejected_line"):
            store.insert(self._con, "main.rejected_line", frame)
        grain = "One row per file that was read: what the next ingest has to know."
        self._write("log.file_ledger", FILE_LEDGER, _frame(FILE_LEDGER, ledger), grain)
        steps = pl.concat([pl.DataFrame(schema=clock.STEP_SCHEMA), *self._stage.take("clock_step")])
        grain = "One row per step back of the clock of more than 2 s inside one file."
        store.write_table(self._con, "log.clock_step", steps, grain, CLOCK_STEP_COMMENTS)
        own = pl.DataFrame([asdict(info)], schema_overrides={"schema_version": pl.Int32()})
        store.write_table(self._con, "main.store_info", own, "One row: the store itself.", store.INFO_COMMENTS)

    def _write(
        self, relation: str, columns: Mapping[str, tuple[pl.DataType, str]], content: pl.DataFrame, comment: str
    ) -> None:
        store.write_table(self._con, relation, content, comment, {name: text for name, (_, text) in columns.items()})

    def _source_row(self, file: File, place: Place | None, clocks: Mapping[int, FileClock]) -> dict[str, object]:
        learnt, own_clock = file.learnt, clocks.get(file.file_id)
        first_at, last_at = self._at.get(file.file_id, (None, None))
        kept = learnt.verdicts["rejected_lines"] > MAX_REJECTED
        remarks = (
            learnt.note,
            f"rejected_line holds the first {MAX_REJECTED:,} rejected lines" if kept else None,
            own_clock.doubt if own_clock else None,
        )
        return {
            "file_id": file.file_id,
            "path": file.source.path,
            "sha256": learnt.sha256,
            "bytes": file.source.bytes,
            "format": learnt.format,
            "configuration": place.configuration if place else None,
            "run": place.run if place else None,
            "run_no": place.run_no if place else None,
            "node": place.node if place else None,
            "encoding": learnt.encoding,
            "lines": learnt.lines,
            **learnt.verdicts,
            "rows": sum(learnt.table_rows.values()),
            "first_at": first_at,
            "last_at": last_at,
            "timezone": own_clock.timezone if own_clock else None,
            "timezone_source": own_clock.timezone_source if own_clock else None,
            "year_source": own_clock.year_source if own_clock else None,
            "status": learnt.status,
            "reason": learnt.reason,
            "modified_at": file.source.modified_at,
            "note": "; ".join(filter(None, remarks)) or None,
        }


CLOCK_STEP_COMMENTS = {
    "file_id": "source_file",
    "line_no": "line that the step landed on",
    "step_s": "seconds, negative",
    "is_dst": "the end of summer time",
}


def _recognised(file: File, manifest: Manifest) -> Learnt:
    """What a file is, by its first lines."""
    source = file.source
    try:
        with source.open() as stream:
            head = read_head(stream, file.encoding)
        if head.problem is not None:
            return Learnt("skipped", head.problem, sha256=_digest(source))
        override = manifest.file_override(source.path).format
        decision = recognise(head.lines, source.name, formats(), override)
        learnt = _decided(decision)
        if decision.format is None:
            learnt.sha256 = _digest(source)
    except OSError as error:
        return Learnt("unreadable", (error.strerror or str(error)).lower())
    return learnt


def _decided(decision: Decision) -> Learnt:
    return Learnt(
        status="unrecognised" if decision.format is None else "parsed",
        reason=decision.reason,
        format=decision.format,
        recognised_at=decision.line_no,
        refusals={name: (refusal.reason, refusal.line_no) for name, refusal in decision.refusals.items()},
    )


def _digest(source: Source) -> str | None:
    if source.bytes > MAX_DIGEST_BYTES:
        return None
    with source.open() as stream:
        return digest(stream)


def _check(parser: Format, lines: pl.DataFrame, parsed: Parsed) -> None:
    """Hold a parser to its contract: a verdict for every line, in order, and only tables that it declares."""
    if not parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no")):
        raise HaledgerError(f"the format {parser.name} did not account for every line; this is a fault of haledger")
    declared = {table.name: table for table in parser.tables}
    for name, frame in parsed.tables.items():
        if name not in declared or frame.schema != pl.Schema(declared[name].schema):
            raise HaledgerError(f"the format {parser.name} filled {name} otherwise than declared")


def _with_host(learnt: Learnt, kind: str, host: str, count: int) -> Learnt:
    if kind == "own" and (host in learnt.own_hosts or len(learnt.own_hosts) < MAX_HOSTS):
        learnt.own_hosts[host] = learnt.own_hosts.get(host, 0) + count
    elif kind == "named" and host not in learnt.named_hosts and len(learnt.named_hosts) < MAX_HOSTS:
        learnt.named_hosts.append(host)
    return learnt


def _clock_key(own: FileClock | None) -> str | None:
    if own is None:
        return None
    return hashlib.sha256(json.dumps(asdict(own), sort_keys=True, default=str).encode()).hexdigest()[:16]


def _sources(place: Place | None) -> str:
    return json.dumps(dict(place.sources) if place else {}, sort_keys=True)


def _skipped_row(entry: Skipped, file_id: int) -> dict[str, object]:
    counts = dict.fromkeys(("lines", "rows", *COUNTS.values()), 0)
    return {
        "file_id": file_id,
        "path": entry.path,
        "bytes": entry.bytes,
        "status": entry.status,
        "reason": entry.reason,
        **counts,
    }


def _frame(columns: Mapping[str, tuple[pl.DataType, str]], rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a frame; values are what SQL takes, a missing one is null."""
    schema = {name: dtype for name, (dtype, _) in columns.items()}
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in schema}, schema=schema)
