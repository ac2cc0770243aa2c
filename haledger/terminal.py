"""Output of the commands: results on standard output, messages and progress on standard error."""

import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import typer

from reports.typeset.escape import visible

if TYPE_CHECKING:
    from haledger.progress_bar import Bar
    from haledger.progress_lines import Lines
    from reports.answers.lines import Line

STYLES: Final = {"title": "1", "good": "32", "bad": "31", "doubtful": "33", "quiet": "2"}
"""Codes that terminals know (ECMA-48)."""

PAGE_WIDTHS: Final = (72, 120)
"""Text is wrapped to the terminal's width, within these limits."""


class Talk:
    """Messages on standard error, and how many of them."""

    is_quiet = False
    is_verbose = False

    @classmethod
    def ask(cls, *, quiet: bool, verbose: bool, no_color: bool) -> None:
        """Apply these options on top of earlier ones: they may be given before and after a command."""
        cls.is_quiet = cls.is_quiet or quiet
        cls.is_verbose = cls.is_verbose or verbose
        if no_color:
            os.environ["NO_COLOR"] = "1"
        logging.getLogger().setLevel(logging.INFO if cls.is_verbose else logging.WARNING)

    @classmethod
    def say(cls, text: str) -> None:
        """Print a line, unless --quiet was given."""
        if not cls.is_quiet:
            typer.echo(visible(text), err=True)


def show_result(data: object, lines: Sequence[str], *, as_json: bool) -> None:
    """Print a command's result: lines for people, or data as JSON."""
    if as_json:
        typer.echo(json.dumps(data, indent=2, ensure_ascii=True, default=str))
        return
    for line in lines:
        typer.echo(visible(line))


def show_summary(data: object, lines: Sequence[str], *, as_json: bool) -> None:
    """Print the summary of a command that writes files; not with --quiet, unless as JSON."""
    show_result(data, [] if Talk.is_quiet else lines, as_json=as_json)


def painted(text: str, style: str) -> str:
    """Text in a style of the terminal; plain where there is no terminal, or where NO_COLOR is set."""
    is_plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if is_plain or style not in STYLES else f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def painted_line(line: "Line") -> str:
    """A line of an answer with the colours of its spans, and nothing in it that would steer a terminal."""
    return "".join(painted(visible(span.text), span.style) for span in line).rstrip()


def page_width() -> int:
    """Width that text is wrapped to, with or without a terminal."""
    return min(max(shutil.get_terminal_size((100, 24)).columns, PAGE_WIDTHS[0]), PAGE_WIDTHS[1])


def terminal_width() -> int | None:
    """Width of the terminal; None where output does not go to one."""
    return os.get_terminal_size().columns if sys.stdout.isatty() else None


def progress() -> Callable[[str, float], None] | None:
    """Return what shows the steps of a long task: a bar on a terminal, else a line now and then."""
    if Talk.is_quiet:
        return None
    end_progress()
    shown = _bar() or _lines()
    _SHOWN.append(shown)
    return shown.show


def _bar() -> "Bar | None":
    """A bar, where standard error is a terminal that can draw one. Elsewhere rich is not imported."""
    if not sys.stderr.isatty():
        return None
    from haledger.progress_bar import Bar

    return Bar() if Bar.fits() else None


def _lines() -> "Lines":
    from haledger.progress_lines import Lines

    return Lines(Talk.say, is_eager=Talk.is_verbose)


def end_progress() -> None:
    """Leave the terminal as it was, before a message or the end."""
    while _SHOWN:
        _SHOWN.pop().end()


_SHOWN: "list[Bar | Lines]" = []
