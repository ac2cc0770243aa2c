"""Reads files: what each is, its rows, and its facts. Nothing here depends on other files, on place or on clock.

The lines of files go to units (`pipeline/reading/unit.py`), which are parsed several at a time; rows are staged as they
come. A file whose parser raises, panics or exceeds its budget is unreadable, and no other file is touched: units of
several files are then parsed file by file.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain, repeat
from operator import attrgetter

import polars as pl

from parsers.format import Format, Layout, Recognition, Refusal, Verdict, format_of, formats
from parsers.line_prefix import bare, in_words, with_formats
from pipeline.discovery.source import Source, forward_runs
from pipeline.failure import Failure
from pipeline.memory import MEBIBYTE
from pipeline.parallel import RunParallel, run_one, run_parallel
from pipeline.reading import stamps, unit
from pipeline.reading.duplicates import split
from pipeline.reading.file_facts import COUNTS, FileFacts, Range, shared
from pipeline.reading.lines import (
    CHUNK_BYTES,
    EMPTY,
    HEAD_LINES,
    MEASURED_CHUNK_BYTES,
    Facts,
    chunks,
    digest,
    read_head,
    read_lines,
    text_bytes,
)
from pipeline.reading.read_so_far import ReadSoFar
from pipeline.reading.recognition import Decision, Question, recognise_each
from pipeline.reading.report_dates import Declared
from pipeline.reading.report_spans import OpenReports
from pipeline.reading.staging import Sink
from pipeline.reading.unit import Result, Work, finished, run
from pipeline.study.manifest_entries import FileOverride, layout_of

MAX_HEADS = 1000
MAX_HEADS_BYTES = 4 * MEBIBYTE
"""Files recognised together: at most this number, and until their first lines have this many bytes."""

PARTS = 32
"""Of files at which recognition fails, or takes too long: few steps lead to the one that is at fault."""

MAX_FILES = 1000
"""Files parsed together."""

LATE_BYTES = 8 * MEBIBYTE
"""How far into a file a log is sought that begins behind its first lines."""

LATE_LOOKS = 8
"""So often, at lines that a log has which begins late."""

MAX_DIGEST_BYTES = 1024 * MEBIBYTE
"""Files that are not logs are hashed up to this size."""


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file, what study.toml declares of reading it, and its lines that are counted elsewhere.

    `keeps_verdicts`: what became of each line is staged as `line_verdict`.
    """

    file_id: int
    source: Source
    declared: FileOverride
    without: tuple[Range, ...] = ()
    keeps_verdicts: bool = False

    @property
    def about_reports(self) -> Declared | None:
        """What is declared of its reports and series."""
        found = Declared(self.declared.interval_s, self.declared.start, self.declared.date_order)
        return None if found == Declared() else found


def read_files(
    files: Sequence[FileToRead],
    stage: Sink,
    step: Callable[[int], None] = lambda _bytes: None,
    run_all: RunParallel = run_parallel,
) -> dict[int, FileFacts]:
    """Recognise and parse files, stage their rows, and give the facts of each by its number.

    `step` is given the bytes that were read since; `run_all` runs the units. Rows may be staged of a file that turns
    out to be unreadable.
    """
    facts: dict[int, FileFacts] = {}
    in_order = sorted(files, key=lambda each: each.source.position)
    for questions in _questions(in_order, facts):
        facts |= _recognised(questions)
    by_format: dict[tuple[str, Layout | None, bool], list[FileToRead]] = defaultdict(list)
    for file in files:
        found = facts[file.file_id]
        if found.format is not None:
            by_format[found.format, layout_of(file.declared), bool(found.prefixes)].append(file)
    for (name, layout, _), group in sorted(by_format.items(), key=lambda each: str(each[0])):
        facts |= dict(_parsed(format_of(name, layout), group, facts, stage, step, run_all))
    return facts


# --- what files are --------------------------------------------------------------------------------------------------


