"""Places in a line where only a name or a secret stands: behind `user=`, before `@`, below `/home`, in an address.

Lines that differ in digits alone have the same places: each form of a line is looked at once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from parsers import secret
from pipeline.ask.anonymise.vocabulary import WORDS, unknown_words


class Kind(StrEnum):
    """What a name is of."""

    HOST = "host"
    USER = "user"
    DATABASE = "database"
    ORGANISATION = "organisation"
    WORD = "word"
    DOMAIN = "domain"
    FOLDER = "folder"
    IPV4 = "IPv4 address"
    IPV6 = "IPv6 address"
    MAC = "MAC address"
    EMAIL = "e-mail address"
    NUMBER = "number"
    SECRET = "password"  # noqa: S105  the kind, not one


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands. `is_sure`: the place is enough, also for a word that templates know."""

    start: int
    end: int
    kind: Kind
    is_sure: bool = True


PRIVATE_KEY: Final = "PRIVATE KEY-----"
NAME: Final = r"(?P<x>[^\W0-9][\w.-]*\w)"
PIECE: Final = r"(?P<x>[^\W0-9][\w.$-]*)"
HOST: Final = r"(?=[\w.-]*[0-9-])" + NAME
"""At places where any word of the logs may stand: `from do_te_invoke` names no host."""

FULL_NAME: Final = r"(?P<x>[^\W0-9][\w.-]*(?:[ ][^\W0-9][\w.-]*){1,3})"

KEY_END: Final = r"""\\{0,3}["']?(?:=>|[=:])\\{0,3}["']?"""
"""Between a key and its value, where nothing else than a value follows."""
PROSE_END: Final = r"""\\{0,3}["']?[ \t]*(?:=>|[=:])[ \t]*\\{0,3}["']?"""

HOST_KEYS: Final = (
    r"(?:[a-z]+[_-])?(?:host(?:_?name)?|fqdn|server(?:_?name)?|computer(?:_?name)?|workstation|machine|node(?:_?name)?"
    r"|peer|rhost|(?:client|remote|local|source|target|primary|standby|master|relay|upstream)(?:_?(?:host|node|name))?)"
)
USER_KEYS: Final = (
    r"(?:[a-z]+[_-])?(?:user(?:[_ ]?(?:name|id))?|uname|login|logname|ruser|authid|acct|account(?:_?name)?|principal"
    r"|owner|operator|author|created_?by|modified_?by|run_?as|usr|uid|sender|contact|requested_?by|full_?name"
    r"|display_?name|given_?name|sur_?name|first_?name|last_?name|engineer|technician|admin(?:istrator)?|manager)"
)
DATABASE_KEYS: Final = (
    r"(?:database(?:_?name)?|db|db_?name|initial\ catalog|catalog|schema|keyspace|oracle_sid|sid|service_name"
    r"|db_unique_name|instance(?:_?name)?|dsn)"
)
GROUP_KEYS: Final = (
    r"(?:cluster(?:[ _-]?name)?|clustername|organi[sz]ation|company|customer|tenant|realm|workgroup|scope|namespace"
    r"|bucket|site|department|project)"
)
BEFORE_PEOPLE: Final = (
    r"[Ff]rom|[Tt]o|[Cc]c|[Aa]uthor|[Cc]ontact|[Oo]wner|[Mm]aintainer|[Aa]dmin|[Oo]perator|[Cc]all(?:er)?|[Oo]n-?call"
    r"|[Ee]ngineer|[Nn]ame|[Bb]y|[Aa]sk|[Mm]r|[Mm]rs|[Mm]s|[Dd]r"
)
REMOTE_COMMANDS: Final = "nc|ncat|ssh|scp|sftp|rsync|ping6?|telnet|dig|nslookup|traceroute|rsh|rlogin"
BEFORE_HOSTS: Final = (
    r"from|host|node|server|peer|system|machine|workstation|computer|client"
    r"|(?:connect(?:ion|ed|ing)?|connections|request|login|ping|reply|route|link)[ ](?:to|with|of|at)"
)
SERVICES: Final = r"db2|postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|sqlserver"
TELEPHONES: Final = "tel|phone|mobile|cell|fax|call|pager|sms"
CLOUD_THINGS: Final = "i|vol|vpc|subnet|sg|ami|eni|snap|igw|rtb|eipalloc|acl|nat|lt|fs|tgw|pcx|vgw"
BYTE: Final = "[0-9A-Fa-f]{2}"
SYSTEM_USERS: Final = r"(?:invalid[ ]user[ ]|illegal[ ]user[ ]|user[ ])?"


