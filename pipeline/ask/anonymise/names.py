"""What a study names: hosts, users, databases, organisations, addresses, domains and private folders.

The store knows what the parsers read as a host, a user or a database. The text of the logs has the rest, at places that
only a name takes (`places`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from itertools import pairwise, takewhile
from typing import Final

import duckdb

from parsers import secret
from pipeline.ask.anonymise.places import Kind, Place, is_system_name
from pipeline.ask.anonymise.vocabulary import WORD, WORDS, is_known, message_words, template_words, unknown_words
from pipeline.store.store import literal, quoted

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
    Kind.WORD: ("resource", "group"),
}
"""Columns of a store whose values are names, or have words in them that somebody chose."""

UNIT: Final = re.compile(r"\.(?:service|socket|target|timer|mount|slice|scope|device|path)$")
FILE_ENDING: Final = re.compile(
    r"(?i)(?:^|\.)(?:[0-9]+|bz2|cf|cfg|cib|conf|cpp|csv|db|err|exe|gz|ini|[ch]|java|json|ko|log|out|php|pid|pl|prom|py|"
    r"raw|rb|rules|sh|so|sock|sql|state|tar|tmp|toml|trc|txt|xml|xz|ya?ml|zip|zst)$"
)
HOMES: Final = frozenset({"home", "Users"})
LEAST_SECRET: Final = 5
"""Characters of a plain word that is replaced as a secret also where no key announces it."""
LEAST_NUMBER: Final = 6
LEAST_WORD: Final = 4
"""Letters of a word that no template knows."""
GROUPS: Final = 224
BROADCAST: Final = 255
IBAN: Final = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9 ]+")
MEMBER: Final = re.compile("(?=.*[0-9])[0-9a-f]{12,16}")
"""The number that etcd gives a member: it names nobody, and rules read it."""
DASHED: Final = re.compile(r"[0-9]{1,3}(?:-[0-9]{1,3}){3}")
LEAST_STEM: Final = 5
IPV6_BEGIN: Final = re.compile("(?i)f[cde][0-9a-f]{2}")
GLOBAL_IPV6: Final = re.compile(r"(?i)[23f]|64:ff9b|::ffff:")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is written. Of hosts, users and databases upper and lower case are one.

    `is_everywhere`: is replaced wherever it stands; else it is also a word of templates, and is replaced at its places.
    """

    kind: Kind
    text: str
    is_everywhere: bool = True

    @property
    def key(self) -> str:
        """The same for every spelling of a name."""
        return address_key(self.kind, self.text)


SECRET: Final = Name(Kind.SECRET, "(any password)")
"""Stands for all of them: none is kept, in no table."""


def address_key(kind: Kind, text: str) -> str:
    """The same for every spelling of a name of this kind."""
    if kind is Kind.MAC:
        return re.sub(r"[:.-]", "", text).casefold()
    return IPv6Address(text).compressed if kind is Kind.IPV6 else text.casefold()


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
                yield from _words_of(kind, text)


def names_at(place: Place, text: str) -> Iterator[Name]:
    """The names that a text at a place has."""
    kind = place.kind
    if kind is Kind.SECRET:
        yield SECRET
    elif kind is Kind.FOLDER:
        yield from (Name(kind, each) for each in private_parts(text))
    elif kind in {Kind.IPV4, Kind.IPV6, Kind.MAC, Kind.EMAIL}:
        if not _is_else(kind, text):
            yield Name(kind, text)
            if kind is Kind.EMAIL:
                yield Name(Kind.DOMAIN, text.partition("@")[2])
                yield from (Name(Kind.USER, each) for each in unknown_words(text.partition("@")[0]))
    elif kind is Kind.NUMBER:
        yield from _numbers(text)
    elif kind is Kind.DOMAIN:
        yield from _qualified_names(text)
    else:
        yield from _announced(kind, text, is_sure=place.is_sure)


def _announced(kind: Kind, text: str, *, is_sure: bool) -> Iterator[Name]:
    """Names that a place announces; of words that templates know, only where the place is sure."""
    for piece in re.split(r"[\s\\/]+" if kind is not Kind.HOST else r"\s+", text):
        if kind is Kind.HOST and (FILE_ENDING.search(piece) or UNIT.search(piece) or IPV6_BEGIN.fullmatch(piece)):
            continue
        for name in _words_of(kind, piece.strip(".-$%*")):
            if name.kind in {Kind.DOMAIN, Kind.WORD} or unknown_words(name.text):
                yield name
            elif is_sure:
                is_message = message_words().issuperset(map(str.casefold, WORD.findall(name.text)))
                yield Name(name.kind, name.text, is_everywhere=not is_message)


def _qualified_names(text: str) -> Iterator[Name]:
    """The labels of a full name that no template knows, where its last one is that of a domain."""
    first, *labels = text.split(".")
    if labels[-1].casefold() in WORDS["endings"] and not UNIT.search(text):
        yield from (Name(Kind.HOST, first) for _ in unknown_words(first)[:1])
        yield from (Name(Kind.ORGANISATION, each) for each in labels[:-1] if unknown_words(each))


def _numbers(text: str) -> Iterator[Name]:
    if DASHED.fullmatch(text):
        yield from (
            Name(Kind.IPV4, address) for address in [text.replace("-", ".")] if not _is_else(Kind.IPV4, address)
        )
    elif not IBAN.fullmatch(text) or _is_iban(text):
        yield Name(Kind.NUMBER, text, is_everywhere=len(text) >= LEAST_NUMBER)


