"""The benchmark measures what it says, and what it keeps shows nothing of the machine."""

import json
import re
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bench import logs
from bench.__main__ import main
from bench.growth.facts import cpu_s, labs
from bench.growth.patterns import Pattern, patterns, slow
from bench.processes import Cost, cost_of
from bench.results import cores, keep, results, table
from bench.subjects import PATTERNS, Subject

needs_ripgrep = pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")


def subject(name: str, size: int = 0, start_up: str | None = None, against: str | None = None) -> Subject:
    return Subject(name, lambda: Cost(0, 0, 0), size, start_up, against)


def test_costs_are_held_to_those_of_others_and_of_the_last_time(tmp_path: Path) -> None:
    (tmp_path / "store").write_bytes(b"x" * 100)
    subjects = [
        *(subject("idle"), subject("other", 100, "idle"), subject("own", 200, "idle", "other")),
        replace(subject("longer", 400, "idle"), longer_than="own", store=tmp_path / "store"),
    ]
    seconds = {"idle": [1.0], "other": [3.0, 9.0, 2.0], "own": [9.0], "longer": [33.0]}
    costs = {name: [Cost(2.0, each, 7) for each in runs] for name, runs in seconds.items()}
    last = {"measured": "own", "bytes": 200, "cores": cores(), "cpu_s": 6.0}
    idle, other, own, longer = results(subjects, costs, [last | {"cpu_s": 1.0}, last, last | {"cores": 99}])
    assert (idle.net_s, other.net_s, own.net_s) == (1.0, 2.0, 8.0)
    assert (idle.ratio, other.ratio, own.ratio) == (None, None, 2.0)
    assert (own.rise, other.rise, own.peak_mib) == (1.5, None, 7)
    assert (longer.further_s, longer.exponent, longer.stored_share) == (12e6, 2.0, 0.25)
    assert [line.startswith("own") and " 1.50 !" in line for line in table([idle, own])] == [False, False, True, False]


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


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"(?P<command>\S.*?)\s*$", id="a text to its last word"),
        pytest.param(r"(?:\S*[~/]\S*|)\s*(?:\S+ )?[>$#%] ", id="cubic: a path in a word"),
        pytest.param(r"gabconfig\s*;?\s*(?:#.*)?", id="blanks that two repeats can take"),
    ],
)
def test_the_probe_finds_a_pattern_that_is_not_linear(pattern: str) -> None:
    assert slow(Pattern("here", re.compile(pattern), is_searched=False)) is not None


def test_every_pattern_of_python_in_the_parsers_is_linear() -> None:
    found = patterns()
    assert len(found) > 150
    assert [str(text) for each in found if (text := slow(each)) is not None] == []


def test_places_clocks_and_accounts_take_as_long_for_each_file_of_many() -> None:
    for few, many in zip(labs([1_000]), labs([8_000]), strict=True):
        least = [min(cpu_s(each) for _ in range(3)) for each in (few, many)]
        assert least[1] < 12 * least[0], (many.name, least)  # 64 times where each file looks at all others
