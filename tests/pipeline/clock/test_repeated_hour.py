import polars as pl
import pytest

from pipeline.clock.repeated_hour import second_hours

MINUTE = 60_000_000
HOUR = 60 * MINUTE


@pytest.mark.parametrize(
    ("lines", "others", "expected"),
    [
        pytest.param([0, 25], [59, 60, 61, 85], [True, True], id="others go on in the second hour"),
        pytest.param([50, 55], [45, 50, 55, 90], [False, False], id="others are there in the first"),
        pytest.param([10, 25], [10, 85], [False, True], id="one of each"),
        pytest.param([10, 15, 25], [10, 85], [False, None, True], id="between the hours nobody knows"),
        pytest.param([0, 25, 26], [60], [True, True, True], id="what follows the second hour is of it"),
        pytest.param([10, 25], [25, 70], [None, None], id="against the order of lines"),
        pytest.param([10], [10, 70], [None], id="near both"),
        pytest.param([10], [300], [None], id="near none"),
        pytest.param([20, 25], [20, 26.2, 81.2, 85], [False, True], id="much nearer to one"),
        pytest.param([10], [10.9, 71.1], [None], id="about as near to both"),
    ],
)
def test_lines_are_of_the_hour_in_which_other_logs_go_on(
    lines: list[float], others: list[float], expected: list[bool | None]
) -> None:
    """Minutes after the hour comes for the first time."""
    at_us, sure = (
        pl.Series([round(each * MINUTE) for each in minutes], dtype=pl.Int64()) for minutes in (lines, others)
    )
    assert second_hours(at_us, sure, HOUR) == expected
