"""What figures of measurements share: a metric of some configurations, its means with intervals, and every run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from pipeline.errors import UsageError
from reports import numbers
from reports.figures.marks import behind, line_of, place_of
from reports.figures.model import Behind
from reports.figures.request import PLAIN, Normalised, Request
from reports.metrics import name_of, title_of
from reports.study.store import Row
from reports.study.view import Configuration, StudyView
from reports.words import counted

PARTS = {"of": "label", "clients": "clients"}
"""What a metric may be of besides a configuration: options, and the columns that they choose from."""

DATA_NAMES = ("configuration", "run", "metric", "unit", "value", "path", "line_no")


@dataclass(frozen=True)
class Measured:
    """A metric in a unit, of some configurations, with the statistics and values of all that have it.

    With `is_normalised` the mean of a configuration's reference is 1, or with `base` that of this one configuration.
    """

    study: StudyView
    metric: str
    unit: str | None
    members: Sequence[Configuration]
    stats: Sequence[Row]
    values: Sequence[Row]
    is_normalised: bool = False
    base: str | None = None
    source: str = "relations measurement and measurement_stats"

    @property
    def title(self) -> str:
        """Heading of the value axis."""
        if self.base is not None:
            return f"{name_of(self.metric)}, {self.study.label_inside(self.base)} = 1"
        if self.is_normalised:
            return f"{name_of(self.metric)}, reference = 1"
        return title_of(self.metric, self.unit)

    @property
    def heading(self) -> str:
        """The title as a sentence begins."""
        return self.title[:1].upper() + self.title[1:]

    @cached_property
    def points(self) -> dict[str, Row]:
        """Mean and interval by configuration, in the order of the configurations."""
        rows = {row["configuration"]: row for row in self.stats}
        return {key: self._point(rows[key]) for key in self._keys if key in rows}

    @cached_property
    def runs(self) -> list[Row]:
        """Every run's value, with where it is."""
        return [self._run(row) for row in self._values]

    @property
    def data_rows(self) -> tuple[tuple[object, ...], ...]:
        """Values of the runs as data files have them."""
        return tuple(tuple(row[key] for key in DATA_NAMES) for row in self.runs)

    @property
    def description(self) -> str:
        """The means in words."""
        return "; ".join(str(each["in_words"]) for each in self.points.values())

    @property
    def behind(self) -> dict[str, Behind]:
        """Where the numbers of marks come from that no line shows: means, and runs without a line."""
        means = [row for row in self.stats if row["configuration"] in self.points]
        points = [(str(self.points[row["configuration"]]["description"]), row) for row in means]
        runs = [(str(self._run(row)["description"]), row) for row in self._values if not row["path"]]
        return behind("mean", points) | behind("value", runs)

    @property
    def _values(self) -> list[Row]:
        return [row for row in self.values if row["configuration"] in self._keys]

    @cached_property
    def _keys(self) -> list[str]:
        return [each.configuration for each in self.members]

    @cached_property
    def _decimals(self) -> int:
        """Of all means, which are below each other."""
        shown = [row for row in self.stats if row["configuration"] in self._keys]
        ends = [row[end] for row in shown for end in ("ci95_low", "ci95_high")]
        means = [row["mean"] for row in shown]
        return numbers.RATIO_DECIMALS if self.is_normalised else numbers.common_decimals(means, ends)

    def _point(self, row: Row) -> Row:
        divisor = self._divisor(row["configuration"])
        mean = row["mean"] / divisor
        low = mean if row["ci95_low"] is None else row["ci95_low"] / divisor
        high = mean if row["ci95_high"] is None else row["ci95_high"] / divisor
        printed = numbers.fixed(mean, self._decimals)
        if row["ci95_low"] is not None:
            printed += f" ({numbers.interval(low, high, self._decimals)})"
        label = self.study.label(row["configuration"])
        in_words = f"{label}: mean {printed} over {counted(row['runs'], 'run')}"
        return {
            "key": row["configuration"],
            "mean": _short(mean),
            "low": _short(low),
            "high": _short(high),
            "printed": printed,
            "in_words": in_words,
            "description": f"{in_words} ({_mean_of(row)})",
        }

    def _run(self, row: Row) -> Row:
        label = self.study.label(row["configuration"])
        return {
            **row,
            "shown": _short(row["value"] / self._divisor(row["configuration"])),
            "description": f"{label}, {row['run']}: {numbers.compact(row['value'])} {row['unit'] or ''}{line_of(row)}",
            "place": place_of(row),
        }

    def _divisor(self, configuration: str) -> float:
        if not self.is_normalised:
            return 1.0
        own = next((each.reference for each in self.members if each.configuration == configuration), None)
        reference = self.base or own
        for row in self.stats:
            if row["configuration"] == reference and row["mean"]:
                return float(row["mean"])
        raise UsageError(
            f"{self.metric} cannot be normalised: configuration {configuration!r} has no reference with this metric; "
            "set `reference` in study.toml"
        )


