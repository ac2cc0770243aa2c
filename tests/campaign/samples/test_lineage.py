"""Every printed number of every sample, computed again from the rows and runs that its lineage lists.

A number is computed twice. From the runs: means, deviations, counts, extremes, as arithmetic on the values that the
command `trace` lists. From the rows: the SQL of its relation and of its table run in a store that has only the rows
listed, and nothing else of the relations that they are of.
"""

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean, median, stdev

import duckdb
import pytest

from pipeline.ask.trace.follow import Follower, Group, Spot
from pipeline.ask.trace.source import Origin, Source
from pipeline.ask.trace.statement import LOOKED_UP, Statements, UntraceableError
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS
from pipeline.store import relations
from pipeline.store.relations import Relation
from pipeline.store.statements import Row
from pipeline.store.store import literal, quoted
from reports.study.store import Store
from reports.study.view import StudyView
from reports.tables import catalogue
from reports.tables.model import Cell, Table
from tests.support.sample import STUDIES, sample_store

MOST_UNTRACED = 0.02

STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "mean_s": fmean,
    "mean_duration_s": fmean,
    "mean_mb_s": fmean,
    "stddev": stdev,
    "stddev_s": stdev,
    "stddev_duration_s": stdev,
    "stddev_mb_s": stdev,
    "runs": len,
    "min_s": min,
    "max_s": max,
    "min_mb_s": min,
    "max_mb_s": max,
    "median_s": median,
    "median_mb_s": median,
}
AVERAGED = (
    "milestone_stats",
    "phase_stats",
    "measurement_stats",
    "iostat_summary",
    "simhadr_repeat",
    "fault_time_accuracy",
)
"""Relations of means, whose columns of these names are that statistic of the runs."""

MOST_RECOMPUTED = 8
"""Rows of a relation that its SQL computes again, spread over it; the arithmetic on runs is done for all."""

MOST_ALIKE = 20
"""Cells of a column, from the same columns of the same relations, that are computed again, spread over them.

A cell that a row has as it is is compared wherever it stands."""

ADJUSTED = {"p_holm": "p_value"}
"""A p value adjusted over all comparisons of the study is compared before that."""


@dataclass
class Counts:
    cells: int = 0
    untraced: list[str] = field(default_factory=list)
    by_rows: int = 0
    by_inputs: int = 0
    by_runs: int = 0
    wrong: list[str] = field(default_factory=list)


def numeric_cells(table: Table) -> Iterator[tuple[int, int, Cell, list[tuple[str, float]]]]:
    for row_no, row in enumerate(table.rows):
        for column_no, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            values = [
                (name, value)
                for name, value in zip(column.names, cell.values, strict=True)
                if isinstance(value, int | float) and not isinstance(value, bool)
            ]
            if column.is_number and values:
                yield row_no, column_no, cell, values


def same(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-7, abs_tol=1e-9)
    return one == other


