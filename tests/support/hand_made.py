"""A store made by hand: files and rows of schema `log` as parsers and clock would leave them, then every relation."""

import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import duckdb
import polars as pl

from parsers import star
from parsers.format import Table, tables
from pipeline.ingest import store_template, writing
from pipeline.ingest.accounts import SOURCE_FILE
from pipeline.store import log_tables, relations, store
from pipeline.study import manifest
from pipeline.study.manifest_entries import Milestone

TABLES = tables()
T0 = datetime(2003, 7, 28, 10, 27, 4)  # noqa: DTZ001 - the store keeps naive UTC
Row = dict[str, Any]  # a row has values of many types


def _log_schema(table: Table) -> pl.Schema:
    stamps = {"at": pl.Datetime("us"), "local_at": pl.Datetime("us")} if table.is_dated else {}
    columns = {column.name: column.dtype for column in table.columns}
    return pl.Schema({"file_id": pl.Int32(), "line_no": pl.Int32(), "part": pl.Int16(), **stamps, **columns})


class Ledger:
    """Collects files and rows; seconds are counted from `T0`."""

    def __init__(self, study_toml: str = "") -> None:
        self.study_toml = study_toml
        self.files: list[Row] = []
        self.rows: dict[str, list[Row]] = {name: [] for name in TABLES}
        self.line_no = 0
        self.user_milestones: list[Row] = []

    def file(self, path: str, file_format: str, configuration: str | None, run: str | None, node: str | None) -> int:
        """Add a file and give its id."""
        file_id = len(self.files) + 1
        self.files.append(
            {
                "file_id": file_id,
                "path": path,
                "format": file_format,
                "configuration": configuration,
                "run": run,
                "node": node,
                "status": "parsed",
                "lines": 100,
                "parsed_lines": 100,
                "rejected_lines": 0,
            }
        )
        return file_id

    def add(self, table: str, file_id: int, second: float | None, **values: Any) -> int:
        """Add a row on the next line and give its line number; `second` None is an undated line."""
        self.line_no += 1
        row: Row = {"file_id": file_id, "line_no": self.line_no, "part": 1, **values}
        if TABLES[table].is_dated:
            row["at"] = row["local_at"] = None if second is None else T0 + timedelta(seconds=second)
        self.rows[table].append(row)
        return self.line_no

    def build(self) -> duckdb.DuckDBPyConnection:
        """Write everything into a store whose relations are filled when a query first names them."""
        return cast("duckdb.DuckDBPyConnection", _FilledOnDemand(self))

    def write(self, con: duckdb.DuckDBPyConnection) -> None:
        """Write everything into a store without rows, whose materialised relations get none yet."""
        for name, table in TABLES.items():
            if not self.rows[name]:
                continue
            rows = star.split(
                pl.DataFrame(self.rows[name], schema=_log_schema(table)),
                {dimension: list(columns) for dimension, columns in table.dimensions.items()},
            )
            store.insert(con, log_tables.line_relation(table), rows.lines)
            for dimension, said in rows.dimensions.items():
                with_numbers = said.with_row_index(star.number_column(dimension))
                store.insert(con, log_tables.dimension_relation(table, dimension), with_numbers)
        for each in self.files:
            stamps = [
                row["at"]
                for rows in self.rows.values()
                for row in rows
                if row["file_id"] == each["file_id"] and row.get("at")
            ]
            each["first_at"] = min(stamps, default=None)
            each["last_at"] = max(stamps, default=None)
        store.insert(con, SOURCE_FILE.relation, SOURCE_FILE.frame(self.files))
        for name, frame in manifest.parse(self.study_toml.encode(), name="study").tables().items():
            store.insert(con, f"study.{name}", frame)
        writing.write_milestones(con, [Milestone(**each) for each in self.user_milestones])


