"""Real syslog files: counts, refusals, and the same rows cut at any boundary."""

import re
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from parsers.format import Recognition, Refusal, Verdict
from parsers.syslog.event import parse
from parsers.syslog.syslog import BOUNDARY, FORMAT, recognise
from tests.support.message_lines import assert_cuts_agree, numbered

CORPUS = Path(__file__).parents[3].parent / "shared" / "corpus"


at = datetime.fromisoformat


needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the repository")


def corpus_lines(name: str) -> list[str]:
    text = (CORPUS / name).read_bytes().decode("latin-1")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def messages(*texts: str) -> list[dict[str, object]]:
    return parse(numbered(list(texts))).tables["syslog_event"].to_dicts()


# Worked by hand from the corpus: lines that begin a row, continue one, are ignored, blank, rejected.
SYSLOG_FILES = [
    ("syslog/aix_facility_priority_lines.log", 5, 0, 0, 0, 0),
    ("syslog/corosync_fencing_azure_node1.log", 8, 0, 2, 0, 0),  # two elision marks
    ("syslog/drbd83_splitbrain_node_hang_2011.log", 34, 0, 0, 0, 0),
    ("syslog/drbd84_kocount_timeout.log", 6, 0, 0, 0, 0),
    ("syslog/drbd84_role_resync_source.log", 68, 0, 0, 0, 0),
    ("syslog/heartbeat_2001_takeover_lkml.log", 13, 0, 1, 0, 0),  # one repeat
    ("syslog/jc_syslog-3164.out", 29, 0, 1, 3, 2),  # PRI 3444, and a line that says itself that it is none
    ("syslog/jc_syslog-5424.out", 6, 0, 0, 3, 3),  # year 203, no PRI, and `<190)1`
    ("syslog/journalctl_short-iso_15sp1-1.log", 250, 0, 0, 0, 0),
    ("syslog/keepalived_lb01.log", 7, 0, 0, 0, 0),
    ("syslog/linux_vmunix_not_hpux.log", 9, 0, 0, 0, 0),
    ("syslog/lnav_bad_syslog.0", 4, 0, 0, 0, 0),
    ("syslog/lnav_dst.0", 10, 0, 0, 0, 0),
    ("syslog/lnav_haproxy.0", 17, 0, 0, 0, 0),
    ("syslog/lnav_rollover.2", 375, 0, 0, 0, 0),
    ("syslog/lnav_syslog.0", 4, 0, 0, 0, 0),
    ("syslog/lnav_syslog.1", 4, 0, 0, 0, 0),
    ("syslog/lnav_syslog.3", 7, 10, 0, 0, 0),
    ("syslog/lnav_syslog_with_header.0", 4, 0, 0, 0, 2),  # two lines of a header
    ("syslog/lnav_syslog_with_mixed_times.0", 13, 0, 0, 0, 0),
    ("syslog/loghub_linux_2005_part1.log", 700, 0, 0, 0, 0),
    ("syslog/loghub_openssh_part1.log", 598, 0, 2, 0, 0),  # two repeats
    ("syslog/loghub_thunderbird.log", 300, 0, 0, 0, 0),
    ("syslog/ossec_logtest33.log", 1, 0, 0, 0, 0),
    ("syslog/ossec_logtest37_solaris_named.log", 1, 0, 0, 0, 0),
    ("syslog/pacemaker11_fence_xen-e_2012.log", 638, 0, 0, 0, 0),
    ("syslog/pacemaker11_fencing_takeover_a2_2016.log", 27, 0, 0, 0, 0),
    ("syslog/pacemaker2_peer_shutdown_15sp1-1_iso.log", 390, 0, 1, 0, 0),  # one repeat
    ("syslog/pacemaker2_vip_15sp1-1_iso.log", 191, 0, 0, 0, 0),
    ("syslog/patroni_pg-01_journal_2023.log", 8, 0, 0, 0, 0),
    ("syslog/pgbadger_pg-syslog_part1.log", 178, 22, 0, 0, 0),  # 22 parts of messages
    ("syslog/repeat_folding_lkml.log", 11, 0, 11, 0, 0),  # eight of the repeats have no record
    ("syslog/rsyslog_fuzz_rfc3164-basic", 1, 0, 0, 0, 0),
    ("syslog/rsyslog_fuzz_rfc3164-rfc3339", 1, 0, 0, 0, 0),
    ("syslog/rsyslog_fuzz_rfc5424-basic", 1, 0, 0, 0, 0),
    ("syslog/rsyslog_fuzz_rfc5424-escaped-sd", 1, 0, 0, 0, 0),
    ("syslog/rsyslog_journald_rate_limit_gaps.log", 6, 0, 0, 0, 0),
    ("syslog/solaris_msgid_lines.log", 5, 0, 0, 0, 0),
    ("syslog/suncluster_rgmd_online_fleur.log", 17, 0, 0, 0, 0),
    ("vcs/gab51_solaris10_iofence_panic_messages.txt", 9, 5, 0, 0, 0),
    ("vcs/vcs1x_solaris_2000_syslog.txt", 1, 0, 0, 0, 0),
    ("vcs/vcs35_solaris_messages_llt.txt", 4, 0, 0, 0, 0),
    ("vcs/reconstructed/vcs35_default_run01.messages", 18, 0, 0, 0, 0),
    ("vcs/reconstructed/vcs4_tuned_run01.messages", 7, 0, 0, 0, 0),
]


