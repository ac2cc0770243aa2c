"""Names beside a plot stand apart from each other and as near to what they name as can be."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.figures.measured.against import spread

HEIGHTS = st.lists(st.floats(0, 100), min_size=1, max_size=12).map(sorted)


@pytest.mark.parametrize(
    ("heights", "found"),
    [
        pytest.param([2.0, 8.0], [2.0, 8.0], id="far enough"),
        pytest.param([5.0, 5.0], [4.5, 5.5], id="both give half of the way"),
        pytest.param([4.0, 5.0, 5.0], [11 / 3, 14 / 3, 17 / 3], id="neighbours give way too"),
        pytest.param([0.0, 0.0], [0.0, 1.0], id="none below zero"),
    ],
)
def test_hand_worked_cases(heights: list[float], found: list[float]) -> None:
    assert spread(heights, 1.0) == pytest.approx(found)


@given(HEIGHTS, st.floats(0.1, 10))
def test_heights_are_apart_and_none_is_below_zero(heights: list[float], room: float) -> None:
    found = spread(heights, room)
    assert len(found) == len(heights)
    assert found[0] >= 0
    assert all(other - one >= room - 1e-9 for one, other in pairwise(found))


@given(HEIGHTS)
def test_heights_that_are_far_enough_stay(heights: list[float]) -> None:
    apart = [height + 2.0 * place for place, height in enumerate(heights)]
    assert spread(apart, 1.0) == pytest.approx(apart)
