"""Sees to it that lines which stand in a study more than once are counted once, in a first ingest and a later one.

What is found in a group of files (`pipeline/copies.py`) is remembered with the group's key. As long as the key is the
same, nothing is compared again, and rows that were written without those lines are kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from parsers.format import formats
from pipeline.assignment import Place
from pipeline.copies import Log, copies, groups, is_whole
from pipeline.ledger import Elsewhere, File, Learnt
from pipeline.stamps import Stamps


def find_copies(files: Iterable[File], places: Mapping[str, Place]) -> list[File]:
    """Settle for every parsed file which of its lines are counted elsewhere.

    Gives the files of which a part is left whose rows and facts have to be read anew.
    """
    parsed = {each.file_id: each for each in files if each.learnt.status == "parsed"}
    for group in groups(_log(each, places[each.source.path]) for each in parsed.values()):
        own = [parsed[log.file_id] for log in group.logs]
        if all(each.old is not None and each.old.elsewhere.key == group.key for each in own):
            for each in own:
                each.elsewhere = each.old.elsewhere if each.old else Elsewhere()
            continue
        found = copies(group)
        for each in own:
            each.elsewhere = _settled(each, Elsewhere(group.key, found.get(each.file_id, ())))
    return [each for each in parsed.values() if each.elsewhere.ranges and each.elsewhere.counted is None]


def _settled(file: File, found: Elsewhere) -> Elsewhere:
    if found.ranges and is_whole(found.ranges, file.learnt.lines):
        return replace(found, counted=_nothing_of(file.learnt))
    if file.old is not None and file.old.elsewhere.lines() == found.lines():
        return replace(found, counted=file.old.elsewhere.counted)
    return found


def _nothing_of(learnt: Learnt) -> Learnt:
    """The facts of a file of which every line is counted elsewhere."""
    blank = learnt.verdicts["blank_lines"]
    verdicts = dict.fromkeys(learnt.verdicts, 0) | {"blank_lines": blank, "ignored_lines": learnt.lines - blank}
    return replace(learnt, verdicts=verdicts, table_rows={}, stamps=None)


def _log(file: File, place: Place) -> Log:
    learnt = file.learnt
    return Log(
        file_id=file.file_id,
        source=file.source,
        place=(place.configuration, place.run, place.node, str(learnt.format)),
        parser=formats()[str(learnt.format)],
        encoding=file.encoding,
        sha256=learnt.sha256,
        lines=learnt.lines,
        stamps=None if learnt.stamps is None else Stamps.from_json(learnt.stamps),
    )
