"""The PDF of a page: where its lines end, and what its last page holds."""

import pypdfium2
import pytest

from reports.document.pdf import Spacing, render

CELLS = "".join(f"<tr><th>A label of {'many ' * place}words </th><td>3</td></tr>" for place in range(1, 8))


def test_a_blank_at_the_end_of_a_cell_breaks_no_line() -> None:
    page = f"<html lang='en'><head><title>t</title></head><body><table>{CELLS}</table></body></html>"
    data, _ = render(page, {}, {}, identifier=b"0" * 16)
    with pypdfium2.PdfDocument(data) as document:
        written = document[0].get_textpage().get_text_bounded()
    broken = [place for place in range(1, 8) if f"A label of {'many ' * place}words" not in written]
    assert broken == []


STYLE = "@page { size: 200pt; margin: 20pt } p { margin: 0; font: 10pt/16pt sans-serif }"


def sheet(lines: int) -> str:
    head = f"<head><title>t</title><style>{STYLE}</style></head>"
    return f"<html lang='en'>{head}<body>{'<p>line</p>' * lines}</body></html>"


@pytest.mark.parametrize(
    ("lines", "tighter", "pages"),
    [
        (11, "p { line-height: 14pt }", 1),
        (11, "", 2),
        (11, "p { line-height: 15.9pt }", 2),  # that would not do
        (14, "p { line-height: 8pt }", 2),  # not asked: the last page holds enough
    ],
)
def test_a_last_page_of_a_line_is_taken_in_where_a_tighter_style_can(lines: int, tighter: str, pages: int) -> None:
    data, count = render(sheet(lines), {}, {}, identifier=b"0" * 16, spacing=Spacing(tighter))
    with pypdfium2.PdfDocument(data) as document:
        assert (len(document), count) == (pages, pages)


@pytest.mark.parametrize(
    ("roomier", "on_last"),
    [
        ("p { line-height: 18pt }", 3),
        ("", 2),
        ("p { line-height: 17pt }", 2),  # that would not do: two lines are not a third of the page
    ],
)
def test_a_last_page_of_a_line_is_given_more_where_no_tighter_style_can(roomier: str, on_last: int) -> None:
    spacing = Spacing("p { line-height: 15.9pt }", (roomier,))
    data, _ = render(sheet(11), {}, {}, identifier=b"0" * 16, spacing=spacing)
    with pypdfium2.PdfDocument(data) as document:
        last = document[len(document) - 1]
        assert last.get_textpage().get_text_bounded().count("line") == on_last
