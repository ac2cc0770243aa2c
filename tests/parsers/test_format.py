"""The contract of parsers/format.py, held against every format there is."""

import ast
import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from parsers.format import (
    KEY_SCHEMA,
    STAMP_SCHEMA,
    VERDICT_SCHEMA,
    Column,
    Format,
    Parsed,
    Refusal,
    Table,
    Verdict,
    formats,
    tables,
)
from tests.support.examples import BATCHED
from tests.support.message_lines import alternate, cut_up, numbered, of_cut, of_file

TESTS = Path(__file__).parents[1]
CORPUS = TESTS.parents[1] / "shared" / "corpus"
LINE_BY_LINE = {
    *("db2_cfg", "db2_dbm_cfg", "db2_set", "db2_pd", "db2_snapshot", "gabtab", "llttab", "server_facts", "mounts"),
    *("vcs_engine", "cib", "crm_configure", "drbd_conf", "haresources", "postgresql_conf", "sysctl"),
}
"""Of these every line that is parsed has a row, and every line of white space alone is blank."""
FILES = 2 * settings().max_examples
ALONE = settings().max_examples // 3
"""Files that are parsed together, and how many of them by themselves as well."""
WHOLE = 0.85
"""Share of lines that are left as they are."""
CUTTABLE = {name: each for name, each in formats().items() if each.boundary is not None}
every_format = pytest.mark.parametrize("candidate", formats().values(), ids=formats())


@cache
def some_lines() -> list[str]:
    """Lines of every kind of log: the first of each file of the corpus, if it is here."""
    files = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.stat().st_size < 100_000)
    return ["", " ", "junk", *(line for path in files for line in path.read_bytes().decode("latin-1").splitlines()[:6])]


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
    if candidate.name in LINE_BY_LINE:
        assert (lines["text"].str.strip_chars() == "").equals((verdict == Verdict.BLANK).alias("text"))
        keys = [rows.select("file_id", "line_no") for rows in parsed.tables.values()]
        assert pl.concat([accepted.clear(), *keys]).unique().sort("file_id", "line_no").equals(accepted)
    return parsed


def test_a_dated_table_has_key_stamp_and_columns() -> None:
    table = Table("t", "One row per x.", (Column("a", pl.String(), "a"),))
    assert table.schema == {**KEY_SCHEMA, **STAMP_SCHEMA, "a": pl.String()}
    assert table.empty().schema == pl.Schema(table.schema)


def test_an_undated_table_has_no_stamp() -> None:
    table = Table("t", "One row per x.", (Column("a", pl.String(), "a"),), is_dated=False)
    assert table.schema == {**KEY_SCHEMA, "a": pl.String()}


def test_formats_that_share_a_table_share_its_declaration() -> None:
    assert all(table is tables()[table.name] for each in formats().values() for table in each.tables)


def test_every_table_and_column_is_explained() -> None:
    for name, table in tables().items():
        assert table.grain.startswith("One row per "), name
        assert all(column.comment.strip() for column in table.columns), name
        names = {each.lower() for each in table.schema}
        assert len(names) == len(KEY_SCHEMA) + len(STAMP_SCHEMA) * table.is_dated + len(table.columns), name


UNITS = {r"mb_s$": "MB/s", r"(?<!mb)(?<!per)_s$": "second", r"_bytes$": "byte", r"_pages$": "page"}


def test_units_that_a_name_promises_are_in_the_meaning_of_the_column() -> None:
    silent = [
        f"{table.name}.{column.name}"
        for table in tables().values()
        for column in table.columns
        for name, unit in UNITS.items()
        if re.search(name, column.name) and not re.search(unit, column.comment)
    ]
    assert silent == []


@pytest.mark.parametrize("texts", [[], [""], [" ", "\t"]])
def test_nothing_is_of_no_format_and_is_parsed_into_nothing(texts: list[str]) -> None:
    for name, candidate in formats().items():
        refusal = candidate.recognise(pl.Series(texts, dtype=pl.String()))
        assert isinstance(refusal, Refusal), name
        assert all((candidate.title, candidate.tables, refusal.reason)), name
        assert all(rows.is_empty() for rows in checked(candidate, numbered(texts)).tables.values()), name


@cache
def own_lines(name: str) -> list[str]:
    """Lines of a format's own logs, in the order of the tests that import its module, else of those that name it."""
    module_names = {
        module.__name__
        for module in list(sys.modules.values())
        if module.__name__.startswith("parsers.")
        and name in [each.name for each in (getattr(module, "FORMAT", None), *getattr(module, "FORMATS", ())) if each]
    }
    own = [each for each in sources() if module_names & each.imports] or [
        each for each in sources() if name in each.texts
    ]
    support = {each for source in own for each in source.imports if each.startswith("tests.support.")}
    own += [each for each in sources() if each.module in support]
    return [line for source in own for text in source.texts for line in text.split("\n")]


@dataclass(frozen=True)
class Source:
    """A file of tests: its name as a module, the names that it imports, and its texts in order."""

    module: str
    imports: frozenset[str]
    texts: tuple[str, ...]


@cache
def sources() -> list[Source]:
    """The files with lines of logs."""
    files = [path for folder in ("parsers", "support") for path in sorted((TESTS / folder).rglob("*.py"))]
    return [_source(path) for path in files]


