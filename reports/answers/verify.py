"""Whether a report.pdf still holds: the file as written, its accounts, its sources, and its tables computed again."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.ask.verify.verify import (
    Finding,
    Verified,
    accounting,
    checked,
    other_code,
    source_finding,
    verify_parts,
    verify_store,
)
from pipeline.discovery.address import Address
from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.errors import HaledgerError, StoreError
from pipeline.ingest.ingest import ingest
from pipeline.progress import Progress
from pipeline.scratch import scratch_folder
from pipeline.store import store as pipeline_store
from pipeline.store.fingerprint import program_key
from pipeline.store.locate import find_study
from pipeline.version import version
from reports.document.attachments import MADE_WITH, attachments
from reports.document.document import compose
from reports.document.folder import changed_files
from reports.document.pages import hash_of_manifest
from reports.document.pdf_content import NotReadableError, PdfContent, read
from reports.figures.catalogue import all_figures
from reports.study.view import opened_study
from reports.tables.catalogue import all_tables
from reports.tables.earlier import NAMES as NAMES_OF_EARLIER
from reports.typeset.escape import FORMULA_STARTS
from reports.typeset.text import file_name

SOURCES = "sources.csv"


def is_pdf(path: Path) -> bool:
    """Whether a file begins as a PDF does; no for one that cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(5) == b"%PDF-"
    except OSError:
        return False


def verify_folder(
    folder: Path, study: Path | Address | None = None, *, near: Sequence[Path] = (), progress: Progress | None = None
) -> Verified:
    """Verify a report folder: that its files were written together, then its report, or its store where it has none."""
    changed = changed_files(folder)
    if changed is None:
        together = Finding("folder", None, f"it does not list the files that were written together ({REPORT_MARKER})")
    else:
        together = checked(
            "folder", "its files are those that were written together", "other files than written", changed
        )
    pdf, store, parts = folder / "report.pdf", folder / STORE_NAME, list[Finding]()
    if pdf.is_file():
        verified = verify_report(pdf, study, near=near, progress=progress)
        parts = verify_parts(store) if changed == [] and store.is_file() else []
    elif store.is_file():
        verified = verify_store(store, study, near=near, progress=progress)
    else:
        raise StoreError(f"{folder}: no report folder; expected one that `haledger report` wrote")
    return replace(verified, file=str(folder), findings=(together, *parts, *verified.findings))


def verify_report(
    pdf: Path, study: Path | Address | None = None, *, near: Sequence[Path] = (), progress: Progress | None = None
) -> Verified:
    """Verify a report. `study`: where its sources are; None: those of the store beside the report, if found."""
    content = _read(pdf)
    sources = _rows(content, pdf)
    store = pdf.with_name(STORE_NAME)
    found = study or _study_of(store, (pdf.parent, *near))
    findings = [_file(content), _identifier(content, sources), accounting(sources)]
    if found is None:
        findings.append(Finding("sources", None, "the study was not found; name its folder with --study DIR"))
    else:
        hashes = {row["path"]: row["sha256"] or None for row in sources}
        findings.append(source_finding(found, hashes, own=(store,)))
    findings.append(_tables(content, store, found, is_same=findings[-1].holds is True, progress=progress))
    return Verified(str(pdf), "report", None if found is None else str(found), tuple(findings))


def _read(pdf: Path) -> PdfContent:
    try:
        content = read(pdf.read_bytes())
    except NotReadableError as error:
        raise StoreError(
            f"{pdf}: damaged, or no report of haledger: {error}; write it again with `haledger report STUDY`"
        ) from error
    except OSError as error:
        raise StoreError(f"{pdf}: cannot be read: {error.strerror or error}") from error
    if SOURCES not in content.attachments:
        raise StoreError(f"{pdf}: a PDF, but not a report of haledger: it has no {SOURCES} attached")
    return content


def _rows(content: PdfContent, pdf: Path) -> list[dict[str, str]]:
    """The attached list of sources; texts as they were before they were guarded against spreadsheets."""
    try:
        rows = list(
            csv.DictReader(io.StringIO(content.attachments[SOURCES].decode("utf-8", "surrogatepass"), newline=""))
        )
        return [{name: _unguarded(value) for name, value in row.items()} for row in rows if row["path"] is not None]
    except (UnicodeDecodeError, csv.Error, KeyError, AttributeError) as error:
        raise StoreError(f"{pdf}: the list of sources in it cannot be read: {error}") from error


