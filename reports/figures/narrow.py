"""A figure's specification for a narrow screen: shorter names, a smaller plot, larger letters, fewer ticks."""

from collections.abc import Iterator, Mapping
from math import ceil, log10
from typing import Final

from reports.figures import notes
from reports.figures.model import CONFIG, LABEL_WIDTH, MUTED, TEXT_WIDTH, Spec, most_width
from reports.typeset.text import wrapped

NARROW_WIDTH: Final = 400
"""Between the edges of the picture; a telephone shows it at nine tenths of this."""

NARROW_LABEL_WIDTH: Final = 118
NARROW_LABEL_CHARACTERS: Final = 17
MOST_LABEL_LINES: Final = 6
LETTERS: Final = 1.6
"""How much larger letters are, pixels."""

LINE_HEIGHT: Final = 13.5
LEAST_WIDTH: Final = 130
MARGIN: Final = 16
"""Left and right of a plot without names beside it, pixels."""

HEADING_CHARACTERS: Final = 48
TITLE_CHARACTERS: Final = 42
MOST_TITLE_LINES: Final = 4
SMALL: Final[float] = CONFIG["title"]["subtitleFontSize"]
MOST_TICKS: Final = 4
VIEWS: Final = ("vconcat", "hconcat", "concat")
NOTES: Final = notes.Rows(13, notes.WIDE.letters + LETTERS)
WIDE_LABELS: Final = LABEL_WIDTH - 8
"""Extent of an axis of names, by which it is known."""


def narrowed(spec: Spec, beside: float = 0) -> Spec | None:
    """The specification for a narrow screen; None for a drawing whose marks have fixed places.

    `beside`: pixels that the plot leaves free besides, for words that hang over its right edge.
    """
    spec, is_headed = _with_headings(spec)
    views = list(_views(spec))
    if not views or any(not isinstance(view.get("width"), int | float) for view in views):
        return None
    if any(view["width"] >= TEXT_WIDTH for view in views) or any(map(_words_left_of, views)):
        return None
    has_names = WIDE_LABELS in _extents(spec)
    names = set(_names(spec))
    lost = TEXT_WIDTH - NARROW_WIDTH - (LABEL_WIDTH - NARROW_LABEL_WIDTH if has_names else 0)
    if is_headed:
        lost = TEXT_WIDTH - NARROW_WIDTH - LABEL_WIDTH + MARGIN
    lost += ceil(beside)
    widths = {float(view["width"]): max(LEAST_WIDTH, round(view["width"] - lost)) for view in views}
    lines = max((value.count("\n") + 1 for value in map(_rewrapped, _labels(spec, names))), default=1)
    found = _Narrow(names, widths, lines * LINE_HEIGHT + 2).of(spec)
    return _with_room_for_texts(found) if isinstance(found, dict) else None


def _with_room_for_texts(spec: Spec) -> Spec:
    """The specification without texts that cover each other, as what lies side by side has come nearer."""
    if "layer" in spec:
        view = notes.placed_again(spec, NOTES)
        return {**view, "layer": [_thinned(each, view) for each in view["layer"]]}
    return {**spec, **{key: list(map(_with_room_for_texts, spec[key])) for key in VIEWS if key in spec}}


def _thinned(layer: Spec, view: Spec) -> Spec:
    """Of texts above their values that would cover each other, the one of the greatest value."""
    mark, encoding = layer.get("mark"), layer.get("encoding", {})
    x, y = encoding.get("x", {}), encoding.get("y", {})
    if not isinstance(mark, Mapping) or mark.get("type") != "text" or mark.get("baseline") != "bottom":
        return layer
    if "align" in mark or not all("field" in each and "domain" in each.get("scale", {}) for each in (x, y)):
        return layer
    kept: list[Spec] = []
    boxes: list[tuple[float, float, float]] = []
    for value in sorted(layer["data"]["values"], key=lambda each: -float(each[y["field"]])):
        middle, bottom = (
            view["width"] * _along(x["scale"], value[x["field"]]),
            view["height"] * _along(y["scale"], value[y["field"]]),
        )
        half = most_width(str(value[encoding["text"]["field"]])) * mark["fontSize"] / 2
        if all(
            middle + half < left or right < middle - half or abs(bottom - other) > mark["fontSize"]
            for left, right, other in boxes
        ):
            kept.append(value)
            boxes.append((middle - half, middle + half, bottom))
    return {**layer, "data": {"values": [each for each in layer["data"]["values"] if each in kept]}}


def _along(scale: Spec, value: float) -> float:
    """Where a value is on its axis, as a share."""
    ends = map(float, scale["domain"])
    low, high, place = map(log10, (*ends, value)) if scale.get("type") == "log" else (*ends, value)
    return (place - low) / (high - low)


def _views(spec: object) -> Iterator[Spec]:
    """The views that hold marks, from the outside in."""
    if isinstance(spec, dict):
        if "layer" in spec or "mark" in spec:
            yield spec
            return
        for key in (*VIEWS, "spec"):
            yield from _views(spec.get(key))
    elif isinstance(spec, list):
        for each in spec:
            yield from _views(each)


def _with_headings(spec: Spec) -> tuple[Spec, bool]:
    """The specification with the words left of its panels above them, and whether there are such words."""
    panels = spec.get("vconcat")
    if not isinstance(panels, list) or not all(map(_words_left_of, panels)):
        return spec, False
    return {**spec, "vconcat": [_headed(panel) for panel in panels]}, True


def _headed(panel: Spec) -> Spec:
    (label,) = _words_left_of(panel)
    lines = wrapped(_text_of(label), HEADING_CHARACTERS, MOST_TITLE_LINES)
    size: Spec = {"offset": 6, "dx": 0}
    own = panel.get("title")
    if own:
        title = {**own, **size, "subtitle": lines}
    else:
        title = {**size, "text": lines, "fontSize": SMALL, "fontWeight": "normal", "color": MUTED}
    return {**panel, "title": title, "layer": [each for each in panel["layer"] if each is not label]}


def _text_of(words: Spec) -> str:
    (row,) = words["data"]["values"]
    return str(row["name"])


def _words_left_of(view: Spec) -> list[Spec]:
    """The words with a fixed place left of a plot, where no axis makes room for them."""
    return [each for each in view.get("layer", ()) if _is_left(each.get("mark"))]


def _is_left(mark: object) -> bool:
    x = mark.get("x") if isinstance(mark, Mapping) else None
    return isinstance(x, int | float) and x < 0


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
    return "\n".join(wrapped(plain, NARROW_LABEL_CHARACTERS, MOST_LABEL_LINES))


class _Narrow:
    def __init__(self, names: set[str], widths: Mapping[float, int], step: float) -> None:
        self.names = names
        self.widths = widths
        self.step = step

    def of(self, value: object, key: str = "", *, is_sorted: bool = False) -> object:
        if isinstance(value, dict):
            if key == "title" and isinstance(value.get("text"), str):
                value = {**value, "text": wrapped(value["text"], TITLE_CHARACTERS, MOST_TITLE_LINES)}
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
