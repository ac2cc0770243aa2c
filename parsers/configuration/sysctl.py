"""Kernel parameters: what `sysctl -a` prints, and /etc/sysctl.conf.

Written by  sysctl, and people
One row     per parameter, in scope sysctl; blanks within a value are one
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, ignored, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

# REAL: fs.dentry-state = 367134	365536	45	0	117379	0        net/ipv4/conf/eth0.100/forwarding = 1
SETTING = re.compile(r"^\s*-?(?P<name>[a-z][\w-]*(?:[./][\w:*@-]+)+)\s*=(?P<value>.*)$")
ROOT = r"^\s*-?(?:abi|crypto|debug|dev|fs|kernel|net|sunrpc|user|vm|hw|kern)[./][\w.:*/@-]+\s*="
MESSAGE = re.compile(r"^sysctl: ")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of parameters of the kernel."""
    given = head.str.contains(r"^\s*[^#;\s]") & ~head.str.contains(MESSAGE.pattern)
    known = head.str.contains(ROOT)
    if known.any() and 5 * known.sum() >= 4 * given.sum():
        return Recognition(0.9, "parameters of the kernel", (known.arg_max() or 0) + 1)
    return Refusal("not made of parameters of the kernel", ((given & ~known).arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    for text in texts:
        setting = SETTING.match(text) if len(text) < 4096 else None
        if text.lstrip().startswith(("#", ";")):
            yield COMMENT
        elif setting:
            name = setting["name"]
            value = masked(name, " ".join(setting["value"].split()))
            yield parsed({"scope": "sysctl", "name": name, "value": value})
        elif MESSAGE.match(text):
            yield ignored("message of sysctl")
        else:
            yield rejected("no parameter of the kernel with a value")


FORMAT = settings_format("sysctl", "Kernel parameters", "*sysctl*", recognise=recognise, read=read, needs=ROOT)
