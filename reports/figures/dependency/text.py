"""How wide text is in the font of the figures, and names on as many lines as a box has room for."""

import re

from reports.typeset import fonts
from reports.typeset.text import visible

SEMIBOLD = 1.05
"""How much wider the semibold face is than the regular one; measured 1.03 over names of resources."""
PIECES = re.compile(r"[^-_.:/,\s]*(?:[-_.:/,]+|\s+|$)")


def width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Width of a line, CSS pixels."""
    known = fonts.advances(fonts.SANS)
    total = sum(known.get(ord(character), 0.6) for character in visible(text))
    return total * size * (SEMIBOLD if is_bold else 1.0)


def lines(text: str, size: float, limit: float, *, is_bold: bool = False) -> list[str]:
    """The text on lines no wider than the limit, broken after punctuation, else anywhere."""
    found = [""]
    for piece in _pieces(visible(text), size, limit, is_bold=is_bold):
        if found[-1] and width((found[-1] + piece).rstrip(), size, is_bold=is_bold) > limit:
            found.append("")
        found[-1] += piece
    return [line.rstrip() for line in found]


def _pieces(text: str, size: float, limit: float, *, is_bold: bool) -> list[str]:
    found = []
    for piece in filter(None, PIECES.findall(text)):
        if width(piece.rstrip(), size, is_bold=is_bold) <= limit:
            found.append(piece)
        else:
            found += list(piece)
    return found
