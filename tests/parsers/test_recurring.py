"""Whether texts recur: at most half of the first thousand are different."""

import polars as pl
import pytest

from parsers.recurring import recur


@pytest.mark.parametrize(("different", "does"), [(1, True), (500, True), (501, False), (1000, False)])
def test_half_of_a_thousand_may_be_different(different: int, *, does: bool) -> None:
    texts = pl.Series([f"host{number % different}" for number in range(1000)] + ["rest"] * 1000)
    assert recur(texts) == does
