"""Options that several commands share, and what they mean."""

import functools
import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from haledger.terminal import Talk
from pipeline.discovery.address import Address, as_address, study_at
from pipeline.discovery.entry_names import MANIFEST_NAME, study_around
from pipeline.errors import REFUSED, InputError, StoreError, UsageError
from reports.typeset.paper_styles import Style

StudyPlace = Any
"""Path | Address, as `study_at` gives it: typer knows no unions."""

Study = Annotated[
    StudyPlace,
    typer.Argument(
        help="Folder of logs, one log file, or s3://BUCKET/PREFIX.",
        metavar="STUDY",
        show_default=False,
        parser=study_at,
    ),
]
# readable=False: what cannot be read is unusable input or an unreadable store, which have codes and advice of their own
Database = Annotated[
    Path | None,
    typer.Option(
        "--db",
        metavar="FILE",
        help="The store or a report folder. Default: the one in this folder.",
        readable=False,
    ),
]
PaperStyle = Annotated[
    Style | None,
    typer.Option(help="Fit LaTeX to papers of this publisher: widths, sizes, siunitx columns."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Anonymise = Annotated[
    bool,
    typer.Option("--anonymise", help="First copy the study with pseudonyms, to STUDY-anonymous beside the result."),
]
Accept = Annotated[
    bool,
    typer.Option("--accept", help="Exit 0 although some words may be names: you have checked them."),
]
Reference = Annotated[
    str,
    typer.Option("--reference", metavar="NAME", help="Compare with this configuration; overrides study.toml."),
]
Memory = Annotated[
    str,
    typer.Option(
        "--memory",
        metavar="SIZE",
        show_default=False,
        help="Memory limit for building the store, e.g. 4GB. Default: depends on the number of cores, at least 256MB.",
    ),
]
Since = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="TIME",
        show_default=False,
        help="Only lines from this time on: local time of the study, or with Z or an offset.",
    ),
]
Until = Annotated[
    str,
    typer.Option(
        "--until",
        metavar="TIME",
        show_default=False,
        help="Only lines before this time; a date alone means 00:00 of that day.",
    ),
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait",
        metavar="SECONDS",
        min=0,
        show_default=False,
        help="Wait up to SECONDS for another haledger that writes the same files.",
    ),
]
Labels = Annotated[
    list[str] | None,
    typer.Option(
        "--label",
        metavar="NAME",
        show_default=False,
        help="Name of a study in the result; give one for each study, in their order.",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit 3 if any line was rejected, or any file is unreadable.")]


def _talk(
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", hidden=True)] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", hidden=True)] = False,
    no_color: Annotated[bool, typer.Option("--no-color", hidden=True)] = False,
) -> None:
    Talk.ask(quiet=quiet, verbose=verbose, no_color=no_color)


def with_talk(command: Callable[..., None]) -> Callable[..., None]:
    """Accept -q, -v and --no-color after a command's name too, where people write them."""
    talk = inspect.signature(_talk).parameters

    @functools.wraps(command)
    def run(**arguments: Any) -> None:  # noqa: ANN401  the options of any command
        _talk(**{name: arguments.pop(name) for name in talk})
        for name, value in arguments.items():
            if isinstance(value, Path) and (address := as_address(value)) and not value.parent.is_dir():
                raise UsageError(
                    f"{address}: an address cannot be given here ({name}): studies and --parts may lie in buckets; "
                    "other results are written into local files, and stores are read from them"
                )
        command(**arguments)

    return with_signature(run, [*inspect.signature(command).parameters.values(), *talk.values()])


def with_signature(run: Callable[..., None], parameters: Sequence[inspect.Parameter]) -> Callable[..., None]:
    """A command with these parameters, for those who look at it as `inspect` does."""
    run.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": None}
    run.__signature__ = inspect.Signature(parameters, return_annotation=None)  # type: ignore[attr-defined]  # where inspect looks
    return run


def found_store(named: Path | None) -> Path:
    """Find the store to read, and refuse a file that is damaged or not one of ours."""
    from pipeline.store.locate import find_store
    from pipeline.store.store import opened

    store = find_store(named, Path.cwd())
    with opened(store):
        return store


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Report a file that cannot be written: a full disk or a closed folder as such, all else as a mistake of usage."""
    try:
        yield
    except OSError as error:
        kind = StoreError if error.errno in REFUSED else UsageError
        raise kind(f"{error.filename or place}: cannot be written: {error.strerror or error}") from error


def write_or_print(content: str, output: Path | None) -> None:
    """Write text into a file, or print it where none is named."""
    if output is None:
        typer.echo(content, nl=False)
        return
    with writing(output):
        output.write_text(content, encoding="utf-8", errors="surrogatepass")


def memory_bytes(size: str) -> int | None:
    """The bytes that --memory gives to building a store; None: it says nothing."""
    from pipeline.query.sandbox import parse_size
    from pipeline.store.store import LEAST_MEMORY

    if not size:
        return None
    found = parse_size(size)
    if found < LEAST_MEMORY:
        raise UsageError(f"--memory: at least {LEAST_MEMORY // 1_000_000}MB, which relations need")
    return found


def refuse_unusable(path: Path | Address, *, is_study: bool = True) -> None:
    """Refuse a study that does not exist or cannot be read. An address says so when it is listed.

    A part of a study, taken for a study of its own (`is_study`), is told from what lies above it.
    """
    if isinstance(path, Address):
        return
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a folder of logs or one log file")
    if path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
        raise InputError(f"{path}: no permission to read this folder; ask its owner for it, or copy the logs")
    if is_study and (study := study_around(path)) != path.resolve():
        Talk.say(f"haledger: {path} is read alone, without {study / MANIFEST_NAME}; name {study} for all of the study")
