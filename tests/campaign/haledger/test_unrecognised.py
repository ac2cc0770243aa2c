"""Studies in which no file is recognised: what the commands say, how they end, and what they leave behind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Outcome, haledger

Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return lambda *arguments: haledger(*arguments, cwd=tmp_path, environment={"PATH": ""})


@pytest.mark.parametrize(
    ("names", "message"),
    [
        pytest.param([], "no log file found", id="none"),
        pytest.param(["a"], "its only file was not recognised", id="one"),
        pytest.param(["a", "b"], "none of its 2 files was recognised;", id="two"),
    ],
)
@pytest.mark.parametrize("command", ["ingest", "init", "report", "check"])
def test_unrecognised_studies_are_reported_in_the_same_words(
    run: Run, tmp_path: Path, command: str, names: list[str], message: str
) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(
            b"nothing that any format knows\n" if name == "a" else b"\x7fELF" + bytes(range(256))
        )
    outcome = run(command, "study")
    assert outcome.returncode == 3
    assert message in outcome.stderr
    assert ("haledger explain study" in outcome.stderr) == bool(names)
    written = ["haledger.duckdb"] if command == "ingest" else []  # a store says why, file by file
    assert sorted(each.name for each in tmp_path.iterdir()) == [*written, "study"]
