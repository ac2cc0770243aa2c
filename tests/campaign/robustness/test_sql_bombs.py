"""Statements that would need all time or memory: `haledger sql` stops them, each in a process that is measured."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.ingest import ingest

ROOT = Path(__file__).parents[3]
MEASURED = """
import os, sys
from haledger.cli import main
code = main(sys.argv[1:])
# of this program alone: what getrusage gives begins with the peak of the process that started it
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1000, file=sys.stderr, flush=True)
os._exit(code)
"""

LOG = """\
2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership
2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from Linux")

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
    folder = tmp_path_factory.mktemp("bombs")
    (folder / "study").mkdir()
    (folder / "study" / "engine_A.log").write_text(LOG)
    ingest.ingest(folder / "study", folder / "store.duckdb")
    return folder


@pytest.mark.parametrize("statement", BOMBS)
def test_what_would_not_end_is_stopped_in_time_and_memory(folder: Path, statement: str) -> None:
    before = (folder / "store.duckdb").read_bytes()
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
    assert (folder / "store.duckdb").read_bytes() == before
