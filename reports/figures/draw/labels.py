"""Places of words beside marks and of notes above a plot, so that none covers another."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot

from reports.figures.draw.ink import Box, Ink, Look, Path, Point, Text, is_clear, overlap
from reports.figures.draw.scene import Label, Note
from reports.figures.draw.style import INK, LABEL, MUTED, RULE, SMALL
from reports.figures.draw.text import lines, width
from reports.typeset.text import shortened

NOTE_HEIGHT, NOTE_DESCENT = 12.0, 2.5
MOST_OF_A_NOTE = 48
BESIDE_ITS_RULE = 3.0
AROUND, FAR = 7.0, 12.0
"""How far free words are from their place, pixels; and from where on a line leads to them."""


@dataclass(frozen=True, slots=True)
class Notes:
    """Texts of notes in rows above a plot; their rules begin beside them, at `tops`."""

    texts: tuple[Text, ...]
    places: tuple[tuple[float, float, str], ...]
    bottom: float

    def rules(self, bottom: float) -> Iterator[Path]:
        """A line from each text to the bottom of the plot."""
        look = Look(stroke=MUTED, dash=(2, 2))
        for x, top, words in self.places:
            yield Path(((x, top), (x, bottom)), look, words)


def placed_notes(
    notes: Sequence[Note], along: Callable[[float], float], edges: tuple[float, float], top: float
) -> Notes:
    """The text of each note once, at its first rule, in a row below every text that reaches over that rule."""
    first: dict[str, float] = {}
    for note in sorted(notes, key=lambda note: note.x):
        first.setdefault(note.text, along(note.x))
    texts: list[Text] = []
    tops: dict[str, float] = {}
    for text, placed in _sides(first, edges):
        left, _, right, _ = placed.box
        reach = min(left, first[text]) - BESIDE_ITS_RULE, max(right, first[text]) + BESIDE_ITS_RULE
        above = [each.y for each in texts if each.box[0] < reach[1] and reach[0] < each.box[2]]
        y = max(above, default=top - NOTE_DESCENT) + NOTE_HEIGHT
        texts.append(replace(placed, y=y))
        tops[text] = y - SMALL
    bottom = max((each.y + 2 * NOTE_DESCENT for each in texts), default=top)
    places = [(along(note.x), note) for note in notes]
    rules = [(x, tops[note.text] if x == first[note.text] else bottom, note.words) for x, note in places]
    return Notes(tuple(texts), tuple(rules), bottom)


def _sides(first: Mapping[str, float], edges: tuple[float, float]) -> list[tuple[str, Text]]:
    """Texts right of their rules; those that would reach over the edge, or over the rule of such a one, left of them.

    These come first, from the right on, so that no rule runs through the words of another.
    """
    rightward: list[tuple[str, Text]] = []
    leftward: list[tuple[str, Text]] = []
    end = edges[1]
    for text, x in reversed(list(first.items())):
        room = max(end - x, x - edges[0]) - 2 * BESIDE_ITS_RULE
        (shown,) = lines(shortened(text, MOST_OF_A_NOTE), SMALL, room, most=1)
        if x + BESIDE_ITS_RULE + width(shown, SMALL) > end:
            leftward.append((text, Text(x - BESIDE_ITS_RULE, 0.0, shown, SMALL, INK, "end")))
            end = x
        else:
            rightward.insert(0, (text, Text(x + BESIDE_ITS_RULE, 0.0, shown, SMALL, INK)))
    return [*leftward, *rightward]


def placed_labels(
    labels: Iterable[Label],
    place: tuple[Callable[[float], float], Callable[[float], float]],
    taken: Sequence[Box],
    room: Box,
) -> list[Ink]:
    """The words with a place each; optional ones only where they cover nothing."""
    found: list[Ink] = []
    boxes = list(taken)
    for label in labels:
        text = _beside(label, place)
        if label.is_free:
            start = text.x, text.y - 0.35 * LABEL
            text = _free(text, boxes, room)
            found += _leader(start, text.box)
        if label.is_optional and not is_clear(text.box, [ink.box for ink in found]):
            continue
        found.append(text)
        boxes.append(text.box)
    return found


def _leader(start: Point, box: Box) -> list[Ink]:
    """A line from a place to words that are not beside it."""
    x, y = min(max(start[0], box[0]), box[2]), min(max(start[1], box[1]), box[3])
    return [Path((start, (x, y)), Look(stroke=RULE, width=0.7))] if hypot(x - start[0], y - start[1]) > FAR else []


def _beside(label: Label, place: tuple[Callable[[float], float], Callable[[float], float]]) -> Text:
    x, y = place[0](label.x), place[1](label.y)
    if label.is_above:
        return Text(x, y - 3.0, label.text, SMALL, label.colour, "middle")
    text = Text(x + label.dx, y + label.dy + 0.35 * LABEL, label.text, LABEL, label.colour)
    if label.past is not None:
        rule = place[0](label.past)
        if x < rule < text.box[2] + 2.0:
            return Text(rule + label.dx, text.y, text.text, text.size, text.colour)
    return text


def _free(text: Text, taken: Sequence[Box], room: Box) -> Text:
    """The words at the first of several places around their own that are free, else at the one that covers least."""
    length, height = width(text.text, text.size), text.size
    shifts = [
        (x, y)
        for far in (1.0, 2.5, 4.0, 6.0)
        for x, y in (
            (AROUND * far, 0.0),
            (-length - AROUND * far, 0.0),
            (AROUND, -height * far),
            (AROUND, height * far),
            (-length - AROUND, -height * far),
            (-length - AROUND, height * far),
            (-length / 2, -height * (far + 0.5)),
            (-length / 2, height * (far + 0.5)),
        )
    ]

    def covered(shift: tuple[float, float]) -> int:
        left, top, right, bottom = box = text.moved(*shift).box
        is_out = left < room[0] or top < room[1] or right > room[2] or bottom > room[3]
        return 100 * is_out + sum(overlap(box, other) for other in taken)

    return text.moved(*min(shifts, key=covered))
