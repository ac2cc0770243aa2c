"""Small pictures inside a table: the mark of a verdict, and an interval as a bar against what was asked."""

from typing import Final

from pipeline.ask.check.verdict import Condition, Estimate, Verdict

SIGNS: Final = {
    Verdict.PASS: '<circle cx="6" cy="6" r="5.5" fill="#1b7340"/><path d="M3.2 6.2l2 2 3.6-4.2" stroke="#fff" '
    'stroke-width="1.5" fill="none"/>',
    Verdict.FAIL: '<rect x=".5" y=".5" width="11" height="11" fill="#b3261e"/>'
    '<path d="M3.3 3.3l5.4 5.4M8.7 3.3l-5.4 5.4" '
    'stroke="#fff" stroke-width="1.5" fill="none"/>',
    Verdict.CANNOT_TELL: '<circle cx="6" cy="6" r="5" fill="none" stroke="#7a7f85" stroke-width="1.2"/>'
    '<path d="M3.4 6h5.2" stroke="#7a7f85" stroke-width="1.5"/>',
}
"""Apart in shape, lightness and colour, so that grey print shows them apart too."""

WIDTH: Final = 36.0
HEIGHT: Final = 12.0
EDGE: Final = 3.0  # left free on either side
INK: Final = "#5c6fd6"
SHADE: Final = 'fill="#8a9097" fill-opacity=".28"'


def verdict_mark(verdict: Verdict) -> str:
    """A disc with a tick, a square with a cross, or an open circle."""
    return _svg(12.0, SIGNS[verdict])


def interval_bar(found: Estimate, asked: Condition | None) -> str:
    """The interval as a bar, its value as a dot, and the side that was asked for shaded; empty without an interval."""
    if asked is None or found.value is None or found.low is None or found.high is None:
        return ""
    margin = asked.margin or 0.0
    limits = (asked.value - margin, asked.value + margin) if asked.is_equality else (asked.value,)
    ends = (found.low, found.high, *limits)
    low, high = min(ends), max(ends)
    room = 0.12 * (high - low) or 1.0
    low, high = low - room, high + room

    def x(value: float) -> float:
        return round(float(EDGE + (WIDTH - 2 * EDGE) * (value - low) / (high - low)), 1)

    if asked.is_equality:
        shade = (x(limits[0]), x(limits[-1]))
    else:
        shade = (x(limits[0]), WIDTH) if asked.op.startswith(">") else (0.0, x(limits[0]))
    bar = (x(found.low), x(found.high))
    inside = "".join(
        (
            f'<rect x="{shade[0]:g}" y="1" width="{max(shade[1] - shade[0], 0.8):g}" height="10" {SHADE}/>',
            *(f'<path d="M{x(each):g} 0v12" stroke="#7a7f85" stroke-width="1.2"/>' for each in limits),
            f'<rect x="{bar[0]:g}" y="4.5" width="{max(bar[1] - bar[0], 1.2):g}" height="3" fill="{INK}"/>',
            f'<circle cx="{x(found.value):g}" cy="6" r="2.4" fill="{INK}"/>',
        )
    )
    return _svg(WIDTH, inside)


def _svg(width: float, inside: str) -> str:
    size = f'width="{width:g}" height="{HEIGHT:g}" viewBox="0 0 {width:g} {HEIGHT:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="mark" aria-hidden="true" {size}>{inside}</svg>'
