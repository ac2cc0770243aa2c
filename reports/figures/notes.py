"""What a person noted about runs, as rules with texts above the values, in rows where texts would cover each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.store.row import Row
from reports.figures.marks import described, words
from reports.figures.model import MUTED, Spec, most_width

MOST_OF_A_NOTE = 48
BESIDE_ITS_RULE = 3
BELOW = 4
"""Between the last row of texts and the values, pixels."""


@dataclass(frozen=True, slots=True)
class Rows:
    """How tall a row of texts is, and how large their letters are, pixels."""

    height: float
    letters: float


WIDE = Rows(11, 9.5)


def noted(shown: Sequence[Row], x: Spec, width: float) -> list[Spec]:
    """Layers of rules at what was noted and of its texts, each once, at the first run's.

    Other rules begin below all texts. `shown`: rows with x, text and description.
    """
    first = first_of_each(shown)
    if not first:
        return []
    rules, texts = _placed(shown, first, _unit(x, width), WIDE)
    place: Spec = {"x": {**x, "field": "x"}}
    return [
        described(rules, "rule", place, color=MUTED, strokeDash=[2, 2], y={"expr": "datum.top"}, y2="height"),
        words(
            texts,
            "printed",
            place,
            baseline="bottom",
            dx=BESIDE_ITS_RULE,
            y={"expr": "datum.row"},
            fontSize=WIDE.letters,
        ),
    ]


def placed_again(view: Spec, rows: Rows) -> Spec:
    """A view whose width changed, with its notes in the rows that they take now, and higher by what is added."""
    rules, texts = (_layer(view, expression) for expression in ("datum.top", "datum.row"))
    if rules is None or texts is None:
        return view
    shown: list[Row] = rules["data"]["values"]
    first = {each["text"]: each["x"] for each in texts["data"]["values"]}
    unit = _unit(texts["encoding"]["x"], view["width"])
    moved_rules, moved = (
        {**layer, "data": {"values": values}}
        for layer, values in zip((rules, texts), _placed(shown, first, unit, rows), strict=True)
    )
    before, after = (max(each["row"] for each in found["data"]["values"]) for found in (texts, moved))
    height = view["height"] + after - before
    layers = [moved_rules if each is rules else moved if each is texts else each for each in view["layer"]]
    return {**view, "height": height, "layer": [_taller(each, height / view["height"]) for each in layers]}


def _layer(view: Spec, expression: str) -> Spec | None:
    return next((each for each in view.get("layer", ()) if _expression(each) == expression), None)


def _expression(layer: Spec) -> object:
    mark = layer.get("mark")
    y = mark.get("y") if isinstance(mark, Mapping) else None
    return y.get("expr") if isinstance(y, Mapping) else None


def _taller(layer: Spec, factor: float) -> Spec:
    """A layer whose axis of values goes on in the height that is added, so that values stay where they are."""
    y = layer.get("encoding", {}).get("y")
    if y is None or "field" not in y:
        return layer
    low, high = y["scale"]["domain"]
    scale = {**y["scale"], "domain": [low, low + (high - low) * factor]}
    return {**layer, "encoding": {**layer["encoding"], "y": {**y, "scale": scale}}}


def _placed(shown: Sequence[Row], first: Mapping[str, float], unit: float, size: Rows) -> tuple[list[Spec], list[Spec]]:
    """The values of the rules and of the texts."""
    rows = rows_of_notes(first, unit, size.letters)
    below = max(rows.values()) + 1
    rules = [
        {**each, "top": size.height * (rows[each["text"]] if each["x"] == first[each["text"]] else below)}
        for each in shown
    ]
    texts = [
        {"x": place, "text": text, "printed": text[:MOST_OF_A_NOTE], "row": size.height * (rows[text] + 1) - 2}
        for text, place in first.items()
    ]
    return rules, texts


def first_of_each(shown: Sequence[Row]) -> dict[str, float]:
    """The place of each text, from left to right: that of its first run."""
    first = {each["text"]: each["x"] for each in sorted(shown, key=lambda each: -each["x"])}
    return dict(sorted(first.items(), key=lambda each: each[1]))


def rows_of_notes(first: Mapping[str, float], unit: float, letters: float = WIDE.letters) -> dict[str, int]:
    """In which row from the top each text is: below those that reach to its rule, which begins in that row.

    `unit`: what a pixel is of the axis.
    """
    rows: dict[str, int] = {}
    ends: dict[str, float] = {}
    for text, start in first.items():
        rows[text] = max((rows[other] for other, end in ends.items() if start <= end), default=-1) + 1
        ends[text] = start + (2 * BESIDE_ITS_RULE + most_width(text[:MOST_OF_A_NOTE]) * letters) * unit
    return rows


def room(noted_by_panel: Sequence[Sequence[Row]], unit: float, height: float) -> float:
    """How much higher than the highest value an axis is, so that the texts of all panels are above all values."""
    firsts = list(map(first_of_each, noted_by_panel))
    most = max((max(rows_of_notes(each, unit).values()) + 1 for each in firsts if each), default=0)
    return max(1.05, height / max(height - WIDE.height * most - BELOW, height / 3))


def _unit(x: Spec, width: float) -> float:
    low, high = x["scale"]["domain"]
    return float(high - low) / width
