"""Figures as files: SVG for the page, for paper and alone, and PNG."""

import re
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from reports.figures import picture
from reports.figures.draw.chart import Chart
from reports.figures.draw.ink import Disc, Ink, Look, Path, Text
from reports.figures.draw.scales import Scale
from reports.figures.draw.scene import Axis, Bar, Dot, Mark, Panel, rows_of
from reports.figures.draw.style import COLUMN, INK, WIDE
from reports.figures.draw.svg import written
from reports.figures.model import Figure

NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>alert("1")</script>\x1b\u202e'


def figure(name: str = "a", caption: str = "Some", words: str = "a: 5 s", panels: int = 1) -> Figure:
    marks: list[Mark] = [
        Bar((0.0, 5.0), (0.1, 0.9), Look(fill="#7aa9de"), words),
        Dot(4.0, 0.5, "run01: 4 s"),
        Dot(6.0, 0.5, "run02: 6 s"),
    ]
    panel = Panel(Axis(Scale(0.0, 10.0), "seconds"), rows_of([name], ["5 s"], height=160), marks)
    return Figure("some", caption, "a: 5 s", Chart((panel,) * panels), ("n",), ((5,),))


def test_a_picture_has_text_as_text_and_says_what_it_shows() -> None:
    root = ET.fromstring(picture.svg(figure()))
    assert root.get("data-figure") == "some"
    assert root.findtext(f"{NAMESPACE}title") == "Some. a: 5 s"
    assert {"a", "5 s", "seconds"} <= {each.text for each in root.iter(f"{NAMESPACE}text")}
    marks = [each for each in root.iter(f"{NAMESPACE}path") if each.get("aria-label")]
    assert [each.get("aria-label") for each in marks] == ["a: 5 s", "run01: 4 s", "run02: 6 s"]
    assert {each.get("role") for each in marks} == {"img"}


def test_what_is_silent_is_hidden_from_screen_readers() -> None:
    root = ET.fromstring(picture.svg(figure()))
    hidden = {each for group in root.iter(f"{NAMESPACE}g") if group.get("aria-hidden") for each in group.iter()}
    spoken = {each for each in root.iter() if each.get("aria-label")}
    assert {each for each in root.iter() if each.tag[len(NAMESPACE) :] in {"path", "text"}} <= hidden | spoken


def test_hostile_names_stay_text() -> None:
    for drawn in (picture.svg(figure(HOSTILE, HOSTILE, HOSTILE)), *picture.printed(figure(HOSTILE))):
        ET.fromstring(drawn)
        assert not re.search("<script|\x1b|\u202e", drawn)


def test_paper_shows_the_same_ink_in_fewer_elements_a_picture_for_each_piece() -> None:
    pieces = picture.printed(figure(panels=4))
    assert len(pieces) == 2
    assert all("seconds" in each for each in pieces)
    assert "aria-label" not in "".join(pieces)
    assert sum(each.count("<path") for each in pieces) < picture.svg(figure(panels=4)).count("<path")


def test_shapes_of_one_look_are_one_element_unless_others_shine_through() -> None:
    dots: list[Ink] = [Disc(x, 1.0, 1.5, Look(fill=INK)) for x in (1.0, 5.0)]
    faint: list[Ink] = [Disc(x, 1.0, 1.5, Look(fill=INK, opacity=0.5)) for x in (1.0, 5.0)]
    lines: list[Ink] = [Path(((0, y), (9, y)), Look(stroke=INK)) for y in (1.0, 2.0)]
    for inks, count in ((dots, 1), (faint, 2), (lines, 1), ([*dots, Text(0, 0, "a", 9, INK), *lines], 2)):
        assert written(inks, is_spoken=False).count("<path") == count


@pytest.mark.parametrize("width", [WIDE, COLUMN])
def test_a_picture_alone_has_its_fonts_ground_and_caption_inside(width: float) -> None:
    shown = replace(figure(caption="What took how long"), label="Figure 1")
    ((name, whole),) = picture.alone([shown], width)
    root = ET.fromstring(whole)
    assert name == "some"
    assert "@font-face" in whole
    assert 'fill="white"' in whole
    assert next(root.iter(f"{NAMESPACE}text")).text == "Figure 1. What took how long"
    assert float(root.attrib["width"]) == width + 2 * picture.EDGE


def test_the_same_figure_gives_the_same_bytes() -> None:
    assert picture.svg(figure()) == picture.svg(figure())
    assert picture.png(figure()) == picture.png(figure())


def test_dots_of_a_png_have_the_colour_of_the_bar_and_text_of_other_scripts() -> None:
    image = Image.open(BytesIO(picture.png(figure("\u0440\u0443\u0441 \u65e2")))).convert("RGB")
    colours = {colour: count for count, colour in image.getcolors(1 << 20) or []}
    assert image.width == 2 * (WIDE + 2 * picture.EDGE)
    assert colours[0x7A, 0xA9, 0xDE] > 10_000
    assert colours[0x16, 0x16, 0x16] > 50
