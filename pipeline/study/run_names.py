"""The run that a path names: `run01`, `trial_2`, a date and time, `nearsync_run03.txt` (contract 2)."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pipeline.discovery.path_parts import Folder
from pipeline.study.name_parts import stems_of

LONG_WORD = (
    r"(?:run|test|trial|iteration|repetition|(?:test|durch)?lauf|versuch|durchgang|essai|tentative|prueba|ensayo|intento|"
    r"prova|tentativa|teste)"
)
WORD = rf"(?P<word>{LONG_WORD}|iter|rep|r)"
COUNT = r"[ _.#-]*(?:(?:nr|no|n°|nº)[ _.]*)?(?P<number>\d{1,9})"  # 1, -2, #2, Nr. 3
DATE_TIME = (
    r"(?:19|20)\d\d(?P<dash>[-_.]?)(?:0[1-9]|1[0-2])(?P=dash)(?:0[1-9]|[12]\d|3[01])"  # 2003-07-28, 20030728
    r"(?:[T _.-]?(?:[01]\d|2[0-3])[:._h-]?[0-5]\d(?:[:._m-]?[0-5]\d(?:[.,]\d+)?s?)?)?Z?"  # T10:27:04, -1027, _10.27.04
)
BRACKETS = r"\([^()]*\)|\[[^\[\]]*\]"
RUN_FOLDER = re.compile(rf"{WORD}{COUNT}(?:[ _.-]+{DATE_TIME}|[ _.-]*(?:{BRACKETS}))?", re.IGNORECASE | re.ASCII)
# Failover Test 1 (Mo)
LONG_FOLDER = re.compile(
    rf"(?P<before>.+)[ _.-](?P<word>{LONG_WORD}){COUNT}(?:[ _.-]+{DATE_TIME}|[ _.-]*(?:{BRACKETS}))?",
    re.IGNORECASE | re.ASCII,
)
DATE_FOLDER = re.compile(DATE_TIME, re.ASCII)
NUMBER_FOLDER = re.compile(r"\d{1,9}", re.ASCII)
# nearsync_run03; a point before the number would be a rotation suffix: messages_run.1
RUN_STEM = re.compile(rf"(?:^|[ ._-])(?P<run>{WORD}[ _#-]?(?P<number>\d{{1,9}}))$", re.IGNORECASE | re.ASCII)


MOST_CHARACTERS = 255
"""Of the name of a folder; a longer one is cut."""

Origin = Literal["folder", "file name", "study.toml"]
"""What names a run."""


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run that a path names. `at` is the folder's index, None for the file's stem; `word` None for a bare number."""

    text: str | None = None
    number: int | None = None
    word: str | None = None
    at: int | None = None
    origin: Origin | None = None
    source: str = "no part of its path names one"


def run_of_path(folders: Sequence[Folder], free: Sequence[int], name: str, above: Collection[int]) -> NamedRun:
    """The one with a word, then the deepest. `above`: where a bare number counts."""
    of_stem = _run_of_stem(name)
    found = [_run_of_folder(folders[index], index, above) for index in reversed(free)]
    candidates = [each for each in (of_stem, *found) if each is not None]
    with_word = [each for each in candidates if each.word is not None]
    chosen = next(iter(with_word or candidates), NamedRun())
    others = [each.source for each in candidates if each is not chosen]
    return replace(chosen, source=f"{chosen.source}, before {' and '.join(others)}") if others else chosen


def _run_of_stem(name: str) -> NamedRun | None:
    for stem in stems_of(name):
        match = RUN_STEM.search(stem)
        if match is not None:
            word = match["word"].lower()
            return NamedRun(match["run"], int(match["number"]), word, None, "file name", f"file name {stem}")
    return None


def _run_of_folder(found: Folder, index: int, above: Collection[int]) -> NamedRun | None:
    folder = found.name
    source = f"folder {folder}"
    if found.archive is not None or found.is_top:
        of_stem = None if RUN_FOLDER.fullmatch(folder) else _run_of_stem(folder)
        if of_stem is not None:
            return replace(of_stem, at=index)
    match = _run_match(folder)
    if match is not None:
        return NamedRun(folder, int(match["number"]), match["word"].lower(), index, "folder", source)
    if DATE_FOLDER.fullmatch(folder):
        return NamedRun(folder, None, None, index, "folder", source)
    if index in above and is_number(folder):
        return NamedRun(folder, int(folder), None, index, "folder", source)
    return None


def _run_match(folder: str) -> re.Match[str] | None:
    """The word and the number in the name of a run."""
    name = folder[:MOST_CHARACTERS]
    return RUN_FOLDER.fullmatch(name) or LONG_FOLDER.fullmatch(name)


def kind_of_run(folder: str) -> str:
    """What stands before the run in a longer name, in small letters: failover of Failover Test 1; else nothing."""
    match = None if RUN_FOLDER.fullmatch(folder) else LONG_FOLDER.fullmatch(folder[:MOST_CHARACTERS])
    return "" if match is None else match["before"].strip(" _.-")


def is_run(folder: str) -> bool:
    """Return whether a folder of this name is a run wherever it is."""
    return _run_match(folder) is not None or DATE_FOLDER.fullmatch(folder) is not None


def is_number(folder: str) -> bool:
    """Return whether a folder's name is a bare number, which is a run in some places only."""
    return NUMBER_FOLDER.fullmatch(folder) is not None


def number_of(run: str) -> int | None:
    """The last number in the text of a run."""
    match = re.search(r"(\d{1,9})\D*$", run, re.ASCII)
    return int(match[1]) if match else None
