"""The PDF of a page: where its lines end."""

import pypdfium2

from reports.document.pdf import render

CELLS = "".join(f"<tr><th>A label of {'many ' * place}words </th><td>3</td></tr>" for place in range(1, 8))


def test_a_blank_at_the_end_of_a_cell_breaks_no_line() -> None:
    page = f"<html lang='en'><head><title>t</title></head><body><table>{CELLS}</table></body></html>"
    data, _ = render(page, {}, {}, identifier=b"0" * 16)
    with pypdfium2.PdfDocument(data) as document:
        written = document[0].get_textpage().get_text_bounded()
    broken = [place for place in range(1, 8) if f"A label of {'many ' * place}words" not in written]
    assert broken == []
