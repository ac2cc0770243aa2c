"""The rows behind a result: where they are known already, and where they were read as other types."""

import re
from collections.abc import Sequence

import duckdb
import pytest

from pipeline.ask.trace.fault import FAULT_SOURCES, PARAMETERS
from pipeline.ask.trace.source import Origin
from pipeline.ask.trace.statement import Statements
from pipeline.store import relations

SQL = "select configuration, sum(value) as total from thing group by configuration order by configuration"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([], "a", id="nothing is known"),
        pytest.param([("a", 1), ("b", 4)], "a", id="known"),
        pytest.param([("b", 4), ("a", 1)], "b", id="known in the order in which they were printed"),
        pytest.param([("b", "4"), ("a", "1")], "a", id="read as other types: asked again"),
    ],
)
def test_known_rows_lead_to_the_rows_behind_them(rows: Sequence[tuple[str, object]], expected: str) -> None:
    known = [dict(zip(("configuration", "total"), each, strict=True)) for each in rows]
    with duckdb.connect() as con:
        con.execute("create table thing as from (values ('a', 1), ('b', 2), ('b', 2)) as t(configuration, value)")
        (source,) = Statements(con, {(SQL, ()): known}).sources([Origin(SQL, 0, ("total",))])
    assert {key[0] for key in source.rows} == {expected}


def test_a_statement_of_relations_that_do_not_matter_is_not_run() -> None:
    sql = "select count(*) as things, sum(value::integer) as total from thing"
    with duckdb.connect() as con:
        con.execute("create table thing as select 'no number' as value")
        for column, mattering, expected in (
            ("total", frozenset({"thing"}), "cannot be followed"),
            ("total", frozenset(), "no relation"),
            ("things", frozenset(), "no relation"),
        ):
            (found,) = Statements(con, {}, mattering.__contains__).each([[Origin(sql, 0, (column,))]])
            assert expected in str(found)


def test_every_source_of_a_fault_time_is_described() -> None:
    estimate = next(each for each in relations.catalogue() if each.name == "fault_estimate")
    sources = {name.strip() for name in re.sub(r"\s+", " ", estimate.columns["source"]).split(",")}
    assert sources | {"first symptom"} == set(FAULT_SOURCES)  # a moment, where nothing gives an interval


def test_every_timer_of_a_source_is_a_column_of_the_timers_in_force() -> None:
    timers = next(each for each in relations.catalogue() if each.name == "cluster_timer")
    named = {name for each in FAULT_SOURCES.values() for name in each.timers} | set(PARAMETERS)
    assert named <= {re.sub(r"(_low|_high)?_s$", "", name) for name in timers.columns}
