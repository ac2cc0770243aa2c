"""How wide text is in the font of the figures, and names on as many lines as there is room for."""

import re
from collections.abc import Callable

from reports.typeset import fonts
from reports.typeset.text import cells, shortened, visible

SEMIBOLD = 1.05
"""How much wider the semibold face is than the regular one; measured 1.03 over names of resources."""
UNKNOWN = 0.62
"""Width of a cell that another font draws, in sizes of the font."""
ROUNDING = 1e-6
"""Limits are sums of widths less others: the name that a limit was made for fits."""

PIECES = re.compile(r"[^-_.:/,;\s]*(?:[-_.:/,;]+|\s+|$)")


def width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Width of a line, CSS pixels."""
    known = fonts.advances(fonts.SANS)
    total = sum(known.get(ord(each)) or UNKNOWN * cells(each) for each in visible(text))
    return total * size * (SEMIBOLD if is_bold else 1.0)


def lines(text: str, size: float, limit: float, *, most: int = 99, is_bold: bool = False) -> list[str]:
    """The text on at most `most` lines no wider than the limit: broken at blanks, else after punctuation, or anywhere.

    What is too long loses its middle, as names differ at their ends.
    """
    shown = visible(text)
    if width(shown, size, is_bold=is_bold) <= limit + ROUNDING:
        return [shown]
    found = _broken(shown, size, limit, is_bold=is_bold)
    room = cells(shown)
    while len(found) > most and room > most:
        room -= max(1, room // 12)
        found = _broken(shortened(shown, room), size, limit, is_bold=is_bold)
    return found


def _broken(text: str, size: float, limit: float, *, is_bold: bool) -> list[str]:
    def fits(line: str) -> bool:
        return width(line.rstrip(), size, is_bold=is_bold) <= limit + ROUNDING

    words = [f"{word} " for word in text.split()]
    pieces = words if all(map(fits, words)) else [part for each in PIECES.findall(text) for part in _parts(each, fits)]
    found = [""]
    for piece in pieces:
        if found[-1] and not fits(found[-1] + piece):
            found.append("")
        found[-1] += piece
    return [line.strip() for line in found]


def _parts(piece: str, fits: Callable[[str], bool]) -> list[str]:
    """A piece that fits, or its characters."""
    return [piece] if fits(piece) else list(piece)
