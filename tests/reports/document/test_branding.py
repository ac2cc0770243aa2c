"""The look that study.toml asks for, in both documents."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.study.branding_options import contrast
from reports import numbers
from reports.document import branding
from reports.figures.catalogue import all_figures
from reports.figures.picture import svg
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables


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
