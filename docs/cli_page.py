"""The reference of commands, docs/cli.md, from the help that each command gives."""

from collections.abc import Iterator
from typing import Any

import typer

from haledger.cli import COMMANDS, app

HEAD = """\
# Commands

Written from the help of the commands by `make docs`; do not edit.

Data goes to standard output, talk and progress to standard error. `-q`, `-v` and `--no-color` may stand before a
command or behind it; quiet, commands whose result is files print no summary (unless `--json`). `NO_COLOR` is respected.
Completion for bash, zsh or fish is set up by `haledger --install-completion`. Commands that read a store take `--db`, a
file or a report's folder, else `haledger.duckdb` in the current folder, else the only `*-report/haledger.duckdb` there.

| exit code | means |
|---|---|
| 0 | done |
| 1 | internal error |
| 2 | a command, option or study.toml that cannot be carried out as written |
| 3 | nothing recognised, or `--strict` and lines rejected |
| 4 | the store is locked or unreadable |
| 5 | a check failed |
| 130 | interrupted |
"""

WIDTH = 100


def markdown() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_help()])


def _help() -> Iterator[str]:
    """The help of haledger, then that of each command, in the order of the list."""
    group = typer.main.get_command(app)
    width: dict[str, Any] = {"terminal_width": WIDTH, "max_content_width": WIDTH, "help_option_names": ["-h", "--help"]}
    context = group.context_class(group, info_name="haledger", **width)
    yield from ("```text", group.get_help(context), "```", "")
    for function in COMMANDS:
        command = group.commands[function.__name__]  # type: ignore[attr-defined]  # an app of several commands is a group
        inner = command.context_class(command, parent=context, info_name=function.__name__, **width)
        yield from (f"## haledger {function.__name__}", "", "```text", command.get_help(inner), "```", "")
