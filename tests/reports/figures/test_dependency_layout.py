"""Places of boxes: none upon another, parents above children, within the paper, the same each time."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from reports.figures.dependency.layout import Drawing, Size, Spacing, arranged

SPACING = Spacing(gap=10, row_gap=20, limit=300)
NAMES = st.sampled_from([f"n{i}" for i in range(12)])


def drawing_of(edges: list[tuple[str, str]], sizes: dict[str, Size] | None = None) -> Drawing:
    names = dict.fromkeys(end for edge in edges for end in edge)
    return arranged(sizes or dict.fromkeys(names, Size(40, 20)), edges, SPACING)


def test_a_chain_is_straight() -> None:
    drawing = drawing_of([("db", "fs"), ("fs", "dg")])
    assert drawing.corners == {"db": (0, 0), "fs": (0, 40), "dg": (0, 80)}
    assert [line.points for line in drawing.lines] == [((20, 20), (20, 40)), ((20, 60), (20, 80))]
    assert (drawing.width, drawing.height) == (40, 100)


def test_a_parent_stands_over_the_middle_of_its_children() -> None:
    drawing = drawing_of([("db", "a"), ("db", "b"), ("db", "c")])
    assert drawing.corners["db"] == (50, 0)
    assert [drawing.corners[name] for name in "abc"] == [(0, 40), (50, 40), (100, 40)]


def test_what_two_rows_need_stands_below_both() -> None:
    drawing = drawing_of([("db", "ip"), ("db", "nic"), ("ip", "nic")])
    assert [drawing.corners[name][1] for name in ("db", "ip", "nic")] == [0, 40, 80]


def test_a_long_line_passes_beside_the_boxes_between() -> None:
    drawing = drawing_of([("db", "ip"), ("db", "nic"), ("ip", "nic")])
    left = drawing.corners["ip"][0]
    passing = next(line for line in drawing.lines if (line.parent, line.child) == ("db", "nic")).points[1:-1]
    assert [y for _, y in passing] == [40, 60]
    assert all(x < left or x > left + 40 for x, _ in passing)


def test_crossings_that_need_not_be_are_not() -> None:
    drawing = drawing_of(
        [("top", "a"), ("top", "b"), ("a", "under a"), ("b", "under b"), ("top", "c"), ("c", "under a")]
    )
    x = {name: corner[0] for name, corner in drawing.corners.items()}
    assert (x["under a"] < x["under b"]) == (max(x["a"], x["c"]) < x["b"])


def test_a_ring_is_drawn_with_one_line_back() -> None:
    drawing = drawing_of([("a", "b"), ("b", "c"), ("c", "a")])
    assert [(line.parent, line.child, line.is_back) for line in drawing.lines] == [
        ("a", "b", False),
        ("b", "c", False),
        ("c", "a", True),
    ]
    back = drawing.lines[-1].points
    assert back[0][1] > back[-1][1]


def test_a_row_wider_than_the_paper_is_broken() -> None:
    names = [f"mount{i}" for i in range(15)]
    drawing = drawing_of([("db", name) for name in names])
    assert drawing.width <= SPACING.limit
    assert len({drawing.corners[name][1] for name in names}) == 3


def test_nothing_is_drawn_of_nothing() -> None:
    assert arranged({}, [], SPACING) == Drawing({}, (), 0.0, 0.0)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=20), st.lists(st.integers(20, 140), min_size=12, max_size=12))
def test_boxes_of_any_graph_keep_apart_and_lines_lead_down(edges: list[tuple[str, str]], widths: list[int]) -> None:
    sizes = {f"n{i}": Size(width, 20) for i, width in enumerate(widths)}
    drawing = drawing_of(edges, sizes)
    assert drawing == drawing_of(edges, sizes)
    for one, other in combinations(sizes, 2):
        (x, y), (a, b) = drawing.corners[one], drawing.corners[other]
        assert y != b or x + sizes[one].width <= a + 1e-6 or a + sizes[other].width <= x + 1e-6
    for line in drawing.lines:
        heights = [y for _, y in line.points]
        assert heights == sorted(heights, reverse=line.is_back)
    drawn = {(line.parent, line.child) for line in drawing.lines}
    assert all((a, b) in drawn or (b, a) in drawn for a, b in edges if a != b)
    assert min(x for x, _ in drawing.corners.values()) >= -1e-6
