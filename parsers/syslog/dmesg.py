"""Kernel messages as `dmesg` prints them, and captures of a serial console.

Written by   the kernel
One row      per message
Time         `[335791.633014]`: seconds since the boot, and no date: such rows are undated (`uptime_s`, no `stamp`)
             until an anchor of the same boot dates them, a line with both clocks. `dmesg -T` prints a date instead:
             `[Fri Nov  8 17:41:18 2019]`, computed from the uptime and off by any step of the clock since the boot
Heads        also `<6>[    0.000000]` (dmesg -r), `kern  :info  : [    0.000000]` (dmesg -x), `[    0.000000][    T0]`
Bare         text of DRBD, LLT, GAB, VxVM and vxfen without time and host, as posters of excerpts leave it: undated rows
Rejected     lines without any of these: the poster of an excerpt or another program wrote them
"""

from functools import partial

import polars as pl

from parsers.format import Format, Hint, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import COMMON, boundary_of
from parsers.syslog.recognition import claim, sniff

OWN = ("uptime", "ctime", "bare")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of lines with the kernel's uptime in front or the date that dmesg makes of it, or bare ones."""
    return claim(sniff(head), "kernel messages with no clock but the uptime, if any", *OWN)


FORMAT = Format(
    name="dmesg",
    title="Kernel messages of dmesg",
    tables=TABLES,
    recognise=recognise,
    parse=partial(parse, framings=(*COMMON, "bare")),
    boundary=boundary_of(*OWN),
    file_names=("dmesg*",),
    needs=r"\[ *[0-9]{1,9}\.[0-9]{3,9}|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]|drbd|V-[0-9]"
    r"|^\[\S{1,8} \S{1,9} +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}\]",
    hints=(Hint(r"^\[\s*[0-9]+\.[0-9]{6}\] ", "kernel messages with seconds since boot (dmesg)"),),
)
