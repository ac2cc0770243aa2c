"""`iostat -o JSON` of sysstat 11.5.1 on.

Read line by line (`parsers/sysstat/sysstat_json.py`), so that a file that was cut is read to its end.
"""

import polars as pl

from parsers.environment_fact import ENVIRONMENT_FACT
from parsers.format import Format, Parsed, Recognition, Refusal
from parsers.sysstat.sysstat_json import parse as parse_json
from parsers.sysstat.tables import IOSTAT_CPU, IOSTAT_DEVICE, IOSTAT_INVOCATION, IOSTAT_MARK, REPORTS

SIGNATURE = r'^\s*\{?\s*"sysstat"\s*:'
STATISTICS = r'^\s*"avg-cpu"\s*:|^\s*\{?\s*"disk_device"\s*:'
STATISTICS_OF_SADF = r'^\s*"(?:file-date|cpu-load|cpu-load-all)"\s*:|"disk-device"\s*:'


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for sysstat's outermost key and for the statistics that iostat prints."""
    signature = head.str.contains(SIGNATURE).arg_true()
    if not len(signature):
        return Refusal("no JSON of sysstat", max(len(head), 1))
    statistics = head.str.contains(STATISTICS).arg_true()
    if not len(statistics) or head.str.contains(STATISTICS_OF_SADF).any():
        return Refusal("JSON of sysstat, and not of iostat", int(signature[0]) + 1)
    return Recognition(0.97, "JSON of sysstat with the statistics of iostat", int(statistics[0]) + 1)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines into marks and rows."""
    return parse_json(lines, "iostat")


FORMAT = Format(
    name="iostat_json",
    title="iostat -o JSON",
    tables=(IOSTAT_INVOCATION, IOSTAT_MARK, IOSTAT_DEVICE, IOSTAT_CPU, ENVIRONMENT_FACT),
    recognise=recognise,
    parse=parse,
    file_names=("*iostat*.json",),
    role="measurement",
    reports=REPORTS,
    needs='"sysstat"',
)
