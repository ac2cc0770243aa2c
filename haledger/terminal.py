"""What people and programs are told: results on standard output, talk and progress on standard error."""

import json
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
    """Give a bar that redraws one line of standard error; None where there is no terminal to draw on."""
    if Talk.is_quiet or not sys.stderr.isatty():
        return None

    def show(step: str, share: float) -> None:
        done = round(24 * min(max(share, 0.0), 1.0))
        typer.echo(f"\r\x1b[2K{visible(step)[:40]:40} {'━' * done}{'╌' * (24 - done)} {share:4.0%}", err=True, nl=False)
        if share >= 1:
            typer.echo("\r\x1b[2K", err=True, nl=False)

    return show
