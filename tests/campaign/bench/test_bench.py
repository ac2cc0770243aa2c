"""The benchmark measures what it says, and what it keeps shows nothing of the machine."""

import json
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bench import logs
from bench.__main__ import main
from bench.processes import Cost, cost_of
from bench.results import keep, results, table
from bench.subjects import PATTERNS, Subject

needs_ripgrep = pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")


def subject(name: str, size: int = 0, start_up: str | None = None, against: str | None = None) -> Subject:
    return Subject(name, lambda: Cost(0, 0, 0), size, start_up, against)


def test_a_ratio_is_of_times_for_a_byte_without_start_up() -> None:
    subjects = [subject("idle"), subject("other", 100, "idle"), subject("own", 200, "idle", "other")]
    costs = {
        "idle": [Cost(1.0, 1.0, 1)],
        "other": [Cost(3.0, 3.0, 2), Cost(9.0, 9.0, 2), Cost(2.0, 2.0, 2)],
        "own": [Cost(9.0, 5.0, 7)],
    }
    idle, other, own = results(subjects, costs)
    assert (idle.net_s, other.net_s, own.net_s) == (1.0, 2.0, 8.0)
    assert (idle.ratio, other.ratio, own.ratio) == (None, None, 2.0)
    assert own.peak_mib == 7
    assert [idle.name in line for line in table([idle, other, own])][:2] == [False, True]


def test_a_further_byte_costs_the_difference_of_two_sizes(tmp_path: Path) -> None:
    store = tmp_path / "x.duckdb"
    store.write_bytes(b"x" * 100)
    longer = replace(subject("longer", 300), longer_than="shorter", store=store)
    costs = {"shorter": [Cost(2.0, 3.0, 1)], "longer": [Cost(4.0, 9.0, 1)]}
    found = results([subject("shorter", 100), longer], costs)
    assert (found[1].further_s, found[1].further_cpu_s) == (1e6, 3e6)
    assert found[1].stored_share == pytest.approx(1 / 3)
    assert (found[0].further_s, found[0].stored_share) == (None, None)


@pytest.mark.parametrize("kind", sorted(logs.KINDS))
def test_a_log_is_the_same_each_time_and_of_the_size_asked_for(kind: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        logs.write(kind, tmp_path / name, 200_000)
    content = (tmp_path / "a").read_bytes()
    assert content == (tmp_path / "b").read_bytes()
    assert 200_000 <= len(content) < 300_000
    logs.write(kind, tmp_path / "c", 200_000, seed=1)
    assert content != (tmp_path / "c").read_bytes()


@needs_ripgrep
@pytest.mark.parametrize("kind", sorted(logs.KINDS))
def test_what_is_searched_for_is_there(kind: str, tmp_path: Path) -> None:
    logs.write(kind, tmp_path / "log", 50_000)
    assert cost_of(["rg", "-c", PATTERNS[kind], tmp_path / "log"]).wall_s > 0


@needs_ripgrep
@pytest.mark.slow
def test_benchmark_of_one_megabyte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = tmp_path / "history.jsonl"
    sizes = ["--mb", "1", "--large-mb", "2", "--small-mb", "0.05", "--small-files", "4", "--rounds", "1"]
    assert main([*sizes, "--folder", str(tmp_path / "logs"), "--history", str(history)]) == 0
    shown = capsys.readouterr().out
    kept = [json.loads(line) for line in history.read_text().splitlines()]
    assert {each["measured"] for each in kept} >= {f"{kind}: ingest" for kind in logs.KINDS}
    assert all(each["measured"] in shown for each in kept)
    assert str(tmp_path) not in history.read_text()


def test_results_are_appended(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    found = results([subject("idle")], {"idle": [Cost(1.0, 1.0, 1)]})
    keep(found, history, date(2026, 1, 2))
    keep(found, history, date(2026, 1, 3))
    assert [json.loads(line)["date"] for line in history.read_text().splitlines()] == ["2026-01-02", "2026-01-03"]