class Shadow:
    """A store whose relations are those of another, but for some that hold only given rows."""

    def __init__(self, store: Path) -> None:
        self.con = duckdb.connect(config={"threads": 1})
        self.con.execute(f"attach '{store}' as s (read_only)")
        for macro in sorted(relations.MACROS.glob("*.sql")):
            self.con.execute(macro.read_text(encoding="utf-8"))
        self.catalogue = {each.name: each for each in relations.catalogue()}
        self.con.execute("create schema kept")
        self.kept: set[str] = set()
        self.relations = {
            name
            for (name,) in self.con.execute(
                "select distinct table_name from duckdb_columns() where database_name = 's' and schema_name = 'main'"
            ).fetchall()
        }
        for schema, name in self.con.execute(
            "select schema_name, table_name from duckdb_tables() where database_name = 's' and schema_name <> 'main'"
        ).fetchall():
            self.con.execute(f"create schema if not exists {schema}")
            self.con.execute(f"create view {schema}.{quoted(name)} as from s.{schema}.{quoted(name)}")

    def computed(
        self, sql: str, only: Mapping[str, str], target: str = "", parameters: Mapping[str, object] = {}
    ) -> list[Row]:
        """A statement where relations have only the rows of a condition, and a target is computed from these."""
        changed = self.between(only, target)
        if target and target not in changed:
            return []
        read = {name for each in changed for name in self.catalogue[each].reads} | set(re.findall(r"\w+", sql))
        for name in sorted((read | set(only) | set(changed)) & self.relations):
            self._keep(name)
        try:
            for name, condition in only.items():
                self._replace(name, f"select * from kept.{quoted(name)} as own where {condition}")
            for name in changed:
                self._replace(name, self.catalogue[name].sql)
            cursor = self.con.execute(sql, dict(parameters) or None)
            names = [each[0] for each in cursor.description or ()]
            return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
        finally:
            for name in (*changed, *only):
                self._replace(name, f"from kept.{quoted(name)}")

    def _keep(self, name: str) -> None:
        """Compute a relation once, and read that from now on."""
        if name not in self.kept:
            self.kept.add(name)
            self.con.execute(f"create table kept.{quoted(name)} as from s.main.{quoted(name)}")
            self._replace(name, f"from kept.{quoted(name)}")

    def _replace(self, name: str, sql: str) -> None:
        self.con.execute(f"create or replace view main.{quoted(name)} as {sql}")

    def between(self, only: Mapping[str, str], target: str) -> list[str]:
        """A target and the views through which it reads some relations, in order.

        Tables on the way that declare no rows that they are computed from, and what is only looked up, stay as they
        are: they decide which rows count.
        """

        def is_passed(each: Relation) -> bool:
            is_computed = each.materialised is None or each.links
            return bool(is_computed) and each.name not in only and each.name not in LOOKED_UP

        wanted = {target}
        for each in reversed(self.catalogue.values()):
            if each.name in wanted and (each.name == target or is_passed(each)):
                wanted |= each.reads
        below, found = set(only), []
        for each in self.catalogue.values():
            if each.name in wanted and (each.name == target or is_passed(each)) and not below.isdisjoint(each.reads):
                below.add(each.name)
                found.append(each.name)
        return found


def condition(keys: Iterable[tuple[tuple[str, ...], tuple[str | None, ...], str]]) -> str:
    """The rows with any of some keys, each given as columns, values, and a further condition."""
    by_columns: dict[tuple[tuple[str, ...], str], dict[str, None]] = {}
    for names, values, more in keys:
        row = ", ".join("null" if each is None else literal(each) for each in ("", *values))
        by_columns.setdefault((names, more), {})[f"({row})"] = None
    found = []
    for (names, more), rows in by_columns.items():
        wanted = ", ".join(f"v{place}" for place in range(len(names) + 1))
        equal = [f"own.{quoted(name)}::varchar is not distinct from v{place}" for place, name in enumerate(names, 1)]
        matching = " and ".join(equal) or "true"
        found.append(
            f"(exists (from (values {', '.join(rows)}) as w({wanted}) where {matching}) and ({more or 'true'}))"
        )
    return " or ".join(found)


@dataclass(frozen=True)
class Place:
    """A number of a table: where it is, its cell, its values by name, and the sources of its lineage."""

    table: str
    where: str
    cell: Cell
    values: Mapping[str, float]
    sources: tuple[Source, ...]


def alone(spot: Spot) -> Source:
    """The rows of one spot as a source."""
    return Source(spot.relation, spot.key, (spot.values,), (spot.column,))


