"""The look that study.toml asks for, in both documents."""

import base64
import re
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from pipeline.ingest.ingest import ingest
from pipeline.study.branding_options import contrast
from reports import numbers
from reports.document import branding
from reports.document.report import write_report
from reports.figures.catalogue import all_figures
from reports.figures.picture import svg
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables
from tests.support import standards

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><path d="M0 0h40v10z" fill="#7a1f3d"/></svg>'
STUDY = """
[study]
title = "A look of its own"
organisation = "<b>Example & sons"
date = 2004-02-04
[report]
logo = "logo.svg"
accent = "#7a1f3d"
paper = "Letter"
language = "de"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("study")
    (study / "study.toml").write_text(STUDY, encoding="utf-8")
    (study / "logo.svg").write_text(SVG, encoding="utf-8")
    (study / "messages").write_text("Aug  6 09:31:02 sun-ha4 su: [ID 1 auth.notice] a line\n", encoding="utf-8")
    out = tmp_path_factory.mktemp("out")
    ingest(study, out / "haledger.duckdb")
    write_report(out / "haledger.duckdb", out, formats=["html", "pdf"])
    return out


def test_the_page_shows_the_logo_the_colour_and_the_date(folder: Path) -> None:
    html = (folder / "report.html").read_text(encoding="utf-8")
    data = base64.b64encode(SVG.encode()).decode()
    assert f'<img alt="Logo: &lt;b&gt;Example &amp; sons" src="data:image/svg+xml;base64,{data}">' in html
    assert "--accent: #7a1f3d" in html
    assert "4. Februar 2004" in html


def test_the_pdf_has_the_paper_the_colour_and_the_date(folder: Path) -> None:
    page = pypdf.PdfReader(folder / "report.pdf").pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (612, 792)
    assert "4. Februar 2004" in page.extract_text()
    contents = page.get_contents()
    assert contents is not None
    painted = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|scn)\b", contents.get_data())
    assert (0x7A, 0x1F, 0x3D) in {tuple(round(float(each) * 255) for each in colour) for colour in painted}


@pytest.mark.parametrize("profile", standards.PROFILES)
def test_a_look_of_its_own_keeps_to_the_standards(folder: Path, profile: str) -> None:
    assert standards.faults(folder / "report.pdf", profile) == []


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
