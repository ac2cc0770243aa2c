"""Sees to it that lines which are in a study more than once are counted once, in a first ingest and a later one.

What is found in a group of files (`pipeline/reading/duplicates.py`) is remembered with the group's key. As long as
the key is the same, nothing is compared again, and rows that were written without those lines are kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from parsers.format import format_of
from pipeline.reading.duplicates import Log, copies, groups, is_whole
from pipeline.reading.file_facts import DuplicateRanges, File, FileFacts
from pipeline.reading.stamps import Stamps
from pipeline.study.manifest_entries import layout_of
from pipeline.study.places.assignment import Place


def find_duplicates(files: Iterable[File], places: Mapping[str, Place]) -> list[File]:
    """Resolve for every parsed file which of its lines are counted elsewhere.

    Gives the files of which a part is left whose rows and facts have to be read again.
    """
    parsed = {each.file_id: each for each in files if each.facts.status == "parsed"}
    for group in groups(_log(each, places[each.source.path]) for each in parsed.values()):
        own = [parsed[log.file_id] for log in group.logs]
        if all(each.old is not None and each.old.duplicate_ranges.key == group.key for each in own):
            for each in own:
                each.duplicate_ranges = each.old.duplicate_ranges if each.old else DuplicateRanges()
            continue
        found = copies(group)
        for each in own:
            each.duplicate_ranges = _resolved(each, DuplicateRanges(group.key, found.get(each.file_id, ())))
    return [each for each in parsed.values() if each.duplicate_ranges.ranges and each.duplicate_ranges.counted is None]


def _resolved(file: File, found: DuplicateRanges) -> DuplicateRanges:
    if found.ranges and is_whole(found.ranges, file.facts.lines):
        return replace(found, counted=_nothing_of(file.facts))
    if file.old is not None and file.old.duplicate_ranges.lines() == found.lines():
        return replace(found, counted=file.old.duplicate_ranges.counted)
    return found


def _nothing_of(facts: FileFacts) -> FileFacts:
    """The facts of a file of which every line is counted elsewhere."""
    blank = facts.verdicts["blank_lines"]
    verdicts = dict.fromkeys(facts.verdicts, 0) | {"blank_lines": blank, "ignored_lines": facts.lines - blank}
    return replace(facts, verdicts=verdicts, table_rows={}, stamps=None)


def _log(file: File, place: Place) -> Log:
    facts = file.facts
    return Log(
        file_id=file.file_id,
        source=file.source,
        place=(place.configuration, place.run, place.node, str(facts.format)),
        parser=format_of(str(facts.format), layout_of(file.declared)),
        encoding=file.declared.encoding,
        prefixes=facts.prefixes,
        sha256=facts.sha256,
        lines=facts.lines,
        stamps=None if facts.stamps is None else Stamps.from_json(facts.stamps),
    )
