"""db2diag.log, the diagnostic log of DB2: the layout of V8.1 and earlier, and that of V8.2 and later.

Written by   every DB2 process of an instance (servers and clients), appended to one file, or to rotating ones
One row      per record; a record runs from its header to the next header, and empty lines do not end it
Time         wall clock of the host in microseconds; V8.2 on states minutes east of UTC, V8.1 gives no zone
Odd          an instance upgraded from V8.1 appends the new layout to the old file: the layout is detected per record.
             Copies from pages and mails put a mark before every line ("> ", a container's name, a TAB): the mark of
             a record is what is before its header. Columns drift by release and platform and are never counted.
             A record gives its own byte offset and length; the next one begins one byte (the empty line) later.
             The notification log has the layout of V8.1 in all releases: see `db2_nfy`.
"""

import polars as pl

from parsers.db2.config_change import CONFIG_CHANGE, config_changes
from parsers.db2.db2diag_fields import (
    Fields,
    fields_of,
    section_rows,
    sections,
    with_data,
    with_head_fields,
    with_texts,
)
from parsers.db2.db2diag_folds import unfolded
from parsers.db2.db2diag_framing import Framed, framed, layout_of, look, verdicts, with_extents
from parsers.db2.db2diag_header import CHUNK_BOUNDARY, NEEDS, with_whole_headers
from parsers.db2.db2diag_meaning import with_meaning
from parsers.db2.db2diag_record import DB2DIAG_DATA, DB2DIAG_RECORD
from parsers.db2.environment import environment_facts
from parsers.db2.hadr import HADR_EVENT, hadr_events
from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.format import Format, Parsed, Recognition, Refusal, Table

TABLES = (DB2DIAG_RECORD, DB2DIAG_DATA, HADR_EVENT, CONFIG_CHANGE, ENVIRONMENT_FACT)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a record header; old records that carry nothing but ADM messages may as well be a notification log."""
    layout = layout_of(head)
    if layout is None:
        return Refusal("no line is a record header of db2diag.log", max(len(head), 1))
    if layout.has_v82:
        return Recognition(0.99, "record header with LEVEL, as written from V8.2 on", layout.line_no)
    if layout.is_notification:
        # As much as the notification log claims, so that the file name decides.
        return Recognition(0.8, "record header of V8.1, ADM messages only: V8.1 or a notification log", layout.line_no)
    return Recognition(0.95, "record header with Instance and Node, as written up to V8.1", layout.line_no)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into records and their sections."""
    found = framed(unfolded(with_whole_headers(lines)))
    line_verdicts = verdicts(found)
    has_row = found.heads.get_column("stamp").is_not_null()
    if not has_row.any():
        return Parsed({}, line_verdicts)
    fields = _fields(found)
    found_sections = sections(fields)
    heads = with_head_fields(with_extents(found), fields)
    records = with_data(with_texts(heads, fields), found_sections)
    records = with_meaning(_complete(records.filter(has_row)))
    tables = {
        "db2diag_record": _typed(records, DB2DIAG_RECORD),
        "db2diag_data": _typed(section_rows(found_sections, found.heads), DB2DIAG_DATA),
        "hadr_event": hadr_events(records),
        "config_change": config_changes(records),
        "environment_fact": environment_facts(records),
    }
    return Parsed({name: rows for name, rows in tables.items() if not rows.is_empty()}, line_verdicts)


def _fields(found: Framed) -> Fields:
    """The fields of records whose header makes a row."""
    is_of_field = ~pl.any_horizontal("is_header", "is_absorbed", "is_elision", "is_trailing")
    body = found.lines.filter(is_of_field).select("record", "text", "is_empty")
    of_head = found.heads.select(pl.col("stamp").is_not_null().alias("has_row"), is_v81=pl.col("era").eq_missing("v81"))
    of_record = of_head.select(pl.all().gather(body.get_column("record")))
    return fields_of(body.with_columns(*of_record).filter("has_row"))


def _complete(records: pl.DataFrame) -> pl.DataFrame:
    """Records with every column of their table, null where nothing of it was printed."""
    constants = records.with_columns(pl.lit(True).alias("has_year"), pl.lit(1).alias("part"))
    names = [*DB2DIAG_RECORD.schema, "FUNCTION"]
    return constants.with_columns(
        pl.lit(None, pl.String).alias(name) for name in names if name not in constants.columns
    )


def _typed(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    """The columns of a table in its types; a number too large for its column is null."""
    return rows.select(list(table.schema)).cast(pl.Schema(table.schema), strict=False)


FORMAT = Format(
    name="db2diag",
    title="db2diag.log of DB2",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=CHUNK_BOUNDARY,
    file_names=("db2diag*",),
    needs=NEEDS,
    look=look,
    counts_up=r"(?<=db2diag)\.(?P<number>[0-9]{1,9})(?=\.log$)",
)
