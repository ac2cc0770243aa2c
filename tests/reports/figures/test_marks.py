"""What marks of figures say."""

import pytest

from reports.figures import marks


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param({"run_no": 2, "run": "run2"}, {"run_no": 10, "run": "run10"}, id="by number, not by text"),
        pytest.param({"run_no": None, "run": "a"}, {"run_no": None, "run": "b"}, id="without numbers by name"),
    ],
)
def test_runs_are_in_their_order(first: dict[str, object], second: dict[str, object]) -> None:
    assert marks.place_of(first) < marks.place_of(second)


def test_a_value_names_its_line_where_it_has_one() -> None:
    assert marks.line_of({"path": "a/b.log", "line_no": 7}) == ", a/b.log:7"
    assert marks.line_of({"path": None, "line_no": None}) == ""


def test_a_phase_of_less_than_half_of_the_runs_is_rare() -> None:
    assert [marks.is_rare({"runs": runs}, 11) for runs in (1, 5, 6, 11)] == [True, True, False, False]
