"""Fonts of the system for the characters that Plex lacks, and a box for those that no font of the machine has.

Machines differ in their fonts, so a report in another script is the same, byte by byte, only where the same fonts are:
its provenance names them. Fontconfig, which Pango needs anyway, knows them; without it there are boxes.
"""

import ctypes
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.store import user_cache
from reports.typeset import fonts

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # ships no types

BOX: Final = "\u25a1"
BLANKS: Final = " \u00a0"  # between words of a script they are of its font
SARA_AM: Final = "\u0e33\u0eb3"  # of Thai and Lao: letters to Unicode, taken apart as vowels are
BOX_FAMILY: Final = "Haledger Box"
BOX_WIDTH: Final = 560  # thousandths of the size
FAMILY: Final = "Haledger Further"
PREFERRED: Final = ("IBM Plex Sans", "Noto Sans", "DejaVu Sans")
"""Families that look like the rest of a report, best first; then any other sans serif, then any other font."""

UNWANTED: Final = ("Last Resort", "Color", "Emoji", "Mono", "Condensed", "Display", "UI")
IDEOGRAPHS: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC")
LIBRARIES: Final = (
    "libfontconfig.so.1",
    "libfontconfig.1.dylib",
    "/opt/homebrew/lib/libfontconfig.1.dylib",
    "/usr/local/lib/libfontconfig.1.dylib",
    "libfontconfig-1.dll",
)
START_OF_2000: Final = 3_029_529_600  # as fonts count seconds
REGULAR_WEIGHT: Final = 80  # as fontconfig counts
OUTLINES: Final = ("glyf", "CFF ", "CFF2")
TRUETYPE_LIMITS: Final = (
    *("maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements"),
    *("maxSizeOfInstructions", "maxComponentElements"),
)
NO_EMBEDDING: Final = 0x0002  # fsType of OS/2: the licence of the font restricts it


@dataclass(frozen=True, slots=True)
class SystemFont:
    """A font of the machine: its file, which font of a collection, its family, how many wanted characters it has."""

    file: str
    index: int
    family: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class FurtherFace:
    """A font file for characters that Plex lacks. `name` and `version` say where it comes from."""

    family: str
    data: bytes
    name: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Further:
    """The faces for some text, and the characters that no font has."""

    faces: tuple[FurtherFace, ...] = ()
    missing: frozenset[str] = frozenset()


def further(characters: Iterable[str]) -> Further:
    """Fonts for the characters of these that Plex Sans, which stands behind every other face, does not draw."""
    wanted = frozenset(each for each in characters if ord(each) not in fonts.sans() and _is_drawn(each))
    return _found(wanted) if wanted else Further()


@cache
def _found(wanted: frozenset[str]) -> Further:
    left = set(wanted)
    faces: list[FurtherFace] = []
    for font in _ranked(left):
        kept = _kept(font, wanted, left)
        if kept is None:
            continue
        face, drawn = kept
        faces.append(FurtherFace(f"{FAMILY} {_lettered(len(faces))}", *face))
        left -= drawn
        if not left:
            break
    if left:
        faces.append(FurtherFace(BOX_FAMILY, _box()))
    return Further(tuple(faces), frozenset(left))


def _lettered(number: int) -> str:
    """A number in letters: a word that begins with a digit is no name of a family, where it stands without quotes."""
    return "".join(chr(ord("A") + int(digit)) for digit in str(number))


def stylesheet(faces: Sequence[FurtherFace], *, is_inline: bool) -> str:
    """`@font-face` rules, the same file for every weight and style: nothing is drawn bold by a trick."""
    return "\n".join(
        fonts.rule(each.family, weight, style, fonts.data_url(each.data) if is_inline else address(each))
        for each in faces
        for weight, style in ((400, "normal"), (600, "normal"), (400, "italic"))
    )


def address(face: FurtherFace) -> str:
    """The address by which the page renderer asks for a face."""
    return f"{fonts.SCHEME}:{face.family.replace(' ', '')}"


def in_picture(drawn: str, faces: Sequence[FurtherFace]) -> str:
    """An SVG whose texts name these faces behind Plex."""
    names = "".join(f", {each.family}" for each in faces)
    return drawn.replace(f'font-family="{fonts.SANS}"', f'font-family="{fonts.SANS}{names}"') if faces else drawn


def stack(faces: Sequence[FurtherFace]) -> str:
    """The families as they follow Plex in a list of CSS."""
    return "".join(f', "{each.family}"' for each in faces)


def boxed(text: str, missing: Collection[str]) -> str:
    """The text with boxes in the place of what no font draws."""
    return (
        text.translate({ord(each): "" if unicodedata.combining(each) else BOX for each in missing}) if missing else text
    )


