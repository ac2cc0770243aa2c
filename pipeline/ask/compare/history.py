"""One milestone or measurement over several studies, in the order of time: how nightly tests of failover drift."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pipeline.ask.compare.compare import RUNS, Pair, compare, set_aside
from pipeline.ask.compare.sides import Side, is_one_each, require_labels
from pipeline.ask.compare.strangers import OF_THE_TOOL, nothing_in_common
from pipeline.errors import UsageError
from pipeline.store.statements import Row, rows
from pipeline.store.store import info, opened
from pipeline.suggestions import close_names

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

where not list_contains($of_the_tool, metric)

order by all
"""
ITEM = ("subject", "item", "unit", "label", "clients")
"""What makes two results of two configurations the same thing."""

TIMES = 'select configuration, min("at") as "at" from run_time where "at" is not null group by configuration'


@dataclass(frozen=True, slots=True)
class Point:
    """A study in a history. `at`: its first run, UTC; `verdict`: against the first, `change`: against the previous.

    Mean and interval are in the unit of the history; None: too few runs. `set_aside`: runs that do not count, and why.
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
    set_aside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one label and load, in order of time. `configuration`: of the first; points may have others."""

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
class History:
    """Series over studies. `notes`: what is compared with nothing, and studies that have runs of another, in words."""

    series: tuple[Series, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Study:
    name: str
    store: Path
    rows: tuple[Row, ...]
    times: dict[str, datetime]
    runs: tuple[Row, ...]

    @property
    def identities(self) -> list[str]:
        """Of the runs that count."""
        return [row["identity"] for row in self.runs if row["used"] and row["identity"]]

    def at(self, configuration: str) -> datetime | None:
        return self.times.get(configuration) or min(self.times.values(), default=None)


def history(stores: Sequence[Path], item: str = "", configuration: str = "", labels: Sequence[str] = ()) -> History:
    """A milestone or measurement over stores; without a name the time to recovery, or all where no store has one.

    A series is of one configuration; of all, whatever they are called, where each store has one. `labels`: what the
    studies are called. A study whose runs are all in an earlier argument is a copy, and left out. Raises UsageError
    for a name that no store has, and for stores that have nothing in common.
    """
    require_labels(labels, len(stores), "store")
    named = labels or [""] * len(stores)
    studies, notes = _once([_read(store, label) for store, label in zip(stores, named, strict=True)])
    every = [row for study in studies for row in study.rows]
    _require(item, [row["item"] for row in every], "milestone or measurement")
    _require(configuration, [row["configuration"] for row in every], "configuration")
    has_recovery = any(row["is_headline"] for row in every)
    is_one = is_one_each([row["configuration"] for row in study.rows] for study in studies)
    chosen: dict[tuple[object, ...], list[tuple[_Study, Row]]] = {}
    for study in studies:
        for row in study.rows:
            if row["item"] == item if item else row["is_headline"] or not has_recovery:
                name = "" if is_one else row["configuration"]
                chosen.setdefault((name, *(row[key] for key in ITEM)), []).append((study, row))
    found = [each for each in chosen.values() if configuration in ("", *(row["configuration"] for _, row in each))]
    if len(studies) > 1 and all(len(each) == 1 for each in found):
        raise nothing_in_common(Side(each.name, each.store, "") for each in studies)
    series = tuple(_series(each) for each in found)
    names = {(each.points[0].study, each.configuration): each.item for each in series if len(each.points) == 1}
    if len(studies) > 1:
        notes += [f"not compared: {study} alone has {name}: {each}" for (study, name), each in names.items()]
    return History(series, tuple(notes))


def _once(studies: Sequence[_Study]) -> tuple[list[_Study], list[str]]:
    """The studies without copies of an earlier one, and what was left out or counts twice, in words."""
    kept: list[_Study] = []
    notes = []
    for study in studies:
        own = study.identities
        shared = [(sum(each in other.identities for each in own), other) for other in kept]
        count, other = max(shared, key=lambda each: each[0], default=(0, study))
        if count and count == len(own):
            notes.append(f"left out: {study.store} is a copy: {other.name} ({other.store}) has all its runs")
            continue
        if count:
            notes.append(f"{count} of {len(own)} runs of {study.name} are runs of {other.name} too, and count in both")
        kept.append(study)
    return kept, notes


def _read(store: Path, label: str) -> _Study:
    with opened(store) as con:
        times = {row["configuration"]: row["at"] for row in rows(con, TIMES)}
        name = label or info(con, store).study
        return _Study(
            name, store, tuple(rows(con, POINTS, of_the_tool=list(OF_THE_TOOL))), times, tuple(rows(con, RUNS))
        )


def _require(name: str, known: Sequence[str], what: str) -> None:
    if name and name not in known:
        near = close_names(name, known)
        listing = ", ".join(dict.fromkeys(known))
        advice = f"did you mean {near[0]}?" if near else f"known: {listing}"
        raise UsageError(f"{name}: no {what} of these stores; {advice}")


def _series(found: Sequence[tuple[_Study, Row]]) -> Series:
    last = datetime.max  # noqa: DTZ901  a study without times comes last
    ordered = sorted(found, key=lambda each: (each[0].at(each[1]["configuration"]) or last, str(each[0].store)))
    _, first = ordered[0]
    points = []
    for number, (study, row) in enumerate(ordered):
        since_first = _pair((study, row), ordered[0]) if number else None
        since_last = since_first if number == 1 else (_pair((study, row), ordered[number - 1]) if number else None)
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
                since_first is not None and since_first.is_drift,
                set_aside([each for each in study.runs if each["configuration"] == row["configuration"]]),
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


def _pair(here: tuple[_Study, Row], there: tuple[_Study, Row]) -> Pair | None:
    """The row's item in a study against the same in another one."""
    a, b = (Side(row["configuration"], study.store, row["configuration"]) for study, row in (here, there))
    found = compare(a, b).pairs
    return next((each for each in found if all(getattr(each, name) == here[1][name] for name in ITEM)), None)