def without_rows() -> duckdb.DuckDBPyConnection:
    """A store of its own without rows, in a transaction: the folder for what it would commit is gone."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "by_hand.duckdb"
        store_template.into(file, Path(folder))
        con = duckdb.connect(str(file))
    con.execute("begin")
    return con


class _Shared:
    """A store that one ledger after another is written to, in a transaction that is rolled back after it.

    Most of the time that a relation takes is for its plan, and a prepared statement keeps it. The optimiser rests: it
    would plan anew for each ledger, and few rows need none. Whole studies are ingested with it elsewhere.
    """

    def __init__(self) -> None:
        self.con = without_rows()
        self.con.execute("pragma disable_optimizer")
        self.con.execute("set threads = 1")
        self.plans: dict[str, str] = {}

    def execute(self, statement: str) -> duckdb.DuckDBPyConnection:
        """Run a statement of `relations.fill`."""
        if "incoming" in statement:  # a frame: what is prepared knows the one before
            return self.con.execute(statement)
        if statement not in self.plans:
            self.plans[statement] = f"plan_{len(self.plans)}"
            self.con.execute(f"prepare {self.plans[statement]} as {statement}")
        return self.con.execute(f"execute {self.plans[statement]}")

    def __getattr__(self, name: str) -> Any:  # what else a connection can do
        return getattr(self.con, name)


_idle: list[_Shared] = []
"""Stores of this process that no test holds."""


class _FilledOnDemand:
    """A connection to a store of which a question fills only the relations that its answer rests on."""

    def __init__(self, ledger: Ledger) -> None:
        self._shared = _idle.pop() if _idle else _Shared()
        self._con = self._shared.con
        self._done: frozenset[str] = frozenset()
        self._con.execute("rollback; begin")
        ledger.write(self._con)

    def execute(self, query: str, *rest: Any) -> duckdb.DuckDBPyConnection:
        self._fill(query)
        return self._con.execute(query, *rest)

    def sql(self, query: str, **rest: Any) -> duckdb.DuckDBPyRelation:
        self._fill(query)
        return self._con.sql(query, **rest)

    def close(self) -> None:
        """Nothing: the next ledger needs the store."""

    def __del__(self) -> None:
        """Give the store to the next ledger, which empties it: an answer may yet be fetched."""
        _idle.append(self._shared)

    def _fill(self, query: str) -> None:
        is_question = query.lstrip().lower().startswith(("select", "from", "with"))
        self._done = relations.fill(
            cast("duckdb.DuckDBPyConnection", self._shared),
            relations.READ_RELATION.findall(query) if is_question else None,
            self._done,
        )

    def __enter__(self) -> "duckdb.DuckDBPyConnection":
        self._fill("")
        return self._con

    def __exit__(self, *error: object) -> None:
        """Nothing: the store lasts as long as this."""

    def __getattr__(self, name: str) -> Any:  # what else a connection can do needs all relations
        self._fill("")
        return getattr(self._con, name)


LOST, SURVIVOR = "sun-ha3", "sun-ha4"
GROUP = "db2_shark"
TYPES = {
    "absolut_udb": "Db2udb",
    "db2shark": "DiskGroup",
    "datashark": "Mount",
    "db03shark": "Mount",
    "sun-ha3bshark": "IP",
    "hme0shark": "NIC",
}


def add_main_cf(ledger: Ledger, configuration: str) -> None:
    """The main.cf of the paper's cluster, above the runs of a configuration."""
    file_id = ledger.file(f"{configuration}/main.cf", "main_cf", configuration, None, None)
    for system in (LOST, SURVIVOR):
        ledger.add("cluster_system", file_id, None, system=system, cluster="Sun_CVM_Test")
    for resource, resource_type in TYPES.items():
        ledger.add("cluster_resource", file_id, None, resource=resource, resource_type=resource_type, group=GROUP)


def online(ledger: Ledger, file_id: int, second: float, resource: str, **values: Any) -> int:
    """10298: a resource came online on the survivor at the initiative of VCS."""
    row: Row = {
        "kind": "resource_online",
        "message_id": "V-16-1-10298",
        "message_number": 10298,
        "resource": resource,
        "group": GROUP,
        "system": SURVIVOR,
        "how": "VCS initiated",
        "state": "online",
    }
    return ledger.add("vcs_event", file_id, second, **(row | values))


def initiate(ledger: Ledger, file_id: int, second: float, resource: str, **values: Any) -> int:
    """10301: VCS starts a resource on the survivor."""
    row: Row = {
        "kind": "initiate_online",
        "message_id": "V-16-1-10301",
        "message_number": 10301,
        "resource": resource,
        "group": GROUP,
        "system": SURVIVOR,
    }
    return ledger.add("vcs_event", file_id, second, **(row | values))


def membership(ledger: Ledger, file_id: int, second: float, members: list[int], port: str = "a") -> int:
    """20036: a GAB membership."""
    return ledger.add(
        "gab_event",
        file_id,
        second,
        host=SURVIVOR,
        message_id="V-15-1-20036",
        kind="membership",
        port=port,
        members=members,
        text=f"Port {port} gen 4e3a02 membership",
    )


def faulted(ledger: Ledger, file_id: int, second: float) -> int:
    """10322: HAD sees the lost node from RUNNING to FAULTED."""
    return ledger.add(
        "vcs_event",
        file_id,
        second,
        kind="system_state",
        message_id="V-16-1-10322",
        message_number=10322,
        system=LOST,
        node_id=0,
        previous_state="RUNNING",
        state="FAULTED",
    )


def inactive(ledger: Ledger, file_id: int, second: float, silent_s: int, *, link: int = 0, key: int = 2903317) -> int:
    """10032: LLT counts the silence of the lost node."""
    return ledger.add(
        "llt_event",
        file_id,
        second,
        host=SURVIVOR,
        message_id="V-14-1-10032",
        state="inactive",
        link=link,
        peer_id=0,
        silent_s=silent_s,
        outage_key=key,
        text=f"link {link} node 0 inactive {silent_s} sec ({key})",
    )


