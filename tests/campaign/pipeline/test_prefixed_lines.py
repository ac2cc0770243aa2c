"""A log that was copied or collected gives the rows of the log itself, of whatever format it is."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from parsers.format import LINE_SCHEMA, formats
from parsers.line_prefix import bare, with_formats
from parsers.star import flat
from pipeline.reading.recognition import Decision, Question, recognise_each
from pipeline.reading.unit import Work, run
from tests.support.ingest_study import rows
from tests.support.ingest_study import run as ingested

LOGS = {
    "vcs_engine": """\
2026/05/13 03:31:45 VCS ERROR V-16-1-10322 System birch (Node '1') changed state from RUNNING to FAULTED
2026/05/13 03:31:46 VCS NOTICE V-16-1-10301 Initiating Online of Resource db_ip (Owner: unknown) on System alder
2026/05/13 03:31:50 VCS INFO V-16-1-10298 Resource db_ip (Owner: unknown, Group: db) is online on alder
""",
    "db2diag": """\
2026-05-13-03.31.45.123456+060 I1E347                LEVEL: Severe
PID     : 1234                 TID : 140             PROC : db2sysc
INSTANCE: db2inst1             NODE : 000            DB   : SALES
FUNCTION: DB2 UDB, base sys utilities, sqleDaemonInitAbort, probe:10
MESSAGE : ADM1530E  Crash recovery has been initiated.

2026-05-13-03.31.50.123456+060 I349E347              LEVEL: Warning
PID     : 1234                 TID : 140             PROC : db2sysc
FUNCTION: DB2 UDB, recovery manager, sqlpresr, probe:20
MESSAGE : Crash recovery completed.
""",
    "syslog": """\
May 13 03:31:45 alder corosync[1200]: [TOTEM ] A processor failed, forming new configuration.
May 13 03:31:47 alder pacemaker-controld[9]: notice: Node birch state is now lost
May 13 03:31:48 alder IPaddr2(ip)[77]: INFO: eth0:0 | up
""",
    "postgresql": """\
2026-05-13 03:31:45.123 UTC [77] LOG:  database system was interrupted; last known up at 2026-05-13 03:20:00 UTC
2026-05-13 03:31:46.123 UTC [77] LOG:  redo starts at 0/3000028
2026-05-13 03:31:47.123 UTC [76] LOG:  database system is ready to accept connections
""",
    "patroni": """\
2026-05-13 03:31:45,123 INFO: Lock owner: alder; I am birch
2026-05-13 03:31:55,123 INFO: no action. I am (birch), a secondary, and following a leader (alder)
2026-05-13 03:32:05,123 INFO: promoted self to leader by acquiring session lock
""",
    "pacemaker": """\
May 13 03:31:45 alder pacemaker-controld  [1761] (peer_update_callback) 	notice: Node birch state is now lost
May 13 03:31:46 alder pacemaker-fenced    [1762] (remote_op_done) 	notice: Operation 'reboot' was OK
""",
    "dated_log": """\
1:M 13 May 2026 03:31:45.123 * Background saving started by pid 17
1:M 13 May 2026 03:31:46.123 # Connection with replica lost.
1:M 13 May 2026 03:31:47.123 * Synchronization with replica succeeded
""",
    "ha_log": """\
