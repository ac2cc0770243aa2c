"""haledger export: the store for programs that know no DuckDB."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Database, found_store, writing
from haledger.terminal import show_summary


class Form(StrEnum):
    """What a store is written as."""

    PARQUET = "parquet"
    OTLP = "otlp"


def export(
    *,
    db: Database = None,
    form: Annotated[
        list[Form] | None, typer.Option("--format", "-f", help="Parquet, or OpenTelemetry spans. Default: both.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write to.")] = Path("export"),
    as_json: AsJson = False,
) -> None:
    """Write the store as Parquet files and OpenTelemetry spans.

    Parquet: a file for each public relation, with its comments as metadata and in columns.csv. OTLP in JSON: a trace
    for each failover, a span for each phase, an event for each milestone; collectors read it from a file.
    """
    from pipeline.ask.export import TRACES_NAME, parquet, traces

    store, forms = found_store(db), form or list(Form)
    written: list[str] = []
    with writing(output):
        if Form.PARQUET in forms:
            written += parquet(store, output)
        if Form.OTLP in forms:
            content = traces(store)
            output.mkdir(parents=True, exist_ok=True)
            (output / TRACES_NAME).write_text(content, encoding="utf-8")
            written.append(TRACES_NAME)
    summary = f"{len(written)} files in {output}" if len(written) > 1 else str(output / written[0])
    show_summary({"folder": str(output), "files": written}, [summary], as_json=as_json)


COMMAND = Command(export, place=65, examples=("haledger export --format parquet -o my-study-parquet",))
