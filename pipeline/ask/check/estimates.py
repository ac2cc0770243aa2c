"""The statistic that a claim is about, with its 95 % interval, from the relations that hold the statistics.

Means, ratios and differences have the intervals of `milestone_stats`, `phase_stats`, `measurement_stats` and
`mean_comparison`; the last for the two configurations of the claim, regardless of the study's own references.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import duckdb

from pipeline.ask.check.confidence_intervals import cv_interval, share_interval, stddev_interval
from pipeline.ask.check.verdict import Estimate
from pipeline.errors import UsageError
from pipeline.store import relations
from pipeline.store.statements import Row, rows
from pipeline.study.manifest_entries import PAIR_STATISTICS
from pipeline.suggestions import hint

LEAST_RUNS = 3
"""Fewer runs give no interval."""

LEAST_RUNS_OF_MEDIAN = 6
"""From here on least and greatest value enclose the median with at least 95 %: 1 - 2 * 0.5^6."""

SHOWN_NAMES = 12

FEW_RUNS = f"fewer than {LEAST_RUNS} runs give no interval"


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind of thing that claims are about: where its statistics and its names are."""

    kind: str
    stats: str
    names: str


SUBJECTS = (
    Subject(
        "milestone",
        "select configuration, milestone as item, 's' as unit, null as label, null as clients, runs, mean_s as mean, "
        "stddev_s as stddev, uncertainty_s as uncertainty, common_error_s as common_error, common_cause, "
        "ci95_low_s as low, ci95_high_s as high, min_s as least, median_s as median, max_s as greatest "
        "from main.milestone_stats",
        "select distinct milestone from study.milestone_rule",
    ),
    Subject(
        "phase",
        "select configuration, phase as item, 's' as unit, null as label, null as clients, runs, "
        "mean_duration_s as mean, stddev_duration_s as stddev, uncertainty_s as uncertainty, "
        "common_error_s as common_error, common_cause, ci95_low_s as low, ci95_high_s as high, "
        "null as least, null as median, null as greatest from main.phase_stats",
        "select distinct phase from study.phase_rule",
    ),
    Subject(
        "measurement",
        "select configuration, metric as item, unit, label, clients, runs, mean, stddev, "
        "case when stddev > 0 then 0 else uncertainty end as uncertainty, common_error, "
        "null as common_cause, ci95_low as low, ci95_high as high, "
        '"min" as least, "median" as median, "max" as greatest from main.measurement_stats',
        "select distinct metric from main.measurement_stats",
    ),
)

COMPARED = """
with

asked as (

    select
        unnest($position::bigint[]) as position,
        unnest($subject::varchar[]) as subject,
        unnest($item::varchar[]) as item,
        unnest($unit::varchar[]) as unit,
        unnest($label::varchar[]) as label,
        unnest($clients::bigint[]) as clients,
        unnest($here::varchar[]) as here,
        unnest($there::varchar[]) as there,
        unnest($runs::bigint[]) as runs,
        unnest($mean::double[]) as mean,
        unnest($stddev::double[]) as stddev,
        unnest($uncertainty::double[]) as uncertainty,
        unnest($common_error::double[]) as common_error,
        unnest($common_cause::varchar[]) as common_cause,
        unnest($reference_runs::bigint[]) as reference_runs,
        unnest($reference_mean::double[]) as reference_mean,
        unnest($reference_stddev::double[]) as reference_stddev,
        unnest($reference_uncertainty::double[]) as reference_uncertainty,
        unnest($reference_common_error::double[]) as reference_common_error,
        unnest($reference_common_cause::varchar[]) as reference_common_cause

),

comparison_pair as (

    select position, 'here ' || position as configuration, 'there ' || position as reference, false as is_proposed

    from asked

),

sides as (

    select 'here ' || position as configuration, runs, mean, stddev, uncertainty, common_error, common_cause

    from asked

    union all

    select
        'there ' || position,
        reference_runs,
        reference_mean,
        reference_stddev,
        reference_uncertainty,
        reference_common_error,
        reference_common_cause

    from asked

),

sample_stats as (

    select
        *,
        'milestone' as subject,
        'item' as item,
        's' as unit,
        null::varchar as label,
        null::integer as clients,
        greatest(stddev, case when runs > 1 then uncertainty end) as known_stddev

    from sides

),

paired_comparison as (  -- pairs are pairs in either direction

    select
        'milestone' as subject,
        'item' as item,
        's' as unit,
        null::varchar as label,
        null::integer as clients,
        'here ' || asked.position as configuration,
        'there ' || asked.position as reference,
        found.pairs,
        found.difference_stddev,
        found.log_ratio_stddev

    from main.paired_comparison as found

    inner join asked
        on
            is_same_item(found, asked)
            and [found.configuration, found.reference] in ([asked.here, asked.there], [asked.there, asked.here])

)

select * from ({comparison}) as comparison where subject = 'milestone'
"""
"""`mean_comparison` for pairs that are asked about: each is a configuration and a reference of its own."""

