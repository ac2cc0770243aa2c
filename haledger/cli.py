"""The command line: the commands of `haledger.commands`, with the options and exit codes that all of them share.

Results go to standard output, messages to standard error. Heavy libraries are imported inside the command that needs
them, so that `--help` answers at once.
"""

import errno
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from haledger.address_space import too_little
from haledger.command import Command, PlainHelp, commands
from haledger.options import with_talk
from haledger.terminal import Talk, end_progress
from parsers.derived import keep_in
from pipeline import interrupt
from pipeline.errors import HaledgerError, MachineError, UsageError
from reports.typeset.escape import visible

FULL: Final = (errno.ENOSPC, errno.EDQUOT)

CLOSED: Final = (errno.EACCES, errno.EPERM)

PANIC: Final = "pyo3_runtime"
"""Where the error of native code comes from that is no `Exception`."""

OUT_OF_MEMORY: Final = "OutOfMemoryException"
"""DuckDB's, by its name: importing DuckDB takes time that `--help` does not have."""


def _show_version(value: bool) -> None:  # noqa: FBT001 - the signature a flag's callback has
    if value:
        from pipeline.version import version

        typer.echo(f"haledger {version()}")
        raise typer.Exit


def options(
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors and requested results.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print progress, every detail and every note.")
    ] = False,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="Print without colours (as does NO_COLOR in the environment).")
    ] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Set how much is printed, before a command runs."""
    logging.basicConfig(format="%(name)s: %(message)s", stream=sys.stderr)
    Talk.is_quiet = Talk.is_verbose = False
    Talk.ask(quiet=quiet, verbose=verbose, no_color=no_color)


def application(found: Iterable[Command]) -> typer.Typer:
    """The command line with these commands."""
    app = typer.Typer(
        name="haledger",
        help="Turn a folder of failover and performance logs into a white paper with traceable numbers.",
        epilog="Example: haledger report my-study",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(options)
    for each in found:
        app.command(each.name, cls=PlainHelp, help=each.help)(with_talk(each.run))
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. No traceback for a user's mistake."""
    _open_closed_streams()
    keep_in(_kept_by_version)
    try:
        return _interrupted_or(_outcome(arguments))
    except KeyboardInterrupt:
        return _interrupted_or(interrupt.EXIT_CODE)
    finally:
        end_progress()


def _outcome(arguments: Sequence[str] | None) -> int:
    try:
        app = application(commands(*_first(arguments)))
        outcome = app(args=arguments, standalone_mode=False, prog_name="haledger")
        sys.stdout.flush()
    except typer.TyperException as error:
        if isinstance(message := getattr(error, "message", None), str):
            error.message = message.replace("Value error, ", "")  # what Pydantic says of an unknown choice
        show = getattr(error, "show", None)
        if show is not None:
            show()
        return getattr(error, "exit_code", UsageError.exit_code)
    except typer.Abort as error:
        if isinstance(error.__cause__, EOFError):  # Typer treats the end of any file as a person who leaves
            return _exit_code(error.__cause__)
        return interrupt.EXIT_CODE
    except (BrokenPipeError, SystemExit):
        # The reader of our output has left, as `| head` does (Typer turns that into SystemExit). Nothing is wrong.
        _drop_output()
        return 0
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__module__ != PANIC:
            raise
        return _exit_code(error)
    return outcome if isinstance(outcome, int) else 0


def _first(arguments: Sequence[str] | None) -> Sequence[str]:
    """The first argument, which mostly names the command: to read the options of the others takes time."""
    return (sys.argv[1:] if arguments is None else arguments)[:1]


def _interrupted_or(code: int) -> int:
    """The exit code; that of an interrupt if there was one, even if native code made another error of it."""
    if not interrupt.is_heard() and code != interrupt.EXIT_CODE:
        return code
    interrupt.forget()
    end_progress()
    typer.echo(interrupt.MESSAGE, err=True)
    return interrupt.EXIT_CODE


def _kept_by_version(name: str, make: Callable[[], bytes]) -> bytes | None:
    from pipeline.store.fingerprint import kept_by_version

    return kept_by_version(name, make)


def _open_closed_streams() -> None:
    """What is written to a stream that was closed (`>&-`) goes nowhere, and not into the file that is opened next."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  as long as the process


def _drop_output() -> None:
    """Let what still waits to be written go nowhere: there is no reader, or no space."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _exit_code(error: BaseException) -> int:
    """Report what went wrong, and return its exit code."""
    end_progress()
    if interrupt.is_heard():
        return interrupt.EXIT_CODE
    if isinstance(error, OSError) and error.errno in FULL:
        place = visible(str(error.filename or "the output"))
        typer.echo(f"haledger: {place}: cannot be written: {error.strerror}", err=True)
        _drop_output()
        return MachineError.exit_code
    if isinstance(error, OSError) and error.errno in CLOSED and error.filename is not None:
        error = MachineError(f"{error.filename}: cannot be used: {error.strerror}")
    if not isinstance(error, HaledgerError) or error.exit_code == HaledgerError.exit_code:
        error = _lack_of_memory(error) or error
    if isinstance(error, HaledgerError):
        typer.echo(f"haledger: {visible(str(error))}", err=True)
        return error.exit_code
    return _internal_error(error)


def _lack_of_memory(error: BaseException) -> MachineError | None:
    """What the user can do about an error that comes of too little memory; None for any other."""
    reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
    if scarce := too_little(reason):
        return scarce
    is_memory = any(isinstance(each, MemoryError) or type(each).__name__ == OUT_OF_MEMORY for each in _causes(error))
    return MachineError(f"not enough memory ({reason})") if is_memory else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _internal_error(error: BaseException) -> int:
    logging.getLogger("haledger").info("internal error", exc_info=error)
    typer.echo(f"haledger: internal error: {type(error).__name__}: {visible(str(error))}", err=True)
    typer.echo("This is a bug in haledger. `haledger -v ...` shows where it happened.", err=True)
    return 1