def _keyed(keys: str, before: str = "") -> tuple[tuple[str, bool], ...]:
    return (
        (rf"(?i)(?<![A-Za-z0-9]){keys}{KEY_END}{before}{NAME}", True),
        (rf"(?i)(?<![A-Za-z0-9]){keys}{PROSE_END}{before}{NAME}", False),
    )


PATTERNS: Final[tuple[tuple[Kind, tuple[tuple[str, bool], ...]], ...]] = (
    (
        Kind.USER,
        (
            *_keyed(USER_KEYS),
            (rf"(?i)(?<![A-Za-z0-9]){USER_KEYS}{PROSE_END}(?<=[\"']){FULL_NAME}(?=\\{{0,3}}[\"'])", False),
            (rf"(?i)\b(?:create|alter|drop)[ ](?:user|role|login)[ ](?:if[ ](?:not[ ])?exists[ ])?{NAME}", True),
            (rf"(?i)\b(?:connect|attach)[ ]to[ ]\S+[ ]user[ ]{NAME}", True),
            (rf"(?i)\b(?:thin:|(?:sqlplus|rman|expdp|impdp)[ ]){NAME}/", True),
            (rf"(?<![\w.-]){NAME}:(?=\*{{8,}}|\$[0-9a-z]{{1,6}}\$)", False),
            (rf"\bkinit[ ](?:-\S+[ ])*{NAME}", False),
            (rf"(?i)\blogged[ ](?:in|on|out)[ ](?:as[ ])?{NAME}", False),
            (rf"(?i)\bfor[ ](?:invalid[ ])?user[ ]{NAME}", True),
            (rf"(?i)\b(?:password|publickey|keyboard-interactive/pam)[ ]for[ ]{SYSTEM_USERS}{NAME}", True),
            (rf"(?i)\b(?:from|by|of|as|to|invalid|illegal|unknown)[ ]user[ ]{NAME}", False),
            (rf"(?i)\bsession[ ](?:opened|closed)[ ]for[ ]user[ ]{NAME}", True),
            (rf"(?i)\bsu:[ ]\(to[ ]{NAME}", True),
            (rf"(?i)\b(?:user|login|account|role|owner|member|grantee)[ ]\\?[\"']{PIECE}\\?[\"']", True),
            (rf"(?i)\buser[ ]{NAME}(?=[ ](?:logged|log|from|on|has|is|was|not|cannot|does|did|at|in)\b)", False),
            (rf"(?i)/(?:home|export/home|Users|var/spool/mail|var/mail)/{NAME}", True),
            (rf"(?i)\b[a-z]:\\{{1,2}}users\\{{1,2}}{NAME}", True),
            (rf"(?i)[a-z]://(?=[^\s/@]{{1,200}}@){NAME}", True),
            (rf"\({NAME}\)[ ]CMD\b", True),
            (rf"\b[ug]id=[0-9]+\({NAME}\)", True),
            (rf"\bby[ ]{NAME}\(uid", True),
            (rf"\bsudo(?:\[[0-9]+\])?:[ \t]+{NAME}[ ]:", True),
            (rf"\bsu[ ]-l?[ ]{NAME}", True),
            (rf"\b(?:useradd|usermod|userdel|passwd|chage)[ ](?:-\S+[ ])*{NAME}", False),
            (rf"(?<!\S)(?:-[uUl][ ]?|--user(?:name)?[ =]){NAME}", False),
            (rf"(?<![\w.%/:-]){NAME}@(?=[^\W0-9][\w-]*(?:[\s:,;)\"'\]]|$))", False),
            (rf"\\?'{PIECE}\\?'@\\?'", True),
            (rf"(?<![\w.:\\])[A-Z][A-Z0-9_-]{{2,14}}\\{{1,2}}{PIECE}", True),
            (rf"(?<![\w.:\\/-])[a-z][a-z0-9_-]{{2,14}}\\{{1,2}}{PIECE}", False),
            (r"(?i)\b(?:uid|sn|givenname|samaccountname|cn)=(?P<x>[^\W0-9][^,+\"')\]\r\n=]*)(?=[,)])", False),
            (
                rf"\b(?:{BEFORE_PEOPLE})[.:=]{{0,2}}[ ]\"?(?P<x>[A-Z][a-z]+(?:[ -][A-Z][a-z.]+){{1,3}})",
                False,
            ),
        ),
    ),
    (
        Kind.HOST,
        (
            *_keyed(HOST_KEYS, "(?:(?:tcp|np|lpc):)?"),
            (rf"(?i)(?<![A-Za-z0-9])ip_?addr(?:ess)?{KEY_END}{NAME}", False),
            (rf"\biqn\.[0-9]{{4}}-[0-9]{{2}}\.[\w.-]+:{NAME}", True),
            (rf"\b(?:fence_\w+|ipmitool|stonith)\b.*?[ ]-[aHi][ ]{NAME}", False),
            (rf"(?<![\w.%-])[\w.%$*-]+@\\?['\"]?{HOST}", False),
            (rf"'@\\?'{NAME}", True),
            (rf"(?i)\b[a-z][a-z0-9+.-]*://(?:[^\s/@\"'<>]*@)?{NAME}", True),
            (rf"(?i)\bthin:@(?://)?{NAME}", True),
            (rf"(?i)\b(?:tcp|unix)\({HOST}", False),
            (rf"(?<![:\w/\\])\\{{2,4}}{NAME}(?=\\)", True),
            (rf"(?<![:\w/])//{HOST}(?=/)", False),
            (rf"(?<![\w/.:-]){NAME}:/(?=\w)", False),
            (rf"(?i)(?<!\S)(?:-h[ =]?|--(?:host(?:name)?|server|node|address)[ =]){NAME}", False),
            (rf"(?i)\b(?:host|nfs|http|https|ldap|postgres|cifs|mssqlsvc)/{NAME}(?=@)", True),
            (rf"(?i)\b(?:{REMOTE_COMMANDS})[ ](?:\S+[ ]){{0,8}}?[\w.-]+@{NAME}", True),
            (rf"(?i)\b(?:{REMOTE_COMMANDS})[ ](?:-\S+[ ])*{HOST}", False),
            (rf"(?i)\b(?:{BEFORE_HOSTS})[ ]\\?[\"']?{HOST}", False),
        ),
    ),
    (
        Kind.DATABASE,
        (
            *_keyed(DATABASE_KEYS),
            (rf"(?i)\bdatabase[ ]\\?[\"']{PIECE}", True),
            (rf"(?i)\bconnect[ ]to[ ]{NAME}(?=[ ]user\b)", True),
            (rf"\b(?:psql|pg_\w+|createdb|dropdb|vacuumdb)[ ](?:\S+[ ]){{0,12}}?(?:-d[ ]?|--dbname[ =]){NAME}", False),
            (rf"@(?://)?[\w.-]+:[0-9]+[:/]{NAME}", False),
            (rf"(?i)\b(?:{SERVICES})://[^\s/\"'<>]{{1,300}}/(?P<x>[a-z_][\w$-]*)", True),
        ),
    ),
    (
        Kind.ORGANISATION,
        (
            *_keyed(GROUP_KEYS),
            (rf"(?m)^[ \t]*cluster[ ]{NAME}[ ]*\(", True),
            (rf"(?<![\w.:\\]){NAME}\\{{1,2}}(?=[^\W0-9])", False),
            (r"(?i)\b(?:ou|o|dc)=(?P<x>[^\W0-9][^,+\"')\]\r\n=]*)", False),
            (r"(?<![\w.-])[\w.-]+/?[\w.-]*@(?P<x>[A-Z][A-Z0-9-]*(?:\.[A-Z0-9-]+)+)", False),
            (rf"\biqn\.[0-9]{{4}}-[0-9]{{2}}\.[\w-]+\.{NAME}(?=:)", True),
            (rf"(?i)\bpod[ ]\\?[\"']?{NAME}(?=/)", True),
            (rf"(?i)\b(?:projects|namespaces?|pods?|deployments?|subscriptions|resourcegroups)/{NAME}", False),
            (rf"(?i)\bs3://{NAME}", True),
        ),
    ),
    (
        Kind.WORD,
        (
            (r"(?<![:\w/\\])\\{2,4}[\w.-]+\\{1,2}(?P<x>[^\s\"'<>|:]+)", False),
            (r"(?<![:\w/])//[^\W0-9][\w.-]*/(?P<x>[\w.$-]+)", False),
        ),
    ),
    (Kind.FOLDER, ((r"(?<![\w.:/@-])(?P<x>/(?:[\w.+-]+/)+[\w.+-]*)", True),)),
    (
        Kind.DOMAIN,
        ((r"(?<![\w.-])(?P<x>[A-Za-z0-9][\w-]*\.(?:[A-Za-z0-9-]+\.)*[A-Za-z][A-Za-z0-9-]+)(?![\w-])", True),),
    ),
    (
        Kind.NUMBER,
        (
            (r"(?<![\w.])(?P<x>\+[0-9][0-9 ()/.-]{7,20}[0-9])(?![\w.])", True),
            (rf"(?i)\b(?:{TELEPHONES})\b[^\w+(]{{0,3}}(?P<x>\+?[0-9(][0-9 ()/-]{{5,20}}[0-9])", True),
            (r"(?<![\w-])(?P<x>[A-Z]{2}[0-9]{2}(?:[ ]?[A-Z0-9]{4}){3,7}(?:[ ]?[A-Z0-9]{1,3})?)(?![\w-])", False),
            (r"(?<![\w.-])(?P<x>[0-9]{4}([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{4})(?![\w.-])", True),
            (r"(?<![\w.-])(?P<x>[0-9]{3}-[0-9]{2}-[0-9]{4})(?![\w.-])", True),
            (r"(?i)\b(?:serial(?:[ _-]?(?:no|number))?|asset[ _-]?tag)[ .#]*[:=][ ]*(?P<x>[\w-]*[0-9][\w-]*)", True),
            (r"\bSHA256:(?P<x>[A-Za-z0-9+/]{43})", True),
            (r"\b(?P<x>S-1-5-21(?:-[0-9]+){3,4})\b", True),
            (rf"(?<![\w-])(?P<x>(?:{CLOUD_THINGS})-[0-9a-f]{{8,17}})(?![\w-])", True),
            (r"\barn:aws[\w-]*:[\w-]*:[\w-]*:(?P<x>[^\s\"',]+)", True),
            (r"(?i)(?<![\w-])(?:ip|ec2)-(?P<x>[0-9]{1,3}(?:-[0-9]{1,3}){3})(?![\w])", True),
            (r"\b(?:naa\.|wwn[ =:]*|0x)(?P<x>[56][0-9a-f]{15})\b", True),
        ),
    ),
    (
        Kind.IPV6,
        ((r"(?<![\w:.])(?P<x>[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![\w:])", True),),
    ),
    # DB2 writes a port and a time behind an address
    (Kind.IPV4, ((r"(?<![\w.-])(?P<x>[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?![\w-])", True),)),
    (
        Kind.MAC,
        (
            (rf"(?<![\w:-])(?P<x>{BYTE}([:-])(?:{BYTE}\2){{4}}(?:{BYTE}\2){{0,2}}{BYTE})(?![\w:-])", True),
            (r"(?<![\w.])(?P<x>[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w.])", True),
        ),
    ),
    (Kind.EMAIL, ((r"(?<![\w.+-])(?P<x>[\w.+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})(?![\w-])", True),)),
)

