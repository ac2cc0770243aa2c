"""The reports of all samples, read back: the same number wherever it is printed, and a PDF as the standards want it."""

import csv
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pypdf
import pypdfium2
import pytest

from haledger.commands.tables import TableFormat
from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.store.notes import as_note
from pipeline.values import from_text
from reports.document.document import Document, compose
from reports.document.pages import ROWS_IN_PRINT
from reports.document.products import Kind, figure_file, table_file, write_products
from reports.figures.catalogue import all_figures
from reports.figures.draw.style import COLUMN, WIDE
from reports.study.store import opened
from reports.study.view import StudyView
from reports.tables.catalogue import all_tables
from reports.tables.latex import MATH
from reports.tables.model import Cell, Table
from reports.typeset.paper_styles import STYLES, Style
from reports.typeset.text import file_name, visible
from tests.support import drawings, standards
from tests.support.drawings import WIDTHS, covered, outside
from tests.support.sample import STUDIES, sample_report, sample_store

ROOT = Path(__file__).parents[3]
PDFS = ("report.pdf", "report-data.pdf")

UNIT = re.compile(r"\(([A-Za-z/]+)\)$")
NUMBER = re.compile(r"[\u2212+]?\d+(?:[\u00a0\u2009\u202f,]\d{3})*(?:\.\d+)?")


@dataclass(frozen=True)
class Report:
    """A sample with its report, and the tables of its store read again."""

    sample: str
    folder: Path
    document: Document

    @property
    def tables(self) -> list[Table]:
        return list(self.document.numbered_tables().values())

    @cached_property
    def pages(self) -> list[str]:
        """Text of both PDFs by page, without white space."""
        found = []
        for name in PDFS:
            pdf = pypdfium2.PdfDocument(self.folder / name)
            for page in pdf:
                text = page.get_textpage()
                found.append(squeezed(text.get_text_range()))
                text.close()
                page.close()
            pdf.close()
        return found


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.xdist_group(f"sample-{name}")) for name in STUDIES]
)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Report]:
    name = str(request.param)
    folder = sample_report(name, tmp_path_factory)
    with opened(sample_store(name, tmp_path_factory)) as connection:
        study = StudyView(connection)
        yield Report(name, folder, compose(study, all_tables(study), all_figures(study)))


def test_what_a_report_notes_is_all_that_its_files_show(report: Report) -> None:
    document = report.document
    for table in document.numbered_tables().values():
        noted = from_text(as_note(table))
        for kind in TableFormat:
            assert table_file(noted, kind) == table_file(table, kind), (table.name, kind)
    for figure in document.numbered_figures().values():
        noted = from_text(as_note(figure))
        for width in (COLUMN, WIDE):
            assert figure_file(noted, "svg", width) == figure_file(figure, "svg", width), figure.name
        for data in ("csv", "json", "tex"):
            assert figure_file(noted, data, WIDE) == figure_file(figure, data, WIDE), (figure.name, data)


def squeezed(text: str) -> str:
    """Without white space; a hyphen at the end of a line is distinguished by the reader of the PDF."""
    return re.sub(r"\s", "", text.replace("\ufffe", "-").replace("\x02", "-"))


# --- every cell of every table, in every format ----------------------------------------------------------------------


def printed(table: Table) -> list[list[str]]:
    """The cells as a reader sees them."""
    return [[visible(cell.text) for cell in row] for row in table.rows]


def test_data_files_hold_the_values_of_the_store(report: Report) -> None:
    for table in report.tables:
        rows = [list(row) for row in table.data_rows()]
        names = list(table.data_names)
        found = list(csv.reader(io.StringIO(table_file(table, "csv").decode())))
        assert found[0] == names, table.name
        assert [[as_csv(value) for value in row] for row in rows] == found[1:], table.name
        content = json.loads(table_file(table, "json"))
        assert [list(row.values()) for row in content["rows"]] == [[as_json(value) for value in row] for row in rows]
        assert (content["number"], content["columns"]) == (table.label, names)
        frame = pl.read_parquet(io.BytesIO(table_file(table, "parquet")))
        assert (frame.columns, [list(row) for row in frame.rows()]) == (names, rows), table.name


def as_csv(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime | date):
        return value.isoformat()
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r\0") else str(value)


def as_json(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime | date) else value


