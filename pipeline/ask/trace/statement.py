"""The rows of relations behind each cell of a statement's result, found by DuckDB itself.

The statement is parsed, and each relation that it reads gets one more column, with relation and key of the row. Joins
put these together, groups collect them, filters leave them out, so that each row of the result carries the rows that
it was made from. An aggregate of a condition (`max(x) filter (where y)`, `max(case when y then x end)`) carries those
that fulfil it, a window function those of its partition. Only relations that the columns asked about are computed from
get the column. What cannot be followed so raises UntraceableError.
"""

import copy
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb

from pipeline.ask.trace.source import Asked, Key, Origin, Source, key_of
from pipeline.errors import HaledgerError
from pipeline.query.bounded import STUDY_LIMITS
from pipeline.query.sandbox import ended_after
from pipeline.store.relations import columns_of
from pipeline.store.store import literal, quoted

Node = dict[str, Any]  # a node of DuckDB's syntax tree, as its JSON has it
Columns = tuple[tuple[str, str], ...]  # relation and column
Item = tuple[str, Key]  # relation and key of a row

MARK: Final = "__lineage"
LOOKED_UP: Final = frozenset({"configuration_order", "milestone_order", "run", "source_file", "recovery_step"})
"""Relations that statements join for labels, order, filters and places; a count counts rows of the others."""

NONE: Final = "[]::varchar[][]"
MOST_ROWS: Final = 100_000


class UntraceableError(HaledgerError):
    """A statement whose result cannot be led back to rows of relations; the message says why."""


@dataclass(slots=True)
class _Shape:
    """What a select gives: by column, what it is computed from, and whether it is that column itself."""

    columns: dict[str, Columns] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)
    doubtful: dict[str, str] = field(default_factory=dict)  # columns that cannot be traced, with the reason
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Followed:
    """A statement with the rows behind each row of its result, by column; the column without a name: behind all.

    No rows where none that matter can be behind any.
    """

    shape: _Shape
    keys: Mapping[str, tuple[str, ...]]
    rows: tuple[Mapping[str, tuple[Item, ...]], ...]

    def sources(self, origin: Origin) -> tuple[Source, ...] | UntraceableError:
        """The sources of a cell, or the reason why it has none."""
        names = [name for name in origin.columns if name in self.shape.columns]
        for name in names:
            if name in self.shape.doubtful:
                return UntraceableError(self.shape.doubtful[name])
        if not self.rows:
            return ()
        used: dict[str, dict[str, None]] = {}
        for relation, column in (each for name in names for each in self.shape.columns[name]):
            used.setdefault(relation, {})[column] = None
        places = range(len(self.rows)) if origin.place is None else [origin.place]
        name = names[0] if names else ""
        found: dict[str, dict[Key, None]] = {}
        for relation, key in (item for each in places for item in self.rows[each].get(name) or self.rows[each][""]):
            if relation in used or not used:
                found.setdefault(relation, {})[key] = None
        if found.keys() - LOOKED_UP:  # what was only looked up is not what the value was computed from
            found = {relation: rows for relation, rows in found.items() if relation not in LOOKED_UP}
        is_computed = not names or names[0] not in self.shape.plain
        return tuple(
            Source(relation, self.keys[relation], tuple(rows), tuple(used.get(relation, ())), is_computed)
            for relation, rows in found.items()
        )


