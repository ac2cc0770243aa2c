"""Hostile statements against `haledger sql`: each is refused or stopped in time, and no byte of anything changes."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from haledger.cli import main
from pipeline.ingest import ingest

ROOT = Path(__file__).parents[3]
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
    reported = capfd.readouterr()
    assert code == 2, reported.out
    assert reported.out == ""
    assert reported.err.startswith("haledger: ")
    assert SECRET not in reported.err
    assert "internal error" not in reported.err
