"""A run as a page for a browser: one file, no network; lanes that zoom, with the lines below."""

from pathlib import Path

import jinja2
from markupsafe import Markup

from reports.document.pages import STYLES
from reports.timeline import lanes
from reports.timeline.packed import facts
from reports.timeline.run_timeline import RunTimeline
from reports.typeset.page_policy import page_policy
from reports.typeset.text import visible

FOLDER = Path(__file__).parent


def page(timeline: RunTimeline) -> str:
    """The page of a run. Its policy allows its own style and script, by their hashes, and nothing else."""
    files = (STYLES / "tokens.css", STYLES / "dark.css", FOLDER / "page.css")
    style = "".join(path.read_text(encoding="utf-8") for path in files) + lanes.style()
    script = f'"use strict";\n{lanes.script()}'
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        title=visible(timeline.title),
        facts=visible(facts(timeline)),
        remarks=[visible(each) for each in timeline.remarks],
        policy=page_policy(style, script),
        style=Markup(style),  # noqa: S704  our own files
        script=Markup(script),  # noqa: S704  our own file
        lanes=lanes.lanes([timeline], is_docked=False),
    )
