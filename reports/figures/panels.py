"""A drawn figure of several panels as pictures between which a page may end."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element, fromstring, register_namespace, tostring

NAMESPACE: Final = "http://www.w3.org/2000/svg"
LEAST_HEIGHT: Final = 100.0
"""Of a picture, CSS pixels; smaller panels stay with the next, since a page hardly gains by parting them."""

HEADROOM: Final = 4.0  # above the heading of a panel, CSS pixels

register_namespace("", NAMESPACE)


@dataclass(frozen=True, slots=True)
class _Panel:
    """A group of marks with what it needs to be read: `top` in CSS pixels, and whether an axis is labelled below it."""

    top: float
    mark: Element
    has_axis: bool


def parted(drawn: str) -> list[str]:
    """The pictures of a figure from top to bottom; one with everything where it has no panels to be parted.

    A picture ends where a panel with a labelled axis does, so that each can be read by itself.
    """
    root = fromstring(drawn)  # noqa: S314  drawn by Vega a moment ago
    holder = _holder(root)
    if holder is None:
        return [drawn]
    height = float(root.attrib["height"])
    panels = _panels(root, holder)
    cuts = _cuts(panels, height)
    if not cuts:
        return [drawn]
    edges = [0.0, *cuts, height]
    marks = list(holder)
    pictures = []
    for top, bottom in pairwise(edges):
        inside = [each.mark for each in panels if top <= each.top < bottom]
        first = [each for each in marks if all(each is not panel.mark for panel in panels)] if top == 0 else []
        pictures.append(_picture(root, holder, [*inside, *first], top, bottom))
    holder[:] = marks
    return pictures


def _holder(root: Element) -> Element | None:
    """What holds the panels: the group in the root of the drawing."""
    frame = root.find(f".//{{{NAMESPACE}}}g[@class='mark-group role-frame root']/{{{NAMESPACE}}}g")
    return None if frame is None else frame.find(f"{{{NAMESPACE}}}g")


def _panels(root: Element, holder: Element) -> list[_Panel]:
    origin = _shift(root.find(f"{{{NAMESPACE}}}g"))
    found = []
    for mark in holder:
        if "role-scope concat_" in mark.attrib.get("class", ""):
            title = mark.find(f".//{{{NAMESPACE}}}g[@class='mark-group role-title']/{{{NAMESPACE}}}g")
            top = origin + _shift(mark.find(f"{{{NAMESPACE}}}g")) + _shift(title) - HEADROOM
            found.append(_Panel(max(top, 0.0), mark, _has_axis(mark)))
    return found


def _has_axis(mark: Element) -> bool:
    """Whether numbers or names are below the panel."""
    axes = [each for each in mark.iter() if each.attrib.get("aria-label", "").startswith("X-axis")]
    return any("role-axis-label" in each.attrib.get("class", "") for axis in axes for each in axis.iter())


def _cuts(panels: Sequence[_Panel], height: float) -> list[float]:
    """Where the figure is cut: before panels that leave enough above and below."""
    cuts: list[float] = []
    for before, panel in pairwise(panels):
        above = panel.top - (cuts[-1] if cuts else 0.0)
        if before.has_axis and above >= LEAST_HEIGHT and height - panel.top >= LEAST_HEIGHT:
            cuts.append(panel.top)
    return cuts


def _picture(root: Element, holder: Element, marks: Sequence[Element], top: float, bottom: float) -> str:
    """A window of the drawing with the marks in it."""
    holder[:] = marks
    width = root.attrib["width"]
    window = Element(root.tag, root.attrib | {"height": f"{bottom - top:g}"})
    window.attrib["viewBox"] = f"0 {top:g} {width} {bottom - top:g}"
    window.extend(list(root))
    return tostring(window, encoding="unicode")


def _shift(group: Element | None) -> float:
    """How far a group is moved down."""
    transform = "" if group is None else group.attrib.get("transform", "")
    moved = re.search(r"translate\([^,]*,(-?[\d.]+)\)", transform)
    return float(moved[1]) if moved else 0.0