class Statements:
    """The statements whose results are printed, each followed once for all cells that are asked about together.

    `known`: rows that statements gave before; one whose rows are known is run with keys alone. `matters`: whether the
    rows of a relation do; a statement whose columns are computed from no such relation is not run.
    """

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        known: Mapping[Asked, Sequence[Mapping[str, object]]] | None = None,
        matters: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self.con = con
        self.known = known or {}
        self.matters = matters
        self.relations = columns_of(con)
        found = con.execute("select distinct function_name from duckdb_functions() where function_type = 'aggregate'")
        self.aggregates = frozenset(name for (name,) in found.fetchall())
        self._trees: dict[str, str] = {}
        self._followed: dict[tuple[Asked, frozenset[tuple[str, ...]]], Followed | UntraceableError] = {}

    def sources(self, origins: Sequence[Origin | Source]) -> tuple[Source, ...]:
        """The rows of relations behind a cell. Raises UntraceableError, with the reason."""
        (found,) = self.each([origins])
        if isinstance(found, UntraceableError):
            raise found
        return found

    def each(self, cells: Sequence[Sequence[Origin | Source]]) -> list[tuple[Source, ...] | UntraceableError]:
        """The rows of relations behind each cell, or the reason why it cannot be traced."""
        wanted: dict[Asked, set[tuple[str, ...]]] = {}
        for origin in (each for origins in cells for each in origins):
            if isinstance(origin, Origin):
                wanted.setdefault(origin.asked, set()).add(origin.columns)
        followed = {asked: self._follow(asked, frozenset(columns)) for asked, columns in wanted.items()}
        return [self._behind(origins, followed) for origins in cells]

    def tree(self, sql: str) -> Node:
        """The syntax tree of a statement. Raises UntraceableError."""
        if sql not in self._trees:
            (self._trees[sql],) = self.con.execute(
                "select json_serialize_sql(?, skip_null := true, skip_empty := true, skip_default := true)", [sql]
            ).fetchone() or ("",)
        tree: Node = json.loads(self._trees[sql])
        if tree["error"]:
            raise UntraceableError(f"its SQL cannot be followed: {tree.get('error_message', 'no select')}")
        return tree

    def expression(self, sql: str) -> Node:
        """The syntax tree of an expression."""
        node: Node = self.tree(f"select {sql}")["statements"][0]["node"]["select_list"][0]
        return node

    def result(self, sql: str, parameters: Mapping[str, object]) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Names and rows of a result, as many as are followed."""
        with ended_after(STUDY_LIMITS.timeout_s, self.con):  # with keys it may take longer than without
            cursor = self.con.execute(sql, dict(parameters) or None)
            return [each[0] for each in cursor.description or ()], cursor.fetchmany(MOST_ROWS)

    def _follow(self, asked: Asked, columns: frozenset[tuple[str, ...]]) -> Followed | UntraceableError:
        if (asked, columns) not in self._followed:
            self._followed[asked, columns] = self._rewritten(asked, columns)
        return self._followed[asked, columns]

    def _rewritten(self, asked: Asked, columns: frozenset[tuple[str, ...]]) -> Followed | UntraceableError:
        statement, parameters = asked
        try:
            first = _Rewriting(self, columns)
            shape, read = first.relations(statement)
            if not any(map(self.matters, first.keys if read is None else read)):
                return Followed(shape, {}, ())
            return _Rewriting(self, columns, read).followed(statement, dict(parameters), self.known.get(asked))
        except UntraceableError as error:
            return error
        except duckdb.Error as error:
            return UntraceableError(f"its SQL cannot be followed: {str(error).splitlines()[0]}")

    def _behind(
        self, origins: Sequence[Origin | Source], followed: Mapping[Asked, Followed | UntraceableError]
    ) -> tuple[Source, ...] | UntraceableError:
        found: dict[Source, None] = {}
        for origin in origins:
            if isinstance(origin, Source):
                found[origin] = None
                continue
            statement = followed[origin.asked]
            sources = statement if isinstance(statement, UntraceableError) else statement.sources(origin)
            if isinstance(sources, UntraceableError):
                return sources
            found |= dict.fromkeys(sources)
        return tuple(found) or UntraceableError("its value comes from no relation of the store")


class _Rewriting:
    """One statement that is being rewritten, so that some of its columns can be followed.

    `read`: the relations whose rows these columns are computed from, None for all; those of others are not collected.
    """

    def __init__(
        self, statements: Statements, columns: Collection[tuple[str, ...]], read: Collection[str] | None = None
    ) -> None:
        self.statements = statements
        self.columns = columns
        self.read = read
        self.keys: dict[str, tuple[str, ...]] = {}
        self.count = 0

    def relations(self, statement: str) -> tuple[_Shape, set[str] | None]:
        """Its shape, and the relations that the columns are computed from; None where a column is of no relation."""
        shape = self._query(self._only(statement)["statements"][0]["node"], {}, {})
        read: set[str] = set()
        for columns in self.columns:
            used = {relation for name in columns for relation, _ in shape.columns.get(name, ())}
            if not used:
                return shape, None
            read |= used
        return shape, read

    def followed(
        self, statement: str, parameters: Mapping[str, object], known: Sequence[Mapping[str, object]] | None
    ) -> Followed:
        tree = self._only(statement)
        by_column: dict[str, str] = {}
        shape = self._query(tree["statements"][0]["node"], {}, by_column)
        (sql,) = self.statements.con.execute("select json_deserialize_sql(?::json)", [json.dumps(tree)]).fetchone() or (
            "",
        )
        names, found = self.statements.result(sql, parameters)
        marks = {"": shape.mark} | by_column
        if known:
            with suppress(UntraceableError):  # what the study's own statement gave was read as other types
                given = [tuple(row.values()) for row in known]
                return Followed(shape, self.keys, _matched(names, found, marks, list(known[0]), given))
        plain_names, plain = self.statements.result(statement, parameters)
        return Followed(shape, self.keys, _matched(names, found, marks, plain_names, plain))

    def _only(self, statement: str) -> Node:
        tree = self.statements.tree(statement)
        if len(tree["statements"]) != 1:
            raise UntraceableError("it is not one statement")
        return tree

    # --- queries ---------------------------------------------------------------------------------------------------

    def _query(self, node: Node, known: Mapping[str, _Shape], by_column: dict[str, str] | None = None) -> _Shape:
        """Add the mark to a query. `by_column`: gets the marks of columns with one of their own."""
        own = dict(known)
        for each in node.get("cte_map", {}).get("map", []):
            own[each["key"].casefold()] = self._query(each["value"]["query_node"], own)
        if node["type"] == "SET_OPERATION_NODE" and node.get("setop_type") == "UNION" and node.get("setop_all"):
            return self._union(node, own)
        if node["type"] != "SELECT_NODE":
            raise UntraceableError("it has a set operation or a recursion, which join rows of no key in common")
        return self._select(node, own, by_column)

    def _union(self, node: Node, known: Mapping[str, _Shape]) -> _Shape:
        sides = node.get("children") or [node["left"], node["right"]]
        count = self.count
        shapes = []
        for side in sides:
            self.count = count
            shapes.append(self._query(side, known))
        merged = shapes[0]
        if any(each.mark != merged.mark for each in shapes):
            raise UntraceableError("the sides of a union are too different")
        names = list(merged.columns)
        for other in shapes[1:]:
            for place, sources in enumerate(other.columns.values()):
                name = names[place] if place < len(names) else ""
                merged.columns[name] = tuple(dict.fromkeys((*merged.columns.get(name, ()), *sources)))
        return merged

    def _select(self, node: Node, known: Mapping[str, _Shape], by_column: dict[str, str] | None) -> _Shape:
        scope: dict[str, _Shape] = {}
        self._from(node.get("from_table") or {"type": "EMPTY"}, known, scope)
        shape = _Shape()
        for each in node["select_list"]:
            self._output(each, scope, shape)
        is_distinct = _without_distinct(node)
        if is_distinct:
            node["aggregate_handling"] = "FORCE_AGGREGATES"
            if all(each["type"] == "ORDER_MODIFIER" for each in node["modifiers"]):
                node["modifiers"] = []  # rows are found again by their values, and it may name what is not selected
        is_grouped = (
            is_distinct
            or bool(node.get("group_expressions"))
            or node.get("aggregate_handling") == "FORCE_AGGREGATES"
            or any(True for each in node["select_list"] for _ in self._aggregates(each))
        )
        joined = " || ".join(
            f"coalesce({quoted(alias)}.{quoted(one.mark)}, {NONE})" for alias, one in scope.items() if one.mark
        )
        shape.mark = self._mark()
        marks: dict[str, str] = {} if by_column is None else by_column
        for place, each in enumerate(list(node["select_list"]) if by_column is not None else []):
            conditions = [self._condition(call) for call in self._aggregates(each)] if is_grouped else []
            windows = [] if is_grouped else [call for call in _nodes(each) if call.get("class") == "WINDOW"]
            name, mark = _name(each), f"{MARK}_of_{place}"
            if name not in shape.columns or not any(name in asked for asked in self.columns):
                continue
            if conditions and all(conditions):
                marks[name] = mark
                node["select_list"].append(self._collected(joined, mark, conditions))
            elif len({json.dumps(call.get("partitions", [])) for call in windows}) == 1:
                marks[name] = mark
                shape.doubtful.pop(name)
                node["select_list"].append(self._of_partition(joined, mark, windows[0].get("partitions", [])))
        plain = self.statements.expression(f"{joined or NONE} as {shape.mark}")
        node["select_list"].append(self._collected(joined, shape.mark, []) if is_grouped else plain)
        return shape

    def _collected(self, joined: str, mark: str, conditions: Sequence[Node]) -> Node:
        """The marks of a group as one, of the rows that fulfil any of some conditions."""
        call = self.statements.expression(f"coalesce(flatten(list({joined or NONE})), {NONE}) as {mark}")
        if conditions:
            collecting = next(each for each in _nodes(call) if each.get("function_name") == "list")
            collecting["filter"] = (
                conditions[0]
                if len(conditions) == 1
                else {"class": "CONJUNCTION", "type": "CONJUNCTION_OR", "children": list(conditions)}
            )
        return call

    def _of_partition(self, joined: str, mark: str, partitions: Sequence[Node]) -> Node:
        """The marks of all rows of a window's partition."""
        call = self.statements.expression(f"flatten(list({joined or NONE}) over (partition by x)) as {mark}")
        window = next(each for each in _nodes(call) if each.get("class") == "WINDOW")
        window["partitions"] = copy.deepcopy(list(partitions))
        return call

    def _mark(self) -> str:
        self.count += 1
        return f"{MARK}_{self.count}"

    # --- what a query reads ----------------------------------------------------------------------------------------

    def _from(self, node: Node, known: Mapping[str, _Shape], scope: dict[str, _Shape]) -> None:
        kind = node["type"]
        if kind == "JOIN":
            self._from(node["left"], known, scope)
            self._from(node["right"], known, scope)
        elif kind == "SUBQUERY":
            scope[node.get("alias") or f"unnamed_{len(scope)}"] = self._query(node["subquery"]["node"], known)
            node.setdefault("alias", next(reversed(scope)))
        elif kind == "BASE_TABLE":
            self._table(node, known, scope)
        elif kind not in ("EMPTY", "TABLE_FUNCTION", "EXPRESSION_LIST", "COLUMN_DATA"):
            raise UntraceableError(f"it reads a {kind.lower().replace('_', ' ')}")

    def _table(self, node: Node, known: Mapping[str, _Shape], scope: dict[str, _Shape]) -> None:
        name = node["table_name"]
        alias = node.get("alias") or name
        if not node.get("schema_name") and name.casefold() in known:
            scope[alias] = known[name.casefold()]
            return
        relation = name.casefold()
        if (node.get("schema_name") or "main") != "main" or relation not in self.statements.relations:
            return
        columns = self.statements.relations[relation]
        scope[alias] = _Shape({each: ((relation, each),) for each in columns}, set(columns))
        mark = self._mark()
        if self.read is not None and relation not in self.read:
            return
        scope[alias].mark = mark
        key = self.keys.setdefault(relation, key_of(columns))
        item = ", ".join([literal(relation), *(f"{quoted(each)}::varchar" for each in key)])
        reading = self.statements.tree(f"select *, [[{item}]] as {mark} from main.{quoted(relation)}")
        node.clear()
        node |= {"type": "SUBQUERY", "alias": alias, "subquery": {"node": reading["statements"][0]["node"]}}

    # --- columns ---------------------------------------------------------------------------------------------------

    def _output(self, node: Node, scope: Mapping[str, _Shape], shape: _Shape) -> None:
        if node["class"] == "STAR":
            only = node.get("relation_name")
            read = [one for alias, one in scope.items() if not only or alias.casefold() == only.casefold()]
            node["exclude_list"] = [*node.get("exclude_list", []), *(one.mark for one in read if one.mark)]
            hidden = {str(each).casefold() for each in node["exclude_list"]}
            for one in read:
                shape.columns |= {name: found for name, found in one.columns.items() if name.casefold() not in hidden}
                shape.plain |= one.plain
                shape.doubtful |= one.doubtful
            return
        name = _name(node) or f"unnamed {len(shape.columns)}"
        found: dict[tuple[str, str], None] = {}
        is_plain = node["class"] == "COLUMN_REF"
        for each in (each for each in _nodes(node) if each.get("class") == "COLUMN_REF"):
            *owner, column = each["column_names"]
            for sources, reason, is_itself in _resolved(owner, column, scope, shape):
                found |= dict.fromkeys(sources)
                is_plain = is_plain and is_itself
                if reason:
                    shape.doubtful[name] = reason
        if any(each.get("class") == "WINDOW" for each in _nodes(node)):
            shape.doubtful[name] = "it is computed from other rows of the result too (a window function)"
        if any(each.get("class") == "SUBQUERY" for each in _nodes(node)):
            shape.doubtful[name] = "it is computed by a query of its own inside the expression"
        if is_plain and len(found) == 1:
            shape.plain.add(name)
        shape.columns[name] = tuple(found)

    def _aggregates(self, node: Node) -> Iterator[Node]:
        if node.get("class") in ("SUBQUERY", "WINDOW"):
            return
        if node.get("class") == "FUNCTION" and node["function_name"] in self.statements.aggregates:
            yield node
            return
        for each in _children(node):
            yield from self._aggregates(each)

    def _condition(self, call: Node) -> Node:
        """When a row adds to an aggregate; empty where each does."""
        conditions = [copy.deepcopy(call["filter"])] if call.get("filter") else []
        argument = next((each["expression"] for each in call.get("arguments", [])), None)
        argument = argument or next(iter(call.get("children", [])), None)
        if argument is not None and argument.get("class") != "CONSTANT":
            is_known = self.statements.expression("x is not null")
            is_known["children"] = [copy.deepcopy(argument)]
            conditions.append(is_known)
        if len(conditions) < 2:
            return conditions[0] if conditions else {}
        return {"class": "CONJUNCTION", "type": "CONJUNCTION_AND", "children": conditions}


