"""Prose of study.toml: what it asks for in double braces, and what is wrong with that before there are data."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from pipeline.suggestions import nearest

if TYPE_CHECKING:
    import jinja2

LONGEST_PROSE: Final = 200_000
"""Characters of one section."""
NO_STATEMENTS: Final = ("\x00{%", "%}\x00")
"""Delimiters that no manifest can hold."""
NO_COMMENTS: Final = ("\x00{#", "#}\x00")

WITHOUT_DECIMALS: Final = ("runs", "ratio")
FUNCTIONS: Final = (
    *("mean", "stddev", "median", "least", "greatest", "cv_pct", "runs", "interval"),
    *("ratio", "reduction_pct", "improvement_pct", "ratio_interval", "reduction_interval", "improvement_interval"),
    *("difference", "duration"),
)
"""What prose may call: each takes a milestone, measurement or phase, a configuration, and most of them decimals."""


def wrong_expressions(text: str) -> Iterator[str]:
    """What is wrong with the values that prose asks for, in words."""
    if len(text) > LONGEST_PROSE:
        yield f"longer than {LONGEST_PROSE:,} characters; split it"
    elif "{{" in text:
        yield from _wrong(text)


def configurations_asked(text: str) -> Iterator[str]:
    """The configurations that prose names; none where it cannot be parsed."""
    if "{{" not in text or len(text) > LONGEST_PROSE:
        return
    import jinja2
    from jinja2 import nodes

    try:
        parsed = _environment().parse(text)
    except (jinja2.TemplateSyntaxError, RecursionError):
        return
    for call in parsed.find_all(nodes.Call):
        given = [*call.args[1:2], *(each.value for each in call.kwargs if each.key == "configuration")]
        yield from (each.value for each in given if isinstance(each, nodes.Const) and isinstance(each.value, str))


def _wrong(text: str) -> Iterator[str]:
    import jinja2
    from jinja2 import nodes

    try:
        parsed = _environment().parse(text)
    except jinja2.TemplateSyntaxError as error:
        yield f"line {error.lineno} of the text: a value in double braces cannot be read: {error.message}"
        return
    except RecursionError:
        yield "a value in double braces is nested too deeply"
        return
    for name in parsed.find_all(nodes.Name):
        if name.name not in FUNCTIONS:
            hint = nearest(name.name, FUNCTIONS) or f"; functions: {', '.join(FUNCTIONS)}"
            yield f"line {name.lineno} of the text: no function {name.name!r}{hint}"
    for call in parsed.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in FUNCTIONS:
            yield from _wrong_arguments(call, call.node.name)
    for each in parsed.find_all((nodes.Filter, nodes.Test)):
        yield f"line {each.lineno} of the text: no filter and no test is available, such as {each.name!r}"


def _wrong_arguments(call: "jinja2.nodes.Call", name: str) -> Iterator[str]:
    count = len(call.args) + len(call.kwargs)
    most = 2 if name in WITHOUT_DECIMALS else 3
    if call.dyn_args is None and call.dyn_kwargs is None and not 2 <= count <= most:
        decimals = "" if name in WITHOUT_DECIMALS else ", and decimals"
        yield (
            f"line {call.lineno} of the text: {name}() takes a milestone, measurement or phase, "
            f"a configuration{decimals}; found {count} values"
        )


@cache
def _environment() -> "jinja2.Environment":
    import jinja2

    return jinja2.Environment(  # noqa: S701  it only parses
        block_start_string=NO_STATEMENTS[0],
        block_end_string=NO_STATEMENTS[1],
        comment_start_string=NO_COMMENTS[0],
        comment_end_string=NO_COMMENTS[1],
    )
