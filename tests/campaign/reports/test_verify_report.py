"""Verification of report.pdf: what is attached, that no byte changed, and that the tables are those of the sources."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest

from pipeline.ask.verify.verify import Verified
from pipeline.errors import StoreError
from pipeline.ingest.ingest import ingest
from pipeline.ingest.layout import Layout
from reports.answers.verify import is_pdf, verify_folder, verify_report
from reports.document import pdf, pdf_content
from reports.document.folder import rebuilt
from reports.document.pdf_content import NotReadableError
from reports.document.report import write_report
from tests.support.failover_logs import write, write_run, write_timers

FOLDER_LIKE_A_FORMULA = "=cmd"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study and its report."""
    folder = tmp_path_factory.mktemp("verify")
    study = folder / "logs"
    write_timers(study / "default")
    write_run(study / "default" / "run01")
    write(study / FOLDER_LIKE_A_FORMULA / "n\u00f6tes, \u4e2d.txt", "nothing that a program wrote\n")
    ingest(study, folder / "report" / "haledger.duckdb")
    write_report(folder / "report" / "haledger.duckdb", folder / "report")
    return folder


@pytest.fixture
def here(original: Path) -> Iterator[Path]:
    kept = original.with_name("kept")
    shutil.copytree(original, kept)
    yield original
    shutil.rmtree(original)
    kept.rename(original)


def verified(folder: Path) -> Verified:
    return verify_report(folder / "report" / "report.pdf")


def outcome(found: Verified) -> dict[str, bool | None]:
    return {each.check: each.holds for each in found.findings}


def reported(found: Verified, check: str) -> str:
    (finding,) = (each for each in found.findings if each.check == check)
    return "\n".join((finding.text, *finding.items))


def test_untouched_report_holds(here: Path) -> None:
    found = verified(here)
    assert outcome(found) == dict.fromkeys(("file", "identifier", "accounting", "sources", "tables"), True), found
    assert "computed again from the sources" in reported(found, "tables")


def test_tables_of_an_earlier_study_are_named_as_not_computed_again(here: Path) -> None:
    report = here / "report"
    write_report(report / "haledger.duckdb", report, formats=["pdf"], against=report / "haledger.duckdb")
    found = verified(here)
    assert outcome(found)["tables"] is True, found
    assert "earlier.csv" in reported(found, "tables")