heartbeat[4321]: 2026/05/13_03:31:45 WARN: node birch: is dead
heartbeat[4321]: 2026/05/13_03:31:46 info: Link birch:eth1 dead.
ResourceManager[4400]: 2026/05/13_03:31:47 info: Acquiring resource group: alder IPaddr::10.0.0.9
""",
    "iostat": """\
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.00    0.00    2.00    3.00    0.00   94.00

Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda              10.00       100.00        50.00       1000        500
""",
}
Dress = Callable[[int, str], str]
DRESSES: dict[str, Dress] = {
    "itself": lambda _, text: text,
    "a mail": lambda _, text: f"> {text}",
    "a mail twice": lambda _, text: f">> {text}",
    "a wiki": lambda _, text: f"    {text}" if text else "",
    "a table": lambda _, text: f"| {text} |",
    "cat -n": lambda number, text: f"{number:6}\t{text}",
    "grep -n": lambda number, text: f"{number}:{text}",
    "less -N": lambda number, text: f"{number:7} {text}",
    "grep -Hn": lambda number, text: f"logs/birch.log:{number}:{text}",
    "grep -H": lambda _, text: f"birch.log:{text}",
    "quotation marks": lambda _, text: f'"{text}"',
    "docker compose": lambda _, text: f"db-1  | {text}",
    "docker compose -t": lambda number, text: f"db-1  | 2026-05-13T03:32:{number:02}.123456789Z {text}",
    "kubectl --prefix": lambda _, text: f"[pod/db-1/server] {text}",
    "stern": lambda _, text: f"db-1 › server {text}",
    "pdsh": lambda _, text: f"db-1: {text}",
    "docker -t": lambda number, text: f"2026-05-13T03:32:{number:02}.123456789Z {text}",
    "CRI": lambda number, text: f"2026-05-13T03:32:{number:02}.123456789Z stdout F {text}",
    "a quoted copy of compose": lambda _, text: f"> db-1  | {text}",
}
OF_RUNTIME = {"docker -t", "docker compose -t", "CRI"}


def read(decision: Decision, lines: list[str]) -> dict[str, list[dict[str, object]]]:
    """The rows of each table, without the host, which a prefix may name, and the shape of the head."""
    frame = pl.DataFrame([(1, number, text) for number, text in enumerate(lines, 1)], LINE_SCHEMA, orient="row")
    if decision.prefixes:
        frame = with_formats(bare(frame, decision.prefixes), str(decision.format), decision.other_formats)
    found = run(Work(str(decision.format), frame)).tables
    return {
        name: flat(table).select(pl.exclude("host", "framing", "utc_offset_min", "has_year", "stamp")).to_dicts()
        for name, table in found.items()
    }


def test_a_copied_or_collected_log_gives_the_rows_of_the_log() -> None:
    dressed = {
        (name, dress): [put(number, line) for number, line in enumerate(text.splitlines(), 1)]
        for name, text in LOGS.items()
        for dress, put in DRESSES.items()
    }
    decided = recognise_each([Question(pl.Series(lines), "log.txt") for lines in dressed.values()], formats())
    wrong: list[tuple[str, str, object]] = []
    for ((name, dress), lines), decision in zip(dressed.items(), decided, strict=True):
        if decision.format is None:
            wrong.append((name, dress, "unread"))
        elif dress == "itself":
            plain = read(decision, lines)
        elif dress in OF_RUNTIME and formats()[decision.format].unwraps:
            assert name in {"syslog", "iostat"}
        elif any(rows != (found := read(decision, lines)).get(table) for table, rows in plain.items()):
            wrong.append((name, dress, [each for each in plain if plain[each] != found.get(each)]))
    assert wrong == []


def test_programs_of_one_collection_are_read_by_their_formats(tmp_path: Path) -> None:
    """Each line counts where it is in the file, and a container is the host of what names none."""
    own = [LOGS["patroni"].splitlines(), LOGS["vcs_engine"].splitlines(), LOGS["dated_log"].splitlines()]
    texts = [f"{name}-1  | {line}" for each in zip(*own, strict=True) for name, line in zip("abc", each, strict=True)]
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "compose.log").write_text("\n".join([*texts, ""]))
    ingested(tmp_path / "study", tmp_path / "db")
    (file,) = rows(tmp_path / "db", "select format, lines, parsed_lines, rejected_lines, note from main.source_file")
    assert file[1:4] == (9, 9, 0)
    assert "the container's name" in file[4]
    lines = {
        table: [line for (line,) in rows(tmp_path / "db", f"select line_no from log.{table} order by all")]
        for table in ("syslog_event", "vcs_event", "log_record")
    }
    carried = [1, 2, 4, 5, 7, 8]  # those of VCS too: its own table names no host
    assert lines == {"syslog_event": carried, "vcs_event": [2, 5, 8], "log_record": [3, 6, 9]}
    assert rows(tmp_path / "db", "select distinct host from log.syslog_event order by 1") == [("a-1",), ("b-1",)]


def test_a_declared_format_reads_copied_lines(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "a.txt").write_text("".join(f"> {line}\n" for line in LOGS["db2diag"].splitlines()))
    (tmp_path / "study" / "study.toml").write_text('[[files]]\nmatch = "a.txt"\nformat = "db2diag"\n')
    ingested(tmp_path / "study", tmp_path / "db")
    assert rows(tmp_path / "db", "select line_no from log.db2diag_record order by all") == [(1,), (7,)]
