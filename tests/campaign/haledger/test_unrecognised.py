"""Studies in which no file is recognised: what the commands say, how they end, and what they leave behind."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Outcome, haledger

Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return lambda *arguments: haledger(*arguments, cwd=tmp_path, environment={"PATH": ""})


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
    assert re.search(r"no log file found|was not recognised|was recognised|no file recognised", outcome.stderr)
    assert "Traceback" not in outcome.stderr
    assert not (tmp_path / "study-report" / "report.pdf").exists()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        pytest.param([], "no log file found", id="none"),
        pytest.param(["a"], "its only file was not recognised", id="one"),
        pytest.param(["a", "b"], "none of its 2 files was recognised;", id="two"),
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
    written = {"ingest": ["haledger.duckdb"], "init": []}[command]  # a store says why, file by file
    assert sorted(each.name for each in tmp_path.iterdir()) == [*written, "study"]
