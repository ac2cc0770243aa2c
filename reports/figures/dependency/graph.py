"""A graph of boxes and lines as it lies on the page: sizes from text, places from the layout. In CSS pixels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reports.figures.dependency.data import OF_ONE_RESOURCE, Cluster, Resource, ServiceGroup
from reports.figures.dependency.fold import folded
from reports.figures.dependency.layout import Drawing, Size, Spacing, arranged
from reports.figures.draw import text
from reports.figures.draw.ink import CLEAR, Ink, Look, Path, Text, rectangle
from reports.figures.draw.style import INK, LABEL, MUTED, ROLE_COLOURS, SMALL, WIDE

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
class BoxText:
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
            [text.width(line, LABEL, is_bold=True) for line in self.bold]
            + [text.width(line, SMALL) for line in self.light],
            default=0.0,
        )
        stack = 2 * SHEET if self.count > 1 else 0.0
        height = LINE_HEIGHT * (len(self.bold) + len(self.light)) + 2 * PAD_UPRIGHT
        return Size(max(LEAST_WIDTH, widest + PAD_LEFT + PAD_RIGHT) + stack, height + stack)


def role_of(kind: str) -> tuple[str, str]:
    """Colour role and name of the part of the system that a type of resource works in."""
    return next(((role, name) for pattern, role, name in ROLES if re.search(pattern, kind)), OTHER)


@dataclass(frozen=True, slots=True)
class Graph:
    """Boxes and what needs what among them, below a heading. `on_lines`: words in the middle of a line, by its key."""

    heading: tuple[str, ...]
    labels: Mapping[str, BoxText]
    edges: tuple[tuple[str, str], ...]
    spacing: Spacing
    on_lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def has_stack(self) -> bool:
        """Whether a box stands for several resources."""
        return any(label.count > 1 for label in self.labels.values())

    @property
    def has_ring(self) -> bool:
        """Whether a line leads upwards."""
        return any(line.is_back for line in self._arranged(WIDE).lines)

    def laid(self, limit: float, *, has_bands: bool) -> "Laid":
        """The graph with its left upper corner at zero, no wider than the limit. `has_bands`: in colours of parts."""
        drawing = self._arranged(limit)
        inks: list[Ink] = [
            Path(line.points, Look(stroke=MUTED, dash=(3, 3) if line.is_back else ())) for line in drawing.lines
        ]
        sizes = self._sizes
        for key, label in self.labels.items():
            inks += _box(label, drawing.corners[key], sizes[key], has_bands=has_bands)
        for key, words in self.on_lines.items():
            x, y = drawing.corners[key]
            middle = x + sizes[key].width / 2
            inks += [
                Text(middle, y + 2 + LINE_HEIGHT * place + 10, line, SMALL, INK, "middle")
                for place, line in enumerate(words)
            ]
        heading = tuple(_heading(self.heading, limit))
        widest = max((text.box[2] for text in heading), default=0.0)
        return Laid(heading, tuple(inks), drawing.width, max(drawing.width, widest), drawing.height)

    @property
    def _sizes(self) -> dict[str, Size]:
        found = {name: label.size for name, label in self.labels.items()}
        for key, words in self.on_lines.items():
            found[key] = Size(max(text.width(line, SMALL) for line in words) + 8, LINE_HEIGHT * len(words) + 4)
        return found

    def _arranged(self, limit: float) -> Drawing:
        return arranged(self._sizes, self.edges, replace(self.spacing, limit=limit))


@dataclass(frozen=True, slots=True)
class Laid:
    """A graph at its size: heading, boxes and lines, their width without and with the heading, and their height."""

    heading: tuple[Text, ...]
    inks: tuple[Ink, ...]
    inner: float
    width: float
    height: float

    @property
    def top(self) -> float:
        """Room for the heading."""
        return LINE_HEIGHT * len(self.heading) + (8.0 if self.heading else 0.0)


def group_graph(group: ServiceGroup, place: str = "") -> Graph | None:
    """The resources of a group; `place` is reported below its name. None where the graph is too large to read."""
    graph = folded(group.resources, group.needs)
    if len(graph.boxes) > MOST_DRAWN or not graph.boxes:
        return None
    labels = {name: _resource_label(members) for name, members in graph.boxes.items()}
    about = f"{group.kind} on {group.systems}" if group.systems else group.kind
    return Graph((group.name, *filter(None, (about, place))), labels, graph.edges, Spacing(row_gap=26))


def groups_graph(cluster: Cluster, place: str = "") -> Graph | None:
    """The groups of a cluster with their dependencies; the kind of each is in the middle of its line."""
    names = {group.name: group for group in cluster.groups}
    ends = dict.fromkeys(end for need in cluster.needs for end in (need.parent, need.child))
    shown = list(dict.fromkeys([*(name for name in names if name in ends), *ends]))
    if not shown or len(shown) > MOST_DRAWN:
        return None
    edges: list[tuple[str, str]] = []
    on_lines: dict[str, tuple[str, ...]] = {}
    for number, need in enumerate(cluster.needs):
        key = f"{number} {need.parent}"
        if not need.mode or need.parent == need.child:
            edges.append((need.parent, need.child))
            continue
        on_lines[key] = tuple(text.lines(need.mode, SMALL, LABEL_LIMIT))
        edges += [(need.parent, key), (key, need.child)]
    labels = {name: _group_label(name, names.get(name)) for name in shown}
    return Graph(tuple(filter(None, (place,))), labels, tuple(edges), Spacing(gap=24, row_gap=11), on_lines)


def printed(members: Sequence[Resource]) -> str:
    """A box in words: `Mount datashark`, `86 × Mount (datashark to fs86)`."""
    first, last = members[0], members[-1]
    kind = first.kind or "resource"
    return f"{kind} {first.name}" if len(members) == 1 else f"{len(members)} × {kind} ({first.name} to {last.name})"


def _resource_label(members: Sequence[Resource]) -> BoxText:
    first, count = members[0], len(members)
    role = role_of(first.kind)[0]
    if count == 1:
        bold = text.lines(first.name, LABEL, LABEL_LIMIT, is_bold=True)
        light = text.lines(first.kind, SMALL, LABEL_LIMIT) if first.kind else []
        return BoxText(tuple(bold), tuple(light), role, 1, f"{printed(members)}{_at(first.place)}")
    bold = text.lines(f"{count} × {first.kind or 'resource'}", LABEL, LABEL_LIMIT, is_bold=True)
    light = [line for each in members[:2] for line in text.lines(each.name, SMALL, LABEL_LIMIT)]
    named = ", ".join(each.name for each in members[:NAMES_SHOWN])
    more = f" and {count - NAMES_SHOWN} more" if count > NAMES_SHOWN else ""
    description = f"{count} × {first.kind or 'resource'}: {named}{more}{_at(first.place)}"
    return BoxText(tuple(bold), (*light, f"and {count - 2} more"), role, count, description)


def _at(place: str) -> str:
    """The line that declares something, put behind its name."""
    return f", {place}" if place else ""


def _group_label(name: str, group: ServiceGroup | None) -> BoxText:
    bold = text.lines(name, LABEL, LABEL_LIMIT, is_bold=True)
    if group is None:
        return BoxText(tuple(bold), ("not declared",), "", 1, f"{name}, not declared")
    if group.kind == OF_ONE_RESOURCE:
        kind = group.resources[0].kind
        return BoxText(
            tuple(bold), tuple(text.lines(kind, SMALL, LABEL_LIMIT)), "", 1, f"{name}, {kind}{_at(group.place)}"
        )
    count = len(group.resources)
    light = [group.kind, f"{count} resource" if count == 1 else f"{count} resources"]
    return BoxText(tuple(bold), tuple(light), "", 1, f"{group.name}, {', '.join(light)}{_at(group.place)}")


def _box(label: BoxText, corner: tuple[float, float], size: Size, *, has_bands: bool) -> Iterator[Ink]:
    x, y = corner
    stack = 2 * SHEET if label.count > 1 else 0.0
    right, bottom = x + size.width - stack, y + size.height - stack
    if stack:
        for shift in (SHEET, 2 * SHEET):
            yield Path(_sheet(x + shift, y + shift, right + shift, bottom + shift), Look(stroke=MUTED, width=0.75))
    if has_bands:
        yield rectangle((x, y, x + BAND, bottom), Look(fill=ROLE_COLOURS[label.role]))
    yield rectangle((x, y, right, bottom), Look(fill=CLEAR, stroke=INK, width=0.9), label.description)
    left, line = x + PAD_LEFT, y + PAD_UPRIGHT + 10
    for place, words in enumerate(label.bold):
        yield Text(left, line + LINE_HEIGHT * place, words, LABEL, INK, is_bold=True)
    for place, words in enumerate(label.light, len(label.bold)):
        yield Text(left, line + LINE_HEIGHT * place, words, SMALL, INK)


def _sheet(left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
    """What is seen of a sheet that lies behind: its edges at the right and below, and the ends of the other two."""
    return ((right - SHEET, top), (right, top), (right, bottom), (left, bottom), (left, bottom - SHEET))


def _heading(words: Sequence[str], limit: float) -> Iterator[Text]:
    """The first words in bold, the others below, each on as many lines as it needs."""
    row = 0
    for place, each in enumerate(words):
        for line in text.lines(each, LABEL, limit, is_bold=place == 0):
            row += 1
            yield Text(0, LINE_HEIGHT * row - 3, line, LABEL, MUTED if place else INK, is_bold=place == 0)