def llt(ledger: Ledger, file_id: int, second: float, state: str, *, link: int = 0, peer: int = 0) -> int:
    """10205, 10509, 10024: trouble, expired, active."""
    ids = {"trouble": "V-14-1-10205", "expired": "V-14-1-10509", "active": "V-14-1-10024"}
    return ledger.add(
        "llt_event",
        file_id,
        second,
        host=SURVIVOR,
        message_id=ids[state],
        state=state,
        link=link,
        peer_id=peer,
        text=f"link {link} node {peer} {state}",
    )


def recovery(ledger: Ledger, file_id: int, second: float, kind: str, **values: Any) -> int:
    """A db2diag record of a crash recovery."""
    functions = {
        "crash_recovery_needed": ("sqledint", 30),
        "crash_recovery_started": ("sqlpresr", 410),
        "crash_recovery_done": ("sqlpresr", 3170),
    }
    function, probe = functions.get(kind, ("other", 1))
    database = None if kind == "crash_recovery_needed" else "ABSOLUT"
    row: Row = {"kind": kind, "instance": "svtdbm", "database": database, "function": function, "probe": probe}
    return ledger.add("db2diag_record", file_id, second, **(row | {"message": kind} | values))


DEFAULT_ROW = {"llt": 15, "gab": 19, "vm": 24, "fs": 31, "ip": 21, "db2udb": 109, "detect": 49, "complete": 61}
"""Table 3.7 of the paper, default parameters: seconds after the fault."""


def add_default_run(
    ledger: Ledger,
    configuration: str = "default",
    run: str | None = "run01",
    *,
    shift_s: float = 0,
    row: dict[str, int] | None = None,
) -> dict[str, int]:
    """A failover as the paper's table has it; gives the file ids by `messages`, `engine`, `db2diag`."""
    s = {name: shift_s + value for name, value in (row or DEFAULT_ROW).items()}
    folder = "/".join(part for part in (configuration, run, SURVIVOR) if part)
    messages = ledger.file(f"{folder}/messages{shift_s}", "syslog", configuration, run, SURVIVOR)
    engine = ledger.file(f"{folder}/engine_A.log{shift_s}", "vcs_engine", configuration, run, SURVIVOR)
    diag = ledger.file(f"{folder}/db2diag.log{shift_s}", "db2diag", configuration, run, SURVIVOR)
    for silent_s in range(8, 16):
        if silent_s + shift_s <= s["llt"]:
            inactive(ledger, messages, shift_s + silent_s, silent_s, key=2903317 + int(shift_s))
            inactive(ledger, messages, shift_s + silent_s, silent_s, link=1, key=2903317 + int(shift_s))
    if s["llt"] - shift_s < 8:
        for link in (0, 1):
            llt(ledger, messages, s["llt"] - 1, "trouble", link=link)
        for link in (0, 1):
            llt(ledger, messages, s["llt"], "expired", link=link)
    membership(ledger, messages, s["gab"], [1])
    membership(ledger, messages, s["gab"], [1], port="h")
    ledger.add("vcs_event", engine, s["gab"], kind="new_membership", message_id="V-16-1-10077", message_number=10077)
    faulted(ledger, engine, s["gab"])
    initiate(ledger, engine, s["gab"], "db2shark")
    initiate(ledger, engine, s["gab"], "sun-ha3bshark")
    online(ledger, engine, s["ip"], "sun-ha3bshark")
    online(ledger, engine, s["vm"], "db2shark")
    initiate(ledger, engine, s["vm"], "datashark")
    initiate(ledger, engine, s["vm"], "db03shark")
    online(ledger, engine, s["fs"] - 3, "db03shark")
    online(ledger, engine, s["fs"], "datashark")
    initiate(ledger, engine, s["fs"], "absolut_udb")
    recovery(ledger, diag, s["detect"] + 0.100212, "crash_recovery_needed")
    recovery(ledger, diag, s["detect"] + 0.433876, "crash_recovery_started")
    recovery(ledger, diag, s["complete"] + 0.00291, "crash_recovery_done")
    online(ledger, engine, s["db2udb"], "absolut_udb")
    ledger.add(
        "vcs_event",
        engine,
        s["db2udb"],
        kind="group_online",
        message_id="V-16-1-10447",
        message_number=10447,
        group=GROUP,
        system=SURVIVOR,
    )
    return {"messages": messages, "engine": engine, "db2diag": diag}


def elapsed(con: duckdb.DuckDBPyConnection, run: str = "run01", configuration: str = "default") -> dict[str, float]:
    """Milestones of a run by their stamps as printed, in seconds after the fault."""
    query = "select milestone, printed_elapsed_s from milestone where configuration = ? and run = ?"
    return dict(con.execute(query, [configuration, run]).fetchall())


def rows(con: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    return con.execute(query).fetchall()


def one(con: duckdb.DuckDBPyConnection, query: str) -> tuple[Any, ...]:
    """The only row of a query."""
    (row,) = rows(con, query)
    return row
