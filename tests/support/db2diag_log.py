"""Records of DB2 for tests: printed ones, and logs as DB2 writes them, whose records state their offset and length."""

from collections.abc import Iterable, Iterator
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from parsers.db2.db2diag import FORMAT
from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Parsed, Verdict

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "db2"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real logs is not beside this checkout")

# RECONSTRUCTED from the templates of the client library; names of the paper's machines.
V81 = """\
2003-07-28-10.27.09.100212   Instance:svtdbm   Node:000
PID:18342(db2agent (ABSOLUT))   TID:1   Appid:*LOCAL.svtdbm.030728172709
base sys utilities  sqledint Probe:30\x20

Crash Recovery is needed.

2003-07-28-10.27.13.871004   Instance:svtdbm   Node:000
PID:18342(db2agent (ABSOLUT))   TID:1   Appid:*LOCAL.svtdbm.030728172709
recovery manager  sqlprecm Probe:400   Database:ABSOLUT

DIA2051W Forward phase of crash recovery has completed. Next LSN is
"00000001A2D01F3A".
"""
# REAL (junsulee75/db2pcmkconfig), the second with a DATA section of ours
V82 = """\

2023-06-09-20.32.39.522612-420 E419524E513           LEVEL: Event
PID     : 255662               TID : 139733694932736 PROC : db2sysc 0
INSTANCE: v11580               NODE : 000            DB   : HADRDB
APPHDL  : 0-24715              APPID: *LOCAL.v11580.230610033239
AUTHID  : V11580               HOSTNAME: pcmk1.fyre.ibm.com
EDUID   : 149                  EDUNAME: db2agent (HADRDB) 0
FUNCTION: DB2 UDB, base sys utilities, sqeDBMgr::StartUsingLocalDatabase, probe:13
START   : Received TAKEOVER HADR command.\x20\x20

2023-06-09-20.32.41.901131-420 E452366E448           LEVEL: Event
PID     : 255662               TID : 139733690738432 PROC : db2sysc 0
INSTANCE: v11580               NODE : 000            DB   : HADRDB
HOSTNAME: pcmk1.fyre.ibm.com
EDUID   : 128                  EDUNAME: db2hadrs.0.0 (HADRDB) 0
FUNCTION: DB2 UDB, High Availability Disaster Recovery, hdrSetHdrState, probe:10000
CHANGE  : HADR state set to HDR_P_PEER (was HDR_S_PEER), connId=1
DATA #1 : String, 11 bytes
MESSAGE : x

below an empty line
DATA #10: Boolean, 1 bytes
false

"""
BOTH = V81 + V82


def numbered(text: str, file_id: int = 1) -> pl.DataFrame:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return pl.DataFrame(
        {"file_id": [file_id] * len(lines), "line_no": range(1, len(lines) + 1), "text": lines}, schema=LINE_SCHEMA
    )


def read(name: str) -> str:
    return (CORPUS / name).read_bytes().decode().removesuffix("\n")


def rows(text: str, table: str = "db2diag_record") -> list[dict[str, Any]]:
    return checked(numbered(text)).tables[table].rows(named=True)


def record(header: str, *lines: str) -> dict[str, Any]:
    (row,) = rows("\n".join([header, *lines]))
    return row


def checked(lines: pl.DataFrame) -> Parsed:
    """Parse, and hold what has to hold for any input."""
    parsed = FORMAT.parse(lines)
    assert parsed.lines.schema == VERDICT_SCHEMA
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
    is_blank = lines["text"].str.strip_chars() == ""
    assert ((parsed.lines["verdict"] == Verdict.BLANK) == is_blank).all()
    assert ((parsed.lines["verdict"] == Verdict.REJECTED) <= parsed.lines["reason"].is_not_null()).all()
    heads = parsed.lines.filter(verdict=Verdict.PARSED).select("file_id", "line_no")
    for table in FORMAT.tables:
        frame = parsed.tables.get(table.name, table.empty())
        assert frame.schema == table.schema
        assert frame.select("file_id", "line_no", "part").is_unique().all()
        assert frame.join(heads, on=["file_id", "line_no"], how="anti").is_empty()
    if heads.height:
        assert parsed.tables["db2diag_record"].select("file_id", "line_no").equals(heads)
    return parsed


def verdicts(text: str) -> str:
    """One letter a line: Parsed, Continuation, Ignored, Blank, Rejected."""
    return "".join("PCIBR"[verdict - 1] for verdict in checked(numbered(text)).lines["verdict"])


HEADER_82 = "2013-10-07-14.40.36.401196-420 E76255E392          LEVEL: Event"
HEADER_81 = "2004-06-25-15.53.42.078000   Instance:DB2   Node:000"
PID_82 = "PID     : 4737                 TID  : 46914980538688PROC : db2sysc"
PID_81 = "PID:2352(db2syscs.exe)   TID:4360   Appid:*LOCAL.DB2.027785142343"


