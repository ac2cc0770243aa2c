"""Words of the templates that the parsers know: they name nobody."""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Final

WORD: Final = re.compile(r"[^\W\d_]{2,}")


@cache
def template_words() -> frozenset[str]:
    """All words of the rules and patterns, in lower case."""
    return frozenset(chain.from_iterable(_words(files("parsers"))))


def _words(place: Traversable) -> list[set[str]]:
    if place.is_dir():
        return [words for each in place.iterdir() for words in _words(each)]
    if not place.name.endswith((".py", ".toml")):
        return []
    return [{word.casefold() for word in WORD.findall(place.read_text(encoding="utf-8"))}]
