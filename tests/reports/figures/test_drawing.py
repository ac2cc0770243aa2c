"""Charts on the page: where marks lie, that no text covers another or leaves the drawing, and where a page may end."""

import string
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.figures.draw.chart import Chart, framed
from reports.figures.draw.ink import Disc, Ink, Look, Path, Text
from reports.figures.draw.panel import name_lines
from reports.figures.draw.scales import Scale, from_zero
from reports.figures.draw.scene import Axis, Bar, Dot, Entry, Label, Line, Mark, Note, Panel, dots_in_band, rows_of
from reports.figures.draw.style import COLUMN, INK, WIDE
from reports.figures.draw.text import lines, width
from tests.support.drawings import WIDTHS, covered, inks, outside

SECONDS = Axis(Scale(0.0, 10.0), "seconds")
NAMES = st.lists(st.text(string.ascii_letters + " -_.W\u65e2", min_size=1, max_size=90), min_size=1, max_size=8)


def bars(names: list[str], values: list[float], printed: list[str] | None = None) -> Panel:
    marks = [Bar((0.0, value), (row + 0.1, row + 0.9), Look(fill=INK), "bar") for row, value in enumerate(values)]
    labels = [Label(value, row + 0.5, f"{value:g} s", dx=5) for row, value in enumerate(values)]
    return Panel(SECONDS, rows_of(names, printed, height=20), [*marks, *([] if printed else labels)], title="A title")


def of_kind(found: tuple[Ink, ...], words: str) -> list[Path | Disc]:
    return [ink for ink in found if not isinstance(ink, Text) and ink.words == words]


@given(NAMES, st.booleans(), st.data())
def test_no_text_covers_another_or_leaves_the_drawing(names: list[str], has_values: bool, data: st.DataObject) -> None:  # noqa: FBT001  a case of a table
    values = data.draw(st.lists(st.floats(0, 10), min_size=len(names), max_size=len(names)))
    printed = [f"{value:.1f} s (1.0 to 9.0)" for value in values] if has_values else None
    chart = Chart((bars(names, values, printed), bars(names, values, printed)), (Entry("all", Look(fill=INK)),))
    for page in WIDTHS:
        assert covered(chart, page) == []
        assert outside(chart, page) == []


def test_bars_begin_and_end_at_their_values() -> None:
    found = inks(Chart((bars(["a", "b"], [5.0, 10.0]),)))
    (left, _, middle, _), (other_left, _, right, _) = (ink.box for ink in of_kind(found, "bar"))
    assert left == other_left
    assert (middle - left) / (right - left) == pytest.approx(0.5)


@pytest.mark.parametrize("page", WIDTHS)
def test_names_and_numbers_stand_beside_rows_or_where_there_is_no_room_above(page: float) -> None:
    chart = Chart((bars(["a configuration of two"], [5.0], ["41.0 s (40.4 to 41.6)"]),))
    found = inks(chart, page)
    (bar,) = of_kind(found, "bar")
    (name,) = [ink for ink in found if isinstance(ink, Text) and ink.text == "a configuration of two"]
    assert (name.box[3] <= bar.box[1]) is (page == COLUMN)
    assert (name.box[2] <= bar.box[0]) is (page == WIDE)


def test_words_beside_a_mark_begin_past_a_line_that_would_run_through_them() -> None:
    def start(end: float) -> float:
        panel = Panel(SECONDS, rows_of(["a"], height=20), [Label(end, 0.5, "5.0 s", dx=5, past=8.0)])
        (label,) = [ink for ink in inks(Chart((panel,))) if isinstance(ink, Text) and ink.text == "5.0 s"]
        return label.x

    assert start(7.9) == start(8.0)
    assert start(2.0) < start(7.9) < start(8.1)


def test_free_words_cover_no_dot_and_no_other() -> None:
    x, y = Axis(Scale(0.0, 10.0)), Axis(Scale(0.0, 10.0))
    near = [(5.0, 5.0), (5.1, 5.05), (5.2, 5.1)]
    marks: list[Mark] = [*(Dot(*at, "dot") for at in near), *(Label(*at, "a name", is_free=True) for at in near)]
    chart = Chart((Panel(x, y, marks),))
    names = [ink for ink in inks(chart) if isinstance(ink, Text) and ink.text == "a name"]
    assert len({(each.x, each.y) for each in names}) == 3
    for page in WIDTHS:
        assert covered(chart, page) == []


def test_of_words_that_would_cover_each_other_the_first_is_drawn() -> None:
    labels = [
        Label(at, 0.5, text, is_above=True, is_optional=True) for at, text in ((5, "3130"), (5.1, "2661"), (9, "12"))
    ]
    found = inks(Chart((Panel(SECONDS, rows_of(["a"], height=40), labels),)))
    assert {"3130", "2661", "12"} & {ink.text for ink in found if isinstance(ink, Text)} == {"3130", "12"}


