"""A table as a document of Word: every cell once, numbers to the right, a heading that repeats."""

import io
import zipfile
from xml.etree import ElementTree as ET

from reports.tables.model import Cell, Column, Table
from reports.tables.word import as_docx

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
COLUMNS = (Column("Step", ("step",), is_number=False), Column("Mean", ("mean",), unit="s", spanner="tuned & <new>"))


def document(table: Table) -> ET.Element:
    with zipfile.ZipFile(io.BytesIO(as_docx(table))) as file:
        assert file.namelist() == ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]
        for name in file.namelist():
            ET.fromstring(file.read(name))
        return ET.fromstring(file.read("word/document.xml"))


def text(element: ET.Element) -> str:
    return "".join(each.text or "" for each in element.iter(f"{WORD}t"))


def test_every_cell_is_there_once_with_caption_and_notes() -> None:
    rows = ((Cell("ip\x00", ("ip",)), Cell("1.3", (1.25,))), (Cell("mount", ("mount",)), Cell("–", (None,))))
    body = document(Table("steps", "Steps", COLUMNS, rows, ("A note.",), "Source.", label="Table 2"))
    found = [[text(cell) for cell in row.iter(f"{WORD}tc")] for row in body.iter(f"{WORD}tr")]
    assert found == [["", "tuned & <new>"], ["Step", "Mean (s)"], ["ip\ufffd", "1.3"], ["mount", "–"]]
    outside = [text(each) for each in next(iter(body)) if each.tag == f"{WORD}p"]
    assert outside == ["Table 2. Steps", "A note.", "Source."]


def test_headings_repeat_and_numbers_stand_right() -> None:
    body = document(Table("steps", "Steps", COLUMNS, ((Cell("ip", ("ip",)), Cell("1.3", (1.25,))),)))
    rows = list(body.iter(f"{WORD}tr"))
    assert [row.find(f".//{WORD}tblHeader") is not None for row in rows] == [True, True, False]
    sides = [each.attrib[f"{WORD}val"] for each in rows[-1].iter(f"{WORD}jc")]
    assert sides == ["left", "right"]
    assert as_docx(Table("a", "A", COLUMNS, ())) == as_docx(Table("a", "A", COLUMNS, ()))
