"""What page 1 leads with: from what times are counted, and that a difference that is not shown is unknown as one."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pipeline.ingest.ingest import ingest
from reports.findings.highlights import compared, further, governing_settings, lead
from reports.findings.holdings import holdings
from reports.study.store import opened
from reports.study.view import StudyView, statement
from reports.zero import starting_point
from tests.support import study_store


@pytest.mark.parametrize(
    ("sources", "start"),
    [
        pytest.param(["inactive series", "membership"], "the fault", id="nobody ordered it"),
        pytest.param(["take-over command"], "the take-over command", id="somebody did"),
        pytest.param(
            ["take-over command", "shutdown notice"], "the take-over command or the shutdown notice", id="in two ways"
        ),
        pytest.param(
            ["expired", "shutdown notice"], "the fault (in planned take-overs the shutdown notice)", id="some of them"
        ),
    ],
)
def test_times_are_counted_from_a_fault_only_where_there_was_one(sources: list[str], start: str) -> None:
    runs = [{"configuration": "a", "run": "1", "used": True, "fault_source": source} for source in sources]
    others = [
        {"configuration": "b", "run": "1", "used": True, "fault_source": "marker line"},
        {"configuration": "a", "run": "2", "used": False, "fault_source": "take-over command"},
    ]
    study = cast("StudyView", SimpleNamespace(failover_runs=[*runs, *others], rows=lambda _: []))
    assert starting_point(study, ["a"]) == start


def test_failovers_that_do_not_count_are_said_with_the_reason() -> None:
    runs = [{"used": False, "excluded_reason": "no line says why"}]
    study = cast("StudyView", SimpleNamespace(failover_runs=runs, rows=lambda _: []))
    assert [each.sentence for each in holdings(study)] == ["1 failover, set aside: no line says why."]


ONE_OF_EACH = "1 is shorter, 1 is longer, 1 is equal within the margin and 1 is undecided"


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        pytest.param("<<<<<<>>", "; compared with a, 6 are shorter and 2 are longer", id="a way none goes"),
        pytest.param("<>=?", f"; compared with a, {ONE_OF_EACH}", id="one of each"),
        pytest.param("==", "; compared with a, both are equal within the margin", id="all one way"),
        pytest.param("???", "; compared with a, no difference is shown", id="none decided"),
        pytest.param("", "", id="none"),
    ],
)
def test_ways_of_comparisons_are_counted(ways: str, said: str) -> None:
    ratios = {"<": 0.5, ">": 2.0, "=": 1.0, "?": 1.1}
    rows = [{"ratio": ratios[each], "is_different": each in "<>", "is_decided": each in "<>="} for each in ways]
    assert compared(rows, "a") == said


TWO: dict[str, Any] = {
    "configurations": {"default": study_store.DEFAULT, "tuned": study_store.TUNED},
    "labels": {},
    "references": {"default": "default", "tuned": "default"},
}
OUTAGE: dict[str, Any] = {"metric": "client_outage_s", "unit": "s", "label": None, "verdict": "as it is"}


def test_the_only_comparison_is_the_result(make_store: Callable[..., Path]) -> None:
    with opened(make_store(**TWO)) as store:
        (found,) = lead(StudyView(store))
    # `complete` comes after 61 and 40 s, and in ten runs later by 1, 2, 0, 1, ... 1 s: by 1.0 s on average
    assert found.subject == "tuned against default"
    assert found.sentence.startswith("crash recovery is complete 41.0 s after the fault instead of 62.0 s, 33.9 % less")
    assert found.sentence.endswith("; means of 10 runs each.")


def test_of_several_comparisons_the_range_and_the_ways_are_the_result(make_store: Callable[..., Path]) -> None:
    with opened(make_store()) as store:
        (found,) = lead(StudyView(store))
    assert found.sentence == (
        "means from 20.0 s (instance pre-started) to 62.0 s (default parameters), from the fault until crash recovery "
        "is complete; compared with their references, both are shorter."
    )


def test_a_difference_that_is_not_shown_is_reported_as_a_ratio_with_its_interval(
    make_store: Callable[..., Path],
) -> None:
    with opened(make_store(**TWO)) as store:
        study = StudyView(store)
        verdict = "no difference shown; differences above 6.0 % are ruled out"
        rows: list[dict[str, Any]] = [
            row | {"ratio": 1.02, "ratio_ci95_low": 0.98, "ratio_ci95_high": 1.06, "verdict": verdict}
            for row in study.rows("changes")
        ]
        study._read[(statement("changes"),)] = rows
        (found,) = lead(study)
    assert f", a ratio of 1.020 (95 % CI 0.980 to 1.060): {verdict};" in found.sentence


def test_outage_of_clients_is_beside_the_time_to_recovery(make_store: Callable[..., Path]) -> None:
    with opened(make_store(**TWO)) as store:
        study = StudyView(store)
        study.workload_stats = [
            OUTAGE
            | {
                "configuration": "tuned",
                "runs": 10,
                "reference_runs": 10,
                "mean": 20.0,
                "relative_ratio": 0.5,
                "ratio_low": 0.4,
                "ratio_high": 0.6,
                "verdict": "50.0 % less (95 % CI 40.0 to 60.0 %)",
            }
        ]
        (found,) = further(study)
    effect = "50.0 % less (95 % CI 40.0 to 60.0 %)"
    assert found.sentence == f"outage of the clients 20.0 instead of 40.0 s, {effect}, over 10 runs."


def test_of_many_measured_comparisons_the_range_and_the_count_are_named(make_store: Callable[..., Path]) -> None:
    times = {f"c{place}": {**study_store.DEFAULT, "complete": 61 + place} for place in range(8)}
    references = dict.fromkeys(times, "c0")
    with opened(make_store(configurations=times, labels={}, references=references)) as store:
        study = StudyView(store)
        changes = study.end_changes
        ratios = [0.5, 0.6, 0.7, 1.0, 1.3, 1.4, 1.5]
        study.workload_stats = [
            OUTAGE
            | {
                "configuration": row["configuration"],
                "runs": row["runs"],
                "reference_runs": row["runs"],
                "mean": 40.04 * ratio,
                "relative_ratio": ratio,
                "ratio_low": ratio - 0.1,
                "ratio_high": ratio + 0.1,
                "is_different": ratio != 1.0,
                "is_decided": ratio != 1.0,
            }
            for row, ratio in zip(changes, ratios, strict=True)
        ]
        (found,) = further(study)
    low, high = (changes[place]["configuration"] for place in (0, -1))
    went = "compared with c0, 3 are lower, 3 are higher and 1 is undecided"
    assert found.subject == "Outage of the clients"
    assert found.sentence == f"means from 20.0 s ({low}) to 60.1 s ({high}); {went}."


def test_a_single_run_is_no_average(tmp_path: Path) -> None:
    place = tmp_path / "study" / "only" / "run01"
    place.mkdir(parents=True)
    (place / "summary.csv").write_text("duration_s,tps\n30,100\n")
    ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
    with opened(tmp_path / "haledger.duckdb") as store:
        (found,) = lead(StudyView(store))
    assert found.sentence == "100 transactions per second, over 1 run."


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        (
            12,
            "transactions per second fell by 100 % without a known event, none for up to 12 s, back at 90 %",
        ),
        (0, "1000 transactions per second"),
    ],
)
def test_no_mean_leads_where_the_rate_stopped(tmp_path: Path, stop: int, said: str) -> None:
    rates = [*[1000 + each % 7 - 3 for each in range(42)], *[0] * stop, *[1000 + each % 7 - 3 for each in range(42)]]
    lines = [
        f"[ {n}s ] thds: 8 tps: {each}.00 qps: {20 * each}.00 (r/w/o: 0/0/0) lat (ms,95%): 9.10"
        for n, each in enumerate(rates, 1)
    ]
    mean = sum(rates) / len(rates)
    ends = [
        "SQL statistics:",
        f"    transactions: {sum(rates)} ({mean:.2f} per sec.)",
        "Latency (ms):",
        "     avg:  8.00",
    ]
    (tmp_path / "sysbench.txt").write_text("\n".join([*lines, *ends, ""]), encoding="utf-8")
    ingest(tmp_path, tmp_path / "store.duckdb")
    with opened(tmp_path / "store.duckdb") as study:
        (first,) = lead(StudyView(study))
        assert first.sentence.startswith(said)


def test_of_comparisons_with_different_references_each_is_told(tmp_path: Path) -> None:
    for configuration, rates in {"plain": (100, 101, 102), "copied": (90, 91, 92), "tuned": (95, 96, 97)}.items():
        for run, rate in enumerate(rates, start=1):
            place = tmp_path / "study" / configuration / f"run{run:02d}"
            place.mkdir(parents=True)
            (place / "summary.csv").write_text(f"duration_s,tps\n30,{rate}\n")
    references = '[configuration.copied]\nreference = "plain"\n[configuration.tuned]\nreference = "copied"\n'
    (tmp_path / "study" / "study.toml").write_text(references)
    ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
    with opened(tmp_path / "haledger.duckdb") as store:
        study = StudyView(store)
        found = {each.subject: each.sentence for each in (*lead(study), *further(study))}
    assert found["copied against plain"].startswith("91 instead of 101 transactions per second, 9.9 % less")
    assert found["tuned against copied"].startswith("96 instead of 91 transactions per second, 5.5 % more")


def test_loads_of_one_configuration_are_distinguished(tmp_path: Path) -> None:
    for run, rates in enumerate([(100, 190), (102, 194)], start=1):
        place = tmp_path / "study" / "only" / f"run{run:02d}"
        place.mkdir(parents=True)
        rows = "".join(f"30,{clients},{rate}\n" for clients, rate in zip((4, 8), rates, strict=True))
        (place / "summary.csv").write_text(f"duration_s,clients,tps\n{rows}")
    ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
    with opened(tmp_path / "haledger.duckdb") as store:
        (found,) = lead(StudyView(store))
    assert found.sentence == "means from 101 (only, 4 clients) to 192 (only, 8 clients)."


def test_step_that_takes_most_of_the_time_is_named_with_its_setting() -> None:
    step, settings = "from the fault until a sentinel takes the leader for down", "down-after-milliseconds of Sentinel"
    rows = [
        {"configuration": name, "step": step, "settings": settings, "mean_s": mean_s, "total_s": total_s}
        for name, mean_s, total_s in (("5s", 5.30, 5.96), ("1s", 1.31, 1.90))
    ]
    both = SimpleNamespace(rows=lambda *_: rows, configurations=["5s", "1s"], label_inside=str.upper)
    (found,) = governing_settings(cast("StudyView", both))
    assert found.configurations == ("5s", "1s")
    assert found.sentence == (
        f"89 % (5S) and 69 % (1S) pass {step}; lower values of {settings} shorten it, "
        "but a slow node then counts as lost sooner."
    )
    none = SimpleNamespace(rows=lambda *_: [], configurations=["5s"], label_inside=str)
    assert governing_settings(cast("StudyView", none)) == []


def test_several_steps_that_take_most_of_the_time_do_not_begin_alike() -> None:
    rows = [
        {"configuration": name, "step": step, "settings": settings, "mean_s": mean_s, "total_s": total_s}
        for name, step, settings, mean_s, total_s in (
            ("ttl", "until a replica misses the leader", "ttl", 19.04, 19.22),
            ("5s", "until a sentinel takes the leader for down", "down-after-milliseconds", 5.30, 5.96),
            ("1s", "until a sentinel takes the leader for down", "down-after-milliseconds", 1.31, 1.90),
        )
    ]
    study = SimpleNamespace(rows=lambda *_: rows, configurations=["ttl", "5s", "1s"], label=str.upper)
    first, second = governing_settings(cast("StudyView", study))
    assert (first.subject, second.subject) == ("TTL", "5S, 1S")
    assert first.sentence == (
        "most of the time (99 %) passes until a replica misses the leader; lower values of ttl shorten it, "
        "but a slow node then counts as lost sooner."
    )
    assert second.sentence == (
        "most of the time (89 % and 69 %) passes until a sentinel takes the leader for down; "
        "lower values of down-after-milliseconds shorten it, at the same price."
    )
