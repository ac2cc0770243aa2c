"""No relation takes more than its rows: CPU seconds over logs of two sizes."""

import math
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from bench import logs
from pipeline.ingest import store_template
from pipeline.ingest.ingest import ingest
from pipeline.store.relations import catalogue

SMALL, FACTOR = 2_000_000, 8
"""Bytes of each log, and how much longer the others are."""

LEAST_S = 0.05
"""Of the longer logs: what takes less says nothing."""

MOST = 1.45
"""Exponent of a statement; sorting alone takes 1.1, and a machine that does other things adds noise. All by all: 2."""

NOISE = 0.05
"""Part of the time of planning that is no more than its noise: no log counts for less."""

ROUNDS = 3

ALL_BY_ALL = """
with few as (select line_no, "at" from log.vcs_event where line_no % 30 = 0)
select a.line_no, count(*) as later from few as a
inner join few as b on a."at" + to_microseconds(b.line_no) < b."at" - to_microseconds(a.line_no)
group by a.line_no
"""


def store_of(folder: Path, size: int) -> Path:
    for kind in ("vcs_engine", "syslog", "db2diag"):
        node = folder / "study" / "a" / "1" / kind.replace("_", "-")
        node.mkdir(parents=True)
        logs.write(kind, node / f"{kind}.log", size)
    ingest(folder / "study", folder / "store.duckdb")
    return folder / "store.duckdb"


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[duckdb.DuckDBPyConnection]]:
    """Without a line, of short logs, and of longer ones."""
    folder = tmp_path_factory.mktemp("growth")
    empty = folder / "empty.duckdb"
    store_template.into(empty, folder)
    files = [empty, store_of(folder / "short", SMALL), store_of(folder / "long", SMALL * FACTOR)]
    connections = [duckdb.connect(str(file), read_only=True, config={"threads": 1}) for file in files]
    yield connections
    for each in connections:
        each.close()


def cpu_s(con: duckdb.DuckDBPyConnection, sql: str, rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        con.execute(f"create or replace temp table measured as {sql}").fetchall()
        taken.append(time.process_time() - begun)
    return min(taken)


def exponent(stores: list[duckdb.DuckDBPyConnection], sql: str) -> float | None:
    """How the seconds grow with the lines; None where there are few. Those of planning are those without a line."""
    empty, short, long = stores
    if cpu_s(long, sql, 1) < LEAST_S:
        return None
    planning = cpu_s(empty, sql, ROUNDS)
    more = cpu_s(long, sql, ROUNDS) - planning
    if more < LEAST_S:
        return None
    less = max(cpu_s(short, sql, ROUNDS) - planning, NOISE * planning, 0.001)
    return math.log(more / less) / math.log(FACTOR)


def test_relations_grow_with_their_rows(stores: list[duckdb.DuckDBPyConnection]) -> None:
    found = {each.name: exponent(stores, each.sql) for each in catalogue()}
    measured = {name: round(each, 2) for name, each in found.items() if each is not None}
    assert "event" in measured, measured
    assert {name: each for name, each in measured.items() if each > MOST} == {}, measured


def test_comparing_all_with_all_is_found(stores: list[duckdb.DuckDBPyConnection]) -> None:
    found = exponent(stores, ALL_BY_ALL)
    assert found is not None
    assert found > MOST
