"""The PDF: one file that is PDF/A-3a and PDF/UA-1, with the data of its tables attached.

WeasyPrint claims one standard per file. A tagged PDF/A-3a with the identification of PDF/UA-1 added to its metadata
passes both profiles of veraPDF, see docs/decisions.
"""

import ctypes.util
import gc
import logging
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, fromstring, register_namespace, tostring

from pipeline.errors import HaledgerError

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PDFUA = "http://www.aiim.org/pdfua/ns/id/"
EXTENSION = "http://www.aiim.org/pdfa/ns/extension/"
SCHEMA = "http://www.aiim.org/pdfa/ns/schema#"
PROPERTY = "http://www.aiim.org/pdfa/ns/property#"

LEAST_FILLED = 1 / 3
"""A last page with less of it filled is one too many, if it can be done without."""

COLLECTION_THRESHOLDS = (50_000, 20, 100)  # a fifth less time for a report of forty pages, and 20 MB more

# fontTools stamps fonts with the time unless this says otherwise; any fixed instant does, this is the start of 2000.
FIXED_INSTANT = datetime(2000, 1, 1, tzinfo=UTC)


ATTACHED = "attached"  # addresses of this kind are answered from memory
# Media type, and what the file is to the report. Declared here, as Python guesses by the tables of the system.
KINDS = {
    ".csv": ("text/csv", "Data"),
    ".sql": ("application/sql", "Source"),
    ".json": ("application/json", "Source"),
    ".toml": ("application/toml", "Source"),
    ".txt": ("text/plain", "Data"),
}


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to go into a PDF, and its entry in the list of attachments."""

    content: bytes
    description: str


@contextmanager
def few_collections() -> Iterator[None]:
    """Look for garbage in cycles more rarely: a page is hundreds of thousands of objects that live to its end."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECTION_THRESHOLDS)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


class RenderError(HaledgerError):
    """The page renderer complained; a report is only written without any warning."""


class Spacing(NamedTuple):
    """Further styles where the last page holds little.

    `tighter` where it makes a page less; else, as well, the first of `roomier` that fills the last page.
    """

    tighter: str = ""
    roomier: tuple[str, ...] = ()


AS_IT_IS = Spacing()


def render(
    html: str,
    fonts: Mapping[str, bytes],
    attachments: Mapping[str, Attachment],
    *,
    identifier: bytes,
    spacing: Spacing = AS_IT_IS,
) -> tuple[bytes, int]:
    """The PDF of a page, and its number of pages. Fonts by their address, attachments by file name.

    `spacing`: what is taken where the last of several pages holds little.
    """
    weasyprint = _weasyprint()
    addresses = {name: f"{ATTACHED}:{number}{PurePath(name).suffix}" for number, name in enumerate(attachments)}
    held = {url: (data, "font/woff2") for url, data in fonts.items()}
    held |= {addresses[name]: (each.content, KINDS[PurePath(name).suffix][0]) for name, each in attachments.items()}
    fetcher = _fetcher(held)

    def lay_out(style: str) -> Any:  # noqa: ANN401  weasyprint ships no types
        page = html.replace("</style>", f"{style}</style>", 1)
        whole = weasyprint.HTML(string=page, url_fetcher=fetcher, base_url=None)
        return whole.render(pdf_variant="pdf/a-3a", pdf_tags=True)

    with few_collections(), _fixed_clock(), _warnings_as_errors(), warnings.catch_warnings():
        # WeasyPrint 70 leaves its colour profile open; closing it is not ours
        warnings.filterwarnings("ignore", message=".*sRGB2014", category=ResourceWarning)
        document = _well_filled(lay_out, spacing)
        own = document.metadata.generate_rdf_metadata
        document.metadata.generate_rdf_metadata = lambda *arguments: with_pdfua(own(*arguments))
        stamp = FIXED_INSTANT.replace(tzinfo=None)
        files = [
            weasyprint.Attachment(
                url=addresses[name],
                url_fetcher=fetcher,
                name=name,
                description=each.description,
                created=stamp,
                modified=stamp,
                relationship=KINDS[PurePath(name).suffix][1],
            )
            for name, each in attachments.items()
        ]
        data = document.write_pdf(
            pdf_variant="pdf/a-3a", pdf_tags=True, attachments=files, pdf_identifier=identifier, optimize_images=False
        )
    return data, len(document.pages)


def _weasyprint() -> Any:  # noqa: ANN401  weasyprint ships no types
    """WeasyPrint, with its faults in texts mended."""
    with _libraries_by_name():
        import weasyprint
        import weasyprint.layout.inline
        import weasyprint.svg
    weasyprint.layout.inline.split_first_line = _first_line
    weasyprint.svg.text = _whole_text
    weasyprint.svg.TAGS |= dict.fromkeys(("a", "text", "textPath", "tspan"), _whole_text)
    return weasyprint


