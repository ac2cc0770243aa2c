"""Reports of which a part cannot be made, and on other paper: what is left is written, and says what is missing."""

from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from pipeline.ask.doctor import Check
from pipeline.child import Limits
from pipeline.ingest.ingest import ingest
from reports.document import report
from reports.document.report import write_report

Maker = Callable[..., Path]
TOO_LITTLE = Limits(60.0, 1)
"""Less memory than a process of Python has."""


def test_letter_paper(make_store: Maker, tmp_path: Path) -> None:
    store = make_store(configurations={})
    write_report(store, tmp_path / "out", formats=["pdf"], page_size="Letter")
    box = pypdf.PdfReader(tmp_path / "out" / "report.pdf").pages[0].mediabox
    assert (round(box.width), round(box.height)) == (612, 792)


def test_without_the_pdf_the_rest_is_written(
    make_store: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "TYPESETTING", TOO_LITTLE)
    monkeypatch.setattr(report, "TYPESETTING_OF_MEBIBYTE", Limits(0.0, 0))
    result = write_report(make_store(), tmp_path / "out")
    assert result.missing == ("report.pdf: not made: takes more than 1 MiB of memory",)
    assert result.missing[0] in result.summary()
    assert "report.pdf" not in result.files
    assert {"report.html", *(f"tables/{name}.csv" for name in result.tables)} <= set(result.files)
    assert {f"figures/{name}.svg" for name in result.figures} <= set(result.files)


def test_without_pango_the_pdf_is_missing_with_what_to_do(
    make_store: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "pango", lambda: Check("Pango", is_ok=False, found="missing", advice="Install it."))
    result = write_report(make_store(), tmp_path / "out")
    assert result.missing == ("report.pdf: not made: needs Pango. Install it.",)
    assert "report.html" in result.files


def test_a_report_without_a_result_says_what_to_do_on_its_first_page(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "run1" / "app.log"
    log.parent.mkdir(parents=True)
    lines = [f"2026-03-01 10:00:0{second},123 INFO part {second} of the service started\n" for second in range(9)]
    log.write_text("".join(lines), encoding="utf-8")
    ingest(tmp_path / "logs", tmp_path / "store.duckdb")
    write_report(tmp_path / "store.duckdb", tmp_path / "out", formats=["html"])
    header = (tmp_path / "out" / "report.html").read_text(encoding="utf-8").split("</header>")[0]
    assert "no failover was found, and no result of a benchmark." in header
    assert 'run = "run1", fault_at' in header.replace("&#34;", '"')