MINE = {name for name, *_ in SYSLOG_FILES}


@needs_corpus
@pytest.mark.parametrize(("name", "expected"), [(name, counts) for name, *counts in SYSLOG_FILES])
def test_corpus_file_is_syslog_and_every_line_is_accounted_for(name: str, expected: list[int]) -> None:
    lines = corpus_lines(name)
    counts = dict(parse(numbered(lines)).lines["verdict"].value_counts().iter_rows())
    assert isinstance(recognise(pl.Series(lines[:400])), Recognition)
    assert [counts.get(verdict, 0) for verdict in Verdict] == expected


@needs_corpus
def test_no_other_corpus_file_is_claimed_and_none_makes_the_parser_fail() -> None:
    paths = [path for path in sorted(CORPUS.rglob("*")) if path.is_file()]
    files = [path.read_bytes()[:50_000].decode("latin-1").split("\n") for path in paths]
    assert parse(numbered(*files)).lines.height == sum(len(lines) for lines in files)
    claimed = {
        str(path.relative_to(CORPUS))
        for path, lines in zip(paths, files, strict=True)
        if isinstance(recognise(pl.Series(lines[:400])), Recognition)
    }
    assert claimed == MINE


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
def test_corpus_rows_of_veritas_files() -> None:
    def counts(name: str) -> dict[str, int]:
        return {table: frame.height for table, frame in parse(numbered(corpus_lines(name))).tables.items()}

    assert counts("vcs/vcs35_solaris_messages_llt.txt") == {"syslog_event": 4, "llt_event": 4}
    assert counts("vcs/reconstructed/vcs35_default_run01.messages") == {
        "syslog_event": 18,
        "llt_event": 16,
        "gab_event": 2,
    }
    assert counts("vcs/reconstructed/vcs4_tuned_run01.messages") == {
        "syslog_event": 7,
        "llt_event": 4,
        "gab_event": 2,
        "vcs_event": 1,
    }


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


@needs_corpus
@pytest.mark.parametrize("name", sorted(MINE))
def test_a_file_cut_at_a_boundary_gives_the_same_rows(name: str) -> None:
    lines = corpus_lines(name)
    cuts = [no for no, line in enumerate(lines) if no and re.search(BOUNDARY, line)]
    assert_cuts_agree(FORMAT, (lines, cuts[:: max(1, len(cuts) // 5)]))


@needs_corpus
def test_nearly_every_head_is_a_boundary() -> None:
    heads = [line for name in MINE for line in corpus_lines(name) if re.match(r"<?\d|[A-Z][a-z]{2} ", line)]
    assert sum(bool(re.search(BOUNDARY, line)) for line in heads) > 0.8 * len(heads)
