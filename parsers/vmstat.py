"""vmstat of Linux (procps 2 to 4), Solaris, AIX, HP-UX and the BSDs.

The file may go on with the output of iostat or sar: every table is read by its header (`parsers/iostat_reports.py`).
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.iostat_recognition import BOUNDARY, NEEDS
from parsers.iostat_recognition import recognise as recognise_tool
from parsers.iostat_reports import parse
from parsers.iostat_tables import REPORT_TABLES


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a table of vmstat as the first one."""
    return recognise_tool(head, "vmstat")


FORMAT = Format(
    name="vmstat",
    title="vmstat",
    tables=REPORT_TABLES,
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("*vmstat*",),
    role="measurement",
    needs=NEEDS,
)
