"""Ink as SVG: text as text, marks that say what they stand for, and few elements."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from reports.figures.draw.ink import Disc, Ink, Look, Path, Text
from reports.typeset import fonts
from reports.typeset.text import visible, visible_lines


def written(inks: Iterable[Ink], *, is_spoken: bool) -> str:
    """The elements. `is_spoken`: with the words of marks; without, marks of one look are one element, as for print."""
    parts: list[str] = []
    for has_words, group in groupby(inks, lambda ink: is_spoken and not isinstance(ink, Text) and bool(ink.words)):
        alike = list(group)
        if has_words:
            parts += [_spoken(ink) for ink in alike if not isinstance(ink, Text)]
            continue
        silent = "".join(_silent(alike))
        parts.append(f'<g aria-hidden="true">{silent}</g>' if is_spoken else silent)
    return f'<g font-family="{fonts.SANS}">{"".join(parts)}</g>'


def _spoken(ink: Path | Disc) -> str:
    words = escape(visible_lines(ink.words))
    return f'<path role="img" aria-label="{words}" d="{_outline(ink)}"{_look(ink.look)}/>'


def _silent(inks: Iterable[Ink]) -> Iterator[str]:
    for key, alike in groupby(inks, _shared):
        if isinstance(key, Text):
            yield from (_text(ink) for ink in alike if isinstance(ink, Text))
        else:
            shapes = [ink for ink in alike if not isinstance(ink, Text)]
            yield f'<path d="{"".join(map(_outline, shapes))}"{_look(shapes[0].look)}/>'


def _shared(ink: Ink) -> object:
    """What the shapes of one element have in common: those that let others shine through stay apart."""
    if isinstance(ink, Text) or ink.look.opacity < 1:
        return ink
    return ink.look


def _outline(ink: Path | Disc) -> str:
    if isinstance(ink, Disc):
        r, across = short(ink.radius), short(2 * ink.radius)
        return f"M{short(ink.x - ink.radius)},{short(ink.y)}a{r},{r},0,1,0,{across},0a{r},{r},0,1,0,-{across},0z"
    points = "L".join(f"{short(x)},{short(y)}" for x, y in ink.points)
    return f"M{points}{'z' if ink.is_closed else ''}"


def _look(look: Look) -> str:
    stroke = f' stroke="{look.stroke}" stroke-width="{short(look.width)}"' if look.stroke else ""
    dash = f' stroke-dasharray="{",".join(map(short, look.dash))}"' if look.dash else ""
    opacity = f' opacity="{short(look.opacity)}"' if look.opacity < 1 else ""
    return f' fill="{look.fill or "none"}"{stroke}{dash}{opacity}'


def _text(ink: Text) -> str:
    anchor = f' text-anchor="{ink.anchor}"' if ink.anchor != "start" else ""
    weight = ' font-weight="600"' if ink.is_bold else ""
    place = f'x="{short(ink.x)}" y="{short(ink.y)}" font-size="{short(ink.size)}"'
    return f'<text {place} fill="{ink.colour}"{anchor}{weight}>{escape(visible(ink.text), quote=False)}</text>'


def short(number: float) -> str:
    """A coordinate, as finely as anyone can see."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
