"""A figure as SVG or PNG: the same drawing for page and paper, and at the width of a column."""

from collections.abc import Iterator, Sequence
from html import escape

from reports.figures.draw import png as dots
from reports.figures.draw.ink import Piece, Text, below_each_other
from reports.figures.draw.style import GAP, INK, LINE, WIDE
from reports.figures.draw.svg import short, written
from reports.figures.draw.text import lines
from reports.figures.model import Figure
from reports.typeset import fonts, further_fonts
from reports.typeset.text import visible

EDGE = 2.0
"""Around a drawing, for strokes at its edge."""
CAPTION_SIZE, MOST_CAPTION_LINES = 12.0, 8


def svg(figure: Figure, width: float = WIDE) -> str:
    """The figure with a title and a description inside; it scales with what holds it."""
    key, caption = escape(figure.name), escape(visible(figure.caption))
    title = escape(f"{visible(figure.caption)}. {visible(figure.description)}", quote=False)
    about = f' class="chart" role="img" data-figure="{key}" aria-label="{caption}"'
    return _whole(below_each_other(figure.scene.pieces(width), GAP), width, about, f"<title>{title}</title>")


def printed(figure: Figure) -> list[str]:
    """The figure as paper shows it: pictures between which a page may end, without words that nobody can point at."""
    return [_whole(piece, WIDE, is_spoken=False) for piece in figure.scene.pieces(WIDE)]


def _whole(piece: Piece, width: float, about: str = "", before: str = "", *, is_spoken: bool = True) -> str:
    across, down = short(width + 2 * EDGE), short(piece.height + 2 * EDGE)
    size = f'width="{across}" height="{down}" viewBox="{-EDGE:g} {-EDGE:g} {across} {down}"'
    body = written(piece.inks, is_spoken=is_spoken)
    return f'<svg xmlns="http://www.w3.org/2000/svg"{about} {size}>{before}{body}</svg>'


def alone(figures: Sequence[Figure], width: float = WIDE) -> Iterator[tuple[str, str]]:
    """Drawings by name that need nothing around them: with their caption, on white, and the fonts inside."""
    wholes = [(each, _captioned(each, width)) for each in figures]
    used = {
        letter for _, piece in wholes for ink in piece.inks if isinstance(ink, Text) for letter in visible(ink.text)
    }
    further = further_fonts.further(used)
    style = fonts.stylesheet(fonts.of_figures(used), is_inline=True)
    style += further_fonts.stylesheet(further.faces, is_inline=True)
    for figure, piece in wholes:
        title = escape(f"{visible(figure.caption)}. {visible(figure.description)}", quote=False)
        ground = f'<rect x="{-EDGE:g}" y="{-EDGE:g}" width="100%" height="100%" fill="white"/>'
        before = f"<title>{title}</title><style>{style}</style>{ground}"
        drawn = _whole(piece, width, f' role="img" aria-label="{escape(visible(figure.caption))}"', before)
        yield figure.name, further_fonts.in_picture(drawn, further.faces)


def page(figure: Figure, width: float = WIDE) -> tuple[str, dict[str, bytes]]:
    """A page of HTML that is the drawing, `width` CSS pixels wide with its edges, and its fonts by address."""
    piece = below_each_other(figure.scene.pieces(width - 2 * EDGE), GAP)
    used = {letter for ink in piece.inks if isinstance(ink, Text) for letter in visible(ink.text)}
    faces, further = fonts.of_figures(used), further_fonts.further(used)
    drawn = _whole(piece, width - 2 * EDGE, f' role="img" aria-label="{escape(visible(figure.caption))}"')
    style = fonts.stylesheet(faces, is_inline=False) + further_fonts.stylesheet(further.faces, is_inline=False)
    style += f"@page {{ size: {short(width)}px {short(piece.height + 2 * EDGE)}px; margin: 0 }}"
    style += "body { margin: 0 } svg { display: block }"
    head = f"<title>{escape(visible(figure.caption))}</title><style>{style}</style>"
    html = f'<html lang="en"><head>{head}</head><body>{further_fonts.in_picture(drawn, further.faces)}</body></html>'
    named = {fonts.address(face): data for face, data in faces.items()}
    return html, named | {further_fonts.address(face): face.data for face in further.faces}


def _captioned(figure: Figure, width: float) -> Piece:
    """The drawing below its number and caption."""
    caption = f"{figure.label}. {figure.caption}" if figure.label else figure.caption
    found = lines(caption, CAPTION_SIZE, width, most=MOST_CAPTION_LINES)
    step = LINE * CAPTION_SIZE
    texts = tuple(Text(0.0, step * (place + 1) - 3.0, line, CAPTION_SIZE, INK) for place, line in enumerate(found))
    return below_each_other([Piece(step * len(found) - 6.0, texts), *figure.scene.pieces(width)], GAP)


def png(figure: Figure, width: float = WIDE) -> bytes:
    """The figure as a picture of dots, on white."""
    return dots.rasterised(below_each_other(figure.scene.pieces(width), GAP), width)
