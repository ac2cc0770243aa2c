"""The contract of parsers/format.py, held against every format there is."""

from functools import cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parsers.format import (
    KEY_SCHEMA,
    LINE_SCHEMA,
    STAMP_SCHEMA,
    VERDICT_SCHEMA,
    Column,
    Format,
    Parsed,
    Recognition,
    Refusal,
    Table,
    Verdict,
    formats,
    tables,
)

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
every_format = pytest.mark.parametrize("candidate", formats().values(), ids=formats())


@cache
def some_lines() -> list[str]:
    """Lines of every kind of log: the first of each file of the corpus, if it is here."""
    files = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.stat().st_size < 100_000)
    return ["", " ", "junk", *(line for path in files for line in path.read_bytes().decode("latin-1").splitlines()[:6])]


def numbered(*files: list[str]) -> pl.DataFrame:
    rows = [(file_id, line_no, text) for file_id, texts in enumerate(files) for line_no, text in enumerate(texts, 1)]
    return pl.DataFrame(rows, LINE_SCHEMA, orient="row")


def checked(candidate: Format, lines: pl.DataFrame) -> Parsed:
    """Parse, and assert what the contract promises for any input."""
    parsed = candidate.parse(lines)
    assert parsed.lines.schema == pl.Schema(VERDICT_SCHEMA)
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
    verdict = parsed.lines["verdict"]
    assert verdict.is_in([int(each) for each in Verdict]).all()
    assert parsed.lines.filter(verdict == Verdict.REJECTED)["reason"].null_count() == 0
    assert (verdict.filter(lines["text"].str.contains(r"^[ \t]*$")) == Verdict.BLANK).all()
    accepted = parsed.lines.filter(verdict == Verdict.PARSED).select("file_id", "line_no")
    declared = {table.name: table for table in candidate.tables}
    for name, rows in parsed.tables.items():
        assert rows.schema == pl.Schema(declared[name].schema)
        assert not rows.select(*KEY_SCHEMA).is_duplicated().any()
        assert rows.join(accepted, on=["file_id", "line_no"], how="anti").is_empty()
    return parsed


def test_a_dated_table_has_key_stamp_and_columns() -> None:
    table = Table("t", "One row per x.", (Column("a", pl.String(), "a"),))
    assert table.schema == {**KEY_SCHEMA, **STAMP_SCHEMA, "a": pl.String()}
    assert table.empty().schema == pl.Schema(table.schema)


def test_an_undated_table_has_no_stamp() -> None:
    table = Table("t", "One row per x.", (Column("a", pl.String(), "a"),), is_dated=False)
    assert table.schema == {**KEY_SCHEMA, "a": pl.String()}


def test_formats_are_found_by_name() -> None:
    assert {"vcs_engine", "main_cf", "llttab", "gabtab"} <= set(formats())
    assert all(name == each.name for name, each in formats().items())


def test_formats_that_share_a_table_share_its_declaration() -> None:
    assert all(table is tables()[table.name] for each in formats().values() for table in each.tables)


@pytest.mark.parametrize("table", tables().values(), ids=tables())
def test_every_table_and_column_is_explained(table: Table) -> None:
    assert table.grain.startswith("One row per ")
    assert all(column.comment for column in table.columns)
    assert len(table.schema) == len(KEY_SCHEMA) + len(STAMP_SCHEMA) * table.is_dated + len(table.columns)


@every_format
def test_format_is_explained(candidate: Format) -> None:
    assert candidate.title
    assert candidate.tables


@every_format
@pytest.mark.parametrize("texts", [[], [""], [" ", "\t"]])
def test_nothing_is_of_no_format_and_is_parsed_into_nothing(candidate: Format, texts: list[str]) -> None:
    refusal = candidate.recognise(pl.Series(texts, dtype=pl.String()))
    assert isinstance(refusal, Refusal)
    assert refusal.reason
    assert all(rows.is_empty() for rows in checked(candidate, numbered(texts)).tables.values())


line = st.one_of(
    st.deferred(lambda: st.sampled_from(some_lines())),
    st.deferred(lambda: st.sampled_from(some_lines())).flatmap(
        lambda text: st.integers(0, len(text)).map(lambda size: text[:size])
    ),
    st.binary(max_size=40).map(lambda raw: raw.decode("latin-1").replace("\n", " ")),
)
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@every_format
@given(texts=st.lists(line, max_size=20))
@few
def test_any_lines_are_accounted_for(candidate: Format, texts: list[str]) -> None:
    found = candidate.recognise(pl.Series(texts, dtype=pl.String()))
    assert found.reason
    assert isinstance(found, Refusal) or (0 < found.confidence <= 1 and 1 <= found.line_no <= len(texts))
    checked(candidate, numbered(texts))


@every_format
@given(first=st.lists(line, max_size=12), second=st.lists(line, max_size=12))
@few
def test_rows_do_not_depend_on_the_other_files(candidate: Format, first: list[str], second: list[str]) -> None:
    both = checked(candidate, numbered(first, second))
    alone = [checked(candidate, numbered(first)), checked(candidate, numbered([], second))]
    assert same(both, alone)


@every_format
@given(texts=st.lists(line, max_size=15))
@few
def test_a_chunk_from_a_boundary_gives_the_same_rows(candidate: Format, texts: list[str]) -> None:
    if candidate.boundary is None:
        return
    lines = numbered(texts)
    whole = checked(candidate, lines)
    for place in lines["text"].str.contains(candidate.boundary).arg_true():
        assert same(whole, [checked(candidate, lines[:place]), checked(candidate, lines[place:])])


def same(whole: Parsed, parts: list[Parsed]) -> bool:
    """Tell whether the parts together say what the whole says."""
    names = {name for each in (whole, *parts) for name in each.tables}
    rows = [
        [each.tables.get(name, tables()[name].empty()).sort(*KEY_SCHEMA) for each in (whole, *parts)] for name in names
    ]
    return whole.lines.equals(pl.concat([each.lines for each in parts])) and all(
        first.equals(pl.concat(rest)) for first, *rest in rows
    )


@every_format
def test_recognition_is_of_the_contract(candidate: Format) -> None:
    assert isinstance(candidate.recognise(pl.Series(["junk"])), Recognition | Refusal)