def advice(missing: Collection[str]) -> str:
    """Characters without a glyph in a sentence: how many, of which scripts, and what brings them; empty if none."""
    if not missing:
        return ""
    scripts = sorted({script(each) for each in missing})
    packages = sorted({package(each) for each in missing})
    noun = "character" if len(missing) == 1 else "characters"
    return (
        f"No font of this machine has {len(missing)} {noun} of this report ({', '.join(scripts)}): "
        f"the paper prints a box for each. On Debian or Ubuntu `apt-get install {' '.join(packages)}` brings them."
    )


def script(character: str) -> str:
    """The script of a character, by the first word of its name: Thai, Katakana, CJK."""
    word = unicodedata.name(character, "UNNAMED").split(" ")[0].split("-")[0]
    return word if word == "CJK" else word.capitalize()


def package(character: str) -> str:
    """The Debian package whose fonts draw a character."""
    if unicodedata.name(character, "").startswith(IDEOGRAPHS):
        return "fonts-noto-cjk"
    return "fonts-noto-core" if unicodedata.category(character)[0] in "LMN" else "fonts-symbola"


def _is_drawn(character: str) -> bool:
    """Whether a character needs a glyph; marks of direction and joiners do not."""
    return unicodedata.category(character)[0] not in "CZ"


def _ranked(wanted: Collection[str]) -> list[SystemFont]:
    """Fonts that draw some of the characters, best first."""
    return sorted(
        _listed(wanted), key=lambda each: (_rank(each.family), -each.count, each.family, each.file, each.index)
    )


def _rank(family: str) -> int:
    if any(word in family for word in UNWANTED):
        return len(PREFERRED) + 2
    for place, name in enumerate(PREFERRED):
        if family.startswith(name):
            return place
    return len(PREFERRED) + ("Sans" not in family)


def _listed(wanted: Collection[str]) -> list[SystemFont]:
    """Upright fonts of regular weight that have one of the characters, as fontconfig knows them; none without it."""
    library = _library()
    if library is None or not library.FcInit():
        return []
    pattern, names = library.FcPatternCreate(), library.FcObjectSetCreate()
    for name in (b"file", b"index", b"family", b"charset", b"weight", b"slant", b"color"):
        library.FcObjectSetAdd(names, name)
    found = library.FcFontList(None, pattern, names)
    codes = sorted(map(ord, wanted))
    try:
        fonts_of_set = (each for i in range(found.contents.nfont) if (each := found.contents.fonts[i]))
        return [font for each in fonts_of_set if (font := _font(library, each, codes)) is not None]
    finally:
        library.FcFontSetDestroy(found)
        library.FcObjectSetDestroy(names)
        library.FcPatternDestroy(pattern)


def _font(library: ctypes.CDLL, pattern: int, codes: Sequence[int]) -> SystemFont | None:
    def number(name: bytes) -> float:
        value = ctypes.c_double()
        return 0 if library.FcPatternGetDouble(pattern, name, 0, ctypes.byref(value)) else value.value

    characters = ctypes.c_void_p()
    if number(b"slant") or library.FcPatternGetCharSet(pattern, b"charset", 0, ctypes.byref(characters)):
        return None
    weight = number(b"weight")
    count = sum(bool(library.FcCharSetHasChar(characters, code)) for code in codes)
    if weight not in (0, REGULAR_WEIGHT) or not count:
        return None
    texts = []
    for name in (b"file", b"family"):
        value = ctypes.c_char_p()
        if library.FcPatternGetString(pattern, name, 0, ctypes.byref(value)) or value.value is None:
            return None
        texts.append(value.value.decode("utf-8", "surrogateescape"))
    return SystemFont(texts[0], int(number(b"index")) & 0xFFFF, texts[1], count)


class _FontSet(ctypes.Structure):
    _fields_ = (("nfont", ctypes.c_int), ("sfont", ctypes.c_int), ("fonts", ctypes.POINTER(ctypes.c_void_p)))


@cache
def _library() -> ctypes.CDLL | None:
    """Fontconfig, with the types of what is called; None where it is not there."""
    for name in LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        pointer, text = ctypes.c_void_p, ctypes.c_char_p
        for function, result, arguments in (
            ("FcPatternCreate", pointer, []),
            ("FcPatternDestroy", None, [pointer]),
            ("FcObjectSetCreate", pointer, []),
            ("FcObjectSetAdd", ctypes.c_int, [pointer, text]),
            ("FcObjectSetDestroy", None, [pointer]),
            ("FcFontList", ctypes.POINTER(_FontSet), [pointer, pointer, pointer]),
            ("FcFontSetDestroy", None, [pointer]),
            ("FcPatternGetString", ctypes.c_int, [pointer, text, ctypes.c_int, pointer]),
            ("FcPatternGetDouble", ctypes.c_int, [pointer, text, ctypes.c_int, pointer]),
            ("FcPatternGetCharSet", ctypes.c_int, [pointer, text, ctypes.c_int, pointer]),
            ("FcCharSetHasChar", ctypes.c_int, [pointer, ctypes.c_uint32]),
        ):
            called = getattr(library, function)
            called.restype, called.argtypes = result, arguments
        return library
    return None


