"""A study.toml with mistakes: all of them, and what of it can be used by the checks that need more than one table.

What pydantic refuses is taken out, and the rest is tried again: a table may hide a second mistake behind the first.
What a table lacks only because a part of it was taken out is no mistake.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from pipeline.study.manifest_mistakes import Document, Found, Mistake
from pipeline.study.toml_lines import Place

MOST_ROUNDS = 20
"""More than tables have mistakes that hide one another."""

Each = TypeVar("Each")
Model = TypeVar("Model", bound=BaseModel)
Raw = dict[str, Any]  # what tomllib gives


@dataclass(frozen=True, slots=True)
class Usable(Generic[Model]):
    """What of a file can be used, its mistakes, and the ordinals in the file of the entries left in each list."""

    tables: Model
    mistakes: tuple[Mistake, ...]
    ordinals: Mapping[str, tuple[int, ...]]

    def placed(self, key: str, entries: Sequence[Each]) -> Iterator[tuple[Place, Each]]:
        """The entries of a list, each with its place in the file."""
        yield from (((key, at), each) for at, each in zip(self.ordinals.get(key, ()), entries, strict=True))


def usable(model: type[Model], declared: Raw, document: Document) -> Usable[Model]:
    """Find all mistakes of single tables. `model` is valid without any of them."""
    mistakes: list[Mistake] = []
    taken_out: set[Place] = set()
    spoilt: set[Place] = set()
    for _ in range(MOST_ROUNDS):
        ordinals = _ordinals(declared, taken_out)
        try:
            tables = model.model_validate(_without(declared, taken_out))
        except ValidationError as error:
            found = document.found(error, ordinals)
        else:
            return Usable(tables, tuple(mistakes), ordinals)
        mistakes += [
            each.mistake for each in found if not (each.is_of_entry and _entry(each.place, declared) in spoilt)
        ]
        taken_out |= {_at_fault(each, declared) for each in found}
        spoilt |= {_entry(each.place, declared) for each in found}
    return Usable(model(), tuple(mistakes), {})


def _entry(place: Place, declared: Raw) -> Place:
    """The table of study.toml that a place is in: `run`, 1 or `node`, `sun` or `study`."""
    value = declared.get(str(place[0]))
    is_of_several = isinstance(value, list) or (
        isinstance(value, dict) and len(place) > 1 and isinstance(value.get(str(place[1])), dict)
    )
    return place[: 2 if is_of_several else 1]


def _at_fault(found: Found, declared: Raw) -> Place:
    """What has to be taken out for a mistake: the key of its table, else the table."""
    entry = _entry(found.place, declared)
    key = found.place[: len(entry) + 1]
    return entry if found.is_of_entry or not _is_there(key, declared) else key


def _is_there(place: Place, declared: Raw) -> bool:
    value: Any = declared
    for each in place:
        try:
            value = value[each]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _ordinals(declared: Raw, taken_out: Collection[Place]) -> dict[str, tuple[int, ...]]:
    lists = {key: value for key, value in declared.items() if isinstance(value, list)}
    return {key: tuple(at for at in range(len(value)) if (key, at) not in taken_out) for key, value in lists.items()}


def _without(declared: Raw, taken_out: Collection[Place]) -> Raw:
    """The tables without some keys, entries or tables."""
    if not taken_out:
        return declared

    def rest(value: object, place: Place) -> object:
        if isinstance(value, dict):
            return {key: rest(each, (*place, key)) for key, each in value.items() if (*place, key) not in taken_out}
        if isinstance(value, list) and len(place) == 1:
            return [rest(each, (*place, at)) for at, each in enumerate(value) if (*place, at) not in taken_out]
        return value

    return {key: rest(value, (key,)) for key, value in declared.items() if (key,) not in taken_out}
