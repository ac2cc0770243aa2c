"""What was noted about runs: no text covers another, wide or narrow, and values stay below all of them."""

from itertools import combinations

from reports.figures.marks import numbers_along, silent
from reports.figures.model import Spec, most_width, specification
from reports.figures.narrow import NOTES, narrowed
from reports.figures.notes import WIDE, Rows, noted, rows_of_notes

WIDTH, HEIGHT, HIGHEST = 534, 140, 50.0
SHOWN = [
    {"x": 240.0, "text": "link of DRBD broken", "description": "run01: link of DRBD broken"},
    {"x": 241.0, "text": "link of DRBD broken", "description": "run02: link of DRBD broken"},
    {"x": 390.0, "text": "link of DRBD mended", "description": "run01: link of DRBD mended"},
]


def panel() -> Spec:
    x, y = numbers_along("seconds", 0, 600, 8), numbers_along(None, 0, HIGHEST * 1.2, 4)
    line = silent([{"x": 0, "value": HIGHEST}], "line", {"x": {**x, "field": "x"}, "y": {**y, "field": "value"}})
    return {"width": WIDTH, "height": HEIGHT, "layer": [*noted(SHOWN, x, WIDTH), line]}


def covered(view: Spec, rows: Rows) -> list[tuple[str, str]]:
    """Texts in one row that reach into each other."""
    texts = view["layer"][1]["data"]["values"]
    pixels = view["width"] / 600
    ends = [(each, each["x"] * pixels, each["x"] * pixels + most_width(each["text"]) * rows.letters) for each in texts]
    return [
        (one["text"], other["text"])
        for (one, left, right), (other, start, end) in combinations(ends, 2)
        if one["row"] == other["row"] and start < right and left < end
    ]


def test_no_rule_of_a_note_runs_through_the_words_of_another() -> None:
    # a pixel is a second: each of these texts reaches over some 60 of them
    assert rows_of_notes({"cable pulled": 0.0, "fence sent": 10.0, "promotion": 30.0, "back": 300.0}, 1.0) == {
        "cable pulled": 0,
        "fence sent": 1,
        "promotion": 2,
        "back": 0,
    }


def test_notes_that_are_side_by_side_wide_lie_in_rows_narrow() -> None:
    wide = panel()
    assert covered(wide, WIDE) == []
    assert {each["row"] for each in wide["layer"][1]["data"]["values"]} == {9}
    spec = narrowed(specification(vconcat=[wide]))
    assert spec is not None
    (view,) = spec["vconcat"]
    assert view["width"] < WIDTH
    assert covered(view, NOTES) == []
    assert [each["row"] for each in view["layer"][1]["data"]["values"]] == [11, 24]
    # the rule of a text begins in its row, another run's below all texts
    assert [each["top"] for each in view["layer"][0]["data"]["values"]] == [0, 26, 13]


def test_values_stay_where_they_are_below_the_rows_that_were_added() -> None:
    wide = panel()
    spec = narrowed(specification(vconcat=[wide]))
    assert spec is not None
    (view,) = spec["vconcat"]
    added = 24 - 9  # from the last row of the wide one to that of the narrow one
    assert view["height"] == HEIGHT + added
    tops = [each["layer"][2]["encoding"]["y"]["scale"]["domain"][1] for each in (wide, view)]
    depths = [each["height"] * HIGHEST / top for each, top in zip((wide, view), tops, strict=True)]
    assert abs(depths[0] - depths[1]) < 1e-9