def test_tables_are_computed_again_as_the_report_was_asked_for(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = here / "report" / "haledger.duckdb"
    ingest(here / "logs", store, reference="default", until="2003-07-28T10:27:30-04:00")
    write_report(store, store.parent, formats=["pdf"])
    assert outcome(verified(here))["tables"] is True
    store.unlink()
    assert outcome(verify_report(here / "report" / "report.pdf", here / "logs"))["tables"] is True
    monkeypatch.setattr("reports.answers.verify.version", lambda: "0.0.1")
    found = verify_report(here / "report" / "report.pdf", here / "logs")
    assert found.broken == []
    assert "wrote the report" in reported(found, "tables")


def test_a_part_of_the_store_of_a_report_folder_is_verified_with_it(here: Path) -> None:
    report = here / "report"
    with rebuilt(report) as new:
        ingest(here / "logs", new / "haledger.duckdb", layout=Layout("parquet", here / "parts"))
        write_report(new / "haledger.duckdb", new, formats=["pdf"])
    assert outcome(verify_folder(report))["parts"] is True
    one = max((here / "parts").rglob("*.parquet"), key=lambda each: each.stat().st_size)
    content, old = bytearray(one.read_bytes()), one.stat()
    content[8] ^= 1
    one.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        verify_folder(report)
    os.utime(one, ns=(old.st_atime_ns, old.st_mtime_ns))  # so that opening the store sees no change
    assert verify_folder(report).broken == ["parts"]


def test_attachments_are_those_another_reader_finds(original: Path) -> None:
    path = original / "report" / "report.pdf"
    ours = pdf_content.read(path.read_bytes()).attachments
    theirs = {name: content[0] for name, content in pypdf.PdfReader(path).attachments.items()}
    assert ours == theirs
    assert "sources.csv" in ours


def test_names_of_any_letters_are_read() -> None:
    files = {"pl(a\\)in.csv": "a", "\u4e2d\u00f6.csv": "b"}
    attached = {name: pdf.Attachment(text.encode(), "d") for name, text in files.items()}
    data, _ = pdf.render("<html lang=en><title>t</title><p>x", {}, attached, identifier=b"(\\)" * 4)
    content = pdf_content.read(data)
    assert content.attachments == {name: text.encode() for name, text in files.items()}
    assert (content.identifier, content.is_whole) == (b"(\\)" * 4, True)


def test_changed_source_is_named_and_tables_are_those_of_the_store(here: Path) -> None:
    log = here / "logs" / "default" / "run01" / "sun-ha4" / "engine_A.log"
    log.write_text(log.read_text().replace("shark_ip", "shark_if"))
    found = verified(here)
    assert found.broken == ["sources"]
    assert "changed: default/run01/sun-ha4/engine_A.log" in reported(found, "sources")
    assert "the haledger.duckdb beside the report" in reported(found, "tables")


def test_report_alone_holds_as_far_as_can_be_known(here: Path, tmp_path: Path) -> None:
    shutil.copy(here / "report" / "report.pdf", tmp_path / "r.pdf")
    found = verify_report(tmp_path / "r.pdf")
    assert outcome(found) == {"file": True, "identifier": True, "accounting": True, "sources": None, "tables": None}
    with_study = verify_report(tmp_path / "r.pdf", here / "logs")
    assert set(outcome(with_study).values()) == {True}


def test_tables_of_another_store_are_not_those_of_the_report(here: Path) -> None:
    write_run(here / "logs" / "default" / "run02")
    ingest(here / "logs", here / "report" / "haledger.duckdb")
    (here / "logs").rename(here / "away")
    found = verified(here)
    assert found.broken == ["tables"]
    assert "runs.csv: differs from line" in reported(found, "tables")


def test_no_changed_byte_goes_unseen(original: Path) -> None:
    data = (original / "report" / "report.pdf").read_bytes()
    whole = pdf_content.read(data)
    source = random.Random(3)  # noqa: S311  places, not secrets
    refused = 0
    cross_references = data.rindex(b"\nstream\n") + len(b"\nstream\n")
    packed = range(cross_references, data.rindex(b"\nendstream"))
    frame = [place for place in (*range(20), *range(cross_references - 300, len(data))) if place not in packed]
    for place in frame + [source.randrange(len(data)) for _ in range(150)]:
        damaged = bytearray(data)
        damaged[place] ^= 1 << source.randrange(8)
        try:
            found = pdf_content.read(bytes(damaged))
        except NotReadableError:
            refused += 1
        else:
            is_other_input = found.identifier != whole.identifier  # which is held against the ledger of the sources
            is_filling = found == whole and place in packed  # the bits that fill up the last byte
            assert not found.is_whole or is_other_input or is_filling
    assert refused


def test_no_cut_or_noise_is_read(original: Path) -> None:
    data = (original / "report" / "report.pdf").read_bytes()
    source = random.Random(4)  # noqa: S311  noise, not secrets
    for damaged in (b"", data[:5], data[: len(data) // 2], data[:-1] + b"x", b"%PDF-1.7\nstartxref\n9\n%%EOF\n"):
        with pytest.raises(NotReadableError):
            pdf_content.read(damaged)
    with pytest.raises(NotReadableError):
        pdf_content.read(b"%PDF-1.7\n" + source.randbytes(3000) + data[-60:])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.4 of another program", "damaged, or no report of haledger"),
        (None, "not a report of haledger"),
    ],
)
def test_other_pdf_is_refused_with_advice(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "other.pdf"
    one = {"a.csv": pdf.Attachment(b"a", "d")}
    path.write_bytes(content or pdf.render("<html lang=en><title>t</title><p>x", {}, one, identifier=b"0" * 16)[0])
    assert is_pdf(path)
    with pytest.raises(StoreError, match=said):
        verify_report(path)