COMPARED_COLUMNS = ("runs", "mean", "stddev", "uncertainty", "common_error", "common_cause")


@dataclass(frozen=True, slots=True)
class EstimateRequest:
    """What a claim asks for, by name; None: not given. `owner` names the claim in messages."""

    owner: str
    kind: str
    item: str
    statistic: str
    configuration: str | None
    reference: str | None
    label: str | None = None
    clients: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """An estimate, and the configurations that it turned out to be of."""

    estimate: Estimate
    configuration: str | None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Rows of statistics of two configurations that are to be compared."""

    here: Row
    there: Row


class _Statistics:
    """The statistics of a store; each kind is read once, for all that ask."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        self._by_item: dict[str, dict[str, list[Row]]] = {}

    def of(self, subject: Subject, item: str) -> list[Row]:
        """The rows of an item."""
        if subject.kind not in self._by_item:
            by_item = self._by_item[subject.kind] = {}
            for row in rows(self.con, f"select * from ({subject.stats}) order by all"):
                by_item.setdefault(row["item"], []).append(row)
        return self._by_item[subject.kind].get(item, [])

    @cached_property
    def references(self) -> dict[str, str | None]:
        """The reference of each configuration."""
        return dict(self.con.execute("select configuration, reference from configuration_order").fetchall())


def find_estimates(con: duckdb.DuckDBPyConnection, requests: Sequence[EstimateRequest]) -> list[Found]:
    """The statistics that are asked for; a name that the study does not know is a UsageError with the nearest one."""
    statistics = _Statistics(con)
    found = [_found(statistics, each) for each in requests]
    compared = iter(compare(con, [each for each in found if isinstance(each, _Pair)]))
    return [
        Found(
            _of_pair(request.statistic, each.here, next(compared)),
            each.here["configuration"],
            each.there["configuration"],
        )
        if isinstance(each, _Pair)
        else each
        for request, each in zip(requests, found, strict=True)
    ]


def _found(statistics: _Statistics, request: EstimateRequest) -> Found | _Pair:
    if request.kind == "outcome":
        return _outcome(statistics, request)
    subject = next(each for each in SUBJECTS if each.kind == request.kind)
    stats = statistics.of(subject, request.item)
    _refuse_unknown(statistics, request, subject, stats)
    here = _chosen(request, stats)
    if here is None:
        lack = f"no run shows it in {request.configuration}" if request.configuration else "no run shows it"
        return Found(Estimate(None, lack=lack), request.configuration, request.reference)
    if request.statistic not in PAIR_STATISTICS:
        return Found(_of_one(request, here), here["configuration"])
    reference = _reference(statistics, request, here["configuration"])
    there = _other_side(
        here, [row for row in stats if row["configuration"] == reference], is_declared=bool(request.reference)
    )
    if there is None:
        lack = f"no run shows it in {reference}, the reference, under the same load"
        return Found(Estimate(None, lack=lack), here["configuration"], reference)
    return _Pair({**here, "subject": request.kind}, there)


def compare(con: duckdb.DuckDBPyConnection, pairs: Sequence[_Pair]) -> list[Row]:
    """The rows of `mean_comparison` for pairs of samples: their runs, means, deviations and errors of measurement."""
    if not pairs:
        return []
    statement = next(each.sql for each in relations.catalogue() if each.name == "mean_comparison")
    values: dict[str, object] = {name: [each.here[name] for each in pairs] for name in COMPARED_COLUMNS}
    values |= {f"reference_{name}": [each.there[name] for each in pairs] for name in COMPARED_COLUMNS}
    values |= {name: [each.here[name] for each in pairs] for name in ("subject", "item", "unit", "label", "clients")}
    values |= {
        "position": list(range(len(pairs))),
        "here": [each.here["configuration"] for each in pairs],
        "there": [each.there["configuration"] for each in pairs],
    }
    found = {row["configuration"]: row for row in rows(con, COMPARED.format(comparison=statement), **values)}
    return [found[f"here {position}"] for position in range(len(pairs))]


