"""What the machine refuses or varies: permissions, space, zones, languages, threads."""

import ctypes
import resource
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.failover_logs import Failover, environment_of, haledger, prepared, write, write_run, write_timers

CAPABILITIES = (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: what lets root pass over permissions
PR_CAPBSET_DROP = 24
OPEN_TO_READ = stat.S_IRUSR | stat.S_IXUSR


def as_anyone() -> None:
    """Give up root's right to pass over permissions; takes effect in the program that is started."""
    libc = ctypes.CDLL(None)
    for capability in CAPABILITIES:
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def is_refused(file: Path) -> bool:
    """Whether a process without that right is refused a closed file."""
    probe = subprocess.run(
        [sys.executable, "-c", f"open({str(file)!r})"], preexec_fn=as_anyone, capture_output=True, check=False
    )
    return probe.returncode != 0


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("resources") / "logs"
    write_timers(root / "default")
    write_run(root / "default" / "run01")
    write_run(root / "default" / "run02", Failover())
    write(root / "study.toml", '[study]\ntimezone = "America/Toronto"\n')
    return root


# --- permissions -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(study: Path, tmp_path: Path) -> Iterator[Path]:
    """A folder with a copy of the study; what is closed in it is opened again."""
    closed = write(tmp_path / "closed", "x\n")
    closed.chmod(0)
    if not is_refused(closed):
        pytest.skip("root is refused nothing here, and cannot give up that right")
    closed.unlink()
    shutil.copytree(study, tmp_path / "here" / "logs")
    yield tmp_path / "here"
    for each in (tmp_path / "here", tmp_path / "here/logs", tmp_path / "here/logs/default/run02"):
        each.chmod(0o700)


def test_an_unreadable_file_is_listed_and_the_rest_is_read(folder: Path) -> None:
    (folder / "logs/default/run01/sun-ha4/messages").chmod(0)
    outcome = prepared("ingest", "logs", cwd=folder, prepare=as_anyone)
    assert outcome.returncode == 0, outcome.stderr
    with duckdb.connect(str(folder / "haledger.duckdb"), read_only=True) as con:
        found = con.execute("select path, reason from source_file where status = 'unreadable'").fetchall()
        reported = con.execute("select text from finding where kind = 'unread_file'").fetchall()
    assert [path for path, _ in found] == ["default/run01/sun-ha4/messages"]
    assert "permission" in found[0][1].lower()
    assert any("messages" in text for (text,) in reported)


def test_an_unreadable_folder_is_listed(folder: Path) -> None:
    (folder / "logs/default/run02").chmod(0)
    outcome = prepared("ingest", "logs", cwd=folder, prepare=as_anyone)
    assert outcome.returncode == 0, outcome.stderr
    with duckdb.connect(str(folder / "haledger.duckdb"), read_only=True) as con:
        found = con.execute("select path, status from source_file where path like 'default/run02%'").fetchall()
    assert found == [("default/run02", "unreadable")]


@pytest.mark.parametrize("command", ["ingest", "explain", "report"])
def test_an_unreadable_study_is_exit_3(folder: Path, command: str) -> None:
    (folder / "logs").chmod(0)
    outcome = prepared(command, "logs", cwd=folder, prepare=as_anyone)
    assert (outcome.returncode, "permission" in outcome.stderr) == (3, True), outcome.stderr


@pytest.mark.parametrize("arguments", [("sql", "select 1"), ("ingest", "logs")], ids=["sql", "ingest"])
def test_an_unreadable_store_is_exit_4(folder: Path, arguments: tuple[str, ...]) -> None:
    write(folder / "a.duckdb", "x").chmod(0)
    outcome = prepared(*arguments, "--db", "a.duckdb", cwd=folder, prepare=as_anyone)
    assert (outcome.returncode, "a.duckdb" in outcome.stderr) == (4, True), outcome.stderr
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize(("command", "written"), [("ingest", "haledger.duckdb"), ("report", "logs-report")])
def test_a_folder_that_cannot_be_written_is_exit_4_that_names_it(folder: Path, command: str, written: str) -> None:
    folder.chmod(OPEN_TO_READ)
    outcome = prepared(command, "logs", cwd=folder, prepare=as_anyone)
    assert outcome.returncode == 4, outcome.stderr
    assert f"{written}: cannot be written" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert [each.name for each in folder.iterdir()] == ["logs"]


def test_a_closed_report_folder_is_exit_4_that_names_it_and_no_answer_needs_it(folder: Path) -> None:
    """Somebody else's, beside the study: its store is not asked, and the logs are read."""
    (folder / "logs-report").mkdir(mode=0)
    closed = "logs-report"
    for arguments in (
        ("verify", closed),
        ("history", closed),
        ("report", "logs"),
        ("anonymise", "logs", "-o", f"{closed}/x"),
    ):
        outcome = prepared(*arguments, cwd=folder, prepare=as_anyone)
        assert (outcome.returncode, "logs-report" in outcome.stderr) == (4, True), outcome.stderr
    for command in ("explain", "check"):
        outcome = prepared(command, "logs", cwd=folder, prepare=as_anyone)
        assert outcome.returncode == 0, outcome.stderr
    (folder / "logs-report").chmod(0o700)


# --- space -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kibibytes", [0, 4, 64, 1024, 4096])
def test_a_full_disk_leaves_nothing(study: Path, tmp_path: Path, kibibytes: int) -> None:
    """No file may become larger than so much: the system answers writes as it does on a full disk."""

    def prepare() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * kibibytes, 1024 * kibibytes))

    outcome = prepared("ingest", str(study), "--db", "a.duckdb", cwd=tmp_path, prepare=prepare)
    assert outcome.returncode == 4, (outcome.returncode, outcome.stderr)
    assert "a.duckdb: cannot be written" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_store(study: Path, tmp_path: Path) -> None:
    shutil.copytree(study, tmp_path / "logs")
    assert haledger("ingest", "logs", "--db", "a.duckdb", cwd=tmp_path).returncode == 0
    before = (tmp_path / "a.duckdb").read_bytes()
    write(tmp_path / "logs" / "notes.txt", "changed\n")

    def prepare() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))

    outcome = prepared("ingest", "logs", "--db", "a.duckdb", cwd=tmp_path, prepare=prepare)
    assert outcome.returncode == 4, outcome.stderr
    assert (tmp_path / "a.duckdb").read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.duckdb", "logs"]


