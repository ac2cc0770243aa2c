"""Which tables must have rows for a statement to give any, as the statement itself shows.

A join has rows only where both its sides have some, a left join where its left side has, a union where one of its parts
has. To know that spares planning a statement that gives nothing, which is most of what an ingest of a small study does.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import duckdb

Needed = frozenset[frozenset[str]]
"""Sets of tables: where there are rows, one table of each set has some. Without a set, nothing is known."""

UNKNOWN: Needed = frozenset()
MOST_SETS = 12
"""Of a union: more tell hardly more."""

Tree = Mapping[str, Any]
"""A part of a statement as DuckDB's own parser gives it."""

BOTH_SIDES = frozenset({"INNER", "SEMI"})
LEFT_SIDE = frozenset({"LEFT", "ANTI", "SINGLE", "MARK"})


class Statements:
    """Reads statements as DuckDB's own parser does. `con`: has the macros that they call."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        kinds = "select function_name, list(distinct function_type) from duckdb_functions() group by function_name"
        self._rowwise = {name for name, kind in con.execute(kinds).fetchall() if kind == ["scalar"]}
        macros = "select function_name, macro_definition from duckdb_functions() where function_type = 'macro'"
        left = {name: self._tree(f"select {body}") for name, body in con.execute(macros).fetchall()}
        while found := [name for name, tree in left.items() if self._rowwise.issuperset(_functions(tree))]:
            self._rowwise.update(found)
            left = {name: tree for name, tree in left.items() if name not in self._rowwise}

    def needed_rows(self, statement: str, known: Mapping[str, Needed]) -> Needed:
        """The tables that must have rows. `known`: what relations need that the statement reads by name."""
        return self._of_node(self._tree(statement), known)

    def _tree(self, statement: str) -> Tree:
        (serialised,) = self._con.execute("select json_serialize_sql(?)", [statement]).fetchall()[0]
        parsed = json.loads(serialised)
        if parsed["error"]:
            raise ValueError(f"{parsed['error_message']}: {statement}")
        tree: Tree = parsed["statements"][0]["node"]
        return tree

    def _of_node(self, node: Tree, known: Mapping[str, Needed]) -> Needed:
        for each in (node.get("cte_map") or {}).get("map") or ():
            known = {**known, each["key"].lower(): self._of_node(each["value"]["query_node"], known)}
        if node["type"] == "SELECT_NODE":
            return UNKNOWN if self._gives_one_row(node) else self._of_source(node["from_table"], known)
        if node["type"] != "SET_OPERATION_NODE":
            return UNKNOWN
        parts = [self._of_node(each, known) for each in node["children"]]
        return _one_of(parts) if node["setop_type"].startswith("UNION") else parts[0]

    def _of_source(self, source: Tree, known: Mapping[str, Needed]) -> Needed:
        if source["type"] == "BASE_TABLE":
            schema, name = source.get("schema_name") or "main", source["table_name"].lower()
            return known.get(name, UNKNOWN) if schema == "main" else frozenset({frozenset({f"{schema}.{name}"})})
        if source["type"] == "SUBQUERY":
            return self._of_node(source["subquery"]["node"], known)
        if source["type"] != "JOIN" or source["ref_type"] == "POSITIONAL":
            return UNKNOWN
        left = self._of_source(source["left"], known)
        if source["join_type"] in BOTH_SIDES:
            return left | self._of_source(source["right"], known)
        return left if source["join_type"] in LEFT_SIDE else UNKNOWN

    def _gives_one_row(self, select: Tree) -> bool:
        """Whether a select may aggregate no rows to one: it has what may be an aggregate, and no groups."""
        sets = select.get("group_sets") or [[]]
        is_grouped = bool(select.get("group_expressions")) and all(sets)
        return not is_grouped and (
            select["aggregate_handling"] != "STANDARD_HANDLING"
            or bool(select.get("having"))
            or any(each not in self._rowwise for each in _functions(select["select_list"]))
        )


def _one_of(parts: Sequence[Needed]) -> Needed:
    """What is needed where one of some parts has rows."""
    return reduce(lambda one, other: _fewest(a | b for a in one for b in other), parts)


def _fewest(sets: Iterable[frozenset[str]]) -> Needed:
    """The smallest sets; those that hold another say nothing more."""
    kept: list[frozenset[str]] = []
    for each in sorted(set(sets), key=lambda names: (len(names), sorted(names))):
        if len(kept) < MOST_SETS and not any(smaller <= each for smaller in kept):
            kept.append(each)
    return frozenset(kept)


def _functions(tree: object) -> Iterator[str]:
    """The functions that expressions call, but for those of subqueries."""
    if isinstance(tree, list):
        for each in tree:
            yield from _functions(each)
    elif isinstance(tree, dict) and tree.get("class") != "SUBQUERY":
        if tree.get("class") == "FUNCTION":
            yield tree["function_name"].lower()
        for each in tree.values():
            yield from _functions(each)