@given(
    st.lists(st.floats(0, 10), min_size=1, max_size=8, unique=True),
    st.lists(st.integers(1, 60), min_size=8, max_size=8),
)
def test_no_note_covers_another_nor_does_its_rule(places: list[float], lengths: list[int]) -> None:
    texts = [f"{'m' * length} {number}" for number, length in enumerate(lengths)]
    notes = [Note(at, text, f"1: {text}") for at, text in zip(places, texts, strict=False)]
    panel = Panel(SECONDS, Axis(Scale(0.0, 1.0)), [], notes=[*notes, *(replace(each, words="2") for each in notes)])
    for page in WIDTHS:
        found = inks(Chart((panel,)), page)
        written = [ink for ink in found if isinstance(ink, Text) and "m" in ink.text]
        rules = [ink.box for ink in found if isinstance(ink, Path) and ink.words]
        assert len(written) == len(notes), "each once"
        assert covered(Chart((panel,)), page) == []
        for left, _, right, bottom in (ink.box for ink in written):
            assert not any(left + 1 < x < right - 1 and start < bottom - 3 for x, start, _, _ in rules)


def test_values_beyond_the_axis_lie_at_its_edge_and_such_that_are_none_are_left_out() -> None:
    marks: list[Mark] = [
        Dot(99.0, 0.5, "far"),
        Dot(float("nan"), 0.5, "none"),
        Line(((0, 0.5), (float("inf"), 0.5)), Look(), "across"),
    ]
    found = inks(Chart((Panel(SECONDS, rows_of(["a"], height=20), marks),)))
    (dot,), (line,) = of_kind(found, "far"), of_kind(found, "across")
    assert isinstance(dot, Disc)
    assert dot.x == line.box[2]
    assert of_kind(found, "none") == []


def test_panels_share_an_axis_which_every_piece_has_below_it() -> None:
    panels = [bars([f"row {row}" for row in range(8)], [1.0] * 8) for _ in range(4)]
    pieces = Chart(tuple(panels)).pieces(WIDE)
    assert len(pieces) == 2
    for piece in pieces:
        assert [ink.text for ink in piece.inks if isinstance(ink, Text)].count("seconds") == 1
        assert [ink.text for ink in piece.inks if isinstance(ink, Text)].count("A title") == 2
    assert len(Chart(tuple(panels[:2])).pieces(WIDE)) == 1


def test_nothing_is_drawn_of_nothing() -> None:
    assert inks(Chart(())) == ()


def test_runs_of_a_row_lie_in_their_order_within_its_part() -> None:
    found = dots_in_band([("a", "2"), ("a", "1"), ("a", "3"), ("b", "7")], (0.6, 0.9))
    assert found == pytest.approx([0.75, 0.65, 0.85, 0.65])


@pytest.mark.parametrize("size", [9.5, 12.0])
@given(text=st.text(min_size=1, max_size=120), most=st.integers(1, 4), limit=st.floats(40, 300))
def test_lines_of_a_name_fit_their_room(size: float, text: str, most: int, limit: float) -> None:
    found = lines(text, size, limit, most=most)
    assert len(found) <= most
    assert all(width(line, size) <= limit or len(line) <= 10 for line in found)


def test_a_name_is_not_broken_in_the_room_that_was_made_for_it() -> None:
    names = [f"{letter}{digit}" for letter in string.ascii_lowercase for digit in range(10)]
    assert [each for each in names if name_lines(each, framed([bars([each], [5.0])], WIDE)) != [each]] == []


def test_a_name_too_long_keeps_both_its_ends() -> None:
    (found,) = lines("first " + "middle " * 40 + "last", 10.5, 120.0, most=1)
    assert found.startswith("first")
    assert found.endswith("last")


@pytest.mark.parametrize(
    ("scale", "most", "ticks"),
    [
        pytest.param(Scale(0, 62), 8, [0, 10, 20, 30, 40, 50, 60], id="even"),
        pytest.param(Scale(-0.17, 0.13), 5, [-0.1, 0, 0.1], id="around zero"),
        pytest.param(Scale(0, 3.5), 4, [0, 1, 2, 3], id="one step"),
        pytest.param(Scale(10, 330, is_log=True), 8, [10, 30, 100, 300], id="ratios"),
        pytest.param(Scale(0.001, 500, is_log=True), 8, [0.001, 0.01, 0.1, 1, 10, 100], id="powers of ten"),
        pytest.param(Scale(1.2, 1.9, is_log=True), 4, [1.2, 1.4, 1.6, 1.8], id="narrow ratios"),
        pytest.param(Scale(5, 5), 4, [], id="nothing to divide"),
    ],
)
def test_ticks_are_round(scale: Scale, most: int, ticks: list[float]) -> None:
    assert scale.ticks(most) == pytest.approx(ticks)


@given(st.floats(1e-6, 1e12), st.floats(0.5, 400))
def test_printed_ticks_stand_apart_and_differ(high: float, room: float) -> None:
    panel = Panel(Axis(from_zero([high]), "x"), rows_of(["a"], height=20), [])
    printed = [ink for ink in inks(Chart((panel,)), 300 + room) if isinstance(ink, Text) and ink.text not in "ax"]
    assert len({ink.text for ink in printed}) == len(printed) >= 2
    assert all(one.box[2] < other.box[0] for one, other in pairwise(printed))


def test_a_logarithmic_scale_places_by_ratio() -> None:
    assert Scale(1, 100, is_log=True).share(10) == pytest.approx(0.5)
    assert Scale(0, 100).share(10) == pytest.approx(0.1)
