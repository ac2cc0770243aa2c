"""Figures of failovers: what is drawn, and where."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reports.figures import picture
from reports.figures.catalogue import all_figures
from reports.figures.draw.scene import Bar, Dot, Label, Line
from reports.figures.draw.style import MUTED
from reports.figures.failover.rungs import Rung, steps_to_recovery
from reports.figures.failover.timeline import timeline_of
from reports.figures.model import Figure
from reports.naming import Naming
from reports.study.store import Row, opened
from reports.study.view import Configuration, StudyView
from tests.support.drawings import WIDTHS, covered, marks, outside, panels, rows

Maker = Callable[..., Path]


def figures_of(store: Path) -> dict[str, Figure]:
    with opened(store) as connection:
        return all_figures(StudyView(connection))


def course(store: Path, change: Callable[[StudyView], None] = lambda _study: None) -> Figure:
    """The time line of the tuned configuration, as study.toml may ask for it."""
    with opened(store) as connection:
        study = StudyView(connection)
        change(study)
        (member,) = (each for each in study.configurations if each.configuration == "tuned")
        return timeline_of(study, [member], Naming("course"))


def test_the_time_line_shows_both_ends_of_every_run(make_store: Maker) -> None:
    (panel,) = panels(course(make_store()))
    dots = [dot.words for dot in marks(panel, Dot)]
    ends = {words.split(":")[0] for words in dots if ": Crash recovery ended" in words}
    assert ends == {f"Tuned parameters, run{no:02d}" for no in range(1, 11)}
    assert len(dots) == 10 * (3 + 2)  # three ends and two starts a run; detection starts at the fault itself


def test_bars_go_from_mean_start_by_mean_duration(make_store: Maker) -> None:
    (panel,) = panels(course(make_store()))
    assert [row.name for row in rows(panel)] == ["Failure detection", "Disk group import", "Crash recovery"]
    assert [bar.x for bar in marks(panel, Bar)] == [(0.0, 6.0), (6.0, 11.0), (35.0, 41.0)]
    assert [label.text for label in marks(panel, Label)] == ["6.0 s", "5.0 s", "6.0 s"]
    assert panel.subtitle == "10 runs, crash recovery complete after 41.0 s"


def test_a_phase_of_a_few_runs_is_an_outline_that_says_so(make_store: Maker) -> None:
    def rare(study: StudyView) -> None:
        next(row for row in study.phases if row["configuration"] == "tuned")["runs"] = 4

    (panel,) = panels(course(make_store(), rare))
    assert [label.text for label in marks(panel, Label)] == ["6.0 s, 4 of 10 runs", "5.0 s", "6.0 s"]
    assert [bool(bar.look.fill) for bar in marks(panel, Bar)] == [False, True, True]


def test_steps_stand_end_to_end_up_to_the_mean(make_store: Maker) -> None:
    (panel,) = panels(figures_of(make_store())["recovery-times"])
    by_row: dict[int, list[tuple[float, float]]] = {}
    for bar in marks(panel, Bar):
        by_row.setdefault(int(bar.y[0]), []).append(bar.x)
    means = {0: 62.0, 1: 41.0, 2: 20.0}
    assert {row: bars[-1][1] for row, bars in by_row.items()} == means
    for bars in by_row.values():
        assert bars[0][0] == 0.0
        assert all(before[1] == after[0] for before, after in pairwise(bars))
    assert by_row[1] == [(0.0, 6.0), (6.0, 11.0), (11.0, 35.0), (35.0, 41.0)]  # 11 to 35: no phase of the store


def test_of_steps_that_overlap_the_one_that_ends_last_is_shown() -> None:
    def phase(name: str, start_s: float, end_s: float, runs: int = 10) -> Row:
        return Row(phase=name, mean_start_s=start_s, mean_duration_s=end_s - start_s, runs=runs)

    phases = (
        phase("detect", 0.0, 5.0),
        phase("address", 5.0, 8.0),
        phase("storage", 5.0, 20.0),
        phase("rare", 5.0, 21.0, runs=1),
        phase("database", 20.0, 30.0),
        phase("later", 30.0, 50.0),
    )
    rung = Rung(Configuration("a", "a", None), "", Row(mean_s=30.0), (), (), phases)
    found = [(step.phase["phase"], step.start_s, step.end_s) for step in steps_to_recovery(rung) if step.phase]
    assert found == [("detect", 0.0, 5.0), ("storage", 5.0, 20.0), ("database", 20.0, 30.0)]


def test_factor_stands_beside_what_is_compared(make_store: Maker) -> None:
    (panel,) = panels(figures_of(make_store())["recovery-times"])
    assert [row.value.rpartition(", ")[2] for row in rows(panel)[1:]] == ["0.66\u00a0\u00d7", "0.49\u00a0\u00d7"]
    assert "\u00d7" not in rows(panel)[0].value


def test_a_dot_names_the_line_behind_it(make_store: Maker) -> None:
    dots = marks(panels(figures_of(make_store())["recovery-times"])[0], Dot)
    assert len(dots) == 30
    assert (dots[0].x, dots[0].words) == (62.0, "Default parameters, run01: 62.0 s, default/run01/engine_A.log:1")


@pytest.mark.parametrize(
    ("longest", "axes"),
    [
        pytest.param(302, 1, id="near each other: one"),
        pytest.param(2000, 2, id="far apart: one for the short ones too"),
    ],
)
def test_times_far_apart_have_axes_of_their_own(make_store: Maker, longest: int, axes: int) -> None:
    ends = {"fast": {"complete": 19}, "slow": {"complete": longest}}
    figure = figures_of(make_store(configurations=ends, labels={}, references={}))["recovery-times"]
    found = panels(figure)
    assert len({panel.x for panel in found}) == axes
    for panel in found:
        assert panel.x.scale.low == 0.0
        assert all(0 <= panel.x.scale.share(dot.x) <= 1 for dot in marks(panel, Dot))


def test_every_whisker_lies_on_the_axis(make_store: Maker) -> None:
    with opened(make_store(configurations={"fast": {"complete": 19}}, labels={}, references={})) as store:
        study = StudyView(store)
        for row in study.failover_runs:
            row["fault_width_s"] = 30.0  # a fault time of which little is known
        (panel,) = panels(all_figures(study)["recovery-times"])
    ends = [x for line in marks(panel, Line) for x, _ in line.points]
    assert max(ends) == 35.0
    assert all(0 <= panel.x.scale.share(x) <= 1 for x in ends)


def test_one_run_has_a_mean_and_no_spread(make_store: Maker) -> None:
    (panel,) = panels(figures_of(make_store(runs=1))["recovery-times"])
    assert rows(panel)[0].value == "62.0 s"
    whiskers = [line for line in marks(panel, Line) if len(line.points) > 2]
    assert {line.look.stroke for line in whiskers} == {MUTED}  # of the fault time alone


def test_without_failover_there_is_no_figure(make_store: Maker) -> None:
    assert figures_of(make_store(configurations={})) == {}


def test_hostile_labels_stay_text(make_store: Maker, hostile: str) -> None:
    labels = {"default": hostile, "tuned": "Tuned", "prestart": "Pre"}
    drawn = picture.svg(figures_of(make_store(labels=labels))["recovery-times"])
    ET.fromstring(drawn)
    assert "<script" not in drawn
    assert "\x1b" not in drawn


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_covers_another_or_leaves_the_drawing(make_store: Maker, width: float) -> None:
    for figure in figures_of(make_store()).values():
        assert covered(figure.scene, width) == []
        assert outside(figure.scene, width) == []
