"""Advice that `explain` gives for a text that it does not read, followed to the letter, does what it says."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import formats
from pipeline.ask.explain.hints import looks, nearest
from tests.support.command import haledger
from tests.support.examples import COSTLY

CASES = list(csv.DictReader(Path(__file__).with_suffix(".csv").read_text(encoding="utf-8").splitlines()))
"""What a text is, its file's name, the text, what it looks like, rows that the advised setting reads; or the text to
give instead, and its rows."""


def _explained(study: Path) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = json.loads(haledger("explain", "--json", study, cwd=study).stdout)
    return [each for each in files if each["path"] != "study.toml"]


def _written(folder: Path, column: str) -> Path:
    for number, case in enumerate(CASES):
        (folder / f"{number:02}").mkdir(parents=True)
        (folder / f"{number:02}" / case["file"]).write_text(case[column].replace("\\n", "\n") + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def advised(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    study = _written(tmp_path_factory.mktemp("advice") / "study", "text")
    return study, _explained(study)


def test_texts_are_read_or_get_the_advice_that_is_right(advised: tuple[Path, list[dict[str, Any]]]) -> None:
    wrong = []
    for case, found in zip(CASES, advised[1], strict=True):
        trial = found["hints"]["trial"]
        reads = dict(found["table_rows"]) if found["format"] else trial["rows"] if trial else {}
        looks = " / ".join(each["what"] for each in found["hints"]["looks_like"])
        if json.dumps(reads) != case["rows"] or (case["looks"] not in looks):
            wrong.append((case["what"], case["rows"], reads, case["looks"], looks))
    assert wrong == []
    assert len(CASES) >= 60


def test_settings_read_what_they_promise(advised: tuple[Path, list[dict[str, Any]]]) -> None:
    study, before = advised
    trials = {each["path"]: each["hints"]["trial"] for each in before if each["hints"]["trial"]}
    (study / "study.toml").write_text("\n".join(line for each in trials.values() for line in each["setting"]))
    after = {each["path"]: each for each in _explained(study)}
    read = {path: (after[path]["status"], after[path]["table_rows"]) for path in trials}
    assert read == {path: ("parsed", each["rows"]) for path, each in trials.items()}
    counts = {path: after[path]["counts"]["parsed"] + after[path]["counts"]["continuation"] for path in trials}
    assert counts == {path: each["read_count"] for path, each in trials.items()}


def test_what_is_to_be_given_instead_is_read(tmp_path: Path) -> None:
    found = _explained(_written(tmp_path / "study", "instead"))
    named = [(case, each) for case, each in zip(CASES, found, strict=True) if case["instead"]]
    assert [(case["what"], json.dumps(each["table_rows"])) for case, each in named] == [
        (case["what"], case["instead_rows"]) for case, _ in named
    ]


@COSTLY
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=60), max_size=8))
def test_any_text_is_looked_at_without_failing(lines: list[str]) -> None:
    for look in looks(lines):
        assert 1 <= look.line_no <= len(lines)
    head = pl.Series("text", lines, dtype=pl.String())
    for found in nearest({1: head}, formats()).values():
        assert 0 < found.read_count <= found.line_count == len(lines)
