"""The command line: one function per command, from `haledger.commands`, and what holds for all of them.

Data goes to standard output, talk to standard error. Heavy libraries are imported inside the command that needs
them, so that `--help` answers at once.
"""

import logging
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from haledger import __version__
from haledger.commands import check, compare, init, installation, products, query, study, trace, verify
from haledger.terminal import Talk
from pipeline.errors import HaledgerError, UsageError
from reports.escape import visible

EXIT_INTERRUPTED: Final = 130

COMMANDS: Final = (
    study.report,
    study.ingest,
    study.explain,
    query.sql,
    products.tables,
    products.figures,
    trace.trace,
    compare.compare,
    check.check,
    verify.verify,
    init.init,
    installation.doctor,
)
"""In the order in which `haledger --help` lists them."""

app = typer.Typer(
    name="haledger",
    help="A folder of failover and performance logs in, a white paper out; every number leads back to its log lines.",
    epilog="Example: haledger report my-study",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(value: bool) -> None:  # noqa: FBT001 - the signature a flag's callback has
    if value:
        typer.echo(f"haledger {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Set how much is said before a command runs."""
    Talk.is_quiet = quiet
    Talk.is_verbose = verbose
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(name)s: %(message)s", stream=sys.stderr
    )


for _each in COMMANDS:
    app.command()(_each)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code. No traceback for a user's mistake."""
    try:
        outcome = app(args=arguments, standalone_mode=False, prog_name="haledger")
        sys.stdout.flush()
    except HaledgerError as error:
        typer.echo(f"haledger: {visible(str(error))}", err=True)
        return error.exit_code
    except typer.TyperException as error:
        show = getattr(error, "show", None)
        if show is not None:
            show()
        return getattr(error, "exit_code", UsageError.exit_code)
    except (KeyboardInterrupt, typer.Abort) as error:
        return _interrupted(error)
    except (BrokenPipeError, SystemExit):
        # The reader of our output has left, as `| head` does (Typer turns that into SystemExit). Nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return 0
    except Exception as error:  # noqa: BLE001  told as what it is, with a code of its own
        return _internal_error(error)
    return outcome if isinstance(outcome, int) else 0


def _interrupted(error: BaseException) -> int:
    if isinstance(error.__cause__, EOFError):  # Typer takes the end of any file for a person who leaves
        return _internal_error(error.__cause__)
    typer.echo("haledger: interrupted", err=True)
    return EXIT_INTERRUPTED


def _internal_error(error: BaseException) -> int:
    logging.getLogger("haledger").info("internal error", exc_info=error)
    typer.echo(f"haledger: internal error: {type(error).__name__}: {visible(str(error))}", err=True)
    typer.echo("This is a fault of haledger. `haledger -v ...` shows where it happened.", err=True)
    return 1
