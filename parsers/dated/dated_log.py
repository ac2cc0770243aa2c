"""Any log whose lines begin with a date and a time, and that no other format knows.

Written by   programs of any kind: databases, brokers, proxies, servers, agents, Java and Python programs
One row      per line that begins with a stamp; what is before the stamp is a part of the text, as nothing is lost
Time         as printed, see `parsers.dated.heads` for the shapes; with its zone, where the line has one. A numeric
             date is read in the order that the file shows (`date_order`): dots, a day above 12, AM and PM, the dates'
             succession. Where nothing shows, the rows have no time until study.toml declares `date_order`
Severity     a word or letter near the stamp: `ERROR`, `[warn]`, `level=info`, `E1231`, `SEVERE:` on the line below
Host         where a line says whose log it is: `Running on machine: x`, `Server name is 'x'`, `Node name: x`
Continuation every line without a stamp belongs to the record above; so a stamp on a line by itself owns all below
Ignored      the remarks of log files in the extended format of W3C (`#Fields: ...`)
Rejected     lines before the first stamp, and stamps of no day that is
Not dated    prose, source code, tables with a header, and lines of numbers, dated or not
"""

import polars as pl

from parsers.dated.declared import draft, of_layout
from parsers.dated.heads import CLOCKED, boundary, is_head, read_all_heads, shapes_of
from parsers.dated.mixed import reads_syslog_between, tables_of
from parsers.dated.recognition import look, recognise
from parsers.dated.records import TABLES, parsed
from parsers.folds import reads_folded, reads_pasted
from parsers.format import Format, Parsed
from parsers.syslog import event

ALL_TABLES = tables_of(TABLES, event.TABLES)


# REAL: 14211:X 03 Jun 2025 14:22:41.300 # +sdown master mymaster 10.1.0.11 6379
REDIS = r"[0-9]{1,10}:[XMSC] [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} [#*.-] "


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines, folded ones too, into records, and give each line its verdict."""
    return reads_folded(reads_pasted(parse_unfolded, REDIS, ":[XMSC] [0-9]{2} [A-Z]"), shapes_of)(lines)


def parse_unfolded(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines as a program wrote them into records."""
    return reads_syslog_between(parse_own, is_head, event.parse)(lines)


def parse_own(lines: pl.DataFrame) -> Parsed:
    """Read lines that are of no other kind."""
    rows = lines.with_row_index("row")
    return parsed(rows, read_all_heads(rows))


FORMAT = Format(
    name="dated_log",
    title="Dated log without a format of its own",
    tables=ALL_TABLES,
    recognise=recognise,
    parse=parse,
    boundary=boundary(),
    needs=CLOCKED,
    look=look,
    of_layout=of_layout,
    draft=draft,
    takes_the_rest=True,
)