def _source(path: Path) -> Source:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    names = {str(node.module) for node in imports}
    names |= {f"{node.module}.{each.name}" for node in imports for each in node.names}
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in docstrings]
    texts = sorted((node.lineno, node.col_offset, node.value) for node in constants if isinstance(node.value, str))
    module = ".".join(path.relative_to(TESTS.parent).with_suffix("").parts)
    return Source(module, frozenset(names), tuple(text for _, _, text in texts))


@cache
def files_of(name: str) -> list[list[str]]:
    """Files of a format: stretches of its own lines, of which some are cut, spliced, or give way to those of others."""
    chance = random.Random(name)  # noqa: S311  no secret
    own = own_lines(name)

    def damaged(line: str) -> str:
        spliced = line[: chance.randrange(80)] + chance.choice(own)[chance.randrange(80) :]
        noise = chance.randbytes(chance.randrange(40)).decode("latin-1").replace("\n", " ")
        return chance.choice([line[: chance.randrange(200)], spliced, chance.choice(some_lines()), noise])

    def stretch() -> list[str]:
        start = chance.randrange(len(own))
        return own[start : start + chance.randint(1, 8)]

    files = ([line for _ in range(chance.randint(1, 3)) for line in stretch()] for _ in range(FILES))
    return [[line if chance.random() < WHOLE else damaged(line) for line in lines] for lines in files]


def test_every_format_has_lines_of_its_own() -> None:
    assert [name for name in formats() if len(set(own_lines(name))) <= 3] == []


@every_format
def test_any_lines_are_accounted_for_file_by_file(candidate: Format) -> None:
    files = files_of(candidate.name)
    together = flat(checked(candidate, numbered(*files)))
    others = [flat(checked(candidate, each)) for each in alternate(files)]
    assert same(together, others), next(
        lines
        for number, lines in enumerate(files)
        if not same(part(together, of_file, number), [part(others[number % 2], of_file, number)])
    )
    for number, lines in enumerate(files[:ALONE]):
        found = candidate.recognise(pl.Series(lines, dtype=pl.String()))
        assert found.reason
        assert isinstance(found, Refusal) or (0 < found.confidence <= 1 and 1 <= found.line_no <= len(lines))
        assert same(part(together, of_file, number), [flat(checked(candidate, numbered(lines)))]), lines


@cache
def any_lines(name: str) -> st.SearchStrategy[list[str]]:
    """Lines of a format and of others, whole, cut anywhere or two of them spliced, among any bytes."""
    own = st.sampled_from(sorted({line for line in own_lines(name) if line}))
    line = st.one_of(
        own,
        st.builds(
            lambda one, two, end, start: one[:end] + two[start:], own, own, st.integers(0, 80), st.integers(0, 80)
        ),
        st.builds(lambda text, end: text[:end], st.sampled_from(some_lines()) | own, st.integers(0, 200)),
        st.binary(max_size=40).map(lambda raw: raw.decode("latin-1").replace("\n", " ")),
    )
    return st.lists(line, max_size=15)


@pytest.mark.parametrize("candidate", CUTTABLE.values(), ids=CUTTABLE)
@given(data=st.data())
@BATCHED
def test_a_chunk_from_a_boundary_gives_the_same_rows(candidate: Format, data: st.DataObject) -> None:
    files = [(each, cuts(candidate, each)) for each in data.draw(st.lists(any_lines(candidate.name), max_size=6))]
    whole = flat(checked(candidate, numbered(*(lines for lines, _ in files))))
    chunks = flat(checked(candidate, cut_up(*((numbered(lines), places) for lines, places in files))))
    of_each = [file_id for file_id, (_, places) in enumerate(files) for _ in places]
    for place, file_id in enumerate(of_each):
        assert same(part(whole, of_file, file_id), [part(chunks, of_cut, place)])


def cuts(candidate: Format, lines: list[str]) -> list[int]:
    """Up to three places where a file may be cut: among the first, in the middle, at the end."""
    assert candidate.boundary is not None
    places = pl.Series(lines, dtype=pl.String()).str.contains(candidate.boundary).arg_true().to_list()
    return sorted({places[share * (len(places) - 1) // 4] for share in (1, 2, 4)}) if places else []


@dataclass(frozen=True)
class Flat:
    """What was parsed, as frames."""

    lines: pl.DataFrame
    tables: dict[str, pl.DataFrame]


def flat(parsed: Parsed) -> Flat:
    return Flat(parsed.lines, parsed.tables)


def part(parsed: Flat, chosen: Callable[[pl.DataFrame, int], pl.DataFrame], number: int) -> Flat:
    """What was parsed of one file, or of the chunks of one cut."""
    tables = {name: chosen(frame, number) for name, frame in parsed.tables.items()}
    return Flat(chosen(parsed.lines, number), tables)


def _is_equal(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether rows are the same, but for the last bit of a quotient: Polars divides one row unlike many."""
    if not one.equals(other):
        try:
            assert_frame_equal(one, other, rel_tol=1e-15, abs_tol=0)
        except AssertionError:
            return False
    return True


def same(whole: Flat, parts: list[Flat]) -> bool:
    """Return whether the parts together say what the whole says."""
    names = {name for each in (whole, *parts) for name in each.tables}
    rows = [
        [each.tables.get(name, tables()[name].empty()).sort(*KEY_SCHEMA) for each in (whole, *parts)] for name in names
    ]
    return whole.lines.equals(pl.concat([each.lines for each in parts]).sort("file_id", "line_no")) and all(
        _is_equal(first, pl.concat(rest).sort(*KEY_SCHEMA)) for first, *rest in rows
    )