def test_printed_numbers_are_the_values_rounded(report: Report) -> None:
    """The first number of a cell is its first value, and what follows ± the second, to the last digit printed."""
    for table in report.tables:
        for place, column in enumerate(table.columns):
            for unit in sorted({unit_of(row) for row in table.rows}):
                cells = [row[place] for row in table.rows if unit_of(row) == unit]
                if column.is_number:
                    wrong = [[cell for cell in cells if not is_rounded(cell, scale)] for scale in SCALES]
                    assert [] in wrong, (table.name, column.label, unit, min(wrong, key=len))


def unit_of(row: Sequence[Cell]) -> str:
    """The unit that a row names in brackets, if each row has its own."""
    return next((found[1] for cell in row if (found := UNIT.search(cell.text))), "")


SCALES = (1.0, 1e3, 1e-3, 1 / 1024, 1024.0**-2, 100.0)
"""What a column multiplies its values by: nothing, s to ms and back, bytes to KiB and MiB, shares to percent."""


def is_rounded(cell: Cell, scale: float) -> bool:
    first = cell.values[0]
    if isinstance(first, datetime) and cell.text.startswith(f"{first:%Y-}"):
        return f"{first:%Y-%m-%d %H:%M:%S.%f}".startswith(cell.text)
    numbers = NUMBER.findall(cell.text)
    values = amounts(cell)
    if not values or not numbers:
        return not values and not numbers
    if cell.text.startswith("<"):
        return values[0] * scale < as_float(numbers[0])
    return all(is_near(number, value * scale) for number, value in zip(numbers, values, strict=False))


def amounts(cell: Cell) -> list[float]:
    """The values of a cell that are numbers; of two instants the seconds between."""
    if isinstance(cell.values[0], datetime) and isinstance(cell.values[1], datetime):
        return [(cell.values[1] - cell.values[0]).total_seconds()]
    return [float(value) for value in cell.values if isinstance(value, int | float) and not isinstance(value, bool)]


def is_near(number: str, value: float) -> bool:
    decimals = len(number.partition(".")[2])
    return bool(abs(as_float(number) - value) <= 0.500001 * 10**-decimals)


def as_float(number: str) -> float:
    return float(re.sub(r"[\s,+]", "", number).replace("\u2212", "-"))


def test_html_latex_and_markdown_print_the_same_cells(report: Report) -> None:
    for table in report.tables:
        expected = [[normal(text) for text in row] for row in printed(table)]
        assert html_rows(table) == expected, table.name
        assert latex_rows(table) == expected, table.name
        assert markdown_rows(table) == expected, table.name


