"""Runs to add to a comparison, in words."""

from collections.abc import Mapping
from typing import Any

from pipeline.ask.compare.runs import MOST, RunsToAdd


def needed_words(row: Mapping[str, Any], to_add: RunsToAdd, margin_pct: float | None) -> str:  # values of any column
    """How many more runs would make a row of the relation `comparison` clear, in words; empty where it is clear."""
    if row["is_decided"]:
        return ""
    if row["ratio_ci95_low"] is None:
        missing = max(0, 3 - min(row["runs"], row["reference_runs"]))
        return f"{missing} more for an interval" if missing else "none: no ratio"
    wanted = []
    if to_add.to_show is not None:
        wanted.append(f"{to_add.to_show} more to show the difference seen")
    if to_add.to_equal is not None and margin_pct is not None:
        wanted.append(f"{to_add.to_equal} more to show equality within {margin_pct:g} %")
    if not wanted and row["stddev"] == row["reference_stddev"] == 0:
        return "none would help: the logs print too few decimals"
    return "; ".join(wanted) or f"more than {MOST}: too small to detect"
