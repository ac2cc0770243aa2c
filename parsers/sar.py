"""sar and mpstat in text: Linux (sysstat), Solaris, AIX, HP-UX. Read are processors and devices.

The file may go on with the output of iostat or vmstat: every table is read by its header (`parsers/iostat_reports.py`).
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.iostat_recognition import BOUNDARY, NEEDS
from parsers.iostat_recognition import recognise as recognise_tool
from parsers.iostat_reports import parse
from parsers.iostat_tables import REPORT_TABLES


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a table of sar or mpstat as the first one."""
    return recognise_tool(head, "sar")


FORMAT = Format(
    name="sar",
    title="sar, mpstat",
    tables=REPORT_TABLES,
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("sar*", "*.sar", "mpstat*"),
    role="measurement",
    needs=NEEDS,
)
