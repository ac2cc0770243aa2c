"""Tables of what disks and processors did, and of what the machines are."""

from reports import numbers
from reports.store import Row
from reports.study_view import StudyView, statement
from reports.tables.model import Cell, Table, figures, number, rows_of, text, words
from reports.tables.places import places

REQUESTS, DATA, WAIT = "Requests, 1/s", "Data, KiB/s", "Wait, ms"
DISK_COLUMNS = (  # its values, heading, unit, heading above, decimals
    (("r_per_s",), "Reads", "", REQUESTS, 1),
    (("w_per_s",), "Writes", "", REQUESTS, 1),
    (("f_per_s",), "Flushes", "", REQUESTS, 1),
    (("tps",), "All", "", REQUESTS, 1),
    (("rkb_per_s",), "Read", "", DATA, 0),
    (("wkb_per_s", "wkb_stddev"), "Written", "", DATA, 0),
    (("await_ms",), "All", "", WAIT, 2),
    (("w_await_ms",), "Writes", "", WAIT, 2),
    (("aqu_sz",), "Queue", "", "", 2),
    (("util_pct",), "Busy", "%", "", 1),
)
PROCESSOR_COLUMNS = (
    ("user_pct", "User"),
    ("system_pct", "System"),
    ("iowait_pct", "Waiting for disks"),
    ("idle_pct", "Idle"),
)


def disks(study: StudyView) -> list[Table]:
    """What every disk did in each configuration."""
    found = study.disks
    if not found:
        return []
    shown = [each for each in DISK_COLUMNS if any(_tells(row, each[0][0]) for row in found)]
    columns = (
        words("Device", "device", is_code=True),
        words("Configuration", "configuration"),
        words("Host", "node", is_code=True),
        figures("Runs", "runs"),
        *(figures(label, *names, unit=unit, spanner=spanner) for names, label, unit, spanner, _ in shown),
    )
    rows = [
        (
            text(row["device"]),
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["node"]),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            *(_disk_cell(row, names, decimals) for names, _, _, _, decimals in shown),
        )
        for row in found
    ]
    note = (
        "Means over runs of the mean of each run, without the report since boot; written: ± sample standard deviation. "
        "A replicated device and its disk carry the same requests and are not to be added up."
    )
    caption = "What the disks did in each configuration"
    source = "Source: relation iostat_summary."
    return [Table("iostat-disks", caption, columns, rows_of(rows), (note,), source, statement("disks"), "", 3, True)]


def _tells(row: Row, name: str) -> bool:
    """Whether a row has a value that no other of its columns implies: transfers are reads and writes together."""
    return row[name] is not None and not (name == "tps" and row["r_per_s"] is not None and row["w_per_s"] is not None)


def _disk_cell(row: Row, names: tuple[str, ...], decimals: int) -> Cell:
    values = tuple(row[name] for name in names)
    return Cell(_spread(values[0], values[1] if len(values) > 1 else None, decimals), values)


def processors(study: StudyView) -> list[Table]:
    """How busy the processors were in each configuration."""
    found = study.processors
    if not found:
        return []
    columns = (
        words("Configuration", "configuration"),
        words("Host", "node", is_code=True),
        words("Tool", "source", is_code=True),
        figures("Runs", "runs"),
        *(figures(label, name, unit="%") for name, label in PROCESSOR_COLUMNS),
        figures("Busy", "busy_pct", "busy_stddev", unit="%"),
    )
    rows = [
        (
            Cell(study.label(row["configuration"]), (row["configuration"],)),
            text(row["node"]),
            text(row["source"]),
            Cell(numbers.count(row["runs"]), (row["runs"],)),
            *(number(row[name], 1) for name, _ in PROCESSOR_COLUMNS),
            Cell(_spread(row["busy_pct"], row["busy_stddev"], 1), (row["busy_pct"], row["busy_stddev"])),
        )
        for row in found
    ]
    note = (
        "Shares of the time of all processors: means over runs of the mean of each run, without the report since boot. "
        "Busy: neither idle nor waiting for disks, ± sample standard deviation."
    )
    caption = "How busy the processors were in each configuration"
    source = "Source: relation iostat_cpu."
    return [Table("processors", caption, columns, rows_of(rows), (note,), source, statement("processors"), "", 3)]


def machines(study: StudyView) -> list[Table]:
    """What the files state of the machines and their software."""
    found = study.environment
    if not found:
        return []
    everywhere = sorted({name for row in found for name in row["configurations"]})
    has_places = any(row["configurations"] != everywhere for row in found)
    columns = [
        words("Host", "node", is_code=True),
        words("Subject", "subject"),
        words("Fact", "name"),
        words("Value", "value"),
    ]
    if has_places:
        columns.append(words("Configurations", "configurations"))
    rows = [
        (
            text(row["node"]),
            text(row["subject"]),
            text(row["name"].replace("_", " ")),
            Cell(_value(row), (row["value"],)),
            *([places(study, row["configurations"], everywhere)] if has_places else []),
        )
        for row in found
    ]
    caption = "The machines and their software, as the files state them"
    source = "Source: relation environment, which names file and line."
    return [
        Table("machines", caption, tuple(columns), rows_of(rows), (), source, statement("environment"), "", 3, True)
    ]


def _spread(mean: float | None, stddev: float | None, decimals: int) -> str:
    printed = numbers.fixed(mean, decimals)
    return printed if stddev is None else f"{printed} {numbers.PLUS_MINUS} {numbers.fixed(stddev, decimals)}"


def _value(row: Row) -> str:
    return f"{row['value']} {row['unit']}" if row["unit"] else str(row["value"])
