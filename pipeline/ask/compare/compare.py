"""Configuration A against configuration B, of one store or of two: all results that both have.

The statistics are those of the store's own relations. `comparison` and `parameter_difference` compare with the
reference of a study; here the same two statements run over the statistics of A and B alone, with B as the
reference, so that any two configurations can be compared, and nothing is computed in a second way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import duckdb
import polars as pl

from pipeline.ask.compare.runs import runs_to_add
from pipeline.ask.compare.sides import Side
from pipeline.ask.compare.strangers import OF_THE_TOOL, nothing_in_common
from pipeline.store import relations
from pipeline.store.log_tables import sql_type
from pipeline.store.statements import Row, rows
from pipeline.store.store import frame_of, insert, opened, quoted
from pipeline.study.data_origin import NOT_DECLARED, DataOrigin, data_origins

A: Final = "a"
B: Final = "b"
"""The configurations' names while they are compared: those of two stores may be the same."""

STATEMENTS: Final = ("comparison", "parameter_difference", "t_quantile")
STATISTICS: Final = ("milestone_stats", "phase_stats", "measurement_stats", "disk_load", "parameter")
RUNS: Final = """
select
    run.configuration,
    run.run,
    run.used,
    coalesce(run.excluded_reason, run.flags) as reason,
    coalesce(
        coalesce(run.lost_node, '') || ' ' || run.fault_at,
        string_agg(distinct source_file.sha256, ' ' order by source_file.sha256)
    ) as identity

from run

left join source_file
    on
        source_file.status = 'parsed'
        and (
            source_file.run is null
            or (source_file.configuration = run.configuration and source_file.run = run.run)
        )

group by run.configuration, run.run, run.run_no, run.used, run.excluded_reason, run.flags, run.lost_node, run.fault_at

order by run.run_no nulls last, run.run
"""
"""The runs of a store. `identity`: equal for the same run of two stores: its fault, where it has none its files."""

SUBJECTS: Final = ("milestone", "phase", "measurement", "disk")
NAMED: Final = (
    ("milestone_stats", "milestone", "milestone"),
    ("phase_stats", "phase", "phase"),
    ("measurement_stats", "metric", "measurement"),
    ("disk_load", "metric", "disk"),
)
"""Statistics, the column that names the thing, and what kind of thing it is."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One thing measured in both. Means, deviations and difference in `unit`; p of Welch's test, raw and after Holm.

    None: not to be had, as there are too few runs or no spread. `more_runs_to_show` and `more_runs_to_equal`: runs to
    add to the configuration that has fewer; None where nothing is open, or no number of runs would do.
    """

    subject: str
    item: str
    title: str
    unit: str | None
    label: str | None
    clients: int | None
    runs: int
    mean: float
    stddev: float | None
    reference_runs: int
    reference_mean: float
    reference_stddev: float | None
    difference: float
    difference_ci95_low: float | None
    difference_ci95_high: float | None
    ratio: float | None
    ratio_ci95_low: float | None
    ratio_ci95_high: float | None
    p_value: float | None
    p_holm: float | None
    comparisons: int
    verdict: str
    equivalence: str
    is_decided: bool
    more_runs_to_show: int | None
    more_runs_to_equal: int | None

    @property
    def is_drift(self) -> bool:
        """Whether the test shows a difference, adjusted for all that both have."""
        return self.p_holm is not None and self.p_holm < 0.05


@dataclass(frozen=True, slots=True)
class OneSided:
    """Something that only one of the two configurations has. `side`: `a` or `b`."""

    subject: str
    item: str
    side: str


@dataclass(frozen=True, slots=True)
class ParameterChange:
    """A parameter that differs. None: that configuration's files do not state it."""

    scope: str
    name: str
    description: str | None
    value: str | None
    reference_value: str | None