def _unguarded(value: str) -> str:
    return value[1:] if value.startswith("'") and value[1:].startswith(FORMULA_STARTS) else value


def _file(content: PdfContent) -> Finding:
    if content.is_whole:
        return Finding("file", holds=True, text="every page, font and attachment is as it was written")
    return Finding("file", holds=False, text="it is not as it was written")


def _identifier(content: PdfContent, sources: Sequence[Mapping[str, str]]) -> Finding:
    digest = hash_of_manifest((row["path"], row["sha256"] or None) for row in sources)
    if hashlib.sha256(digest.encode()).digest()[:16] == content.identifier:
        text = f"the identifier is that of the {len(sources)} sources listed in it, {digest}"
        return Finding("identifier", holds=True, text=text)
    return Finding("identifier", holds=False, text="the identifier is not that of the sources listed in it")


def _study_of(store: Path, near: Sequence[Path]) -> Path | None:
    """The study of the store beside a report; None where there is none, or none that can be read."""
    try:
        with pipeline_store.opened(store) as con:
            return find_study(pipeline_store.info(con, store), near)
    except HaledgerError:
        return None


def _tables(
    content: PdfContent, store: Path, study: Path | Address | None, *, is_same: bool, progress: Progress | None
) -> Finding:
    """The attached tables against those of the sources, else against those of the store beside the report."""
    try:
        asked = _asked(content)
        if study is not None and is_same:
            with scratch_folder() as folder:
                fresh = folder / "fresh.duckdb"
                ingest(study, fresh, own=(store,), progress=progress, **asked)
                return _compared(content, _attached(fresh), "the sources")
        if not store.is_file():
            return Finding("tables", None, f"neither the same sources nor a {STORE_NAME} beside the report")
        with pipeline_store.opened(store) as con:
            info = pipeline_store.info(con, store)
        if info.program_key != program_key():
            raise StoreError(other_code(info.haledger_version))
        return _compared(content, _attached(store), f"the {STORE_NAME} beside the report")
    except HaledgerError as error:
        return Finding("tables", None, f"not computed again: {error}")


def _asked(content: PdfContent) -> dict[str, Any]:
    """The options that a report was made with; a StoreError where another version of the program made it."""
    if not content.is_whole:
        raise StoreError("the file is damaged")
    asked: dict[str, Any] = json.loads(content.attachments.get(MADE_WITH, b"{}"))
    written_by = asked.pop("haledger_version", "before 0.2.0")
    if (written_by, asked.pop("program_key", "")) != (version(), program_key()):
        raise StoreError(other_code(written_by, "report"))
    return asked


def _attached(store: Path) -> dict[str, bytes]:
    """The files that a report of this store would have attached."""
    with opened_study(store) as study:
        document = compose(study, all_tables(study), all_figures(study))
        return {name: each.content for name, each in attachments(document).items()}


def _compared(content: PdfContent, fresh: Mapping[str, bytes], origin: str) -> Finding:
    earlier = sorted(content.attachments.keys() & {f"{file_name(name)}.csv" for name in NAMES_OF_EARLIER})
    held = {name: each for name, each in content.attachments.items() if name not in earlier}
    text = f"computed again from {origin}, {len(held)} attached files are the same, byte by byte"
    if earlier:
        text += f"; not computed again, because they compare with an earlier study: {', '.join(earlier)}"
    wrong = list(_different(held, fresh))
    return checked("tables", text, f"attached files are not what {origin} give today", wrong)


def _different(held: Mapping[str, bytes], fresh: Mapping[str, bytes]) -> Iterator[str]:
    for name in sorted({*held, *fresh}):
        if name not in fresh:
            yield f"{name}: only in the report"
        elif name not in held:
            yield f"{name}: not in the report"
        elif held[name] != fresh[name]:
            yield f"{name}: differs from line {_first_difference(held[name], fresh[name])} on"


def _first_difference(one: bytes, other: bytes) -> int:
    lines, others = one.splitlines(), other.splitlines()
    return next(
        (i for i, pair in enumerate(zip(lines, others, strict=False), 1) if pair[0] != pair[1]),
        min(len(lines), len(others)) + 1,
    )
