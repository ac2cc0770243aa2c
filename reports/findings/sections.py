"""Prose of the study: Markdown whose numbers are asked for by name and come from the data.

Only expressions in double braces are evaluated, in a sandbox that knows the functions below and nothing else: no
statements, no filters, no attributes of objects. What they give is a number that this program formatted. A value that
the data do not give is reported in its place; what is wrong regardless of the data, `pipeline.study.prose` refuses.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markdown_it import MarkdownIt
from markupsafe import Markup

from pipeline.study.prose import NO_COMMENTS, NO_STATEMENTS
from reports import numbers
from reports.data_origin import mark_of, prose_note
from reports.study.store import Row
from reports.study.view import StudyView
from reports.typeset.text import visible_lines

VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prose:
    """A section of the study, ready to print. `note` says which of its numbers were built in; it may be empty."""

    title: str
    place: str
    body: Markup
    note: str = ""


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(("*", "**", "+", "%"))

    def is_safe_attribute(self, _value: object, _name: str, _found: object) -> bool:
        """None is: `"a".ljust(10**9)` is a method of a text."""
        return False

    def call_binop(self, _context: jinja2.runtime.Context, operator: str, _left: object, _right: object) -> object:
        """Arithmetic belongs into views, and `"a" * 10 ** 9` nowhere."""
        raise jinja2.exceptions.SecurityError(f"the operator {operator} is not available here")


class NoValueError(Exception):
    """A value that the data do not give, with the reason."""


NO_VALUE = (NoValueError, jinja2.exceptions.TemplateError, ArithmeticError, TypeError, ValueError, RecursionError)
"""What the evaluation of an expression may end with."""


class Values:
    """The functions that prose may call. A name is that of a milestone, else that of a measurement, such as tps.

    `asked`: the configurations whose numbers were asked for, in order.
    """

    def __init__(self, study: StudyView) -> None:
        self._study = study
        self.asked: dict[str, None] = {}

    def functions(self) -> Mapping[str, Callable[..., str]]:
        """Functions by the name that prose calls them by."""
        return {
            "mean": self.mean,
            "stddev": self.stddev,
            "median": self.median,
            "least": self.least,
            "greatest": self.greatest,
            "cv_pct": self.cv_pct,
            "runs": self.runs,
            "interval": self.interval,
            "ratio": self.ratio,
            "reduction_pct": self.reduction_pct,
            "improvement_pct": self.improvement_pct,
            "ratio_interval": self.ratio_interval,
            "reduction_interval": self.reduction_interval,
            "improvement_interval": self.improvement_interval,
            "difference": self.difference,
            "duration": self.duration,
        }

    def mean(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Mean seconds after the fault, or mean of a measurement."""
        return numbers.fixed(self._stats(milestone, configuration)["mean_s"], decimals)

    def stddev(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Sample standard deviation, seconds; a dash for one run."""
        return numbers.fixed(self._stats(milestone, configuration)["stddev_s"], decimals)

    def median(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Median, seconds."""
        return numbers.fixed(self._stats(milestone, configuration)["median_s"], decimals)

    def least(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Least value of a run, seconds."""
        return numbers.fixed(self._stats(milestone, configuration)["min_s"], decimals)

    def greatest(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Greatest value of a run, seconds."""
        return numbers.fixed(self._stats(milestone, configuration)["max_s"], decimals)

    def cv_pct(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Standard deviation in percent of the mean."""
        return numbers.fixed(self._stats(milestone, configuration)["cv_pct"], decimals)

    def runs(self, milestone: str, configuration: str) -> str:
        """Number of runs."""
        return numbers.count(self._stats(milestone, configuration)["runs"])

    def interval(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """95 % interval of the mean, seconds."""
        row = self._stats(milestone, configuration)
        return self._marked(numbers.interval(row["ci95_low_s"], row["ci95_high_s"], decimals), configuration)

    def ratio(self, milestone: str, configuration: str) -> str:
        """Mean over the mean of the reference."""
        return numbers.ratio(self._change(milestone, configuration)["ratio"])

    def reduction_pct(self, milestone: str, configuration: str, decimals: int = 0) -> str:
        """Percent less than the reference."""
        return numbers.fixed(self._change(milestone, configuration)["reduction_pct"], decimals)

    def improvement_pct(self, measurement: str, configuration: str, decimals: int = 0) -> str:
        """Percent more than the reference."""
        return numbers.fixed(100 * (self._change(measurement, configuration)["ratio"] - 1), decimals)

    def ratio_interval(self, milestone: str, configuration: str, decimals: int = 3) -> str:
        """95 % interval of the ratio of means."""
        return self._marked(numbers.interval(*self._ratio_ends(milestone, configuration), decimals), configuration)

    def reduction_interval(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """95 % interval of the percentage less than the reference."""
        low, high = self._ratio_ends(milestone, configuration)
        return self._marked(numbers.interval(100 * (1 - high), 100 * (1 - low), decimals), configuration)

    def improvement_interval(self, measurement: str, configuration: str, decimals: int = 1) -> str:
        """95 % interval of the percentage more than the reference."""
        low, high = self._ratio_ends(measurement, configuration)
        return self._marked(numbers.interval(100 * (low - 1), 100 * (high - 1), decimals), configuration)

    def difference(self, milestone: str, configuration: str, decimals: int = 1) -> str:
        """Seconds more than the reference."""
        return numbers.signed(self._change(milestone, configuration)["difference_s"], decimals)

    def duration(self, phase: str, configuration: str, decimals: int = 1) -> str:
        """Mean duration of a phase, seconds."""
        self.asked[configuration] = None
        rows = [row for row in self._study.phases if row["phase"] == phase and row["configuration"] == configuration]
        if not rows:
            known = sorted({row["phase"] for row in self._study.phases if row["configuration"] == configuration})
            raise self._unknown("phase", phase, configuration, known)
        return numbers.fixed(rows[0]["mean_duration_s"], decimals)

    def _marked(self, interval: str, configuration: str) -> str:
        """An interval with the sign of data that a program made: those of the configuration, or of its reference."""
        references = [each.reference for each in self._study.configurations if each.configuration == configuration]
        return f"{interval}{mark_of(self._study, [configuration, *references])}"

    def _stats(self, milestone: str, configuration: str) -> Row:
        self.asked[configuration] = None
        found = self._study.milestone_stats.get((configuration, milestone))
        if found is not None:
            return found
        own = [row for row in self._study.rows("measurements") if row["configuration"] == configuration]
        for row in own:
            if row["metric"] == milestone:
                return _as_milestone(row)
        known = [name for label, name in self._study.milestone_stats if label == configuration]
        known += sorted({row["metric"] for row in own})
        raise self._unknown("milestone or measurement", milestone, configuration, known)

    def _change(self, milestone: str, configuration: str) -> Row:
        self.asked[configuration] = None
        for row in self._study.rows("changes"):
            if row["configuration"] == configuration and row["milestone"] == milestone:
                return row
        compared = [
            row
            for row in self._study.rows("measurements")
            if row["configuration"] == configuration and row["relative_ratio"] is not None
        ]
        for row in compared:
            if row["metric"] == milestone:
                return _as_change(row)
        known = [row["milestone"] for row in self._study.rows("changes") if row["configuration"] == configuration]
        known += sorted({row["metric"] for row in compared})
        raise self._unknown("change of milestone or measurement", milestone, configuration, known)

    def _ratio_ends(self, milestone: str, configuration: str) -> tuple[float, float]:
        row = self._change(milestone, configuration)
        low, high = row["ratio_ci95_low"], row["ratio_ci95_high"]
        if low is None or high is None:
            raise NoValueError(
                f"no interval for the change of {milestone!r} of configuration {configuration!r}: "
                "it takes three runs on both sides"
            )
        return low, high

    def _unknown(self, kind: str, name: str, configuration: str, known: list[str]) -> NoValueError:
        missing = f"no {kind} {name!r} of configuration {configuration!r} in the data"
        if not known:
            configurations = ", ".join(repr(each.configuration) for each in self._study.configurations) or "none"
            return NoValueError(f"{missing}; configurations of the study: {configurations}")
        return NoValueError(f"{missing}; known: {', '.join(known)}")


def _as_milestone(row: Row) -> Row:
    """Statistics of a measurement under the names of a milestone's."""
    return {
        "mean_s": row["mean"],
        "stddev_s": row["stddev"],
        "median_s": row["median"],
        "min_s": row["min"],
        "max_s": row["max"],
        "cv_pct": row["cv_pct"],
        "runs": row["runs"],
        "ci95_low_s": row["ci95_low"],
        "ci95_high_s": row["ci95_high"],
    }


def _as_change(row: Row) -> Row:
    """The change of a measurement under the names of a milestone's."""
    ratio, mean = row["relative_ratio"], row["mean"]
    return {
        "ratio": ratio,
        "ratio_ci95_low": row["ratio_low"],
        "ratio_ci95_high": row["ratio_high"],
        "reduction_pct": 100 * (1 - ratio),
        "difference_s": mean - mean / ratio if ratio else None,
    }


def sections(study: StudyView) -> list[Prose]:
    """The sections of the manifest, in its order."""
    found = study.store.rows("select * from study.section order by position")
    return [_section(study, row) for row in found]


def _section(study: StudyView, row: Row) -> Prose:
    values = Values(study)
    body = _prose(values, row["body"])
    return Prose(row["title"] or "", row["place"] or "", body, prose_note(study, list(values.asked)))


def abstract(study: StudyView) -> Markup | None:
    """The abstract of the manifest, if it has one."""
    text = study.setting.get("abstract")
    return prose(study, text) if text else None


def prose(study: StudyView, text: str) -> Markup:
    """Markdown with its values filled in, as HTML without any of its own."""
    return _prose(Values(study), text)


def _prose(values: Values, text: str) -> Markup:
    return _markdown(_filled(values, text))


def _filled(values: Values, text: str) -> str:
    environment = _Sandbox(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        block_start_string=NO_STATEMENTS[0],
        block_end_string=NO_STATEMENTS[1],
        comment_start_string=NO_COMMENTS[0],
        comment_end_string=NO_COMMENTS[1],
    )
    environment.globals.clear()
    environment.filters.clear()
    environment.tests.clear()
    environment.globals.update(values.functions())
    plain = text.replace("\0", "")
    try:
        return environment.from_string(plain).render()
    except NO_VALUE:
        return VALUE.sub(lambda found: _value(environment, found[0]), plain)


def _value(environment: jinja2.Environment, expression: str) -> str:
    """One value; what has no result, such as `1 / 0`, is reported in its place."""
    try:
        return environment.from_string(expression).render()
    except NO_VALUE as error:
        return f"[`{expression.strip('{} ')}` has no result: {error}]"


def _markdown(text: str) -> Markup:
    renderer = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table").disable("image")
    tokens = renderer.parse(visible_lines(text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # the report's own headings are above these
            token.tag = "h4"
        for child in token.children or ():
            if child.type == "text":
                child.content = numbers.with_units(child.content)
    return Markup(renderer.renderer.render(tokens, renderer.options, {}))  # noqa: S704  markdown-it escapes, html is off