# --- what became of runs ---------------------------------------------------------------------------------------------

OUTCOMES = """
select
    configuration,
    count(*) filter (where is_counted) as runs,
    count(*) filter (where outcome = $outcome and (is_counted or outcome = 'planned')) as found

from main.run_outcome

group by configuration
"""


def _outcome(statistics: _Statistics, request: EstimateRequest) -> Found:
    """How many runs came to an outcome, or their share with Wilson's interval. Planned take-overs have no share."""
    _refuse_unknown_configurations(statistics, request)
    found = {row["configuration"]: row for row in rows(statistics.con, OUTCOMES, outcome=request.item)}
    configuration = request.configuration or (next(iter(found)) if len(found) == 1 else None)
    if configuration is None and found:
        raise UsageError(f"{request.owner}: several configurations in the study; name one: {_listed(sorted(found))}")
    row = found.get(configuration or "")
    if row is None:
        return Found(Estimate(None, lack="no run with a fault"), configuration)
    runs, count = row["runs"], row["found"]
    if request.statistic == "runs":
        return Found(Estimate(float(count), runs=runs or count, is_exact=True), configuration)
    if runs == 0 or request.item == "planned":
        return Found(Estimate(None, lack="no run but planned take-overs"), configuration)
    low, high = share_interval(count, runs)
    return Found(Estimate(count / runs, low, high, runs=runs), configuration)


# --- which row is meant ----------------------------------------------------------------------------------------------


def _refuse_unknown(statistics: _Statistics, request: EstimateRequest, subject: Subject, stats: Sequence[Row]) -> None:
    if not stats:
        known = [name for (name,) in statistics.con.execute(subject.names).fetchall()]
        if request.item not in known:
            raise UsageError(
                f"{request.owner}: no {request.kind} {request.item!r} in the study{hint(request.item, known)}"
            )
    _refuse_unknown_configurations(statistics, request)


def _refuse_unknown_configurations(statistics: _Statistics, request: EstimateRequest) -> None:
    configurations = list(statistics.references)
    for name in (request.configuration, request.reference):
        if name is not None and name not in configurations:
            raise UsageError(f"{request.owner}: no configuration {name!r} in the study{hint(name, configurations)}")


def _chosen(request: EstimateRequest, stats: Sequence[Row]) -> Row | None:
    """The row of the statistics that a claim means; a UsageError where several could be meant."""
    meant = [
        row
        for row in stats
        if request.configuration in (None, row["configuration"])
        and request.label in (None, row["label"])
        and request.clients in (None, row["clients"])
    ]
    if len(meant) <= 1:
        return next(iter(meant), None)
    for key in ("configuration", "label", "clients"):
        values = list(dict.fromkeys(str(row[key]) for row in meant))
        if len(values) > 1:
            raise UsageError(f"{request.owner}: several {request.item!r} in the study; give `{key}`: {_listed(values)}")
    units = _listed([str(row["unit"]) for row in meant])
    raise UsageError(f"{request.owner}: {request.item!r} was measured in several units ({units}); use `sql`")


def _reference(statistics: _Statistics, request: EstimateRequest, configuration: str) -> str:
    found = request.reference or statistics.references.get(configuration)
    if found is None:
        raise UsageError(f"{request.owner}: {request.statistic} needs a key `reference`, a configuration of the study")
    if found == configuration:
        raise UsageError(f"{request.owner}: {configuration!r} is compared with itself; name another `reference`")
    return found


def _other_side(here: Row, rows: Sequence[Row], *, is_declared: bool) -> Row | None:
    """The reference's row: measured alike; or, where the claim names the reference, its only one of that unit."""
    alike = [row for row in rows if all(row[key] == here[key] for key in ("unit", "label", "clients"))]
    of_unit = [row for row in rows if row["unit"] == here["unit"]]
    if not alike and is_declared and len(of_unit) == 1:
        return of_unit[0]
    return next(iter(alike), None)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(each) for each in names[:SHOWN_NAMES])
    return f"{shown}, ..." if len(names) > SHOWN_NAMES else shown


