"""Folders of a stranger: bombs and traps. Each ends with exit 0, 2 or 3, in time and memory, and touches nothing else.

A small library between the program and the system writes down what is written and which connections are asked for,
also by native code and by processes that the program starts.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipeline.query import bounded
from tests.cpu import loop_s
from tests.support.hostile_folders import CASES, SECRET
from tests.support.kept_process import STATEMENT_S, KeptProcess

SOURCE = Path(__file__).parents[2] / "support" / "watched_calls.c"
MOST_CPU_S = 60.0
LOOP_S = 0.03
"""What the loop of tests/cpu.py needs where that is the limit; a slower machine has more."""

PATIENCE_S = 600.0
"""By the clock: a machine may be busy."""

MOST_MEBIBYTES = 2048
COMMANDS = {"ingest": ["ingest", "study"], "report": ["report", "study", "-o", "paper"]}
HARMLESS = ("/dev/null", "/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Watched:
    """A place below which a command may write, and what was written down of its calls."""

    process: KeptProcess
    root: Path
    calls: Path

    def forbidden(self, place: Path) -> list[str]:
        """Connections, and what was written outside the working folder, HOME and TMPDIR; also what is in the study."""
        allowed = tuple(f"{each}/" for each in (place, self.root / "home", self.root / "temporary"))
        found = []
        for line in self.calls.read_text(encoding="utf-8", errors="replace").splitlines():
            call, _, path = line.partition(" ")
            is_of_study = path.startswith((f"{place}/study", f"{place}/outside"))
            is_inside = path.startswith(allowed) and not is_of_study and "/../" not in path
            if call == "connect" or not (
                is_inside or path.startswith((*HARMLESS, f"{self.root}/std")) or path in allowed
            ):
                found.append(line)
        return sorted(set(found))


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    """A process in which one command after the other is run."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler")
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        root = Path(name).resolve()
        library, calls = root / "watched.so", root / "calls"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
        for each in ("home", "temporary"):
            (root / each).mkdir()
        environment = {
            "LD_PRELOAD": str(library),
            "WATCH_LOG": str(calls),
            "HOME": str(root / "home"),
            "TMPDIR": str(root / "temporary"),
            STATEMENT_S: "3",
        }
        with KeptProcess(root, environment) as process:
            yield Watched(process, root, calls)


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_folder_ends_in_time_and_memory_and_touches_nothing_else(watched: Watched, name: str) -> None:
    case = CASES[name]
    place = watched.root / "place"
    try:
        (place / "study").mkdir(parents=True)
        (place / "outside").mkdir()
        (place / "outside" / "secret").write_text(SECRET, encoding="utf-8")
        case.build(place / "study")
        watched.calls.write_bytes(b"")
        ended = watched.process.run(*COMMANDS[case.command], cwd=place, limit_s=PATIENCE_S)
        assert ended.code in case.codes, ended
        assert ended.cpu_s < MOST_CPU_S * max(1.0, loop_s() / LOOP_S)
        assert ended.mebibytes < MOST_MEBIBYTES
        assert "Traceback" not in ended.errors
        assert watched.forbidden(place) == []
        assert sorted(each.name for each in place.iterdir() if ".tmp-" in each.name) == []
        assert list((watched.root / "temporary").iterdir()) == []
        written = [each for each in place.iterdir() if each.name not in ("study", "outside")]
        for each in (one for top in written for one in (top.rglob("*") if top.is_dir() else [top])):
            assert not each.is_file() or SECRET.encode() not in each.read_bytes(), each
    finally:
        _empty(place)
        _empty(watched.root / "temporary")
        (watched.root / "temporary").mkdir()


def _empty(place: Path) -> None:
    """Remove a folder, with folders deeper than a path can say."""
    subprocess.run(["/bin/rm", "-rf", place], check=True)


def test_a_statement_has_not_all_of_the_time() -> None:
    """The test above gives statements 3 s, for what takes them all takes all that they are given."""
    assert bounded.STUDY_LIMITS.timeout_s <= MOST_CPU_S / 2


def test_what_is_written_and_connected_is_seen(watched: Watched) -> None:
    """Else the test above would prove nothing."""
    script = "import socket; open('elsewhere', 'w').close(); socket.socket().connect_ex(('127.0.0.1', 9))"
    watched.calls.write_bytes(b"")
    environment = {"LD_PRELOAD": watched.process.environment["LD_PRELOAD"], "WATCH_LOG": str(watched.calls)}
    subprocess.run([sys.executable, "-c", script], cwd=watched.root, env=environment, check=True)
    assert watched.forbidden(watched.root / "place") == ["connect /family/2", f"open {watched.root}/elsewhere"]