class Recomputation:
    """All numbers of one store, computed again."""

    def __init__(self, store: Path, con: duckdb.DuckDBPyConnection) -> None:
        self.statements = Statements(con)
        self.follower = Follower(con, has_faults=False)
        self.shadow = Shadow(store)
        self.counts = Counts()
        self.tables = catalogue.all_tables(StudyView(Store(con)))
        self.given: dict[tuple[object, ...], list[Row]] = {}
        self.groups: Mapping[Source, Sequence[Group]] = {}
        self.computed: dict[tuple[object, ...], list[Place]] = {}

    def run(self, only: str | None) -> Counts:
        places = list(self.traced())
        self.groups = self.follower.groups(dict.fromkeys(source for each in places for source in each.sources))
        relations: dict[str, dict[Source, None]] = {}
        for each in places:
            if not any(run.lines for source in each.sources for group in self.groups[source] for run in group.runs):
                self.counts.untraced.append(f"{each.where}: no lines")
                continue
            if not only and any(
                isinstance(origin, Origin) for origin in each.cell.origins
            ):  # a claim: of means printed elsewhere
                self.check_cell(each)
            for source in each.sources:
                relations.setdefault(source.relation, {})[source] = None
        for alike in self.computed.values():
            step = max(1, len(alike) // MOST_ALIKE)
            for each in alike[::step]:
                self.check_computed(each)
        for relation, sources in self.all_sources(relations).items():
            if only in (None, relation):
                self.check_relation(relation, list(sources))
        return self.counts

    def traced(self) -> Iterator[Place]:
        """The numbers of all tables, with the sources of each; notes those that cannot be traced."""
        cells = [(table, *each) for table in self.tables.values() for each in numeric_cells(table)]
        self.counts.cells = len(cells)
        traced = self.statements.each([cell.origins for _, _, _, cell, _ in cells])
        for (table, row_no, column_no, cell, values), sources in zip(cells, traced, strict=True):
            where = f"{table.name}, row {row_no + 1}, {table.columns[column_no].names[0]}"
            if isinstance(sources, UntraceableError):
                self.counts.untraced.append(f"{where}: {sources}")
            else:
                yield Place(table.name, where, cell, dict(values), sources)

    # --- a cell, from rows of relations ------------------------------------------------------------------------------

    def check_cell(self, place: Place) -> None:
        found = self.from_row(place.sources)
        if found:
            self.compare(place, next(iter(place.values.values())), found)
        else:
            asked = tuple(dict.fromkeys((each.relation, each.columns) for each in place.sources))
            self.computed.setdefault((place.table, *place.values, *asked), []).append(place)

    def check_computed(self, place: Place) -> None:
        name, value = next(iter(place.values.items()))
        name = ADJUSTED.get(name, name)
        value = place.values.get(name, value)
        found = self.from_statement(place.cell, name, place.sources)
        if not found:  # the row is there for other columns too
            found = self.from_statement(place.cell, name, self.of_row(place.cell))
        self.compare(place, value, found)

    def compare(self, place: Place, value: float, found: Sequence[object]) -> None:
        if any(same(each, value) for each in found):
            self.counts.by_rows += 1
        else:
            self.counts.wrong.append(f"{place.where}: {value!r} printed, from its rows {found[:3]}")

    def from_row(self, sources: Sequence[Source]) -> list[object]:
        """The value of a cell that a row of a relation has as it is."""
        if len(sources) != 1 or sources[0].is_computed or len(sources[0].rows) != 1:
            return []
        return [row[sources[0].columns[0]] for row in self.follower.rows_of(sources[0])]

    def of_row(self, cell: Cell) -> list[Source]:
        """All rows behind the row of a cell."""
        found = (replace(each, columns=()) for each in cell.origins if isinstance(each, Origin))
        return [source for each in found for source in self.statements.sources([each])]

    def from_statement(self, cell: Cell, name: str, sources: Sequence[Source]) -> list[object]:
        """The value by the statement of the table, from the rows of the sources alone."""
        only = {
            relation: condition(
                [(each.key, key, "") for each in sources if each.relation == relation for key in each.rows]
            )
            for relation in {each.relation for each in sources}
        }
        found: dict[tuple[object, ...], list[object]] = {}
        for origin in cell.origins:
            assert isinstance(origin, Origin)
            key = (origin.statement, *origin.parameters, *sorted(only.items()))
            if key not in self.given:
                self.given[key] = self.shadow.computed(origin.statement, only, "", dict(origin.parameters))
            column = name if not self.given[key] or name in self.given[key][0] else origin.columns[0]
            found[*key, column] = [row[column] for row in self.given[key] if column in row]
        values = [each for one in found.values() for each in one]
        if len(cell.origins) > 1:  # a count over several rows
            numbers = [each for each in values if isinstance(each, int | float)]
            values += [sum(numbers), max(numbers, default=0), len(values)]
        return values

    # --- a row of a relation, from the rows that its header declares -------------------------------------------------

    def all_sources(self, relations: Mapping[str, Mapping[Source, None]]) -> dict[str, dict[Source, None]]:
        """Sources by relation, with those of the relations that they are computed from."""
        found = {name: dict(sources) for name, sources in relations.items()}
        waiting = [each for sources in relations.values() for each in sources]
        while waiting:
            inputs = dict.fromkeys(
                alone(spot)
                for each in waiting
                if not self.follower.is_leaf(each.relation)
                for start in self.follower.spots(each)
                for spot in self.follower.inputs(start)
                if spot.column in self.follower.columns[spot.relation]
            )
            waiting = [each for each in inputs if each not in found.setdefault(each.relation, {})]
            for each in waiting:
                found[each.relation][each] = None
        return found

    def check_relation(self, relation: str, sources: Sequence[Source]) -> None:
        """Whether rows are what the rows behind them give, and means what their runs give."""
        if not self.follower.links(relation) or self.follower.is_leaf(relation):
            return
        self.groups = self.follower.groups(sources)
        spots = dict.fromkeys(
            spot for source in sources for spot in self.follower.spots(source) if spot.column not in ADJUSTED
        )
        by_row: dict[object, list[Spot]] = {}
        for spot in spots:
            by_row.setdefault((spot.key, spot.values), []).append(spot)
        step = max(1, len(by_row) // MOST_RECOMPUTED)
        for own in list(by_row.values())[::step]:
            for spot in own:
                self.check_row(spot)
        if relation in AVERAGED:
            self.groups = self.follower.groups(alone(spot) for spot in spots)
            for spot in spots:
                self.check_mean(spot)

    def check_row(self, spot: Spot) -> None:
        for row in self.follower.rows_of(alone(spot)):
            given = self.of_inputs(spot, spot.column) or self.of_inputs(spot, "")  # it is there for other columns too
            if not any(same(each[spot.column], row[spot.column]) for each in given):
                self.counts.wrong.append(
                    f"{spot.relation}.{spot.column} {spot.values}: {row[spot.column]!r}, from the rows behind it "
                    f"{[each[spot.column] for each in given]}"
                )
            self.counts.by_inputs += 1

    def of_inputs(self, spot: Spot, column: str) -> list[Row]:
        """Rows of a relation computed from what its header declares to be behind a column; empty: behind all."""
        inputs = self.follower.inputs(spot._replace(column=column))
        only = {
            relation: condition(
                [(each.key, each.values, each.condition) for each in inputs if each.relation == relation]
            )
            for relation in {each.relation for each in inputs}
        }
        key = (spot.relation, spot.key, spot.values, *sorted(only.items()))
        if key not in self.given:
            sql = f"select * from main.{quoted(spot.relation)} as own where {condition([(spot.key, spot.values, '')])}"
            self.given[key] = self.shadow.computed(sql, only, spot.relation)
        return self.given[key]

    def check_mean(self, spot: Spot) -> None:
        rows, groups = self.follower.rows_of(alone(spot)), self.groups[alone(spot)]
        statistic = STATISTICS.get(spot.column)
        if statistic is None or len(rows) != 1 or len(groups) != 1 or rows[0][spot.column] is None:
            return
        values = [run.value for run in groups[0].runs if run.is_used and isinstance(run.value, float)]
        if not values or not same(statistic(values), rows[0][spot.column]):
            self.counts.wrong.append(
                f"{spot.relation}.{spot.column} {spot.values}: {rows[0][spot.column]!r}, by its runs {values}"
            )
        self.counts.by_runs += 1


def recomputed(store: Path, only: str | None = None) -> Counts:
    """Of all relations, or of one alone."""
    with sandbox.connect(store, STUDY_LIMITS) as con:
        return Recomputation(store, con).run(only)


@pytest.mark.parametrize("sample", STUDIES)
def test_every_number_is_what_its_lineage_gives(
    sample: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    found = recomputed(sample_store(sample, tmp_path_factory))
    share = len(found.untraced) / found.cells
    with capsys.disabled():
        sys.stdout.write(
            f"\n{sample}: {found.cells} numbers, {share:.2%} untraced; computed again: {found.by_rows} from rows, "
            f"{found.by_inputs} values of rows from theirs, {found.by_runs} from runs\n"
        )
    assert not found.wrong, "\n".join(found.wrong[:20])
    assert share <= MOST_UNTRACED, "\n".join(found.untraced[:20])


KEY_OF_MEANS = "subject, item, unit, label, clients, configuration"


@pytest.mark.parametrize(
    ("relation", "header"),
    [
        pytest.param("milestone_stats", "milestone by configuration; of elapsed_s", id="too many rows"),
        pytest.param("milestone_stats", "milestone by configuration, milestone; where run = '1'", id="too few"),
        pytest.param("comparison", f"sample_stats by {KEY_OF_MEANS}; of mean", id="one side only"),
        pytest.param("phase_stats", "phase by configuration, phase; of start_s", id="another column"),
    ],
)
def test_a_wrong_header_is_found(
    relation: str, header: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = sample_store("failover-modern", tmp_path_factory)
    wrong = relations.parse_relation(relation, f"-- A header.\n-- from: {header}\nselect 1").links
    known = tuple(replace(each, links=wrong) if each.name == relation else each for each in relations.catalogue())
    monkeypatch.setattr(relations, "catalogue", partial(tuple, known))
    assert any(each.startswith(relation) for each in recomputed(store, relation).wrong)
