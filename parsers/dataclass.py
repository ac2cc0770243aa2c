"""Dataclasses that cost a fifth of the time while their module is imported.

`dataclasses.dataclass` compiles six functions for each frozen class. A program of hundreds of classes pays for them at
each start, and uses few. Here `__init__` is compiled when the first instance is made, and no other function is.
A type checker sees the decorator of the standard library.
"""

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(kind: type | None = None, /, *, frozen: bool = False, slots: bool = False) -> Any:  # noqa: ANN401  a class, or what takes one
        """As `dataclasses.dataclass`, of whose options these two are known."""
        if kind is None:
            return lambda each: dataclass(each, frozen=frozen, slots=slots)
        kind.__doc__ = kind.__doc__ or kind.__name__  # else its signature is looked for
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(kind)
        for name, function in _functions(made, frozen=frozen).items():
            if made.__dict__.get(name) is None:  # `__hash__` is None beside an `__eq__`
                setattr(made, name, function)
        return made


def _functions(kind: type, *, frozen: bool) -> dict[str, Any]:
    """The methods of a dataclass by their names."""
    fields = dataclasses.fields(kind)
    compared = _values([each.name for each in fields if each.compare])

    def first_init(self: object, *values: object, **named: object) -> None:
        kind.__init__ = _init(kind, "_set(self, {!r}, {})" if frozen else "self.{} = {}")  # type: ignore[misc]  # of this class alone
        kind.__init__(self, *values, **named)  # type: ignore[misc]  # of this class alone

    def text(self: object) -> str:
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields)
        return f"{type(self).__qualname__}({shown})"

    def equals(self: object, other: object) -> bool:
        return compared(self) == compared(other) if type(self) is type(other) else NotImplemented

    found = {"__init__": first_init, "__repr__": text, "__eq__": equals}
    if not frozen:
        return found | {"__hash__": None}
    found |= {"__hash__": lambda self: hash(compared(self)), "__getstate__": _state, "__setstate__": _restore}
    return found | {"__setattr__": _refuse, "__delattr__": _refuse}


def _values(names: list[str]) -> Any:  # noqa: ANN401  a function of an instance of any class
    """What gives the values of some fields as a tuple."""
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, each) for each in names)


def _init(kind: type, assignment: str) -> Any:  # noqa: ANN401  a function with the fields as parameters
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    parameters, lines = ["self"], ["pass"]
    for each in dataclasses.fields(kind):
        value = each.name if each.init else f"_default_{each.name}"
        has_default = each.default is not MISSING or each.default_factory is not MISSING
        known[f"_default_{each.name}"] = each.default
        known[f"_made_{each.name}"] = each.default_factory
        if each.init:
            parameters.append(f"{each.name}=_default_{each.name}" if has_default else each.name)
        if each.default_factory is not MISSING:
            made = f"_made_{each.name}()"
            value = f"{made} if {each.name} is _MISSING else {each.name}" if each.init else made
        if each.init or has_default:
            lines.append(assignment.format(each.name, value))
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), known)  # noqa: S102  names of fields
    return known["__init__"]


def _state(self: object) -> list[object]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]  # type: ignore[arg-type]  # an instance of one


def _restore(self: object, values: list[object]) -> None:
    for each, value in zip(dataclasses.fields(self), values, strict=True):  # type: ignore[arg-type]  # an instance of one
        object.__setattr__(self, each.name, value)


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"a field of a frozen {type(self).__name__} is never changed: {name}")
