"""Ink as a picture of dots, on white, for programs that take no SVG."""

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import groupby, pairwise
from math import ceil, hypot
from typing import TYPE_CHECKING

from reports.figures.draw.ink import CLEAR, Disc, Look, Path, Piece, Point, Text
from reports.typeset import fonts, further_fonts
from reports.typeset.text import visible

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SCALE = 2
"""Dots to a CSS pixel."""
FINER = 3
"""Shapes are drawn so much larger and made smaller, which smooths their edges."""
EDGE = 2.0
"""Around the drawing, CSS pixels."""


def rasterised(piece: Piece, width: float) -> bytes:
    """The drawing as PNG."""
    from PIL import Image, ImageDraw

    size = ceil((width + 2 * EDGE) * SCALE), ceil((piece.height + 2 * EDGE) * SCALE)
    fine = Image.new("RGB", (size[0] * FINER, size[1] * FINER), "white")
    pen = ImageDraw.Draw(fine, "RGBA")
    for ink in piece.inks:
        if not isinstance(ink, Text):
            _shape(pen, ink, SCALE * FINER)
    picture = fine.resize(size, Image.Resampling.BOX)
    pen = ImageDraw.Draw(picture)
    for ink in piece.inks:
        if isinstance(ink, Text):
            _write(pen, ink)
    target = BytesIO()
    picture.save(target, "PNG", optimize=True)
    return target.getvalue()


def _shape(pen: "ImageDraw", ink: Path | Disc, scale: int) -> None:
    fill, stroke, width = _colour(ink.look.fill, ink.look), _colour(ink.look.stroke, ink.look), ink.look.width * scale
    if isinstance(ink, Disc):
        left, top, right, bottom = ((each + EDGE) * scale for each in ink.box)
        pen.ellipse((left, top, right, bottom), fill=fill, outline=stroke, width=round(width))
        return
    points = [((x + EDGE) * scale, (y + EDGE) * scale) for x, y in ink.points]
    if fill and len(points) > 2:
        pen.polygon(points, fill=fill)
    if stroke:
        whole = [*points, points[0]] if ink.is_closed else points
        for part in _dashed(whole, [each * scale for each in ink.look.dash]) if ink.look.dash else [whole]:
            pen.line(part, fill=stroke, width=max(1, round(width)), joint="curve")


def _colour(colour: str, look: Look) -> str | None:
    return f"{colour}{round(255 * look.opacity):02x}" if colour not in {"", CLEAR} else None


def _dashed(points: Sequence[Point], dash: Sequence[float]) -> Iterator[list[Point]]:
    """The pieces of a dashed line."""
    place, left = 0, dash[0]
    part = [points[0]]
    for start, end in pairwise(points):
        length, gone = hypot(end[0] - start[0], end[1] - start[1]), 0.0
        while length - gone > left:
            gone += left
            share = gone / length
            part.append((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
            if place % 2 == 0:
                yield part
            part, place = [part[-1]], place + 1
            left = dash[place % len(dash)]
        left -= length - gone
        part.append(end)
    if place % 2 == 0 and len(part) > 1:
        yield part


def _write(pen: "ImageDraw", ink: Text) -> None:
    """A line of text, each stretch of it in the face that has its characters."""
    text = visible(ink.text)
    faces = {letter: _face(letter) for letter in set(text)}
    x = (ink.left + EDGE) * SCALE
    for face, letters in groupby(text, faces.__getitem__):
        part = "".join(letters)
        font = _font(face, ink.size * SCALE, is_bold=ink.is_bold)
        pen.text((x, (ink.y + EDGE) * SCALE), part, font=font, fill=ink.colour, anchor="ls")
        x += font.getlength(part)


def _face(letter: str) -> bytes:
    """The font file that draws a character: nothing for that of the figures."""
    found = further_fonts.further(letter).faces
    return found[0].data if found else b""


@cache
def _font(face: bytes, size: float, *, is_bold: bool) -> "FreeTypeFont":
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # ships no types
    from PIL import ImageFont

    if face:
        plain, unpacked = BytesIO(), TTFont(BytesIO(face))
        unpacked.flavor = None
        unpacked.save(plain)
        return ImageFont.truetype(BytesIO(plain.getvalue()), size)
    sans = next(each for each in fonts.FACES if each.family == fonts.SANS)
    font = ImageFont.truetype(str(fonts.folder(fonts.SANS) / sans.file), size)
    wanted = {"Weight": 600 if is_bold else 400, "Width": 100}
    font.set_variation_by_axes([wanted[axis["name"].decode()] for axis in font.get_variation_axes()])
    return font
