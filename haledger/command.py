"""What a command is, and how the commands are found: each module of `haledger.commands` declares one."""

import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import getdoc
from typing import Any, Final

from typer.core import TyperCommand

from haledger import commands as folder

PYTHON_TYPE: Final = re.compile(r"<(?:list\[)?([^\[\]<>]*)\]?>")


class PlainHelp(TyperCommand):
    """A command whose help names arguments and choices without the types that they have in Python."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401  Typer does not export their types
        """Write the two lists of the help: arguments and options."""
        for kind in ("argument", "option"):
            records = [each.get_help_record(ctx) for each in self.get_params(ctx) if each.param_type_name == kind]
            # an argument has its name alone, an option the words it takes
            shown = r"" if kind == "argument" else r"\1"
            lines = [(PYTHON_TYPE.sub(shown, name).strip(), text) for name, text in filter(None, records)]
            if lines:
                with formatter.section(f"{kind.title()}s"):
                    formatter.write_dl(lines)


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `place`: its position in `haledger --help`, with gaps for others. `examples`: command lines."""

    run: Callable[..., None]
    place: int
    examples: tuple[str, ...]

    @property
    def name(self) -> str:
        """The word after `haledger`."""
        return self.run.__name__

    @property
    def help(self) -> str:
        """Its docstring and its examples."""
        return "\n\n".join([getdoc(self.run) or "", *(f"Example: {each}" for each in self.examples)])


def commands(name: str = "") -> list[Command]:
    """Find the command of a name; where there is none, every command, in the order of `haledger --help`."""
    names = [each.name for each in pkgutil.iter_modules(folder.__path__)]
    modules = [import_module(f"{folder.__name__}.{each}") for each in ([name] if name in names else names)]
    return sorted((each.COMMAND for each in modules), key=lambda command: (command.place, command.name))
