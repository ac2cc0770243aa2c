"""Variables of MySQL, MariaDB and Galera: my.cnf, and what `show variables` and `show status` print.

Written by  people (my.cnf); the client as a table, with tabs, or a value a line (`-E`)
One row     per variable; scope my.cnf or mysql (of the server). Each part of wsrep_provider_options is a row too,
            named wsrep_provider_options.evs.suspect_timeout and so on
Secrets     passwords are masked
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, Row, ignored, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

SECTION = re.compile(r"^\s*\[(?P<name>[\w.-]+)\]\s*$")
OF_SERVER = r"^\s*\[(?:mysqld|mariadb|mysqld_safe|galera|server|client|mysql)[\w.-]*\]\s*$"
# REAL: wsrep_cluster_address = gcomm://192.168.0.1,192.168.0.2        skip-name-resolve
SETTING = re.compile(r"^\s*+(?P<name>[A-Za-z][\w.-]*+)\s*+(?:=\s*+(?P<value>.*))?$")
# REAL: | wsrep_cluster_size | 3 |        wsrep_cluster_size	3
PRINTED = re.compile(r"^(?:\|\s*+(?P<name>[A-Za-z]\w*+)\s*+\|(?P<value>.*)\||(?P<key>[A-Za-z]\w*+)\t(?P<text>.*))\s*$")
FRAME = re.compile(r"^\s*+(?:\+[-+]+\+|\|?\s*Variable_name\s*[|\t].*|[0-9]+ rows? in set.*|mysql>.*|MariaDB .*>.*)$")
PRINTED_HEADER = r"^\|?\s*Variable_name\s*[|\t]\s*Value"
PRINTED_ROW = r"^(?:\|\s*|)(?:wsrep|innodb|gtid|sync_binlog|rpl|group_replication)\w*\s*[|\t]"
NEEDS = rf"{OF_SERVER}|{PRINTED_HEADER}|{PRINTED_ROW}"
OPTIONS = "wsrep_provider_options"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file with a section of the server, or with variables as the client prints them."""
    section, header = head.str.contains(OF_SERVER), head.str.contains(PRINTED_HEADER)
    if section.any():
        return Recognition(0.9, "section of a configuration of MySQL", (section.arg_max() or 0) + 1)
    rows = head.str.contains(PRINTED_ROW)
    if header.any() or rows.sum() >= 2:
        first = header if header.any() else rows
        return Recognition(0.9, "variables as the client of MySQL prints them", (first.arg_max() or 0) + 1)
    return Refusal("no section of a server and no printed variables", 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    is_file = any(re.match(OF_SERVER, text) for text in texts)
    section: str | None = None
    for text in texts:
        if re.match(r"^\s*[#;]|^\s*!include", text):
            yield COMMENT
        elif is_file and (found := SECTION.match(text)):
            section = found["name"]
            yield ignored("section")
        elif FRAME.match(text):
            yield ignored("frame of a table")
        else:
            yield _variable(text, section, is_file=is_file)


def _variable(text: str, section: str | None, *, is_file: bool) -> LineVerdict:
    found = (SETTING if is_file else PRINTED).match(text) if len(text) < 65_536 else None
    if found is None:
        return rejected("no variable with a value")
    groups = found.groupdict()
    name = (groups["name"] or groups.get("key") or "").replace("-", "_")
    value = (groups["value"] if groups["value"] is not None else groups.get("text") or "").strip()
    about = {"scope": "my.cnf" if is_file else "mysql", "subject": section}
    rows: list[Row] = [{**about, "name": name, "value": masked(name, value.strip("\"'"))}]
    if name == OPTIONS:
        pairs = (part.partition("=") for part in value.strip("\"'").split(";") if "=" in part)
        rows += [{**about, "name": f"{OPTIONS}.{key.strip()}", "value": each.strip()} for key, _, each in pairs]
    return parsed(*rows)


FORMAT = settings_format(
    "mysql_variables", "Variables of MySQL and Galera", "my*.cnf", recognise=recognise, read=read, needs=NEEDS
)
