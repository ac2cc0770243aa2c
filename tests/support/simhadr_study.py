"""Output of the simulator's tools as a study: files read by their parsers, relations made as a query names them."""

from typing import TYPE_CHECKING, Any

from parsers.format import formats
from tests.support.hand_made import TABLES, Ledger
from tests.support.message_lines import numbered

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]  # rows have values of many types


def add(ledger: Ledger, path: str, text: str) -> None:
    """A file as the parser reads it; its folders are the configuration, `run..` the run, stamps are treated as UTC."""
    *folders, name = path.split("/")
    run = next((part for part in folders if part.startswith("run")), None)
    configuration = "/".join(part for part in folders if part != run)
    form = "simhadr_disk" if "disk" in name else "hadr_calculator" if "calc" in name else "simhadr"
    file_id = ledger.file(path, form, configuration, run, None)
    for table, frame in formats()[form].parse(numbered(text.splitlines())).tables.items():
        for row in frame.to_dicts():
            stamp = row.pop("stamp", None)
            undated = {name: value for name, value in row.items() if name not in ("has_year", "utc_offset_min")}
            dates = {"at": stamp, "local_at": stamp} if TABLES[table].is_dated else {}
            ledger.rows[table].append(undated | dates | {"file_id": file_id})


class Study:
    """Files of output and what is asked of them; relations are made when a query first names them."""

    def __init__(self, files: dict[str, str], toml: str = "") -> None:
        self.ledger = Ledger(toml)
        self.made: duckdb.DuckDBPyConnection | None = None
        for path, text in files.items():
            add(self.ledger, path, text)

    def query(self, sql: str) -> list[Row]:
        """The rows of a query by column."""
        if self.made is None:
            self.made = self.ledger.build()
        result = self.made.execute(sql)
        columns = [each[0] for each in result.description]
        return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]


def one(study: Study, sql: str) -> Row:
    (row,) = study.query(sql)
    return row
