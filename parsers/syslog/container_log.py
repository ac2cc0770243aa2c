"""Lines of containers: wrapped by the runtime or a log shipper, or as programs of Kubernetes print them.

Written by   Docker's json-file driver (`{"log": "...", "stream": "stderr", "time": "..."}`), the container runtime of
             Kubernetes (`2016-10-06T00:17:09.669794202Z stdout F text`), log shippers (`{"message": "...", ...}`),
             programs that print objects (etcd, operators, MongoDB 4.4 on), klog (`I0405 07:42:06.60 11 f.go:6] ...`)
             and logrus (`time="..." level=info msg="..."`)
One row      per line; the parts of a line (`P ...`, then `F`; Docker's of 16 KiB) are one. A wrapped line is read as
             the same line in a file is, through all objects around it; one without a head is a message by itself.
             Fields beside the message follow it, see `parsers.syslog.json_log`
Time         the innermost: of the wrapped line, else of the object nearest to it, else of the runtime. A year or zone
             that it lacks is that of the next one further out
Rejected     JSON that cannot be read, and objects without a message; what an entrypoint prints between them
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import WRAPPERS, boundary_of
from parsers.syslog.recognition import SIGNATURE, claim, sniff
from parsers.syslog.wrapping import CRI, JSON

OWN = (*WRAPPERS, "klog", "logrus")
SHELL_TRACE = r"^\+{1,6} \S"
DATED_OBJECT = r'"(?:@timestamp|timestamp|time|ts|t|log_time|level|severity|stream|file)"\s*:'
LEAST_LINES = 5
LEAST_SHARE = 0.05


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of lines that are wrapped; an entrypoint may have printed what it did before or between them."""
    seen = sniff(head)
    claimed = claim(seen, "lines of containers", *OWN)
    if isinstance(claimed, Recognition):
        return claimed
    is_wrapped = head.str.contains(JSON) & head.str.contains(DATED_OBJECT) | head.str.contains(CRI)
    others = [name for _, _, name in seen.classified if name and name not in OWN]
    lines = head.filter(head.str.contains(r"\S") & ~head.str.contains(SHELL_TRACE))
    wrapped = int(is_wrapped.sum())
    if wrapped >= max(LEAST_LINES, LEAST_SHARE * len(lines)) and len(others) <= wrapped / 10:
        reason = f"{wrapped} of the first {len(head)} lines are wrapped, and hardly any other has a head"
        return Recognition(SIGNATURE, reason, int(is_wrapped.arg_true()[0]) + 1)
    return claimed


FORMAT = Format(
    name="container_log",
    title="Lines of containers: wrapped in JSON or by a runtime, klog, logrus",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    boundary=boundary_of(*OWN),
    file_names=("*-json.log*",),
    begins_late=True,
    unwraps=True,
    needs=r"^\W*(?:data: )?\{| std(?:out|err) [FP] |^[0-9-]{10}T\S+ [A-Z][a-z]{2} [ 0-9]"
    r"|^ {0,4}[IWEF][0-9]{4} [0-9]{2}:|^time=",
)
