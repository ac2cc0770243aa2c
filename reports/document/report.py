"""A store into report.pdf, report.html, tables/ and figures/."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.ask.check.quality import broken
from pipeline.ask.compare.studies import against_earlier
from pipeline.ask.doctor import pango
from pipeline.child import Child, Limits, child_process
from pipeline.discovery.entry_names import APPENDIX_NAME, REPORT_MARKER
from pipeline.errors import UsageError
from pipeline.failure import Failure
from pipeline.store.notes import as_note, digest, hash_of, made_of, sealed
from reports.document import pages, pdf
from reports.document.attachments import attachments
from reports.document.document import Document, Part, compose
from reports.document.folder import kept
from reports.document.products import Kind, table_file, write_file
from reports.figures import catalogue as figure_catalogue
from reports.figures.picture import alone
from reports.recoveries import SUBJECT, sentence
from reports.study.view import opened_study
from reports.tables import catalogue as table_catalogue
from reports.tables.earlier import NAMES as NAMES_OF_EARLIER
from reports.tables.earlier import not_compared
from reports.typeset.formats import csv_of
from reports.typeset.further_fonts import BOX_FAMILY, FAMILY
from reports.typeset.text import file_name
from reports.words import counted

FORMATS = ("pdf", "html", "tables", "figures")
APPENDIX = "appendix"
"""A further format: what the paper leaves to its attachments and to the page, in print."""

PDF_PARTS: Mapping[str, Part] = {"pdf": "paper", APPENDIX: "data"}
PDF_NAMES: Mapping[Part, str] = {"paper": "report.pdf", "data": APPENDIX_NAME}
NEW_EACH_TIME = ("folder", "seconds", "is_unchanged")
TABLE_FORMATS = ("csv", "md", "tex", "html")

TYPESETTING = Limits(120.0, 1024)
TYPESETTING_OF_MEBIBYTE = Limits(60.0, 512)
"""What every PDF may take, and more for each mebibyte of its page: about ten times what samples take."""

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class ReportResult:
    """What was written, relative to `folder`."""

    folder: Path
    files: tuple[str, ...]
    pages: int | None
    tables: tuple[str, ...]
    figures: tuple[str, ...]
    seconds: float
    recovered: str = ""
    built_in: tuple[str, ...] = ()  # what is said of data that were not recorded
    missing: tuple[str, ...] = ()  # what could not be made, and why
    not_compared: tuple[str, ...] = ()  # configurations without a partner in the earlier study
    is_unchanged: bool = False  # what the last report was made of is the same, and so are its files

    def to_dict(self) -> dict[str, object]:
        """The result as JSON can hold it."""
        return {
            "folder": str(self.folder),
            "files": list(self.files),
            "pages": self.pages,
            "tables": list(self.tables),
            "figures": list(self.figures),
            "seconds": round(self.seconds, 3),
            "recovered": self.recovered,
            "built_in": list(self.built_in),
            "missing": list(self.missing),
            "not_compared": list(self.not_compared),
            "is_unchanged": self.is_unchanged,
        }

    def summary(self) -> list[str]:
        """The result in a few lines, for a person."""
        lines = [f"{SUBJECT}: {self.recovered}"] if self.recovered else []
        lines += self.built_in
        lines += ["Report: kept as it was; nothing has changed"] if self.is_unchanged else []
        if "report.pdf" in self.files:
            lines.append(f"PDF: {self.folder / 'report.pdf'} ({counted(self.pages or 0, 'page')})")
        if APPENDIX_NAME in self.files:
            lines.append(f"Data: {self.folder / APPENDIX_NAME}")
        if "report.html" in self.files:
            lines.append(f"Page: {self.folder / 'report.html'}")
        lines.append(f"Tables: {len(self.tables)} in {self.folder / 'tables'}")
        lines.append(f"Figures: {len(self.figures)} in {self.folder / 'figures'}")
        return [*lines, *self.missing]


def write_report(  # noqa: PLR0913  each is a choice of its own
    store: Path,
    out: Path,
    *,
    formats: Sequence[str] = FORMATS,
    page_size: str | None = None,
    against: Path | None = None,
    label: str = "",
    progress: Progress | None = None,
    last: Path | None = None,
) -> ReportResult:
    """Write the report of a store into a folder. `formats`: any of pdf, html, tables, figures, appendix.

    `against`: the store of an earlier study, with which each configuration is compared; `label`: what that is called.
    `last`: the folder of the last report, whose files are taken where nothing has changed.
    """
    _require_known(formats, page_size)
    started = time.monotonic()
    say = progress or (lambda _step, _share: None)
    write_file(out / REPORT_MARKER, b"")
    asked = hash_of(formats, page_size, against and digest(against), label, pango().found)
    if last is not None and (known := kept(store, last, asked)) is not None:
        say("done", 1.0)
        values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in known.items()}
        return ReportResult(folder=out, seconds=time.monotonic() - started, is_unchanged=True, **values)
    earlier = None if against is None else against_earlier(store, against, label)
    with pdf.few_collections(), opened_study(store) as study, child_process() as child:
        say("computing tables", 0.0)
        study.earlier = earlier
        document = compose(study, table_catalogue.all_tables(study), figure_catalogue.all_figures(study))
        recovered, built_in = sentence(study), study.origins.sentences(study.label)
        made = _made(document, formats, page_size, child, say)
        answers = _answers(document)
    for name, content in made.files.items():
        write_file(out / name, content)
    say("done", 1.0)
    result = ReportResult(
        out,
        tuple(sorted(made.files)),
        made.pages,
        tuple(document.tables),
        tuple(document.figures),
        time.monotonic() - started,
        recovered,
        tuple(built_in),
        tuple(f"{name}: not made: {reason}" for name, reason in made.failures.items()),
        not_compared(earlier) if earlier else (),
    )
    notes = {"made_of": made_of(store), **answers}
    if not made.failures and not made.has_system_fonts:
        noted = {name: each for name, each in asdict(result).items() if name not in NEW_EACH_TIME}
        notes["report"] = {"asked": asked, "result": noted}
    write_file(out / REPORT_MARKER, sealed(notes))
    return result


@dataclass(slots=True)
class _Made:
    """The files of a report, the number of pages of the paper, and why a PDF could not be made.

    `has_system_fonts`: the page is set in fonts of the machine, of which there may be others next time.
    """

    files: dict[str, bytes]
    pages: int | None = None
    failures: dict[str, str] = field(default_factory=dict)
    has_system_fonts: bool = False


def _made(document: Document, formats: Sequence[str], page_size: str | None, child: Child, say: Progress) -> _Made:
    """All files of a report."""
    made = _Made(dict(_data_files(document, formats)))
    say("writing the page", 0.25)
    if "html" in formats:
        page = pages.html(document).html
        made.has_system_fonts = FAMILY in page or BOX_FAMILY in page
        made.files["report.html"] = page.encode("utf-8")
    say("typesetting the PDF", 0.35)
    for name, part in PDF_PARTS.items():
        if name not in formats:
            continue
        printed = _pdf(document, part, page_size, child)
        if isinstance(printed, Failure):
            made.failures[PDF_NAMES[part]] = printed.reason
            continue
        made.files[PDF_NAMES[part]], count = printed
        made.pages = count if part == "paper" else made.pages
    return made


def _answers(document: Document) -> dict[str, object]:
    """What there is to say to who asks again: finished tables and figures, and what `haledger check` says.

    Those that need more than the store are not among them; where a value cannot be noted, none of its kind is.
    """
    study = document.study
    checked = tuple(study.all_claims), tuple(broken(study.rows("findings"))), study.origins
    found: dict[str, object] = {"language": study.house_style.get("language"), "check": as_note(checked)}
    shown: Mapping[Kind, Mapping[str, Any]] = {
        "tables": document.numbered_tables(),
        "figures": document.numbered_figures(),
    }
    for kind, named in shown.items():
        with suppress(TypeError):
            found[kind] = [
                (name, each.label, each.caption, as_note(each))
                for name, each in named.items()
                if name not in NAMES_OF_EARLIER
            ]
    return found


def _data_files(document: Document, formats: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files of tables and figures."""
    if "tables" in formats:
        yield from _table_files(document).items()
    if "figures" in formats:
        yield from _figure_files(document).items()


