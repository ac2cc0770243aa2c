import pytest

from tests.cpu import is_steady, over_budget, written

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
    import tomllib

    assert tomllib.loads(written({"tests/a": 100.04, "tests/b": 1.0}, 0.1)) == BUDGET
