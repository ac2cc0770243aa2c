import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pytest

from reports.figures import picture
from reports.figures.catalogue import all_figures
from reports.figures.failover.timeline import beside, telling
from reports.figures.model import INK, TEXT_WIDTH, Figure, most_width, specification
from reports.study.store import opened
from reports.study.view import Configuration, StudyView

Maker = Callable[..., Path]


def figures_of(store: Path) -> dict[str, Figure]:
    with opened(store) as connection:
        return all_figures(StudyView(connection))


def test_the_time_line_shows_both_ends_of_every_run(make_store: Maker) -> None:
    figure = figures_of(make_store())["timeline-1"]
    for panel, configuration in zip(figure.spec["vconcat"], ("Default parameters", "Tuned parameters"), strict=True):
        dots = panel["layer"][2]["data"]["values"]
        ends = {
            dot["description"].split(":")[0]
            for dot in dots
            if dot["edge"] == "end" and dot["phase"] == "Crash recovery"
        }
        assert ends == {f"{configuration}, run{no:02d}" for no in range(1, 11)}
        assert len(dots) == 10 * (3 + 2)  # three ends and two starts a run; detection starts at the fault itself


def test_bars_go_from_mean_start_by_mean_duration(make_store: Maker) -> None:
    panel = figures_of(make_store())["timeline-1"].spec["vconcat"][1]
    bars = panel["layer"][1]["data"]["values"]
    assert [(bar["phase"], bar["start"], bar["end"], bar["duration"]) for bar in bars] == [
        ("Failure detection", 0.0, 6.0, "6.0 s"),
        ("Disk group import", 6.0, 11.0, "5.0 s"),
        ("Crash recovery", 35.0, 41.0, "6.0 s"),
    ]
    assert panel["title"]["subtitle"] == "10 runs, crash recovery complete after 41.0 s"


def test_a_dot_names_the_line_behind_it(make_store: Maker) -> None:
    dots = figures_of(make_store())["recovery-times"].spec["layer"][1]["data"]["values"]
    assert len(dots) == 30
    assert dots[0] == {
        "configuration": "Default parameters",
        "place": "000001 run01",
        "at": 62.0,
        "description": "Default parameters, run01: 62.0 s, default/run01/engine_A.log:1",
    }


def test_specifications_follow_the_schema_of_vega_lite(make_store: Maker) -> None:
    for figure in figures_of(make_store()).values():
        alt.Chart.from_dict({**figure.spec})


@pytest.mark.parametrize(
    ("longest", "ticks"),
    [
        pytest.param(100, None, id="near each other: even, from zero"),
        pytest.param(
            302, [10, 20, 50, 100, 200, 500], id="far apart: ticks around the extremes, and said to be logarithmic"
        ),
    ],
)
def test_times_far_apart_stand_on_a_logarithmic_axis(make_store: Maker, longest: int, ticks: list[int] | None) -> None:
    ends = {"fast": {"complete": 19}, "slow": {"complete": longest}}
    figure = figures_of(make_store(configurations=ends, labels={}, references={}))["recovery-times"]
    alt.Chart.from_dict({**figure.spec})
    x = figure.spec["layer"][0]["encoding"]["x"]
    assert (x["scale"].get("type") == "log") is (ticks is not None)
    assert x["axis"].get("values") == ticks
    assert ("logarithmic" in " ".join(figure.notes)) is (ticks is not None)
    low, high = x["scale"]["domain"]
    assert all(low <= dot["at"] <= high for dot in figure.spec["layer"][1]["data"]["values"])
    assert (low == 0) is (ticks is None)


def test_every_interval_lies_on_the_axis(make_store: Maker) -> None:
    with opened(make_store(configurations={"fast": {"complete": 19}}, labels={}, references={})) as store:
        study = StudyView(store)
        for row in study.milestone_stats.values():
            row["ci95_high_s"] = 1.3 * row["max_s"]  # a fault time of which little is known
        drawn = all_figures(study)["recovery-times"]
    bands, axis = drawn.spec["layer"][0]["data"]["values"], drawn.spec["layer"][0]["encoding"]["x"]
    low, high = axis["scale"]["domain"]
    assert all(low <= each["low"] <= each["high"] <= high for each in bands)


def test_one_run_has_a_mean_and_no_interval(make_store: Maker) -> None:
    means = figures_of(make_store(runs=1))["recovery-times"].spec["layer"][0]["data"]["values"]
    assert (means[0]["low"], means[0]["mean"], means[0]["high"], means[0]["printed"]) == (62.0, 62.0, 62.0, "62.0 s")


def test_without_failover_there_is_no_figure(make_store: Maker) -> None:
    assert figures_of(make_store(configurations={})) == {}


