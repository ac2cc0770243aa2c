"""Words that name nobody: those of the templates, rules and statements, and `words.toml`."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

WORD: Final = re.compile(r"[^\W0-9_]{2,}")
WORDS: Final = {
    name: frozenset(listed.split())
    for name, listed in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8")).items()
}
ENDINGS: Final = ("s", "es", "d", "ed", "r", "er", "ing", "ly", "al")
"""A known word with one of these is known."""

LEAST_STEM: Final = 4


@cache
def template_words() -> frozenset[str]:
    """All words of rules, patterns and statements, in lower case."""
    return _words_of((".py", ".toml", ".sql"))


@cache
def message_words() -> frozenset[str]:
    """The words of rules alone, which say what a line means, and of `words.toml`."""
    return _words_of((".toml",))


def _words_of(endings: tuple[str, ...]) -> frozenset[str]:
    own = Path(__file__).parent
    found = (each for room in ("parsers", "pipeline") for each in _words(files(room), own, endings))
    return frozenset(set().union(*found, *WORDS.values()))


@cache
def is_known(word: str) -> bool:
    """Return whether a word without digits is one of the templates', or one of them with an ending."""
    low = word.casefold()
    known = template_words()
    return low in known or any(
        low.endswith(ending) and len(low) - len(ending) >= LEAST_STEM and low[: -len(ending)] in known
        for ending in ENDINGS
    )


def unknown_words(text: str) -> list[str]:
    """The words of a text that no template knows."""
    return [each for each in WORD.findall(text) if not is_known(each)]


def without_unknown(text: str, replacement: str) -> str:
    """A text with something else for each word that no template knows."""
    return WORD.sub(lambda found: found[0] if is_known(found[0]) else replacement, text)


def _words(place: Traversable, own: Path, endings: tuple[str, ...]) -> list[set[str]]:
    if place.is_dir():
        inside = place.iterdir() if str(place) != str(own) else ()
        return [words for each in inside for words in _words(each, own, endings)]
    if not place.name.endswith(endings):
        return []
    return [{word.casefold() for word in WORD.findall(place.read_text(encoding="utf-8"))}]
