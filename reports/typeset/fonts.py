"""The fonts of a report: IBM Plex, as published in the folder `plex`, cut down to the characters that a report uses.

Plex Sans comes as one variable font; it is fixed at two weights here, as not every PDF reader draws variations.
What Plex lacks comes from fonts of the system: `reports.typeset.further_fonts`.
"""

import base64
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.store import user_cache

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # ships no types

SERIF, SANS, MONO = "IBM Plex Serif", "IBM Plex Sans", "IBM Plex Mono"
SCHEME = "font"  # addresses of this kind are answered from memory
VERSIONS = {SERIF: "2.6", SANS: "3.201", MONO: "2.3"}
FOLDERS = {SERIF: "serif", SANS: "sans", MONO: "mono"}
USUAL = frozenset(
    [*range(0x20, 0x7F), *map(ord, "\u00a0\u00b0\u00b1\u00b5\u00b7\u00d7\u2013\u2014\u201c\u201d\u2022\u2026\u2212")]
)
"""Characters that every face carries, so that most reports need the same files."""

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
    Face(SANS, 400, "normal", "IBMPlexSans-Variable.ttf", (("wght", 400), ("wdth", 100))),
    Face(SANS, 600, "normal", "IBMPlexSans-Variable.ttf", (("wght", 600), ("wdth", 100))),
    Face(MONO, 400, "normal", "IBMPlexMono-Regular.ttf"),
)


def folder(family: str) -> Path:
    """Where the files of a family are."""
    return Path(__file__).parent / "plex" / FOLDERS[family]


@cache
def sans() -> frozenset[int]:
    """Characters that Plex Sans draws; it stands behind the other faces and so draws what they lack."""
    return frozenset(_open(next(face for face in FACES if face.family == SANS)).getBestCmap())


@cache
def advances(family: str) -> dict[int, float]:
    """Width of each character of a family's regular face, in units of the size of the font."""
    font = _open(next(face for face in FACES if face.family == family))
    units, widths = font["head"].unitsPerEm, font["hmtx"]
    return {code: widths[glyph][0] / units for code, glyph in font.getBestCmap().items()}


def reduced(characters: Iterable[str]) -> dict[Face, bytes]:
    """Every face as a font file with those characters and the usual ones."""
    wanted = frozenset(map(ord, characters)) | USUAL
    return {face: _kept(face, wanted) for face in FACES}


def of_figures(characters: Iterable[str]) -> dict[Face, bytes]:
    """The faces that figures are lettered in, likewise."""
    wanted = frozenset(map(ord, characters)) | USUAL
    return {face: _kept(face, wanted) for face in FACES if face.family == SANS}


def stylesheet(faces: Mapping[Face, bytes], *, is_inline: bool) -> str:
    """`@font-face` rules; inline ones carry the fonts, others name their addresses."""
    return "\n".join(
        rule(face.family, face.weight, face.style, data_url(data) if is_inline else address(face))
        for face, data in faces.items()
    )


def address(face: Face) -> str:
    """The address by which the page renderer asks for a face."""
    return f"{SCHEME}:{face.family.replace(' ', '')}-{face.weight}-{face.style}"


def data_url(data: bytes) -> str:
    """A font as an address that carries it."""
    return f"data:font/woff2;base64,{base64.b64encode(data).decode('ascii')}"


def rule(family: str, weight: int, style: str, url: str) -> str:
    """An `@font-face` rule."""
    return (
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; '
        f'src: url("{url}") format("woff2"); }}'
    )


@cache
def version(package: str) -> str:
    """The version of an installed package; to ask for it takes a while."""
    return metadata.version(package)


@cache
def _kept(face: Face, characters: frozenset[int]) -> bytes:
    """The face with these characters, kept from one report to the next: to cut it down takes longer than a page."""
    versions = [version("fonttools"), version("brotli"), *VERSIONS.values()]
    made_of = repr((face, sorted(characters), FEATURES, versions))
    return user_cache.kept("fonts", made_of, lambda: _reduced(face, characters))


def _reduced(face: Face, characters: frozenset[int]) -> bytes:
    from fontTools import subset  # type: ignore[import-untyped]  # ships no types
    from fontTools.varLib import instancer  # type: ignore[import-untyped]  # ships no types

    options = subset.Options()
    options.layout_features = FEATURES
    options.notdef_outline = True
    options.drop_tables += ["meta"]  # languages of the design; the subsetter cannot handle it and warns
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    with quiet_subsetter():
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

    # recalcTimestamp: the same fonts give the same bytes, no matter what the clock says
    content = BytesIO((folder(face.family) / face.file).read_bytes())
    return TTFont(content, recalcTimestamp=False, lazy=True)


@contextmanager
def quiet_subsetter() -> Iterator[None]:
    """FontTools shows at level INFO what it drops; warnings still come through."""
    logger = logging.getLogger("fontTools.subset")
    before = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)
