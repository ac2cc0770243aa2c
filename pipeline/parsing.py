"""From files to staged rows: recognised by first lines, read in chunks, parsed together with others of the format.

What the rows tell of a file (hosts, stamps, counts) is added up as they pass: assignment and clock decide on it later.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from parsers.format import Format, Verdict, formats
from parsers.iostat_tables import IOSTAT_MARK
from pipeline import stamps
from pipeline.copies import split
from pipeline.date_order import in_order_name, with_stated_order
from pipeline.discovery import Source, forward_runs
from pipeline.in_order import THREADS, in_order
from pipeline.ledger import COUNTS, File, Learnt
from pipeline.manifest import Manifest
from pipeline.parsed_chunk import ParsedChunk, parse_chunk, told_by
from pipeline.progress import Watch
from pipeline.reading import MEBIBYTE, Facts, chunks, digest, read_head, read_lines
from pipeline.recognition import Decision, Question, recognise_each
from pipeline.report_clock import HeldReports, Reports, Stated
from pipeline.series_clock import dated
from pipeline.staging import Stage

HEADS = 64
"""Files recognised at a time: at most 4 MiB of first lines."""

MAX_REJECTED = 100_000
"""Rejected lines kept per file; all are counted."""

MAX_DIGEST_BYTES = 1024 * MEBIBYTE
"""Files that are not logs are hashed up to this size."""


class Parsing:
    """What becomes of files on the way to rows: `learnt` of each is filled in, rows and rejected lines are staged."""

    def __init__(self, files: Iterable[File], manifest: Manifest, stage: Stage, watch: Watch) -> None:
        self._files = {each.file_id: each for each in files}
        self._manifest = manifest
        self._date_orders = {
            file_id: order
            for file_id, each in self._files.items()
            if (order := manifest.file_override(each.source.path).date_order) is not None
        }
        self._stage = stage
        self._watch = watch
        self._rejected_count: Counter[int] = Counter()
        self._facts: pl.DataFrame | None = None
        self._reports = HeldReports()
        overrides = {each.file_id: manifest.file_override(each.source.path) for each in self._files.values()}
        self._starts = {file_id: each.start for file_id, each in overrides.items() if each.start is not None}
        self._done_bytes = 0
        self._all_bytes = 1 + sum(each.source.bytes for each in self._files.values() if each.old is None)

    def read(self, files: Sequence[File]) -> None:
        """Recognise and parse files, whatever was known of them, and stage what comes out."""
        ordered = sorted(files, key=lambda each: each.source.position)
        for first in range(0, len(ordered), HEADS):
            _recognise(ordered[first : first + HEADS], self._manifest)
        self._parse(files)

    def _parse(self, files: Iterable[File]) -> None:
        """Files of one format together."""
        by_format: dict[str, list[File]] = defaultdict(list)
        for file in files:
            if file.learnt.status == "parsed" and file.learnt.format is not None:
                by_format[file.learnt.format].append(file)
        for name, group in sorted(by_format.items()):
            parser = formats()[name]
            for chunk in in_order(partial(self._parsed, parser), self._chunks(parser, group), THREADS):
                self._take(parser, chunk)
            self._release(parser, self._reports.released({file.file_id: self._stated(file) for file in group}))
        if self._facts is not None:
            for file_id, found in stamps.stamps_of(self._facts).items():
                self._files[file_id].learnt.stamps = found.as_json()
        self._facts = None

    def _chunks(self, parser: Format, files: Sequence[File]) -> Iterator[pl.DataFrame]:
        for run in forward_runs([each.source for each in files]):
            yield from chunks(self._lines(files[index] for index in run), parser.boundary)

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

    def _parsed(self, parser: Format, lines: pl.DataFrame) -> ParsedChunk:
        """Parse a chunk, on whatever thread; a fault names the files in which it came up."""
        try:
            return parse_chunk(parser, lines)
        except Exception as error:
            paths = [self._files[file_id].source.path for file_id in lines.get_column("file_id").unique().to_list()[:3]]
            error.add_note(f"while the format {parser.name} read {', '.join(paths)}")
            raise

    def _take(self, parser: Format, chunk: ParsedChunk) -> None:
        """Stage the rows and rejected lines of a chunk, and add up what became of its lines."""
        for file_id, verdict, count in chunk.verdicts:
            self._files[file_id].learnt.verdicts[COUNTS[Verdict(verdict)]] += count
        for file_id, lines in chunk.rejected:
            room = max(0, MAX_REJECTED - self._rejected_count[file_id])
            self._rejected_count[file_id] += lines.height
            if room:
                self._stage.add("rejected_line", lines.head(room))
        tables = {name: with_stated_order(frame, self._date_orders) for name, frame in chunk.tables.items()}
        self._hold(parser, self._reports.held_back(tables))

    def _hold(self, parser: Format, tables: Mapping[str, pl.DataFrame]) -> None:
        """Stage rows, and add up what they tell of each file."""
        filled = {name: frame for name, frame in dated(tables, self._starts).items() if frame.height}
        for name, frame in filled.items():
            self._stage.add(name, frame)
        told = told_by(parser, filled)
        for file_id, name, count in told.rows:
            rows = self._files[file_id].learnt.table_rows
            rows[name] = rows.get(name, 0) + count
        for file_id, kind, host, count in told.hosts:
            self._files[file_id].learnt.add_host(kind, host, count)
        if told.stamps is not None:
            self._facts = told.stamps if self._facts is None else stamps.merge(self._facts, told.stamps)

    def _release(self, parser: Format, reports: Reports) -> None:
        """Stage the reports of whole files; those whose dates can be read in several orders, in each of them."""
        self._hold(parser, {IOSTAT_MARK.name: reports.marks})
        read = {name: stamps.stamps_of(stamps.facts_of(marks)) for name, marks in reports.in_order.items()}
        for name, marks in reports.in_order.items():
            self._stage.add(in_order_name(IOSTAT_MARK.name, name), marks)
        for file_id, dates in reports.dates.items():
            rivals = {name: read[name][file_id].as_json() for name in dates.order.rivals if file_id in read[name]}
            self._files[file_id].learnt.dates = replace(dates, stamps=rivals).as_json()

    def _stated(self, file: File) -> Stated:
        """What study.toml states of the reports in a file."""
        override = self._manifest.file_override(file.source.path)
        return Stated(override.interval_s, override.start, override.date_order)


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


def _recognise(files: Sequence[File], manifest: Manifest) -> None:
    """Find out what files are, by their first lines."""
    asked: list[File] = []
    questions: list[Question] = []
    for file in files:
        source = file.source
        try:
            with source.open() as stream:
                head = read_head(stream, file.encoding)
                note = getattr(stream, "note", None)
            if head.problem is None:
                asked.append(file)
                questions.append(Question(head.lines, source.name, manifest.file_override(source.path).format))
            else:
                file.learnt = Learnt("skipped", head.problem, sha256=_digest(source), note=note)
        except OSError as error:
            file.learnt = _unreadable(error)
    for file, decision in zip(asked, recognise_each(questions, formats()), strict=True):
        file.learnt = _decided(decision)
        if decision.format is None:
            try:
                file.learnt.sha256 = _digest(file.source)
            except OSError as error:
                file.learnt = _unreadable(error)


def _unreadable(error: OSError) -> Learnt:
    return Learnt("unreadable", (error.strerror or str(error)).lower())


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
