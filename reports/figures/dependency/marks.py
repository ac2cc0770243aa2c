"""Panels of boxes and lines as a Vega-Lite specification in coordinates of the page, without axes."""

from collections.abc import Sequence
from dataclasses import replace

from reports.figures.dependency import text
from reports.figures.dependency.panel import (
    BAND,
    MARGIN,
    ROLES,
    SHEET,
    SMALL_SIZE,
    Box,
    Caption,
    Panel,
    Segment,
)
from reports.figures.marks import by_name, described, silent
from reports.figures.model import INK, MUTED, ROLE_COLOURS, RULE, TEXT_WIDTH, Spec, specification

PANEL_GAP = 12.0
LEGEND_HEIGHT = 24.0
SWATCH = 9.0
Frame = tuple[float, float, float, float]


def drawn(panels: Sequence[Panel], *, has_frames: bool) -> Spec:
    """Panels beside each other as far as the paper is wide, with a legend of the parts of the system they show."""
    frames: list[Frame] = []
    boxes: list[Box] = []
    captions: list[Caption] = []
    segments: list[Segment] = []
    y = 0.0
    for row in _rows(panels):
        height = max(panel.top + panel.height for panel in row) + 2 * MARGIN
        spare = (TEXT_WIDTH - sum(map(_outer, row)) - PANEL_GAP * (len(row) - 1)) / len(row)
        x = 0.0
        for panel in row:
            width = _outer(panel) + spare
            frames.append((x, y, width, height))
            left = x + (width - _inner(panel)) / 2
            _place(panel, (x + MARGIN, y + MARGIN), (left, y + MARGIN + panel.top), (boxes, captions, segments))
            x += width + PANEL_GAP
        y += height + PANEL_GAP
    height = y - PANEL_GAP
    shown = [role for role in ROLE_COLOURS if any(role in panel.roles for panel in panels)]
    layers = [_frames(frames)] if has_frames else []
    layers += [_segments(segments), *_boxes(boxes, has_bands=shown != [""])]
    if shown != [""]:
        layers += _legend(shown, height + LEGEND_HEIGHT - SWATCH, captions)
        height += LEGEND_HEIGHT
    layers += _captions(captions)
    return specification(width=TEXT_WIDTH, height=round(height, 1), layer=layers)


def _inner(panel: Panel) -> float:
    """Width of the graph without its heading."""
    return max((box.x + box.width for box in panel.boxes), default=0.0)


def _outer(panel: Panel) -> float:
    return panel.width + 2 * MARGIN


def _rows(panels: Sequence[Panel]) -> list[list[Panel]]:
    rows: list[list[Panel]] = []
    for panel in panels:
        used = sum(_outer(each) + PANEL_GAP for each in rows[-1]) if rows else TEXT_WIDTH
        if used + _outer(panel) > TEXT_WIDTH:
            rows.append([])
        rows[-1].append(panel)
    return rows


def _place(
    panel: Panel,
    head: tuple[float, float],
    graph: tuple[float, float],
    into: tuple[list[Box], list[Caption], list[Segment]],
) -> None:
    """Move the content of a panel to its place on the page."""
    boxes, captions, segments = into
    x, y = graph
    boxes += [replace(box, x=box.x + x, y=box.y + y) for box in panel.boxes]
    captions += [replace(each, x=each.x + head[0], y=each.y + head[1]) for each in panel.heading]
    captions += [replace(each, x=each.x + x, y=each.y + y) for each in panel.captions]
    segments += [
        Segment((line.start[0] + x, line.start[1] + y), (line.end[0] + x, line.end[1] + y), line.is_back)
        for line in panel.segments
    ]


def _pixels(field: str) -> Spec:
    """A coordinate that is drawn where it says; counted from the left, and from the top."""
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def _between() -> Spec:
    return {"x": _pixels("x"), "y": _pixels("y"), "x2": {"field": "x2"}, "y2": {"field": "y2"}}