def _kept(
    font: SystemFont, wanted: Collection[str], left: Collection[str]
) -> tuple[tuple[bytes, str, str], frozenset[str]] | None:
    """The font with all wanted characters that it has, its name and version, and these; None if it has none of `left`.

    It keeps those that a font before it draws: a browser shapes the letters of a syllable by one font.
    """
    from fontTools.ttLib import TTLibError

    try:
        with _open(font) as opened:
            codes = opened.getBestCmap() or {}
            drawn = frozenset(each for each in wanted if ord(each) in codes)
            is_usable = any(name in opened for name in OUTLINES) and not opened["OS/2"].fsType & NO_EMBEDDING
            version = str(opened["name"].getDebugName(5) or "").split(";")[0].removeprefix("Version ")
        if drawn.isdisjoint(left) or not is_usable:
            return None
        own = (*sorted(each for each in with_parts(drawn) if ord(each) in codes), *BLANKS)
        made_of = repr(
            (Path(font.file).stat().st_size, font.file, font.index, own, version, fonts.version("fonttools"))
        )
        data = user_cache.kept("fonts", made_of, lambda: _cut(font, own))
    except (OSError, TTLibError, KeyError):
        return None  # a damaged font of the machine; the next one may do
    return (data, Path(font.file).name, version), drawn


def with_parts(drawn: Iterable[str]) -> frozenset[str]:
    """The characters, and the parts of vowels that are drawn on both sides of a letter: a shaper asks for these."""
    return frozenset(
        part for each in drawn for part in (each, *(unicodedata.normalize("NFKD", each) if _has_parts(each) else ""))
    )


def _has_parts(character: str) -> bool:
    return unicodedata.category(character).startswith("M") or character in SARA_AM


def _open(font: SystemFont) -> "TTFont":
    from fontTools.ttLib import TTFont

    return TTFont(font.file, fontNumber=font.index, recalcTimestamp=False, lazy=True)


def _cut(font: SystemFont, drawn: Collection[str]) -> bytes:
    from fontTools import subset  # type: ignore[import-untyped]  # ships no types
    from fontTools.varLib import instancer  # type: ignore[import-untyped]  # ships no types

    options = subset.Options()
    options.notdef_outline = True
    options.drop_tables += ["meta", "FFTM"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=map(ord, drawn))
    target = BytesIO()
    with fonts.quiet_subsetter(), _open(font) as opened:
        subsetter.subset(opened)
        if "fvar" in opened:
            axes = {each.axisTag: None for each in opened["fvar"].axes}
            instancer.instantiateVariableFont(opened, axes, inplace=True)
        if "glyf" not in opened:
            _to_quadratic(opened)
        opened.flavor = "woff2"
        opened.save(target)
    return target.getvalue()


def _to_quadratic(font: "TTFont") -> None:
    """TrueType's curves in place of PostScript's: the page renderer takes glyphs of a large CFF font by wrong ids."""
    from fontTools.pens.cu2quPen import Cu2QuPen  # type: ignore[import-untyped]  # ships no types
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]  # ships no types
    from fontTools.ttLib import newTable

    drawn, glyphs = font.getGlyphSet(), {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(drawn)
        drawn[name].draw(Cu2QuPen(pen, font["head"].unitsPerEm / 1000, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = font.getGlyphOrder(), glyphs
    for name in ("CFF ", "CFF2", "VORG"):
        if name in font:
            del font[name]
    limits = font["maxp"]
    limits.tableVersion, limits.maxZones = 0x00010000, 1
    for field in TRUETYPE_LIMITS:
        setattr(limits, field, 0)
    font["post"].formatType, font.sfntVersion = 3.0, "\x00\x01\x00\x00"


@cache
def _box() -> bytes:
    """A font of one character, an empty box, no wider than the letters that texts are cut to fit as."""
    from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped]  # ships no types
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for left, low, right, high in ((45, 0, 515, 700), (90, 45, 470, 655)):
        corners = [(left, low), (left, high), (right, high), (right, low)]
        pen.moveTo(corners[0])
        for corner in corners[1:] if left == 45 else corners[:0:-1]:
            pen.lineTo(corner)
        pen.closePath()
    box = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "box", "space"])
    builder.setupCharacterMap({ord(BOX): "box", 0x20: "space", 0xA0: "space"})
    builder.setupGlyf({".notdef": box, "box": box, "space": TTGlyphPen(None).glyph()})
    builder.setupHorizontalMetrics({".notdef": (BOX_WIDTH, 45), "box": (BOX_WIDTH, 45), "space": (300, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": BOX_FAMILY, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = START_OF_2000
    builder.font.recalcTimestamp = False
    builder.font.flavor = "woff2"
    target = BytesIO()
    builder.font.save(target)
    return target.getvalue()
