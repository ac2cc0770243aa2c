"""The table of a cluster's resources by type."""

from reports import numbers
from reports.study.result_rows import origins_of
from reports.study.view import StudyView, statement
from reports.tables.catalogue import table
from reports.tables.model import Cell, Table, figures, rows_of, text, words


@table(section="cluster", after="machines", is_marked=False)
def resources(study: StudyView) -> list[Table]:
    """Resources by type, a row per configuration and service group."""
    found = study.rows("resources")
    keys = list(dict.fromkeys((row["configuration"], row["group"]) for row in found))
    if not keys:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Service group", "group", is_code=True),
        figures("Resources", "resources"),
        words("By type", "types"),
    )
    rows = []
    for configuration, group in keys:
        own = [row for row in found if (row["configuration"], row["group"]) == (configuration, group)]
        own.sort(key=lambda row: (-row["resources"], row["resource_type"]))
        listed = ", ".join(f"{row['resources']} {row['resource_type']}" for row in own)
        count = sum(row["resources"] for row in own)
        origins = tuple(origin for row in own for origin in origins_of(row, "resources"))
        rows.append(
            (
                Cell(study.label(configuration), (configuration,)),
                text(group),
                Cell(numbers.count(count), (count,), origins),
                text(listed),
            )
        )
    caption = "Resources of each service group by type"
    source = "Source: relation cluster_resource (main.cf)."
    return [
        Table("resources", caption, columns, rows_of(rows), (), source, statement("resources"), "", 2, is_grouped=True)
    ]
