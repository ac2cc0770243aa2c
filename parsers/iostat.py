"""iostat in text: Linux (sysstat 3 to 12), Solaris and illumos, AIX, HP-UX, FreeBSD, macOS.

The file may go on with the output of vmstat or sar: every table is read by its header (`parsers/iostat_reports.py`).
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.iostat_recognition import BOUNDARY, NEEDS
from parsers.iostat_recognition import recognise as recognise_tool
from parsers.iostat_reports import parse
from parsers.iostat_tables import REPORT_TABLES


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a table of devices or processors as the first one."""
    return recognise_tool(head, "iostat")


FORMAT = Format(
    name="iostat",
    title="iostat",
    tables=REPORT_TABLES,
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("*iostat*",),
    role="measurement",
    needs=NEEDS,
)