BODIES = (
    (
        "I",
        "Info",
        "common communication, sqlcctcpconnr, probe:94",
        "DATA #1 : String, 26 bytes\nDB2TCP_CLIENT_RCVTIMEOUT=0",
    ),
    (
        "I",
        "Error",
        "data protection services, sqlpgifl, probe:50",
        (
            "MESSAGE : ZRC=0x85100009=-2062548983=SQLP_NOSPACE\n"
            '          "Log File has reached its saturation point"\n'
            "          DIA8309C Log file was full.\n"
            "DATA #1 : <preformatted>\nApplication 7 waits for 0x0000000004B0E1A2."
        ),
    ),
    (
        "E",
        "Event",
        "High Availability Disaster Recovery, hdrSetHdrState, probe:10000",
        "CHANGE  : HADR state set to HDR_P_PEER (was HDR_P_NPEER), connId=1",
    ),
    (
        "I",
        "Warning",
        "buffer pool services, sqlbReadPage, probe:1171",
        (
            "CALLED  : OS, -, pread\n"
            'OSERR   : EIO (5) "Input/output error"\n'
            "RETCODE : ZRC=0x8002001C=-2147352548=SQLB_IOERR\n"
            "DATA #1 : Page ID, PD_TYPE_SQLB_PAGE_ID, 4 bytes\n1187\n"
            "DATA #2 : Hexdump, 32 bytes\n"
            "0x00007F4C9A1FD2C0 : 0100 0000 4D45 5353 4147 4520 3A20 7800    ....MESSAGE : x.\n"
            "0x00007F4C9A1FD2D0 : 0000 0000 0000 0000 0000 0000 0000 0000    ................\n"
            "CALLSTCK: (Static functions may not be resolved correctly, as they are resolved to the nearest symbol)\n"
            "  [0] 0x00007F4CB51F3E25 pdLog + 0x325\n"
            "  [1] 0x00007F4CB6A8D9B1 _Z12sqlbReadPagePP16SQLB_GLOBALSPoolj + 0x1F1"
        ),
    ),
    (
        "I",
        "Severe",
        "catalog services, sqlrlrch, probe:30",
        (
            "MESSAGE : DIA8003C The interrupt has been received.\n"
            "DATA #1 : SQLCA, PD_DB2_TYPE_SQLCA, 136 bytes\n"
            " sqlcaid : SQLCA     sqlcabc: 136   sqlcode: -952   sqlerrml: 0\n"
            " sqlerrmc: \n sqlerrp : SQLRI213\n"
            " sqlerrd : (1) 0x80100003      (2) 0x00000003      (3) 0x00000000\n"
            "           (4) 0x00000000      (5) 0xFFFFFE0C      (6) 0x00000000\n"
            " sqlwarn : (1)      (2)      (3)      (4)        (5)       (6)    \n"
            " sqlstate: 57014"
        ),
    ),
)


def with_id(text: str, offset: int) -> str:
    """A record whose header has `ID` where its record id belongs: an empty line, and the record with its id."""
    length = 0
    while True:
        found = text.replace("ID", f"{offset}E{length}", 1) + "\n"
        if len(found.encode()) == length:
            return "\n" + found
        length = len(found.encode())


def written(texts: Iterable[str], offset: int = 0) -> Iterator[str]:
    """Records as they are in a file that begins at an offset; the first byte of each is its empty line."""
    for text in texts:
        found = with_id(text, offset + 1)
        yield found
        offset += len(found.encode())


def texts() -> Iterator[str]:
    """Records of V11.5 without end, ten a second, whose bodies take turns."""
    for number, (audience, level, function, body) in zip(count(), cycle(BODIES), strict=False):
        second, tenth = divmod(number, 10)
        minute, hour, day = second // 60 % 60, second // 3600 % 24, second // 86400 % 28
        stamp = f"2024-05-{day + 1:02d}-{hour:02d}.{minute:02d}.{second % 60:02d}.{tenth}{number % 99991:05d}+120"
        yield (
            f"{stamp} {audience}ID             LEVEL: {level}\n"
            f"PID     : {28000 + number % 7:<21}TID : 140141532264192 PROC : db2sysc 0\n"
            "INSTANCE: db2inst1             NODE : 000            DB   : ABSOLUT\n"
            f"APPHDL  : {f'0-{number % 900}':<21}APPID: *LOCAL.db2inst1.2405210714{number % 60:02d}\n"
            "AUTHID  : DB2INST1             HOSTNAME: nodeb\n"
            f"EDUID   : {22 + number % 40:<21}EDUNAME: db2agent (ABSOLUT) 0\n"
            f"FUNCTION: DB2 UDB, {function}\n{body}"
        )


def log(record_count: int) -> str:
    """A whole file of this many records."""
    return "".join(written(islice(texts(), record_count)))
