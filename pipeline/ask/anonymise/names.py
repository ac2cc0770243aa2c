"""What a study names: hosts, users, databases, addresses, domains and private folders.

Two things are asked. The store knows what the parsers read as a host, a user or a database. The text of the logs has
the rest at places that only a name takes: behind `user=`, below `/home`, in the form of an address.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import duckdb

from pipeline.store.store import literal, quoted


class Kind(StrEnum):
    """What a name is of."""

    HOST = "host"
    USER = "user"
    DATABASE = "database"
    DOMAIN = "domain"
    FOLDER = "folder"
    IPV4 = "IPv4 address"
    IPV6 = "IPv6 address"
    MAC = "MAC address"
    EMAIL = "e-mail address"


COLUMNS: Final = {
    Kind.HOST: (
        "host",
        "hostname",
        "local_host",
        "remote_host",
        "own_host",
        "primary_host",
        "standby_host",
        "node",
        "lost_node",
        "surviving_node",
        "peer",
    ),
    Kind.USER: ("authid", "user_name", "owner", "instance"),
    Kind.DATABASE: ("database",),
}
"""Columns of a store whose values are names."""

WORDS: Final = {
    name: frozenset(listed.split())
    for name, listed in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8")).items()
}

USERS: Final = re.compile(
    r"""(?ix)
    (?: \b(?:user|username|uname|login|logname|ruser|authid|acct)[ \t]*[=:][ \t]*["']?
      | \bfor\ (?:invalid\ )?user\ | \b(?:password|publickey|keyboard-interactive/pam)\ for\ (?:invalid\ user\ )?
      | \bsession\ (?:opened|closed)\ for\ user\ | \bsu:\ \(to\ | /(?:home|export/home|Users)/ )
    ([a-z_][\w.-]*[\w])
    """
)
CRON: Final = re.compile(r"\(([a-z_][\w-]*)\) CMD\b")
DATABASES: Final = re.compile(
    r"""(?ix)
    (?: \bdatabase[ \t]*[=:][ \t]*["']? | \bdatabase\ "  | \bdbname[ \t]*=[ \t]*["']? | \bdatabase\ name[ \t]*=[ \t]* )
    ([a-z_][\w$-]*)
    """
)
# DB2 writes a port and a time behind an address
IPV4: Final = re.compile(
    r"(?<![\w.-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-])"
)  # DB2 writes a port and a time behind it
IPV6: Final = re.compile(
    r"(?<![\w:.])(?:(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|fe80::[0-9A-Fa-f:]+|f[cd][0-9A-Fa-f]{2}:[0-9A-Fa-f:]*::?"
    r"[0-9A-Fa-f:]+|2[0-9A-Fa-f]{3}:[0-9A-Fa-f:]*::?[0-9A-Fa-f:]*)(?![\w:])"
)
MAC: Final = re.compile(r"(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])")
EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?![\w-])")
UNIT: Final = re.compile(r"\.(?:service|socket|target|timer|mount|slice|scope|device|path)$")
PATH: Final = re.compile(r"(?<![\w.:/@-])/(?:[\w.+-]+/)+[\w.+-]*")
QUALIFIED: Final = re.compile(r"(?<![\w.-])([A-Za-z0-9][\w-]*)\.((?:[A-Za-z0-9-]+\.)*[A-Za-z][A-Za-z0-9-]+)(?![\w-])")
FILE_ENDING: Final = re.compile(
    r"(?i)(?:^|\.)(?:\d+|bz2|cf|cfg|cib|conf|cpp|csv|db|err|exe|gz|ini|[ch]|java|json|ko|log|out|php|pid|pl|prom|py|"
    r"raw|rb|rules|sh|so|sock|sql|state|tar|tmp|toml|trc|txt|xml|xz|ya?ml|zip|zst)$"
)
CANDIDATE: Final = re.compile(
    r"""(?ix) \b(?:host|hostname|node|server|user|username|database|dbname|domain|owner|client|peer|sender|member)
    [ \t]*[=:][ \t]*["']? ([a-z][\w.-]*[\w]) """
)
GROUPS: Final = 224
BROADCAST: Final = 255


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is written. Of hosts, users and databases upper and lower case are one."""

    kind: Kind
    text: str

    @property
    def key(self) -> str:
        """The same for every spelling of a name."""
        return self.text.casefold()


def names_in_store(con: duckdb.DuckDBPyConnection) -> Iterator[Name]:
    """Names that the parsers read, short names of hosts and not the domains behind them."""
    for kind, columns in COLUMNS.items():
        listed = ", ".join(literal(each) for each in columns)
        places = con.execute(
            "select schema_name, table_name, column_name from duckdb_columns() semi join duckdb_tables() "
            "using (database_name, schema_name, table_name) where database_name = current_database() "
            f"and data_type = 'VARCHAR' and column_name in ({listed}) order by all"
        ).fetchall()
        for schema, table, column in places:
            place = f"{quoted(schema)}.{quoted(table)}"
            for (text,) in con.execute(f"select distinct {quoted(column)} from {place}").fetchall():
                yield from _names(kind, text)


def names_in_text(text: str, hosts: frozenset[str]) -> Iterator[Name]:
    """Names at places that only a name takes. `hosts`: keys of those known, whose domains are looked for."""
    for kind, pattern in ((Kind.USER, USERS), (Kind.USER, CRON), (Kind.DATABASE, DATABASES)):
        for match in pattern.finditer(text):
            yield from _names(kind, match[1])
    for kind, pattern in ((Kind.IPV4, IPV4), (Kind.IPV6, IPV6), (Kind.MAC, MAC), (Kind.EMAIL, EMAIL)):
        yield from (Name(kind, match[0]) for match in pattern.finditer(text) if not _is_else(kind, match[0]))
    for match in QUALIFIED.finditer(text):
        if match[1].casefold() in hosts and not (FILE_ENDING.search(match[2]) or UNIT.search(match[0])):
            yield Name(Kind.DOMAIN, match[2])
    for match in PATH.finditer(text):
        yield from (Name(Kind.FOLDER, each) for each in private_parts(match[0]))


def candidates(text: str, known: frozenset[str]) -> Counter[str]:
    """Words that stand where names do, and are none of the known ones: to be looked at by a person."""
    known |= WORDS["users"] | WORDS["databases"]
    found = (match[1] for match in CANDIDATE.finditer(text))
    return Counter(each for each in found if each.casefold().split(".")[0] not in known and not _is_ordinary(each))


def _is_else(kind: Kind, text: str) -> bool:
    """Whether what has the form of an address is none of a machine: a netmask, loopback, group or unit of systemd."""
    if kind is not Kind.IPV4:
        return kind is Kind.EMAIL and UNIT.search(text) is not None
    first, *_, last = (int(each) for each in text.split("."))
    return first in {0, 127} or first >= GROUPS or last == BROADCAST or text.endswith(".0.0.0")


def _names(kind: Kind, text: str | None) -> Iterator[Name]:
    if text is None:
        return
    name = text.strip()
    if kind is Kind.HOST:
        host, _, domain = name.partition(".")
        if domain and not IPV4.fullmatch(name) and not FILE_ENDING.search(domain):
            yield Name(Kind.DOMAIN, domain)
        name = host if not IPV4.fullmatch(name) else ""
    kept = {Kind.USER: WORDS["users"], Kind.DATABASE: WORDS["databases"]}.get(kind, frozenset())
    if re.fullmatch(r"[^\W\d](?:[\w.$-]*\w)?", name) and name.casefold() not in kept and not _is_ordinary(name):
        yield Name(kind, name)


def _is_ordinary(word: str) -> bool:
    return len(word) < 2 or word.casefold() in WORDS["ordinary"]


def private_parts(path: str) -> list[str]:
    """The folders of a path below one that is not the system's; the file itself is none."""
    first, *rest = path.strip("/").split("/")
    if first in WORDS["folders"] | {"home", "Users"}:
        return []
    folders = rest if path.endswith("/") else rest[:-1]
    return [each for each in folders if re.search(r"[^\W\d]", each) and each != "home" and not _is_ordinary(each)]