def _is_iban(text: str) -> bool:
    """Whether its check digits are right, or it has letters that no hexadecimal number has."""
    plain = text.replace(" ", "")
    digits = "".join(str(int(each, 36)) for each in plain[4:] + plain[:4])
    return int(digits) % 97 == 1 or re.search("[G-Z]", plain) is not None


def secrets_at(text: str) -> Iterator[str]:
    """Secrets of a place that are no word of the logs, and so are replaced wherever they stand."""
    for each in text.strip().splitlines():
        value = each.strip(" \t\"'")
        if secret.looks_secret(value) or (len(value) >= LEAST_SECRET and value.casefold() not in template_words()):
            yield value


def qualified(text: str) -> tuple[str, str] | None:
    """What has the form of a machine's full name, as the name and the domain behind it."""
    host, _, domain = text.partition(".")
    return (host, domain) if _is_domain(domain) and not UNIT.search(text) else None


def _is_domain(text: str) -> bool:
    """Return whether it may be a domain: no ending of a file, no column, no word of the logs as in `proxy.write`."""
    return not FILE_ENDING.search(text) and "_" not in text and ("." in text or not is_known(text))


def domains_of(hosts: frozenset[str], names: Iterable[tuple[str, str]]) -> Iterator[Name]:
    """The domains of known machines, by their full names in the text. `hosts`: keys of these machines."""
    return (Name(Kind.DOMAIN, domain) for host, domain in names if host.casefold() in hosts)


def neighbours(names: Iterable[tuple[str, str]], domains: frozenset[str]) -> Iterator[Name]:
    """Machines of known domains that only the text names, as `ldap-3.corp.example`.

    A name without a digit or a hyphen may be any word of the logs, as `etcd`, and stays.
    """
    for host, domain in names:
        if domain.casefold() in domains and re.search(r"[^\W0-9]", host) and re.search(r"[0-9-]", host):
            yield Name(Kind.HOST, host)


def organisations(domains: Iterable[str]) -> frozenset[str]:
    """The part of a domain that says whose it is: `acme` of db.acme.example."""
    found = set()
    for domain in domains:
        *labels, _top = domain.casefold().split(".")
        found.update([each for each in labels if each not in WORDS["domains"]][-1:])
    return frozenset(each for each in found if not is_system_name(Kind.ORGANISATION, each))


def stems(names: Iterable[Name]) -> frozenset[str]:
    """The words in names of hosts and organisations that say whose they are: `zephyr` of zephyr-db1.

    So does what two of these words begin with: `quoll` of quollprod and quolltest.
    """
    own = (each for each in names if each.kind in {Kind.HOST, Kind.ORGANISATION} and each.is_everywhere)
    words = sorted({word.casefold() for each in own for word in WORD.findall(each.text)})
    shared = {_common_beginning(*pair) for pair in pairwise(words)}
    return frozenset(
        each
        for each in (*words, *(each for each in shared if len(each) >= LEAST_STEM))
        if len(each) >= LEAST_STEM and not is_known(each)
    )


def _common_beginning(first: str, second: str) -> str:
    return "".join(one for one, _ in takewhile(lambda each: each[0] == each[1], zip(first, second, strict=False)))


def families(names: Iterable[Name]) -> frozenset[str]:
    """What several hosts begin with, as `sun` of sun-ha3 and sun-ha4: a number behind it makes another of them."""
    hosts = {each.key for each in names if each.kind is Kind.HOST}
    firsts = [each.partition("-")[0] for each in sorted(hosts) if "-" in each]
    return frozenset(
        each for each in firsts if firsts.count(each) > 1 and each.isalpha() and not is_system_name(Kind.USER, each)
    )


def _is_else(kind: Kind, text: str) -> bool:
    """Whether what has the form of an address is none of a machine: a netmask, loopback, group or unit of systemd."""
    if kind is Kind.EMAIL:
        return UNIT.search(text) is not None
    if kind is Kind.MAC:
        return not re.search("[1-9A-Ea-e]", text)
    try:
        if kind is Kind.IPV6:
            return not GLOBAL_IPV6.match(text) or IPv6Address(text).is_multicast
        IPv4Address(text)
    except AddressValueError:
        return True
    first, *_, last = (int(each) for each in text.split("."))
    return first in {0, 127} or first >= GROUPS or last == BROADCAST or text.endswith(".0.0.0")


def _words_of(kind: Kind, text: str | None) -> Iterator[Name]:
    if text is None:
        return
    if kind is Kind.WORD:
        yield from (Name(kind, each) for each in unknown_words(text) if len(each) >= LEAST_WORD)
        return
    name = text.strip()
    if kind is Kind.HOST and MEMBER.fullmatch(name):
        return
    if kind is Kind.HOST:
        host, _, domain = name.partition(".")
        is_address = re.fullmatch(r"[0-9.]+", name) is not None
        if domain and domain.casefold() not in WORDS["domains"] and not is_address and _is_domain(domain):
            yield Name(Kind.DOMAIN, domain)
        name = host if not is_address else ""
    if re.fullmatch(r"[^\W0-9](?:[\w.$-]*\w)?", name) and not is_system_name(kind, name):
        yield Name(kind, name)


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
    return [each for each in folders if re.search(r"[^\W0-9]", each) and not is_system_name(Kind.FOLDER, each)]
