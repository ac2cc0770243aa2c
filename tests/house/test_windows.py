"""No window gives a text or a list of a whole group back to each of its rows: that takes the square of the group."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GATHERING = {"join", "implode", "concat"}
SQL = re.compile(r"\b(?:string_agg|array_agg|list|histogram)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*over\b", re.IGNORECASE)


def _chain(node: ast.expr) -> Iterator[str]:
    """The methods that are called one after the other, the last first."""
    while isinstance(node, ast.Call | ast.Attribute):
        if isinstance(node, ast.Attribute):
            yield node.attr
            node = node.value
        else:
            node = node.func


def _faults(source: str) -> list[int]:
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    windows = (node for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "over")
    return [node.lineno for node in windows if GATHERING & set(_chain(node))]


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ('pl.col("a").str.join(",").over("b")', [1]),
        ('pl.col("a").implode().over("b")', [1]),
        ('pl.col("a").sum().over("b")', []),
        ('frame.group_by("b").agg(pl.col("a").str.join(","))', []),
    ],
)
def test_a_gathering_window_is_found(source: str, faults: list[int]) -> None:
    assert _faults(source) == faults


def test_no_window_gathers_texts_or_lists() -> None:
    files = [path for folder in ("parsers", "pipeline") for path in sorted((ROOT / folder).rglob("*.py"))]
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in _faults(path.read_text())]
    statements = sorted((ROOT / "pipeline" / "sql").rglob("*.sql"))
    assert found + [str(path.relative_to(ROOT)) for path in statements if SQL.search(path.read_text())] == []
