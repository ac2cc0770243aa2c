"""What became of every run: known outcomes in two stacks, found with the line that says so, and never averaged in silence."""


import pytest

from tests.robustness.failover_logs import Store, ingested
from tests.robustness.outcome_logs import SCENARIOS, WRITERS, write_outcomes

PLAN = [*["healthy"] * 3, *SCENARIOS, *SCENARIOS, *SCENARIOS]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Sixty runs: both stacks, every outcome three times."""
    study = tmp_path_factory.mktemp("outcomes") / "outcomes"
    for stack in WRITERS:
        write_outcomes(study / stack, stack, PLAN)
    return ingested(study)


@pytest.mark.parametrize("stack", WRITERS)
def test_every_run_is_reported_as_what_it_is(outcomes: Store, stack: str) -> None:
    found = dict(outcomes.rows("select run, outcome from run_outcome where configuration = ?", stack))
    assert found == {f"run{number:02d}": SCENARIOS[each] for number, each in enumerate(PLAN, 1)}
