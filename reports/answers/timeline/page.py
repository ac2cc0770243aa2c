"""A run as a page for a browser: one file, no network; lanes that zoom, with the lines below."""

import json
from pathlib import Path

import jinja2
from markupsafe import Markup

from reports import numbers
from reports.answers.timeline.run_timeline import RunTimeline
from reports.typeset.page_policy import page_policy
from reports.typeset.text import visible

FOLDER = Path(__file__).parent


def page(timeline: RunTimeline) -> str:
    """The page of a run. Its policy allows its own style and script, by their hashes, and nothing else."""
    style, script = (FOLDER.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        title=visible(timeline.title),
        facts=visible(_facts(timeline)),
        remarks=[visible(each) for each in timeline.remarks],
        policy=page_policy(style, script),
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        data=Markup(_data(timeline)),  # noqa: S704  JSON without any <
    )


def _facts(timeline: RunTimeline) -> str:
    parts = [f"{len(timeline.lines):,} log lines"]
    if timeline.fault_s is not None:
        low, high = timeline.fault_s
        known = f"known to {high - low:.3g} s ({timeline.fault_source})"
        parts.append(f"t = 0: the fault, {numbers.moment(timeline.zero)} UTC, {known}")
    if timeline.lost_node:
        parts.append(f"lost: {timeline.lost_node}")
    if timeline.surviving_node:
        parts.append(f"took over: {timeline.surviving_node}")
    return "; ".join(parts)


def _data(timeline: RunTimeline) -> str:
    """What the script draws. Without `<`, so that no text of a log can end the element that holds it."""
    lanes = {lane: place for place, lane in enumerate(timeline.lanes)}
    data = {
        "name": visible(f"{timeline.configuration} {timeline.run}"),
        "fault": timeline.fault_s,
        "phases": [{"name": visible(each.name), "start": each.start_s, "end": each.end_s} for each in timeline.phases],
        "steps": [
            {"name": visible(each.name), "at": each.at_s, "low": each.low_s, "high": each.high_s}
            for each in timeline.steps
        ],
        "lanes": [[visible(node), visible(source)] for node, source in lanes],
        "lines": [
            {
                "at": round(each.at_s, 6),
                "lane": lanes[(each.node, each.source)],
                "node": visible(each.node),
                "source": visible(each.source),
                "severity": visible(each.severity),
                "grade": each.grade,
                "text": visible(each.text),
                "place": visible(each.place),
            }
            for each in timeline.lines
        ],
    }
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
