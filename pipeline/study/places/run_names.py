"""The run that a path names: `run01`, `trial_2`, a date and time, `nearsync_run03.txt` (contract 2)."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from pipeline.discovery.path_parts import Folder
from pipeline.study.places.name_parts import stems_of

LONG_WORD = (
    r"(?:run|test|trial|iteration|repetition|(?:test|durch)?lauf|versuch|durchgang|essai|tentative|prueba|ensayo|intento|"
    r"prova|tentativa|teste)"
)
EVENT_WORD = r"(?:failover|switchover|takeover|crash|ausfall|schwenk|umschaltung|basculement|panne)"
"""What was done in a run; a number of four digits behind it is a year."""

WORD = rf"(?P<word>{LONG_WORD}|iter|rep|r|{EVENT_WORD}(?!\D{{0,9}}[0-9]{{4}}))"
COUNT = r"[ _.#-]*(?:(?:nr|no|n°|nº)[ _.]*)?(?P<number>[0-9]{1,9})"  # 1, -2, #2, Nr. 3
DATE_TIME = (
    r"(?:19|20)[0-9][0-9](?P<dash>[-_.]?)(?:0[1-9]|1[0-2])(?P=dash)(?:0[1-9]|[12][0-9]|3[01])"  # 2003-07-28, 20030728
    # T10:27:04, -1027, _10.27.04, T102704.123+0530
    r"(?:[T _.-]?(?:[01][0-9]|2[0-3])[:._h-]?[0-5][0-9](?:[:._m-]?[0-5][0-9](?:[.,][0-9]+)?s?(?:[+-][0-9]{4})?)?)?Z?"
)
DAY_FIRST = r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)[0-9][0-9]"  # 28.07.2003
BRACKETS = r"\([^()]*\)|\[[^\[\]]*\]"
RUN_FOLDER = re.compile(rf"{WORD}{COUNT}(?:[ _.-]+{DATE_TIME}|[ _.-]*(?:{BRACKETS}))?", re.IGNORECASE | re.ASCII)
# Failover Test 1 (Mo)
LONG_FOLDER = re.compile(
    rf"(?P<before>.+)[ _.-](?P<word>{LONG_WORD}){COUNT}(?:[ _.-]+{DATE_TIME}|[ _.-]*(?:{BRACKETS}))?",
    re.IGNORECASE | re.ASCII,
)
# 1. Versuch, 2nd run (Mo)
ORDINAL_FOLDER = re.compile(
    rf"(?P<number>[0-9]{{1,3}})(?:\.|st|nd|rd|th|er|eme|e|o|a)?[ _-]*(?P<word>{LONG_WORD}|{EVENT_WORD})"
    rf"(?:[ _.-]+{DATE_TIME}|[ _.-]*(?:{BRACKETS}))?",
    re.IGNORECASE | re.ASCII,
)
ABOUT = rf"(?:{LONG_WORD}|{EVENT_WORD})(?![A-Za-z])"
# 2003-07-28, 28.07.2003 Test am Vormittag, Failover of 2003-07-28
DATE_FOLDER = re.compile(
    rf"(?:{DATE_TIME}|{DAY_FIRST})(?:[ _.#-]+[0-9]{{1,3}})?"  # 2003-07-28_2: the second of a day
    rf"|(?:{DATE_TIME.replace('dash', 'line')}|{DAY_FIRST})[ _-]+(?:[^/]{{0,60}}[ _-])?{ABOUT}.*"
    rf"|{ABOUT}[ _-]+(?:[a-z]{{2,4}}[ _-]+)?(?:{DATE_TIME.replace('dash', 'rule')}|{DAY_FIRST})",
    re.IGNORECASE | re.ASCII,
)
NUMBER_FOLDER = re.compile(r"[0-9]{1,9}", re.ASCII)
# nearsync_run03; a point before the number would be a rotation suffix: messages_run.1
RUN_STEM = re.compile(rf"(?:^|[ ._-])(?P<run>{WORD}[ _#-]?(?P<number>[0-9]{{1,9}}))$", re.IGNORECASE | re.ASCII)
# Test 1 - A - messages
STEM_PREFIX = re.compile(
    rf"(?P<run>(?P<word>{LONG_WORD}|{EVENT_WORD})[ _#-]?(?P<number>[0-9]{{1,3}}))(?=[ _-])", re.IGNORECASE | re.ASCII
)
# run01_node1, Test 1 - Client; node1_run01
WITH_REST = (
    re.compile(rf"(?P<run>{WORD}[ _#-]?[0-9]{{1,3}})[ _.,-]+(?P<rest>\D.*)", re.IGNORECASE | re.ASCII),
    re.compile(rf"(?P<rest>.+?)[ _.,-]+(?P<run>{WORD}[ _#-]?[0-9]{{1,3}})", re.IGNORECASE | re.ASCII),
)

MOST_CHARACTERS = 255
"""Of the name of a folder; a longer one is cut."""

KEPT = 4096
"""How many names are remembered with what they mean: each is looked up many times while files are placed."""

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


@lru_cache(KEPT)
def _run_of_stem(name: str) -> NamedRun | None:
    for stem in stems_of(name):
        match = RUN_STEM.search(stem)
        if match is not None:
            word = match["word"].lower()
            return NamedRun(match["run"], int(match["number"]), word, None, "file name", f"file name {stem}")
    begun = STEM_PREFIX.match(name)
    if begun is not None:
        word = begun["word"].lower()
        return NamedRun(begun["run"], int(begun["number"]), word, None, "file name", f"file name {name}")
    return None


@lru_cache(KEPT)
def run_and_rest(folder: str) -> tuple[str, str] | None:
    """The run that a folder's name begins or ends with, and what the rest of the name is."""
    found = (each.fullmatch(folder[:MOST_CHARACTERS]) for each in WITH_REST)
    return next(((match["run"], match["rest"]) for match in found if match), None)


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
    if DATE_FOLDER.fullmatch(folder[:MOST_CHARACTERS]):
        return NamedRun(folder, None, None, index, "folder", source)
    if index in above and is_number(folder):
        return NamedRun(folder, int(folder), None, index, "folder", source)
    return None


@lru_cache(KEPT)
def _run_match(folder: str) -> re.Match[str] | None:
    """The word and the number in the name of a run."""
    name = folder[:MOST_CHARACTERS]
    return RUN_FOLDER.fullmatch(name) or ORDINAL_FOLDER.fullmatch(name) or LONG_FOLDER.fullmatch(name)


@lru_cache(KEPT)
def kind_of_run(folder: str) -> str:
    """What was done in a run by its name: Failover of Failover Test 1 and of Failover 2; else nothing."""
    match = _run_match(folder)
    if match is None:
        return ""
    if re.fullmatch(EVENT_WORD, match["word"], re.IGNORECASE):
        return match["word"]
    return str(match.groupdict().get("before") or "").strip(" _.-")


@lru_cache(KEPT)
def is_run(folder: str) -> bool:
    """Return whether a folder of this name is a run wherever it is."""
    return _run_match(folder) is not None or DATE_FOLDER.fullmatch(folder[:MOST_CHARACTERS]) is not None


def is_number(folder: str) -> bool:
    """Return whether a folder's name is a bare number, which is a run in some places only."""
    return NUMBER_FOLDER.fullmatch(folder) is not None


def number_of(run: str) -> int | None:
    """The last number in the text of a run."""
    match = re.search(r"([0-9]{1,9})\D*$", run, re.ASCII)
    return int(match[1]) if match else None
