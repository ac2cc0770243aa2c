"""A store as tools of the Model Context Protocol: relations, sandboxed SQL, files read, lines behind numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from pipeline.ask.trace.lines import Study
from pipeline.errors import HaledgerError
from pipeline.query import bounded
from pipeline.query.sandbox import Limits
from pipeline.store.description import described
from pipeline.store.locate import find_study
from pipeline.store.store import info, opened
from pipeline.version import version
from reports.answers.rows import text_of
from reports.answers.trace_choices import choices
from reports.answers.trace_question import trace_number
from reports.answers.trace_text import lines

INSTRUCTIONS = (
    "Results of a study of failovers or benchmarks, read from logs. Call `relations` for what there is, with a name "
    "for columns and units, then `sql`. Times are UTC, durations seconds. `trace` gives the log lines behind a "
    "number: quote them when you explain one."
)
FILES = """
select path, format, configuration, run, node, lines, parsed_lines, rejected_lines, timezone, status, reason
from source_file
where contains(path, $path)
order by path
"""
ONE_AT_A_TIME = Lock()
"""The memory of a statement is bounded by the address space of the process."""


def server(store: Path, limits: Limits) -> MCPServer:
    """The tools on a store. Each statement has the limits of `haledger sql`; no tool writes, or reads another file."""
    tools = MCPServer("haledger", instructions=INSTRUCTIONS, version=version(), log_level="WARNING")

    def rows(statement: str, parameters: dict[str, object]) -> str:
        with _told(), bounded.session(store, limits) as session:
            found = session.run(statement, parameters)
        cut = f"\n(cut after {found.frame.height} rows; aggregate, or add a condition)" if found.is_cut else ""
        return "".join(text_of(found.frame, "json")) + cut

    @tools.tool()
    def relations(name: str = "") -> str:
        """List the relations with what one row is; with a name, its columns with types, meaning and units."""
        with opened(store) as connection:
            known = [each for each in described(connection) if each.schema == "main"]
        if not name:
            return "\n".join(f"{each.name}: {each.grain}" for each in known)
        chosen = [each for each in known if each.name == name]
        if not chosen:
            raise ToolError(f"{name}: no such relation; call `relations` without a name for the list")
        columns = (f"{each.name} {each.data_type}: {each.comment}" for each in chosen[0].columns)
        return "\n".join([chosen[0].comment, *columns])

    @tools.tool()
    def sql(query: str) -> str:
        """Run one read-only SQL statement (DuckDB) and give its rows as JSON. Files and network are out of reach."""
        return rows(query, {})

    @tools.tool()
    def explain(path: str = "") -> str:
        """Show format, configuration, run, node, lines and zone of each file; `path`: a part of its path."""
        return rows(FILES, {"path": path})

    @tools.tool()
    def trace(table: str, row: str = "", column: str = "", context: int = 0) -> str:
        """Show the log lines behind a number of a table or relation; without row or column, list these."""
        with _told():
            if not row or not column:
                return "\n".join(choices(store, table, row or None).lines(""))
            with opened(store) as connection:
                study = find_study(info(connection, store), (store.parent, Path.cwd()))
            found = trace_number(store, (table, row, column), Study(study, context))
        return "\n".join("".join(span.text for span in line) for line in lines(found, is_full=False))

    return tools


@contextmanager
def _told() -> Iterator[None]:
    """Answer one question, or let the assistant read why it cannot be answered."""
    try:
        with ONE_AT_A_TIME:
            yield
    except HaledgerError as error:
        raise ToolError(str(error)) from error
