"""Where the texts of a PDF and of a page are: none may leave its area or cover another."""

import unicodedata
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pypdfium2

Box = tuple[float, float, float, float]
MARGIN = 28.0  # points; the type area of the paper begins further in

OUTSIDE = """
(() => {
  const outside = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, range = document.createRange();
    if (!node.data.trim() || !node.parentElement.checkVisibility() || node.parentElement.closest(".scroll")) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    if (boxes.some((box) => box.left < 0 || box.right > innerWidth)) outside.push(node.data);
  }
  return outside;
})()
"""
"""An expression for a browser: texts of the page that leave the window, but for those that scroll by themselves."""


def of_pages(path: Path) -> Iterator[tuple[int, tuple[float, float], list[Box], list[str]]]:
    """Of every page its number, its size, and the boxes of its texts with what they say."""
    with pypdfium2.PdfDocument(path) as document:
        for number, page in enumerate(document, 1):
            text = page.get_textpage()
            found = [text.get_rect(place) for place in range(text.count_rects())]
            yield number, page.get_size(), found, [text.get_text_bounded(*each) for each in found]


def misplaced(path: Path) -> list[tuple[int, str, str]]:
    """Texts outside of the type area, and pairs of which one covers the other, with their page.

    A mark above or below a letter has a box of its own within that of its letter.
    """
    wrong = []
    for number, (width, height), found, texts in of_pages(path):
        for box, text in zip(found, texts, strict=True):
            if box[0] < MARGIN or box[2] > width - MARGIN or box[1] < MARGIN / 2 or box[3] > height - MARGIN / 2:
                wrong.append((number, "outside", text))
        for (one, first), (other, second) in combinations(zip(found, texts, strict=True), 2):
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            is_covered = across > 1.5 and down > 0.45 * min(one[3] - one[1], other[3] - other[1])
            if is_covered and not _has_marks(first + second):
                wrong.append((number, first, second))
    return wrong


def _has_marks(text: str) -> bool:
    return any(unicodedata.combining(each) for each in text)
