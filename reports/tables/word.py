"""A table as a document of Word (Office Open XML): caption, table, notes."""

import io
import re
import zipfile
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from reports.tables.model import Column, Table

NAMESPACE: Final = "http://schemas.openxmlformats.org"
HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
TYPES: Final = (
    f'{HEAD}<Types xmlns="{NAMESPACE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONSHIPS: Final = (
    f'{HEAD}<Relationships xmlns="{NAMESPACE}/package/2006/relationships"><Relationship Id="rId1" '
    f'Type="{NAMESPACE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)
RULES: Final = '<w:top w:val="single" w:sz="8"/><w:bottom w:val="single" w:sz="8"/>'
HEAD_RULE: Final = '<w:tcBorders><w:bottom w:val="single" w:sz="4"/></w:tcBorders>'
NO_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""

CAPTION, TEXT, NOTE = 20, 18, 16
"""Sizes of letters, in half points."""


def as_docx(table: Table) -> bytes:
    """The table as printed; its heading repeats on every page."""
    caption = f"{table.label}. {table.caption}" if table.label else table.caption
    spanners = [_row([(each.label, "center", each.width) for each in table.spanners], is_head=True)]
    rows = [
        *spanners * table.has_spanners,
        _row(_cells(table, [each.heading for each in table.columns]), is_head=True),
        *(_row(_cells(table, [cell.text for cell in row]), is_head=False) for row in table.rows),
    ]
    body = [
        _paragraph(caption, CAPTION, is_bold=True),
        f'<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>{RULES}</w:tblBorders></w:tblPr>',
        f"<w:tblGrid>{'<w:gridCol/>' * len(table.columns)}</w:tblGrid>{''.join(rows)}</w:tbl>",
        *(_paragraph(note, NOTE) for note in (*table.notes, table.source) if note),
    ]
    document = f'{HEAD}<w:document xmlns:w="{NAMESPACE}/wordprocessingml/2006/main"><w:body>{"".join(body)}</w:body>'
    parts = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": RELATIONSHIPS,
        "word/document.xml": f"{document}</w:document>",
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(zipfile.ZipInfo(name), content.encode("utf-8"), zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _cells(table: Table, texts: Sequence[str]) -> list[tuple[str, str, int]]:
    """Texts of a row, each with its side and the columns that it spans: one."""
    return [(text, _side(column), 1) for text, column in zip(texts, table.columns, strict=True)]


def _side(column: Column) -> str:
    return "right" if column.is_number else "left"


def _row(cells: Sequence[tuple[str, str, int]], *, is_head: bool) -> str:
    """A row of texts, each with its side and the columns that it spans."""
    of_row = "<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>" if is_head else "<w:trPr><w:cantSplit/></w:trPr>"
    written = (
        f'<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/><w:gridSpan w:val="{span}"/>{HEAD_RULE if is_head else ""}'
        f"</w:tcPr>{_paragraph(text, TEXT, side=side, is_bold=is_head)}</w:tc>"
        for text, side, span in cells
    )
    return f"<w:tr>{of_row}{''.join(written)}</w:tr>"


def _paragraph(text: str, size: int, *, side: str = "left", is_bold: bool = False) -> str:
    shown = escape(NO_XML.sub("\ufffd", text))
    return (
        f'<w:p><w:pPr><w:spacing w:before="20" w:after="20"/><w:jc w:val="{side}"/></w:pPr>'
        f'<w:r><w:rPr>{"<w:b/>" * is_bold}<w:sz w:val="{size}"/></w:rPr>'
        f'<w:t xml:space="preserve">{shown}</w:t></w:r></w:p>'
    )
