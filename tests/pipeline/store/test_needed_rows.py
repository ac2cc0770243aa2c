from collections.abc import Iterator

import duckdb
import pytest

from pipeline.store.needed_rows import Needed, Statements

KNOWN: dict[str, Needed] = {name: frozenset({frozenset({name})}) for name in ("a", "b", "c")}
KNOWN["view_of_a_and_b"] = KNOWN["a"] | KNOWN["b"]


@pytest.fixture(scope="module")
def statements() -> Iterator[Statements]:
    with duckdb.connect() as con:
        con.execute("create macro short(x) as lower(x)")
        con.execute("create macro shortest(x) as short(trim(x))")
        con.execute("create macro longest(x) as max(length(x))")
        yield Statements(con)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        pytest.param("select x from a", "a", id="a table"),
        pytest.param("select x from log.event", "log.event", id="of another schema"),
        pytest.param("select x from a inner join b using (x)", "a b", id="both sides of a join"),
        pytest.param("select x from a, log.event", "a log.event", id="both of a list"),
        pytest.param("select x from a semi join b using (x)", "a b", id="both sides of a semi join"),
        pytest.param("select x from a left join b using (x)", "a", id="the left side of a left join"),
        pytest.param("select x from a anti join b using (x)", "a", id="the left side of an anti join"),
        pytest.param("select x from a full join b using (x)", "", id="neither side of a full join"),
        pytest.param("select x from a positional join b", "", id="neither side by position"),
        pytest.param("select x from view_of_a_and_b", "a b", id="what a view needs"),
        pytest.param("select x from unknown", "", id="a relation that nothing is known of"),
        pytest.param("select x from a union all by name select x from b", "a|b", id="one part of a union"),
        pytest.param("select x from a union select 1", "", id="a part that needs nothing"),
        pytest.param("select x from a except select x from b", "a", id="the first part of a difference"),
        pytest.param(
            "with a as (select * from a join b using (x)) select * from a", "a b", id="a CTE of the same name"
        ),
        pytest.param("select x from (select * from a) as each, unnest([1]) as t(n)", "a", id="a subquery in a list"),
        pytest.param("values (1)", "", id="values"),
        pytest.param("select count(*) from a", "", id="a count of nothing is a row"),
        pytest.param("select 1 + coalesce(max(x), 0) from a", "", id="an aggregate within an expression"),
        pytest.param("select longest(x) from a", "", id="an aggregate within a macro"),
        pytest.param("select 1 from a having true", "", id="a condition of all rows together"),
        pytest.param("select shortest(x) || 'm' from a", "a", id="macros that take a row"),
        pytest.param("select max(x) over () from a", "a", id="a window gives a value for each row"),
        pytest.param("select x, count(*) from a group by x", "a", id="groups are of rows"),
        pytest.param("select x, count(*) from a group by rollup (x)", "", id="but for the group of all"),
        pytest.param("select x, (select max(x) from b) from a", "a", id="an aggregate of other rows"),
        pytest.param(
            "with recursive r as (select 1 as x union all select x from r) select x from r", "", id="recursive"
        ),
    ],
)
def test_tables_that_must_have_rows(statements: Statements, statement: str, expected: str) -> None:
    assert statements.needed_rows(statement, KNOWN) == {frozenset(each.split("|")) for each in expected.split()}


def test_sets_that_hold_another_are_left_out(statements: Statements) -> None:
    found = statements.needed_rows("select x from a join b using (x) union all select x from a join c using (x)", KNOWN)
    assert found == {frozenset({"a"}), frozenset({"b", "c"})}
