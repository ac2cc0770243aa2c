"""From rows of relations to the runs and lines that they are computed from, as the relations declare it.

A relation whose rows name a run or a line is where a number comes from; any other declares rows of further relations in
its header (`from:`), which are followed until such rows are reached. Everything is asked for many numbers at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from typing import Any, Final, NamedTuple

import duckdb

from pipeline.ask.trace.fault import Timers, add_faults, timer
from pipeline.ask.trace.parts import GIVES_IT, Line, Run, clock, number, own_lines
from pipeline.ask.trace.source import Key, Source, as_text
from pipeline.store import relations
from pipeline.store.relations import Link, Relation
from pipeline.store.statements import Row, rows
from pipeline.store.store import quoted

LEAVES: Final = ("run", "unit_run", "line_no", "file_id")
"""A relation with any of these columns names runs or lines itself."""

FAULT: Final = "fault_time"
"""Rows computed from this relation count from the time of a fault."""

TIMERS: Final = "cluster_timer"
"""The relation whose rows come from lines that it does not name: those of all files that apply to a run."""

SET: Final = ("parameter", "environment")
"""Relations of what was set rather than measured: their rows of all configurations are one group."""

METHODS: Final = {
    "message": "by its message id",
    "text": "by its text",
    "inferred": "inferred from the order of lines",
}
BEGINS: Final = "step_begin"
"""The relation of lines that say that the first resource of a phase is started."""

BOUNDS: Final = {"start_s": "begins with ", "end_s": "ends with "}
RUNS: Final = (
    "select run.configuration, run.run, run.fault_at is not null as has_fault, run.used, run.flags,"
    " coalesce(run.excluded_reason, run.flags) as excluded,"
    " coalesce(case when counted.fault_kind is null then 'another kind of fault, ' || run.fault_kind end,"
    " outcome.reason) as reason from main.run left join main.run_outcome as outcome using (configuration, run)"
    " left join main.counted_kind as counted using (configuration, fault_kind)"
    " order by run.run_no nulls last, run.run"
)

Rows = tuple[str, tuple[str, ...], Key, str]  # relation, key, values, condition


class Spot(NamedTuple):
    """Rows of a relation by a key, and the column whose values count. `condition`: which of them, in SQL."""

    relation: str
    key: tuple[str, ...]
    values: Key
    condition: str
    column: str

    @property
    def rows(self) -> Rows:
        """The rows, of any column."""
        return self[:4]


@dataclass(frozen=True, slots=True)
class Group:
    """What a number is computed from: the runs with the rows of one relation.

    `name`: what it is about, by column. `members`: its rows; a group with a part of them shows a part of it.
    """

    relation: str
    column: str
    configuration: str | None
    name: tuple[tuple[str, str | None], ...]
    members: frozenset[int]
    runs: tuple[Run, ...] = field(compare=False)


class Follower:
    """A store in which sources are followed."""

    def __init__(self, con: duckdb.DuckDBPyConnection, *, has_faults: bool = True) -> None:
        self.con = con
        self.has_faults = has_faults
        self.timers = Timers(con)
        self.columns = relations.columns_of(con)
        self.relations: dict[str, Relation] = {each.name: each for each in relations.catalogue()}
        known_runs = rows(con, RUNS) if {"run", "run_outcome"} <= self.columns.keys() else []
        self.runs: dict[tuple[object, object], Row] = {
            (each["configuration"], each["run"]): each for each in known_runs
        }
        self._order = {key: place for place, key in enumerate(self.runs)}
        self._found: dict[Rows, list[Row]] = {}
        self._links: dict[str, tuple[Link, ...]] = {}
        self._leaves: dict[Spot, tuple[Spot, ...]] = {}
        self._lines: dict[int, list[Line]] = {}  # by the identity of a row
        self._counted: dict[str, set[tuple[object, ...]]] = {}

    def groups(self, sources: Iterable[Source]) -> dict[Source, tuple[Group, ...]]:
        """The runs behind each of some sources."""
        starts = {each: self.spots(each) for each in sources}
        self._read_behind(spot for spots in starts.values() for spot in spots)
        ends = {each: tuple(self.leaves(spots)) for each, spots in starts.items()}
        known: dict[tuple[object, ...], Group] = {}
        grouped = {leaves: tuple(self._grouped(leaves, known)) for leaves in dict.fromkeys(ends.values())}
        return {each: grouped[leaves] for each, leaves in ends.items()}

    def names_lines(self, relation: str) -> bool:
        """Whether rows of a relation, or those that they are computed from, can name lines."""
        if relation == TIMERS or any(name.endswith("line_no") for name in self.columns.get(relation, ())):
            return True
        return any(self.names_lines(link.relation) for link in self.links(relation))

    def rows_of(self, source: Source) -> list[Row]:
        """The rows that a source names."""
        spots = self.spots(source)
        self._read(spots)
        return list({id(row): row for spot in spots for row in self._rows(spot)}.values())

    # --- from a source to the rows that tell runs -------------------------------------------------------------------

    def spots(self, source: Source) -> list[Spot]:
        """The rows of a source, for each of its columns."""
        return [
            Spot(source.relation, source.key, key, "", column)
            for column in source.columns or ("",)
            for key in source.rows
        ]

    def leaves(self, spots: Iterable[Spot]) -> list[Spot]:
        """The spots of relations that tell runs, behind some spots."""
        return list(dict.fromkeys(leaf for spot in spots for leaf in self._leaves_of(spot)))

    def inputs(self, spot: Spot) -> list[Spot]:
        """The rows that a column of some rows is computed from, as the relation declares it."""
        return [
            found
            for link in self.links(spot.relation)
            if link.concerns(spot.column)
            for row in self._rows(spot)
            for found in self._linked(link, row, spot.column)
        ]

    def is_leaf(self, relation: str) -> bool:
        """Whether the rows of a relation tell runs or lines themselves."""
        return not set(LEAVES).isdisjoint(self.columns.get(relation, ())) or not self.links(relation)

    def links(self, relation: str) -> tuple[Link, ...]:
        """What a relation declares of the rows that its own are computed from, as far as the store has them."""
        if relation not in self._links:
            known = self.relations.get(relation)
            self._links[relation] = tuple(
                each
                for each in (known.links if known else ())
                if {theirs for _, theirs in each.keys} <= set(self.columns.get(each.relation, ()))
            )
        return self._links[relation]

    def _leaves_of(self, spot: Spot) -> tuple[Spot, ...]:
        if spot not in self._leaves:
            self._leaves[spot] = (spot,) if self.is_leaf(spot.relation) else tuple(self.leaves(self.inputs(spot)))
        return self._leaves[spot]

    def _linked(self, link: Link, row: Row, column: str) -> list[Spot]:
        if link.when is not None and as_text(row[link.when[0]]) != link.when[1]:
            return []
        if not {own for own, _ in link.keys} <= row.keys():
            return []
        pairs = [(theirs, as_text(row[own])) for own, theirs in link.keys]
        if pairs == [("configuration", None)]:  # a total over all configurations
            pairs = []
        key, values = tuple(name for name, _ in pairs), tuple(value for _, value in pairs)
        return [Spot(link.relation, key, values, link.condition, link.value_of(column))]

    # --- rows --------------------------------------------------------------------------------------------------------

    def _rows(self, spot: Spot) -> list[Row]:
        if spot.rows not in self._found:
            self._read([spot])
        return self._found[spot.rows]

    def _read_behind(self, spots: Iterable[Spot]) -> None:
        """Read the rows of spots and, step by step, all that is behind them, much of it in one statement."""
        seen: set[Spot] = set()
        level = list(dict.fromkeys(spots))
        while level:
            self._read(level)
            seen |= set(level)
            level = [
                each for each in dict.fromkeys(one for spot in level for one in self._next(spot)) if each not in seen
            ]

    def _next(self, spot: Spot) -> list[Spot]:
        """What rows are computed from; of those that tell runs but name no line, what shows them."""
        if not self.is_leaf(spot.relation):
            return self.inputs(spot)
        return [
            each for row in self._rows(spot) if not own_lines(row) for _, each in self._evidence(spot.relation, row)
        ]

    def _evidence(self, relation: str, row: Row) -> Iterator[tuple[Link, Spot]]:
        for link in self.links(relation):
            if link.relation != FAULT:
                yield from ((link, spot) for spot in self._linked(link, row, ""))

    def _read(self, spots: Iterable[Spot]) -> None:
        """Read the rows of spots, those of one relation and key together."""
        wanted: dict[tuple[str, tuple[str, ...], str], dict[Key, list[Row]]] = {}
        for each in spots:
            if each.rows not in self._found:
                found = self._found[each.rows] = []
                wanted.setdefault((each.relation, each.key, each.condition), {})[each.values] = found
        for (relation, key, condition), by_values in wanted.items():
            if relation not in self.columns:
                continue
            keys = list(by_values)
            unnested = ", ".join(
                [f"unnest($v{place}) as asked_{place}" for place in range(len(key))] + ["unnest($n) as asked_no"]
            )
            joined = " and ".join(
                f"own.{quoted(name)}::varchar is not distinct from asked_{place}" for place, name in enumerate(key)
            )
            sql = (
                f"select asked_no, own.* from main.{quoted(relation)} as own"
                f" inner join (select {unnested}) on {joined or 'true'} where {condition or 'true'}"
            )
            asked: dict[str, object] = {f"v{place}": [each[place] for each in keys] for place in range(len(key))}
            for row in rows(self.con, sql, n=list(range(len(keys))), **asked):
                by_values[keys[row.pop("asked_no")]].append(row)

    def _lines_of(self, relation: str, row: Row) -> list[Line]:
        """The lines that a row names, else those of the rows that it is computed from."""
        if id(row) not in self._lines:
            self._lines[id(row)] = _named(row) or list(self._shown(relation, row))
        return self._lines[id(row)]

    def _shown(self, relation: str, row: Row) -> Iterator[Line]:
        for link, spot in self._evidence(relation, row):
            end = link.keys[-1][0]
            allowed = self._bounds.get((str(row.get("phase")), end)) if relation == "phase" else None
            for each in self._rows(spot):
                if allowed is None or spot.relation == BEGINS or each.get("milestone") in allowed:
                    yield from (replace(line, role=f"{BOUNDS.get(end, '')}{line.role}") for line in _named(each))

    @cached_property
    def _bounds(self) -> dict[tuple[str, str], set[str]]:
        """Milestones with which a phase may begin and end, by its rules."""
        found: dict[tuple[str, str], set[str]] = {}
        sql = "select phase, from_terms, to_milestone from study.phase_rule"
        for phase, begins, end in self.con.execute(sql).fetchall():
            found.setdefault((phase, "start_s"), set()).update((begins or "").replace("|", ",").split(","))
            found.setdefault((phase, "end_s"), set()).add(end)
        return found

    # --- runs --------------------------------------------------------------------------------------------------------

    def _grouped(self, leaves: Sequence[Spot], known: dict[tuple[object, ...], Group]) -> Iterator[Group]:
        """One group for each relation, column and configuration, in the order of the leaves."""
        members: dict[tuple[str, str, str | None], dict[int, tuple[Spot, Row]]] = {}
        for spot in leaves:
            for row in self._rows(spot):
                configuration = None if spot.relation in SET else row.get("configuration")
                members.setdefault((spot.relation, spot.column, configuration), {})[id(row)] = (spot, row)
        for (relation, column, configuration), found in members.items():
            key = (relation, column, frozenset(found))
            if key not in known:
                own = list(found.values())
                runs = tuple(self._runs_of(relation, column, own))
                known[key] = Group(relation, column, configuration, _name(own), frozenset(found), runs)
            yield known[key]

    def _runs_of(self, relation: str, column: str, found: Sequence[tuple[Spot, Row]]) -> list[Run]:
        if relation == TIMERS:
            return [run for _, row in found for run in timer(self.timers, row, column)]
        by_run: dict[tuple[Any, Any], list[Row]] = {}
        for _, row in found:
            by_run.setdefault((row.get("configuration"), row.get("run", row.get("unit_run"))), []).append(row)
        if f"counted_{relation}" in self.columns and all(len(own) == 1 for own in by_run.values()):
            by_run |= {key: by_run.get(key, []) for key in self._with_fault(found)}
        ordered = sorted(by_run, key=lambda key: (self._order.get(key, len(self._order)), str(key)))
        runs = [self._run(relation, column, key, by_run[key]) for key in ordered]
        if self.has_faults and any(each.relation == FAULT for each in self.links(relation)):
            add_faults(self.timers, [run for run in runs if run.lines])
        return runs

    def _with_fault(self, found: Sequence[tuple[Spot, Row]]) -> list[tuple[object, object]]:
        """All runs of the configurations with a fault, where a mean over runs of any kind of fault is asked about."""
        asked = {row["configuration"] for spot, row in found if {"run", "fault_kind"}.isdisjoint(spot.key)}
        return [key for key, run in self.runs.items() if key[0] in asked and run["has_fault"]]

    def _run(self, relation: str, column: str, key: tuple[Any, Any], own: Sequence[Row]) -> Run:
        counting = [row for row in own if self._counts(relation, row)]
        ordered = sorted(own, key=lambda row: (row.get("file_id") or 0, row.get("line_no") or 0))
        is_of_one_kind = len({(row.get("metric"), row.get("unit"), row.get("label")) for row in counting or own}) == 1
        values = [value for row in counting or own if (value := number(row.get(column))) is not None and is_of_one_kind]
        run = Run(
            *key,
            fsum(values) / len(values) if values else None,
            bool(counting) if own else bool(self.runs[key]["used"]),
            lines=[line for row in ordered for line in self._lines_of(relation, row)],
        )
        if len(own) == 1 and isinstance(own[0].get(column), str):
            run.value = own[0][column]
        if not run.is_used:
            known = self.runs.get(key, {})
            doubt = next((row["doubt"] for row in own if row.get("doubt")), None)
            run.reason = doubt or (known.get("excluded") if not known.get("used", True) else known.get("reason"))
            run.reason = run.reason or ("of no run" if key[1] is None else None)
        elif not own:
            run.reason = "no line shows it"
        return run

    def _counts(self, relation: str, row: Row) -> bool:
        """Whether a row counts in statistics."""
        if "is_valid" in row:  # a measurement
            flags = str(self.runs.get((row["configuration"], row["run"]), {}).get("flags") or "").split(", ")
            return bool(row["is_valid"] and row["run"] is not None and {"excluded", "extra_incident"}.isdisjoint(flags))
        name = f"counted_{relation}"
        if name not in self.columns:
            return True
        if relation not in self._counted:
            self._counted[relation] = set(
                self.con.execute(f"select configuration, run, {quoted(relation)} from main.{quoted(name)}").fetchall()
            )
        return (row["configuration"], row["run"], row[relation]) in self._counted[relation]


def _named(row: Row) -> list[Line]:
    """The lines that a row names, with what it says of itself."""
    role = str(row.get("milestone") or row.get("metric") or (f"{row['scope']} {row['name']}" if "scope" in row else ""))
    how = METHODS.get(str(row.get("method")), "")
    resolution = row.get("resolution_s")
    if how and resolution is not None and resolution >= 0.001:
        how += f"; cut to {resolution:g} s, so that {resolution / 2:g} s are added"
    stamp = f"stamp {clock(row['at'])} UTC" if row.get("at") else ""
    value = f"value {row['value']}" if row.get("value") is not None else ""
    note = "; ".join(filter(None, (stamp, value, str(row.get("note") or ""))))
    return [
        Line(role if role and each.role == GIVES_IT else each.role, each.file_id, each.line_no, how, note)
        for each in own_lines(row)
    ]


def _name(found: Sequence[tuple[Spot, Row]]) -> tuple[tuple[str, str | None], ...]:
    """What rows are about: the values of their keys that all of them share."""
    keys = [dict(zip(spot.key, spot.values, strict=True)) for spot, _ in found]
    shared = keys[0].items() - {pair for key in keys for pair in keys[0].items() - key.items()}
    return tuple(pair for pair in keys[0].items() if pair in shared)
