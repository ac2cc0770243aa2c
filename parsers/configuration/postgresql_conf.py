"""Configuration of PostgreSQL (postgresql.conf, postgresql.auto.conf).

Written by  people, initdb and ALTER SYSTEM; read by postgres
One row     per parameter that is set, in scope postgresql.conf; quotes are taken off. Where one is set twice, the last
            holds, and both are kept. What is commented out holds a default and is a comment
Secrets     passwords, also inside connection strings
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

# REAL: shared_buffers = 128MB                  # min 128kB
SETTING = re.compile(
    r"^\s*(?P<name>[A-Za-z_][\w.]*)(?:\s*=\s*|\s+)(?:'(?P<quoted>(?:[^']|'')*)'|(?P<plain>[^\s'#=][^\s'#]*))\s*(?:#.*)?$"
)
KNOWN = (
    r"^\s*#?(?:shared_buffers|max_connections|listen_addresses|wal_level|max_wal_size|checkpoint_timeout|work_mem"
    r"|checkpoint_completion_target|effective_cache_size|synchronous_commit|maintenance_work_mem|max_wal_senders"
    r"|wal_buffers|hot_standby|synchronous_standby_names|primary_conninfo|dynamic_shared_memory_type|lc_messages"
    r"|log_line_prefix|log_timezone|default_text_search_config|autovacuum)\s*=?\s*\S"
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file of settings, two of which only PostgreSQL has; a script that writes such a file is none."""
    if len(head) and str(head[0]).startswith("#!"):
        return Refusal("a script: its first line names an interpreter", 1)
    given = head.str.contains(r"^\s*[^#\s]")
    shaped = head.str.contains(r"^\s*[A-Za-z_][\w.]*(?:\s*=\s*|\s+)\S")
    known = head.str.contains(KNOWN)
    if known.sum() >= 2 and 5 * (given & shaped).sum() >= 4 * given.sum():
        return Recognition(0.9, "parameters of PostgreSQL", (known.arg_max() or 0) + 1)
    return Refusal("not two parameters of PostgreSQL", ((given & ~known).arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    for text in texts:
        setting = SETTING.match(text) if len(text) < 4096 else None
        if text.lstrip().startswith("#"):
            yield COMMENT
        elif setting:
            name = setting["name"].lower()
            value = setting["plain"] if setting["quoted"] is None else setting["quoted"].replace("''", "'")
            yield parsed({"scope": "postgresql.conf", "name": name, "value": masked(name, value)})
        else:
            yield rejected("no parameter with a value")


FORMAT = settings_format(
    "postgresql_conf", "PostgreSQL configuration", "postgresql*.conf*", recognise=recognise, read=read, needs=KNOWN
)
