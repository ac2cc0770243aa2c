"""How the report is to look: `[report]` of study.toml, and the logo that it names.

A logo goes into every copy of the report, so only what can do nothing is taken: a PNG whose parts are whole, or an SVG
of shapes alone. It is looked for inside the study and nowhere else.
"""

import re
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import AfterValidator

from pipeline.discovery.address import Address
from pipeline.study.manifest_entries import Entry, stored

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
LEAST_CONTRAST: Final = 4.5
"""Of text on its paper, as WCAG 2.2 (1.4.3) wants it."""

MOST_LOGO_BYTES: Final = 500_000
MOST_LOGO_PIXELS: Final = 4000
MOST_LOGO_SIZE: Final = 1_000_000
"""The largest number in an SVG: a PDF has numbers up to 3.4e38 only, and readers of PDF have less."""
NUMBER: Final = re.compile(r"[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?")
HASH: Final = re.compile(r"#[\w.-]+")
"""A colour, or the name of another element."""
NAMES: Final = frozenset({"id", "class"})
PNG: Final = b"\x89PNG\r\n\x1a\n"
SVG_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
SHAPES: Final = frozenset(
    {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "title", "desc", "defs"}
    | {"linearGradient", "radialGradient", "stop", "clipPath", "metadata"}
)
ELSEWHERE: Final = re.compile(r"url\(\s*['\"]?(?!\s*['\"]?#)|@import|javascript:|expression\(", re.IGNORECASE)


def _readable(colour: str) -> str:
    if not COLOUR.fullmatch(colour):
        raise ValueError(f'expected a colour such as "#1d5a96", found {colour!r}')
    found = contrast(colour, "#ffffff")
    if found < LEAST_CONTRAST:
        raise ValueError(
            f"{colour} is too light to read on white: contrast {found:.1f}, at least {LEAST_CONTRAST} is needed"
        )
    return colour.lower()


class HouseStyle(Entry):
    """What `[report]` declares. `logo` is a path in the study, `accent` a colour `#rrggbb` of headings and links."""

    logo: str | None = None
    accent: Annotated[str, AfterValidator(_readable)] | None = stored("colour of headings and links, #rrggbb")
    paper: Literal["A4", "Letter"] | None = stored("size of the paper, A4 or Letter")
    language: Literal["en", "de", "fr", "es", "it", "nl", "pt"] | None = stored(
        "language of the date on the title page, two letters"
    )


def contrast(colour: str, paper: str) -> float:
    """The contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((_luminance(colour), _luminance(paper)))
    return (light + 0.05) / (dark + 0.05)


def logo_bytes(study: Path | Address, logo: str) -> bytes:
    """The logo, if it is one that a report may carry; else a ValueError with the reason."""
    if "\0" in logo or not _is_inside(study, logo):
        raise ValueError(f"{logo!r} is not inside the study; expected the path of a file in it")
    try:
        content = _first_bytes(study, logo)
    except OSError as error:
        raise ValueError(
            f"{logo!r} cannot be read ({error.strerror}); expected a PNG or SVG file of the study"
        ) from error
    if len(content) > MOST_LOGO_BYTES:
        raise ValueError(f"{logo!r} is larger than {MOST_LOGO_BYTES // 1000} kB; expected a small picture")
    reason = _refused_png(content) if is_png(content) else _refused_svg(content)
    if reason is not None:
        raise ValueError(f"{logo!r} {reason}")
    return content


def _is_inside(study: Path | Address, logo: str) -> bool:
    if isinstance(study, Address):
        return not PurePosixPath(logo).is_absolute() and ".." not in PurePosixPath(logo).parts
    return not Path(logo).is_absolute() and (study / logo).resolve().is_relative_to(study.resolve())


def _first_bytes(study: Path | Address, logo: str) -> bytes:
    if isinstance(study, Address):
        return study.object(logo).content(MOST_LOGO_BYTES + 1)
    place = study / logo
    if place.exists() and not place.is_file():
        raise ValueError(f"{logo!r} is no file; expected a PNG or SVG file of the study")
    with place.open("rb") as file:
        return file.read(MOST_LOGO_BYTES + 1)


def is_png(content: bytes) -> bool:
    """Whether a logo is a PNG; else it is an SVG."""
    return content.startswith(PNG)


def _luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _refused_png(content: bytes) -> str | None:
    place = len(PNG)
    kinds = []
    while place + 12 <= len(content):
        length = int.from_bytes(content[place : place + 4], "big")
        kind, end = content[place + 4 : place + 8], place + 8 + length
        if zlib.crc32(content[place + 4 : end]) != int.from_bytes(content[end : end + 4], "big"):
            return "is a damaged PNG"
        if kind == b"IHDR":
            width, height = (int.from_bytes(content[place + at : place + at + 4], "big") for at in (8, 12))
            if not 0 < width <= MOST_LOGO_PIXELS or not 0 < height <= MOST_LOGO_PIXELS:
                return f"is {width} by {height} pixels; at most {MOST_LOGO_PIXELS} each way are taken"
        kinds.append(kind)
        place = end + 4
    return None if kinds[:1] == [b"IHDR"] and kinds[-1] == b"IEND" and b"IDAT" in kinds else "is a damaged PNG"


def _refused_svg(content: bytes) -> str | None:
    from xml.etree.ElementTree import ParseError, fromstring

    if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"<?xml-stylesheet" in content:
        return "declares a document type, entities or a style sheet; expected an SVG of shapes alone"
    try:
        root = fromstring(content.decode("utf-8-sig"))  # noqa: S314  it declares no entities, see above
    except (ParseError, UnicodeDecodeError, ValueError, RecursionError):
        return "is neither PNG nor SVG"
    if root.tag != f"{SVG_NAMESPACE}svg":
        return "is neither PNG nor SVG"
    for element in root.iter():
        name = str(element.tag).removeprefix(SVG_NAMESPACE)
        if name not in SHAPES:
            return f"holds an element {name[:40]!r}; expected an SVG of shapes alone, with text as paths"
        for key, value in element.attrib.items():
            plain = key.rpartition("}")[2].lower()
            if plain.startswith("on") or (plain == "href" and not value.startswith("#")) or ELSEWHERE.search(value):
                return f"holds an attribute {plain[:40]!r} that runs or loads something; expected shapes alone"
    return _too_large(root)


def _too_large(root: "Element") -> str | None:
    """Refuse numbers that a PDF or its reader could not hold, also those that transforms inside each other make."""
    waiting = [(root, 1.0)]
    while waiting:
        element, scale = waiting.pop()
        for key, value in element.attrib.items():
            size = max((float(each) for each in NUMBER.findall(HASH.sub("", value)) if key not in NAMES), default=0.0)
            scale *= max(size, 1.0) if key.lower().endswith("transform") else 1.0
            if max(size, scale) > MOST_LOGO_SIZE:
                return f"holds numbers beyond {MOST_LOGO_SIZE:,}; expected a picture of ordinary size"
        waiting += [(each, scale) for each in element]
    return None
