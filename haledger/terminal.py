"""What people and programs are told: results on standard output, talk and progress on standard error."""

import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Final

import typer

from reports.escape import visible

STYLES: Final = {"title": "1", "good": "32", "bad": "31", "doubtful": "33", "quiet": "2"}
"""Codes that terminals know (ECMA-48)."""

PAGE_WIDTHS: Final = (72, 120)
"""Text is folded to the terminal's width between these columns."""


class Talk:
    """What the commands say on standard error, and how much of it."""

    is_quiet = False
    is_verbose = False

    @classmethod
    def ask(cls, *, quiet: bool, verbose: bool, no_color: bool) -> None:
        """Take in what options ask for, beside what they asked for before: they stand on both sides of a command."""
        cls.is_quiet = cls.is_quiet or quiet
        cls.is_verbose = cls.is_verbose or verbose
        if no_color:
            os.environ["NO_COLOR"] = "1"
        logging.getLogger().setLevel(logging.INFO if cls.is_verbose else logging.WARNING)

    @classmethod
    def say(cls, text: str) -> None:
        """Say a line, unless asked to be quiet."""
        if not cls.is_quiet:
            typer.echo(visible(text), err=True)


def show_result(data: object, lines: Sequence[str], *, as_json: bool) -> None:
    """Write what a command found: lines for a person, or data as JSON."""
    if as_json:
        typer.echo(json.dumps(data, indent=2, ensure_ascii=True, default=str))
        return
    for line in lines:
        typer.echo(visible(line))


def show_summary(data: object, lines: Sequence[str], *, as_json: bool) -> None:
    """Write what a command did whose result is files: a person who asked for quiet need not read it."""
    show_result(data, [] if Talk.is_quiet else lines, as_json=as_json)


def painted(text: str, style: str) -> str:
    """Text as a terminal is told to show it; plain where there is none, or where NO_COLOR asks for it."""
    is_plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if is_plain or style not in STYLES else f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def page_width() -> int:
    """Columns that text is folded to, terminal or not."""
    return min(max(shutil.get_terminal_size((100, 24)).columns, PAGE_WIDTHS[0]), PAGE_WIDTHS[1])


def terminal_width() -> int | None:
    """Columns of the terminal; None where output goes elsewhere."""
    return os.get_terminal_size().columns if sys.stdout.isatty() else None


def progress() -> Callable[[str, float], None] | None:
    """Give a bar that redraws one line of standard error; steps as lines to who asks for them and has no terminal."""
    if Talk.is_quiet:
        return None
    if not sys.stderr.isatty():
        return _steps() if Talk.is_verbose else None

    def show(step: str, share: float) -> None:
        done = round(24 * min(max(share, 0.0), 1.0))
        typer.echo(f"\r\x1b[2K{visible(step)[:40]:40} {'━' * done}{'╌' * (24 - done)} {share:4.0%}", err=True, nl=False)
        if share >= 1:
            typer.echo("\r\x1b[2K", err=True, nl=False)

    return show


def _steps() -> Callable[[str, float], None]:
    """Say each step once, when it begins."""
    said: list[str] = []

    def say(step: str, _share: float) -> None:
        if step not in said[-1:]:
            said.append(step)
            Talk.say(step)

    return say
