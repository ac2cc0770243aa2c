"""A graph of boxes and lines as it lies on the page: sizes from text, places from the layout. In CSS pixels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reports.figures.dependency import text
from reports.figures.dependency.data import OF_ONE_RESOURCE, Cluster, Resource, ServiceGroup
from reports.figures.dependency.fold import folded
from reports.figures.dependency.layout import Drawing, Size, Spacing, arranged
from reports.figures.model import TEXT_WIDTH

FONT_SIZE, SMALL_SIZE = 10.5, 9.5
LINE_HEIGHT = 13.0
LABEL_LIMIT = 132.0
"""Widest line of text in a box."""
BAND, PAD_LEFT, PAD_RIGHT, PAD_UPRIGHT = 5.0, 12.0, 9.0, 6.0
LEAST_WIDTH = 72.0
SHEET = 3.0
"""How far the sheets of a stack stand out."""
MARGIN = 12.0
NAMES_SHOWN = 12
MOST_DRAWN = 60
"""A graph that even folded has more boxes is not drawn."""

# Which part of the system a type of VCS or an agent of Pacemaker works in, with its colour role and printed name.
ROLES = (
    (r"(?i)^(stonith|fence)|coordpoint", "detection", "fencing"),
    (r"(?i)^(ip|nic|multinic|ipmultinic|ipaddr|ipv6addr|ipsrcaddr|dns|proxy|phantom|vip)", "network", "network"),
    (
        r"(?i)^(db2|oracle|netlsnr|sybase|informix|sapdb|pgsql|postgres|mysql|mariadb|galera|sqlserver)",
        "recovery",
        "database",
    ),
    (
        r"(?i)^(diskgroup|diskres|cfs|cvm|disk|share|nfs|lvm|drbd|filesystem|zpool|zfs|raid|rvg|exportfs)|volume|mount",
        "storage",
        "storage",
    ),
)
OTHER = ("", "other")


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text at its baseline's left end, or at the middle of it."""

    x: float
    y: float
    text: str
    size: float
    is_bold: bool = False
    is_centred: bool = False
    is_muted: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A drawn box; `count` resources are in it, `description` says what it is."""

    x: float
    y: float
    width: float
    height: float
    role: str
    count: int
    description: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight piece of a line."""

    start: tuple[float, float]
    end: tuple[float, float]
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A graph with a heading; `frame` false where it stands alone."""

    heading: tuple[Caption, ...]
    boxes: tuple[Box, ...]
    captions: tuple[Caption, ...]
    segments: tuple[Segment, ...]
    width: float
    height: float
    top: float
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Label:
    """What is in a box: bold lines, then lighter ones."""

    bold: tuple[str, ...]
    light: tuple[str, ...]
    role: str
    count: int
    description: str

    @property
    def size(self) -> Size:
        """Room of the box with its text, and of the stack below it."""
        widest = max(
            [text.width(line, FONT_SIZE, is_bold=True) for line in self.bold]
            + [text.width(line, SMALL_SIZE) for line in self.light],
            default=0.0,
        )
        stack = 2 * SHEET if self.count > 1 else 0.0
        height = LINE_HEIGHT * (len(self.bold) + len(self.light)) + 2 * PAD_UPRIGHT
        return Size(max(LEAST_WIDTH, widest + PAD_LEFT + PAD_RIGHT) + stack, height + stack)


def role_of(kind: str) -> tuple[str, str]:
    """Colour role and name of the part of the system that a type of resource works in."""
    return next(((role, name) for pattern, role, name in ROLES if re.search(pattern, kind)), OTHER)


def group_panel(group: ServiceGroup, place: str = "") -> Panel | None:
    """The resources of a group; `place` is reported below its name. None where the graph is too large to read."""
    graph = folded(group.resources, group.needs)
    if len(graph.boxes) > MOST_DRAWN or not graph.boxes:
        return None
    labels = {name: _resource_label(members) for name, members in graph.boxes.items()}
    sizes = {name: label.size for name, label in labels.items()}
    drawing = arranged(sizes, graph.edges, Spacing(limit=TEXT_WIDTH - 2 * MARGIN))
    about = f"{group.kind} on {group.systems}" if group.systems else group.kind
    return _panel(drawing, sizes, labels, {}, (group.name, *filter(None, (about, place))))


def groups_panel(cluster: Cluster, place: str = "") -> Panel | None:
    """The groups of a cluster with their dependencies; the kind of each is in the middle of its line."""
    names = {group.name: group for group in cluster.groups}
    ends = dict.fromkeys(end for need in cluster.needs for end in (need.parent, need.child))
    shown = list(dict.fromkeys([*(name for name in names if name in ends), *ends]))
    if not shown or len(shown) > MOST_DRAWN:
        return None
    labels = {name: _group_label(name, names.get(name)) for name in shown}
    sizes = {name: label.size for name, label in labels.items()}
    modes = {f"{place} {need.parent}": need for place, need in enumerate(cluster.needs)}
    edges: list[tuple[str, str]] = []
    on_lines: dict[str, list[str]] = {}
    for key, need in modes.items():
        if not need.mode or need.parent == need.child:
            edges.append((need.parent, need.child))
            continue
        on_lines[key] = text.lines(need.mode, SMALL_SIZE, LABEL_LIMIT)
        widest = max(text.width(line, SMALL_SIZE) for line in on_lines[key])
        sizes[key] = Size(widest + 8, LINE_HEIGHT * len(on_lines[key]) + 4)
        edges += [(need.parent, key), (key, need.child)]
    drawing = arranged(sizes, edges, Spacing(gap=24, row_gap=14, limit=TEXT_WIDTH - 2 * MARGIN))
    return _panel(drawing, sizes, labels, on_lines, tuple(filter(None, (place,))))


def printed(members: Sequence[Resource]) -> str:
    """A box in words: `Mount datashark`, `86 × Mount (datashark to fs86)`."""
    first, last = members[0], members[-1]
    kind = first.kind or "resource"
    return f"{kind} {first.name}" if len(members) == 1 else f"{len(members)} × {kind} ({first.name} to {last.name})"


def _resource_label(members: Sequence[Resource]) -> _Label:
    first, count = members[0], len(members)
    role = role_of(first.kind)[0]
    if count == 1:
        bold = text.lines(first.name, FONT_SIZE, LABEL_LIMIT, is_bold=True)
        light = text.lines(first.kind, SMALL_SIZE, LABEL_LIMIT) if first.kind else []
        return _Label(tuple(bold), tuple(light), role, 1, f"{printed(members)}{_at(first.place)}")
    bold = text.lines(f"{count} × {first.kind or 'resource'}", FONT_SIZE, LABEL_LIMIT, is_bold=True)
    light = [line for each in members[:2] for line in text.lines(each.name, SMALL_SIZE, LABEL_LIMIT)]
    named = ", ".join(each.name for each in members[:NAMES_SHOWN])
    more = f" and {count - NAMES_SHOWN} more" if count > NAMES_SHOWN else ""
    description = f"{count} × {first.kind or 'resource'}: {named}{more}{_at(first.place)}"
    return _Label(tuple(bold), (*light, f"and {count - 2} more"), role, count, description)


def _at(place: str) -> str:
    """The line that declares something, put behind its name."""
    return f", {place}" if place else ""


def _group_label(name: str, group: ServiceGroup | None) -> _Label:
    bold = text.lines(name, FONT_SIZE, LABEL_LIMIT, is_bold=True)
    if group is None:
        return _Label(tuple(bold), ("not declared",), "", 1, f"{name}, not declared")
    if group.kind == OF_ONE_RESOURCE:
        kind = group.resources[0].kind
        return _Label(
            tuple(bold), tuple(text.lines(kind, SMALL_SIZE, LABEL_LIMIT)), "", 1, f"{name}, {kind}{_at(group.place)}"
        )
    count = len(group.resources)
    light = [group.kind, f"{count} resource" if count == 1 else f"{count} resources"]
    return _Label(tuple(bold), tuple(light), "", 1, f"{group.name}, {', '.join(light)}{_at(group.place)}")


def _panel(
    drawing: Drawing,
    sizes: Mapping[str, Size],
    labels: Mapping[str, _Label],
    on_lines: Mapping[str, Sequence[str]],
    heading: Sequence[str],
) -> Panel:
    head = tuple(_heading(heading))
    boxes: list[Box] = []
    captions: list[Caption] = []
    for key, label in labels.items():
        x, y = drawing.corners[key]
        stack = 2 * SHEET if label.count > 1 else 0.0
        size = sizes[key]
        boxes.append(Box(x, y, size.width - stack, size.height - stack, label.role, label.count, label.description))
        captions += _box_captions(label, x + PAD_LEFT, y + PAD_UPRIGHT)
    for key, words in on_lines.items():
        x, y = drawing.corners[key]
        captions += [
            Caption(x + sizes[key].width / 2, y + 2 + LINE_HEIGHT * place + 10, line, SMALL_SIZE, is_centred=True)
            for place, line in enumerate(words)
        ]
    segments = tuple(
        Segment(start, end, line.is_back) for line in drawing.lines for start, end in pairwise(line.points)
    )
    head_width = max((text.width(each.text, each.size, is_bold=each.is_bold) for each in head), default=0.0)
    roles = tuple(dict.fromkeys(label.role for label in labels.values()))
    top = LINE_HEIGHT * len(head) + (8.0 if head else 0.0)
    return Panel(
        head, tuple(boxes), tuple(captions), segments, max(drawing.width, head_width), drawing.height, top, roles
    )


def _box_captions(label: _Label, x: float, y: float) -> Iterator[Caption]:
    for place, line in enumerate(label.bold):
        yield Caption(x, y + LINE_HEIGHT * place + 10, line, FONT_SIZE, is_bold=True)
    for place, line in enumerate(label.light, len(label.bold)):
        yield Caption(x, y + LINE_HEIGHT * place + 10, line, SMALL_SIZE)


def _heading(words: Sequence[str]) -> Iterator[Caption]:
    """The first words in bold, the others below, each on as many lines as it needs."""
    limit, row = TEXT_WIDTH - 2 * MARGIN, 0
    for place, each in enumerate(words):
        for line in text.lines(each, FONT_SIZE, limit, is_bold=place == 0):
            row += 1
            yield Caption(0, LINE_HEIGHT * row - 3, line, FONT_SIZE, is_bold=place == 0, is_muted=place > 0)
