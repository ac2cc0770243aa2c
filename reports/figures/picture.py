"""A specification drawn as SVG or PNG by Vega-Lite, without a network and with text as text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape as escaped

import vl_convert

from pipeline.child import Limits
from reports.figures.model import INK, RULE, TEXT_WIDTH, Figure, Spec
from reports.figures.narrow import narrowed
from reports.typeset import fonts, further_fonts
from reports.typeset.text import shortened, visible, visible_lines, wrapped

DRAWING = Limits(60.0, 2048)
"""What a figure may take: the largest of the samples takes a second, and the engine 200 MiB."""

MISSING_HEIGHT, MISSING_CHARACTERS = 48, 84
MOST_NARROW_WIDTH = 450.0

GEOMETRY = re.compile(r" (?:d|transform|points|width|height|[xyr]|[xy][12]|c[xy])=\"[^\"]*\"")
NUMBER = re.compile(r"-?\d+\.\d{3,}")
OPENING = re.compile(r"^<svg\b[^>]*?\bwidth=\"(?P<width>[\d.]+)\" height=\"(?P<height>[\d.]+)\"[^>]*>")
SIZE = re.compile(r"width=\"(?P<width>[\d.]+)\" height=\"(?P<height>[\d.]+)\" viewBox=\"[^\"]*\"")
CAPTION_CELL, CAPTION_LINE, CAPTION_GAP, CAPTION_LINES = 6.2, 16, 6, 8  # CSS pixels, and lines at most
PICTURE = re.compile(r'<[^>]* role="img"[^>]*>')
STRING = re.compile(r">(?P<text>[^<>]+)<")


def svg(figure: Figure) -> str:
    """The figure with a title and a description inside; it scales with what holds it."""
    drawn = vl_convert.vegalite_to_svg(_shown(figure.spec), allowed_base_urls=[])
    opening = OPENING.match(drawn)
    if opening is None:
        raise AssertionError("vl-convert no longer begins an SVG with its size")
    width, height = float(opening["width"]), float(opening["height"])
    body = GEOMETRY.sub(lambda m: NUMBER.sub(_short, m[0]), drawn[opening.end() :])
    body = body.replace(' role="graphics-symbol"', ' role="img"').replace(' role="graphics-object"', "")
    body = re.sub(r' aria-roledescription="[^"]*"', "", body)
    body = PICTURE.sub(lambda tag: tag[0] if " aria-label=" in tag[0] else tag[0].replace(' role="img"', ""), body)
    key, caption = _quoted(figure.name), _quoted(visible(figure.caption))
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    title = f"{visible(figure.caption)}. {visible(figure.description)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" data-figure={key} {size} '
        f"aria-label={caption}><title>{_escaped(title)}</title>{body}"
    )


def alone(drawn: Sequence[tuple[Figure, str]]) -> Iterator[tuple[str, str]]:
    """Drawings by name that need nothing around them: with their caption, on white, and the fonts inside."""
    captions = [visible(f"{each.label}. {each.caption}" if each.label else each.caption) for each, _ in drawn]
    used = set().union(*(picture for _, picture in drawn), *captions)
    further = further_fonts.further(used)
    style = fonts.stylesheet(fonts.of_figures(used), is_inline=True)
    style += further_fonts.stylesheet(further.faces, is_inline=True)
    for (figure, picture), caption in zip(drawn, captions, strict=True):
        yield figure.name, _alone(further_fonts.in_picture(picture, further.faces), caption, style)


def _alone(drawn: str, caption: str, style: str) -> str:
    size = SIZE.search(drawn)
    if size is None:
        raise AssertionError("a drawing begins with its size")
    width, height = float(size["width"]), float(size["height"])
    lines = wrapped(caption, max(int(width / CAPTION_CELL), 20), CAPTION_LINES)
    top = CAPTION_LINE * len(lines) + CAPTION_GAP
    whole = f'width="{width:g}" height="{height + top:g}" viewBox="0 {-top:g} {width:g} {height + top:g}"'
    texts = "".join(
        f'<text x="2" y="{CAPTION_LINE * (place + 1) - top - 3:g}" font-family="{fonts.SANS}" font-size="12" '
        f'fill="{INK}">{_escaped(line)}</text>'
        for place, line in enumerate(lines)
    )
    ground = f'<rect x="0" y="{-top:g}" width="{width:g}" height="{height + top:g}" fill="white"/>'
    opening, title, body = drawn.replace(size[0], whole, 1).partition("</title>")
    return f"{opening}{title}<style>{style}</style>{ground}{texts}{body}"


def narrow_svg(figure: Figure) -> str:
    """The same for a narrow screen; empty where the figure keeps its width, or does not get narrow."""
    beside = 0.0
    for _ in range(2):
        spec = narrowed(figure.spec, beside)
        opening = None if spec is None else OPENING.search(drawn := svg(replace(figure, spec=spec)))
        if opening is None:
            return ""
        beside = float(opening["width"]) - MOST_NARROW_WIDTH
        if beside <= 0:
            return drawn
    return ""


def missing(figure: Figure, reason: str) -> str:
    """A box in place of a figure that could not be drawn, with the reason in it."""
    text = shortened(visible(f"This figure could not be drawn: {reason}"), MISSING_CHARACTERS)
    key, caption = _quoted(figure.name), _quoted(visible(figure.caption))
    size = f'width="{TEXT_WIDTH}" height="{MISSING_HEIGHT}" viewBox="0 0 {TEXT_WIDTH} {MISSING_HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" data-figure={key} {size} '
        f'aria-label={caption}><title>{_escaped(text)}</title><rect x="0.5" y="0.5" width="{TEXT_WIDTH - 1}" '
        f'height="{MISSING_HEIGHT - 1}" fill="none" stroke="{RULE}"/><text x="12" y="29" font-family="IBM Plex Sans" '
        f'font-size="12" fill="{INK}">{_escaped(text)}</text></svg>'
    )


def _escaped(text: str) -> str:
    return escaped(text, quote=False)


def _quoted(text: str) -> str:
    return '"' + _escaped(text).replace('"', "&quot;") + '"'


def _short(number: re.Match[str]) -> str:
    """A coordinate, as finely as anyone can see."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def png(figure: Figure) -> bytes:
    """The figure as a picture of dots, two to a CSS pixel, on white."""
    _register()
    spec = {**figure.spec, "background": "white"}
    return bytes(vl_convert.vegalite_to_png(_shown(spec), scale=2.0, allowed_base_urls=[]))


def _shown(spec: Spec) -> Spec:
    """The specification with its words made visible; names in it may come from a log."""
    _register()
    found = _words(spec)
    if max(str(found)) > "\uffff":
        found = _uncut(found)
    if not isinstance(found, dict):
        raise TypeError("a specification is an object")
    return found


def _uncut(value: object) -> object:
    """No text of it is cut: Vega cuts between the halves of a character beyond 16 bits, and then draws nothing."""
    if isinstance(value, dict):
        return {key: 0 if key in {"labelLimit", "titleLimit", "limit"} else _uncut(each) for key, each in value.items()}
    return [_uncut(each) for each in value] if isinstance(value, list) else value


def _words(value: object) -> object:
    if isinstance(value, str):
        return visible_lines(value)
    if isinstance(value, dict):
        return {key: _words(each) for key, each in value.items()}
    return [_words(each) for each in value] if isinstance(value, list | tuple) else value


@cache
def _register() -> None:
    vl_convert.register_font_directory(str(fonts.folder(fonts.SANS)))
