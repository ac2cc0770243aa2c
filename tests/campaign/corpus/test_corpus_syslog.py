"""Real syslog files: counts, refusals, and the same rows cut at any boundary."""

from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from parsers.format import Refusal
from parsers.syslog.event import parse
from parsers.syslog.syslog import recognise
from tests.support.message_lines import numbered

CORPUS = Path(__file__).parents[3].parent / "shared" / "corpus"


at = datetime.fromisoformat


needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the repository")


def corpus_lines(name: str) -> list[str]:
    text = (CORPUS / name).read_bytes().decode("latin-1")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def messages(*texts: str) -> list[dict[str, object]]:
    return parse(numbered(list(texts))).tables["syslog_event"].to_dicts()


@needs_corpus
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("syslog/pacemaker2_own_log_15sp1-1.log", "framed as pacemaker"),
        ("syslog/crmsh_pacemaker.log.2", "framed as pacemaker"),
        ("syslog/heartbeat2_1.4_ipaddr2_start_shutdown_2009.log", "framed as heartbeat"),
        ("syslog/heartbeat3_drbddisk_filesystem_mysqld_2018_halog.log", "framed as heartbeat"),
        ("syslog/drbd84_dmesg_uptime_only_resync_2019.log", "framed as uptime"),
        ("syslog/lnav_postgres.0", "0 of 21 lines"),
        ("syslog/lnav_journald.json", "0 of 2 lines"),
    ],
)
def test_refusal_names_the_log_it_is(name: str, reason: str) -> None:
    refusal = recognise(pl.Series(corpus_lines(name)))
    assert isinstance(refusal, Refusal)
    assert reason in refusal.reason


@needs_corpus
def test_damaged_copy_is_read_where_it_can_be_read_for_sure() -> None:
    rows = messages(*corpus_lines("vcs/gab51_solaris10_iofence_panic_messages.txt"))
    by_line = {row["line_no"]: row for row in rows}
    assert by_line[7]["stamp"] == at("2000-02-03T17:09:16")  # `Feb 317:09:16`
    assert by_line[3]["msgid"] == "676452"  # `[ID676452 kern.notice]`
    assert by_line[3]["text"] == "GAB: Port o halting system due to network failure"  # text stands on the line below
    assert by_line[2] == by_line[2] | {"host": "maple", "text": "panic[cpu12]/thread=2a10207dcc0:"}  # `maple^Mpanic`
    assert by_line[13] == by_line[13] | {"host": "maple", "tag": "gab", "message_id": "V-15-1-20034"}  # `maplegab:`
    assert [row["host"] for row in rows] == ["maple"] * 3 + ["cedar"] * 3 + ["maple"] * 3
