"""db2diag.log of V8.2 and later: records that state their own offset and length."""

from dataclasses import dataclass

from samples.simulate import texts
from samples.simulate.journal import STAMP, Journal

INDENT = "\n          "  # of a wrapped value


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes a record: the engine's process and its unit, on a host."""

    host: str
    pid: int
    tid: int
    process: str = "db2sysc 0"
    appid: str | None = None
    handle: int = 7
    edu: int = 22
    edu_name: str | None = "db2agent (ORDERS) 0"


def record(writer: Writer, diagnostic: texts.Diagnostic, audience: str = "I") -> str:
    """A record; its id is put in when the file is written, for it depends on what stands before."""
    database = "            DB   : ORDERS" if diagnostic.database else ""
    lines = [f"{STAMP} {audience} LEVEL: {diagnostic.level}"]
    lines += [f"PID     : {writer.pid:<21}TID : {writer.tid:<15} PROC : {writer.process}"]
    lines += [f"INSTANCE: {'db2inst1':<21}NODE : 000{database}"]
    if writer.appid:
        lines += [f"APPHDL  : {f'0-{writer.handle}':<21}APPID: {writer.appid}"]
        lines += [f"AUTHID  : {'DB2INST1':<21}HOSTNAME: {writer.host}"]
    else:
        lines += [f"HOSTNAME: {writer.host}"]
    if writer.edu_name:
        lines += [f"EDUID   : {writer.edu:<21}EDUNAME: {writer.edu_name}"]
    function = f"{diagnostic.component}, {diagnostic.function}, probe:{diagnostic.probe}"
    return "\n".join([*lines, f"FUNCTION: DB2 UDB, {function}", _body(diagnostic)])


def _body(diagnostic: texts.Diagnostic) -> str:
    if diagnostic.has_key:
        return diagnostic.text
    return "MESSAGE : " + diagnostic.text.replace("\n", INDENT)


def _numbered(head: str, body: str, audience: str, level: str, offset: int) -> str:
    """The record with its id: offset, and a length that counts its own digits."""
    length = 0
    while True:
        name = f"{audience}{offset}E{length}"
        text = f"{head} {name:<21} LEVEL: {level}\n{body}\n"
        if len(text) == length:
            return text
        length = len(text)


def written(journal: Journal, offset_min: int) -> str:
    """The file: an empty line before each record; each record's id states where it begins and how long it is."""
    text = ""
    for entry in journal.in_order():
        first, body = entry.text.split("\n", 1)
        _, audience, _, level = first.split(" ")
        head = f"{texts.db2_stamp(entry.at + journal.clock)}{offset_min:+04d}"
        text += "\n" + _numbered(head, body, audience, level, len(text) + 1)
    return text


def sqlca(code: int, product: str) -> str:
    """An SQLCA as the log dumps it."""
    zeros = [f"({i}) 0x00000000" for i in range(1, 7)]
    return "\n".join(
        [
            f" sqlcaid : SQLCA     sqlcabc: 136   sqlcode: {code}   sqlerrml: 0",
            " sqlerrmc: ",
            f" sqlerrp : {product}",
            f" sqlerrd : {'      '.join(zeros[:3])}",
            f"           {'      '.join(zeros[3:])}",
            " sqlwarn : (1)      (2)      (3)      (4)        (5)       (6)    ",
            "           (7)      (8)      (9)      (10)        (11)     ",
            " sqlstate:      ",
        ]
    )
