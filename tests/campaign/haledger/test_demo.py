"""`haledger demo` and the commands that it proposes."""

import shlex
import shutil
from pathlib import Path

import pytest

from haledger.commands import demo
from haledger.commands.demo import NEXT, SAMPLES
from tests.support.command import Outcome, haledger

FIRST = next(iter(SAMPLES))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def done(folder: Path) -> Outcome:
    return haledger("demo", cwd=folder)


def test_recorded_crashes_come_first(done: Outcome, folder: Path) -> None:
    assert done.returncode == 0
    assert all((folder / "haledger-demo" / f"{each}-report" / "report.pdf").is_file() for each in SAMPLES)
    told = [done.stderr.index(each) for each in SAMPLES.values()]
    assert told == sorted(told)
    assert "ecorded" in SAMPLES[FIRST]


@pytest.mark.parametrize("line", [each for each in NEXT if "YOUR" not in each])
def test_what_it_proposes_works_as_typed(done: Outcome, folder: Path, line: str) -> None:
    assert f"  {line}\n" in done.stderr
    assert f"  cd haledger-demo/{FIRST}-report\n" in done.stderr
    _, *arguments = shlex.split(line)
    shown = haledger(*arguments, cwd=folder / "haledger-demo" / f"{FIRST}-report")
    assert (shown.returncode, bool(shown.stdout)) == (0, True)


def test_a_folder_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "haledger-demo").mkdir()
    (tmp_path / "haledger-demo" / "letter").write_text("dear")
    done = haledger("demo", cwd=tmp_path)
    assert done.returncode == 2
    assert "-o DIR" in done.stderr


def test_the_archive_of_a_wheel_is_unpacked_by_a_python_without_filters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12 has Python 3.11.2; shutil has its filters since 3.11.4."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "engine_A.log").write_text("a line\n")
    shutil.make_archive(str(tmp_path / "sample"), "xztar", tmp_path / "logs")
    unpack_archive = shutil.unpack_archive
    monkeypatch.setattr(shutil, "unpack_archive", lambda archive, folder: unpack_archive(archive, extract_dir=folder))
    demo._copy(tmp_path / "sample", tmp_path / "copy")
    assert (tmp_path / "copy" / "engine_A.log").read_text() == "a line\n"
