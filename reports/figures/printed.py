"""A drawn figure as the paper prints it: the same ink with fewer elements, as each costs the page renderer time.

Nobody points at a mark on paper, so that labels of marks, and frames that draw nothing, are left out. Dots of one look
become one path, and so do lines, whose overlapping changes nothing as long as they are opaque.
"""

import re
from itertools import groupby
from typing import Final

AMOUNT: Final = r"-?[\d.]+(?:e-?\d+)?"
LABEL: Final = re.compile(r' (?:aria-label="[^"]*"|role="img"|aria-hidden="true"|pointer-events="none")')
UNSEEN: Final = re.compile(r'<path class="(?:background|foreground)"(?: display="none"| d="[^"]*")+ ?/>')
"""A frame without fill and stroke; Vega sets both to none around everything."""

DOT: Final = re.compile(
    rf'<path transform="translate\((?P<x>{AMOUNT}),(?P<y>{AMOUNT})\)" '
    rf'd="M(?P<r>{AMOUNT}),0A(?P=r),(?P=r),0,1,1,-(?P=r),0A(?P=r),(?P=r),0,1,1,(?P=r),0" '
    r'fill="(?P<colour>[^"]+)"(?: stroke-width="[^"]*")?(?: opacity="1")? ?/>'
)
LINE: Final = re.compile(
    rf'<line transform="translate\((?P<x>{AMOUNT}),(?P<y>{AMOUNT})\)" x2="(?P<dx>{AMOUNT})" y2="(?P<dy>{AMOUNT})"'
    r'(?P<look>(?: stroke[a-z-]*="[^"]*")+)(?: opacity="1")? ?/>'
)
DOTS: Final = re.compile(f"(?:{re.sub('[?]P<[a-z]+>', '?:', DOT.pattern.replace('(?P=r)', AMOUNT))}){{2,}}")
LINES: Final = re.compile(f"(?:{re.sub('[?]P<[a-z]+>', '?:', LINE.pattern)}){{2,}}")


def printed(drawn: str) -> str:
    """The drawing with fewer elements."""
    lean = UNSEEN.sub("", LABEL.sub("", drawn))
    return LINES.sub(_as_path, DOTS.sub(_as_round_caps, lean))


def _as_round_caps(dots: re.Match[str]) -> str:
    """Dots as the round ends of lines without length."""
    found = []
    for (colour, radius), alike in groupby(DOT.finditer(dots[0]), lambda one: (one["colour"], one["r"])):
        path = "".join(f"M{one['x']},{one['y']}h0" for one in alike)
        width = f"{2 * float(radius):g}"
        found.append(f'<path d="{path}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>')
    return "".join(found)


def _as_path(lines: re.Match[str]) -> str:
    found = []
    for look, alike in groupby(LINE.finditer(lines[0]), lambda one: one["look"]):
        path = "".join(f"M{one['x']},{one['y']}l{one['dx']},{one['dy']}" for one in alike)
        found.append(f'<path d="{path}"{look}/>')
    return "".join(found)
