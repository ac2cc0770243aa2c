"""haledger ingest: from a folder of logs to a store."""

from pathlib import Path
from typing import Annotated

import typer

from haledger.anonymous_study import anonymous_study
from haledger.command import Command
from haledger.ingest_result import apply_strict, require_recognised, summary_lines
from haledger.options import AsJson, Strict, Study, refuse_unusable
from haledger.reading import Reading, with_reading
from haledger.terminal import show_summary
from pipeline.errors import StoreError


@with_reading
def ingest(
    study: Study,
    *,
    db: Annotated[Path, typer.Option("--db", metavar="FILE", help="The store to write.", readable=False)] = Path(
        "haledger.duckdb"
    ),
    replace: Annotated[bool, typer.Option("--replace", help="Replace a store of another study.")] = False,
    reading: Reading,
    as_json: AsJson = False,
    strict: Strict = False,
) -> None:
    """Read a folder of logs into a DuckDB file.

    Run it again after a change: unchanged files are not read again.
    """
    refuse_unusable(study)
    read = reading.reader()
    if db.is_dir():
        raise StoreError(f"{db}: is a folder; name another, as --db {db / 'haledger.duckdb'}")
    if reading.anonymise:
        study = anonymous_study(study, db, accept=reading.accept)
    result = read(study, db, replace=replace, wait_s=reading.wait)
    show_summary(result.to_dict(), [*summary_lines(result), f"Store: {db}"], as_json=as_json)
    require_recognised(study, result)
    apply_strict(result, strict=strict)


COMMAND = Command(ingest, place=20, examples=("haledger ingest my-study --db my-study.duckdb",))
