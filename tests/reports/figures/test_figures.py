"""Figures of failovers: what is drawn, and where."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from reports.figures import picture
from reports.figures.catalogue import all_figures
from reports.figures.draw.scene import Bar, Dot, Label, Line
from reports.figures.failover.timeline import telling
from reports.figures.model import Figure
from reports.study.store import opened
from reports.study.view import Configuration, StudyView
from tests.support.drawings import WIDTHS, covered, marks, outside, panels, rows

Maker = Callable[..., Path]


def figures_of(store: Path) -> dict[str, Figure]:
    with opened(store) as connection:
        return all_figures(StudyView(connection))


def test_the_time_line_shows_both_ends_of_every_run(make_store: Maker) -> None:
    figure = figures_of(make_store())["timeline-1"]
    for panel, configuration in zip(panels(figure), ("Default parameters", "Tuned parameters"), strict=True):
        dots = [dot.words for dot in marks(panel, Dot)]
        ends = {words.split(":")[0] for words in dots if ": Crash recovery ended" in words}
        assert ends == {f"{configuration}, run{no:02d}" for no in range(1, 11)}
        assert len(dots) == 10 * (3 + 2)  # three ends and two starts a run; detection starts at the fault itself


def test_bars_go_from_mean_start_by_mean_duration(make_store: Maker) -> None:
    panel = panels(figures_of(make_store())["timeline-1"])[1]
    assert [row.name for row in rows(panel)] == ["Failure detection", "Disk group import", "Crash recovery"]
    assert [bar.x for bar in marks(panel, Bar)] == [(0.0, 6.0), (6.0, 11.0), (35.0, 41.0)]
    assert [label.text for label in marks(panel, Label)] == ["6.0 s", "5.0 s", "6.0 s"]
    assert panel.subtitle == "10 runs, crash recovery complete after 41.0 s"


def test_a_phase_of_a_few_runs_is_an_outline_that_says_so(make_store: Maker) -> None:
    with opened(make_store()) as store:
        study = StudyView(store)
        rare = next(row for row in study.phases if row["configuration"] == "tuned")
        rare["runs"] = 4
        panel = panels(all_figures(study)["timeline-1"])[1]
    assert [label.text for label in marks(panel, Label)] == ["6.0 s, 4 of 10 runs", "5.0 s", "6.0 s"]
    assert [bool(bar.look.fill) for bar in marks(panel, Bar)] == [False, True, True]


def test_a_dot_names_the_line_behind_it(make_store: Maker) -> None:
    dots = marks(panels(figures_of(make_store())["recovery-times"])[0], Dot)
    assert len(dots) == 30
    assert (dots[0].x, dots[0].words) == (62.0, "Default parameters, run01: 62.0 s, default/run01/engine_A.log:1")


@pytest.mark.parametrize(
    ("longest", "low"),
    [
        pytest.param(302, 0.0, id="near each other: even, from zero"),
        pytest.param(2000, 10.0, id="far apart: from a round value below the least, and said to be logarithmic"),
    ],
)
def test_times_far_apart_stand_on_a_logarithmic_axis(make_store: Maker, longest: int, low: float) -> None:
    ends = {"fast": {"complete": 19}, "slow": {"complete": longest}}
    figure = figures_of(make_store(configurations=ends, labels={}, references={}))["recovery-times"]
    (panel,) = panels(figure)
    assert (panel.x.scale.low, panel.x.scale.is_log) == (low, low > 0)
    assert ("logarithmic" in " ".join(figure.notes)) is (low > 0)
    assert all(0 <= panel.x.scale.share(dot.x) <= 1 for dot in marks(panel, Dot))


def test_every_interval_lies_on_the_axis(make_store: Maker) -> None:
    with opened(make_store(configurations={"fast": {"complete": 19}}, labels={}, references={})) as store:
        study = StudyView(store)
        for row in study.milestone_stats.values():
            row["ci95_high_s"] = 1.3 * row["max_s"]  # a fault time of which little is known
        (panel,) = panels(all_figures(study)["recovery-times"])
    (interval,) = marks(panel, Line)
    assert all(0 <= panel.x.scale.share(x) <= 1 for x, _ in interval.points)


def test_one_run_has_a_mean_and_no_interval(make_store: Maker) -> None:
    (panel,) = panels(figures_of(make_store(runs=1))["recovery-times"])
    assert marks(panel, Bar)[0].x == (0.0, 62.0)
    assert marks(panel, Line) == []
    assert rows(panel)[0].value == "62.0 s"


def test_without_failover_there_is_no_figure(make_store: Maker) -> None:
    assert figures_of(make_store(configurations={})) == {}


def test_hostile_labels_stay_text(make_store: Maker, hostile: str) -> None:
    labels = {"default": hostile, "tuned": "Tuned", "prestart": "Pre"}
    drawn = picture.svg(figures_of(make_store(labels=labels))["recovery-times"])
    ET.fromstring(drawn)
    assert "<script" not in drawn
    assert "\x1b" not in drawn


def test_of_many_time_lines_those_of_the_reference_the_extremes_and_the_middle_are_chosen() -> None:
    members = [Configuration(f"c{place}", f"c{place}", "c2", "") for place in range(20)]
    seconds = [50.0 + 7 * place % 20 for place in range(20)]  # 7 and 20 share no factor: every time from 50 to 69 once
    stats = {(each.configuration, "complete"): {"mean_s": at} for each, at in zip(members, seconds, strict=True)}
    study: Any = SimpleNamespace(
        configurations=members, milestone_stats=stats, end_milestone=lambda _configuration: "complete"
    )
    chosen = [stats[each.configuration, "complete"]["mean_s"] for each in telling(study, members)]
    assert sorted(chosen) == [50.0, 59.0, seconds[2], 69.0]


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_covers_another_or_leaves_the_drawing(make_store: Maker, width: float) -> None:
    for figure in figures_of(make_store()).values():
        assert covered(figure.scene, width) == []
        assert outside(figure.scene, width) == []
