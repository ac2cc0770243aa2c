"""The reference of commands, docs/cli.md, from the help that each command gives."""

from collections.abc import Iterator
from typing import Any

import typer

from haledger.cli import application
from haledger.command import commands

HEAD = """\
# Commands

Generated from the help of the commands by `make docs`; do not edit.

Results go to standard output, messages and progress to standard error. `-q`, `-v` and `--no-color` work before
and after a command. With `-q`, commands that write files print no summary (unless `--json`). `NO_COLOR` is respected.
`haledger --install-completion` sets up completion for bash, zsh or fish. Commands that read a store use `--db` (a file
or a report folder), else `haledger.duckdb` in the current folder, else the only `*-report/haledger.duckdb` there.

| exit code | means |
|---|---|
| 0 | done |
| 1 | internal error |
| 2 | invalid command, option or study.toml |
| 3 | no file recognised, or lines rejected with `--strict` |
| 4 | the store is locked or unreadable, or the machine refuses: disk full, no right to write, too little memory |
| 5 | a check failed |
| 130 | interrupted |
"""

WIDTH = 100


def markdown() -> str:
    """Generate the whole page."""
    return "\n".join([HEAD, *_help()])


def _help() -> Iterator[str]:
    """The help of haledger, then that of each command, in the order of the list."""
    group = typer.main.get_command(application(commands()))
    width: dict[str, Any] = {"terminal_width": WIDTH, "max_content_width": WIDTH, "help_option_names": ["-h", "--help"]}
    context = group.context_class(group, info_name="haledger", **width)
    yield from ("```text", group.get_help(context), "```", "")
    for each in commands():
        command = group.commands[each.name]  # type: ignore[attr-defined]  # an app of several commands is a group
        inner = command.context_class(command, parent=context, info_name=each.name, **width)
        yield from (f"## haledger {each.name}", "", "```text", command.get_help(inner), "```", "")
