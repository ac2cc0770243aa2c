"""A store is a plain DuckDB file: other programs read it, older ones too."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.ingest import ingest

ROOT = Path(__file__).parents[3]
CLIENTS = ("1.4.2", "1.4.5", "1.5.6")
"""Clients that read every relation: the oldest, and two between it and the one that haledger uses. Decision 25."""

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

READ_EVERYTHING = """
import sys
import duckdb
store = duckdb.connect(sys.argv[1], read_only=True)
store.execute("set enable_progress_bar = false")  # else it is drawn where a query takes two seconds
names = store.execute(
    "select schema_name, view_name from duckdb_views() where not internal "
    "union all select schema_name, table_name from duckdb_tables()"
).fetchall()
for schema, name in names:
    store.execute(f'select * from {schema}."{name}"').fetchall()
comments = store.execute("select count(*) from duckdb_columns() where not internal and comment is null")
assert comments.fetchone() == (0,)
print(duckdb.__version__, len(names), store.execute("select max(runs) from milestone_stats").fetchone()[0])
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clients") / "haledger.duckdb"
    ingest.ingest(ROOT / "samples" / "failover-modern", path)
    return path


@pytest.mark.parametrize("client", CLIENTS)
def test_an_older_duckdb_reads_every_relation(store: Path, tmp_path: Path, client: str) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--retries", "0", "--timeout", "10"]
    installed = subprocess.run(
        [*pip, "install", "--no-deps", "--only-binary", ":all:", "--target", str(tmp_path), f"duckdb=={client}"],
        capture_output=True,
        check=False,
    )
    if installed.returncode != 0:
        pytest.skip(f"duckdb {client} cannot be installed here")
    outcome = subprocess.run(
        [sys.executable, "-c", READ_EVERYTHING, str(store)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    version, relations, runs = outcome.stdout.split()
    assert version == client
    assert int(relations) > 100
    assert int(runs) == 6


def test_the_lines_for_a_notebook_run_as_they_are(store: Path) -> None:
    (block,) = PYTHON_BLOCK.findall((ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8"))
    outcome = subprocess.run(
        [sys.executable, "-c", block], cwd=store.parent, capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    assert "elapsed_s" in outcome.stdout
    assert "tuned" in outcome.stdout


def test_haledger_and_another_program_read_at_once(store: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"
    outcome = subprocess.run(
        [sys.executable, "-m", "haledger", "sql", "--db", str(store), "select count(*) as n from run", "-f", "csv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    other.communicate("\n", timeout=120)
    assert (outcome.returncode, outcome.stdout) == (0, "n\n12\n")


HOLD_OPEN = """
import sys
import duckdb
store = duckdb.connect(sys.argv[1], read_only=True)
print("open", flush=True)
sys.stdin.readline()
"""
