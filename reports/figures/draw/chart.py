"""A chart at a width: the edges of the plots of its panels, its legend, and after which panels a page may end."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reports.figures.draw.ink import Ink, Look, Path, Piece, Text, below_each_other, rectangle
from reports.figures.draw.panel import BESIDE_NAMES, LEVEL_TICK, Frame, dot, drawn, name_lines
from reports.figures.draw.scales import fitting_ticks
from reports.figures.draw.scene import Axis, Dot, Entry, Label, Panel, Rows
from reports.figures.draw.style import GAP, INK, LABEL, LINE
from reports.figures.draw.text import lines, width

BESIDE_VALUES = 12.0
MOST_NAMES = 0.3
"""Of the width, for names beside the plots; and the least that is left for these before names go above them."""
LEAST_PLOT = 0.4
LEAST_PIECE = 210.0
"""A part between which and the next a page may end is at least so high, pixels."""
KEY, KEY_GAP = 22.0, 16.0


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels below each other, whose plots share both edges."""

    panels: tuple[Panel, ...]
    legend: tuple[Entry, ...] = ()

    def pieces(self, width: float) -> list[Piece]:
        """The drawing at a width, in parts between which a page may end."""
        frame = framed(self.panels, width)
        following = [*(panel.x for panel in self.panels[1:]), None]
        plots = [drawn(each, frame, has_axis=each.x != x) for each, x in zip(self.panels, following, strict=False)]
        left = sum(each.height + GAP for each in plots)
        found: list[list[Piece]] = [[_keys(self.legend, width)] if self.legend else []]
        used = 0.0
        for panel, plot in zip(self.panels, plots, strict=True):
            used += plot.height + GAP
            left -= plot.height + GAP
            if used >= LEAST_PIECE <= left:
                found[-1].append(drawn(panel, frame, has_axis=True))
                found.append([])
                used = 0.0
            else:
                found[-1].append(plot)
        return [below_each_other(each, GAP) for each in found]


def framed(panels: Sequence[Panel], page: float) -> Frame:
    """The edges of the plots: names and numbers beside them have the room that they need."""
    rows = [row for panel in panels if isinstance(panel.y, Rows) for row in panel.y.rows]
    most = Frame(page, page * MOST_NAMES, page)
    names = [line for row in rows for line in name_lines(row.name, most)]
    left = max((width(line, LABEL) + BESIDE_NAMES for line in names), default=0.0)
    left = max([left, *(_room_for_values(panel) for panel in panels)])
    right = page - max((width(row.value, LABEL) + BESIDE_VALUES for row in rows if row.value), default=0.0)
    is_cut = any("\u2026" in line for line in names) and not any("\u2026" in row.name for row in rows)
    if rows and (right - left < LEAST_PLOT * page or is_cut):
        return _with_words_inside(panels, Frame(page, 0.0, page, is_stacked=True))
    return _with_words_inside(panels, Frame(page, left, right))


def _room_for_values(panel: Panel) -> float:
    if not isinstance(panel.y, Axis):
        return 0.0
    ticks = panel.y.ticks or fitting_ticks(panel.y.scale, panel.height, lambda _text: LEVEL_TICK)
    return max((width(text, LABEL) + BESIDE_NAMES for _, text in ticks), default=0.0)


def _with_words_inside(panels: Iterable[Panel], frame: Frame) -> Frame:
    """The frame with a right edge from which no words beside marks hang over the page."""
    room, least = frame.right - frame.left, 0.4 * (frame.right - frame.left)
    for panel in panels:
        for mark in panel.marks:
            if isinstance(mark, Label) and not (mark.is_free or mark.is_above):
                share = panel.x.scale.share(mark.x)
                beyond = mark.dx + width(mark.text, LABEL) + 1.0
                if mark.past is not None and share < panel.x.scale.share(mark.past) < share + beyond / room:
                    share = panel.x.scale.share(mark.past)
                if share * room + beyond > frame.width - frame.left:
                    room = max(least, (frame.width - frame.left - beyond) / share)
    return replace(frame, right=frame.left + room)


def _keys(entries: Sequence[Entry], page: float) -> Piece:
    """The legend in rows."""
    inks: list[Ink] = []
    x, y = 0.0, LINE * LABEL
    for entry in entries:
        key = KEY if entry.is_line else KEY / 2
        (name, *_) = lines(entry.name, LABEL, page - key - 6.0, most=1)
        taken = key + 6.0 + width(name, LABEL)
        if x and x + taken > page:
            x, y = 0.0, y + LINE * LABEL + 3.0
        inks += _key(entry, x, y - 0.35 * LABEL, key)
        inks.append(Text(x + key + 6.0, y, name, LABEL, INK))
        x += taken + KEY_GAP
    return Piece(y + 2.0, tuple(inks))


def _key(entry: Entry, x: float, middle: float, length: float) -> Iterator[Ink]:
    if entry.is_line:
        yield Path(((x, middle), (x + length, middle)), entry.look)
    elif not entry.shape:
        yield rectangle((x, middle - length / 2 + 0.5, x + length, middle + length / 2 - 0.5), entry.look)
    if entry.shape:
        look = Look(fill=entry.look.stroke or entry.look.fill) if entry.is_line else entry.look
        yield dot(x + length / 2, middle, Dot(0.0, 0.0, look=look, radius=3.8, shape=entry.shape))
