"""A figure's specification for a narrow screen: shorter names, a smaller plot, larger letters, fewer ticks."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from reports.figures.model import LABEL_WIDTH, TEXT_WIDTH, Spec

NARROW_WIDTH: Final = 400
"""Between the edges of the picture; a telephone shows it at nine tenths of this."""

NARROW_LABEL_WIDTH: Final = 118
NARROW_LABEL_CHARACTERS: Final = 17
LETTERS: Final = 1.6
"""How much larger letters are, pixels."""

LINE_HEIGHT: Final = 13.5
LEAST_WIDTH: Final = 130
MOST_TICKS: Final = 4
WIDE_LABELS: Final = LABEL_WIDTH - 8
"""Extent of an axis of names, by which it is known."""


def narrowed(spec: Spec) -> Spec | None:
    """The specification for a narrow screen; None for a drawing whose marks have fixed places."""
    views = list(_views(spec))
    if not views or any(not isinstance(view.get("width"), int | float) for view in views):
        return None
    if any(view["width"] >= TEXT_WIDTH for view in views) or _has_fixed_words(spec):
        return None
    has_names = WIDE_LABELS in _extents(spec)
    names = set(_names(spec))
    lost = TEXT_WIDTH - NARROW_WIDTH - (LABEL_WIDTH - NARROW_LABEL_WIDTH if has_names else 0)
    widths = {float(view["width"]): max(LEAST_WIDTH, round(view["width"] - lost)) for view in views}
    lines = max((value.count("\n") + 1 for value in map(_rewrapped, _labels(spec, names))), default=1)
    found = _Narrow(names, widths, lines * LINE_HEIGHT + 2).of(spec)
    return found if isinstance(found, dict) else None


def _views(spec: object) -> Iterator[Spec]:
    """The views that hold marks, from the outside in."""
    if isinstance(spec, dict):
        if "layer" in spec or "mark" in spec:
            yield spec
            return
        for key in ("vconcat", "hconcat", "concat", "spec"):
            yield from _views(spec.get(key))
    elif isinstance(spec, list):
        for each in spec:
            yield from _views(each)


def _has_fixed_words(spec: object) -> bool:
    """Whether words have a fixed place left of a plot, where no axis makes room for them."""
    if isinstance(spec, Mapping):
        x = spec.get("x")
        return (isinstance(x, int | float) and x < 0) or any(map(_has_fixed_words, spec.values()))
    return isinstance(spec, list | tuple) and any(map(_has_fixed_words, spec))


def _extents(spec: object) -> set[object]:
    if isinstance(spec, Mapping):
        own = {spec.get("minExtent")}
        return own.union(*map(_extents, spec.values()))
    return set().union(*map(_extents, spec)) if isinstance(spec, list | tuple) else set()


def _names(spec: object) -> Iterator[str]:
    """The fields that an axis of names shows."""
    if isinstance(spec, Mapping):
        axis = spec.get("axis")
        if isinstance(axis, Mapping) and axis.get("minExtent") == WIDE_LABELS and "field" in spec:
            yield str(spec["field"])
        for each in spec.values():
            yield from _names(each)
    elif isinstance(spec, list | tuple):
        for each in spec:
            yield from _names(each)


def _labels(spec: object, names: set[str]) -> Iterator[str]:
    if isinstance(spec, Mapping):
        for key, value in spec.items():
            if key in names and isinstance(value, str):
                yield value
            else:
                yield from _labels(value, names)
    elif isinstance(spec, list | tuple):
        for each in spec:
            yield from _labels(each, names)


def _rewrapped(label: str) -> str:
    plain = label.replace("\n", " ")
    return "\n".join(textwrap.wrap(plain, NARROW_LABEL_CHARACTERS, break_on_hyphens=False)) or label


class _Narrow:
    def __init__(self, names: set[str], widths: Mapping[float, int], step: float) -> None:
        self.names = names
        self.widths = widths
        self.step = step

    def of(self, value: object, key: str = "", *, is_sorted: bool = False) -> object:
        if isinstance(value, dict):
            inner = value.get("field") in self.names
            return {name: self.of(each, name, is_sorted=inner and name == "sort") for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(each, key, is_sorted=is_sorted) for each in value]
        if isinstance(value, str):
            return _rewrapped(value) if key in self.names or is_sorted else value
        return self._number(value, key) if isinstance(value, int | float) and not isinstance(value, bool) else value

    def _number(self, value: float, key: str) -> float:
        is_extent = key in ("minExtent", "maxExtent") and value == WIDE_LABELS
        changed: dict[str, float] = {
            "width": self.widths.get(float(value), value),
            "step": max(value, self.step) if self.names else value,
            "tickCount": min(value, MOST_TICKS),
            "columns": 1,
            "dx": value + LABEL_WIDTH - NARROW_LABEL_WIDTH if value <= -WIDE_LABELS else value,
            "x": self._beside(value),
        }
        if is_extent:
            return NARROW_LABEL_WIDTH - 8
        if key.endswith("ontSize"):
            return value + LETTERS
        return changed.get(key, value)

    def _beside(self, value: float) -> float:
        """A place right of the plot moves with its edge."""
        wide = next((each for each in self.widths if each <= value <= each + 40), None)
        return value if wide is None else value - wide + self.widths[wide]
