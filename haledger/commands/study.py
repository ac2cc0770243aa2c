"""From a folder of logs: report, ingest, explain."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haledger.options import AsJson, Strict, Study, refuse_unusable, writing
from haledger.terminal import Talk, page_width, painted, progress, show_result, show_summary
from pipeline.errors import InputError, StoreError, UsageError
from reports.escape import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.explain import Explained
    from pipeline.ingest import IngestResult


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
    """Read a folder of logs and write the white paper.

    It is written as PDF and as HTML page, with the store, the tables and the figures beside it.

    Example: haledger report samples/failover-2004
    """
    from pipeline.ingest import ingest as run_ingest
    from pipeline.locate import STORE_NAME
    from reports.report import write_report

    folder = output or Path(f"{_study_name(study)}-report")
    refuse_unusable(study)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file; name a folder for the report with -o DIR")
    result = run_ingest(study, folder / STORE_NAME, replace=replace, progress=progress())
    _require_recognised(study, result)
    with writing(folder):
        written = write_report(folder / STORE_NAME, folder, progress=progress())
    summary = {"ingest": result.to_dict(), "report": written.to_dict()}
    show_summary(summary, [*_ingest_summary(result), *written.summary()], as_json=as_json)
    _apply_strict(result, strict=strict)


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
    """Read a folder of logs into a DuckDB file.

    Run again: only what changed costs work.

    Example: haledger ingest my-study --db my-study.duckdb
    """
    from pipeline.ingest import ingest as run_ingest

    refuse_unusable(study)
    if db.is_dir():
        raise StoreError(f"{db}: is a folder; name another, as --db {db / 'haledger.duckdb'}")
    result = run_ingest(study, db, replace=replace, progress=progress())
    show_summary(result.to_dict(), [*_ingest_summary(result), f"Store: {db}"], as_json=as_json)
    _require_recognised(study, result)
    _apply_strict(result, strict=strict)


def explain(
    paths: Annotated[
        list[Path], typer.Argument(help="Files or folders.", metavar="PATH...", show_default=False, readable=False)
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Say what each file is taken for, and why.

    Also where it belongs, and what became of its lines. With -v every file is told in full, however many there are.

    Example: haledger explain my-study/default/run01
    """
    from pipeline.explain import explain as run_explain
    from pipeline.explain_text import lines, to_json

    for path in paths:
        refuse_unusable(path)
    explained = run_explain(paths, progress())
    if as_json:
        show_result(to_json(explained), [], as_json=True)
    else:
        for line in lines(explained, width=page_width(), is_verbose=Talk.is_verbose):
            typer.echo("".join(painted(visible(span.text), span.style) for span in line).rstrip())
    _require_explained(explained)


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


def _require_recognised(study: Path, result: "IngestResult") -> None:
    if result.nothing_recognised:
        raise InputError.unrecognised(study, result.file_count)


def _require_explained(explained: "Sequence[Explained]") -> None:
    if not any(each.format for part in explained for each in part.files):
        raise InputError("nothing recognised; the lines above say what was tried")


def _apply_strict(result: "IngestResult", *, strict: bool) -> None:
    if strict and result.rejected_lines:
        lines = "1 line was" if result.rejected_lines == 1 else f"{result.rejected_lines} lines were"
        raise InputError(f"{lines} rejected (--strict); see the relation rejected_line")