# --- surroundings ----------------------------------------------------------------------------------------------------


def tables_of(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every relation, in an order of their own: a relation promises none."""
    with duckdb.connect(str(db), read_only=True) as con:
        names = con.execute(
            "select distinct table_schema || '.' || table_name from information_schema.tables "
            "where table_schema in ('main', 'log', 'study') order by 1"
        ).fetchall()
        return {name: sorted(con.execute(f"select * from {name}").fetchall(), key=repr) for (name,) in names}


@pytest.fixture(scope="module")
def usual(study: Path) -> dict[str, list[tuple[Any, ...]]]:
    outcome = haledger("ingest", study.name, "--db", "usual.duckdb", cwd=study.parent)
    assert outcome.returncode == 0
    return tables_of(study.with_name("usual.duckdb"))


SHOWN = ("sql", "select * from milestone", "--format", "csv", "--db", "a.duckdb")


@pytest.fixture(scope="module")
def usual_words(study: Path, usual: dict[str, list[tuple[Any, ...]]]) -> str:
    assert usual
    return haledger(*SHOWN[:-1], "usual.duckdb", cwd=study.parent).stdout


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"TZ": "Asia/Kathmandu"}, id="TZ a quarter of an hour off"),
        pytest.param({"TZ": "America/St_Johns", "LC_ALL": "C"}, id="TZ west, no language"),
        pytest.param({"LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}, id="Turkish"),
        pytest.param({"COLUMNS": "20", "LINES": "5", "TERM": "dumb", "NO_COLOR": "1"}, id="a narrow terminal"),
        pytest.param({"PYTHONHASHSEED": "1", "POLARS_MAX_THREADS": "1"}, id="one thread"),
        pytest.param({"PYTHONHASHSEED": "2", "POLARS_MAX_THREADS": "2"}, id="two threads"),
        pytest.param({"HOME": "/nonexistent", "TMPDIR": "/nonexistent"}, id="no home"),
        pytest.param({"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}, id="ASCII streams"),
    ],
)
def test_surroundings_change_nothing(
    study: Path, tmp_path: Path, usual: dict[str, list[tuple[Any, ...]]], usual_words: str, environment: dict[str, str]
) -> None:
    outcome = haledger("ingest", study.name, "--db", str(tmp_path / "a.duckdb"), cwd=study.parent, **environment)
    assert outcome.returncode == 0, outcome.stderr
    assert tables_of(tmp_path / "a.duckdb") == usual
    shown = haledger(*SHOWN, cwd=tmp_path, **environment)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, usual_words, "")


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-1", "cp437"])
@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("format_", ["table", "csv", "md", "html"])
def test_what_a_terminal_cannot_show_is_escaped(study: Path, tmp_path: Path, encoding: str, format_: str) -> None:
    """The rule of a plain table alone is beyond ISO 8859-1."""
    db = str(study.with_name("usual.duckdb"))
    query = "select 'Gr' || chr(246) || 'e ' || chr(9731) as text"
    shown = subprocess.run(
        [sys.executable, "-m", "haledger", "sql", query, "--db", db, "-f", format_],
        env=environment_of(PYTHONIOENCODING=encoding, PYTHONUTF8="0"),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert "u2603" in shown.stdout.decode(encoding)
