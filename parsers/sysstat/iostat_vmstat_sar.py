"""iostat, vmstat, sar and mpstat in text, no matter what system printed it.

iostat    Linux (sysstat 3 to 12), Solaris and illumos, AIX, HP-UX, FreeBSD, macOS
vmstat    Linux (procps 2 to 4), Solaris, AIX, HP-UX and the BSDs
sar       and mpstat: Linux (sysstat), Solaris, AIX, HP-UX; read are processors and devices

A file is of the tool that its first table is of. It may go on with the output of the others: every table is read by
its header (`parsers/sysstat/reports.py`).
"""

import re
from functools import lru_cache, partial

import polars as pl

from parsers.format import Format, Hint, Recognition, Refusal
from parsers.sysstat.cleaning import cleaned
from parsers.sysstat.headers import header_of
from parsers.sysstat.layout import Header
from parsers.sysstat.lines import GROUP_HINT
from parsers.sysstat.reports import parse
from parsers.sysstat.tables import REPORT_TABLES, REPORTS

GROUP = re.compile(GROUP_HINT)
_DEVICE = r"(?:\bDevice|\bdevice|\bdisk|Disks:|Filesystem)"
_COLUMN = r"(?:/s|%|\btps\b|await|_read|_wrtn|_dscd|_w\+d|-sz|svctm)"
HEADER_SIGN = (
    r"avg-cpu:|%(?:irq|sys|entc|usr|user|iowait|wio|idle|guest|steal|soft|nice)|physc"  # of processors
    r"|%busy|\bDEV\b"  # sar
    r"|xfer|^\W*(?:read|write|queue):|%tm_act"  # AIX
    r"|\br\s+b\s|\bus\s.*\bid\b"  # vmstat, processors of Solaris and HP-UX
    r"|KB/t|rps\s+wps|[ks]ps\s+tps|%b|svc_t|device\s+bps"  # groups, Solaris, BSD, HP-UX
    rf"|{_DEVICE}.*{_COLUMN}|{_COLUMN}.*{_DEVICE}"  # sysstat
    rf"|{_COLUMN}\s+\S*{_COLUMN}"  # its columns, regardless of the word for a device
)
"""Every header of a table has one of these."""

# Headers that other tools print too, or nearly.
LOOKALIKES = (
    (r"^\s*capacity\s+operations\s+bandwidth", "a report of zpool iostat: pools, not devices"),
    (r"^# Device\s+rrqm/s", "a report of pcp iostat: its columns are named as iostat's and are in other units"),
    (r'^\s*\{\s*"sysstat"|^\s*"sysstat"\s*:', "JSON of sysstat"),
)
LOOKALIKE_WORDS = "capacity|# Device|sysstat"
NEEDS = rf"{HEADER_SIGN}|{LOOKALIKE_WORDS}"
"""A line without which a file is nobody's report, and no other file is treated as one."""

# One line of header per tool, before which a file may be cut; a header that is cut itself is a row of the table above,
# so each has what its table cannot be without. Headers of column groups are not among them: the names of their devices
# are on the line above; nor are times, as rows without a header of their own may follow them.
BOUNDARY = (
    r"^(?:Linux|AIX|HP-UX|SunOS) \S"
    r"|^avg-cpu:[ \t]+%user|^Device:?[ \t]+(?:\S+/s|tps)[ \t]+\S+/s(?:[ \t]|$)"
    r"|^Disks:[ \t]+% ?tm_act[ \t]+Kbps[ \t]+tps"
    r"|^tty:[ \t]+tin.*% ?idle"
    r"|^[ \t]*(?:device|disk)[ \t].*%b|^[ \t]*r/s[ \t].*device[ \t]*$"
    r"|^[ \t]*(?:tps|r/s)[ \t].*Device[ \t]*$|^[ \t]*r[ \t]+b[ \t].*[ \t]us[ \t]+sy[ \t]+id(?:[ \t]|$)"
    r"|^[0-9]{1,2}:[0-9][0-9]:[0-9][0-9](?: [AP]M)?[ \t]+(?:CPU|DEV|device|%usr|%user|tps)[ \t].*"
    r"(?:%idle|%util|/s|avserv|DEV)(?:[ \t]|$)"
)


def recognise(head: pl.Series, tool: str) -> Recognition | Refusal:
    """A claim for one of the tools iostat, vmstat and sar (with mpstat) on a file whose first table is theirs."""
    first = _first_table(tuple(head.to_list()))
    if isinstance(first, Refusal):
        return first
    if first is None:
        return Refusal(f"no line is a header of a table of {tool}", max(len(head), 1))
    line_no, header = first
    wrote = "sar" if header.tool == "mpstat" else header.tool
    if wrote != tool:
        return Refusal(f"its first table is one of {header.tool}", line_no)
    return Recognition(0.95, f"header of a table of {header.tool}, flavour {header.flavour}", line_no)


@lru_cache(maxsize=64)
def _first_table(texts: tuple[str, ...]) -> tuple[int, Header] | Refusal | None:
    """Line and header of the first table, or what the file only looks like; remembered, as each of the tools asks."""
    head = pl.Series(texts, dtype=pl.String)
    if head.str.contains(LOOKALIKE_WORDS).any():
        for pattern, what in LOOKALIKES:
            hits = head.str.contains(pattern).arg_true()
            if len(hits):
                return Refusal(what, int(hits[0]) + 1)
    lines = pl.DataFrame({"text": head}).with_columns(file_id=pl.lit(0), line_no=pl.int_range(1, len(head) + 1))
    contents = cleaned(lines).get_column("text").str.strip_chars()
    for row in contents.str.contains(HEADER_SIGN).arg_true().to_list():
        is_of_groups = row > 0 and GROUP.search(contents[row])
        header = header_of(contents[row], contents[row - 1] if is_of_groups else "")
        if header is not None and header.ignored is None:
            return row + 1, header
    return None


def _format(name: str, title: str, file_names: tuple[str, ...], hints: tuple[Hint, ...]) -> Format:
    return Format(
        name=name,
        title=title,
        tables=REPORT_TABLES,
        recognise=partial(recognise, tool=name),
        parse=parse,
        boundary=BOUNDARY,
        file_names=file_names,
        role="measurement",
        unwraps=True,
        needs=NEEDS,
        reports=REPORTS,
        hints=hints,
    )


IOSTAT_HINTS = (
    Hint(
        r"^\s*(?:Device:?\s+(?:tps|rrqm|r/s)|avg-cpu:\s|Disks:\s+% ?tm_act|(?:device\s+)?r/s\s+w/s\s+kr/s)"
        r"|^\s*(?:extended device statistics|tin tout|tty:\s+tin)",
        "an iostat report",
    ),
    Hint(r"^System [Cc]onfiguration: lcpu", "a report of iostat or vmstat on AIX", is_vague=True),
)
VMSTAT_HINTS = (Hint(r"^\s*(?:procs\s+-+memory|r\s+b\s+swpd\s+free|kthr\s+memory)", "a vmstat report"),)
SAR_HINTS = (
    Hint(
        r"^(?:Linux|SunOS|AIX|HP-UX) \S+.*[0-9]{2}[/-][0-9]{2}[/-][0-9]{2,4}",
        "a report of sar, iostat or a like tool",
        is_vague=True,
    ),
)
FORMATS = (
    _format("iostat", "iostat", ("*iostat*",), IOSTAT_HINTS),
    _format("vmstat", "vmstat", ("*vmstat*",), VMSTAT_HINTS),
    _format("sar", "sar, mpstat", ("sar*", "*.sar", "mpstat*"), SAR_HINTS),
)
