"""Ad hoc SQL reads the store and nothing else, and ends."""

from pathlib import Path

import duckdb
import pytest

from pipeline.errors import StoreError, UsageError
from pipeline.query.sandbox import Limits, query


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "haledger.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('create table event ("at" timestamp, line_no integer, text varchar)')
        connection.execute("insert into event values (timestamp '2003-07-28 10:27:04', 7, '=1+1'), (null, 8, null)")
    return path


HOSTILE = [
    # files
    "select * from read_text('{secret}')",
    "select * from read_blob('{secret}')",
    "select * from read_csv('{secret}')",
    "select * from read_json('{secret}')",
    "select * from '{secret}'",
    "select * from '{folder}/*.parquet'",
    "select * from glob('{folder}/*')",
    "select * from sniff_csv('{secret}')",
    "select * from parquet_metadata('{folder}/x.parquet')",
    "select * from query('select * from read_text(''{secret}'')')",
    "with t as materialized (from read_text('{secret}')) from t",
    "copy event to '{folder}/stolen.csv'",
    "copy (select 1) to '{folder}/stolen.parquet' (format parquet)",
    "copy event from '{secret}'",
    "export database '{folder}/dump'",
    "import database '{folder}/dump'",
    "attach '{folder}/other.duckdb' as other",
    "attach ':memory:' as other",
    "explain analyze copy event to '{folder}/stolen.csv'",
    "pragma import_database('{folder}/dump')",
    # the network, extensions, secrets
    "select * from 'http://127.0.0.1:9/x.csv'",
    "select * from read_parquet('s3://bucket/x.parquet')",
    "install httpfs",
    "install h3 from community",
    "load httpfs",
    "load '{folder}/evil.duckdb_extension'",
    "create secret (type s3)",
    # settings
    "set enable_external_access = true",
    "set memory_limit = '100GB'",
    "set global threads = 1000",
    "reset lock_configuration",
    "set temp_directory = '{folder}/spill'",
    "pragma enable_profiling = 'json'",
    "pragma memory_limit = '100GB'",
    "call enable_logging()",
    "set variable x = 1",
    # writing
    "create table stolen as select * from event",
    "create temp table stolen as select * from event",
    "create or replace view event as select 1",
    "create macro f(x) as x",
    "drop view event",
    "delete from event",
    "update event set line_no = 0",
    "insert into event select * from event",
    "truncate event",
    "alter table event add column x integer",
    "comment on table event is 'no'",
    "checkpoint",
    "vacuum",
    "begin transaction",
    # tricks of the text
    "select 1; drop table event",
    "select 1 /* ; */ ; -- ;\n delete from event",
    "prepare p as select 1",
    "execute p",
    "use memory",
    "detach store",
    # what Python around it would give away
    "select * from HOSTILE",
    "select getenv('HOME')",
    "select * from python_map_function()",
    # no statement
    "",
    "-- nothing",
    "selec 1",
]


def test_hostile_statements_are_refused_and_leave_no_trace(store: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("correct horse battery staple")
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    for statement in HOSTILE:
        with pytest.raises(UsageError) as refused:
            query(store, statement.format(folder=tmp_path, secret=secret))
        assert secret.read_text() not in str(refused.value), statement
        assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before, statement


def test_rows_come_back_typed(store: Path) -> None:
    frame = query(store, 'select "at", line_no, text from event order by line_no').frame
    assert frame.columns == ["at", "line_no", "text"]
    assert frame["line_no"].to_list() == [7, 8]
    assert str(frame["at"][0]) == "2003-07-28 10:27:04"


def test_parameters_are_bound_not_pasted(store: Path) -> None:
    frame = query(store, "select count(*) as n from event where text = $text", parameters={"text": "=1+1"}).frame
    assert frame["n"][0] == 1
    hostile = {"text": "' or true --"}
    assert query(store, "select count(*) as n from event where text = $text", parameters=hostile).frame["n"][0] == 0


def test_rows_are_limited_and_the_cut_is_reported(store: Path) -> None:
    result = query(store, "select * from range(10)", limits=Limits(max_rows=3))
    assert (result.frame.height, result.is_cut) == (3, True)
    exact = query(store, "select * from range(3)", limits=Limits(max_rows=3))
    assert (exact.frame.height, exact.is_cut) == (3, False)


@pytest.mark.parametrize(
    "endless",
    [
        pytest.param(
            "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r", id="recursion"
        ),
        pytest.param("select count(*) from range(1000000) a, range(1000000) b where a.range + b.range < 0", id="cross"),
    ],
)
def test_endless_query_is_stopped(store: Path, endless: str) -> None:
    with pytest.raises(UsageError, match=r"stopped after|more than"):
        query(store, endless, limits=Limits(timeout_s=0.5))


def test_memory_is_limited(store: Path) -> None:
    greedy = "select list(r.range) as l from range(200000000) r"
    with pytest.raises(UsageError, match="memory"):
        query(store, greedy, limits=Limits(memory_bytes=50 * 1024 * 1024))


def test_reserved_word_gets_advice(store: Path) -> None:
    with pytest.raises(UsageError, match="double quotes"):
        query(store, "select at, text from event")


def test_exotic_types_become_text(store: Path) -> None:
    frame = query(store, "select interval 90 second as i, uuid() as u, current_timestamp as t, 1 as d, 2 as d").frame
    assert frame["i"][0] == "00:01:30"
    assert frame.columns == ["i", "u", "t", "d", "d_2"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("{'a': [interval 1 day]}", "{'a': [1 day]}", id="an interval inside"),
        pytest.param("'infinity'::date", "infinity", id="a date without end"),
        pytest.param("'294247-01-10'::timestamp", "294247-01-10 00:00:00", id="a year Python does not know"),
        pytest.param("1::variant", "1", id="variant"),
        pytest.param(f"{2**127 - 1}::hugeint", str(2**127 - 1), id="39 digits"),
        pytest.param(f"[-{2**127 - 1}::hugeint, 1]", f"[-{2**127 - 1}, 1]", id="39 digits inside"),
        pytest.param(f"{2**128 - 1}::uhugeint", str(2**128 - 1), id="the largest, which was -1"),
        pytest.param("123456789012345678901234567890::bignum", "123456789012345678901234567890", id="bignum"),
    ],
)
def test_values_that_polars_or_python_cannot_have_become_text(store: Path, value: str, text: str) -> None:
    frame = query(store, f"select date '2003-07-28' as d, {value} as v union all select null, null").frame
    assert frame["v"].to_list() == [text, None]
    assert str(frame["d"][0]) == "2003-07-28"


def test_a_file_that_is_no_store_is_distinguished(tmp_path: Path) -> None:
    path = tmp_path / "notes.duckdb"
    path.write_text("not a database, just some text that is long enough to be read as a header" * 100)
    with pytest.raises(StoreError, match=r"notes\.duckdb"):
        query(path, "select 1")