def _mean_of(row: Row) -> str:
    """What a mean is of, as the lists of its runs name it: a metric, of a device or a command, under a load."""
    load = None if row.get("clients") is None else counted(row["clients"], "client")
    return ", ".join(filter(None, (name_of(row["metric"]), row.get("device"), row.get("label"), load)))


def measured(  # noqa: PLR0913, PLR0917  what of the store is meant, by its columns
    study: StudyView,
    metric: str,
    unit: str | None,
    members: Sequence[Configuration],
    normalised: Normalised = PLAIN,
    of: Mapping[str, object] = MappingProxyType({}),
) -> Measured:
    """A metric of the store. `of`: values of the columns of `PARTS` that are meant, where there are several."""
    stats, values = (
        _meant(rows, {"metric": metric, "unit": unit, **of})
        for rows in (study.rows("measurements"), study.measurement_runs)
    )
    return Measured(study, metric, unit, members, stats, values, *normalised)


def asked(request: Request, metric: object) -> Measured:
    """What study.toml asks for, or an error that names the metrics there are."""
    study, members, owner = request.study, request.members, request.owner
    known = sorted({row["metric"] for row in study.rows("measurements")})
    if metric not in known:
        raise UsageError(f"{owner}: no metric {metric!r} in the data; known: {', '.join(known) or 'none'}")
    keys = {each.configuration for each in members}
    of = {column: request.options[option] for option, column in PARTS.items() if option in request.options}
    rows = [row for row in _meant(study.rows("measurements"), {"metric": metric, **of}) if row["configuration"] in keys]
    for option, column in PARTS.items():
        if has_several(rows, column):
            several = ", ".join(sorted({str(row[column]) for row in rows}, key=lambda text: (len(text), text)))
            raise UsageError(f"{owner}: {metric} has several {column}; option `{option}` picks one: {several}")
    units = {row["unit"] for row in rows}
    if len(units) > 1:
        declared = ", ".join(sorted(map(str, units)))
        raise UsageError(f"{owner}: the configurations state {metric} in different units: {declared}")
    declared_by = {row["configuration"] for row in rows}
    shown = [each for each in members if each.configuration in declared_by]
    return measured(study, str(metric), next(iter(units), None), shown, request.normalised(), of)


def has_several(rows: Sequence[Row], column: str) -> bool:
    """Whether the values of a column differ within any configuration."""
    pairs = {(row["configuration"], row[column]) for row in rows}
    return len(pairs) > len({configuration for configuration, _ in pairs})


def _meant(rows: Sequence[Row], of: Mapping[str, object]) -> list[Row]:
    """The rows that have these values."""
    return [row for row in rows if all(row[column] == value for column, value in of.items())]


def _short(value: float) -> float:
    return float(f"{value:.7g}")
