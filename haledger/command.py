"""What a command is, and how the commands are found: each module of `haledger.commands` declares one."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import getdoc

from haledger import commands as folder


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


def commands() -> list[Command]:
    """Find every command, in the order of `haledger --help`."""
    modules = [import_module(f"{folder.__name__}.{each.name}") for each in pkgutil.iter_modules(folder.__path__)]
    return sorted((each.COMMAND for each in modules), key=lambda command: (command.place, command.name))
