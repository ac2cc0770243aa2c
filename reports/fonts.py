"""The fonts of a report: IBM Plex, from packages, cut down to the characters that a report uses.

Plex Sans comes as one variable font; it is fixed at two weights here, as not every PDF reader draws variations.
Nothing of the system's fonts is used: a character that Plex lacks never reaches a page (see `text.visible`).
"""

import base64
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

SERIF, SANS, MONO = "IBM Plex Serif", "IBM Plex Sans", "IBM Plex Mono"
FEATURES = ["kern", "liga", "tnum", "lnum", "ccmp", "locl", "mark", "zero"]


@dataclass(frozen=True, slots=True)
class Face:
    """One font file as CSS names it; `axes` fixes a variable font."""

    family: str
    weight: int
    style: str
    file: str
    axes: tuple[tuple[str, float], ...] = ()


FACES = (
    Face(SERIF, 400, "normal", "IBMPlexSerif-Regular.ttf"),
    Face(SERIF, 400, "italic", "IBMPlexSerif-Italic.ttf"),
    Face(SERIF, 600, "normal", "IBMPlexSerif-SemiBold.ttf"),
    Face(SANS, 400, "normal", "IBMPlexSans[wdth,wght].ttf", (("wght", 400), ("wdth", 100))),
    Face(SANS, 600, "normal", "IBMPlexSans[wdth,wght].ttf", (("wght", 600), ("wdth", 100))),
    Face(MONO, 400, "normal", "IBMPlexMono-Regular.ttf"),
)


def folder(family: str) -> Path:
    """Where the package of a family keeps its files."""
    import fontpkg_ibm_plex_mono
    import fontpkg_ibm_plex_sans
    import fontpkg_ibm_plex_serif

    packages = {SERIF: fontpkg_ibm_plex_serif, SANS: fontpkg_ibm_plex_sans, MONO: fontpkg_ibm_plex_mono}
    return Path(packages[family].ROOT) / "files"


@cache
def drawable() -> frozenset[int]:
    """Characters that every face of a report can draw."""
    sets = [frozenset(_open(face).getBestCmap()) for face in FACES if face.style == "normal"]
    return frozenset.intersection(*sets)


def stylesheet(characters: Iterable[str]) -> str:
    """`@font-face` rules that carry the fonts themselves, reduced to those characters."""
    wanted = frozenset(map(ord, characters)) | frozenset(range(0x20, 0x7F))
    return "\n".join(_rule(face, _reduced(face, wanted)) for face in FACES)


def _rule(face: Face, data: bytes) -> str:
    source = base64.b64encode(data).decode("ascii")
    return (
        f'@font-face {{ font-family: "{face.family}"; font-weight: {face.weight}; font-style: {face.style}; '
        f'src: url("data:font/woff2;base64,{source}") format("woff2"); }}'
    )


@cache
def _reduced(face: Face, characters: frozenset[int]) -> bytes:
    from fontTools import subset
    from fontTools.varLib import instancer

    options = subset.Options()
    options.layout_features = FEATURES
    options.notdef_outline = True
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    with _quiet_subsetter():
        font = _open(face)
        subsetter.subset(font)
        if face.axes:
            font = instancer.instantiateVariableFont(font, dict(face.axes), updateFontNames=True)
    font.flavor = "woff2"
    target = BytesIO()
    font.save(target)
    return target.getvalue()


def _open(face: Face) -> "TTFont":
    from fontTools.ttLib import TTFont

    # recalcTimestamp: the same fonts give the same bytes, whatever the clock says
    return TTFont(folder(face.family) / face.file, recalcTimestamp=False, lazy=True)


@contextmanager
def _quiet_subsetter() -> Iterator[None]:
    """FontTools tells at level INFO what it drops; warnings still come through."""
    logger = logging.getLogger("fontTools.subset")
    before = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)
