"""Values that follow from files of the program alone and take time to make, such as rules.

A process makes each once. Where it has a place for them, named by `keep_in`, the processes of one version of the
program make each once together.
"""

import pickle
from collections.abc import Callable
from functools import cache
from typing import TypeVar

Value = TypeVar("Value")
Place = Callable[[str, Callable[[], bytes]], bytes | None]
"""Gives what was kept under a name, or what is made instead; None where nothing can be kept."""


class _Kept:
    """Where values are kept between processes."""

    place: Place | None = None


def keep_in(place: Place | None) -> None:
    """Keep values there from now on; None: nowhere."""
    _Kept.place = place


def derived(make: Callable[[], Value]) -> Callable[[], Value]:
    """A function without arguments whose value follows from files of the program alone."""

    @cache
    def value() -> Value:
        made: list[Value] = []

        def content() -> bytes:
            made.append(make())
            return pickle.dumps(made[0])

        kept = _Kept.place(f"{make.__module__}.{make.__qualname__}", content) if _Kept.place else None
        if made:
            return made[0]
        return make() if kept is None else pickle.loads(kept)  # noqa: S301  our own

    value.__doc__ = make.__doc__
    return value
