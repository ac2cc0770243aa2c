"""The known name that a person meant who wrote another one, and how a message hints at it."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Final

LEAST_LIKENESS: Final = 0.6
"""Of two names of which one may be a misspelling of the other."""

SYNONYMS: Final = {"=>": ">=", "≥": ">=", "=<": "<=", "≤": "<=", "<>": "!=", "≠": "!="}
"""Signs that look like another one, or like none, by the one that they mean."""

SHOWN_NAMES: Final = 12


def close_names(word: str, known: Iterable[str], most: int = 1) -> list[str]:
    """The known names that are like a word, the most alike first.

    Upper and lower case are the same; of known names that differ in nothing else, the first one is given.
    """
    if SYNONYMS.get(word) in (known := list(known)):
        return [SYNONYMS[word]]
    by_folded = {each.casefold(): each for each in reversed(known)}
    return [by_folded[each] for each in get_close_matches(word.casefold(), by_folded, most, LEAST_LIKENESS)]


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that was probably meant; empty where none is near."""
    return "".join(f"; the nearest known is {each!r}" for each in close_names(word, known))


def hint(word: str, known: Collection[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, else the first of all."""
    return nearest(word, known) or listed(known)


def listed(known: Collection[str]) -> str:
    """The end of a message about a name that is like none of those known."""
    names = sorted(known)
    if not names:
        return "; there is none"
    return f"; known: {', '.join(names[:SHOWN_NAMES])}{', ...' if len(names) > SHOWN_NAMES else ''}"