COMPILED: Final = tuple((kind, is_sure, re.compile(text)) for kind, rows in PATTERNS for text, is_sure in rows)

SQL: Final = re.compile(r"(?i)\b(?:insert[ ]into|values|update|where|select|delete[ ]from|call)\b")
LITERAL: Final = re.compile(r"(?<!\w)'((?:[^'\r\n]|''){0,200})'")
USER_LISTS: Final = re.compile(
    r"(?i)\b(?:user[ ]?names|administrators|operators|guests|(?:admin|operator)_?groups)[ \t]*=[ \t]*"
    r"\{([^}]{0,100000})"
)
LISTED: Final = re.compile(r"[^\W0-9][\w.-]*\w")
TABLE_ROW: Final = re.compile(
    r"[ \t]*(?:(?:[A-Za-z]\w{0,15}|[0-9]{2}:[0-9]{2}:[0-9]{2})[ \t]+){0,3}"
    r"(?:-?[0-9]+(?:\.[0-9]+)?%?[ \t]+)*-?[0-9]+(?:\.[0-9]+)?%?\s*"
)
"""A row of numbers, of which there may be millions; no other line is so like the next."""

NO_DIGITS: Final = str.maketrans("123456789", "000000000")
MOST_FORMS: Final = 200_000
LONGEST_FORM: Final = 4_000