def _questions(files: Sequence[FileToRead], facts: dict[int, FileFacts]) -> Iterator[list[tuple[FileToRead, Question]]]:
    """The files whose first lines show what they are, in batches; the facts of others, which need no asking."""
    asked: list[tuple[FileToRead, Question]] = []
    size = 0
    for file in files:
        source = file.source
        try:
            with source.open() as stream:
                head = read_head(stream, file.declared.encoding)
                note = getattr(stream, "note", None)
            layout = layout_of(file.declared)
            if head.problem is None and layout is not None:
                facts[file.file_id] = FileFacts("parsed", f"study.toml declares it as {layout.name}", layout.name)
            elif head.problem is None:
                asked.append((file, Question(head.lines, source.name, file.declared.format)))
                size += head.bytes
            else:
                is_lost = note is not None and head.problem == EMPTY  # what the compressor kept of it cannot be had
                status, reason = ("unreadable", str(note)) if is_lost else ("skipped", head.problem)
                facts[file.file_id] = FileFacts(status, reason, sha256=_digest(source), note=None if is_lost else note)
        except OSError as error:
            facts[file.file_id] = _unreadable(error)
        if size > MAX_HEADS_BYTES or len(asked) == MAX_HEADS:
            yield asked
            asked, size = [], 0
    if asked:
        yield asked


def _recognised(asked: Sequence[tuple[FileToRead, Question]]) -> dict[int, FileFacts]:
    """What files are, by their first lines."""
    facts: dict[int, FileFacts] = {}
    for (file, _), decided in zip(asked, _decisions([question for _, question in asked]), strict=True):
        facts[file.file_id] = decided
        if decided.status == "unrecognised":
            try:
                late = _late(file, decided) if file.declared.format is None else decided
                facts[file.file_id] = late if late.format else replace(decided, sha256=_digest(file.source))
            except OSError as error:
                facts[file.file_id] = _unreadable(error)
    return facts


def _late(file: FileToRead, decided: FileFacts) -> FileFacts:
    """What a file is by lines behind its first ones, where programs print much before the log begins."""
    candidates = {name: each for name, each in formats().items() if each.begins_late and each.needs}
    needs = "|".join(f"(?:{each.needs})" for each in candidates.values())
    at = HEAD_LINES
    for lines in _behind_head(file):
        marked = lines.filter((pl.col("line_no") > at) & pl.col("text").str.contains(needs))
        if marked.is_empty():
            return decided
        at = int(marked["line_no"][0]) + HEAD_LINES - 1
        head = lines.filter(pl.col("line_no").is_between(at - HEAD_LINES + 1, at))["text"]
        question = Question(head, file.source.name, None)
        size = int(head.str.len_bytes().sum())
        found = run_one(partial(recognise_each, formats=candidates), [question], size)
        if not isinstance(found, Failure) and found[0].format is not None:
            first = at - HEAD_LINES + (found[0].line_no or 1)
            return replace(
                decided,
                status="parsed",
                reason=f"behind its first lines {found[0].reason}",
                format=found[0].format,
                recognised_at=first,
                refusals=tuple(each for each in decided.refusals if each[0] != found[0].format),
            )
    return decided


def _behind_head(file: FileToRead) -> Iterator[pl.DataFrame]:
    """The same lines, as far as a log is sought, once for each look at them; none where there are few."""
    frames, held = [], 0
    with file.source.open() as stream:
        for frame in read_lines(stream, file.file_id, Facts(), file.declared.encoding):
            frames.append(frame)
            held += text_bytes(frame)
            if held > LATE_BYTES:
                break
    if frames and sum(frame.height for frame in frames) > HEAD_LINES:
        yield from repeat(pl.concat(frames), LATE_LOOKS)


