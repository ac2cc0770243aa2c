"""What a reader of the paper would find wrong with it, found by a program: each check gives a line for each fault."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2

from reports.document import pages
from reports.document.document import Document
from reports.findings.sections import abstract
from reports.numbers import DASH, PLUS_MINUS
from reports.tables.model import Table

LEAST_SIZE_PT = 7.0
LEAST_FILLED = 1 / 3
LEAST_BEFORE_THE_LAST = 0.6
MOST_PAGES = 12
LEAST_DIGITS = 2
MOST_PLACES = 6
"""Tables and paragraphs of a paper that print the same measured number, one of them perhaps by chance."""

WHOLE_CELL = re.compile(r"[+\u2212]?[\d\u00a0]+(\.\d+)?[\u2020\u2021]?")
MEASURED = re.compile(r"(?<![\w.:/+\u2212-])\d[\d\u00a0]*\.\d+(?![\w.:/-])")
OF_ITS_OWN = {"claims", "replication", "hadr-outliers"}
"""Tables whose rows are each of another quantity."""

SENTENCE = re.compile(r"(?<=\.) ")
NOTHING_SAID = re.compile(
    r"could not be drawn|\b(?:None|nan|inf)\b|[\u2212-]0(?:\.0+)?(?![\d.])"
    r"|(?<![\d.])0(?:\.0+)? % (?:less|more|slower|faster)|::| [,;:.](?: |$)|\ball [01] "
)
BLOCKS = {"p", "li", "caption", "figcaption", "h1", "h2", "h3", "h4", "td", "th"}


@dataclass(frozen=True)
class Printed:
    """A report as it was written: its folder, and the document of its store."""

    folder: Path
    document: Document

    @property
    def pdf(self) -> Path:
        return self.folder / "report.pdf"

    @cached_property
    def blocks(self) -> list[tuple[str, str]]:
        """Kind and text of every block of the paper."""
        found = Blocks()
        found.feed(pages.html(self.document, "paper").html.partition("<body")[2])
        return [(kind, " ".join(text.replace("\u00a0", " ").split())) for kind, text in found.blocks]

    @property
    def prose(self) -> list[str]:
        """The texts outside of tables and of the notes below them, with captions."""
        return [text for kind, text in self.blocks if kind in {"p", "li", "caption", "figcaption"}]

    @cached_property
    def authors(self) -> str:
        """What the study itself says."""
        study = self.document.study
        bodies = [*(each.body for each in self.document.prose), abstract(study) or ""]
        return " ".join(re.sub(r"<[^>]+>", "", " ".join(bodies)).replace("\u00a0", " ").split())

    @cached_property
    def tables(self) -> list[Table]:
        """The tables of the paper, as many of their rows as it prints."""
        captions = {text for kind, text in self.blocks if kind == "caption"}
        numbered = self.document.numbered_tables().values()
        return [
            each.shortened(pages.ROWS_IN_PRINT)
            for each in numbered
            if any(text.endswith(" ".join(each.caption.split())) for text in captions)
        ]


class Blocks(HTMLParser):
    """Texts of the blocks of a page; one inside another is a block of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.open.append(tag)
            self.blocks.append(("notes" if dict(attrs).get("class") == "notes" else tag, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS and tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open:
            kind, text = self.blocks[-1]
            self.blocks[-1] = (kind, text + data)


# --- the words and numbers -------------------------------------------------------------------------------------------


def repeated_numbers(printed: Printed) -> Iterator[str]:
    """Measured numbers of three digits and more that stand in more tables and paragraphs than a reader needs."""
    places: defaultdict[str, set[str]] = defaultdict(set)
    for table in printed.tables:
        for row in table.rows:
            for cell in row:
                for number in MEASURED.findall(cell.text):
                    places[number].add(table.name)
    for text in (each for each in printed.prose if each not in printed.authors):
        for number in MEASURED.findall(text):
            places[number].add(text[:40])
    for number, found in places.items():
        if len(found) > MOST_PLACES and len(re.sub(r"\D", "", number).lstrip("0")) >= 3:
            yield f"{number} stands in {len(found)} places: {sorted(found)}"


def uneven_digits(printed: Printed) -> Iterator[str]:
    """Columns whose numbers are rounded in several ways, and means unlike their deviations but for whole seconds."""
    for table in (each for each in printed.tables if each.name not in OF_ITS_OWN):
        for place, column in enumerate(table.columns):
            decimals: defaultdict[str, set[int]] = defaultdict(set)
            for row in table.rows if column.is_number else ():
                text = row[place].text
                if PLUS_MINUS in text:
                    mean, _, spread = text.partition(PLUS_MINUS)
                    if DASH not in spread and "<" not in spread and _decimals(mean) not in {0, _decimals(spread)}:
                        yield f"{table.name}, {column.label}: {text}"
                elif WHOLE_CELL.fullmatch(text) and not _is_whole(text, row[place].values[0]):
                    decimals[row[0].text if table.is_grouped else ""].add(_decimals(text))
            yield from (
                f"{table.name}, {column.label}, {group or 'all'}: {sorted(found)} decimals"
                for group, found in decimals.items()
                if len(found) > 1
            )


def _is_whole(text: str, value: object) -> bool:
    """Whether nothing of a value is cut, in one of the units that tables print, or nothing more could be."""
    digits = re.sub(r"[^\d.]", "", text)
    shown = float(digits)
    if len(digits.replace(".", "").lstrip("0")) <= LEAST_DIGITS:
        return True
    return isinstance(value, int | float) and any(
        abs(shown - abs(value) * scale) <= 1e-9 * shown for scale in (1, 1000, 1e-3, 1 / 1024)
    )


def _decimals(text: str) -> int:
    return len(re.sub(r"[^\d.]", "", text).partition(".")[2])


def repeated_texts(printed: Printed) -> Iterator[str]:
    """Sentences that stand twice, and rows of a table that are the same."""
    of_networks = {
        " ".join(warned.text.replace("`", "").split())
        for topic in printed.document.topics
        for advice in topic.advice
        for warned in advice.warnings
    }
    sentences = Counter(
        each
        for text in printed.prose
        if not any(text.endswith(warned) for warned in of_networks)
        if "; the gravest: " not in text and "; the warning: " not in text  # which is among the doubts as well
        for each in SENTENCE.split(text)
        if len(each) > 60
    )
    yield from (f"{count} times: {each}" for each, count in sentences.items() if count > 1)
    for table in printed.tables:
        rows = Counter(tuple(cell.text for cell in row) for row in table.rows)
        yield from (f"{table.name}: {count} rows {row}" for row, count in rows.items() if count > 1)


def nothing_said(printed: Printed) -> Iterator[str]:
    """Columns of dashes, chapters without a content, and texts that say nothing or are broken."""
    for table in printed.tables:
        for place, column in enumerate(table.columns):
            if table.name not in OF_ITS_OWN and all(row[place].text == DASH for row in table.rows):
                yield f"{table.name}: nothing under {column.label}"
    for (kind, text), (following, _) in zip(printed.blocks, [*printed.blocks[1:], ("h2", "")], strict=True):
        if kind in {"h2", "h3"} and following == "h2":
            yield f"nothing follows {text}"
        if found := NOTHING_SAID.search(text):
            yield f"{found[0]!r} in {text[:200]}"


def undecided(printed: Printed) -> Iterator[str]:
    """Comparisons whose interval, p value and verdict do not agree."""
    rows = printed.document.study.store.rows(
        "select configuration, item, ratio, ratio_ci95_low as low, ratio_ci95_high as high, p_value as p, "
        "is_different, verdict from comparison where low is not null and p is not null"
    )
    for row in rows:
        excludes = row["low"] > 1 or row["high"] < 1
        is_said = "less" in row["verdict"] or "more" in row["verdict"] or "times" in row["verdict"]
        if not row["low"] <= row["ratio"] <= row["high"]:
            yield f"the ratio is outside of its interval: {row}"
        if row["is_different"] and not (excludes and row["p"] < 0.05 and is_said):
            yield f"a difference is said: {row}"
        if not row["is_different"] and excludes and not re.search("correction|equal|test of the means", row["verdict"]):
            yield f"no difference is said, and the interval has one: {row}"


# --- the pages -------------------------------------------------------------------------------------------------------


def small_text(printed: Printed) -> Iterator[str]:
    """Sizes below the least, with the first text of each on a page."""
    with pypdfium2.PdfDocument(printed.pdf) as pdf:
        for number, page in enumerate(pdf, 1):
            text, small = page.get_textpage(), defaultdict(list)
            for place in range(text.count_chars()):
                if 0 < (size := _size(text, place)) < LEAST_SIZE_PT:
                    small[size].append(place)
            for size, found in small.items():
                yield f"page {number}: {len(found)} letters of {size} pt: {text.get_text_range(found[0], 40)!r}"
            text.close()
            page.close()


def _size(text: pypdfium2.PdfTextPage, place: int) -> float:
    """The size in which a letter is printed, points; a blank has none."""
    if pypdfium2.raw.FPDFText_GetUnicode(text.raw, place) <= ord(" "):
        return 0.0
    scale = pypdfium2.raw.FS_MATRIX()
    pypdfium2.raw.FPDFText_GetMatrix(text.raw, place, scale)
    return round(float(pypdfium2.raw.FPDFText_GetFontSize(text.raw, place)) * hypot(scale.c, scale.d), 1)


def empty_pages(printed: Printed) -> Iterator[str]:
    """More pages than people read, and pages with much room left."""
    shares = []
    with pypdfium2.PdfDocument(printed.pdf) as pdf:
        for page in pdf:
            text = page.get_textpage()
            low, high = 17 * 72 / 25.4, page.get_height() - 18 * 72 / 25.4
            ends = [text.get_rect(place)[1] for place in range(text.count_rects())]
            shares.append((high - min(end for end in ends if end > low)) / (high - low))
            text.close()
            page.close()
    if len(shares) > MOST_PAGES:
        yield f"{len(shares)} pages"
    for number, share in enumerate(shares, 1):
        if share < (LEAST_FILLED if number == len(shares) else LEAST_BEFORE_THE_LAST):
            yield f"page {number} of {len(shares)} is filled to {share:.0%}"


def parted(printed: Printed) -> Iterator[str]:
    """Rows on two pages, and headings and captions that end a page, by the structure of the PDF."""
    reader = pypdf.PdfReader(printed.pdf)
    numbers = {each.idnum: number for number, page in enumerate(reader.pages, 1) if (each := page.indirect_reference)}
    root: Any = reader.trailer["/Root"]
    parts = list(_parts(root["/StructTreeRoot"], numbers))
    for (kind, on), (following, after) in pairwise(parts):
        if kind == "/TR" and len(on) > 1:
            yield f"a row is on pages {sorted(on)}"
        if kind in {"/H2", "/H3", "/H4", "/Caption"} and on and after and max(on) != min(after):
            yield f"{kind[1:]} on page {max(on)}, {following[1:]} on page {min(after)}"


LEAVES = {"/H1", "/H2", "/H3", "/H4", "/P", "/LI", "/TR", "/Caption", "/Figure"}


def _parts(element: Any, numbers: dict[int, int], page: int | None = None) -> Iterator[tuple[str, set[int]]]:
    """Kind and pages of the parts of a document, in the order of reading."""
    page = numbers.get(element.raw_get("/Pg").idnum, page) if "/Pg" in element else page
    if element.get("/S") in LEAVES:
        yield str(element["/S"]), set(_pages(element, numbers, page))
        return
    for child in _children(element):
        if isinstance(child, dict) and "/S" in child:
            yield from _parts(child, numbers, page)


def _pages(element: Any, numbers: dict[int, int], page: int | None) -> Iterator[int]:
    page = numbers.get(element.raw_get("/Pg").idnum, page) if "/Pg" in element else page
    for child in _children(element):
        if isinstance(child, dict):
            yield from _pages(child, numbers, page)
        elif page is not None and child is not None:
            yield page
    if "/MCID" in element and page is not None:
        yield page


def _children(element: Any) -> list[Any]:
    children = element.get("/K")
    children = children.get_object() if hasattr(children, "get_object") else children
    return [
        each.get_object() if hasattr(each, "get_object") else each
        for each in (children if isinstance(children, list) else [children])
    ]


CHECKS: tuple[Callable[[Printed], Iterator[str]], ...] = (
    *(repeated_numbers, uneven_digits, repeated_texts, nothing_said, undecided),
    *(small_text, empty_pages, parted),
)


def faults(printed: Printed) -> list[str]:
    """What every check finds."""
    return [f"{check.__name__}: {each}" for check in CHECKS for each in check(printed)]
