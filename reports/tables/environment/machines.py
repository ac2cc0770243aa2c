"""The table of what the machines are."""

from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, from_rows, places, word, worded
from reports.tables.model import Table


@table(section="environment", after="hosts")
def machines(study: StudyView) -> list[Table]:
    """What the files state of the machines and their software; what several share is printed once."""
    found = study.rows("machines")
    everywhere = sorted({name for row in found for name in row["configurations"]})
    has_places = any(row["configurations"] != everywhere for row in found)
    columns = (
        code("Host", "node"),
        word("Subject", "subject"),
        worded("Fact", "name", lambda row: row["name"].replace("_", " ")),
        worded("Value", "value", _value),
        *([places(study, everywhere)] if has_places else []),
    )
    return from_rows(
        found,
        "The machines and their software, as the files give them",
        columns,
        source="Source: relation environment, which names file and line.",
        row_heads=3,
        is_grouped=True,
    )


def _value(row: Row) -> str:
    return f"{row['value']} {row['unit']}" if row["unit"] else str(row["value"])
