"""The commands: read options, call one function, show its result.

Data goes to standard output, talk to standard error. Heavy libraries are imported inside the command that needs
them, so that `--help` answers at once.
"""

import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from haledger import __version__
from pipeline.errors import HaledgerError, InputError, UsageError
from reports.escape import visible

if TYPE_CHECKING:
    from pipeline.explain import Explained
    from pipeline.ingest import IngestResult
    from reports.products import Kind

EXIT_INTERRUPTED: Final = 130

app = typer.Typer(
    name="haledger",
    help="A folder of failover and performance logs in, a white paper out; every number leads back to its log lines.",
    epilog="Example: haledger report my-study",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

# readable=False: what cannot be read is unusable input or an unreadable store, which have codes and advice of their own
Study = Annotated[
    Path, typer.Argument(help="Folder of logs (or one log file).", metavar="STUDY", show_default=False, readable=False)
]
Database = Annotated[
    Path | None, typer.Option("--db", metavar="FILE", help="The store. Default: the one found here.", readable=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable result on standard output.")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit 3 if any line was rejected.")]


class QueryFormat(StrEnum):
    """How `haledger sql` writes rows."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    MD = "md"
    TEX = "tex"
    HTML = "html"
    PARQUET = "parquet"


class TableFormat(StrEnum):
    """How `haledger tables` writes a publication table."""

    CSV = "csv"
    MD = "md"
    TEX = "tex"
    HTML = "html"
    JSON = "json"


class FigureFormat(StrEnum):
    """How `haledger figures` writes a figure."""

    SVG = "svg"
    PNG = "png"
    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class _Target:
    """Where products come from and go to, and whether they are only listed."""

    db: Path | None
    folder: Path
    is_listing: bool
    as_json: bool


class Talk:
    """What the commands say on standard error, and how much of it."""

    is_quiet = False
    is_verbose = False

    @classmethod
    def say(cls, text: str) -> None:
        """Say a line, unless asked to be quiet."""
        if not cls.is_quiet:
            typer.echo(visible(text), err=True)


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


@app.command()
def report(
    study: Study,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Default: STUDY-report in this folder.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Let another study's report folder be replaced.")] = False,
    as_json: AsJson = False,
    strict: Strict = False,
) -> None:
    """Read a folder of logs and write the white paper: PDF, HTML page, store, tables, figures.

    Example: haledger report samples/failover-2004
    """
    from pipeline.ingest import ingest as run_ingest
    from pipeline.locate import STORE_NAME
    from reports.report import write_report

    folder = output or Path(f"{_study_name(study)}-report")
    _refuse_unusable(study)
    result = run_ingest(study, folder / STORE_NAME, replace=replace, progress=_progress())
    _require_recognised(study, result)
    written = write_report(folder / STORE_NAME, folder, progress=_progress())
    summary = {"ingest": result.to_dict(), "report": written.to_dict()}
    _show_result(summary, [*_ingest_summary(result), *written.summary()], as_json=as_json)
    _apply_strict(result, strict=strict)


@app.command()
def ingest(
    study: Study,
    *,
    db: Annotated[Path, typer.Option("--db", metavar="FILE", help="The store to write.", readable=False)] = Path(
        "haledger.duckdb"
    ),
    replace: Annotated[bool, typer.Option("--replace", help="Let another study's store be replaced.")] = False,
    as_json: AsJson = False,
    strict: Strict = False,
) -> None:
    """Read a folder of logs into a DuckDB file. Run again: only what changed costs work.

    Example: haledger ingest my-study --db my-study.duckdb
    """
    from pipeline.ingest import ingest as run_ingest

    _refuse_unusable(study)
    result = run_ingest(study, db, replace=replace, progress=_progress())
    _show_result(result.to_dict(), [*_ingest_summary(result), f"Store: {db}"], as_json=as_json)
    _require_recognised(study, result)
    _apply_strict(result, strict=strict)


@app.command()
def explain(
    paths: Annotated[
        list[Path], typer.Argument(help="Files or folders.", metavar="PATH...", show_default=False, readable=False)
    ],
    *,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell every file in full.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say for each file what it is taken for and why, where it belongs, and what became of its lines.

    Example: haledger explain my-study/default/run01
    """
    from pipeline.explain import explain as run_explain
    from pipeline.explain_text import lines, to_json

    for path in paths:
        _refuse_unusable(path)
    explained = run_explain(paths, _progress())
    if as_json:
        _show_result(to_json(explained), [], as_json=True)
    else:
        is_verbose = verbose or Talk.is_verbose
        for line in lines(explained, width=_page_width(), is_verbose=is_verbose):
            typer.echo("".join(_painted(visible(span.text), span.style) for span in line).rstrip())
    _require_explained(explained)


@app.command()
def sql(
    query: Annotated[str | None, typer.Argument(help="One SQL statement. Default: standard input.")] = None,
    *,
    db: Database = None,
    format_: Annotated[QueryFormat, typer.Option("--format", "-f", help="How rows are written.")] = QueryFormat.TABLE,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write rows to a file.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="Value for $NAME in the query.")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds before the query is stopped.", min=0.01)] = 20.0,
    memory: Annotated[str, typer.Option(help="Memory the query may use, e.g. 500MB.")] = "1GB",
    max_rows: Annotated[int | None, typer.Option(help="Rows to return at most. Default: all.", min=0)] = None,
) -> None:
    """Query the store: read-only, no files, no network, bounded in time and memory.

    Example: haledger sql "select configuration, milestone, mean_s from milestone_stats"
    """
    from pipeline.sandbox import Limits, parse_size
    from pipeline.sandbox import query as run_query
    from reports.rows import write_rows

    statement = query if query is not None else _standard_input()
    limits = Limits(timeout_s=timeout, memory_bytes=parse_size(memory), max_rows=max_rows)
    result = run_query(_store(db), statement, parameters=_parameters(parameter or ()), limits=limits)
    if format_ is QueryFormat.PARQUET and output is None and sys.stdout.isatty():
        raise UsageError("parquet is binary; name a file with -o FILE")
    write_rows(result.frame, format_, output, width=_terminal_width())
    if result.is_cut:
        Talk.say(f"Cut after {max_rows} rows (--max-rows).")


