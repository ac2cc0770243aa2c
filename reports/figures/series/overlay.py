"""Time series of a few configurations in one panel, distinct in colour, lightness and dash."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Look, Point
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import Axis, Entry, Line, Mark, Panel
from reports.figures.draw.style import DASHES, SERIES_COLOURS
from reports.figures.series.points import lines_of, series_key
from reports.study.store import Row
from reports.study.view import Configuration
from reports.words import counted

MOST_OVERLAID = len(SERIES_COLOURS)
"""Configurations in one panel: more than these look alike."""

MEANS = 60
"""Points that the mean of several runs is drawn through."""

PANEL_HEIGHT = 92
PANEL_HEIGHT_OF_A_LINE = 48
HEADROOM = 1.05


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is drawn: rows with configuration, run, line, x and value, in order of x; and what the axes say.

    `highest` of each line, in the order of their panels, is the largest value that its axis has room for.
    """

    members: Sequence[Configuration]
    rows: Sequence[Row]
    highest: Mapping[str, float]
    x: Scale
    seconds: str
    value: str

    def chart(self) -> Chart:
        """A panel, or one for each kind of line.

        Runs are thin; where a configuration has several, their mean is thick and dashed as the legend has it.
        """
        panels = tuple(self._panel(line, is_lone=len(self.highest) == 1) for line in self.highest)
        legend = [Entry(each.label, self._look(place, 2.0), is_line=True) for place, each in enumerate(self.members)]
        return Chart(panels, tuple(legend))

    def note(self) -> str:
        """What the lines are, for below the figure."""
        scales = ", a scale for each panel" if len({row["line"] for row in self.rows}) > 1 else ""
        if _has_several(self.rows):
            return f"Thin: single runs. Thick: mean of the runs{scales}."
        return f"Lines: single runs{scales}."

    def _panel(self, line: str, *, is_lone: bool) -> Panel:
        own = [row for row in self.rows if row["line"] == line]
        marks: list[Mark] = []
        has_means = _has_several(own)
        for place, member in enumerate(self.members):
            thin = replace(self._look(place, 0.8), dash=(), opacity=0.4)
            rows = [row for row in own if row["configuration"] == member.configuration]
            marks += lines_of(rows, thin if has_means else self._look(place, 1.6))
        if has_means:
            marks += [Line(self._means(each, own), self._look(place, 2.0)) for place, each in enumerate(self.members)]
        return Panel(
            Axis(self.x, self.seconds, has_grid=False),
            Axis(from_zero([self.highest.get(line, 1.0)], HEADROOM)),
            marks,
            title="" if is_lone else line,
            subtitle=f"{self.value}, {self._counts(own)}" if is_lone else self.value,
            height=PANEL_HEIGHT if is_lone else PANEL_HEIGHT_OF_A_LINE,
        )

    def _look(self, place: int, width: float) -> Look:
        """The line of a configuration."""
        return Look(stroke=SERIES_COLOURS[place % MOST_OVERLAID], width=width, dash=DASHES[place % MOST_OVERLAID])

    def _means(self, member: Configuration, own: Sequence[Row]) -> tuple[Point, ...]:
        """Means of runs over equal parts of the axis; a part that some run has no point in is left out."""
        width = max((self.x.high - self.x.low) / MEANS, _spacing(own)) or 1.0
        parts: dict[int, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        rows = [row for row in own if row["configuration"] == member.configuration]
        for row in rows:
            parts[int((row["x"] - self.x.low) // width)][str(row["run"])].append(row)
        runs = len({row["run"] for row in rows})
        shared = [list(by_run.values()) for _, by_run in sorted(parts.items()) if len(by_run) == runs]
        return tuple((_mean_of_runs("x", by_run), _mean_of_runs("value", by_run)) for by_run in shared)

    def _counts(self, own: Sequence[Row]) -> str:
        runs = [len({row["run"] for row in own if row["configuration"] == each.configuration}) for each in self.members]
        return f"{counted(runs[0], 'run')} each" if len(set(runs)) == 1 else counted(sum(runs), "run")


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
