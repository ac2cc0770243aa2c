"""Disk and sleep tests of the HADR simulator: -write and -read (2012 and later), -testDisk (2008), -testSleep.

Written by  simhadr, as its other output; no output of -testDisk has been published, it is treated as that of -write
One row     per run, number of the totals, distribution and bucket
Units       MBytes are 10^6 bytes; a page has 4096 bytes; write and read times are microseconds
"""

from parsers.format import Format
from parsers.hadr_tools.simhadr import TABLES, parse
from parsers.hadr_tools.simhadr_recognition import DISK, recognise_disk

FORMAT = Format(
    name="simhadr_disk",
    title="disk test of the IBM HADR simulator",
    tables=TABLES,
    recognise=recognise_disk,
    parse=parse,
    file_names=("*simhadr*",),
    role="measurement",
    needs=DISK,
)