@dataclass(frozen=True, slots=True)
class Compared:
    """A configuration as it took part: runs that count, and those set aside with the reason."""

    name: str
    label: str
    store: str
    used_runs: int
    set_aside: tuple[str, ...]
    origin: DataOrigin = NOT_DECLARED


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that two configurations have in common, and what differs in their parameters."""

    a: Compared
    b: Compared
    margin_pct: float | None
    pairs: tuple[Pair, ...]
    one_sided: tuple[OneSided, ...]
    parameters: tuple[ParameterChange, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was measured in both, and no parameter is stated by both with different values."""
        return not self.pairs and all(None in (each.value, each.reference_value) for each in self.parameters)

    @property
    def is_built_in(self) -> bool:
        """Whether a program made the data of either side, so that differences show what was put into them."""
        return self.a.origin.is_built_in or self.b.origin.is_built_in

    def to_dict(self) -> dict[str, object]:
        """The comparison as JSON can hold it; each side with `origin` and `origin_note`, each pair with `built_in`."""
        found = asdict(self)
        for name, side in (("a", self.a), ("b", self.b)):
            found[name] |= {"origin": side.origin.origin, "origin_note": side.origin.note}
        found["pairs"] = [pair | {"built_in": self.is_built_in} for pair in found["pairs"]]
        return found | {"built_in": self.is_built_in}


@dataclass(frozen=True, slots=True)
class _Read:
    """What one store says of its configuration, under the name that it has while it is compared."""

    frames: Mapping[str, pl.DataFrame]
    compared: Compared
    margin_pct: float | None
    titles: Mapping[tuple[str, str], str]


def common(a: Side, b: Side, margin_pct: float | None = None) -> Comparison:
    """Compare A with B. Raises UsageError where they have nothing that could be compared."""
    found = compare(a, b, margin_pct)
    if found.is_empty:
        raise nothing_in_common((a, b))
    return found


def compare(a: Side, b: Side, margin_pct: float | None = None) -> Comparison:
    """Compare A with B. `margin_pct`: differences up to it are ignored; None: as study.toml says, B's first."""
    here, there = _read(a, A), _read(b, B)
    margin = next((each for each in (margin_pct, there.margin_pct, here.margin_pct) if each is not None), None)
    titles = {**here.titles, **there.titles}
    with duckdb.connect(":memory:") as con:
        _lay_out(con, "paired_comparison", _pairs(a, b))
        _fill(con, here, there, margin)
        pairs = rows(con, "select * from comparison")
        changes = rows(con, "select * from parameter_difference where configuration = $a order by scope, name", a=A)
    order = list(titles)
    found = [_pair(row, titles, margin) for row in pairs]
    found.sort(key=lambda pair: (SUBJECTS.index(pair.subject), _place(order, pair)))
    return Comparison(
        here.compared,
        there.compared,
        margin,
        tuple(found),
        tuple(_one_sided(here, there)),
        tuple(
            ParameterChange(row["scope"], row["name"], row["description"], row["value"], row["reference_value"])
            for row in changes
        ),
    )


def set_aside(runs: Sequence[Row]) -> tuple[str, ...]:
    """Of the rows of RUNS those that do not count, each with the reason."""
    return tuple(f"{each['run']}: {each['reason']}" for each in runs if not each["used"])


def _pairs(a: Side, b: Side) -> pl.DataFrame:
    """Pairs of runs of A and B, which only one store can hold; they are pairs in either direction."""
    with opened(a.store) as con:
        query = (
            "select * replace ($a as configuration, $b as reference) from main.paired_comparison "
            "where $is_one_store and [configuration, reference] in ([$here, $there], [$there, $here])"
        )
        sides = {"here": a.configuration, "there": b.configuration, "is_one_store": a.store == b.store}
        return frame_of(con.sql(query, params={"a": A, "b": B} | sides))


