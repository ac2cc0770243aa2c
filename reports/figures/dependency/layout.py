"""A layered drawing of what needs what: parents above children, few crossings, lengths in CSS pixels.

Layers by the longest path from the top (Sugiyama's method): rows no wider than the paper, an invisible box where an
edge passes a row, order by barycentres, then places as near to their neighbours as their row allows. The same input
gives the same drawing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

SWEEPS = 12
PASSING_WIDTH = 8.0
"""Room for an edge that passes a row of boxes."""
STRAIGHT = 4.0
"""How much more an edge that passes a row resists bending than a box resists leaving the middle of its neighbours."""

Edge = tuple[str, str]
Point = tuple[float, float]
Key = str | tuple[str, str, int]
Rows = list[list[Key]]


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a box."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Spacing:
    """Room between boxes of a row and between rows, and the widest that a row may be."""

    gap: float = 16.0
    row_gap: float = 34.0
    limit: float = 580.0


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as drawn, from parent to child; `is_back` where it closes a ring and leads upwards."""

    parent: str
    child: str
    points: tuple[Point, ...]
    is_back: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """Left upper corners of the boxes, and the edges between them."""

    corners: Mapping[str, Point]
    lines: tuple[Line, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Band:
    """Where a row lies."""

    top: float
    height: float


def arranged(sizes: Mapping[str, Size], edges: Sequence[Edge], spacing: Spacing) -> Drawing:
    """Place boxes and edges. Edges name boxes that have a size; one from a box to itself is left out."""
    known = dict.fromkeys((a, b) for a, b in edges if a != b)
    down, back = _without_rings(sizes, known)
    ranks = _bounded(_ranks(sizes, down), sizes, spacing)
    paths = {edge: _path(edge, ranks) for edge in down}
    rows = _ordered(_rows(sizes, ranks, paths), paths)
    centres = _centres(rows, paths, sizes, spacing)
    bands = _bands(rows, sizes, spacing)
    corners = {
        key: (centres[key] - size.width / 2, bands[ranks[key]].top + (bands[ranks[key]].height - size.height) / 2)
        for key, size in sizes.items()
    }
    lines = [_line(edge, _points(path, centres, corners, sizes, bands), back) for edge, path in paths.items()]
    width = max((x + sizes[key].width for key, (x, _) in corners.items()), default=0.0)
    return Drawing(corners, tuple(lines), width, bands[-1].top + bands[-1].height if bands else 0.0)


def _without_rings(nodes: Iterable[str], edges: Iterable[Edge]) -> tuple[list[Edge], set[Edge]]:
    """The edges with those turned round that would close a ring, and which those are."""
    children: dict[str, list[str]] = {node: [] for node in nodes}
    for edge in edges:
        children[edge[0]].append(edge[1])
    needed = {lower for _, lower in edges}
    done: set[str] = set()
    down: dict[Edge, None] = {}
    back: set[Edge] = set()
    for root in [*(node for node in children if node not in needed), *children]:
        if root in done:
            continue
        open_nodes = {root: iter(children[root])}
        while open_nodes:
            node = next(reversed(open_nodes))
            child: str | None = next(open_nodes[node], None)
            if child is None:
                done.add(node)
                del open_nodes[node]
            elif child in open_nodes:
                down.setdefault((child, node))
                back.add((child, node))
            else:
                down.setdefault((node, child))
                if child not in done:
                    open_nodes[child] = iter(children[child])
    both_ways = set(edges)
    return list(down), {(a, b) for a, b in back if (a, b) not in both_ways}


def _ranks(nodes: Iterable[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The length of the longest way down to each node."""
    parents: dict[str, list[str]] = {node: [] for node in nodes}
    children: dict[str, list[str]] = {node: [] for node in parents}
    for parent, child in edges:
        parents[child].append(parent)
        children[parent].append(child)
    waiting = {node: len(each) for node, each in parents.items()}
    ready = [node for node, count in waiting.items() if count == 0]
    ranks: dict[str, int] = {}
    for node in ready:  # grows while it is gone through
        ranks[node] = max((ranks[parent] + 1 for parent in parents[node]), default=0)
        for child in children[node]:
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    return {node: ranks[node] for node in parents}


def _bounded(ranks: Mapping[str, int], sizes: Mapping[str, Size], spacing: Spacing) -> dict[str, int]:
    """Ranks with rows that are too wide broken into several."""
    found: dict[str, int] = {}
    row = -1
    for rank in sorted(set(ranks.values())):
        row += 1
        members = [node for node in ranks if ranks[node] == rank]
        total = sum(sizes[node].width + spacing.gap for node in members) - spacing.gap
        share = total / -(-total // spacing.limit)
        used = 0.0
        for node in members:
            width = sizes[node].width
            if used and (used + width > spacing.limit or used + width / 2 > share):
                row, used = row + 1, 0.0
            found[node] = row
            used += width + spacing.gap
    return {node: found[node] for node in ranks}


def _path(edge: Edge, ranks: Mapping[str, int]) -> list[Key]:
    """The boxes of an edge, with an invisible one in every row that it passes."""
    parent, child = edge
    return [parent, *((parent, child, rank) for rank in range(ranks[parent] + 1, ranks[child])), child]


def _rows(nodes: Iterable[str], ranks: Mapping[str, int], paths: Mapping[Edge, Sequence[Key]]) -> Rows:
    rows: Rows = [[] for _ in range(max(ranks.values(), default=-1) + 1)]
    for node in nodes:
        rows[ranks[node]].append(node)
    for path in paths.values():
        for key in path[1:-1]:
            rows[int(key[2])].append(key)
    return rows


def _ordered(rows: Rows, paths: Mapping[Edge, Sequence[Key]]) -> Rows:
    """The rows in the order with the fewest crossings that sweeps by barycentre meet."""
    above, below = _neighbours(paths)
    best, fewest = rows, _crossings(rows, below)
    current = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        is_down = sweep % 2 == 0
        beside = above if is_down else below
        for rank in range(1, len(rows)) if is_down else range(len(rows) - 2, -1, -1):
            fixed = {key: place for place, key in enumerate(current[rank - 1 if is_down else rank + 1])}
            current[rank] = _by_barycentre(current[rank], beside, fixed)
        count = _crossings(current, below)
        if count < fewest:
            best, fewest = [list(row) for row in current], count
    return best


def _by_barycentre(row: Sequence[Key], beside: Mapping[Key, Sequence[Key]], fixed: Mapping[Key, int]) -> list[Key]:
    """A row ordered by its neighbours in the fixed one; a box without any keeps its place."""
    wished = {key: _mean([fixed[each] for each in beside.get(key, ())]) for key in row}
    free = iter(sorted((key for key in row if wished[key] is not None), key=lambda key: wished[key] or 0.0))
    return [key if wished[key] is None else next(free) for key in row]


def _neighbours(paths: Mapping[Edge, Sequence[Key]]) -> tuple[dict[Key, list[Key]], dict[Key, list[Key]]]:
    above: dict[Key, list[Key]] = {}
    below: dict[Key, list[Key]] = {}
    for path in paths.values():
        for upper, lower in pairwise(path):
            below.setdefault(upper, []).append(lower)
            above.setdefault(lower, []).append(upper)
    return above, below


def _crossings(rows: Sequence[Sequence[Key]], below: Mapping[Key, Sequence[Key]]) -> int:
    count = 0
    for upper, lower in pairwise(rows):
        place = {key: i for i, key in enumerate(lower)}
        ends = [sorted(place[each] for each in below.get(key, ())) for key in upper]
        flat = [end for each in ends for end in each]
        count += sum(a > b for i, a in enumerate(flat) for b in flat[i + 1 :])
    return count


def _centres(
    rows: Rows, paths: Mapping[Edge, Sequence[Key]], sizes: Mapping[str, Size], spacing: Spacing
) -> dict[Key, float]:
    """Middles of the boxes from the left edge on: near to their neighbours, none upon another."""
    above, below = _neighbours(paths)
    widths = {key: sizes[key].width if isinstance(key, str) else PASSING_WIDTH for row in rows for key in row}
    found: dict[Key, float] = {}
    for row in rows:
        used = -(sum(widths[key] + spacing.gap for key in row) - spacing.gap) / 2
        for key in row:
            found[key] = used + widths[key] / 2
            used += widths[key] + spacing.gap
    both = {key: [*above.get(key, ()), *below.get(key, ())] for key in found}
    for sweep in range(SWEEPS):
        is_down = sweep % 2 == 0 or sweep == SWEEPS - 1
        beside = both if SWEEPS - 5 <= sweep < SWEEPS - 1 else above if is_down else below
        for row in rows if is_down else reversed(rows):
            wished = [_median([found[each] for each in beside.get(key, ())]) for key in row]
            aims = [found[key] if wish is None else wish for key, wish in zip(row, wished, strict=True)]
            found |= zip(row, _apart(row, aims, widths, spacing.gap), strict=True)
    return _within(rows, found, widths, spacing)


def _apart(row: Sequence[Key], aims: Sequence[float], widths: Mapping[Key, float], gap: float) -> list[float]:
    """Places in order and apart, with the least squared distance to those aimed at (pool adjacent violators)."""
    offsets = [0.0]
    for left, right in pairwise(row):
        offsets.append(offsets[-1] + (widths[left] + widths[right]) / 2 + gap)
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for key, aim, offset in zip(row, aims, offsets, strict=True):
        pool = (aim - offset, 1.0 if isinstance(key, str) else STRAIGHT, 1)
        while pools and pools[-1][0] > pool[0]:
            mean, weight, members = pools.pop()
            total = weight + pool[1]
            pool = ((mean * weight + pool[0] * pool[1]) / total, total, members + pool[2])
        pools.append(pool)
    means = [mean for mean, _, members in pools for _ in range(members)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _within(rows: Rows, centres: dict[Key, float], widths: Mapping[Key, float], spacing: Spacing) -> dict[Key, float]:
    """The places counted from the left edge, pressed together where they reach beyond the widest row."""
    least = min((centres[key] - widths[key] / 2 for key in centres), default=0.0)
    found = {key: centre - least for key, centre in centres.items()}
    for row in rows:
        right = spacing.limit
        for key in reversed(row):
            found[key] = min(found[key], right - widths[key] / 2)
            right = found[key] - widths[key] / 2 - spacing.gap
        left = 0.0
        for key in row:
            found[key] = max(found[key], left + widths[key] / 2)
            left = found[key] + widths[key] / 2 + spacing.gap
    return found


def _bands(rows: Rows, sizes: Mapping[str, Size], spacing: Spacing) -> list[_Band]:
    found: list[_Band] = []
    used = 0.0
    for row in rows:
        found.append(_Band(used, max((sizes[key].height for key in row if isinstance(key, str)), default=0.0)))
        used += found[-1].height + spacing.row_gap
    return found


def _points(
    path: Sequence[Key],
    centres: Mapping[Key, float],
    corners: Mapping[str, Point],
    sizes: Mapping[str, Size],
    bands: Sequence[_Band],
) -> tuple[Point, ...]:
    """From the lower edge of the first box to the upper edge of the last, upright past the boxes of a row between."""
    first, last = str(path[0]), str(path[-1])
    points = [(centres[first], corners[first][1] + sizes[first].height)]
    for key in path[1:-1]:
        band = bands[int(key[2])]
        points += [(centres[key], band.top), (centres[key], band.top + band.height)]
    return (*points, (centres[last], corners[last][1]))


def _line(edge: Edge, points: tuple[Point, ...], back: set[Edge]) -> Line:
    upper, lower = edge
    return Line(lower, upper, points[::-1], is_back=True) if edge in back else Line(upper, lower, points, is_back=False)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _median(values: Sequence[float]) -> float | None:
    """The middle one, which makes more lines straight than the mean does."""
    return median(values) if values else None
