import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.division import divided


@given(st.lists(st.integers(-(10**15), 10**15) | st.none(), min_size=1, max_size=40))
@pytest.mark.parametrize("by", [1e9, 1e6, 1000, 60, 7])
def test_a_quotient_is_that_of_each_number_alone(by: float, numbers: list[int | None]) -> None:
    frame = pl.DataFrame({"x": numbers}, schema={"x": pl.Int64})
    expected = [None if each is None else each / by for each in numbers]
    assert frame.select(divided(pl.col("x"), by)).to_series().to_list() == expected
    assert frame.lazy().select(divided(pl.col("x"), by)).collect().to_series().to_list() == expected
