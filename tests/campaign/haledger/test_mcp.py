"""`haledger mcp` as a client of the protocol sees it: what it can ask, and what is refused as by `haledger sql`."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs import worked_pages
from pipeline.ingest import ingest
from pipeline.query.sandbox import Limits
from tests.support.command import haledger
from tests.support.sample import sample_store

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")

LOG = "2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED\n"
Ask = Callable[..., tuple[bool, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "study").mkdir()
    (folder / "study" / "engine_A.log").write_text(LOG)
    ingest.ingest(folder / "study", folder / "haledger.duckdb")
    return folder


def asked(server: Any, tool: str, **arguments: object) -> tuple[bool, str]:
    """Whether a tool answers, and what it says."""

    async def ask() -> tuple[bool, str]:
        async with mcp.Client(server) as client:
            found = await client.call_tool(tool, arguments)
            return not found.is_error, "".join(each.text for each in found.content)

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def ask(folder: Path) -> Ask:
    from haledger.assistant import server

    tools = server(folder / "haledger.duckdb", Limits(timeout_s=5, max_rows=3))
    return lambda tool, **arguments: asked(tools, tool, **arguments)


def test_relations_are_described_with_their_columns(ask: Ask) -> None:
    is_answer, listed = ask("relations")
    assert (is_answer, "\nrejected_line: " in listed) == (True, True)
    is_answer, described = ask("relations", name="source_file")
    assert (is_answer, "rejected_lines" in described) == (True, True)
    assert ask("relations", name="sources")[0] is False


def test_rows_are_json_and_a_cut_is_told(ask: Ask) -> None:
    is_answer, rows = ask("sql", query="select message_id from vcs_event")
    assert (is_answer, json.loads(rows)) == (True, [{"message_id": "V-16-1-10322"}])
    _, cut = ask("sql", query="select * from range(10)")
    assert "cut after 3 rows" in cut


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("select * from read_text('/etc/passwd')", id="file"),
        pytest.param("drop table source_file", id="write"),
        pytest.param("select 1; select 2", id="two"),
        pytest.param("attach '/tmp/other.duckdb'", id="attach"),
        pytest.param("selec 1", id="mistake"),
    ],
)
def test_what_sql_refuses_is_refused_with_the_same_words(ask: Ask, folder: Path, statement: str) -> None:
    is_answer, told = ask("sql", query=statement)
    refused = haledger("sql", statement, cwd=folder)
    assert (is_answer, refused.returncode) == (False, 2)
    assert told.removeprefix("Error executing tool sql: ").splitlines()[0] in refused.stderr


def test_files_are_explained_and_numbers_traced(ask: Ask) -> None:
    is_answer, files = ask("explain", path="engine")
    assert is_answer
    (file,) = json.loads(files)
    assert (file["path"], file["lines"], file["rejected_lines"]) == ("engine_A.log", 1, 0)
    assert json.loads(ask("explain", path="' or true --")[1]) == []
    is_answer, lines = ask("trace", table="vcs_event", row="line_no=1", column="message_id")
    assert (is_answer, "V-16-1-10322" in lines) == (True, True)
    assert ask("trace", table="no_such", row="1", column="x")[0] is False


def test_five_questions_of_the_cookbook_are_answered(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    from haledger.assistant import server

    store = sample_store("failover-modern", tmp_path_factory)
    for block in [*worked_pages.blocks(worked_pages.COOKBOOK)][:5]:
        is_answer, rows = asked(server(store, Limits()), "sql", query=block.code)
        assert is_answer
        assert json.loads(rows) == json.loads(haledger("sql", block.code, "--db", store, "--json", cwd=tmp_path).stdout)


def test_the_command_talks_over_its_streams(folder: Path) -> None:
    from mcp import StdioServerParameters

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "haledger", "mcp", "--db", str(folder / "haledger.duckdb")]
    )
    assert asked(command, "sql", query="select 1 as one") == (True, '[\n {"one": 1}\n]\n')