def normal(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u2019", "'")).strip()


class Cells(HTMLParser):
    """Rows of the bodies of a table."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.heads: list[str] = []
        self.is_in_body = False
        self.is_in_cell = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.is_in_body |= tag == "tbody"
        if tag == "tr":
            self.rows.append([])
            self.heads.append(dict(attrs).get("class") or "")
        if tag in ("td", "th"):
            self.is_in_cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.is_in_cell &= tag not in ("td", "th")
        if tag == "thead":
            self.rows, self.heads = [], []

    def handle_data(self, data: str) -> None:
        if self.is_in_cell:
            self.rows[-1][-1] += data


def html_rows(table: Table) -> list[list[str]]:
    cells = Cells()
    cells.feed(table_file(table, "html").decode())
    found, group = [], []
    for row, head in zip(cells.rows, cells.heads, strict=True):
        texts = [normal(text) for text in row]
        if "group-row" in head:
            group = texts
        else:
            found.append([*group, *texts])
    return found


LATEX = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"{\char34}": '"',
    r"\allowbreak{}": "",
    r"$-$": "\u2212",
    r"$\pm$": "\u00b1",
    r"$\times$": "\u00d7",
    r"\,": " ",
    "~": " ",
    **{sign: character for character, sign in MATH.items() if character not in "\u03bc\u2018\u2019"},
    "{}": "",
    **{f"\\{each}": each for each in "{}$&#%_"},
}
LATEX_PART = re.compile("|".join(map(re.escape, LATEX)))
LATEX_BODY = re.compile(
    r"(?:\\endfoot|(?<!\\endfirsthead)\n\\midrule)\n((?:(?!\\midrule|\\endfoot).)*?)\\(?:bottomrule\n|end\{longtable\})",
    re.DOTALL,
)


def latex_rows(table: Table) -> list[list[str]]:
    """The rows; of a table in parts those of each part joined, without the columns that name the row again."""
    bodies = [body for body in LATEX_BODY.findall(table_file(table, "tex").decode()) if "\\endhead" not in body]
    parts = [
        [
            [normal(LATEX_PART.sub(lambda m: LATEX[m[0]], cell)) for cell in re.split(r"(?<!\\) & ", row)]
            for row in (line.removesuffix(r" \\") for line in body.splitlines())
        ]
        for body in bodies
    ]
    return [
        [cell for place, row in enumerate(rows) for cell in row[table.row_heads if place else 0 :]]
        for rows in zip(*parts, strict=True)
    ]


TEX = r"""\documentclass{article}
\usepackage[a4paper,textwidth=455pt]{geometry}
\usepackage{booktabs,longtable,array}
\begin{document}
"""
OVERFULL = re.compile(r"Overfull \\hbox \(([\d.]+)pt")
ENGINES_OF_ALL = {"failover-2004": ("pdflatex", "xelatex", "lualatex")}
"""The sample with most tables shows the other engines, which take three times as long."""


def test_latex_fits_a_line_in_every_engine(report: Report, tmp_path: Path) -> None:
    chosen = ENGINES_OF_ALL.get(report.sample, ("pdflatex",))
    engines = [each for each in chosen if shutil.which(each)]
    if not engines:
        pytest.skip("no TeX is here: apt-get install texlive-latex-recommended texlive-xetex texlive-luatex")
    inputs = "".join(f"{table_file(each, 'tex').decode()}\\clearpage\n" for each in report.tables)
    (tmp_path / "all.tex").write_text(f"{TEX}{inputs}\\end{{document}}\n", encoding="utf-8")
    for engine in engines:
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
        outcome = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert outcome.returncode == 0, f"{engine}: {outcome.stdout[-2000:]}"
        assert [width for width in OVERFULL.findall(outcome.stdout) if float(width) > 5] == [], engine


PAPERS = {
    "acm": r"\documentclass[sigconf,nonacm]{acmart}",
    "ieee": r"\documentclass[conference]{IEEEtran}",
    "lncs": r"\documentclass{llncs}",
}
LOADED = r"\usepackage{booktabs,longtable,array,siunitx,graphicx}\begin{document}\title{T}\maketitle x\clearpage"


@pytest.mark.parametrize("style", PAPERS)
@pytest.mark.parametrize("report", ["failover-2004", "failover-modern"], indirect=True)
def test_tables_and_figures_fit_a_paper_as_they_are(
    report: Report, style: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    document_class = PAPERS[style].rpartition("{")[2].strip("}")
    if not shutil.which("kpsewhich") or subprocess.run(["kpsewhich", f"{document_class}.cls"], check=False).returncode:
        pytest.skip(f"the class {document_class} is not here: apt-get install texlive-publishers texlive-science")
    store = shutil.copy(sample_store(report.sample, tmp_path_factory), tmp_path)  # one process opens a file once
    products: tuple[tuple[Kind, list[str]], ...] = (("tables", ["tex"]), ("figures", ["tex", "pdf"]))
    for kind, formats in products:
        write_products(Path(store), kind, [], formats, tmp_path, style=STYLES[Style(style)])
    inputs = "".join(f"\\input{{{each.name}}}\\clearpage\n" for each in sorted(tmp_path.glob("*.tex")))
    (tmp_path / "paper.tex").write_text(f"{PAPERS[style]}{LOADED}\n{inputs}\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    outcome = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert outcome.returncode == 0, outcome.stdout[-2000:]
    assert [width for width in OVERFULL.findall(outcome.stdout) if float(width) > 5] == []
    assert "Float too large" not in outcome.stdout


def markdown_rows(table: Table) -> list[list[str]]:
    lines = [line for line in table_file(table, "md").decode().splitlines() if line.startswith("| ")][2:]
    cells = [re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |")) for line in lines]
    return [[normal(re.sub(r"\\(.)", r"\1", html.unescape(cell))) for cell in row] for row in cells]


# --- the PDF ---------------------------------------------------------------------------------------------------------


def test_every_printed_row_is_in_the_pdf_in_order(report: Report) -> None:
    """The text of a row's cells, one after the other, follows that of the row above it."""
    whole = "\n".join(report.pages)
    for table in report.tables:
        first = 1 if table.is_grouped else 0
        place = whole.rindex(squeezed(visible(f"{table.label}{table.caption}")))  # the lists of contents are before
        for cells in printed(table.shortened(ROWS_IN_PRINT)):
            row = squeezed("".join(cells[first:]))
            found = whole.find(row, place)
            assert found >= 0, (table.name, cells)
            place = found + len(row)


def test_fonts_are_embedded_and_figures_say_what_they_show(report: Report) -> None:
    paper, data = (_embedded(report.folder / name) for name in PDFS)
    captions = {visible(figure.caption) for figure in report.document.figures.values()}
    assert len(paper) + len(data) >= len(captions)
    cells = {
        visible(f"{column.label}: {cell.text}")
        for table in report.tables
        for row in table.rows
        for column, cell in zip(table.columns, row, strict=True)
        if cell.picture
    }
    said = [str(each["/Alt"]) for each in (*paper, *data)]
    assert [each for each in said if each not in cells and not any(map(each.startswith, captions))] == []


def _embedded(path: Path) -> list[Any]:
    """The figures of a PDF, whose fonts are all embedded."""
    reader = pypdf.PdfReader(path)
    objects = [reader.get_object(number) for number in range(1, int(str(reader.trailer["/Size"])))]
    dictionaries: list[Any] = [each for each in objects if isinstance(each, dict)]
    fonts = [each for each in dictionaries if each.get("/Type") == "/FontDescriptor"]
    assert fonts
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)
    assert {str(font["/FontName"]).split("+")[-1][:8] for font in fonts} == {"IBM-Plex"}
    return [each for each in dictionaries if each.get("/S") == "/Figure"]


