"""What `db2 get db cfg`, `db2 get dbm cfg` and `db2set` print, alone or one after another in one file.

Written by  the command line processor of DB2, db2set, and copies of their output
One row     per value, in scope db, dbm or registry; a title begins the values of a database or of the database manager,
            lines `[i] NAME=value` are the registry's. The level of a variable (environment, user, node, instance,
            global) is its subject: where a name is at several, the first of this order holds
Recognised  by the first title, or by keys of its scope; the registry when half of the lines are variables of DB2

Key         the last parenthesised word in capitals before the first `=`; descriptions hold parentheses of their own.
            A line without one is named by its description: `First active log file` is first_active_log_file
Value       as printed, parentheses and all; AUTOMATIC(n) is automatic and came to n, SYSTEM (RESTART) came to RESTART
Wrapped     a line without `=` right below a value goes on with it
SHOW DETAIL a second column has the value that holds from the next start on, below where the header says
Mangled     copies out of PDF and Markdown lose the layout and put several keys on a line: their keys are read, text
            that lost its key is set aside
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import polars as pl

from parsers.by_line import CONTINUATION, LineVerdict, ignored, parsed, rejected, settings_format
from parsers.format import Hint, Recognition, Refusal
from parsers.secret import MASK, masked

MARGIN = r"[\s#*>|`]*"
"""What copies put around a line."""

# REAL:        Database Configuration for Database SAMPLE
TITLE_DB = rf"^{MARGIN}Database Configuration for Database +(?P<database>[^\s*|`]+){MARGIN}$"
TITLE_DBM = rf"^{MARGIN}Database Manager Configuration{MARGIN}$"
# REAL: [db2inst1@662c53b54754 ~]$ db2 get db cfg for SAMPLE
COMMAND = re.compile(r"(?i)\bget +(?:db|dbm|database(?: +manager)?) +(?:cfg|config|configuration)\b|\bdb2set\b +-")
PROMPT = re.compile(r"^\[?[\w.-]+@[\w.-]+[ :].*[$#>] *$|^[$#>%] *$|^db2 => *$")
# REAL: Num. of active log files for 1 active UOW(NUM_LOG_SPAN) = 0
KEY = re.compile(r"\((?P<key>[A-Z][A-Z0-9_]*|[A-Za-z]+_[A-Za-z0-9_]+)\)$")
# REAL (seed paper, appendix C): (CHNGPGS_THRESH) = 20 (NUM_IOCLEANERS) = 20 (SEQDETECT) = YES (DFT PREFETCH SZ) = 32
MANGLED_KEY = re.compile(r"\((?P<key>[A-Z][A-Z0-9_]+(?: [A-Z0-9_]+){0,4})\) *=")
HEADINGS = frozenset({"Default database monitor switches", "Monitor Collect Settings"})
TITLE_OR_KEY = "Database Configuration|Database Manager Configuration|" + MANGLED_KEY.pattern
"""Without a line with either, a file is no configuration."""

DETAIL_HEADER = re.compile(r"^\s*Description\s+Parameter\s+Current Value\s+Delayed Value\s*$")
RULER_SIGNS = frozenset("-=+|: ")
AUTOMATIC = re.compile(r"^AUTOMATIC(?: *\((?P<effective>.*)\))?$", re.IGNORECASE)
SYSTEM = re.compile(r"^SYSTEM \((?P<effective>[A-Z]+)\)$")
# REAL: [i] DB2AUTOSTART=YES
REGISTRY = re.compile(r"^(?:\[(?P<level>[a-zO])\]\s+)?(?P<name>(?i:DB2)\w*)=(?P<value>.*)$")
LEVELLED = r"^\s*\[[eunig]\]\s+(?i:DB2)\w*="
BARE = r"^\s*DB2[A-Z0-9_]*=\S"
SUFFIXES = (" [O]", " [DB2_WORKLOAD]")
"""What db2set adds: the value overrides that of an aggregate variable; an aggregate variable set it."""

LEVELS = {"e": "environment", "u": "user", "n": "node", "i": "instance", "g": "global"}
"""Levels of the registry; where one name is at several, the first of this order holds."""

MAX_LINE = 8192
DBM_KEYS = re.compile(
    r"\((?:AGENTPRI|DIAGLEVEL|DIAGPATH|FEDERATED|FENCED_POOL|INTRA_PARALLEL|KEEPFENCED|MAXAGENTS|MAX_CONNECTIONS"
    r"|MAX_COORDAGENTS|MAX_QUERYDEGREE|MON_HEAP_SZ|NOTIFYLEVEL|NUM_INITAGENTS|NUM_POOLAGENTS|RQRIOBLK|SHEAPTHRES"
    r"|START_STOP_TIME|SVCENAME|SYSADM_GROUP)\) *="
)
"""Keys that only the database manager has: they tell whose values a copy without its title holds."""


@dataclass(slots=True)
class _Section:
    """Whose values follow, and how they are laid out."""

    scope: str | None = None
    database: str | None = None
    current_at: int | None = None
    delayed_at: int | None = None


def recognise_title(head: pl.Series, scope: str) -> Recognition | Refusal:
    """Claim a file whose first title is that of the scope, or a copy without one that holds keys of the scope."""
    titles = {"db": head.str.contains(TITLE_DB), "dbm": head.str.contains(TITLE_DBM)}
    places = {name: is_title.arg_max() or 0 for name, is_title in titles.items() if is_title.any()}
    if places:
        first = min(places, key=places.__getitem__)
        if first == scope:
            return Recognition(0.95, "title of a configuration of DB2", places[first] + 1)
        return Refusal("its first title is that of another configuration", places[first] + 1)
    keys = head.str.slice(0, MAX_LINE).str.extract_all(MANGLED_KEY.pattern)
    is_keyed = keys.list.len() > 0
    if int(keys.list.len().sum()) >= 5 and _scope_of(" ".join(head.to_list())) == scope:
        return Recognition(0.7, "keys of a configuration of DB2, without its title", (is_keyed.arg_max() or 0) + 1)
    return Refusal("no title of this configuration of DB2", 0 if head.is_empty() else 1)


def recognise_registry(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of variables; those with their level are surer."""
    given = head.str.contains(r"\S")
    levelled, bare = head.str.contains(LEVELLED), head.str.contains(BARE)
    if levelled.any() and 2 * levelled.sum() >= given.sum():
        return Recognition(0.95, "variables of the registry of DB2", (levelled.arg_max() or 0) + 1)
    if bare.any() and 2 * bare.sum() >= given.sum():
        return Recognition(0.6, "variables named like those of DB2", (bare.arg_max() or 0) + 1)
    return Refusal("not made of variables of DB2", ((given & ~(levelled | bare)).arg_max() or 0) + 1)