def _matched(
    names: Sequence[str],
    found: Sequence[tuple[Any, ...]],
    marks: Mapping[str, str],
    plain_names: Sequence[str],
    plain: Iterable[tuple[object, ...]],
) -> tuple[Mapping[str, tuple[Item, ...]], ...]:
    """The marks of each row of a plain result, from the result that has them too."""
    if len(set(names)) != len(names) or not set(plain_names) <= set(names):
        raise UntraceableError("columns of its result have the same name")
    shown = [names.index(name) for name in plain_names]
    places = {name: names.index(mark) for name, mark in marks.items()}
    by_values: dict[tuple[str, ...], list[Mapping[str, tuple[Item, ...]]]] = {}
    for row in found:
        items = {name: _items(row[place]) for name, place in places.items()}
        by_values.setdefault(_alike(row[place] for place in shown), []).append(items)
    try:
        return tuple(by_values[_alike(row)].pop(0) for row in plain)
    except (KeyError, IndexError):
        raise UntraceableError("its rows differ where it also asks for their keys") from None


def _resolved(
    owner: Sequence[str], column: str, scope: Mapping[str, _Shape], shape: _Shape
) -> Iterator[tuple[Columns, str, bool]]:
    """What a reference means: a column of what is read, else one that the same select computed before.

    With it why it cannot be traced, if so, and whether it is a column of a relation itself.
    """
    folded = column.casefold()
    for alias, one in scope.items():
        if owner and owner[-1].casefold() != alias.casefold():
            continue
        name = next((each for each in one.columns if each.casefold() == folded), None)
        if name is not None:
            yield one.columns[name], one.doubtful.get(name, ""), name in one.plain
            if not owner:
                return
    if not owner and column in shape.columns:
        yield shape.columns[column], shape.doubtful.get(column, ""), False


