"""Hostile statements against `haledger sql`: each is refused or stopped in time, and no byte of anything changes."""

import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from haledger.cli import main
from pipeline import ingest

ROOT = Path(__file__).parents[2]
SECRET = "correct horse battery staple"  # noqa: S105 - stands in a file that no statement may read

LOG = """\
2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership
2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED
"""

REACHING_OUT = [
    # files
    "select * from read_text('{folder}/secret.txt')",
    "select * from read_blob('{folder}/secret.txt')",
    "select * from read_csv('{folder}/secret.txt')",
    "select * from read_json('{folder}/secret.txt')",
    "select * from '{folder}/secret.txt'",
    "select * from '{folder}/*.parquet'",
    "select * from glob('{folder}/*')",
    "select * from sniff_csv('{folder}/secret.txt')",
    "select * from parquet_metadata('{folder}/x.parquet')",
    "select * from query('select * from read_text(''{folder}/secret.txt'')')",
    "with t as materialized (from read_text('{folder}/secret.txt')) from t",
    "copy event to '{folder}/stolen.csv'",
    "copy (select 1) to '{folder}/stolen.parquet' (format parquet)",
    "copy event from '{folder}/secret.txt'",
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
    "create or replace view run as select 1",
    "create macro f(x) as x",
    "drop view run",
    "delete from source_file",
    "update source_file set lines = 0",
    "insert into source_file select * from source_file",
    "truncate source_file",
    "alter table source_file add column x integer",
    "comment on table source_file is 'no'",
    "checkpoint",
    "vacuum",
    "begin transaction",
    # tricks of the text
    "select 1; drop table source_file",
    "select 1 /* ; */ ; -- ;\n delete from source_file",
    "prepare p as select 1",
    "execute p",
    "use memory",
    "detach store",
    # what Python around it would give away
    "select * from LOG",
    "select getenv('HOME')",
    "select * from python_map_function()",
]

BOMBS = [
    pytest.param(
        "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r", id="endless"
    ),
    pytest.param("with recursive r(t) as (select 'x' union all select t || t from r) select t from r", id="doubling"),
    pytest.param("select count(*) from range(1000000) a, range(1000000) b where a.range * b.range < 0", id="cross"),
    pytest.param("select length(repeat('a', 2000000000))", id="constant"),
    pytest.param("select lpad('a', 2000000000, 'b')", id="constant without end"),
    pytest.param("select len(range(500000000))", id="list"),
    pytest.param("select list(range) from range(500000000)", id="aggregate"),
    pytest.param("select string_agg(repeat('x', 1000), ',') from range(10000000)", id="text"),
    pytest.param("select range from range(2000000000) order by hash(range)", id="sort"),
    pytest.param("select * from range(3000000000)", id="rows"),
    pytest.param(f"select {'(' * 5000}1{')' * 5000}", id="parentheses"),
    pytest.param(
        "select count(*) from range(1000000) where regexp_matches(repeat('a', 9000 + range % 99), '(a*)*b')",
        id="pattern",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "secret.txt").write_text(SECRET)
    study = folder / "study"
    study.mkdir()
    (study / "engine_A.log").write_text(LOG)
    ingest.ingest(study, folder / "store.duckdb")
    return folder


def state_of(folder: Path) -> dict[str, str]:
    """Every file below the folder with its SHA-256."""
    return {
        each.relative_to(folder).as_posix(): hashlib.sha256(each.read_bytes()).hexdigest()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


@pytest.fixture
def unchanged(folder: Path) -> Iterator[None]:
    before = state_of(folder)
    yield
    assert state_of(folder) == before


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("statement", REACHING_OUT)
def test_what_reaches_out_is_refused(folder: Path, statement: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["sql", "--db", str(folder / "store.duckdb"), statement.format(folder=folder)])
    told = capfd.readouterr()
    assert code == 2, told.out
    assert told.out == ""
    assert told.err.startswith("haledger: ")
    assert SECRET not in told.err
    assert "internal error" not in told.err


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("statement", BOMBS)
def test_what_would_not_end_is_stopped_in_time_and_memory(folder: Path, statement: str) -> None:
    command = [sys.executable, "-c", MEASURED, "sql", "--db", "store.duckdb", "--timeout", "2", "--memory", "300MB"]
    began = time.monotonic()
    outcome = subprocess.run(
        [*command, statement], cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert time.monotonic() - began < 60  # two seconds, the grace, and a machine that is very busy
    assert outcome.returncode == 2, outcome.stderr
    assert outcome.stdout == ""
    message, _, peak_mb = outcome.stderr.strip().rpartition("\n")
    assert "stopped after 2 s" in message or "MiB of memory" in message or "expression depth" in message
    assert int(peak_mb) < 1000  # the limit, half as much again, and what the program itself takes


MEASURED = """
import os, resource, sys
from haledger.cli import main
code = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000, file=sys.stderr, flush=True)
os._exit(code)
"""
