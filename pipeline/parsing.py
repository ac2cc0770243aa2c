"""From files to staged rows: recognised by first lines, read in chunks, parsed together with others of the format.

What the rows tell of a file (hosts, stamps, counts) is added up as they pass: assignment and clock decide on it later.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA, Format, Parsed, Table, Verdict, formats
from pipeline import stamps
from pipeline.copies import split
from pipeline.discovery import Source, forward_runs
from pipeline.errors import HaledgerError
from pipeline.ledger import COUNTS, File, Learnt
from pipeline.manifest import Manifest
from pipeline.progress import Watch
from pipeline.reading import MEBIBYTE, Facts, chunks, digest, read_head, read_lines
from pipeline.recognition import Decision, recognise
from pipeline.staging import Stage

MAX_REJECTED = 100_000
"""Rejected lines kept per file; all are counted."""

MAX_REJECTED_TEXT = 4096
MAX_DIGEST_BYTES = 1024 * MEBIBYTE
"""Files that are not logs are hashed up to this size."""


class Parsing:
    """What becomes of files on the way to rows: `learnt` of each is filled in, rows and rejected lines are staged."""

    def __init__(self, files: Iterable[File], manifest: Manifest, stage: Stage, watch: Watch) -> None:
        self._files = {each.file_id: each for each in files}
        self._manifest = manifest
        self._stage = stage
        self._watch = watch
        self._rejected_count: Counter[int] = Counter()
        self._facts: pl.DataFrame | None = None
        self._done_bytes = 0
        self._all_bytes = 1 + sum(each.source.bytes for each in self._files.values() if each.old is None)

    def read(self, files: Sequence[File]) -> None:
        """Recognise and parse files, whatever was known of them, and stage what comes out."""
        for file in sorted(files, key=lambda each: each.source.position):
            file.learnt = _recognised(file, self._manifest)
        self._parse(files)

    def _parse(self, files: Iterable[File]) -> None:
        """Files of one format together."""
        by_format: dict[str, list[File]] = defaultdict(list)
        for file in files:
            if file.learnt.status == "parsed" and file.learnt.format is not None:
                by_format[file.learnt.format].append(file)
        for name, group in sorted(by_format.items()):
            parser = formats()[name]
            for run in forward_runs([each.source for each in group]):
                for lines in chunks(self._lines(group[index] for index in run), parser.boundary):
                    self._take(parser, lines)
        if self._facts is not None:
            for file_id, found in stamps.stamps_of(self._facts).items():
                self._files[file_id].learnt.stamps = found.as_json()
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
                        yield _counted_here(file, frame)
                    seen = source.seen(stream, facts.bytes, facts.sha256)
                learnt.sha256 = seen.sha256
                learnt.add_note(seen.note)
            except OSError as error:
                learnt.add_note(f"reading broke off: {error.strerror or error}")
            self._done_bytes += facts.bytes
            learnt.encoding = facts.encoding
            learnt.add_note(facts.note())

    def _take(self, parser: Format, lines: pl.DataFrame) -> None:
        """Parse a chunk; stage its rows and rejected lines, and add up what they tell of each file."""
        try:
            parsed = parser.parse(lines)
            _check(parser, lines, parsed)
        except Exception as error:
            paths = [self._files[file_id].source.path for file_id in lines.get_column("file_id").unique().to_list()[:3]]
            error.add_note(f"while the format {parser.name} read {', '.join(paths)}")
            raise
        counts = parsed.lines.group_by("file_id", "verdict").len().iter_rows()
        for file_id, verdict, count in counts:
            self._files[file_id].learnt.verdicts[COUNTS[Verdict(verdict)]] += count
        self._reject(lines, parsed.lines)
        declared = {table.name: table for table in parser.tables}
        filled = {name: frame for name, frame in parsed.tables.items() if frame.height}
        for name, frame in filled.items():
            self._learn_rows(declared[name], frame)
            self._stage.add(name, frame)
        self._learn_stamps([frame for name, frame in filled.items() if declared[name].is_dated])

    def _learn_stamps(self, dated: Sequence[pl.DataFrame]) -> None:
        if not dated:
            return
        facts = stamps.facts_of(pl.concat([frame.select(*KEY_SCHEMA, *STAMP_SCHEMA) for frame in dated]))
        self._facts = facts if self._facts is None else stamps.merge(self._facts, facts)

    def _learn_rows(self, table: Table, frame: pl.DataFrame) -> None:
        for file_id, count in frame.group_by("file_id").len().iter_rows():
            rows = self._files[file_id].learnt.table_rows
            rows[table.name] = rows.get(table.name, 0) + count
        for column in table.columns:
            if column.host is None:
                continue
            hosts = frame.select("file_id", host=column.name)
            if isinstance(column.dtype, pl.List):
                hosts = hosts.explode("host")
            hosts = hosts.drop_nulls().group_by("file_id", "host").len().sort("file_id", "host")
            for file_id, host, count in hosts.iter_rows():
                self._files[file_id].learnt.add_host(column.host, host, count)

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


def _counted_here(file: File, lines: pl.DataFrame) -> pl.DataFrame:
    """The lines that are not counted elsewhere; those that are become ignored ones, blank ones stay blank."""
    ranges = file.elsewhere.ranges
    if not ranges:
        return lines
    own, elsewhere = split(lines, ranges)
    blank = int((elsewhere.get_column("text").str.strip_chars() == "").sum())
    file.learnt.verdicts["blank_lines"] += blank
    file.learnt.verdicts["ignored_lines"] += elsewhere.height - blank
    return own


def _recognised(file: File, manifest: Manifest) -> Learnt:
    """What a file is, by its first lines."""
    source = file.source
    try:
        with source.open() as stream:
            head = read_head(stream, file.encoding)
            note = getattr(stream, "note", None)
        if head.problem is not None:
            return Learnt("skipped", head.problem, sha256=_digest(source), note=note)
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
    with source.open_stored() as stream:
        return digest(stream)


def _check(parser: Format, lines: pl.DataFrame, parsed: Parsed) -> None:
    """Hold a parser to its contract: a verdict for every line, in order, and only tables that it declares."""
    if not parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no")):
        raise HaledgerError(f"the format {parser.name} did not account for every line; this is a fault of haledger")
    declared = {table.name: table for table in parser.tables}
    for name, frame in parsed.tables.items():
        if name not in declared or frame.schema != pl.Schema(declared[name].schema):
            raise HaledgerError(f"the format {parser.name} filled {name} otherwise than declared")
