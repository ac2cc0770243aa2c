"""What a study names: hosts, users, databases, addresses, domains and private folders.

Two things are asked. The store knows what the parsers read as a host, a user or a database. The text of the logs has
the rest at places that only a name takes: behind `user=`, below `/home`, in the form of an address.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import duckdb

from parsers import secret
from pipeline.ask.anonymise.vocabulary import template_words
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
    SECRET = "password"  # noqa: S105  the kind, not one


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
      | \bsession\ (?:opened|closed)\ for\ user\ | \bsu:\ \(to\ | /(?:home|export/home|Users)/
      | [a-z]://(?=[^\s/@]{1,200}@) )
    ([a-z_][\w.-]*[\w])
    """
)
CRON: Final = re.compile(r"\(([a-z_][\w-]*)\) CMD\b")
DATABASES: Final = re.compile(
    r"""(?ix)
    (?: \bdatabase[ \t]*[=:][ \t]*["']? | \bdatabase\ "  | \b(?:db|db_?name)[ \t]*=[ \t]*["']?
      | \bdatabase\ name[ \t]*=[ \t]*
      | \b(?:db2|postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|sqlserver)://[^\s/"'<>]{1,300}/ )
    ([a-z_][\w$-]*)
    """
)
# DB2 writes a port and a time behind an address
IPV4: Final = re.compile(r"(?<![\w.-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-])")
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
HOMES: Final = frozenset({"home", "Users"})
LEAST_SECRET: Final = 5
"""Characters of a plain word that is replaced as a secret also where no key announces it."""
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


SECRET: Final = Name(Kind.SECRET, "(any password)")
"""Stands for all of them: none is kept, in no table."""


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


def names_in_text(text: str) -> Iterator[Name]:
    """Names at places that only a name takes."""
    if secret.secret_spans(text):
        yield SECRET
        text = secret.with_secrets(text, lambda _: "")
    for kind, pattern in ((Kind.USER, USERS), (Kind.USER, CRON), (Kind.DATABASE, DATABASES)):
        for match in pattern.finditer(text):
            yield from _names(kind, match[1])
    for kind, pattern in ((Kind.IPV4, IPV4), (Kind.IPV6, IPV6), (Kind.MAC, MAC), (Kind.EMAIL, EMAIL)):
        for match in pattern.finditer(text):
            if not _is_else(kind, match[0]):
                yield Name(kind, match[0])
                if kind is Kind.EMAIL:
                    yield Name(Kind.DOMAIN, match[0].partition("@")[2])
    for match in PATH.finditer(text):
        yield from (Name(Kind.FOLDER, each) for each in private_parts(match[0]))


def secrets_in_text(text: str) -> Iterator[str]:
    """Secrets that are no word of the logs, and so are replaced wherever they stand."""
    for start, end in secret.secret_spans(text):
        for each in text[start:end].strip().splitlines():
            value = each.strip(" \t\"'")
            if secret.looks_secret(value) or (len(value) >= LEAST_SECRET and value.casefold() not in template_words()):
                yield value


def qualified(text: str) -> Iterator[tuple[str, str]]:
    """What has the form of a machine's full name, as the name and the domain behind it."""
    for match in QUALIFIED.finditer(text):
        if not (FILE_ENDING.search(match[2]) or UNIT.search(match[0])):
            yield match[1], match[2]


def domains_of(hosts: frozenset[str], names: Iterable[tuple[str, str]]) -> Iterator[Name]:
    """The domains of known machines, by their full names in the text. `hosts`: keys of these machines."""
    return (Name(Kind.DOMAIN, domain) for host, domain in names if host.casefold() in hosts)


def neighbours(names: Iterable[tuple[str, str]], domains: frozenset[str]) -> Iterator[Name]:
    """Machines of known domains that only the text names, as `ldap-3.corp.example`.

    A name without a digit or a hyphen may be any word of the logs, as `etcd`, and stays.
    """
    for host, domain in names:
        if domain.casefold() in domains and re.search(r"[^\W\d]", host) and re.search(r"[\d-]", host):
            yield Name(Kind.HOST, host)


def organisations(domains: Iterable[str]) -> frozenset[str]:
    """The part of a domain that says whose it is: `acme` of db.acme.example."""
    found = set()
    for domain in domains:
        *labels, _top = domain.casefold().split(".")
        found.update([each for each in labels if each not in WORDS["domains"]][-1:])
    return frozenset(each for each in found if not _is_ordinary(each))


def candidates(text: str, known: frozenset[str], owners: frozenset[str] = frozenset()) -> Counter[str]:
    """Words that stand where names do, and are none of the known ones: to be looked at by a person.

    `owners`: words that say whose the study is, wherever they stand, also within a word.
    """
    known |= WORDS["users"] | WORDS["databases"]
    found = (match[1] for match in CANDIDATE.finditer(text))
    looks = Counter(each for each in found if each.casefold().split(".")[0] not in known and not _is_ordinary(each))
    if owners:
        listed = "|".join(re.sub(r"[-_]", "[-_ ]?", re.escape(each).replace("\\-", "-")) for each in sorted(owners))
        looks.update(re.findall(rf"(?i)[\w-]*(?:{listed})[\w-]*", text))
    return looks


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
    """The folders of a path below one that is not the system's; the file itself is none.

    Of a home folder, what lies below it: its own name is its user's.
    """
    first, *rest = path.strip("/").split("/")
    if first in HOMES:
        rest = rest[1:]
    elif first in WORDS["folders"]:
        return []
    is_folder = path.endswith("/") or (first in HOMES and "." not in path.rpartition("/")[2])
    folders = (each for each in (rest if is_folder else rest[:-1]) if each != "home" and not each.startswith("."))
    return [each for each in folders if re.search(r"[^\W\d]", each) and not _is_ordinary(each)]
