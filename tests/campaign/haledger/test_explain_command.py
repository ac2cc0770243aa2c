"""`haledger explain` as a person or a script meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Outcome, haledger

ROOT = Path(__file__).parents[3]
ENGINE = "2011/05/13 03:31:40 VCS INFO V-16-1-10077 Received new cluster membership\n"
ENVIRONMENT = {"PATH": "", "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "engine_A.log").write_text("garbage\n" + ENGINE)
    (folder / "run.sh").write_text("#!/bin/sh\ndb2start\n")
    return folder


def explain(*arguments: str | Path, **environment: str) -> Outcome:
    return haledger("explain", *arguments, cwd=ROOT, environment=ENVIRONMENT | environment)


def test_text_goes_to_standard_output_without_colours(study: Path) -> None:
    outcome = explain(study, COLUMNS="80")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert "  ! run.sh is not recognised: looks like a shell script." in outcome.stdout
    assert "1 of 2 files recognised" in outcome.stdout
    assert "\x1b" not in outcome.stdout
    assert max(map(len, outcome.stdout.splitlines())) <= 80


def test_json_is_a_list_of_files(study: Path) -> None:
    outcome = explain("--json", study)
    files = {each["path"]: each for each in json.loads(outcome.stdout)}
    assert files["engine_A.log"]["rejected"] == [
        {"line_no": 1, "reason": "before the first message", "text": "garbage"}
    ]
    assert files["run.sh"]["hints"]["looks_like"][0]["what"] == "a shell script"


def test_every_key_of_json_is_documented(study: Path) -> None:
    documented = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    (file, *_) = json.loads(explain("--json", study).stdout)
    for key in (*file, *file["hints"]):
        assert f"`{key}`" in documented, key


def test_a_file_that_is_not_recognised_is_exit_3_with_its_explanation(study: Path) -> None:
    outcome = explain(study / "run.sh")
    assert outcome.returncode == 3
    assert "looks like     a shell script" in outcome.stdout
    assert "no file recognised" in outcome.stderr
    (study / "study.toml").write_text('[study]\ntitle = "t"\n')
    assert explain(study / "study.toml").returncode == 0


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