class Places:
    """Finds places in lines, and remembers those of each form."""

    def __init__(self) -> None:
        self._by_form: dict[str, tuple[Place, ...]] = {}

    def of(self, line: str) -> tuple[Place, ...]:
        """The places of a line, in order and apart from each other; secrets first of all."""
        form = line.translate(NO_DIGITS)
        found = self._by_form.get(form)
        if found is None:
            found = () if TABLE_ROW.fullmatch(line) else tuple(places(line))
            if len(self._by_form) >= MOST_FORMS:
                self._by_form.clear()
            if len(form) <= LONGEST_FORM:
                self._by_form[form] = found
        return found


def places(text: str) -> list[Place]:
    """Where secrets and names stand in a text; names may lie within each other, secrets hide what is in them."""
    secrets = secret.secret_spans(text)
    found = [Place(start, end, Kind.SECRET) for start, end in secrets]
    hidden = "".join(text)
    for start, end in secrets:
        hidden = hidden[:start] + "*" * (end - start) + hidden[end:]
    names = sorted(set(_names(hidden)), key=lambda each: (each.start, -each.end, each.kind))
    return [*found, *names]


def wide_places(text: str, *, is_whole: bool) -> list[Place]:
    """Those that may take several lines: all of a configuration (`is_whole`), of other texts only private keys."""
    if is_whole:
        return places(text)
    return [each for each in places(text) if "\n" in text[each.start : each.end]] if PRIVATE_KEY in text else []


def _names(text: str) -> Iterator[Place]:
    for kind, is_sure, pattern in COMPILED:
        for match in pattern.finditer(text):
            yield Place(*match.span("x"), kind, is_sure)
    for listed in USER_LISTS.finditer(text):
        yield from (Place(*user.span(), Kind.USER) for user in LISTED.finditer(text, *listed.span(1)))
    if SQL.search(text):
        for literal in LITERAL.finditer(text):
            if len(literal[1]) > 1 and unknown_words(literal[1]):
                yield Place(*literal.span(1), Kind.WORD, is_sure=False)


def is_system_name(kind: Kind, word: str) -> bool:
    """Return whether a word at the place of a name names nobody: ordinary, or the same on every machine."""
    own = {Kind.USER: WORDS["users"], Kind.DATABASE: WORDS["databases"]}.get(kind, frozenset())
    return len(word) < 2 or word.casefold() in WORDS["ordinary"] or word.casefold() in own
