"""What the tests of formats of messages share: numbered lines, rows as they were filled, cuts at boundaries."""

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, Format, Parsed, Recognition, Verdict, formats

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the repository")

STAMP = ("stamp", "has_year", "utc_offset_min")


def numbered(*files: Sequence[str]) -> pl.DataFrame:
    """Lines of some files, numbered from 1."""
    rows = [(file_id, line_no, text) for file_id, texts in enumerate(files) for line_no, text in enumerate(texts, 1)]
    return pl.DataFrame(rows, LINE_SCHEMA, orient="row")


def corpus_lines(name: str) -> list[str]:
    text = (CORPUS / name).read_bytes().decode("utf-8", "replace")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def rows(each: Format, *texts: str, table: str = "syslog_event") -> list[dict[str, object]]:
    """Rows of a table, without what is null, zero copies and where they stand."""
    return rows_of(each.parse(numbered(list(texts))), table)


def rows_of(parsed: Parsed, table: str = "syslog_event") -> list[dict[str, object]]:
    """Rows of a table that was parsed, as `rows` gives them."""
    found = parsed.tables.get(table)
    dropped = {"file_id", "line_no", "part"}
    return [
        {
            name: value
            for name, value in row.items()
            if value is not None and name not in dropped and (name, value) != ("repeat_count", 0)
        }
        for row in ([] if found is None else found.to_dicts())
    ]


def row(each: Format, *texts: str, table: str = "syslog_event") -> dict[str, object]:
    (only,) = rows(each, *texts, table=table)
    return only


def verdicts(each: Format, *texts: str) -> list[int]:
    return each.parse(numbered(list(texts))).lines["verdict"].to_list()


def reasons(each: Format, *texts: str) -> list[str | None]:
    return each.parse(numbered(list(texts))).lines["reason"].to_list()


def counts(each: Format, lines: list[str]) -> list[int]:
    """Lines parsed, continued, ignored, blank, rejected."""
    found = verdicts(each, *lines)
    return [found.count(verdict) for verdict in Verdict]


def _has(needed: str | None, head: pl.Series) -> bool:
    return needed is None or any(re.search(needed, text) for text in {*head})


def claimed_by(lines: list[str]) -> str | None:
    """The format whose claim on a file with these first lines is the strongest, and no other's is as strong.

    As in an ingest, formats that need what no line has are not asked.
    """
    head = pl.Series(lines[:400], dtype=pl.String)
    asked = {name: each for name, each in formats().items() if _has(each.needs, head)}
    answers = {name: each.recognise(head) for name, each in asked.items()}
    claims = {name: each.confidence for name, each in answers.items() if isinstance(each, Recognition)}
    best = max(claims.values(), default=0.0)
    winners = [name for name, confidence in claims.items() if confidence == best]
    assert len(winners) < 2, winners
    return winners[0] if winners else None


def alternate(files: Sequence[list[str]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Every second file, and the others, with their numbers among all: each without the file before it."""
    first, second = ([lines if place % 2 == rest else [] for place, lines in enumerate(files)] for rest in (0, 1))
    return numbered(*first), numbered(*second)


def is_boundary(each: Format, line: str) -> bool:
    assert each.boundary is not None
    found = re.search(each.boundary, line) is not None
    assert pl.Series([line]).str.contains(each.boundary).item() == found
    return found


def cut_up(*files: tuple[pl.DataFrame, Sequence[int]]) -> pl.DataFrame:
    """Files of some lines cut in two at each place: files 2k and 2k + 1 are the chunks of the k-th cut of all.

    One call parses them all: files know nothing of each other, and a call costs more than its lines.
    """
    number = pl.lit(0, LINE_SCHEMA["file_id"])
    cuts = [(whole, cut) for whole, of_file in files for cut in of_file]
    chunks = [
        chunk.with_columns(file_id=number + 2 * place + half)
        for place, (whole, cut) in enumerate(cuts)
        for half, chunk in enumerate((whole.head(cut), whole.slice(cut)))
    ]
    return pl.concat([numbered(), *chunks])


def of_cut(found: pl.DataFrame, place: int) -> pl.DataFrame:
    """The rows of both chunks of a cut, as rows of the one file that was cut."""
    own = found.filter(pl.col("file_id") // 2 == place)
    return own.with_columns(file_id=pl.lit(0, found.schema["file_id"]))


def of_file(found: pl.DataFrame, file_id: int) -> pl.DataFrame:
    """The rows of a file, as those of the only one."""
    return found.filter(pl.col("file_id") == file_id).with_columns(file_id=pl.lit(0, found.schema["file_id"]))
