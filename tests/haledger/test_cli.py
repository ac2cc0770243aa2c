"""The commands as a person or a script meets them: streams, exit codes, messages."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from haledger.command import PYTHON_TYPE, commands
from tests.support.command import Outcome, haledger

ROOT = Path(__file__).parent.parent.parent
COMMANDS = [each.name for each in commands()]

ENGINE_LOG = """\
2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership
2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED
"""

HOSTILE_LINE = "2011/05/13 03:31:46 VCS INFO V-16-1-1 \x1b[2J\x1b]0;owned\x07\u202eevil\n"

Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run_command(*arguments: str, stdin: str | None = None, **environment: str) -> Outcome:
        return haledger(*arguments, cwd=tmp_path, stdin=stdin, environment={"PATH": "", **environment})

    return run_command


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "engine_A.log").write_text(ENGINE_LOG)
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study, one line of which is rejected, and its store."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("study", "other"):
        (folder / name).mkdir()
        (folder / name / "engine_A.log").write_text("what is this\n" + ENGINE_LOG + HOSTILE_LINE)
    return folder


@pytest.fixture(scope="module")
def ingested(home: Path) -> Outcome:
    """The first ingest into the store of `home`."""
    return haledger("-v", "ingest", "study", cwd=home)


@pytest.fixture
def at_home(home: Path, ingested: Outcome) -> Run:
    """A command beside the store of `home`."""
    assert ingested.returncode == 0, ingested.stderr
    return lambda *arguments, stdin=None: haledger(*arguments, cwd=home, stdin=stdin)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_a_sentence_with_an_example(run: Run, command: str) -> None:
    outcome = run(*([command] if command else []), "--help")
    assert outcome.returncode == 0
    assert "Usage: haledger" in outcome.stdout
    assert "Example:" in outcome.stdout
    assert not PYTHON_TYPE.search(outcome.stdout), "a type of Python is no word of the command line"
    assert outcome.stderr == ""


HEAVY = ("duckdb", "polars", "weasyprint", "PIL", "jinja2", "pydantic", "rich", "numpy")


def test_help_loads_nothing_heavy() -> None:
    probe = (
        "import sys; from haledger.cli import main; code = main(['--help']); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    outcome = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert outcome.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["reprot", "x"], 2, "reprot", id="unknown command"),
        pytest.param(["report"], 2, "STUDY", id="missing argument"),
        pytest.param(["report", "nowhere"], 2, "nowhere: no such file or folder", id="path that does not exist"),
        pytest.param(["ingest", "nowhere", "--dbb", "x"], 2, "--dbb", id="unknown option"),
        pytest.param(["sql", "select 1"], 4, "no store here", id="no store"),
        pytest.param(["sql", "select 1", "--db", "none.duckdb"], 4, "none.duckdb", id="named store missing"),
        pytest.param(["sql", "select 1", "--memory", "lots"], 2, "lots", id="bad size"),
        pytest.param(["tables", "--format", "odt"], 2, "odt", id="unknown format"),
    ],
)
def test_a_mistake_gets_its_code_and_no_traceback(run: Run, arguments: list[str], code: int, message: str) -> None:
    outcome = run(*arguments)
    assert "Value error" not in outcome.stderr  # the words of a library
    assert outcome.returncode == code, outcome.stderr
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert outcome.stdout == ""


def test_verbose_names_each_step_on_standard_error(ingested: Outcome) -> None:
    steps = ingested.stderr.splitlines()
    assert {"recognising", "reading", "views"} <= set(steps)
    assert not set(steps) & set(ingested.stdout.splitlines())


def test_ingest_then_query_then_ingest_again(at_home: Run) -> None:
    """Quiet leaves JSON, which was asked for; summaries of what was written are talk."""
    rows = at_home("sql", "select message_id from vcs_event order by line_no limit 2", "--format", "csv")
    assert rows.stdout.splitlines() == ["message_id", "V-16-1-10077", "V-16-1-10322"]
    again = at_home("-q", "ingest", "study", "--json")
    assert again.stderr == ""
    found = {"file_count": 1, "rejected_lines": 1, "read_count": 0, "is_unchanged": True}
    assert found.items() <= json.loads(again.stdout).items()


def test_strict_turns_rejected_lines_into_exit_3(at_home: Run) -> None:
    strict = at_home("-q", "ingest", "study", "--strict")
    assert (strict.returncode, strict.stdout) == (3, "")
    assert "1 line" in strict.stderr


def test_another_study_needs_replace(at_home: Run, home: Path) -> None:
    shutil.copy(home / "haledger.duckdb", home / "mine.duckdb")
    refused = at_home("ingest", "other", "--db", "mine.duckdb")
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
    assert at_home("ingest", "other", "--db", "mine.duckdb", "--replace").returncode == 0


def test_query_from_standard_input_in_every_format(at_home: Run) -> None:
    for name in ("table", "csv", "json", "jsonl", "md", "tex", "html"):
        outcome = at_home("sql", "--format", name, stdin="select 1 as one, 'a' as letter")
        assert outcome.returncode == 0, outcome.stderr
        assert "one" in outcome.stdout
        assert outcome.stderr == ""


def test_log_text_cannot_drive_the_terminal(at_home: Run) -> None:
    outcome = at_home("sql", "select text from event order by line_no desc limit 1")
    assert "\x1b" not in outcome.stdout
    assert "\\x1b[2J" in outcome.stdout
    assert "\u202e" not in outcome.stdout


def test_doctor_shows_what_is_there(run: Run) -> None:
    outcome = run("doctor", "--json")
    checks = {each["name"]: each for each in json.loads(outcome.stdout)}
    assert checks["duckdb"]["is_ok"]
    assert checks["Pango"]["is_ok"]


def test_quiet_leaves_results_and_errors(at_home: Run) -> None:
    assert at_home("-q", "sql", "select 1 as one", "--format", "csv").stdout == "one\n1\n"
    failed = at_home("-q", "ingest", "nowhere")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "nowhere" in failed.stderr


def test_how_much_is_said_may_stand_behind_the_command(at_home: Run) -> None:
    question = ("sql", "select text from event order by line_no limit 1")
    for option in ("-q", "--verbose", "--no-color"):
        before, behind = at_home(option, *question), at_home(*question, option)
        assert (before.returncode, behind.returncode) == (0, 0), behind.stderr
        assert (before.stdout, before.stderr) == (behind.stdout, behind.stderr), option


def test_store_may_be_named_by_its_folder(at_home: Run, home: Path) -> None:
    (home / "some-report").mkdir()
    shutil.copy(home / "haledger.duckdb", home / "some-report")
    assert at_home("sql", "select 1", "--db", "some-report").returncode == 0
    empty = at_home("sql", "select 1", "--db", "study")
    assert empty.returncode == 4
    assert "study/haledger.duckdb: no such store" in empty.stderr


def test_a_part_of_a_study_is_told_from_the_whole(run: Run, study: Path) -> None:
    (study / "study.toml").write_text("[study]\n")
    told = {
        part: run("ingest", part, "--db", "part.duckdb", "--replace").stderr for part in ("study", "study/engine_A.log")
    }
    assert ["is read alone, without" in each for each in told.values()] == [False, True], told


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["report", "study", "-o", "file"], 2, "file: is a file", id="report into a file"),
        pytest.param(["ingest", "study", "--db", "study"], 4, "study: is a folder", id="store that is a folder"),
        pytest.param(["tables", "-o", "file"], 2, "file: cannot be written", id="tables into a file"),
    ],
)
def test_file_and_folder_confused_with_each_other(
    at_home: Run, home: Path, arguments: list[str], code: int, message: str
) -> None:
    mine = home / "file"
    mine.write_text("mine")
    outcome = at_home(*arguments)
    assert (outcome.returncode, outcome.stdout) == (code, "")
    assert message in outcome.stderr
    assert mine.read_text() == "mine"
    assert [each.name for each in (home / "study").iterdir()] == ["engine_A.log"]


def test_every_command_is_reported_whole_in_the_list(run: Run) -> None:
    """In the 80 columns of a usual terminal."""
    listed = run("--help", COLUMNS="80").stdout.partition("Commands:")[2]
    assert "..." not in listed


def test_only_the_command_that_is_named_is_prepared() -> None:
    assert [each.name for each in commands("check")] == ["check"]
    assert [each.name for each in commands("reprot")] == [each.name for each in commands()]