def read_configuration(texts: list[str]) -> list[LineVerdict]:
    """Classify the lines of one file. Rows have the columns of `parameter_value`."""
    is_mangled = any(text.lstrip().startswith("|") or len(MANGLED_KEY.findall(text[:MAX_LINE])) > 1 for text in texts)
    has_title = any(re.match(TITLE_DB, text) or re.match(TITLE_DBM, text) for text in texts)
    section = _Section() if has_title else _Section(scope=_scope_of(" ".join(texts)))
    found: list[LineVerdict] = []
    last: dict[str, object] | None = None
    for text in texts:
        line_verdict = _classify(text, section, is_mangled=is_mangled)
        if line_verdict is None and last is not None and not is_mangled:
            _go_on(last, text)
            line_verdict = CONTINUATION
        elif line_verdict is None:
            aside = ignored("text that lost its key in a mangled copy")
            line_verdict = aside if is_mangled else rejected("neither a value nor a heading of a configuration of DB2")
        elif line_verdict.rows:
            last = dict(line_verdict.rows[-1])
            line_verdict = parsed(*line_verdict.rows[:-1], last)
        else:
            last = None
        found.append(line_verdict)
    return found


def read_registry(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of what db2set prints."""
    for text in texts:
        if row := _registry(text):
            yield parsed(row)
        elif COMMAND.search(text) or PROMPT.match(text.strip()) or text.strip() == "db2set":
            yield ignored("command")
        else:
            yield rejected("no variable of the registry of DB2")


def _classify(text: str, section: _Section, *, is_mangled: bool) -> LineVerdict | None:
    """What a line is by itself; None where it may go on with the line above."""
    if len(text) > MAX_LINE:
        return rejected("too long for a line of a configuration of DB2")
    if reason := _set_aside(text, section):
        return ignored(reason)
    if row := _registry(text):
        return parsed(row)
    if section.scope is None:
        return rejected("before the title of a configuration")
    rows = _mangled(text, section) if is_mangled else _plain(text, section)
    return parsed(*rows) if rows else None


def _set_aside(text: str, section: _Section) -> str | None:
    """Why a line holds no value; titles and the heads of columns change the section."""
    stripped = text.strip()
    is_heading = stripped in HEADINGS or (stripped.endswith(":") and "=" not in stripped)
    if title := re.match(TITLE_DB, text) or re.match(TITLE_DBM, text):
        section.database = title.groupdict().get("database")
        section.scope, section.current_at = "db" if section.database else "dbm", None
        return "title"
    if DETAIL_HEADER.match(text):
        section.current_at, section.delayed_at = text.index("Current Value"), text.index("Delayed Value")
        return "heads of columns"
    if COMMAND.search(text) or PROMPT.match(stripped):
        return "command"
    if set(stripped) <= RULER_SIGNS:
        return "ruler" if stripped else "blank"
    return "heading" if is_heading and section.scope else None


def _plain(text: str, section: _Section) -> list[dict[str, object]]:
    """The value of a line in DB2's own layout: description, key, `=`, value."""
    head, sign, value = text.partition("=")
    head = head.strip()
    if not sign or not head:
        return []
    key = KEY.search(head)
    description = head[: key.start()].strip() if key else head
    name = key["key"].upper() if key else _snake(description)
    if not name:
        return []
    current, delayed = _columns(text, len(text) - len(value), section)
    return [_row(section, name, description, current) | {"delayed_value": _shown(name, delayed)}]


def _columns(text: str, start: int, section: _Section) -> tuple[str, str | None]:
    """Current and delayed value of a line whose values begin at `start`."""
    whole = text[start:].strip()
    if section.current_at is None or section.delayed_at is None:
        return whole, None
    is_aligned = start <= section.current_at and text[section.delayed_at - 1 : section.delayed_at].isspace()
    if is_aligned or len(text) < section.delayed_at:
        current, delayed = text[start : section.delayed_at].strip(), text[section.delayed_at :].strip()
    else:
        current, delayed = (*re.split(r"\s{2,}", whole, maxsplit=1), "")[:2]
    return current, None if current and not delayed else delayed


def _mangled(text: str, section: _Section) -> list[dict[str, object]]:
    """The values of a line that lost its layout: each goes up to the next key."""
    keys = list(MANGLED_KEY.finditer(text))
    if not keys:
        head, sign, value = text.partition("=")
        description = head.strip(" |\t")
        is_cell = bool(sign) and head.endswith((" ", "|"))
        name = _snake(description) if is_cell else ""
        return [_row(section, name, description, value.strip(" |\t"))] if name else []
    rows = []
    ends = [key.start() for key in keys[1:]] + [len(text)]
    for key, end in zip(keys, ends, strict=True):
        value = re.split(r"(?:^| )=", text[key.end() : end].strip(" |$"), maxsplit=1)[0]
        before = text[: key.start()].strip(" |\t") if len(keys) == 1 else ""
        description = before if before[:1].isalpha() else ""
        rows.append(_row(section, key["key"].replace(" ", "_"), description, value.strip()))
    return rows


def _go_on(row: dict[str, object], text: str) -> None:
    """Add the rest of a value that was wrapped."""
    value = str(row["value"])
    if value != MASK:
        row["value"] = f"{value}{' ' if text[:1].isspace() and value else ''}{text.strip()}"
        row |= _meaning(str(row["value"]))


def _row(section: _Section, name: str, description: str, value: str) -> dict[str, object]:
    shown = _shown(name, value) or ""
    return {
        "scope": section.scope,
        "name": name,
        "description": description or None,
        "value": shown,
        "subject": section.database,
        **_meaning(shown),
    }


def _meaning(value: str) -> dict[str, object]:
    """Whether DB2 chooses the value, and what it came to."""
    automatic, system = AUTOMATIC.match(value), SYSTEM.match(value)
    effective = automatic["effective"] if automatic else system["effective"] if system else None
    return {"effective_value": effective or None, "is_automatic": automatic is not None}


def _registry(text: str) -> dict[str, object] | None:
    found = REGISTRY.match(text.strip())
    if found is None:
        return None
    name, level, value = found["name"].upper(), found["level"], found["value"].rstrip()
    for suffix in SUFFIXES:
        value = value.removesuffix(suffix).rstrip()
    return {
        "scope": "registry",
        "name": name,
        "value": _shown(name, value),
        "subject": LEVELS.get(level, level) if level else None,
    }


def _shown(name: str, value: str | None) -> str | None:
    return value and masked(name, value)


def _scope_of(text: str) -> str:
    """Whose keys a text without a title holds: a quarter of the keys belong to the database manager only."""
    keys = sum(1 for _ in MANGLED_KEY.finditer(text))
    return "dbm" if 0 < keys <= 4 * len(DBM_KEYS.findall(text)) else "db"


def _snake(description: str) -> str:
    """`Database country/region code` is database_country_region_code."""
    return "_".join(re.findall(r"[a-z0-9]+", description.lower()))


DB_CFG = settings_format(
    "db2_cfg",
    "DB2 database configuration",
    *("*db*cfg*", "*db*config*"),
    recognise=partial(recognise_title, scope="db"),
    read=read_configuration,
    needs=TITLE_OR_KEY,
    hints=(Hint(r"^\s*Database Configuration for Database", "the output of db2 get db cfg"),),
)
DBM_CFG = settings_format(
    "db2_dbm_cfg",
    "DB2 database manager configuration",
    *("*dbm*cfg*", "*dbm*config*"),
    recognise=partial(recognise_title, scope="dbm"),
    read=read_configuration,
    needs=TITLE_OR_KEY,
    hints=(Hint(r"^\s*Database Manager Configuration", "the output of db2 get dbm cfg"),),
)
DB2_SET = settings_format(
    "db2_set",
    "DB2 registry variables",
    "*db2set*",
    recognise=recognise_registry,
    read=read_registry,
    needs=LEVELLED + "|" + BARE,
    hints=(Hint(r"^\s*\[[eiglno]\] DB2\w+=", "the output of db2set -all"),),
)
FORMATS = (DB_CFG, DBM_CFG, DB2_SET)
