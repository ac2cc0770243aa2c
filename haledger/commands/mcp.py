"""haledger mcp: a store for assistants."""

from importlib.util import find_spec
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import Database, found_store
from pipeline.errors import UsageError


def mcp(
    *,
    db: Database = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="When to stop a query.", min=0.01, max=86_400)
    ] = 20.0,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of a query, e.g. 500MB.")] = "1GB",
    max_rows: Annotated[int, typer.Option(metavar="COUNT", help="Maximum number of rows of an answer.", min=1)] = 500,
) -> None:
    """Serve the store to an assistant (MCP).

    Over the Model Context Protocol it can list relations, run SQL with the limits of `haledger sql`, see how files were
    read, and trace numbers to log lines. It talks on standard input and output. Needs the extra `mcp`.
    """
    from pipeline.query.sandbox import Limits, parse_size

    if find_spec("mcp") is None:
        raise UsageError("haledger mcp needs the official package for it: install haledger[mcp], or `pip install mcp`")
    from haledger.assistant import server

    limits = Limits(timeout_s=timeout, memory_bytes=parse_size(memory), max_rows=max_rows)
    server(found_store(db), limits).run()


COMMAND = Command(mcp, place=98, examples=("haledger mcp --db my-study-report",))
