"""HADR simulator (`simhadr`) of 2008 and of 2012 and later: a primary or a standby, and anything else is in the file.

Written by  simhadr on stdout, errors on stderr; a person may have put several runs into a file, and words around them
One row     per run, handshake, host, block of socket properties, number of the totals, distribution and bucket
Time        connTime of the handshake, the clock of the primary with the name of its zone
Units       MBytes are 10^6 bytes, KBytes 10^3; a page has 4096 bytes; averages of whole numbers are cut off
Traps       the same result line is printed by both sides; acknowledgements are sent bytes on the standby and received
            bytes on the primary (48 bytes each in 2008, 16 later); the standby's write calls are no flushes. stderr in
            the same file comes before the command line. A wrong option prints the help text
"""

import polars as pl

from parsers.format import Format, Hint, Parsed
from parsers.hadr_tools.sheet import parse_sheets
from parsers.hadr_tools.simhadr_reader import read
from parsers.hadr_tools.simhadr_recognition import EITHER, NETWORK, recognise_network
from parsers.hadr_tools.tables import (
    HADR_BUCKET,
    HADR_DISTRIBUTION,
    HADR_FIGURE,
    SIMHADR_HANDSHAKE,
    SIMHADR_HOST,
    SIMHADR_RUN,
    SIMHADR_SOCKET,
)

TABLES = (
    SIMHADR_RUN,
    SIMHADR_HANDSHAKE,
    SIMHADR_SOCKET,
    SIMHADR_HOST,
    HADR_FIGURE,
    HADR_DISTRIBUTION,
    HADR_BUCKET,
)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn output of simhadr into runs with all their blocks."""
    return parse_sheets(lines, read, TABLES)


FORMAT = Format(
    name="simhadr",
    title="IBM HADR simulator",
    tables=TABLES,
    recognise=recognise_network,
    parse=parse,
    file_names=("*simhadr*",),
    role="measurement",
    needs=NETWORK + "|" + EITHER,
    hints=(Hint(r"(?i)\bsimhadr\b|^Measured sleep overhead", "the output of simhadr"),),
)
