"""A run as lines for a terminal: what happened when, on which node, and where it is written."""

from collections.abc import Iterator

from reports import numbers
from reports.answers.lines import GRADE_STYLES, Line, Span
from reports.timeline.run_timeline import LogLine, RunTimeline, Step

TIME_WIDTH = 12


def lines(timeline: RunTimeline) -> Iterator[Line]:
    """The facts of the run, its phases, then its log lines in the order of time with its steps between them."""
    yield (Span(timeline.title, "title"),)
    if timeline.fault_s is not None:
        low, high = timeline.fault_s
        yield _fact("fault", f"{numbers.moment(timeline.zero)} UTC is t = 0 ({low:+.3f} to {high:+.3f} s)")
        yield _fact("known by", timeline.fault_source)
    if timeline.lost_node:
        yield _fact("lost", timeline.lost_node)
    if timeline.surviving_node:
        yield _fact("took over", timeline.surviving_node)
    for remark in timeline.remarks:
        yield (Span(f"  {remark}", "doubtful"),)
    for phase in timeline.phases:
        times = f"{phase.start_s:.3f} to {phase.end_s:.3f} s"
        yield _fact("phase", f"{phase.name}: {numbers.fixed(phase.end_s - phase.start_s, 3)} s, from {times}")
    yield ()
    widths = [max((len(lane[place]) for lane in timeline.lanes), default=0) for place in (0, 1)]
    steps = sorted(timeline.steps, key=lambda step: step.at_s)
    for line in timeline.lines:
        while steps and steps[0].at_s <= line.at_s:
            yield _step(steps.pop(0))
        yield _line(line, *widths)
    yield from map(_step, steps)


def _fact(label: str, text: str) -> Line:
    return (Span(f"  {label:12}", "quiet"), Span(text))


def _step(step: Step) -> Line:
    place = f"  {step.place}" if step.place else ""
    return (
        Span(f"{step.at_s:+{TIME_WIDTH}.3f}  "),
        Span(f"== {step.name} ({step.low_s:.3f} to {step.high_s:.3f} s)", "good"),
        Span(place, "quiet"),
    )


def _line(line: LogLine, node_width: int, source_width: int) -> Line:
    return (
        Span(f"{line.at_s:+{TIME_WIDTH}.3f}  "),
        Span(f"{line.node:{node_width}}  {line.source:{source_width}}  ", "quiet"),
        Span(f"{line.severity} " if line.severity else "", GRADE_STYLES[line.grade]),
        Span(line.text, GRADE_STYLES[line.grade]),
        Span(f"  {line.place}", "quiet"),
    )