def _read(side: Side, name: str) -> _Read:
    with opened(side.store) as con:
        frames = {}
        for relation in STATISTICS:
            content = con.sql(
                f"select * from main.{relation} where configuration = $c", params={"c": side.configuration}
            )
            frame = frame_of(content).with_columns(pl.lit(name).alias("configuration"))
            is_of_system = ~pl.col("metric").is_in(OF_THE_TOOL) if "metric" in frame.columns else True
            frames[relation] = frame.filter(is_of_system)
        runs = [each for each in rows(con, RUNS) if each["configuration"] == side.configuration]
        labels = rows(con, "select label from main.configuration_order where configuration = $c", c=side.configuration)
        settings = rows(con, "select margin_pct from study.setting")
        titles = rows(
            con,
            "select 'milestone' as subject, milestone as item, coalesce(spanner || ': ', '') || label as title,"
            " position from main.milestone_order union all select 'phase', phase, any_value(label), min(position)"
            " from study.phase_rule group by phase order by subject, position",
        )
        origin = data_origins(con).of([side.configuration])
    return _Read(
        frames,
        Compared(
            side.name,
            str(labels[0]["label"]) if labels else side.configuration,
            str(side.store),
            sum(bool(each["used"]) for each in runs),
            set_aside(runs),
            origin,
        ),
        settings[0]["margin_pct"] if settings else None,
        {(row["subject"], row["item"]): row["title"] or row["item"] for row in titles},
    )


def _fill(con: duckdb.DuckDBPyConnection, here: _Read, there: _Read, margin_pct: float | None) -> None:
    """Lay out what the two statements read, then create them."""
    for relation in STATISTICS:
        _lay_out(con, relation, pl.concat([here.frames[relation], there.frames[relation]], how="vertical_relaxed"))
    con.execute("create schema study")
    con.execute("create table study.setting as select $margin::double as margin_pct", {"margin": margin_pct})
    con.execute(
        "create table comparison_pair as select *, false as is_proposed from (values (1, $b, $b), (2, $a, $b)) "
        "as places (position, configuration, reference)",
        {"a": A, "b": B},
    )
    con.execute("create table configuration_order as select position, configuration from comparison_pair")
    relations.create_macros(con)
    given = {*STATISTICS, "comparison_pair", "configuration_order", "paired_comparison"}
    for statement in relations.needed_for(STATEMENTS, given):
        con.execute(f"create view {statement.name} as {statement.sql}")


def _lay_out(con: duckdb.DuckDBPyConnection, relation: str, frame: pl.DataFrame) -> None:
    columns = ", ".join(f"{quoted(name)} {sql_type(dtype)}" for name, dtype in frame.schema.items())
    con.execute(f"create table {relation} ({columns})")
    insert(con, relation, frame)


def _pair(row: Row, titles: Mapping[tuple[str, str], str], margin_pct: float | None) -> Pair:
    to_add = runs_to_add(row)
    columns = {name: row[name] for name in Pair.__slots__ if name in row}
    return Pair(
        **columns,
        title=titles.get((row["subject"], row["item"]), row["item"]),
        equivalence=_equivalence(row, margin_pct),
        more_runs_to_show=to_add.to_show,
        more_runs_to_equal=to_add.to_equal,
    )


def _equivalence(row: Row, margin_pct: float | None) -> str:
    """Whether the whole interval of the ratio lies inside the margin (two one-sided tests), in words."""
    if not margin_pct or row["ratio_ci95_low"] is None:
        return "no interval" if margin_pct else "no margin"
    if row["is_equivalent"]:
        return "inside the margin"
    return "beyond the margin" if row["is_beyond_margin"] else "not shown"


def _one_sided(here: _Read, there: _Read) -> Sequence[OneSided]:
    found = []
    for relation, column, subject in NAMED:
        own = set(here.frames[relation].get_column(column))
        others = set(there.frames[relation].get_column(column))
        found += [OneSided(subject, item, A) for item in sorted(own - others)]
        found += [OneSided(subject, item, B) for item in sorted(others - own)]
    return found


def _place(order: Sequence[tuple[str, str]], pair: Pair) -> int:
    key = (pair.subject, pair.item)
    return order.index(key) if key in order else len(order)
