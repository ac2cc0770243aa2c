"""Log lines that a container's runtime or a log shipper wrapped: Docker, Kubernetes, Filebeat, Fluentd.

Written by   Docker's json-file driver (`{"log": "...", "stream": "stderr", "time": "..."}`), the container runtime of
             Kubernetes (`2016-10-06T00:17:09.669794202Z stdout F text`), log shippers (`{"message": "...", ...}`)
One row      per wrapped line, read as the same line in a file is; one without a head is a message by itself
Time         of the wrapped line if it states one, in the year of its wrapper where it states none; else of the wrapper
Rejected     JSON that cannot be read, and objects without a message
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog_event import TABLES, parse
from parsers.syslog_framing import WRAPPERS, boundary_of
from parsers.syslog_recognition import claim, sniff


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of lines that are wrapped."""
    return claim(sniff(head), "wrapped log lines", *WRAPPERS)


FORMAT = Format(
    name="container_log",
    title="Log lines wrapped in JSON or by a container runtime",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=boundary_of(*WRAPPERS),
    file_names=("*-json.log*",),
    needs=r"^\W*(?:data: )?\{| std(?:out|err) [FP] ",
)
