"""The interval of an inferred fault time holds the true time, no matter what timers nobody wrote down."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Final

import pytest

from tests.support.failover_logs import (
    CRASH,
    MAIN_CF,
    Silence,
    SilentFailover,
    Store,
    ingested,
    write,
    write_run,
)

PEERINACT = (4, 9, 16, 32)
RUNS = 3
EXPIRED: Final = frozenset({"expired"})
PROOF: Final = frozenset({"inactive", "expired"})
EVIDENCE: Final[dict[str, Callable[[int], frozenset[str]]]] = {
    "expired": lambda run: EXPIRED,  # noqa: ARG005 - the same in every run
    "membership": lambda run: frozenset(),  # noqa: ARG005 - the same in every run
    "proved": lambda run: PROOF if run == 1 else EXPIRED,
    "proved-membership": lambda run: PROOF if run == 1 else frozenset(),
    "mixed": lambda run: PROOF if run % 2 else EXPIRED,
    "trouble": lambda run: frozenset({"trouble", "expired"}) if run == 1 else EXPIRED,
}
"""Which lines of LLT a run has: those of a proof say how long the timer is."""

Truth = dict[tuple[str, str], datetime]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Truth]:
    """Crashes of clusters with timers of 4 to 32 s, none of which a file specifies."""
    random, truth = Random(31), dict[tuple[str, str], datetime]()  # noqa: S311 - repeatable logs
    study = tmp_path_factory.mktemp("timers") / "study"
    for peerinact_s in PEERINACT:
        for name, shows in EVIDENCE.items():
            configuration, tick_s, is_fixed = f"{name}-{peerinact_s}", random.random(), random.random() < 0.5
            stable_s = random.choice((2, 5, 8))
            write(study / configuration / "main.cf", MAIN_CF)
            for run in range(1, RUNS + 1):
                heard_s, own_s = -random.uniform(0, 0.5), random.random()
                is_early = random.random() < 0.2
                silence = Silence(peerinact_s, stable_s, heard_s, tick_s if is_fixed else own_s, is_early, shows(run))
                crash = CRASH + timedelta(days=run, seconds=random.uniform(0, 3600))
                write_run(study / configuration / f"run{run:02d}", SilentFailover(crash=crash, silence=silence))
                truth[configuration, f"run{run:02d}"] = crash
    return ingested(study), truth


def _widths(found: Store, name: str, runs: str = "true") -> list[float]:
    query = (
        "select (epoch_us(fault_at_high) - epoch_us(fault_at_low)) / 1e6 from run "
        f"where regexp_matches(configuration, '^{name}-[0-9]+$') and {runs} order by 1"
    )
    return [width for (width,) in found.rows(query)]


def test_every_interval_holds_the_truth(studies: tuple[Store, Truth]) -> None:
    found, truth = studies
    rows = found.rows("select configuration, run, fault_at_low, fault_at_high from run")
    assert {(configuration, run) for configuration, run, _, _ in rows} == truth.keys()
    missed = [row for row in rows if not row[2] <= truth[row[0], row[1]] <= row[3]]
    assert len(missed) <= 0.05 * len(rows), missed
    others = found.rows("select configuration, run, source, low_at, high_at from fault_estimate")
    missed = [row for row in others if not row[3] <= truth[row[0], row[1]] <= row[4]]
    assert len(missed) <= 0.05 * len(others), missed


def test_unknown_timer_gives_a_wide_interval_and_a_known_one_a_narrow(studies: tuple[Store, Truth]) -> None:
    found, _ = studies
    assert min(_widths(found, "expired")) > 30
    assert min(_widths(found, "membership")) > 30
    # silence that a line counts needs no timer
    assert max(_widths(found, "proved", "run = 'run01'")) <= 2.5
    assert max(_widths(found, "proved", "run <> 'run01'")) < 7
    assert max(_widths(found, "mixed", "run = 'run02'")) < 7
    assert max(_widths(found, "proved-membership", "run <> 'run01'")) < 11


def test_what_all_runs_share_is_kept_apart(studies: tuple[Store, Truth]) -> None:
    found, _ = studies
    query = "select fault_common_error_s, fault_common_cause from run where configuration = ? and run = 'run02'"
    error_s, cause = found.one(query, "expired-16")
    assert error_s >= 15
    assert cause == "expired timer assumed, expired-16"
    error_s, cause = found.one(query, "proved-16")
    assert 1 <= error_s < 3.3
    assert cause == "expired timer inferred, proved-16"
    (error_s, cause), *_ = found.rows(query.replace("run02", "run01"), "proved-16")
    assert error_s == 0.5  # half of a count of seconds
    assert cause == "LLT tick, proved-16"


def test_finding_says_which_run_shows_the_timer(studies: tuple[Store, Truth]) -> None:
    found, _ = studies
    query = "select kind, text from finding where kind in ('inferred_timer', 'assumed_timer') and configuration = ?"
    ((kind, text),) = found.rows(query, "proved-16")
    assert kind == "inferred_timer"
    assert text.startswith("The fault time of 2 runs of `proved-16` rests on a timer inferred from run01: peerinact, ")
    line = found.one(
        "select event.text from finding inner join event using (file_id, line_no) "
        "where finding.kind = 'inferred_timer' and finding.configuration = ? limit 1",
        "proved-16",
    )
    assert "expired" in line[0]
    ((kind, text),) = found.rows(query, "expired-16")
    assert kind == "assumed_timer"
    assert "known to 33.5 s: it rests on a timer" in text
    assert found.rows("select distinct kind from finding where kind = 'fault_disagreement'") == []


def test_inferred_timer_holds_the_true_one(studies: tuple[Store, Truth]) -> None:
    found, _ = studies
    rows = found.rows("select configuration, low_s, high_s from inferred_timer where timer = 'peerinact'")
    assert len(rows) >= 3 * len(PEERINACT)
    for configuration, low_s, high_s in rows:
        assert low_s <= int(configuration.rsplit("-", 1)[1]) <= high_s, configuration
