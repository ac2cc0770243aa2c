"""A report with a look of its own keeps to the standards of PDF."""

import base64
import re
from pathlib import Path

import pypdf
import pytest

from pipeline.ingest.ingest import ingest
from reports.document.report import write_report
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


def test_a_look_of_its_own_keeps_to_the_standards(folder: Path) -> None:
    assert standards.faults(folder / "report.pdf") == {}