def _rectangle(x: float, y: float, width: float, height: float) -> Spec:
    return _line((x, y), (x + width, y + height))


def _line(start: tuple[float, float], end: tuple[float, float]) -> Spec:
    return {"x": round(start[0], 2), "y": round(start[1], 2), "x2": round(end[0], 2), "y2": round(end[1], 2)}


def _frames(frames: Sequence[Frame]) -> Spec:
    values = [_rectangle(*frame) for frame in frames]
    return silent(values, "rect", _between(), fill=None, stroke=RULE, strokeWidth=0.6, cornerRadius=4)


def _segments(segments: Sequence[Segment]) -> Spec:
    values = [{**_line(line.start, line.end), "is_back": line.is_back} for line in segments]
    dash = {"condition": {"test": "datum.is_back", "value": [3, 3]}, "value": [1, 0]}
    place = {**_between(), "strokeDash": dash}
    return silent(values, "rule", place, stroke=MUTED, strokeWidth=1, strokeCap="round")


def _boxes(boxes: Sequence[Box], *, has_bands: bool) -> list[Spec]:
    sheets = [
        side
        for box in boxes
        if box.count > 1
        for place in (1, 2)
        for side in _sheet(replace(box, x=box.x + SHEET * place, y=box.y + SHEET * place))
    ]
    bands = [{**_rectangle(box.x, box.y, BAND, box.height), "role": box.role} for box in boxes]
    frames = [{**_rectangle(box.x, box.y, box.width, box.height), "description": box.description} for box in boxes]
    return [
        silent(sheets, "rule", _between(), stroke=MUTED, strokeWidth=0.75),
        *([_bands(bands)] if has_bands else []),
        described(frames, "rect", _between(), fill="transparent", stroke=INK, strokeWidth=0.9, cornerRadius=1.5),
    ]


def _bands(values: Sequence[Spec]) -> Spec:
    colour = by_name("role", list(ROLE_COLOURS), list(ROLE_COLOURS.values()))
    return silent(values, "rect", {**_between(), "color": colour})


def _sheet(box: Box) -> list[Spec]:
    """What is seen of a sheet that lies behind: its edges at the right and below, and the ends of the other two."""
    right, bottom = box.x + box.width, box.y + box.height
    ends = (
        ((right - SHEET, box.y), (right, box.y)),
        ((right, box.y), (right, bottom)),
        ((right, bottom), (box.x, bottom)),
        ((box.x, bottom), (box.x, bottom - SHEET)),
    )
    return [_line(start, end) for start, end in ends]


def _legend(roles: Sequence[str], y: float, captions: list[Caption]) -> list[Spec]:
    """Swatches with the parts of the system that they stand for; their words go to the captions."""
    names = {role: name for _, role, name in ROLES} | {"": "other"}
    x, swatches = 0.0, []
    for role in roles:
        swatches.append({**_rectangle(x, y, BAND, SWATCH), "role": role})
        captions.append(Caption(x + BAND + 5, y + SWATCH - 0.5, names.get(role, role), SMALL_SIZE, is_muted=True))
        x += BAND + 5 + text.width(names.get(role, role), SMALL_SIZE) + 18
    return [_bands(swatches)]


def _captions(captions: Sequence[Caption]) -> list[Spec]:
    """A layer for each look of text."""
    by_look: dict[tuple[float, bool, bool, bool], list[Spec]] = {}
    for each in captions:
        value = {"x": round(each.x, 2), "y": round(each.y, 2), "text": each.text}
        by_look.setdefault((each.size, each.is_bold, each.is_centred, each.is_muted), []).append(value)
    return [
        silent(
            values,
            "text",
            {"x": _pixels("x"), "y": _pixels("y"), "text": {"field": "text"}},
            align="center" if is_centred else "left",
            baseline="alphabetic",
            fontSize=size,
            fontWeight=600 if is_bold else 400,
            color=MUTED if is_muted else INK,
        )
        for (size, is_bold, is_centred, is_muted), values in by_look.items()
    ]
