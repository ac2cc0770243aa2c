"""Time series of a few configurations in one panel, distinct in colour, lightness and dash."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from reports.figures.marks import numbers_along, silent
from reports.figures.model import SERIES_COLOURS, TEXT_WIDTH, Spec
from reports.figures.series.points import series_key, thinned
from reports.study.store import Row
from reports.study.view import Configuration
from reports.typeset.text import short_names
from reports.words import counted

MOST_OVERLAID = len(SERIES_COLOURS)
"""Configurations in one panel: more than these look alike."""

MEANS = 60
"""Points that the mean of several runs is drawn through."""

PANEL_HEIGHT = 92
PANEL_HEIGHT_OF_A_LINE = 42
HEADROOM = 1.05
NAME_CELLS = 40  # what 240 CSS pixels of a legend hold
DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3])


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is drawn: rows with configuration, run, line, x and value, in order of x; and what the axes say.

    `highest` of each line, in the order of their panels, is the largest value that its axis has room for.
    """

    members: Sequence[Configuration]
    rows: Sequence[Row]
    highest: Mapping[str, float]
    left: float
    right: float
    seconds: str
    value: str

    def panels(self) -> list[Spec]:
        """A panel, or one for each kind of line.

        Runs are thin; where a configuration has several, their mean is thick and dashed as the legend has it.
        """
        lines = list(self.highest)
        return [self._panel(line, is_last=line == lines[-1], is_lone=len(lines) == 1) for line in lines]

    def note(self) -> str:
        """What the lines are, for below the figure."""
        scales = ", a scale for each panel" if len({row["line"] for row in self.rows}) > 1 else ""
        if _has_several(self.rows):
            return f"Thin: single runs. Thick: mean of the runs{scales}."
        return f"Lines: single runs{scales}."

    def _panel(self, line: str, *, is_last: bool, is_lone: bool) -> Spec:
        own = [row for row in self.rows if row["line"] == line]
        names = self._names()
        labels = list(names.values())
        x = numbers_along(self.seconds if is_last else None, self.left, self.right, 8, grid=False, labels=is_last)
        x["axis"]["ticks"] = is_last
        top = self.highest.get(line, 1.0) * HEADROOM or 1.0
        place: Spec = {
            "x": {**x, "field": "x"},
            "y": {**numbers_along(None, 0, top, 4, domain=False, minExtent=44), "field": "value"},
            "detail": {"field": "run"},
            "color": _by_configuration(labels, SERIES_COLOURS),
            "strokeDash": _by_configuration(labels, DASHES),
        }
        runs = [point for member in self.members for point in _runs(member, names[member.label], own)]
        layers = [silent(runs, "line", place, strokeWidth=1.6)]
        if _has_several(own):
            thin = {key: value for key, value in place.items() if key != "strokeDash"}
            mean = {**place, "detail": {"field": "line"}}
            layers = [
                silent(runs, "line", thin, strokeWidth=0.8, opacity=0.4),
                silent(self._means(names, own), "line", mean, strokeWidth=2.2),
            ]
        heading = f"{self.value}, {self._counts(own)}" if is_lone else f"{line}, {self.value}"
        return {
            "title": {"text": heading},
            "width": TEXT_WIDTH - 70,
            "height": PANEL_HEIGHT if is_lone else PANEL_HEIGHT_OF_A_LINE,
            "layer": layers,
        }

    def _names(self) -> dict[str, str]:
        """Labels as the legend has room for them, no two alike."""
        return short_names([member.label for member in self.members], NAME_CELLS)

    def _means(self, names: Mapping[str, str], own: Sequence[Row]) -> list[Spec]:
        """Means of runs over equal parts of the axis; a part that some run has no point in is left out."""
        width = max((self.right - self.left) / MEANS, _spacing(own)) or 1.0
        found = []
        for member in self.members:
            parts: dict[int, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
            rows = [row for row in own if row["configuration"] == member.configuration]
            for row in rows:
                parts[int((row["x"] - self.left) // width)][str(row["run"])].append(row)
            runs = len({row["run"] for row in rows})
            shared = [list(by_run.values()) for _, by_run in sorted(parts.items()) if len(by_run) == runs]
            found += [
                {
                    "configuration": names[member.label],
                    "line": member.configuration,
                    "x": round(_mean_of_runs("x", by_run), 3),
                    "value": float(f"{_mean_of_runs('value', by_run):.6g}"),
                }
                for by_run in shared
            ]
        return found

    def _counts(self, own: Sequence[Row]) -> str:
        runs = [len({row["run"] for row in own if row["configuration"] == each.configuration}) for each in self.members]
        return f"{counted(runs[0], 'run')} each" if len(set(runs)) == 1 else counted(sum(runs), "run")


def _by_configuration(labels: Sequence[str], looks: Sequence[object]) -> Spec:
    legend = {"title": None, "orient": "top", "columns": 2, "symbolSize": 900, "symbolStrokeWidth": 2.2}
    legend |= {"symbolOpacity": 1, "labelLimit": 240}
    scale = {"domain": list(labels), "range": list(looks[: len(labels)])}
    return {"field": "configuration", "type": "nominal", "sort": list(labels), "scale": scale, "legend": legend}


def _runs(member: Configuration, name: str, own: Sequence[Row]) -> list[Spec]:
    rows = [row for row in own if row["configuration"] == member.configuration]
    return [
        {**point, "configuration": name, "run": f"{member.configuration} {point['run']}"}
        for _, run in groupby(rows, key=series_key)
        for point in thinned(list(run))
    ]


def _spacing(rows: Sequence[Row]) -> float:
    """The longest mean distance of two neighbours in a run: no part of the axis is shorter than it."""
    found = 0.0
    for _, run in groupby(rows, key=lambda row: (row["configuration"], *series_key(row))):
        places = [row["x"] for row in run]
        found = max(found, (places[-1] - places[0]) / max(len(places) - 1, 1))
    return found


def _mean_of_runs(key: str, by_run: Sequence[Sequence[Row]]) -> float:
    return fmean([fmean([row[key] for row in run]) for run in by_run])


def _has_several(rows: Sequence[Row]) -> bool:
    """Whether any configuration has more than one run."""
    runs = {(row["configuration"], row["run"]) for row in rows}
    return len(runs) > len({configuration for configuration, _ in runs})
