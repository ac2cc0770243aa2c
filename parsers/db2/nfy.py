"""The administration notification log of DB2 on UNIX and Linux (`<instance>.nfy`, `<instance>.0.nfy`, ...).

Written by   every DB2 process of an instance, for administrators; on Windows the event log is in its place
One row      per record, in the table of db2diag.log: the layout of V8.1, in all releases
Time         wall clock of the host in microseconds, without a zone
Odd          holds ADM messages only, and what applications write by db2AdminMsgWrite. The same ADM text is in
             db2diag.log with audience E, up to a second apart: who counts events has to count one of the two.
             A db2diag.log of V8.1 that happens to hold nothing but ADM messages differs by its name alone.
"""

import polars as pl

from parsers.db2.db2diag import TABLES, parse
from parsers.db2.db2diag_framing import layout_of, look
from parsers.db2.db2diag_header import CHUNK_BOUNDARY, NEEDS
from parsers.format import Format, Recognition, Refusal


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for record headers of the old layout, below each of which an administrator's message is."""
    layout = layout_of(head)
    if layout is None:
        return Refusal("no line is a record header of a notification log", max(len(head), 1))
    if layout.has_v82:
        return Refusal("a record header gives a LEVEL, which no notification log does", layout.line_no)
    if not layout.is_notification:
        return Refusal("a record without an ADM message is in db2diag.log only", layout.line_no)
    return Recognition(0.8, "record header of V8.1, ADM messages only: a notification log or V8.1", layout.line_no)


FORMAT = Format(
    name="db2_nfy",
    title="notification log of DB2",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=CHUNK_BOUNDARY,
    file_names=("*.nfy", "*.nfy.*", "*.nfy_*"),
    needs=NEEDS,
    look=look,
    counts_up=r"\.(?P<number>[0-9]{1,9})(?=\.nfy$)",
)