def _decisions(questions: Sequence[Question]) -> list[FileFacts]:
    """What files with these first lines are; one at which a format fails is sought in ever smaller parts."""
    size = int(pl.concat([each.head for each in questions]).str.len_bytes().sum())
    together = run_one(partial(recognise_each, formats=formats()), questions, size)
    if not isinstance(together, Failure):
        return [_decided(each) for each in together]
    if len(questions) == 1:
        return [_decision(questions[0])]
    size_of_part = -(-len(questions) // PARTS)
    parts = (questions[first : first + size_of_part] for first in range(0, len(questions), size_of_part))
    return [decided for part in parts for decided in _decisions(part)]


def _decision(question: Question) -> FileFacts:
    """What a file is at which some format fails: one of the others, else unreadable."""
    failures: list[str] = []

    def guarded(candidate: Format) -> Format:
        def recognise(head: pl.Series) -> Recognition | Refusal:
            answer = run_one(candidate.recognise, head, int(head.str.len_bytes().sum()))
            if not isinstance(answer, Failure):
                return answer
            failures.append(f"recognising {candidate.name} {answer.reason}")
            return Refusal(failures[-1], 1)

        return replace(candidate, recognise=recognise, look=None)

    found = recognise_each([question], {name: guarded(each) for name, each in formats().items()})[0]
    is_of_another = found.format is not None and not formats()[found.format].takes_the_rest
    return _decided(found) if is_of_another or not failures else FileFacts("unreadable", failures[0])


def _decided(decision: Decision) -> FileFacts:
    return FileFacts(
        status="unrecognised" if decision.format is None else "parsed",
        reason=decision.reason,
        format=decision.format,
        recognised_at=decision.line_no,
        refusals=shared(tuple((name, each.reason, each.line_no) for name, each in decision.refusals.items())),
        note=in_words(decision.prefixes),
        prefixes=decision.prefixes,
        other_formats=decision.other_formats,
    )


def _unreadable(error: OSError) -> FileFacts:
    return FileFacts("unreadable", (error.strerror or str(error)).lower())


def _digest(source: Source) -> str | None:
    if source.bytes > MAX_DIGEST_BYTES:
        return None
    with source.open_stored() as stream:
        return digest(stream)


# --- what is in them -------------------------------------------------------------------------------------------------


def _parsed(  # noqa: PLR0913, PLR0917  what is known, and where it goes
    parser: Format,
    files: Sequence[FileToRead],
    recognised: Mapping[int, FileFacts],
    stage: Sink,
    step: Callable[[int], None],
    run_all: RunParallel,
) -> Iterator[tuple[int, FileFacts]]:
    """The facts of files of one format, whose rows are staged."""
    known = ((each, recognised[each.file_id]) for each in files)
    read = {each.file_id: ReadSoFar(facts, is_doubted=_is_doubted(each, facts)) for each, facts in known}
    declared = {each.file_id: about for each in files if (about := each.about_reports) is not None}
    layout = layout_of(files[0].declared)
    keeps_verdicts = any(each.keeps_verdicts for each in files)
    works = (
        replace(each, layout=layout, keeps_verdicts=keeps_verdicts)
        for each in _works(parser, files, read, declared, step)
    )
    for outcome in run_all(run, works, attrgetter("size")):
        for result in _file_by_file(parser, outcome, read):
            _take(result, read, stage)
            _hold_open(parser, result, read, stage)
    for file_id, found in read.items():
        if found.open is not None:
            if found.failure is None:
                _finish(parser, file_id, declared, read, stage)
            found.open.drop()
        yield file_id, found.complete()


def _hold_open(parser: Format, result: Result, read: Mapping[int, ReadSoFar], stage: Sink) -> None:
    """Keep what only the whole file can number."""
    if result.span_of is not None and result.open and parser.reports is not None:
        of_file = read[result.span_of]
        of_file.open = of_file.open or OpenReports(parser.reports, result.span_of, stage.waiting())
        of_file.open.add(result.open)


def _finish(
    parser: Format, file_id: int, declared: Mapping[int, Declared], read: Mapping[int, ReadSoFar], stage: Sink
) -> None:
    """Stage the rows that the spans of a file left open."""
    found = read[file_id]
    if found.open is None:
        return
    results = finished(parser, declared, found.open, file_id)
    while True:
        rest = run_one(partial(next, results), None, found.open.size)
        if rest is None:
            return
        if isinstance(rest, Failure):
            found.failure = f"its format {parser.name} {rest.reason}"
            return
        _take(rest, read, stage)


def _is_doubted(file: FileToRead, recognised: FileFacts) -> bool:
    """Whether only its first lines say of which format a file is, and all of its lines are read."""
    is_declared = file.declared.format is not None or layout_of(file.declared) is not None
    return not is_declared and not file.without and (recognised.recognised_at or 1) <= HEAD_LINES


def chunk_bytes(parser: Format) -> int:
    """Bytes of text of a format that are read at a time."""
    return MEASURED_CHUNK_BYTES if parser.role == "measurement" else CHUNK_BYTES


def _works(
    parser: Format,
    files: Sequence[FileToRead],
    read: Mapping[int, ReadSoFar],
    declared: Mapping[int, Declared],
    step: Callable[[int], None],
) -> Iterator[Work]:
    """Units of many small files, or of a span of a large one, in as many runs as it takes to pass archives forwards."""
    held: list[pl.DataFrame] = []
    size = 0
    most = chunk_bytes(parser)
    for index in chain.from_iterable(forward_runs([each.source for each in files])):
        file, found = files[index], read[files[index].file_id]
        is_whole = True
        for lines in chunks(_lines(file, found, step), parser.boundary, chunk_bytes=most):
            is_whole &= found.is_at_end
            own = text_bytes(lines)
            if held and (not is_whole or size + own > most or len(held) >= MAX_FILES):
                yield Work(parser.name, pl.concat(held, rechunk=True), declared)
                held, size = [], 0
            if is_whole:
                held.append(lines)
                size += own
            else:
                yield Work(parser.name, lines, declared, span_of=file.file_id)
    if held:
        yield Work(parser.name, pl.concat(held, rechunk=True), declared)


def _lines(file: FileToRead, found: ReadSoFar, step: Callable[[int], None]) -> Iterator[pl.DataFrame]:
    """The lines of a file but those that are counted elsewhere, which become ignored ones; blank ones stay blank."""
    source, read_facts = file.source, Facts()
    notes: list[str | None] = [found.facts.note]
    sha256, passed = None, 0
    try:
        with source.open() as stream:
            for frame in read_lines(stream, file.file_id, read_facts, file.declared.encoding):
                step(read_facts.bytes - passed)
                passed = read_facts.bytes
                lines = _without_prefixes(frame, found.facts)
                if file.without:
                    lines, duplicates = split(lines, file.without)
                    blank = int((duplicates.get_column("text").str.strip_chars() == "").sum())
                    found.verdicts += Counter(blank_lines=blank, ignored_lines=duplicates.height - blank)
                if lines.height:
                    yield lines
            if not read_facts.is_hole:
                seen = source.seen(stream, read_facts.bytes, read_facts.sha256)
                sha256 = seen.sha256
                notes.append(seen.note)
    except OSError as error:
        notes.append(f"reading broke off: {error.strerror or error}")
    found.facts = replace(
        found.facts,
        sha256=sha256,
        lines=read_facts.lines,
        encoding=read_facts.encoding,
        note="; ".join(filter(None, (*notes, read_facts.note()))) or None,
    )
    found.is_at_end = True


def _without_prefixes(lines: pl.DataFrame, facts: FileFacts) -> pl.DataFrame:
    """Lines without what a copy or a collector put before them; these have writers, hosts and formats beside."""
    if not facts.prefixes:
        return lines
    return with_formats(bare(lines, facts.prefixes), str(facts.format), facts.other_formats)


def _file_by_file(parser: Format, outcome: Result | Failure[Work], read: Mapping[int, ReadSoFar]) -> Iterator[Result]:
    """The result of a unit; of one that failed, those of its files but the one at which it fails."""
    if not isinstance(outcome, Failure):
        yield outcome
        return
    works = list(outcome.job.single_files())
    for work in works:
        again = outcome if len(works) == 1 else run_one(run, work, work.size)
        if isinstance(again, Failure):
            read[work.file_ids[0]].failure = f"its format {parser.name} {again.reason}"
        else:
            yield again


def _take(result: Result, read: Mapping[int, ReadSoFar], stage: Sink) -> None:
    """Stage the rows of a unit, and add up what they show of each file."""
    shown = result.shown
    for name, rows in result.tables.items():
        stage.add_rows(name, rows)
    _count(shown, read)
    rejected = result.rejected
    for file_id, line_no in rejected.group_by("file_id").agg(pl.col("line_no").min()).iter_rows():
        read[file_id].note_rejected(line_no)
    if result.span_of is None:
        for file_id, found in stamps.stamps_of(shown.stamps).items() if shown.stamps is not None else ():
            read[file_id].stamps = found.as_json()
    else:
        of_file = read[result.span_of]
        rejected = rejected.head(max(0, unit.MAX_REJECTED - of_file.rejected))
        of_file.rejected += rejected.height
        facts = [each for each in (of_file.stamps_of_spans, shown.stamps) if each is not None]
        of_file.stamps_of_spans = reduce(stamps.merge, facts) if facts else None
    if rejected.height:
        stage.add("rejected_line", rejected)
    if result.verdicts is not None:
        stage.add("line_verdict", result.verdicts)


def _count(shown: unit.Shown, read: Mapping[int, ReadSoFar]) -> None:
    """Add up what the rows of a unit show of each file."""
    for file_id, verdict, count in shown.verdicts:
        read[file_id].verdicts[COUNTS[Verdict(verdict)]] += count
    for file_id, count in shown.out_of_range:
        read[file_id].out_of_range += count
    for file_id, name, count in shown.rows:
        read[file_id].rows[name] += count
    for file_id, kind, host, count in shown.hosts:
        read[file_id].add_host(kind, host, count)
    for file_id, dates in shown.dates.items():
        read[file_id].dates = dates.as_json()
