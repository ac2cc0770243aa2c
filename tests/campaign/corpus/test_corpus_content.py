"""No row of a corpus loses what its lines say, and a folded text gives the rows that it gave before."""

import os
import textwrap
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from zlib import crc32

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Format, Parsed, Recognition, Table, Verdict, formats
from pipeline.reading.lines import read_head
from pipeline.reading.recognition import recognise

SHARED = Path(__file__).parents[4] / "shared"
FILES = [path for root in ("corpus", "stacks") for path in sorted((SHARED / root).rglob("*")) if path.is_file()]
pytestmark = pytest.mark.skipif(not FILES, reason="the corpora of real logs are not beside this checkout")

FIELDS = r"^\s*(?:[A-Z_]+ *: |$)"
"""Lines of a record that fill other columns than its text."""

AS_READ = {"line_no", "line_count", "byte_count", "character_count"}
MOVED = AS_READ | {"part"}
WIDTHS = range(60, 81)
ALL_WIDTHS = "HALEDGER_ALL_WIDTHS" in os.environ
SAMPLED = 4
"""Of so many texts one is folded, unless all are."""

MOST_WRONG = 0.04

NOT_UNFOLDED = {"jepsen_log", "event_export"}
"""Formats that lose rows of folded texts."""


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


def _rows(parsed: Parsed, dropped: set[str]) -> dict[str, list[tuple[object, ...]]]:
    """Rows by table in their order, without white space and without some columns."""
    return {
        name: table.sort("line_no", "part")
        .drop(dropped, strict=False)
        .with_columns(pl.col(pl.String).str.replace_all(r"\s+", ""))
        .rows()
        for name, table in parsed.tables.items()
    }


def _said(parsed: Parsed) -> dict[str, Counter[tuple[object, ...]]]:
    """How often each row is there, wherever its lines stand."""
    return {name: Counter(tuple(map(_hashable, row)) for row in rows) for name, rows in _rows(parsed, MOVED).items()}


def _hashable(value: object) -> object:
    return str(value) if isinstance(value, list | dict) else value


@pytest.mark.parametrize("columns", [60, 64, 72, 80])
def test_a_folded_db2diag_log_gives_its_rows(columns: int) -> None:
    changed = []
    for path in FILES:
        if "db2diag" not in path.name:
            continue
        texts = _texts(path)
        expected = _rows(formats()["db2diag"].parse(_numbered(texts)), AS_READ)
        for fold in (_cut, _wrapped):
            folded = [part for text in texts for part in fold(text, columns)]
            each = _format_of(path, folded)
            if each is None or _rows(each.parse(_numbered(folded)), AS_READ) != expected:
                changed.append(f"{path.name} {fold.__name__}")
    assert changed == []


def test_a_folded_log_gives_its_rows_or_rejects_what_it_lacks() -> None:
    """Some texts are cut or wrapped at one of the widths; all at all of them with HALEDGER_ALL_WIDTHS.

    Left are texts with fewer folds than prove anything; none is a db2diag.log.
    """
    count, wrong = 0, []
    for path in FILES:
        number = crc32(path.name.encode())
        if number % SAMPLED and not ALL_WIDTHS:
            continue
        texts = _texts(path)
        widest = max(map(len, texts), default=0)
        each = _format_of(path, texts) if widest > min(WIDTHS) else None
        if each is None or each.name in NOT_UNFOLDED or not _is_log(each):
            continue
        expected = _said(each.parse(_numbered(texts)))
        ways = [way for way in product(WIDTHS, (_cut, _wrapped)) if way[0] < widest]
        for columns, fold in ways if ALL_WIDTHS else ways[number % len(ways) :][:1]:
            count += 1
            if not _is_kept(path, expected, [part for text in texts for part in fold(text, columns)]):
                wrong.append(f"{path.name} {fold.__name__} at {columns}")
    assert len(wrong) <= MOST_WRONG * count, wrong
    assert [each for each in wrong if "db2diag" in each] == []


def _is_log(each: Format) -> bool:
    return each.role == "log" and any(table.message for table in each.tables)


def _is_kept(path: Path, expected: dict[str, Counter[tuple[object, ...]]], folded: list[str]) -> bool:
    """Whether folded lines give these rows, or other lines are rejected and no row says anything else."""
    each = _format_of(path, folded)
    if each is None:
        return True
    parsed = each.parse(_numbered(folded))
    found = _said(parsed)
    if found == expected:
        return True
    added = [(name, row) for name, rows in found.items() for row in rows - expected.get(name, Counter())]
    lost = {name: rows - found.get(name, Counter()) for name, rows in expected.items()}
    is_told = bool((parsed.lines["verdict"] == Verdict.REJECTED).any())
    return is_told and all(any(_is_cut_short(row, whole) for whole in lost.get(name, ())) for name, row in added)


def _is_cut_short(row: tuple[object, ...], whole: tuple[object, ...]) -> bool:
    pairs = zip(row, whole, strict=True)
    return all(own == other or (own is not None and str(other).startswith(str(own))) for own, other in pairs)


def _cut(text: str, columns: int) -> list[str]:
    return [text[at : at + columns] for at in range(0, len(text), columns)] or [""]


def _wrapped(text: str, columns: int) -> list[str]:
    if len(text) <= columns:
        return [text]
    return textwrap.wrap(text, columns, replace_whitespace=False, expand_tabs=False) or [""]


ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus"


@pytest.mark.parametrize(
    "folder",
    [
        ROOT / "samples",
        pytest.param(
            CORPUS, marks=pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside this checkout")
        ),
    ],
    ids=["samples", "corpus"],
)
def test_what_a_format_claims_has_what_it_needs(folder: Path) -> None:
    needy = {name: each for name, each in formats().items() if each.needs is not None}
    by_name = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file()}  # runs have files of one name
    heads = [_head(path) for path in by_name.values()]
    claimed = 0
    for name, each in needy.items():  # one format after the other: patterns are compiled once
        for head in heads:
            if isinstance(each.recognise(head), Recognition):
                claimed += 1
                assert head.str.contains(str(each.needs)).any(), (head.head(3).to_list(), name)
    assert claimed > 10


def _head(path: Path) -> pl.Series:
    with path.open("rb", buffering=0) as stream:
        return read_head(stream).lines
