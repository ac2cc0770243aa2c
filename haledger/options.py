"""Options that several commands share, and what they mean."""

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from haledger.terminal import Talk
from pipeline.errors import InputError, UsageError

# readable=False: what cannot be read is unusable input or an unreadable store, which have codes and advice of their own
Study = Annotated[
    Path, typer.Argument(help="Folder of logs (or one log file).", metavar="STUDY", show_default=False, readable=False)
]
Database = Annotated[
    Path | None,
    typer.Option(
        "--db", metavar="FILE", help="The store, or a report's folder. Default: the one found here.", readable=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable result on standard output.")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit 3 if any line was rejected.")]


def _talk(
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", hidden=True)] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", hidden=True)] = False,
    no_color: Annotated[bool, typer.Option("--no-color", hidden=True)] = False,
) -> None:
    Talk.ask(quiet=quiet, verbose=verbose, no_color=no_color)


def with_talk(command: Callable[..., None]) -> Callable[..., None]:
    """Let the options that say how much is said stand behind a command's name too, where people write them."""
    talk = inspect.signature(_talk).parameters

    @functools.wraps(command)
    def run(**arguments: Any) -> None:  # noqa: ANN401  the options of any command
        _talk(**{name: arguments.pop(name) for name in talk})
        command(**arguments)

    own = inspect.signature(command)
    run.__annotations__ = command.__annotations__ | _talk.__annotations__
    run.__signature__ = own.replace(parameters=[*own.parameters.values(), *talk.values()])  # type: ignore[attr-defined]  # where inspect looks
    return run


def found_store(named: Path | None) -> Path:
    """Find the store that is meant, and refuse what is not a whole one of ours."""
    from pipeline.locate import find_store
    from pipeline.store import opened

    store = find_store(named, Path.cwd())
    with opened(store):
        return store


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Tell a person, whose disk and folders they are, what cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{error.filename or place}: cannot be written: {error.strerror or error}") from error


def refuse_unusable(path: Path) -> None:
    """Refuse a study that is not there or cannot be looked into."""
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a folder of logs or one log file")
    if path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
        raise InputError(f"{path}: no permission to read this folder; ask its owner, or copy the logs")
