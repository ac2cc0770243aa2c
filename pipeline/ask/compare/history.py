"""One milestone or measurement over several studies, in the order of time: how nightly tests of failover drift."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pipeline.ask.compare.compare import Pair, compare
from pipeline.ask.compare.sides import Side
from pipeline.errors import UsageError
from pipeline.meant import meant
from pipeline.store.statements import Row, rows
from pipeline.store.store import info, opened

POINTS = """
select
    stats.configuration,
    'milestone' as subject,
    stats.milestone as item,
    's' as unit,
    null as label,
    null as clients,
    stats.runs,
    stats.mean_s as mean,
    stats.stddev_s as stddev,
    stats.ci95_low_s as ci95_low,
    stats.ci95_high_s as ci95_high,
    coalesce(steps.is_headline, false) as is_headline

from milestone_stats as stats

left join recovery_step as steps using (configuration, milestone)

union all

select
    configuration, 'measurement', metric, unit, label, clients, runs, mean, stddev, ci95_low, ci95_high, false

from measurement_stats

order by all
"""
TIMES = 'select configuration, min("at") as "at" from run_time where "at" is not null group by configuration'


@dataclass(frozen=True, slots=True)
class Point:
    """A study in a history. `at`: its first run, UTC; `verdict`: against the first, `change`: against the previous.

    Mean and interval are in the unit of the history; None: too few runs.
    """

    study: str
    store: str
    at: datetime | None
    configuration: str
    runs: int
    mean: float
    stddev: float | None
    ci95_low: float | None
    ci95_high: float | None
    ratio: float | None
    verdict: str
    change: str
    is_drift: bool


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one configuration, label and load, in order of time."""

    configuration: str
    subject: str
    item: str
    unit: str | None
    label: str | None
    clients: int | None
    points: tuple[Point, ...]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Study:
    name: str
    store: Path
    rows: tuple[Row, ...]
    times: dict[str, datetime]

    def at(self, configuration: str) -> datetime | None:
        return self.times.get(configuration) or min(self.times.values(), default=None)


def history(stores: Sequence[Path], item: str = "", configuration: str = "") -> list[Series]:
    """The series of a milestone or measurement over stores; without a name that of the time to recovery.

    Raises UsageError for a name that no store has.
    """
    studies = [_read(each) for each in stores]
    every = [row for study in studies for row in study.rows]
    _require(item, [row["item"] for row in every], "milestone or measurement")
    _require(configuration, [row["configuration"] for row in every], "configuration")
    chosen: dict[tuple[object, ...], list[tuple[_Study, Row]]] = {}
    for study in studies:
        for row in study.rows:
            if _is_chosen(row, item) and configuration in ("", row["configuration"]):
                key = tuple(row[name] for name in ("configuration", "subject", "item", "unit", "label", "clients"))
                chosen.setdefault(key, []).append((study, row))
    return [_series(found) for found in chosen.values()]


def _is_chosen(row: Row, item: str) -> bool:
    return row["item"] == item if item else bool(row["is_headline"])


def _read(store: Path) -> _Study:
    with opened(store) as con:
        times = {row["configuration"]: row["at"] for row in rows(con, TIMES)}
        return _Study(info(con, store).study, store, tuple(rows(con, POINTS)), times)


def _require(name: str, known: Sequence[str], what: str) -> None:
    if name and name not in known:
        near = meant(name, known)
        listing = ", ".join(dict.fromkeys(known))
        advice = f"did you mean {near[0]}?" if near else f"known: {listing}"
        raise UsageError(f"{name}: no {what} of these stores; {advice}")


def _series(found: Sequence[tuple[_Study, Row]]) -> Series:
    last = datetime.max  # noqa: DTZ901  a study without times comes last
    ordered = sorted(found, key=lambda each: (each[0].at(each[1]["configuration"]) or last, str(each[0].store)))
    first_study, first = ordered[0]
    points = []
    for number, (study, row) in enumerate(ordered):
        since_first = _pair(study, first_study, row) if number else None
        previous = ordered[number - 1][0]
        since_last = since_first if number == 1 else (_pair(study, previous, row) if number else None)
        points.append(
            Point(
                study.name,
                str(study.store),
                study.at(row["configuration"]),
                row["configuration"],
                row["runs"],
                row["mean"],
                row["stddev"],
                row["ci95_low"],
                row["ci95_high"],
                since_first.ratio if since_first else None,
                since_first.verdict if since_first else "first",
                since_last.verdict if since_last else "",
                since_first is not None and _excludes_one(since_first),
            )
        )
    return Series(
        first["configuration"],
        first["subject"],
        first["item"],
        first["unit"],
        first["label"],
        first["clients"],
        tuple(points),
    )


def _pair(study: _Study, other: _Study, row: Row) -> Pair | None:
    """The row's item in a study against the same in another one."""
    configuration = row["configuration"]
    if study.store.resolve() == other.store.resolve():
        return None
    here, there = (Side(configuration, each.store, configuration) for each in (study, other))
    keys = ("subject", "item", "unit", "label", "clients")
    found = compare(here, there).pairs
    return next((each for each in found if all(getattr(each, name) == row[name] for name in keys)), None)


def _excludes_one(pair: Pair) -> bool:
    """Whether the adjusted test shows a difference."""
    return pair.p_holm is not None and pair.p_holm < 0.05