def _fetcher(held: Mapping[str, tuple[bytes, str]]) -> Any:  # noqa: ANN401  weasyprint ships no types
    """What opens the addresses of `held`, each with its content and media type, and data: URLs, and nothing else."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class DataOnly(URLFetcher):  # type: ignore[misc]  # weasyprint ships no types
        def __init__(self) -> None:
            super().__init__(allowed_protocols=["data"], allow_redirects=False, fail_on_errors=True)

        def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
            if url not in held:
                return super().fetch(url, headers)
            content, media_type = held[url]
            return URLFetcherResponse(url, content, {"Content-Type": media_type})

    return DataOnly()


def _well_filled(lay_out: Callable[[str], Any], spacing: Spacing) -> Any:  # noqa: ANN401  weasyprint ships no types
    """The document, in the spacing that leaves its last page with more than a few lines."""
    document, style = lay_out(""), ""
    if spacing.tighter and _ends_early(document):
        second = lay_out(spacing.tighter)
        if len(second.pages) < len(document.pages):
            document, style = second, spacing.tighter
    for roomier in spacing.roomier:
        if not _ends_early(document):
            break
        second = lay_out(style + roomier)
        if len(second.pages) == len(document.pages) and not _ends_early(second):
            document = second
    return document


def _ends_early(document: Any) -> bool:  # noqa: ANN401  weasyprint ships no types
    """Whether the last of several pages holds a few lines."""
    return len(document.pages) > 1 and _filled(document.pages[-1]) < LEAST_FILLED


def _filled(page: Any) -> float:  # noqa: ANN401  weasyprint ships no types
    """How far down a page its text goes, as a share of the room for it."""
    from weasyprint.formatting_structure.boxes import LineBox, MarginBox

    box = page._page_box  # noqa: SLF001  nothing else knows where its boxes are
    content = [each for each in box.children if not isinstance(each, MarginBox)]
    ends = [
        each.position_y + each.height for part in content for each in part.descendants() if isinstance(each, LineBox)
    ]
    return (max(ends, default=0.0) - box.content_box_y()) / box.height if box.height else 1.0


def _not_found(name: str) -> str | None:  # noqa: ARG001  ctypes has it so
    return None


@contextmanager
def _libraries_by_name() -> Iterator[None]:
    """Open system libraries by their file names alone while WeasyPrint looks for them.

    For each name that is none, other systems' too, Python runs up to three programs to search: a fifth of a second.
    """
    before = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = _not_found
    try:
        yield
    finally:
        ctypes.util.find_library = before


def _first_line(text: str, style: Any, context: Any, width: float | None, *rest: Any, **options: Any) -> Any:  # noqa: ANN401  weasyprint ships no types
    """The first line of a text. Where all but a blank at its end fits, WeasyPrint 70 breaks it after its first word."""
    from weasyprint.text.line_break import split_first_line

    found = split_first_line(text, style, context, width, *rest, **options)
    if found[2] is None or width is None or not text.endswith(" "):
        return found
    _, _, next_line_at, needed, *_ = split_first_line(text.rstrip(" "), style, context, width, *rest, **options)
    if next_line_at is None and needed <= width:
        return split_first_line(text, style, context, None, *rest, **options)
    return found


class _Whole(str):
    """A text that is one letter to WeasyPrint."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        yield str(self)


def _whole_text(svg: Any, node: Any, size: float) -> None:  # noqa: ANN401  weasyprint ships no types
    """Draw the text of a figure as a whole: letter by letter, as WeasyPrint 70 does, Arabic and Hindi fall apart."""
    from weasyprint.svg.text import text

    if node.text and " " not in f"{node.get('x', '')}{node.get('rotate', '')}".strip():
        node._etree_node.text = _Whole(node.text)  # noqa: SLF001  the only place that holds it
    text(svg, node, size)


def with_pdfua(metadata: bytes) -> bytes:
    """RDF metadata with the identification of PDF/UA-1, and its declaration as PDF/A demands it."""
    for prefix, namespace in (
        ("rdf", RDF),
        ("pdfuaid", PDFUA),
        ("pdfaExtension", EXTENSION),
        ("pdfaSchema", SCHEMA),
        ("pdfaProperty", PROPERTY),
    ):
        register_namespace(prefix, namespace)
    rdf = fromstring(metadata)  # noqa: S314  weasyprint wrote it a moment ago
    SubElement(rdf, f"{{{RDF}}}Description", {f"{{{RDF}}}about": ""}).append(_text(PDFUA, "part", "1"))
    schemas = SubElement(SubElement(rdf, f"{{{RDF}}}Description", {f"{{{RDF}}}about": ""}), f"{{{EXTENSION}}}schemas")
    schema = _resource(SubElement(schemas, f"{{{RDF}}}Bag"))
    schema.append(_text(SCHEMA, "namespaceURI", PDFUA))
    schema.append(_text(SCHEMA, "prefix", "pdfuaid"))
    schema.append(_text(SCHEMA, "schema", "PDF/UA identification schema"))
    one = _resource(SubElement(SubElement(schema, f"{{{SCHEMA}}}property"), f"{{{RDF}}}Seq"))
    one.append(_text(PROPERTY, "category", "internal"))
    one.append(_text(PROPERTY, "description", "Part of the standard that the document conforms to"))
    one.append(_text(PROPERTY, "name", "part"))
    one.append(_text(PROPERTY, "valueType", "Integer"))
    return bytes(tostring(rdf, encoding="utf-8"))


def _resource(parent: Element) -> Element:
    return SubElement(parent, f"{{{RDF}}}li", {f"{{{RDF}}}parseType": "Resource"})


def _text(namespace: str, name: str, value: str) -> Element:
    element = Element(f"{{{namespace}}}{name}")
    element.text = value
    return element


@contextmanager
def _fixed_clock() -> Iterator[None]:
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = str(int(FIXED_INSTANT.timestamp()))
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


CARRIED = re.compile(r"data:[^\s'\"]{40,}")
"""A picture in its address, which would fill a message."""


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(CARRIED.sub("data:\u2026", record.getMessage()))


@contextmanager
def _warnings_as_errors() -> Iterator[None]:
    """What WeasyPrint or fontTools warn of is a fault of our page, and none goes out with one."""
    collector = _Collector()
    loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    for logger in loggers:
        logger.addHandler(collector)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(collector)
    if collector.messages:
        shown = "; ".join(message[:200] for message in collector.messages[:5])
        raise RenderError(f"the report could not be rendered without warnings: {shown}")
