from collections.abc import Iterator

import duckdb
import pytest

from pipeline.store import relations, rows_by_group
from pipeline.store.relations import RelationError, parse_relation
from pipeline.store.rows_by_group import groups, within

FILES = """
create table main.log_format as select 'vcs_engine' as format, 'log' as role;
create table main.source_file as
select
    *,
    'vcs_engine' as format,
    'alder' as node,
    path as sha256,
    null::timestamp as first_at,
    null::timestamp as last_at
from (values
    (1, 'a', 10, 900, 'parsed', 'a/x.log'),
    (2, 'study', 1, 90, 'parsed', 'all.cf'),
    (3, 'a-b', 10, 900, 'parsed', 'a-b/x.log'),
    (4, 'a/b', 10, 100, 'parsed', 'a/b/x.log'),
    (5, 'c', 30, 3000, 'parsed', 'c/x.log'),
    (6, null, 5, 500, 'parsed', 'x/y.log'),
    (7, 'c', null, null, 'unreadable', 'c/z.log')
) as t (file_id, configuration, lines, bytes, status, path)
"""


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute(FILES)
        yield con


@pytest.mark.parametrize(
    ("group_lines", "files", "shared"),
    [
        pytest.param(1000, [[1, 4, 3, 5, 7, 2, 6]], [[]], id="all fit into one, in which nothing is another's"),
        pytest.param(30, [[1, 4, 3], [5, 7, 2, 6]], [[2], []], id="alike in size; what is nobody's with the last"),
        pytest.param(1, [[1, 4], [3], [5, 7], [2, 6]], [[2], [2], [2], []], id="a tree of folders is never divided"),
    ],
)
def test_files_are_grouped_by_trees_of_configurations(
    con: duckdb.DuckDBPyConnection, group_lines: int, files: list[list[int]], shared: list[list[int]]
) -> None:
    found = groups(con, group_lines)
    assert [each.files for each in found] == files
    assert [each.shared for each in found] == shared
    assert (sum(each.lines for each in found), sum(each.bytes for each in found)) == (66, 5490)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("sha256 = 'same'", id="the same file"),
        pytest.param("first_at = '2003-07-28', last_at = '2003-07-29'", id="one host's logs of one time"),
    ],
)
def test_configurations_that_may_hold_one_run_are_one_group(con: duckdb.DuckDBPyConnection, change: str) -> None:
    con.execute(f"update source_file set {change} where file_id in (1, 5)")
    assert [each.files for each in groups(con, 1)] == [[1, 4, 5, 7], [3], [2, 6]]
    con.execute("update source_file set sha256 = path, node = 'birch' where file_id = 5")
    assert [each.files for each in groups(con, 1)] == [[1, 4], [3], [5, 7], [2, 6]]


def test_every_row_is_of_one_group(con: duckdb.DuckDBPyConnection) -> None:
    """Also those of a configuration that no file has."""
    con.execute(
        "create table of_name as from (values ('a'), ('a/b'), ('a-b'), ('c'), ('named'), (null)) t (configuration)"
    )
    by_name, by_file = (
        parse_relation(
            "r", f"-- One row.\n-- materialised: small\n-- rows by: {each}\n-- columns:\n--   x: x\nselect 1 as x"
        )
        for each in ("configuration", "file_id")
    )
    for group_lines, expected in ((1, [2, 1, 1, 2]), (30, [3, 3]), (1000, [6])):
        found = groups(con, group_lines)
        counted = [
            con.execute(f"select count(*) from of_name where {each.condition(by_name)}").fetchall() for each in found
        ]
        assert counted == [[(count,)] for count in expected]
        files = [
            con.execute(f"select file_id from source_file where {each.condition(by_file)}").fetchall() for each in found
        ]
        assert sorted(number for each in files for (number,) in each) == [1, 2, 3, 4, 5, 6, 7]


def test_numbers_in_a_row_are_a_range() -> None:
    assert within([5, 1, 2, 3, 9], "n") == "(n between 1 and 3 or n between 5 and 5 or n between 9 and 9)"
    assert within([], "n") == "(false)"


def test_headers_name_columns_by_which_files_are_grouped() -> None:
    assert {each.rows_by for each in rows_by_group.own()} == {"configuration", "file_id"}


def test_what_rests_on_all_files_and_is_given_to_groups_reads_nothing_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {each.name for each in rows_by_group.given()} >= {"measurement_place", "simhadr_run"}

    def table(name: str, rule: str, sql: str) -> relations.Relation:
        return parse_relation(name, f"-- One row.\n-- materialised: small\n{rule}-- columns:\n--   x: x\n{sql}")

    rule = "-- rows by: configuration\n"
    wrong = (
        table("first_one", rule, "select x from log.source"),
        table("of_all", "", "select x from first_one"),
        table("last_one", rule, "select x from of_all"),
    )
    for each in (relations, rows_by_group):
        monkeypatch.setattr(each, "catalogue", lambda: wrong)
    rows_by_group.own.cache_clear()
    rows_by_group.given.cache_clear()
    try:
        with pytest.raises(
            RelationError, match=r"of_all\.sql: is read by relations with `rows by`, and itself reads first_one"
        ):
            rows_by_group.given()
    finally:
        rows_by_group.own.cache_clear()
        rows_by_group.given.cache_clear()
