"""Whether texts of a column recur from row to row, so that each different one is worth looking at once."""

import polars as pl

SAMPLE = 1000
"""Texts that are looked at to tell."""


def recur(texts: pl.Series) -> bool:
    """Whether at most every second text differs from all others, as names of hosts do."""
    return texts.head(SAMPLE).n_unique() <= SAMPLE // 2
