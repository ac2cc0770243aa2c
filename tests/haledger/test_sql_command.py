"""`haledger sql` as a script uses it: where the statement comes from, where the rows go, what a mistake gives."""

import hashlib
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from pipeline.ingest import ingest
from tests.support.command import Outcome, haledger

ROOT = Path(__file__).parents[2]
LOG = "2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED\n"
ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r"

Run = Callable[..., Outcome]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sql")
    study = folder / "study"
    study.mkdir()
    (study / "engine_A.log").write_text(LOG)
    ingest.ingest(study, folder / "haledger.duckdb")
    return folder


@pytest.fixture
def run(folder: Path) -> Run:
    def run_command(*arguments: str, stdin: str | None = None) -> Outcome:
        return haledger("sql", *arguments, cwd=folder, stdin=stdin)

    return run_command


def test_a_statement_comes_from_a_file(run: Run, folder: Path) -> None:
    (folder / "two.sql").write_text("\ufeffselect 2 as two -- and no more;\n", encoding="utf-8")
    for arguments in (["@two.sql"], ["--file", "two.sql"]):
        outcome = run(*arguments, "-f", "csv")
        assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "two\n2\n", "")


def test_a_relation_describes_itself_as_at_the_prompt(run: Run) -> None:
    listed, shown, mistaken = run(".tables rejected"), run(".schema finding"), run(".schema findings")
    assert "rejected_line" in listed.stdout
    assert shown.stdout.startswith("view finding\n")
    assert re.search(r"^rejected_lines +\(", shown.stdout, re.MULTILINE)
    assert (mistaken.returncode, "did you mean finding?" in mistaken.stderr) == (2, True)


def test_values_are_bound(run: Run) -> None:
    outcome = run("select $a || '!' as a, $n::integer + 1 as n", "-p", "a='; drop table run", "-p", "n=41", "--json")
    assert json.loads(outcome.stdout) == [{"a": "'; drop table run!", "n": 42}]


def test_rows_go_to_a_file(run: Run, folder: Path) -> None:
    outcome = run("select 1 as one", "-f", "parquet", "-o", "one.parquet")
    assert (outcome.returncode, outcome.stdout) == (0, "")
    assert pl.read_parquet(folder / "one.parquet").rows() == [(1,)]


def test_a_cut_is_reported_on_standard_error(run: Run) -> None:
    outcome = run("select * from range(10)", "-f", "csv", "--max-rows", "2")
    assert outcome.stdout == "range\n0\n1\n"
    assert outcome.stderr == "Cut after 2 rows (--max-rows).\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["@nowhere.sql"], "nowhere.sql", id="no file"),
        pytest.param(["select 1", "--file", "x.sql"], "give one of them", id="two statements"),
        pytest.param(["select 1", "-o", "nowhere/x.csv"], "cannot be written", id="no folder"),
        pytest.param(["select 1", "-o", "haledger.duckdb"], "is the store", id="onto the store"),
        pytest.param(["select 1", "-p", "1=2"], "NAME=VALUE", id="no name"),
        pytest.param(["select $a"], "parameters: a", id="no value"),
        pytest.param(["select 1", "--memory", "1KB"], "at least", id="too little memory"),
        pytest.param(["select 1", "--timeout", "nan"], "--timeout", id="no time"),
        pytest.param(["select * from milestones"], "milestone", id="no relation"),
        pytest.param(["select at from event"], "double quotes", id="a reserved word"),
        pytest.param([""], "found none", id="no statement"),
    ],
)
def test_a_mistake_is_exit_2_and_says_what_to_do(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    before = hashlib.sha256((folder / "haledger.duckdb").read_bytes()).digest()
    outcome = run(*arguments)
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert message in outcome.stderr
    assert "internal error" not in outcome.stderr
    assert hashlib.sha256((folder / "haledger.duckdb").read_bytes()).digest() == before


def test_control_c_is_exit_130_without_a_traceback(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "haledger", "sql", ENDLESS],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(3)  # it must be at its statement
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert "internal error" not in err
