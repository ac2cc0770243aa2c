"""The commands as a person or a script meets them: streams, exit codes, messages."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from haledger.command import commands
from tests.support.command import Outcome, haledger

ROOT = Path(__file__).parent.parent.parent
COMMANDS = [each.name for each in commands()]

ENGINE_LOG = """\
2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership
2011/05/13 03:31:45 VCS ERROR V-16-1-10322 System NODEC (Node '2') changed state from RUNNING to FAULTED
"""

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


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_a_sentence_with_an_example(run: Run, command: str) -> None:
    outcome = run(*([command] if command else []), "--help")
    assert outcome.returncode == 0
    assert "Usage: haledger" in outcome.stdout
    assert "Example:" in outcome.stdout
    assert outcome.stderr == ""


HEAVY = ("duckdb", "polars", "weasyprint", "altair", "vl_convert", "jinja2", "pydantic", "rich", "numpy")


def test_help_loads_nothing_heavy() -> None:
    probe = (
        "import sys; from haledger.cli import main; code = main(['--help']); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    outcome = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert outcome.stderr.strip() == "[]"


def test_version(run: Run) -> None:
    outcome = run("--version")
    assert (outcome.returncode, outcome.stdout.split()[0]) == (0, "haledger")


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
        pytest.param(["tables", "--format", "docx"], 2, "docx", id="unknown format"),
    ],
)
def test_a_mistake_gets_its_code_and_no_traceback(run: Run, arguments: list[str], code: int, message: str) -> None:
    outcome = run(*arguments)
    assert outcome.returncode == code, outcome.stderr
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert outcome.stdout == ""


@pytest.mark.parametrize(
    "content",
    [
        pytest.param({}, id="empty folder"),
        pytest.param(
            {"a.bin": b"\x7fELF" + bytes(range(256)) * 40, "b.png": b"\x89PNG\r\n\x1a\n" + bytes(900)}, id="binaries"
        ),
        pytest.param({"notes.txt": b"nothing that any format knows\n"}, id="unknown text"),
    ],
)
@pytest.mark.parametrize("command", ["report", "ingest", "explain"])
def test_nothing_usable_is_exit_3_with_advice(
    run: Run, tmp_path: Path, content: dict[str, bytes], command: str
) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    for name, data in content.items():
        (folder / name).write_bytes(data)
    outcome = run(command, "study")
    assert outcome.returncode == 3, outcome.stderr
    assert re.search(r"no log file found|known format|no file recognised", outcome.stderr)
    assert "Traceback" not in outcome.stderr
    assert not (tmp_path / "study-report" / "report.pdf").exists()


def test_ingest_then_query_then_ingest_again(run: Run, study: Path) -> None:
    first = run("ingest", str(study))
    assert (first.returncode, first.stderr) == (0, "")
    rows = run("sql", "select message_id from vcs_event order by line_no", "--format", "csv")
    assert rows.stdout.splitlines() == ["message_id", "V-16-1-10077", "V-16-1-10322"]
    again = run("ingest", str(study), "--json")
    assert json.loads(again.stdout)["rejected_lines"] == 0


def test_another_study_needs_replace(run: Run, study: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "engine_A.log").write_text(ENGINE_LOG)
    assert run("ingest", str(study)).returncode == 0
    refused = run("ingest", str(other))
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
    assert run("ingest", str(other), "--replace").returncode == 0


def test_strict_turns_rejected_lines_into_exit_3(run: Run, study: Path) -> None:
    (study / "engine_A.log").write_text("what is this\n" + ENGINE_LOG)
    assert run("ingest", str(study)).returncode == 0
    strict = run("ingest", str(study), "--strict")
    assert strict.returncode == 3
    assert "1 line" in strict.stderr


def test_query_from_standard_input_in_every_format(run: Run, study: Path) -> None:
    run("ingest", str(study))
    for name in ("table", "csv", "json", "jsonl", "md", "tex", "html"):
        outcome = run("sql", "--format", name, stdin="select 1 as one, 'a' as letter")
        assert outcome.returncode == 0, outcome.stderr
        assert "one" in outcome.stdout
        assert outcome.stderr == ""


def test_log_text_cannot_drive_the_terminal(run: Run, study: Path) -> None:
    (study / "engine_A.log").write_text(
        ENGINE_LOG + "2011/05/13 03:31:46 VCS INFO V-16-1-1 \x1b[2J\x1b]0;owned\x07\u202eevil\n"
    )
    run("ingest", str(study))
    outcome = run("sql", "select text from event order by line_no desc limit 1")
    assert "\x1b" not in outcome.stdout
    assert "\\x1b[2J" in outcome.stdout
    assert "\u202e" not in outcome.stdout


def test_doctor_shows_what_is_there(run: Run) -> None:
    outcome = run("doctor", "--json")
    checks = {each["name"]: each for each in json.loads(outcome.stdout)}
    assert checks["duckdb"]["is_ok"]
    assert checks["Pango"]["is_ok"]


def test_quiet_leaves_results_and_errors(run: Run, study: Path) -> None:
    """Summaries of what was written are talk; rows and JSON were asked for."""
    assert run("-q", "ingest", str(study)).stdout == ""
    assert json.loads(run("-q", "ingest", str(study), "--json").stdout)["file_count"] == 1
    assert run("-q", "sql", "select 1 as one", "--format", "csv").stdout == "one\n1\n"
    failed = run("-q", "ingest", "nowhere")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "nowhere" in failed.stderr


def test_how_much_is_said_may_stand_behind_the_command(run: Run, study: Path) -> None:
    for option in ("-q", "--verbose", "--no-color"):
        before, behind = run(option, "explain", str(study)), run("explain", str(study), option)
        assert (before.returncode, behind.returncode) == (0, 0), behind.stderr
        assert (before.stdout, before.stderr) == (behind.stdout, behind.stderr), option


def test_verbose_names_each_step_on_standard_error(run: Run, study: Path) -> None:
    outcome = run("ingest", str(study), "-v")
    steps = outcome.stderr.splitlines()
    assert {"recognising", "reading", "views"} <= set(steps)
    assert not set(steps) & set(outcome.stdout.splitlines())


def test_store_may_be_named_by_its_folder(run: Run, study: Path, tmp_path: Path) -> None:
    (tmp_path / "some-report").mkdir()
    run("ingest", str(study), "--db", "some-report/haledger.duckdb")
    assert run("sql", "select 1", "--db", "some-report").returncode == 0
    empty = run("sql", "select 1", "--db", "study")
    assert empty.returncode == 4
    assert "study/haledger.duckdb: no such store" in empty.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["report", "study", "-o", "file"], 2, "file: is a file", id="report into a file"),
        pytest.param(["ingest", "study", "--db", "study"], 4, "study: is a folder", id="store that is a folder"),
        pytest.param(["tables", "-o", "file", "--db", "x"], 2, "file: cannot be written", id="tables into a file"),
    ],
)
def test_file_and_folder_confused_with_each_other(
    run: Run, study: Path, arguments: list[str], code: int, message: str
) -> None:
    mine = study.with_name("file")
    mine.write_text("mine")
    run("ingest", "study", "--db", "x")
    outcome = run(*arguments)
    assert (outcome.returncode, outcome.stdout) == (code, "")
    assert message in outcome.stderr
    assert mine.read_text() == "mine"
    assert [each.name for each in study.iterdir()] == ["engine_A.log"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        pytest.param([], "no log file found", id="none"),
        pytest.param(["a"], "its only file has no known format", id="one"),
        pytest.param(["a", "b"], "none of its 2 files has a known format", id="two"),
    ],
)
@pytest.mark.parametrize("command", ["ingest", "init"])
def test_unrecognised_studies_are_reported_in_the_same_words(
    run: Run, tmp_path: Path, command: str, names: list[str], message: str
) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("nothing that any format knows\n")
    outcome = run(command, "study")
    assert outcome.returncode == 3
    assert message in outcome.stderr
    assert ("haledger explain study" in outcome.stderr) == bool(names)
    assert [each.name for each in tmp_path.iterdir()] == ["study"]


def test_every_command_is_reported_whole_in_the_list(run: Run) -> None:
    """In the 80 columns of a usual terminal."""
    listed = run("--help", COLUMNS="80").stdout.partition("Commands:")[2]
    assert "..." not in listed
