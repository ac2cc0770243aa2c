"""No row of a corpus loses what its lines say, and a folded text gives the rows that it gave before."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Format, Parsed, Table, Verdict, formats
from pipeline.reading.recognition import recognise

SHARED = Path(__file__).parents[4] / "shared"
FILES = [path for root in ("corpus", "stacks") for path in sorted((SHARED / root).rglob("*")) if path.is_file()]
pytestmark = pytest.mark.skipif(not FILES, reason="the corpora of real logs are not beside this checkout")

FIELDS = r"^\s*(?:[A-Z_]+ *: |$)"
"""Lines of a record that fill other columns than its text."""

AS_READ = {"line_no", "line_count", "byte_count", "character_count"}


def _numbered(texts: list[str]) -> pl.DataFrame:
    frame = pl.DataFrame({"text": texts}, schema={"text": pl.String()}).with_row_index("line_no", offset=1)
    return frame.select(file_id=pl.lit(1, pl.Int32), line_no=pl.col("line_no").cast(pl.Int32), text="text").cast(
        pl.Schema(LINE_SCHEMA)
    )


def _texts(path: Path) -> list[str]:
    content = path.read_bytes().decode("utf-8", "replace").split("\n")
    return [line.rstrip("\r") for line in content[: -1 if content[-1] == "" else None]]


def _format_of(path: Path, texts: list[str]) -> Format | None:
    decision = recognise(pl.Series("text", texts[:400], dtype=pl.String()), path.name, formats())
    return None if decision.format is None else formats()[decision.format]


def _rows_without_text(parsed: Parsed, table: Table) -> Iterator[int]:
    if table.message is None or table.name not in parsed.tables:
        return
    query = f"select line_no, {table.message.text} as said from rows"
    said = pl.SQLContext(rows=parsed.tables[table.name]).execute(query, eager=True)
    yield from said.filter(pl.col("said").fill_null("").str.strip_chars() == "")["line_no"]


def _says_something_below(parsed: Parsed, texts: list[str], line_no: int) -> bool:
    verdicts = parsed.lines["verdict"]
    below = line_no
    while below < len(texts) and verdicts[below] in {Verdict.CONTINUATION, Verdict.BLANK}:
        if verdicts[below] == Verdict.CONTINUATION and not pl.Series([texts[below]]).str.contains(FIELDS).item():
            return True
        below += 1
    return False


def test_no_row_without_a_text_has_one_in_its_lines() -> None:
    lost = []
    for path in FILES:
        texts = _texts(path)
        each = _format_of(path, texts) if texts else None
        if each is None:
            continue
        parsed = each.parse(_numbered(texts))
        for table in each.tables:
            rows = _rows_without_text(parsed, table)
            lost += [f"{path.name}:{row}" for row in rows if _says_something_below(parsed, texts, row)]
    assert lost == []


def _said(each: Format, texts: list[str]) -> dict[str, list[dict[str, object]]]:
    """Rows without white space and without what counts lines."""
    tables = each.parse(_numbered(texts)).tables
    ordered = {name: table.sort("line_no", "part").drop(AS_READ, strict=False) for name, table in tables.items()}
    return {
        name: [{key: _bare(value) for key, value in row.items()} for row in table.rows(named=True)]
        for name, table in ordered.items()
    }


def _bare(value: object) -> object:
    return "".join(value.split()) if isinstance(value, str) else value


@pytest.mark.parametrize("columns", [60, 64, 72, 80])
def test_a_folded_db2diag_log_gives_its_rows(columns: int) -> None:
    changed = []
    for path in FILES:
        if "db2diag" not in path.name:
            continue
        texts = _texts(path)
        folded = [part for text in texts for part in _folded(text, columns)]
        each = _format_of(path, folded)
        if each is None or _said(each, folded) != _said(formats()["db2diag"], texts):
            changed.append(path.name)
    assert changed == []


def _folded(text: str, columns: int) -> list[str]:
    if len(text) <= columns:
        return [text]
    return textwrap.wrap(text, columns, replace_whitespace=False, expand_tabs=False) or [""]
