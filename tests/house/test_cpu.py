import tomllib

import pytest

from tests.cpu import BUDGET as FILE
from tests.cpu import TESTS, folder_of, is_loaded, is_steady, over_budget, written

BUDGET: dict[str, object] = {"loop_s": 0.1, "folders": {"tests/a": 100.0, "tests/b": 1.0}}


@pytest.mark.parametrize(
    ("seconds", "loop_s", "is_over"),
    [
        pytest.param(119, 0.1, False, id="a fifth more is allowed"),
        pytest.param(121, 0.1, True, id="over a fifth more is not"),
        pytest.param(230, 0.2, False, id="a machine of half the speed needs twice the time"),
        pytest.param(70, 0.05, True, id="and one of twice the speed half of it"),
    ],
)
def test_a_folder_may_need_a_fifth_more_than_its_budget(seconds: float, loop_s: float, *, is_over: bool) -> None:
    assert bool(over_budget({"tests/a": seconds}, loop_s, BUDGET)) == is_over


def test_a_small_folder_is_not_measured_that_sharply() -> None:
    assert over_budget({"tests/b": 3.9}, 0.1, BUDGET) == []
    assert over_budget({"tests/b": 4.1}, 0.1, BUDGET) != []


def test_each_process_may_spend_imports_in_any_folder() -> None:
    assert over_budget({"tests/b": 6.9}, 0.1, BUDGET, processes=2) == []


@pytest.mark.parametrize(
    ("factors", "over"),
    [
        pytest.param([1.5, 1.5, 1.5, 1.5, 1.5], [], id="all of them: the machine"),
        pytest.param([1.4, 1.5, 1.6, 1.5, 2.0], ["tests/4"], id="one stands out"),
        pytest.param([0.5, 0.5, 0.5, 0.5, 1.1], [], id="a fast machine allows no folder less than its budget"),
    ],
)
def test_a_folder_is_measured_by_the_others_too(factors: list[float], over: list[str]) -> None:
    """A machine may be slower for tests than for the loop."""
    budget: dict[str, object] = {"loop_s": 0.1, "folders": {f"tests/{name}": 50.0 for name in range(5)}}
    seconds = {f"tests/{name}": 50.0 * factor for name, factor in enumerate(factors)}
    assert [each.split()[0] for each in over_budget(seconds, 0.1, budget)] == over


def test_every_folder_of_fast_tests_has_a_budget() -> None:
    """`make budget` writes it; a new folder may be given what its tests need by hand."""
    budget = tomllib.loads(FILE.read_text(encoding="utf-8"))["folders"]
    folders = {folder_of(path) for path in TESTS.rglob("test_*.py")}
    assert {each for each in folders if not each.startswith("tests/campaign")} - set(budget) == set()


def test_a_folder_without_a_budget_is_named() -> None:
    (found,) = over_budget({"tests/new": 1.0}, 0.1, BUDGET)
    assert "tests/new has no budget" in found


@pytest.mark.parametrize(
    ("loops", "expected"),
    [
        pytest.param([0.10, 0.105, 0.11, 0.10, 0.11], True, id="a tenth apart"),
        pytest.param([0.10, 0.10, 0.10, 0.10, 0.30], True, id="one was disturbed"),
        pytest.param([0.10, 0.10, 0.12, 0.14, 0.14], False, id="other work came and went"),
        pytest.param([0.10, 0.30], True, id="too few to tell"),
    ],
)
def test_a_machine_that_did_other_work_is_not_steady(loops: list[float], *, expected: bool) -> None:
    assert is_steady(loops) == expected


def test_what_is_written_is_read_again() -> None:
    assert tomllib.loads(written({"tests/a": 100.04, "tests/b": 1.0}, 0.1)) == BUDGET


def test_a_machine_with_many_waiting_processes_is_no_measure() -> None:
    assert not is_loaded(3.9, 2)
    assert is_loaded(12.0, 2)
    assert not is_loaded(12.0, 8)
