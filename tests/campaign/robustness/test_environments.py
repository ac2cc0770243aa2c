"""Where haledger runs: little address space, users without a name or a home, folders that nobody may write.

What a container with an arbitrary user id does, done with the calls that containers are made of: setresuid(2), and a
mount namespace in which everything is read-only but one folder. docs/robustness.md says which command does what.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.failover_logs import environment_of, prepared, write, write_run

NOBODY = 12_345
MEBIBYTE = 2**20
PROGRESS = re.compile(r"^haledger: .* \(\d+% done after \d+ s\)\n", re.MULTILINE)
NATIVE = ("Traceback", "panicked", "stack backtrace", "memory allocation of", "internal error", "jemalloc", "ABORT")

# All mounts become read-only but the last argument, a new empty disk; then the user id of nobody, who may read all.
READ_ONLY = """
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount --make-rprivate / && mount -t tmpfs -o mode=777 none "$1" || exit 99
for each in $(cut -d ' ' -f 5 /proc/self/mountinfo | sort -u); do
    case "$each" in "$1"|/proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$each" 2>/dev/null ;; esac
done
! touch /tmp/haledger-probe 2>/dev/null || exit 99
cd "$2" && shift 2
exec setpriv --reuid=12345 --regid=12345 --clear-groups \
    --inh-caps +dac_read_search --ambient-caps +dac_read_search "$@"
"""


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """A folder with a small study and its store that everybody may read: those of pytest are closed."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        write_run(root / "logs" / "default" / "run01")
        write(root / "logs" / "study.toml", '[study]\ntimezone = "America/Toronto"\n')
        assert started("ingest", "logs", "--db", "a.duckdb", cwd=root).returncode == 0
        (root / "open").mkdir()
        for each in (root, root / "open"):
            each.chmod(0o777)
        yield root


def started(
    *arguments: str,
    cwd: Path,
    prepare: Callable[[], None] | None = None,
    prefix: Sequence[str] = (),
    home: str | None = None,
    temporary: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with a HOME or TMPDIR only where they are given.

    What a slow machine adds to standard error, how far a command is, is left out.
    """
    given = {"HOME": home, "TMPDIR": None if temporary is None else str(temporary)}
    environment = {name: value for name, value in given.items() if value is not None}
    outcome = prepared(*arguments, cwd=cwd, prepare=prepare, prefix=prefix, environment=environment)
    outcome.stderr = PROGRESS.sub("", outcome.stderr)
    return outcome


@pytest.mark.parametrize(
    ("mebibytes", "arguments", "codes"),
    [
        pytest.param(128, ("sql", "select 1", "--db", "a.duckdb"), {4}, id="128 MiB"),
        pytest.param(256, ("sql", "select 1", "--db", "a.duckdb"), {4}, id="256 MiB"),
        pytest.param(384, ("sql", "select 1", "--db", "a.duckdb"), {4}, id="384 MiB, a query"),
        pytest.param(384, ("ingest", "logs", "--db", "b.duckdb"), {4}, id="384 MiB"),
        pytest.param(512, ("sql", "select 1", "--db", "a.duckdb"), {0}, id="512 MiB, a query"),
        pytest.param(512, ("ingest", "logs", "--db", "b.duckdb"), {0, 4}, id="512 MiB, an ingest"),
        pytest.param(512, ("report", "logs", "-o", "b"), {0, 4}, id="512 MiB, a report"),
        pytest.param(1024, ("ingest", "logs", "--db", "b.duckdb"), {0}, id="1 GiB, an ingest"),
    ],
)
def test_little_address_space_is_enough_or_said(
    root: Path, mebibytes: int, arguments: tuple[str, ...], codes: set[int]
) -> None:
    def prepare() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE))

    outcome = started(*arguments, cwd=root, prepare=prepare)
    assert outcome.returncode in codes, outcome.stderr
    assert [each for each in NATIVE if each in outcome.stderr] == []
    assert outcome.returncode == 0 or "haledger: " in outcome.stderr
    assert ("memory" in outcome.stderr.lower() or "address space" in outcome.stderr) is (outcome.returncode == 4)
    for each in (root / "b.duckdb", root / "b"):
        shutil.rmtree(each) if each.is_dir() else each.unlink(missing_ok=True)


def test_an_interrupted_run_with_little_address_space_is_interrupted(root: Path) -> None:
    """Its second process gets what the first one gets, and both are gone."""
    command = ["sql", "select count(*) from range(100000000000)", "--db", "a.duckdb"]
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'ulimit -v 1048576; exec "$@"', "-", sys.executable, "-m", "haledger", *command],
        cwd=root,
        env=environment_of(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            process.wait(3.0)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=300)
    assert process.returncode == 130, output
    assert "Traceback" not in output


@pytest.mark.parametrize("home", [None, "/nonexistent", "/proc"], ids=["no HOME", "HOME is missing", "HOME is closed"])
def test_a_user_without_name_and_home_gets_a_store(root: Path, home: str | None) -> None:
    """An arbitrary user id, as containers give it; files stay readable, as they are in an image."""
    prefix, folder = as_nobody(), root / "open"
    outcome = started("ingest", str(root / "logs"), "--db", "a.duckdb", cwd=folder, prefix=prefix, home=home)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    shown = started("sql", "select count(*) from run", "--db", "a.duckdb", cwd=folder, prefix=prefix, home=home)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert (folder / "a.duckdb").stat().st_uid == NOBODY
    (folder / "a.duckdb").unlink()


def as_nobody() -> list[str]:
    """The words before a command that a user without an entry in passwd runs."""
    program = shutil.which("setpriv")
    if program is None or os.geteuid() != 0:
        pytest.skip("needs root and setpriv")
    rights = ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]
    prefix = [program, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *rights]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("the system gives nobody's processes no right to read")
    return prefix


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(("report", "logs", "-o", "out/paper"), 0, "", id="report"),
        pytest.param(("report", "logs"), 4, "logs-report: cannot be written: Read-only", id="report into it"),
        pytest.param(("ingest", "logs"), 4, "haledger.duckdb: cannot be written: Read-only", id="ingest into it"),
        pytest.param(("sql", "select 1", "--db", "a.duckdb"), 0, "", id="sql"),
        pytest.param(("tables", "--list", "--db", "a.duckdb"), 0, "", id="tables"),
        pytest.param(("explain", "logs"), 4, "no folder for temporary files", id="explain"),
        pytest.param(("check", "logs"), 4, "no folder for temporary files", id="check"),
        pytest.param(("init", "logs", "--stdout"), 4, "no folder for temporary files", id="init"),
        pytest.param(("verify", "a.duckdb"), 4, "no folder for temporary files", id="verify"),
        pytest.param(("doctor",), 1, "", id="doctor"),
    ],
)
def test_everything_is_read_only_but_the_output(
    root: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """No place for temporary files either, and a user without home and name."""
    as_nobody()
    (root / "out").mkdir(exist_ok=True)
    prefix = [shutil.which("unshare") or "unshare", "-m", "/bin/sh", "-c", READ_ONLY, "-", str(root / "out"), str(root)]
    outcome = started(*arguments, cwd=root, prefix=prefix)
    if outcome.returncode == 99 or "unshare" in outcome.stderr:
        pytest.skip("no mount namespaces here")
    assert outcome.returncode == code, outcome.stderr
    assert message in outcome.stderr
    assert outcome.stderr.count("\n") == bool(message), outcome.stderr


def test_a_temporary_folder_that_is_named_is_used(root: Path, tmp_path: Path) -> None:
    outcome = started("explain", "logs", cwd=root, temporary=tmp_path)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
