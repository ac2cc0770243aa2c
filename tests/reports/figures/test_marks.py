"""Marks and axes that all figures are drawn with."""

import re

import pytest
import vl_convert

from reports.figures import marks
from reports.figures.model import LABEL_LIMIT, Spec, label_axis, most_width, specification
from reports.typeset import fonts


def test_a_mark_is_either_described_or_hidden_from_screen_readers() -> None:
    described = marks.described([{"x": 1}], "bar", {"x": {"field": "x"}}, color="red")
    assert described["encoding"]["description"] == {"field": "description"}
    assert "aria" not in described["mark"]
    for silent in (marks.silent([], "rule", {}), marks.words([], "text", {})):
        assert silent["mark"]["aria"] is False
        assert "description" not in silent["encoding"]


def test_looks_begin_again_where_there_are_more_names() -> None:
    assert marks.by_name("mode", ["a", "b", "c"], [[1, 0], [5, 3]])["scale"]["range"] == [[1, 0], [5, 3], [1, 0]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param({"run_no": 2, "run": "run2"}, {"run_no": 10, "run": "run10"}, id="by number, not by text"),
        pytest.param({"run_no": None, "run": "a"}, {"run_no": None, "run": "b"}, id="without numbers by name"),
    ],
)
def test_runs_are_in_their_order(first: dict[str, object], second: dict[str, object]) -> None:
    assert marks.place_of(first) < marks.place_of(second)


def test_a_value_names_its_line_where_it_has_one() -> None:
    assert marks.line_of({"path": "a/b.log", "line_no": 7}) == ", a/b.log:7"
    assert marks.line_of({"path": None, "line_no": None}) == ""


def test_bars_are_as_high_as_their_bands_beside_dots_that_are_moved_in_them() -> None:
    """Vega-Lite gave them 18 pixels in bands of eleven: each bar covered the top of the next."""
    y = marks.names_down(["a", "b"], "name", padding=(0.22, 0.12))
    x: Spec = {"type": "quantitative", "field": "at"}
    values = [{"name": name, "at": 1, "end": 2, "place": "1", "description": name} for name in "ab"]
    layers = [
        marks.bars_in_bands(values, y, {"x": x, "x2": {"field": "end"}}),
        marks.dot_per_run(values, y, x),
    ]
    drawn = vl_convert.vegalite_to_svg(specification(layer=layers, height={"step": 14, "for": "position"}))
    heights = [float(each) for each in re.findall(r'd="M[\d.]+,[\d.]+h[\d.]+v([\d.]+)h', drawn)]
    assert [each for each in heights if 0 < each < 20] == [pytest.approx(14 * 0.78)] * 2


def test_only_names_that_may_be_too_wide_have_a_limit() -> None:
    assert label_axis(["86 file systems, disk group\nstandby preset as primary"])["labelLimit"] == 0
    assert label_axis(["short", "W" * 33])["labelLimit"] == LABEL_LIMIT


def test_no_character_is_wider_than_its_bound() -> None:
    advances = fonts.advances(fonts.SANS)
    assert [chr(code) for code, width in advances.items() if width > most_width(chr(code))] == []