def test_every_table_and_figure_is_attached_as_csv(report: Report) -> None:
    attached = set(pypdf.PdfReader(report.folder / "report.pdf").attachments)
    wanted = {f"{file_name(name)}.csv" for name in report.document.tables}
    wanted |= {f"{file_name(name)}.figure.csv" for name in report.document.figures}
    assert {each.name for each in report.tables} <= set(report.document.tables)
    assert wanted <= attached


def test_no_page_is_left_empty(report: Report) -> None:
    assert [number for number, text in enumerate(report.pages, 1) if len(text) < 200] == []


def test_the_same_logs_in_another_folder_give_the_same_bytes(tmp_path: Path) -> None:
    """Read and printed twice: in other folders, zones, languages, with other hash seeds."""
    environments = [{"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "7"}, {"TZ": "America/St_Johns"}]
    found = []
    for place, further in enumerate(environments):
        folder = tmp_path / f"place {place}"
        shutil.copytree(ROOT / "samples" / "pgbench-synccommit", folder / "deep" / "pgbench-synccommit")
        subprocess.run(
            [sys.executable, "-m", "haledger", "report", "deep/pgbench-synccommit", "-o", f"out {place}"],
            check=True,
            cwd=folder,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), **further},
        )
        out = folder / f"out {place}"
        found.append({str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*.*") if is_product(path)})
    assert [name for name in found[0] if found[0][name] != found[1].get(name)] == []
    assert found[0].keys() == found[1].keys()
    assert "report.pdf" in found[0]


def is_product(path: Path) -> bool:
    """Whether a file is for readers: the store is rewritten in place and holds where the study is, notes its hash."""
    return path.is_file() and path.name not in {STORE_NAME, REPORT_MARKER}


def test_no_text_reaches_into_the_margin(report: Report) -> None:
    margin = 25 * 72 / 25.4  # points
    for name in PDFS:
        for number, page in enumerate(pypdfium2.PdfDocument(report.folder / name), 1):
            text = page.get_textpage()
            right = max((text.get_rect(each)[2] for each in range(text.count_rects())), default=0)
            assert right < page.get_width() - margin + 1.5, f"{name}, page {number}"


PLACE = re.compile(r", (?P<path>[^,]+):(?P<line>\d+)$")


def test_every_mark_of_a_figure_leads_to_a_line_or_is_a_mean_with_runs(report: Report) -> None:
    study = report.document.study
    lines = {row["path"]: row["lines"] for row in study.store.rows("select path, lines from main.source_file")}
    listed = tuple({f"{each.label}: " for each in report.document.behind.values if each.label})
    noted = {note["text"] for note in study.notes}  # of study.toml, which is no log
    astray = []
    for name, figure in report.document.figures.items():
        for said in set(drawings.said(figure)):
            if said.partition(": ")[2] in noted:
                continue
            place = PLACE.search(said)
            is_there = said.startswith(listed) if place is None else int(place["line"]) <= lines.get(place["path"], 0)
            if not is_there:
                astray.append((name, said))
    assert astray == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_of_a_figure_covers_another_or_leaves_the_drawing(report: Report, width: float) -> None:
    for name, figure in report.document.figures.items():
        assert covered(figure.scene, width) == [], name
        assert outside(figure.scene, width) == [], name


def test_verapdf_finds_no_fault(report: Report) -> None:
    assert standards.faults(*(report.folder / name for name in PDFS)) == {}
