"""The lines of a TOML file: that of each table head and key. tomllib gives none."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

Place = tuple[int | str, ...]
"""Where something is in a TOML file, as pydantic gives it: `run`, 1, `fault_at`."""

BARE_OR_QUOTED = r"""[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
HEAD = re.compile(
    rf"^\s*\[{{1,2}}(?P<keys>\s*(?:{BARE_OR_QUOTED})(?:\s*\.\s*(?:{BARE_OR_QUOTED}))*\s*)\]{{1,2}}\s*(?:#.*)?$"
)
KEY = re.compile(rf"^\s*(?P<keys>(?:{BARE_OR_QUOTED})(?:\s*\.\s*(?:{BARE_OR_QUOTED}))*)\s*=")
THREE_QUOTES = ('"' * 3, "'" * 3)
MARK = re.compile("|".join([*THREE_QUOTES, r'"(?:[^"\\]|\\.)*"', "'[^']*'", r"[#\[\]{}]"]))
"""What matters in a line of TOML for where a value ends."""


@lru_cache(maxsize=1)  # of one file, for all its mistakes
def lines_of(text: str) -> dict[Place, int]:
    """The line of each table head and key, by the path that pydantic gives: `run`, 1, `fault`."""
    places: dict[Place, int] = {}
    counts: Counter[Place] = Counter()
    table: Place = ()
    quotes, depth = "", 0  # of a value that goes on: what ends a text of several lines, and the brackets that are open
    for number, line in enumerate(text.split("\n"), 1):
        value = line
        if not quotes and not depth:
            if head := HEAD.match(line):
                table = _with_ordinals(_keys_of(head["keys"]), counts, is_item=line.lstrip().startswith("[["))
                places.setdefault(table, number)
                continue
            if key := KEY.match(line):
                places.setdefault((*table, *_keys_of(key["keys"])), number)
                value = line[key.end() :]
        quotes, depth = _open_after(value, quotes, depth)
    return places


def _keys_of(dotted: str) -> tuple[str, ...]:
    return tuple(each.strip("\"'") for each in re.findall(BARE_OR_QUOTED, dotted))


def _open_after(value: str, quotes: str, depth: int) -> tuple[str, int]:
    """The quotes and the number of brackets that are open after a line of a value."""
    place = 0
    while True:
        if quotes:
            end = value.find(quotes, place)
            if end < 0:
                return quotes, depth
            place, quotes = end + 3, ""
        found = MARK.search(value, place)
        if found is None or found[0] == "#":
            return quotes, depth
        place = found.end()
        if found[0] in THREE_QUOTES:
            quotes = found[0]
        elif found[0] in "[{":
            depth += 1
        elif found[0] in "]}":
            depth = max(0, depth - 1)


def _with_ordinals(keys: Iterable[str], counts: Counter[Place], *, is_item: bool) -> Place:
    """The place of a table that is headed by these keys: `figure`, 2, `options` below the third [[figure]]."""
    place: Place = ()
    for key in keys:
        if place in counts:
            place = (*place, counts[place] - 1)
        place = (*place, key)
    if is_item:
        counts[place] += 1
    return (*place, counts[place] - 1) if is_item else place
