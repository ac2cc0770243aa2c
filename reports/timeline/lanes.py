"""Runs as lanes in a page: the element that holds them, its style and its script, all of it in the page itself."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from reports.timeline.packed import packed
from reports.timeline.run_timeline import RunTimeline

FOLDER = Path(__file__).parent


def lanes(timelines: Sequence[RunTimeline], *, is_docked: bool) -> Markup:
    """The element; docked below a report, where it opens what the report shows, or alone with its only run."""
    template = _environment().get_template("lanes.html.j2")
    return Markup(template.render(data=packed(timelines), is_docked=is_docked))  # noqa: S704  autoescape is on


def style() -> str:
    """What it looks like."""
    return (FOLDER / "lanes.css").read_text(encoding="utf-8")


def script() -> str:
    """What unpacks and draws it."""
    return "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("filter.js", "lanes.js"))


@cache
def _environment() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(FOLDER)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