@app.command()
def tables(
    names: Annotated[list[str] | None, typer.Argument(help="Tables to write. Default: all.")] = None,
    *,
    db: Database = None,
    format_: Annotated[
        list[TableFormat] | None, typer.Option("--format", "-f", help="May be given several times. Default: all.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path("tables"),
    list_: Annotated[bool, typer.Option("--list", help="List the tables instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write publication tables again, each on its own, with the numbers of the report.

    Example: haledger tables table-3-7 --format tex
    """
    target = _Target(db, output, is_listing=list_, as_json=as_json)
    _produce("tables", names or [], [each.value for each in format_ or list(TableFormat)], target)


@app.command()
def figures(
    names: Annotated[list[str] | None, typer.Argument(help="Figures to write. Default: all.")] = None,
    *,
    db: Database = None,
    format_: Annotated[
        list[FigureFormat] | None, typer.Option("--format", "-f", help="May be given several times. Default: all.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path(
        "figures"
    ),
    list_: Annotated[bool, typer.Option("--list", help="List the figures instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write figures again, each on its own, with the data behind it.

    Example: haledger figures figure-3-8 --format svg
    """
    target = _Target(db, output, is_listing=list_, as_json=as_json)
    _produce("figures", names or [], [each.value for each in format_ or list(FigureFormat)], target)


@app.command()
def doctor(*, as_json: AsJson = False) -> None:
    """Say what is installed, what is missing and how to get it."""
    from pipeline.doctor import examine

    checks = examine()
    lines = [f"{'ok     ' if each.is_ok else 'MISSING'}  {each.name:24}{each.found}" for each in checks]
    lines += [f"         {each.name}: {each.advice}" for each in checks if not each.is_ok]
    _show_result([each.to_dict() for each in checks], lines, as_json=as_json)
    if not all(each.is_ok for each in checks):
        raise typer.Exit(1)


def _store(named: Path | None) -> Path:
    """Find the store that is meant, and refuse what is not a whole one of ours."""
    from pipeline.locate import find_store
    from pipeline.store import opened

    store = find_store(named, Path.cwd())
    with opened(store):
        return store


def _produce(kind: "Kind", names: Sequence[str], formats: Sequence[str], target: _Target) -> None:
    from reports.products import products, write_products

    store = _store(target.db)
    if target.is_listing:
        found = products(store, kind)
        lines = [f"{each.name:24}  {f'{each.label}: ' if each.label else ''}{each.caption}" for each in found]
        _show_result([each.to_dict() for each in found], lines, as_json=target.as_json)
        return
    written = [str(path) for path in write_products(store, kind, names, formats, target.folder)]
    _show_result(written, written, as_json=target.as_json)


def _ingest_summary(result: "IngestResult") -> list[str]:
    formats = ", ".join(f"{count} {name}" for name, count in sorted(result.format_counts.items()))
    others = [f"{count} {status}" for status, count in sorted(result.status_counts.items()) if status != "parsed"]
    read = "nothing has changed" if result.is_unchanged else f"{result.read_count} read, {result.reused_count} kept"
    lines = [f"Files: {result.file_count} ({read})" + (f": {formats}" if formats else "")]
    if others:
        lines.append(f"Not parsed: {', '.join(others)}; `haledger explain` and the relation source_file say why")
    return [*lines, f"Lines: {result.lines:,}, of these {result.rejected_lines:,} rejected"]


def _study_name(study: Path) -> str:
    return study.resolve().name or "study"


def _refuse_unusable(path: Path) -> None:
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; give a folder of logs or one log file")
    if path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
        raise InputError(f"{path}: no permission to read this folder; ask its owner, or copy the logs")


def _require_recognised(study: Path, result: "IngestResult") -> None:
    if result.nothing_recognised:
        raise InputError(
            f"{study}: nothing recognised in {result.file_count} file(s); "
            f"`haledger explain {study}` says for each file what was tried"
        )


def _require_explained(explained: "Sequence[Explained]") -> None:
    if not any(each.format for part in explained for each in part.files):
        raise InputError("nothing recognised; the lines above say what was tried")


def _apply_strict(result: "IngestResult", *, strict: bool) -> None:
    if strict and result.rejected_lines:
        raise InputError(f"{result.rejected_lines} line(s) rejected (--strict); see the relation rejected_line")


def _show_result(data: object, lines: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(data, indent=2, ensure_ascii=True, default=str))
        return
    for line in lines:
        typer.echo(visible(line))


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError('no query given; example: haledger sql "select * from run"')
    return sys.stdin.read()


def _parameters(pairs: Sequence[str]) -> Mapping[str, str]:
    values = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.isidentifier():
            raise UsageError(f"--param {pair}: expected NAME=VALUE")
        values[name] = value
    return values


STYLES: Final = {"title": "1", "good": "32", "bad": "31", "doubtful": "33", "quiet": "2"}
"""Codes that terminals know (ECMA-48)."""

PAGE_WIDTHS: Final = (72, 120)
"""Text is folded to the terminal's width between these columns."""


def _painted(text: str, style: str) -> str:
    """Text as a terminal is told to show it; plain where there is none, or where NO_COLOR asks for it."""
    is_plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if is_plain or style not in STYLES else f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def _page_width() -> int:
    return min(max(shutil.get_terminal_size((100, 24)).columns, PAGE_WIDTHS[0]), PAGE_WIDTHS[1])


def _terminal_width() -> int | None:
    return os.get_terminal_size().columns if sys.stdout.isatty() else None


def _progress() -> Callable[[str, float], None] | None:
    """Give a bar that redraws one line of standard error; None where there is no terminal to draw on."""
    if Talk.is_quiet or not sys.stderr.isatty():
        return None

    def show(step: str, share: float) -> None:
        done = round(24 * min(max(share, 0.0), 1.0))
        typer.echo(f"\r\x1b[2K{visible(step)[:40]:40} {'━' * done}{'╌' * (24 - done)} {share:4.0%}", err=True, nl=False)
        if share >= 1:
            typer.echo("\r\x1b[2K", err=True, nl=False)

    return show


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
