"""Figures parted into pictures between which a page may end."""

import re
from xml.etree import ElementTree as ET

import pytest

from reports.figures.model import Figure, Spec, specification
from reports.figures.panels import LEAST_HEIGHT, NAMESPACE, parted
from reports.figures.picture import svg


def panel(title: str, height: float, *, labels: bool = True) -> Spec:
    """A bar under a heading."""
    return {
        "title": title,
        "width": 200,
        "height": height,
        "data": {"values": [{"n": 3, "name": f"of {title}"}]},
        "mark": "bar",
        "encoding": {
            "x": {"field": "n", "type": "quantitative", "axis": {"labels": labels, "title": None}},
            "y": {"field": "name", "type": "nominal", "title": None},
        },
    }


def drawn(*panels: Spec) -> str:
    return svg(Figure("some", "Some", "Bars", specification(vconcat=list(panels)), ("n",), ((3,),)))


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(picture).iter(f"{{{NAMESPACE}}}text")]  # noqa: S314  a drawing of our own


def height(picture: str) -> float:
    return float(ET.fromstring(picture).attrib["height"])  # noqa: S314  a drawing of our own


def test_every_mark_is_in_one_picture_and_pictures_fill_the_figure() -> None:
    whole = drawn(*(panel(f"panel {number}", 120) for number in range(3)))
    pictures = parted(whole)
    assert [sum(f"panel {number}" in text for text in texts(each)) for number, each in enumerate(pictures)] == [2, 2, 2]
    assert sorted(text for each in pictures for text in texts(each)) == sorted(texts(whole))
    assert sum(map(height, pictures)) == pytest.approx(height(whole), abs=0.01)


def test_the_window_of_a_picture_begins_above_the_heading_of_its_panel() -> None:
    first, second = parted(drawn(panel("one", 120), panel("two", 120)))
    start = float(re.findall(r'viewBox="0 ([\d.]+)', second)[0])
    assert start == pytest.approx(height(first), abs=0.01)
    assert 120 < start < 120 + 2 * 30  # the first panel with heading and axis


@pytest.mark.parametrize(
    "panels",
    [
        pytest.param([panel("alone", 300)], id="one panel"),
        pytest.param([panel("one", 20), panel("two", 20)], id="small panels"),
        pytest.param([panel("one", 200, labels=False), panel("two", 200)], id="one axis for both"),
    ],
)
def test_a_figure_stays_whole_where_its_parts_could_not_be_read_or_would_be_small(panels: list[Spec]) -> None:
    whole = drawn(*panels)
    assert parted(whole) == [whole]


def test_small_panels_share_a_picture() -> None:
    pictures = parted(drawn(*(panel(f"panel {number}", 20) for number in range(9))))
    assert 1 < len(pictures) < 9
    assert all(height(each) >= LEAST_HEIGHT for each in pictures)


def test_no_number_is_drawn_again() -> None:
    whole = drawn(panel("one", 120), panel("two", 120))
    shapes = [re.findall(r' d="[^"]+"', each) for each in (whole, *parted(whole))]
    assert set(shapes[0]) == set(shapes[1]) | set(shapes[2])
