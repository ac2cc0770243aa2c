"""Which store a command means."""

from pathlib import Path

import pytest

from pipeline.errors import StoreError, UsageError
from pipeline.store.locate import find_store


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_named_store_wins(tmp_path: Path) -> None:
    touch(tmp_path / "haledger.duckdb")
    named = touch(tmp_path / "other.duckdb")
    assert find_store(named, tmp_path) == named


def test_store_here_comes_before_a_report(tmp_path: Path) -> None:
    here = touch(tmp_path / "haledger.duckdb")
    touch(tmp_path / "a-report" / "haledger.duckdb")
    assert find_store(None, tmp_path) == here


def test_only_report_is_taken(tmp_path: Path) -> None:
    report = touch(tmp_path / "a-report" / "haledger.duckdb")
    assert find_store(None, tmp_path) == report


def test_a_named_folder_may_hold_the_only_report(tmp_path: Path) -> None:
    report = touch(tmp_path / "demo" / "a-report" / "haledger.duckdb")
    assert find_store(tmp_path / "demo", tmp_path) == report


def test_a_study_has_its_report_beside_it(tmp_path: Path) -> None:
    touch(tmp_path / "logs-report" / "haledger.duckdb")
    (tmp_path / "logs").mkdir()
    with pytest.raises(StoreError, match=r"did you mean .*logs-report"):
        find_store(tmp_path / "logs", tmp_path)


def test_two_reports_need_a_choice(tmp_path: Path) -> None:
    touch(tmp_path / "a-report" / "haledger.duckdb")
    touch(tmp_path / "b-report" / "haledger.duckdb")
    with pytest.raises(UsageError, match="--db"):
        find_store(None, tmp_path)


@pytest.mark.parametrize("named", [None, Path("missing.duckdb")])
def test_no_store_says_how_to_make_one(tmp_path: Path, named: Path | None) -> None:
    with pytest.raises(StoreError, match="haledger ingest"):
        find_store(named, tmp_path)