# --- what it says ----------------------------------------------------------------------------------------------------


def _of_one(request: EstimateRequest, row: Row) -> Estimate:
    runs, unit = row["runs"], row["unit"] or ""
    if request.statistic == "runs":
        return Estimate(float(runs), runs=runs, is_exact=True)
    if request.statistic in ("min", "max"):
        value = row["least" if request.statistic == "min" else "greatest"]
        return Estimate(_needed(request, value), unit=unit, runs=runs, is_exact=True)
    if request.statistic == "median":
        low, high = _median_interval(row) if runs >= LEAST_RUNS_OF_MEDIAN else (None, None)
        lack = f"fewer than {LEAST_RUNS_OF_MEDIAN} runs give no interval of a median"
        return Estimate(_needed(request, row["median"]), low, high, unit, runs, lack=lack)
    if request.statistic == "mean":
        return Estimate(row["mean"], row["low"], row["high"], unit=unit, runs=runs, lack=FEW_RUNS)
    return _of_spread(request.statistic, row)


def _needed(request: EstimateRequest, value: float | None) -> float:
    if value is None:
        raise UsageError(
            f"{request.owner}: a {request.kind} has no statistic {request.statistic!r}; "
            "it has mean, stddev, cv_pct, runs and comparisons with a reference"
        )
    return value


def _of_spread(statistic: str, row: Row) -> Estimate:
    runs = row["runs"]
    is_cv = statistic == "cv_pct"
    unit = "%" if is_cv else row["unit"] or ""
    stddev, mean = row["stddev"], abs(row["mean"])
    if stddev is None or (is_cv and mean == 0):
        return Estimate(None, unit=unit, runs=runs, lack="one run has no spread, and a mean of zero no share of it")
    value = 100 * stddev / mean if is_cv else stddev
    if runs < LEAST_RUNS:
        return Estimate(value, unit=unit, runs=runs, lack=FEW_RUNS)
    # what the errors of measurement may cause is no spread of what was measured; nor can less than that be excluded
    uncertainty = row["uncertainty"] or 0.0
    widest = max(stddev, uncertainty)
    if not is_cv:
        low, high = stddev_interval(widest, runs)
        return Estimate(value, _beyond(min(low, stddev), uncertainty), high, unit, runs)
    low, upper = cv_interval(widest / mean, runs)
    lack = "the spread is too wide for its interval to have an upper end"
    lower = 100 * _beyond(min(low, stddev / mean), uncertainty / mean)
    return Estimate(value, lower, None if upper is None else 100 * upper, unit=unit, runs=runs, lack=lack)


def _beyond(spread: float, uncertainty: float) -> float:
    """What is left of a standard deviation once errors of measurement are taken out."""
    return math.sqrt(max(spread**2 - uncertainty**2, 0.0))


def _median_interval(row: Row) -> tuple[float, float]:
    """From the least to the greatest run, each as far out as stamps and common errors may have moved it."""
    error = math.sqrt(3) * (row["uncertainty"] or 0.0) + (row["common_error"] or 0.0)
    is_duration = row["unit"] == "s" and row["least"] is not None and row["least"] >= 0
    low = row["least"] - error
    return (max(low, 0.0) if is_duration else low), row["greatest"] + error


def _of_pair(statistic: str, here: Row, pair: Row) -> Estimate:
    runs = min(pair["runs"], pair["reference_runs"])
    if statistic == "difference":
        low, high = pair["difference_ci95_low"], pair["difference_ci95_high"]
        return Estimate(pair["difference"], low, high, here["unit"] or "", runs, lack=FEW_RUNS)
    ratio, low, high = pair["ratio"], pair["ratio_ci95_low"], pair["ratio_ci95_high"]
    if ratio is None:
        return Estimate(None, runs=runs, lack="no ratio: a mean is not above zero")
    if statistic == "ratio":
        return Estimate(ratio, low, high, runs=runs, lack=FEW_RUNS)
    if statistic == "reduction_pct":
        return Estimate(_percent(1, ratio), _percent(1, high), _percent(1, low), "%", runs, lack=FEW_RUNS)
    return Estimate(_percent(ratio, 1), _percent(low, 1), _percent(high, 1), "%", runs, lack=FEW_RUNS)


def _percent(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else 100 * (one - other)