def test_a_picture_has_text_as_text_and_says_what_it_shows(make_store: Maker) -> None:
    figure = figures_of(make_store())["recovery-times"]
    root = ET.fromstring(picture.svg(figure))  # noqa: S314  we drew it
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert "Tuned parameters: mean 41.0 s, 10 runs from 40.0 to 42.0 s" in (title.text or "")
    words = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "41.0 s (40.4 to 41.6)" in words
    assert {each.get("font-family") for each in root.iter("{http://www.w3.org/2000/svg}text")} == {"IBM Plex Sans"}


def test_a_heading_of_wide_letters_is_cut_at_the_edge_of_the_page() -> None:
    view = {"width": 400, "height": 20, "data": {"values": [{"x": 1}]}, "mark": "point", "encoding": {}}
    spec = specification(vconcat=[{"title": {"text": "W" * 72}, **view}, {"title": {"text": "a" * 72}, **view}])
    drawn = picture.svg(Figure("wide", "Wide", "", spec, (), ()))
    root = ET.fromstring(drawn)  # noqa: S314  we drew it
    wide, usual = (each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text"))
    assert wide.endswith("\u2026")
    assert most_width(wide.rstrip("\u2026")) * 9 < TEXT_WIDTH
    assert usual == "a" * 72
    assert float(root.attrib["width"]) <= TEXT_WIDTH


def test_words_of_a_legend_have_a_colour_that_a_dark_page_turns() -> None:
    values = [{"x": 1, "kind": "one"}, {"x": 2, "kind": "other"}]
    encoding = {"x": {"field": "x", "type": "quantitative"}, "color": {"field": "kind", "type": "nominal"}}
    spec = specification(data={"values": values}, mark="point", encoding=encoding)
    root = ET.fromstring(picture.svg(Figure("legend", "Legend", "", spec, (), ())))  # noqa: S314  we drew it
    fills = {each.text: each.get("fill") for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {fills[word] for word in ("kind", "one", "other")} == {INK}


def test_hostile_labels_stay_text(make_store: Maker, hostile: str) -> None:
    labels = {"default": hostile, "tuned": "Tuned", "prestart": "Pre"}
    drawn = picture.svg(figures_of(make_store(labels=labels))["recovery-times"])
    ET.fromstring(drawn)  # noqa: S314  we drew it
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


@pytest.mark.parametrize("name", ["timeline-2"])
def test_specification_snapshot(make_store: Maker, name: str) -> None:
    layers = figures_of(make_store(runs=1))[name].spec["vconcat"][0]["layer"]
    assert json.dumps(layers[2]["data"]["values"], indent=0) == (
        '[\n{\n"phase": "Crash recovery",\n"place": "000001 run01",\n"edge": "end",\n"at": 20.0,\n'
        '"description": "Instance pre-started, run01: Crash recovery ended 20.0 s after the fault, '
        'default/run01/engine_A.log:1"\n},\n'
        '{\n"phase": "Crash recovery",\n"place": "000001 run01",\n"edge": "start",\n"at": 13.0,\n'
        '"description": "Instance pre-started, run01: Crash recovery began 13.0 s after the fault, '
        'default/run01/engine_A.log:1"\n},\n'
        '{\n"phase": "Failure detection",\n"place": "000001 run01",\n"edge": "end",\n"at": 6.0,\n'
        '"description": "Instance pre-started, run01: Failure detection ended 6.0 s after the fault, '
        'default/run01/engine_A.log:1"\n}\n]'
    )


def test_a_picture_alone_has_its_fonts_ground_and_caption_inside(make_store: Maker) -> None:
    figure = figures_of(make_store())["recovery-times"]
    drawn = picture.svg(figure)
    ((name, whole),) = picture.alone([(figure, drawn)])
    root = ET.fromstring(whole)  # noqa: S314  we drew it
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert name == figure.name
    assert "@font-face" in whole
    assert 'fill="white"' in whole
    assert " ".join(texts).startswith(figure.caption[:40])
    assert float(root.attrib["height"]) > float(ET.fromstring(drawn).attrib["height"])  # noqa: S314  we drew it


def test_words_begin_past_an_end_of_the_failover_that_would_run_through_them(make_store: Maker) -> None:
    panel = figures_of(make_store())["timeline-1"].spec["vconcat"][1]
    (end,) = (each["at"] for each in panel["layer"][0]["data"]["values"])
    assert beside({"beside": end - 0.1, "duration": "5.0 s"}, end, limit=46.0) == end
    assert beside({"beside": end + 0.1, "duration": "5.0 s"}, end, limit=46.0) == end + 0.1
    assert beside({"beside": end - 9.0, "duration": "5.0 s"}, end, limit=46.0) == end - 9.0
