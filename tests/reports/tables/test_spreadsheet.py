"""Workbooks of Excel: numbers are numbers, text is text, and what Excel cannot hold is refused or exact text."""

import io
import zipfile
from datetime import datetime
from xml.etree import ElementTree as ET

import pytest

from pipeline.errors import UsageError
from reports.tables.model import Cell, Column, Table
from reports.tables.spreadsheet import Sheet, sheet_of, workbook

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def cells(content: bytes, sheet: int = 1) -> dict[str, tuple[str | None, str]]:
    """Kind and value of every cell that is not empty: kind None is a number, b truth, s text."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        texts = [
            "".join(each.text or "" for each in item.iter(f"{MAIN}t"))
            for item in ET.fromstring(file.read("xl/sharedStrings.xml")).iter(f"{MAIN}si")
        ]
        page = ET.fromstring(file.read(f"xl/worksheets/sheet{sheet}.xml"))
    assert not list(page.iter(f"{MAIN}f"))  # no formula
    found = {}
    for cell in page.iter(f"{MAIN}c"):
        value = cell.findtext(f"{MAIN}v")
        if value is not None:
            kind = cell.get("t")
            found[cell.attrib["r"]] = (kind, texts[int(value)] if kind == "s" else value)
    return found


def sheet_names(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return [each.attrib["name"] for each in ET.fromstring(file.read("xl/workbook.xml")).iter(f"{MAIN}sheet")]


def test_values_keep_their_kind() -> None:
    days = map(datetime.fromisoformat, ("1970-01-02", "1899-01-01"))
    row = [1.5, 3, True, "=1+1", 2**60, float("nan"), None, "\ud800", *days]
    found = cells(workbook([Sheet("a", [f"c{n}" for n in range(len(row))], [row])]))
    assert found["A2"] == (None, "1.5")
    assert found["B2"] == (None, "3")
    assert found["C2"] == ("b", "1")
    assert found["D2"] == ("s", "=1+1")
    assert found["E2"] == ("s", str(2**60))
    assert found["F2"] == ("s", "nan")
    assert "G2" not in found
    assert found["H2"] == ("s", "\\ud800")
    assert (found["I2"][0], float(found["I2"][1])) == (
        None,
        25570.0,
    )  # from 1899-12-31, and Excel's own day
    assert found["J2"] == ("s", "1899-01-01 00:00:00")


def test_a_table_has_caption_spanners_heads_values_and_notes() -> None:
    columns = (
        Column("Step", ("step",), is_number=False),
        Column("Mean", ("mean", "runs"), unit="s", spanner="tuned"),
    )
    table = Table("steps", "Steps", columns, ((Cell("ip", ("ip",)), Cell("1.3", (1.25, 10))),), ("A note.",), "Source.")
    found = {where: value for where, (_, value) in cells(workbook([sheet_of(table)])).items()}
    assert found == {
        "A1": "Steps",
        "B2": "tuned",
        "C2": "tuned",
        "A3": "Step",
        "B3": "Mean (s): mean",
        "C3": "Mean (s): runs",
        "A4": "ip",
        "B4": "1.25",
        "C4": "10",
        "A6": "A note.",
        "A7": "Source.",
    }


def test_names_of_sheets_are_such_as_excel_takes() -> None:
    names = ["a/b", "A_b", "x" * 40, "x" * 50, "", "'"]
    found = sheet_names(workbook([Sheet(each, ["h"], []) for each in names]))
    assert found == ["a_b", "A_b 2", "x" * 31, "x" * 29 + " 2", "sheet", "_"]


def test_the_same_rows_give_the_same_bytes() -> None:
    assert workbook([Sheet("a", ["h"], [[1]])]) == workbook([Sheet("a", ["h"], [[1]])])


@pytest.mark.parametrize(
    "sheet",
    [
        pytest.param(Sheet("a", ["h"], [["x" * 32_768]]), id="characters"),
        pytest.param(Sheet("a", ["h"] * 16_385, []), id="columns"),
        pytest.param(Sheet("a", ["h"], [()] * 1_048_576), id="rows"),
    ],
)
def test_what_a_sheet_cannot_hold_is_refused(sheet: Sheet) -> None:
    with pytest.raises(UsageError, match="use csv"):
        workbook([sheet])
