"""The mistakes in a study.toml, all at once: each with file, line, place, what was expected and the nearest known key.

pydantic finds them and gives the path of each, such as `run`, 1, `fault`; tomllib gives no lines, so that they are
looked up here.
"""

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pipeline.errors import UsageError
from pipeline.study.manifest_values import shown

Path = Sequence[int | str]

BARE_OR_QUOTED = r"""[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
HEAD = re.compile(
    rf"^\s*\[{{1,2}}(?P<keys>\s*(?:{BARE_OR_QUOTED})(?:\s*\.\s*(?:{BARE_OR_QUOTED}))*\s*)\]{{1,2}}\s*(?:#.*)?$"
)
KEY = re.compile(rf"^\s*(?P<keys>(?:{BARE_OR_QUOTED})(?:\s*\.\s*(?:{BARE_OR_QUOTED}))*)\s*=")
THREE_QUOTES = ('"' * 3, "'" * 3)
MARK = re.compile("|".join([*THREE_QUOTES, r'"(?:[^"\\]|\\.)*"', "'[^']*'", r"[#\[\]{}]"]))
"""What matters in a line of TOML for where a value ends."""

EXPECTED = {
    "string_type": 'text in quotes, such as "…"',
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "datetime_type": "a date and time, such as 2003-07-28T10:27:04-04:00",
    "tuple_type": 'a list of texts, such as ["a", "b"]',
    "greater_than_equal": "a number from {ge:g} on",
    "greater_than": "a number above {gt:g}",
    "less_than_equal": "a number up to {le:g}",
}
"""What was expected, by pydantic's type of the error."""


class EntryError(ValueError):
    """What is wrong with a table as a whole: `key` in view of the others; without one, what the table needs."""

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True)
class Document:
    """A file to look mistakes up in: its model, its text, and its name in messages."""

    model: type[BaseModel]
    text: str
    source: str

    def error(self, found: ValidationError) -> UsageError:
        """All mistakes in the order of lines, a line of the message each; to be raised."""
        messages = [(self._line(each["loc"]), self._message(each)) for each in found.errors()]
        messages.sort(key=lambda each: int(each[0].removeprefix(":") or 0))
        return UsageError("\n".join(dict.fromkeys(message for _, message in messages)))

    def lacking(self, path: Path, what: str) -> UsageError:
        """What the table at a path needs; to be raised."""
        return UsageError(self._lacking(path, what))

    def _lacking(self, path: Path, what: str) -> str:
        return f"{self.source}{self._line(path)}: {_table(path)} needs {what}"

    def _message(self, error: ErrorDetails) -> str:
        path, kind, reason = error["loc"], error["type"], error.get("ctx", {}).get("error")
        if kind == "missing":
            return self._lacking(path[:-1], f"a key {path[-1]!r}")
        if isinstance(reason, EntryError):
            if reason.key is None:
                return self._lacking(path, str(reason))
            path = (*path, reason.key)
        while isinstance(path[-1], int):  # an item of a list is a mistake in the key that has the list
            path, kind = path[:-1], "tuple_type"
        key, where = str(path[-1]), _table(path[:-1])
        place = f"{self.source}{self._line(path)}"
        if kind == "extra_forbidden":
            known = self._keys(path[:-1])
            hint = nearest(key, known) or f"; known keys: {', '.join(known)}"
            return f"{place}: unknown key {key!r} in {where}{hint}"
        return f"{place}: {key!r} in {where}: {reason or _expected(kind, path, error)}"

    def _keys(self, path: Path) -> list[str]:
        """The keys that the table at a path may have."""
        fields = {field.alias or name: field for name, field in self.model.model_fields.items()}
        if not path:
            return list(fields)
        types = (fields[str(path[0])].annotation, *get_args(fields[str(path[0])].annotation))
        return list(next(each for each in types if hasattr(each, "model_fields")).model_fields)

    def _line(self, path: Path) -> str:
        """The line of the key at a path; of a key inside a value, that of the value. Empty where none is found."""
        places = _places(self.text)
        while path:
            if tuple(path) in places:
                return f":{places[tuple(path)]}"
            path = path[:-1]
        return ""


@lru_cache(maxsize=1)  # of one file, for all its mistakes
def _places(text: str) -> dict[tuple[int | str, ...], int]:
    """The line of each table head and key, by the path that pydantic gives: `run`, 1, `fault`."""
    places: dict[tuple[int | str, ...], int] = {}
    counts: Counter[tuple[int | str, ...]] = Counter()
    table: tuple[int | str, ...] = ()
    quotes, depth = "", 0  # of a value that goes on: what ends a text of several lines, and the brackets that are open
    for number, line in enumerate(text.split("\n"), 1):
        value = line
        if not quotes and not depth:
            if head := HEAD.match(line):
                table = _keys_of(head["keys"])
                if line.lstrip().startswith("[["):
                    counts[table] += 1
                    table = (*table, counts[table] - 1)
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


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint at the known word that was probably meant; empty where none is near."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return f"; the nearest known is {near[0]!r}" if near else ""


def _expected(kind: str, path: Path, error: ErrorDetails) -> str:
    """What the key at a path should have held, and what it holds."""
    value, is_top = error["input"], len(path) == 1
    if kind == "literal_error" and isinstance(value, str):
        words = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"expected one of {', '.join(words)}, found {value!r}{nearest(value, words)}"
    if kind == "tuple_type" and is_top:
        expected = f"a list of tables, each headed [[{path[0]}]]"
    elif kind in {"dict_type", "model_type"}:
        head = _table(path)
        expected = f"a table, {head}" if head.startswith("[") else "a table in braces, such as { key = 1 }"
    else:
        kind = {"literal_error": "string_type"}.get(kind, kind)
        expected = EXPECTED.get(kind, error["msg"]).format(**error.get("ctx", {}))
    return f"expected {expected}, found {shown(value)}"


def _table(path: Path) -> str:
    """The head of the table at a path, as the file has it."""
    if not path:
        return "the top level"
    if len(path) > 1 and isinstance(path[1], int):
        item = f"[[{path[0]}]] number {path[1] + 1}"
        return " of ".join([*(f"{each!r}" for each in reversed(path[2:])), item])
    return f"[{'.'.join(_quoted(str(each)) for each in path)}]"


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)
