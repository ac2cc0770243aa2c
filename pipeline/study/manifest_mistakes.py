"""The mistakes in a study.toml, all at once: each with file, line, place, what was expected and the nearest known key.

pydantic finds those of single tables and gives the place of each, such as `run`, 1, `fault`; what more tables, the
names of files or the store have to say calls the same `Document` with a place.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from pipeline.errors import UsageError
from pipeline.study.manifest_values import shown
from pipeline.study.toml_lines import Place, lines_of
from pipeline.suggestions import nearest

NOTHING_LEFT_OUT: Mapping[str, Sequence[int]] = {}

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
    """What is wrong with a table as a whole: the key at `place` in view of the others; without one, what it needs."""

    def __init__(self, message: str, *place: int | str) -> None:
        super().__init__(message)
        self.place = place


class PartError(ValueError):
    """Mistakes in a value that another model describes: the options of a kind of figure. `place`: where it is."""

    def __init__(self, part: ValidationError, model: type[BaseModel], *place: int | str) -> None:
        super().__init__(str(part))
        self.part = part
        self.model = model
        self.place = place


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """A mistake in a file: its line, 0 where none is known, and the message."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """A mistake at a place; `is_of_entry`: what a table lacks as a whole."""

    place: Place
    mistake: Mistake
    is_of_entry: bool


def refusal(mistakes: Iterable[Mistake]) -> UsageError:
    """All mistakes in the order of lines, a line of the message each; to be raised."""
    return UsageError("\n".join(dict.fromkeys(each.text for each in sorted(mistakes))))


@dataclass(frozen=True, slots=True)
class Document:
    """A file to look mistakes up in: its model, its text, and its name in messages."""

    model: type[BaseModel]
    text: str
    source: str

    def found(self, error: ValidationError, ordinals: Mapping[str, Sequence[int]] = NOTHING_LEFT_OUT) -> list[Found]:
        """Every mistake that pydantic found. `ordinals`: of the entries of lists that it was given, in the file."""
        return [
            each
            for details in error.errors()
            for each in self._each({**details, "loc": _in_file(details["loc"], ordinals)}, self.model)
        ]

    def wrong(self, place: Sequence[int | str], reason: str) -> Mistake:
        """A value that is refused."""
        key, where = str(place[-1]), _table(place[:-1])
        return self._at(place, f"{key!r} in {where}: {reason}")

    def lacking(self, place: Sequence[int | str], what: str) -> Mistake:
        """What the table at a place needs."""
        return self._at(place, f"{_table(place)} needs {what}")

    def line(self, place: Sequence[int | str]) -> int:
        """The line of the key at a place; of a key inside a value, that of the value. 0 where none is found."""
        known = lines_of(self.text)
        rest = tuple(place)
        while rest and rest not in known:
            rest = rest[:-1]
        return known.get(rest, 0)

    def _at(self, place: Sequence[int | str], message: str) -> Mistake:
        line = self.line(place)
        return Mistake(line, f"{self.source}{f':{line}' if line else ''}: {message}")

    def _each(self, error: ErrorDetails, model: type[BaseModel], above: Place = ()) -> Iterator[Found]:
        reason = error.get("ctx", {}).get("error")
        if isinstance(reason, PartError):
            for details in reason.part.errors():
                yield from self._each(details, reason.model, (*above, *error["loc"], *reason.place))
            return
        yield self._one(error, model, above)

    def _one(self, error: ErrorDetails, model: type[BaseModel], above: Place) -> Found:
        inner, kind, reason = error["loc"], error["type"], error.get("ctx", {}).get("error")
        place = (*above, *inner)
        if kind == "missing":
            return Found(place, self.lacking(place[:-1], f"a key {place[-1]!r}"), is_of_entry=True)
        if isinstance(reason, EntryError):
            if not reason.place:
                return Found(place, self.lacking(place, str(reason)), is_of_entry=True)
            place = (*place, *reason.place)
        while isinstance(place[-1], int):  # an item of a list is a mistake in the key that has the list
            place, kind = place[:-1], "tuple_type"
        if kind == "extra_forbidden":
            key, known = str(place[-1]), _keys(model, inner[:-1])
            hint = "" if above else _hint_for_other_table(key, model, place)
            hint = hint or nearest(key, known) or (f"; known keys: {', '.join(known)}" if known else "; it has no keys")
            return Found(
                place, self._at(place, f"unknown key {key!r} in {_table(place[:-1])}{hint}"), is_of_entry=False
            )
        return Found(place, self.wrong(place, str(reason or _expected(kind, place, error))), is_of_entry=False)


def _in_file(place: Place, ordinals: Mapping[str, Sequence[int]]) -> Place:
    """A place in the file, by that in what is left of it."""
    if len(place) < 2 or not isinstance(place[1], int) or place[0] not in ordinals:
        return place
    return (place[0], ordinals[str(place[0])][place[1]], *place[2:])


def _hint_for_other_table(key: str, model: type[BaseModel], place: Place) -> str:
    """The end of a message about a key that another table of the file has; empty where none has it."""
    heads = [
        f"[{name}]" if table is field.annotation else f"[[{name}]]"
        for name, field in _fields(model).items()
        for table in _tables_in(field.annotation)
        if key in _fields(table) and place[:1] != (name,)
    ]
    return f"; it is a key of {' and of '.join(heads)}" if heads else ""


def _keys(model: type[BaseModel], place: Place) -> list[str]:
    """The keys that the table at a place in a model may have."""
    fields = _fields(model)
    return list(_fields(_tables_in(fields[str(place[0])].annotation)[0])) if place else list(fields)


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a table by their keys in the file."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _tables_in(annotation: object) -> list[type[BaseModel]]:
    """The tables that a type is, or is a list of."""
    types = (annotation, *get_args(annotation))
    return [each for each in types if isinstance(each, type) and issubclass(each, BaseModel)]


def _expected(kind: str, place: Place, error: ErrorDetails) -> str:
    """What the key at a place should have held, and what it holds."""
    value, is_top = error["input"], len(place) == 1
    if kind == "literal_error" and isinstance(value, str):
        words = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"expected one of {', '.join(words)}, found {value!r}{nearest(value, words)}"
    if kind == "tuple_type" and is_top:
        expected = f"a list of tables, each headed [[{place[0]}]]"
    elif kind in {"dict_type", "model_type"}:
        head = _table(place)
        expected = f"a table, {head}" if head.startswith("[") else "a table in braces, such as { key = 1 }"
    else:
        kind = {"literal_error": "string_type"}.get(kind, kind)
        expected = EXPECTED.get(kind, error["msg"]).format(**error.get("ctx", {}))
    return f"expected {expected}, found {shown(value)}"


def _table(place: Sequence[int | str]) -> str:
    """The head of the table at a place, as the file has it."""
    if not place:
        return "the top level"
    if len(place) > 1 and isinstance(place[1], int):
        item = f"[[{place[0]}]] number {place[1] + 1}"
        return " of ".join([*(f"{each!r}" for each in reversed(place[2:])), item])
    return f"[{'.'.join(_quoted(str(each)) for each in place)}]"


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)
