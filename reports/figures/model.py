"""A figure: a Vega-Lite specification, the data behind it, and words for who cannot see it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pipeline.ask.trace.source import Origin
from reports import numbers
from reports.outline import TOPICS
from reports.typeset import text

Spec = dict[str, Any]  # Vega-Lite, as its schema has it; checked against that schema in the tests

INK, MUTED, RULE, GRID = "#161616", "#5c5f62", "#a3a8ad", "#d8dadc"

# Light enough for black dots upon them, and apart in lightness when printed in grey; each row is labelled besides.
ROLE_COLOURS = {
    "detection": "#c4c9ce",
    "storage": "#f0c05a",
    "network": "#c9b3e0",
    "restart": "#86cdbd",
    "recovery": "#7aa9de",
    "": "#d9cfc4",
}
ACCENT = ROLE_COLOURS["recovery"]

SERIES_COLOURS = (INK, "#2f7fc1", "#d2691e", "#8d5fb8")
"""Of lines that are compared; ink and blue, the first two, are far apart in grey."""

LABEL_WIDTH = 178  # room for names left of a chart
LABEL_CHARACTERS = 33
LABEL_LINES = 3
LABEL_LINE_HEIGHT = 12
LABEL_SIZE = 10.5
HEADING_SIZE = 12
LABEL_LIMIT = 220  # a longer line of a name is cut, CSS pixels
TEXT_WIDTH = 604  # CSS pixels between the margins of an A4 page
HEADING_LIMIT = TEXT_WIDTH - 4  # a picture has two pixels left and right

SLIM = frozenset(" !\"'()*,-./:;I[\\]fijlrt{|}")
MEDIUM = frozenset("0123456789abcdeghknopqsuvxyzEFJLSTYZ$+<=>?^_`~")

CONFIG: Spec = {
    "font": "IBM Plex Sans",
    "background": "transparent",
    "padding": 2,
    "view": {"stroke": None},
    "concat": {"spacing": 16},
    "axis": {
        "labelFontSize": LABEL_SIZE,
        "labelColor": INK,
        "titleFontSize": 10.5,
        "titleFontWeight": "normal",
        "titleColor": MUTED,
        "gridColor": GRID,
        "domainColor": MUTED,
        "tickColor": MUTED,
        "labelLimit": 0,  # of numbers; for each label with a limit Vega measures the text twice more, which takes long
        "labelFlush": False,
        "labelLineHeight": LABEL_LINE_HEIGHT,
    },
    "legend": {"labelLimit": 160, "titleLimit": 180, "labelColor": INK, "titleColor": INK},
    "title": {
        "anchor": "start",
        "frame": "group",
        "fontSize": HEADING_SIZE,
        "fontWeight": 600,
        "color": INK,
        "subtitleFontSize": 10.5,
        "subtitleColor": MUTED,
        "subtitlePadding": 2,
        "offset": 8,
    },
    "text": {"fontSize": 10.5, "color": INK},
}


@dataclass(frozen=True, slots=True)
class Behind:
    """Where the number of a mark comes from that no single line shows, such as a mean of runs of a configuration."""

    configuration: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A publication figure. `label` is the study's own number for it; `topic` the part of the results it is in.

    `behind`: by the words of a mark that no single line shows, where its number comes from.
    """

    name: str
    caption: str
    description: str
    spec: Spec
    names: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()
    source: str = ""
    label: str = ""
    configurations: tuple[str, ...] = ()
    topic: str = "failover"
    sql: str = ""  # the study's own statement, where it draws one
    behind: Mapping[str, Behind] = field(default_factory=dict, compare=False)

    @property
    def section(self) -> str:
        """The section of the report that the figure is in."""
        return "results" if self.topic in TOPICS else self.topic

    def with_note(self, note: str) -> Self:
        """The figure with one more note."""
        return replace(self, notes=(*self.notes, note))


def wrapped(label: str) -> str:
    """A label on as many lines as the room left of a chart needs."""
    return "\n".join(text.wrapped(text.visible(label), LABEL_CHARACTERS, LABEL_LINES))


def row_height(labels: Iterable[str], least: int) -> Spec:
    """The height of each row of a chart: enough for the lines of the longest label, wrapped as it is."""
    most = max((each.count("\n") + 1 for each in labels), default=1)
    return {"step": max(least, LABEL_LINE_HEIGHT * most + 2), "for": "position"}


def label_axis(labels: Iterable[str]) -> Spec:
    """An axis of names: no line, no ticks, and room that is the same in every panel."""
    longest = max((most_width(line) for label in labels for line in label.split("\n")), default=0.0)
    return {
        "labelLimit": LABEL_LIMIT if longest * LABEL_SIZE > LABEL_LIMIT else 0,
        "title": None,
        "domain": False,
        "ticks": False,
        "minExtent": LABEL_WIDTH - 8,
        "maxExtent": LABEL_WIDTH - 8,
        "labelPadding": 8,
        "labelExpr": "split(datum.label, '\\n')",
        # lines go down from the first: two of them are in the middle with the first above it
        "labelBaseline": {
            "condition": {"test": "indexof(datum.value, '\\n') >= 0", "value": "bottom"},
            "value": "middle",
        },
    }


def most_width(line: str) -> float:
    """What a text takes at most, in units of the size of the font: a bound for each character, found without a font."""
    return sum(
        (0.45 if c in SLIM else 0.6 if c in MEDIUM else 0.95) if c.isascii() else 1.4  # as Plex Sans draws them
        for c in line
    )


def specification(**content: object) -> Spec:
    """A whole specification in the look of the report."""
    config = CONFIG | {"locale": {"number": numbers.axis_format()}}
    return {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "config": config, **_limited(content)}


def _limited(content: Spec) -> Spec:
    """The same with headings of panels cut at the edge of the page; one that surely fits is not measured."""
    return {name: _limited_part(name, value) for name, value in content.items()}


def _limited_part(name: str, value: object) -> object:
    if isinstance(value, list):
        return value if name == "values" else [_limited_part("", each) for each in value]
    if not isinstance(value, dict) or name == "encoding":
        return value
    heading = value.get("text")
    if name == "title" and isinstance(heading, str) and most_width(heading) * HEADING_SIZE > HEADING_LIMIT:
        return {**value, "limit": HEADING_LIMIT}
    return _limited(value)
