"""Patroni's configuration (patroni.yml, `patronictl show-config`, the part of an operator's manifest).

Written by  people; read by patroni. The coordinator was given `bootstrap.dcs` at first, and may hold other values now
One row     per plain value, in scope patroni.yml, named by the keys around it: `bootstrap.dcs.ttl`
Units       ttl, loop_wait and retry_timeout are in seconds: 30, 10 and 10 where they are not given
Secrets     passwords are masked; lists, texts and what is in braces are not kept
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, ignored, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

TIMER = r"^\s*(?:loop_wait|ttl|retry_timeout|maximum_lag_on_failover)\s*:\s*[0-9]"
PAIR = re.compile(r"^(?P<indent> *+)(?P<name>[A-Za-z_][\w.-]{0,99})\s*+:(?:\s++(?P<value>\S.*))?$")
PLAIN = re.compile(r"'[^']*+'|\"[^\"]*+\"|[^\s'\"#{\[&*!|>%@`][^#]*+")
ENTRY = re.compile(r"^\s*(?:-|[}\]]|---$)")
MAX_DEPTH = 20


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with two of Patroni's timers."""
    timer = head.str.contains(TIMER)
    if timer.sum() >= 2:
        return Recognition(0.95, "timers of Patroni", (timer.arg_max() or 0) + 1)
    return Refusal("not two timers of Patroni", 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    keys: list[tuple[int, str]] = []
    for text in texts:
        pair = PAIR.match(text) if len(text) < 4096 else None
        if text.lstrip().startswith("#"):
            yield COMMENT
        elif pair:
            indent, name, value = len(pair["indent"]), pair["name"], pair["value"]
            keys = [each for each in keys if each[0] < indent][:MAX_DEPTH]
            path = ".".join([*(key for _, key in keys), name])
            keys.append((indent, name))
            plain = PLAIN.match(value) if value else None
            if plain:
                known = masked(name, plain[0].strip().strip("'\""))
                yield parsed({"scope": "patroni.yml", "name": path, "value": known})
            else:
                yield ignored("no plain value")
        else:
            yield ignored("entry of a list") if ENTRY.match(text) else rejected("neither a key nor an entry of a list")


FORMAT = settings_format(
    "patroni_yml", "Patroni configuration", "patroni*.y*ml", recognise=recognise, read=read, needs=TIMER
)