def _name(node: Node) -> str:
    """The name of a column of a select; empty where DuckDB makes one."""
    if node.get("alias"):
        return str(node["alias"])
    return str(node["column_names"][-1]) if node.get("class") == "COLUMN_REF" else ""


def _without_distinct(node: Node) -> bool:
    """Take `distinct` off a select, as grouping by all columns does the same and can collect marks."""
    found = [each for each in node.get("modifiers", []) if each["type"] == "DISTINCT_MODIFIER"]
    if any(each.get("distinct_on_targets") for each in found):
        raise UntraceableError("it keeps one row of several (distinct on)")
    node["modifiers"] = [each for each in node.get("modifiers", []) if each not in found]
    return bool(found)


def _children(node: Node) -> Iterator[Node]:
    for value in node.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield each


def _nodes(node: Node) -> Iterator[Node]:
    """A node and all below it, without those of queries inside an expression."""
    yield node
    if node.get("class") != "SUBQUERY":
        for each in _children(node):
            yield from _nodes(each)


def _alike(values: Iterable[object]) -> tuple[str, ...]:
    """A row by its values; sums of the same numbers in another order are the same."""
    return tuple(f"{value:.9g}" if isinstance(value, float) else repr(value) for value in values)


def _items(found: Sequence[Sequence[str | None]] | None) -> tuple[Item, ...]:
    return tuple(dict.fromkeys((str(relation), tuple(key)) for relation, *key in found or ()))
