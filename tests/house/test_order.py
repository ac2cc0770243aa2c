"""A sum of doubles depends on the order of the numbers: each of ours has one."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.store import relations
from tests.support.hand_made import Ledger

REPORTS = Path(__file__).parents[2] / "reports"
OF_DOUBLES = {
    *("avg", "mean", "favg", "fsum", "kahan_sum", "sumkahan", "product", "geomean", "corr"),
    *("stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop", "covar_samp", "covar_pop"),
    *("regr_slope", "regr_intercept", "regr_r2", "regr_sxx", "regr_syy", "regr_sxy", "regr_avgx", "regr_avgy"),
}
Node = dict[str, Any]  # JSON


def without_order(tree: object) -> Iterator[Node]:
    """Aggregates and windows of a statement that say nothing of the order of rows."""
    if isinstance(tree, dict):
        is_ordered = tree.get("orders") or (tree.get("order_bys") or {}).get("orders")
        if tree.get("class") in {"FUNCTION", "WINDOW"} and not is_ordered:
            yield tree
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from without_order(part)


def parsed(con: duckdb.DuckDBPyConnection, sql: str) -> object:
    row = con.execute("select json_serialize_sql(?::varchar)", [sql]).fetchone()
    assert row is not None
    return json.loads(row[0])


def test_means_and_deviations_have_an_order() -> None:
    con = duckdb.connect()
    statements = {each.name: each.sql for each in relations.catalogue()}
    statements |= {each.stem: each.read_text(encoding="utf-8") for each in sorted(REPORTS.rglob("*.sql"))}
    found = {
        f"{name}: {node['function_name']}"
        for name, sql in statements.items()
        for node in without_order(parsed(con, sql))
        if node["function_name"] in OF_DOUBLES
    }
    assert found == set()


def test_a_sum_without_an_order_is_of_whole_numbers() -> None:
    con = Ledger().build()
    failed = []
    for relation in relations.catalogue():
        tree = parsed(con, relation.sql)
        sums = [node for node in without_order(tree) if node["function_name"] == "sum"]
        for node in sums:
            node["function_name"] = "bit_xor"  # takes whole numbers alone
        if not sums:
            continue
        try:
            con.execute(f"create or replace temp view tried as {_text(con, tree)}")
        except duckdb.BinderException as error:
            failed.append(f"{relation.name}: {error}")
    assert failed == []


def _text(con: duckdb.DuckDBPyConnection, tree: object) -> str:
    row = con.execute("select json_deserialize_sql(?::json)", [json.dumps(tree)]).fetchone()
    assert row is not None
    return str(row[0])


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
    nodes = ast.walk(ast.parse(source)) if ".over(" in source else ()
    calls = (node for node in nodes if isinstance(node, ast.Call))
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
