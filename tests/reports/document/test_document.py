"""Parts of the documents: pages, the PDF, the relations read, a study's own look."""

import re
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

from pipeline.store.description import DescribedColumn, DescribedRelation
from pipeline.study.branding_options import contrast
from reports import numbers
from reports.document import branding
from reports.document.pages import ticked
from reports.document.pdf import Spacing, render
from reports.document.relations_read import relations_read
from reports.figures.catalogue import all_figures
from reports.figures.picture import svg
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param("`run` and `run02` are", "<code>run</code> and <code>run02</code> are", id="names"),
        pytest.param(
            "Runs of \u201ca` b\u201d, as `run` says",
            "Runs of \u201ca` b\u201d, as <code>run</code> says",
            id="a label's own back tick",
        ),
        pytest.param("a ` b", "a ` b", id="a back tick alone"),
        pytest.param("`<b>`", "<code>&lt;b&gt;</code>", id="markup"),
    ],
)
def test_names_are_set_as_code_and_quotations_are_left_alone(text: str, marked: str) -> None:
    assert ticked(text) == marked


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


def described(schema: str, name: str, *columns: str) -> DescribedRelation:
    return DescribedRelation(
        schema, name, "view", f"One row per {name}.", tuple(DescribedColumn(each, "integer", each) for each in columns)
    )


STORE = [described("main", "run", "run", "used"), described("main", "milestone", "run"), described("log", "run", "x")]


def test_relations_that_statements_read_come_with_the_columns_they_name() -> None:
    found = relations_read(["select used from main.run as r where r.used", "select run from run"], STORE)
    assert [(each.schema, each.name, [column.name for column in each.columns]) for each in found] == [
        ("main", "run", ["run", "used"])
    ]


def test_words_in_texts_and_comments_name_nothing() -> None:
    assert relations_read(["select 'from milestone' as used -- join run"], STORE) == []


def test_numbers_have_the_decimal_mark_of_the_language(make_store: Callable[..., Path]) -> None:
    with opened(make_store()) as connection, numbers.written_in("de"):
        study = StudyView(connection)
        tables, figures = all_tables(study), all_figures(study)
        printed = [cell.text for each in tables.values() for row in each.rows for cell in row]
        drawn = re.findall(r"<text[^>]*>([^<]*)</text>", "".join(map(svg, figures.values())))
    assert any(re.search(r"\d,\d", each) for each in printed)
    assert any(re.search(r"\d,\d", each) for each in drawn)
    assert [each for each in [*printed, *drawn] if re.search(r"\d\.\d", each)] == []


@pytest.mark.parametrize("accent", ["#000000", "#7a1f3d", "#1d5a96", "#767676"])
def test_the_colour_can_be_read_on_dark_paper_too(accent: str) -> None:
    rules = branding.colours(accent, is_print=False)
    light = rules.rpartition("--accent: ")[2][:7]
    assert contrast(light, branding.DARK_PAPER) >= 4.5
    assert branding.colours(accent, is_print=True).count("--accent") == 1
    assert branding.colours(None, is_print=False) == ""


@pytest.mark.parametrize(
    ("language", "stated", "printed"),
    [
        (None, "2004-02-04", "2004-02-04"),
        ("en", "2004-02-04", "4 February 2004"),
        ("de", "logs through 2003-08-06", "logs through 6. August 2003"),
        ("fr", "2004-02-04", "4 février 2004"),
        ("es", "2004-02-04", "4 de febrero de 2004"),
        ("en", "spring 2004", "spring 2004"),
        ("en", "2004-13-40", "2004-13-40"),
        ("en", "12004-02-04", "12004-02-04"),
    ],
)
def test_dates_are_written_out_in_the_language(language: str | None, stated: str, printed: str) -> None:
    assert branding.date_in(language, stated) == printed


def test_every_language_has_twelve_months() -> None:
    assert {len(set(months.split())) for months in branding.MONTHS.values()} == {12}