def _pdf(document: Document, part: Part, page_size: str | None, child: Child) -> tuple[bytes, int] | Failure[str]:
    """A part as PDF and its number of pages, made by a process of its own."""
    library = pango()
    if not library.is_ok:
        return Failure(PDF_NAMES[part], f"needs Pango. {library.advice}")
    page = pages.html(document, part, page_size=page_size)
    identifier = hashlib.sha256(pages.manifest_hash(document.study).encode()).digest()[:16]
    size = len(page.html) / 2**20
    limits = Limits(
        TYPESETTING.cpu_s + size * TYPESETTING_OF_MEBIBYTE.cpu_s,
        TYPESETTING.mebibytes + size * TYPESETTING_OF_MEBIBYTE.mebibytes,
    )
    attached, spacing = (attachments(document), pages.spacing()) if part == "paper" else ({}, pdf.AS_IT_IS)
    return child.call(limits, pdf.render, page.html, page.fonts, attached, identifier=identifier, spacing=spacing)


def _table_files(document: Document) -> dict[str, bytes]:
    return {
        f"tables/{file_name(name)}.{kind}": table_file(table, kind)
        for name, table in document.numbered_tables().items()
        for kind in TABLE_FORMATS
    }


def _figure_files(document: Document) -> dict[str, bytes]:
    figures = document.numbered_figures()
    files = {f"figures/{file_name(name)}.svg": whole.encode("utf-8") for name, whole in alone(list(figures.values()))}
    for name, figure in figures.items():
        files[f"figures/{file_name(name)}.csv"] = csv_of(figure.names, figure.rows).encode("utf-8", "surrogatepass")
    return files


def _require_known(formats: Sequence[str], page_size: str | None) -> None:
    known = (*FORMATS, APPENDIX)
    unknown = [each for each in formats if each not in known]
    if unknown:
        raise UsageError(f"report format {unknown[0]!r} is unknown; expected any of {', '.join(known)}")
    if page_size is not None and page_size not in pages.PAGE_SIZES:
        raise UsageError(f"page size {page_size!r} is unknown; expected {' or '.join(pages.PAGE_SIZES)}")
