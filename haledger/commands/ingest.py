"""haledger ingest: from a folder of logs to a store."""

from pathlib import Path
from typing import Annotated

import typer

from haledger.anonymous_study import anonymous_study
from haledger.command import Command
from haledger.engine import Engine, EngineName, Scheduler, TlsCaFile, TlsCert, TlsKey, engine
from haledger.ingest_result import apply_strict, require_recognised, summary_lines
from haledger.layout import PartsFolder, StoreLayout, layout
from haledger.options import (
    Accept,
    Anonymise,
    AsJson,
    Memory,
    Reference,
    Since,
    Strict,
    Study,
    Until,
    Wait,
    memory_bytes,
    refuse_unusable,
)
from haledger.terminal import progress, show_summary
from pipeline.errors import StoreError


def ingest(
    study: Study,
    *,
    db: Annotated[Path, typer.Option("--db", metavar="FILE", help="The store to write.", readable=False)] = Path(
        "haledger.duckdb"
    ),
    replace: Annotated[bool, typer.Option("--replace", help="Replace a store of another study.")] = False,
    reference: Reference = "",
    since: Since = "",
    until: Until = "",
    engine_name: EngineName = Engine.local,
    scheduler: Scheduler = "",
    tls_ca_file: TlsCaFile = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    memory: Memory = "",
    store_layout: StoreLayout = None,
    parts: PartsFolder = None,
    anonymise: Anonymise = False,
    accept: Accept = False,
    wait: Wait = 0.0,
    as_json: AsJson = False,
    strict: Strict = False,
) -> None:
    """Read a folder of logs into a DuckDB file.

    Run it again after a change: unchanged files are not read again.
    """
    from pipeline.ingest.ingest import ingest as run_ingest

    refuse_unusable(study)
    limit, place = memory_bytes(memory), layout(store_layout, parts)
    if db.is_dir():
        raise StoreError(f"{db}: is a folder; name another, as --db {db / 'haledger.duckdb'}")
    if anonymise:
        study = anonymous_study(study, db, accept=accept)
    with engine(engine_name, scheduler, study, (tls_ca_file, tls_cert, tls_key)) as cluster:
        result = run_ingest(
            study,
            db,
            replace=replace,
            progress=progress(),
            wait_s=wait,
            reference=reference,
            since=since,
            until=until,
            cluster=cluster,
            memory_bytes=limit,
            layout=place,
        )
    show_summary(result.to_dict(), [*summary_lines(result), f"Store: {db}"], as_json=as_json)
    require_recognised(study, result)
    apply_strict(result, strict=strict)


COMMAND = Command(ingest, place=20, examples=("haledger ingest my-study --db my-study.duckdb",))
