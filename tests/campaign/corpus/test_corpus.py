"""Every file of the corpus through every parser: which format claims it, and what holds for no matter what it holds."""

from functools import cache
from pathlib import Path

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Format, Parsed, Recognition, Refusal, Verdict, formats
from pipeline.reading.recognition import recognise

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
FILES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file())
pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of real logs is not beside this checkout")

# What formats/*.md say each file is. A file that is not listed is of no format that exists today. Left out on purpose:
# console text of LLT, GAB, VxFS and vxfen of which less than 60 % of the lines still say whose they are.
EXPECTED = {
    "db2": {
        "db2diag": """
            RECON_db2diag_61_no_tid.log RECON_db2diag_81_solaris_failover.log
            RECON_db2diag_81_windows_crash_recovery.log RECON_db2diag_97_hadr_socket_buffers.log
            RECON_db2diag_9to11_crash_recovery.log db2diag_101_hadr_state_connid.log db2diag_105_docker_quoted.log
            db2diag_111_aix_locklist_full.log db2diag_1158_hadr_takeover_back.log
            db2diag_1158_hadr_takeover_old_primary.log db2diag_1158_linux_docker_start.log
            db2diag_1158_pcmk_crm_resource.log db2diag_115_federation_hexdump_indented.log
            db2diag_115_linux_auth_fail.log db2diag_115_linux_db_stop.log db2diag_115_oom_uowid_actid.log
            db2diag_1214_crlf_converted.log db2diag_1214_linux_client_diaglevel4.log
            db2diag_1214_linux_client_newyork.log db2diag_1214_linux_client_stjohns.log
            db2diag_81_windows_lock_escalation.log db2diag_82_hadr_handshake_error.log
            db2diag_91_linux32_log_full.log db2diag_95_linux_hexdump.log db2diag_95_linux_packed_descriptor.log
            db2diag_97_aix_disk_full_log.log db2diag_97_aix_log_archive.log db2diag_97_hadr_role_state.log
            db2diag_all_levels_rsyslog_fixture.log
        """,
        "db2_cfg": """
            RECON_dbcfg_81_absolut_default.txt RECON_dbcfg_81_absolut_tuned.txt RECON_dbcfg_show_detail.txt
            dbcfg_115_sample_full.txt dbcfg_115_testd1_partial.txt
        """,
        "db2_set": "db2set_all_97_xcat.txt",
        "db2_snapshot": """
            RECON_snapshot_db_t0.txt RECON_snapshot_db_t1.txt snapshot_application_counters_prefixed.txt
            snapshot_hadr_status_97_xcat.txt snapshot_tablespace_header_2022.txt
        """,
        "db2_pd": """
            db2pd_hadr_101_keyvalue.txt db2pd_hadr_1159_keyvalue.txt db2pd_hadr_97_tabular.txt
            db2pd_hadr_97_xcat_collapsed.txt
        """,
    },
    "syslog": {
        "syslog": """
            aix_facility_priority_lines.log corosync_fencing_azure_node1.log drbd83_splitbrain_node_hang_2011.log
            drbd84_kocount_timeout.log drbd84_role_resync_source.log heartbeat_2001_takeover_lkml.log
            jc_syslog-3164.out jc_syslog-5424.out keepalived_lb01.log
            linux_vmunix_not_hpux.log lnav_bad_syslog.0 lnav_dst.0 lnav_haproxy.0 lnav_rollover.2 lnav_syslog.0
            lnav_syslog.1 lnav_syslog.3 lnav_syslog_with_header.0 lnav_syslog_with_mixed_times.0
            loghub_linux_2005_part1.log loghub_openssh_part1.log loghub_thunderbird.log ossec_logtest33.log
            ossec_logtest37_solaris_named.log pacemaker11_fence_xen-e_2012.log pacemaker11_fencing_takeover_a2_2016.log
            pacemaker2_peer_shutdown_15sp1-1_iso.log pacemaker2_vip_15sp1-1_iso.log patroni_pg-01_journal_2023.log
            pgbadger_pg-syslog_part1.log repeat_folding_lkml.log rsyslog_fuzz_rfc3164-basic
            rsyslog_fuzz_rfc3164-rfc3339 rsyslog_fuzz_rfc5424-basic rsyslog_fuzz_rfc5424-escaped-sd
            rsyslog_journald_rate_limit_gaps.log solaris_msgid_lines.log suncluster_rgmd_online_fleur.log
        """,
        "ha_log": """
            heartbeat2_1.3_drbddisk_fs_mysqld_takeover_2013.log heartbeat2_1.4_ipaddr2_start_shutdown_2009.log
            heartbeat2_hadebug_xen_takeover_2009.log heartbeat3_drbddisk_filesystem_mysqld_2018_halog.log
            ossim_heartbeat_sample_lines_2006.log
        """,
        "pacemaker": """
            crmsh_pacemaker.log.2 crmsh_unittest_pacemaker_p1.log pacemaker2_own_log_15sp1-1.log
        """,
        "dmesg": """
            drbd84_dmesg_uptime_only_resync_2019.log drbd9_digest_integrity_reconnect_2017.log
            drbd9_drbdmanage_init_uptime.log
        """,
        "journal": "journalctl_short-iso_15sp1-1.log lnav_journald.json",
        "postgresql": "lnav_postgres.0",
    },
    "throughput": {
        "pgbench": """
            found_pgbench14_sample.txt found_pgbench_docs_v9_sample.txt gen_pgbench_log_aggregate_interval1.txt
            gen_pgbench_log_per_txn_head200.txt gen_pgbench_outage_server_restart.txt
            gen_pgbench_synccommit_off_run01.txt gen_pgbench_synccommit_off_run02.txt
            gen_pgbench_synccommit_off_run03.txt gen_pgbench_synccommit_off_run04.txt
            gen_pgbench_synccommit_on_run01.txt gen_pgbench_synccommit_on_run02.txt
            gen_pgbench_synccommit_on_run03.txt gen_pgbench_synccommit_on_run04.txt
        """,
        "sysbench": """
            found_sysbench05_series26_res01_ro_16.txt found_sysbench05_series26_res01_ro_64.txt
            found_sysbench05_series26_res02_ro_16.txt found_sysbench05_series26_res02_ro_64.txt
            found_sysbench05_series26_res04_ro_16.txt found_sysbench05_series26_res04_ro_64.txt
            found_sysbench05_series26_res06_ro_16.txt found_sysbench05_series26_res06_ro_64.txt
            found_sysbench1020_point_select_1thread.txt gen_sysbench_rw_run01.txt gen_sysbench_rw_run02.txt
            gen_sysbench_rw_run03.txt
        """,
        "hammerdb": """
            found_hammerdb47_postgres_10vu.txt found_hammerdb6_cli_mariadb_run.txt found_hammerdb_hdbtcount_log.txt
        """,
        "benchmarksql": "found_benchmarksql_opengauss_2025_tail.txt found_benchmarksql_tidb_2019_tail.txt",
        "tpcc_mysql": "found_tpcc_mysql_interval_lines.txt",
        "db2batch": "found_db2batch_sample_2018.txt",
        "shell_time": "found_seed000_time_db2start.txt gen_time_bash.txt gen_time_posix.txt",
        "query_times": """
            found_query_timing_MDEV-18367_res01_long.txt found_query_timing_MDEV-18367_res01_short.txt
            found_query_timing_MDEV-18367_res02_long.txt found_query_timing_MDEV-18367_res02_short.txt
        """,
    },
    "vcs": {
        "hastatus": "hastatus_sum_github.txt",
        "vcs_engine": """
            vcs13_unix_2001_agent.log vcs13_unix_2001_engine.log vcs1x_solaris_2000_engine.log
            vcs50_2007_engine_github.log vcs51_windows_2011_engine_A.txt vcs51_windows_2011_engine_A_crashed_node.txt
            vcs5_doc_agent_wrapped.log vcs5_doc_engine_wrapped.log vcs6_2015_hamsg_localised_github.txt
            vcs6_doc_agent_wrapped.log vcs6_hostmonitor_2013_engine.log vcs_agentdev_altdate_doc.log
            vcs_cli_stderr_github.txt vcs_syslog_had_membership.txt vcs_windows_2004_agent_doc.txt
        """,
        "syslog": """
            gab51_solaris10_iofence_panic_messages.txt vcs1x_solaris_2000_syslog.txt vcs35_solaris_messages_llt.txt
        """,
        "dmesg": """
            gab_jeopardy_windows.txt gab_windows_eventlog_heartbeat.txt llt_gab_start_console_doc.txt
            vxvm_doc_severities.txt
        """,
        "main_cf": """
            main.cf_clusterservice_github.cf main.cf_cvm_cfs_github.cf main.cf_seed000_cvm_cfs_asprinted.cf
            main.cf_seed000_diskgroup_asprinted.cf
        """,
    },
    "vcs/reconstructed": {
        "vcs_engine": "vcs35_default_run01.engine_A.log vcs4_tuned_run01.engine_A.log",
        "syslog": "vcs35_default_run01.messages vcs4_tuned_run01.messages",
        "main_cf": "main.cf_seed000_cvm_cfs_repaired.cf main.cf_seed000_diskgroup_repaired.cf types_demo.cf",
    },
}
FORMAT_OF = {
    f"{folder}/{name}": format_name
    for folder, formats_here in EXPECTED.items()
    for format_name, names in formats_here.items()
    for name in names.split()
}


@cache
def numbered(path: str) -> pl.DataFrame:
    """A file's lines, read the plain way."""
    content = (CORPUS / path).read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    texts = [line.rstrip("\r") for line in text.split("\n")]
    if texts[-1] == "":
        texts.pop()
    return pl.DataFrame(
        {"file_id": [1] * len(texts), "line_no": range(1, len(texts) + 1), "text": texts}, schema=LINE_SCHEMA
    )


def head(path: str) -> pl.Series:
    """What a format is shown: at most 400 lines, from the first 64 KiB."""
    texts = numbered(path)["text"].head(400)
    return texts.filter((texts.str.len_bytes().cast(pl.Int64) + 1).cum_sum() <= 65536)


@cache
def claims(path: str) -> dict[str, float]:
    """Confidence by format, for the formats that recognise the file."""
    seen = head(path)
    known_by_text = {
        name: each for name, each in formats().items() if not each.is_known_by_name
    }  # no file here has its name
    answers = {name: each.recognise(seen) for name, each in known_by_text.items()}
    for name, answer in answers.items():
        assert answer.reason, name
        assert 0 <= answer.line_no <= max(len(seen), 1), name
    return {name: answer.confidence for name, answer in answers.items() if isinstance(answer, Recognition)}


def check(each: Format, lines: pl.DataFrame, parsed: Parsed) -> None:
    """The contract between a parser and the pipeline, which holds for its own files and for any other."""
    assert parsed.lines.schema == VERDICT_SCHEMA, each.name
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
    assert parsed.lines["verdict"].is_in([verdict.value for verdict in Verdict]).all(), each.name
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["reason"].is_not_null().all()
    is_blank = lines["text"].str.strip_chars() == ""
    assert parsed.lines["verdict"].filter(is_blank).eq(Verdict.BLANK).all()
    assert not parsed.lines["verdict"].filter(~is_blank).eq(Verdict.BLANK).any()

    heads = parsed.lines.filter(verdict=Verdict.PARSED).select("file_id", "line_no")
    schemas = {table.name: table.schema for table in each.tables}
    for name, rows in parsed.tables.items():
        assert rows.schema == schemas[name], name
        assert rows.select("file_id", "line_no", "part").is_unique().all(), name
        assert rows["part"].ge(1).all(), name
        assert rows.join(heads, on=["file_id", "line_no"], how="anti").is_empty(), name


# The files of simhadr and iostat have tests of their own.
@pytest.mark.parametrize("path", [path for path in FILES if not path.startswith(("simhadr/", "iostat/"))])
def test_file_is_claimed_by_the_right_format(path: str) -> None:
    found = claims(path)
    expected = FORMAT_OF.get(path)
    best = max(found.values(), default=0.0)
    winners = {name for name, confidence in found.items() if confidence == best}
    if len(winners) > 1:
        winners = {str(recognise(head(path), Path(path).name, formats()).format)}  # the file name breaks a tie
    assert winners == ({expected} if expected in formats() else set()), found


@cache
def all_numbered() -> pl.DataFrame:
    """The lines of all files, one file after the other."""
    return pl.concat(numbered(path).with_columns(file_id=pl.lit(n, pl.Int32)) for n, path in enumerate(FILES, 1))


@pytest.mark.parametrize("format_name", sorted(formats()))
def test_no_parser_fails_on_any_file(format_name: str) -> None:
    """All at once, as an ingest hands over what it read: a file by itself would cost each format hundreds of calls."""
    each = formats()[format_name]
    check(each, all_numbered(), each.parse(all_numbered()))


@pytest.mark.parametrize("path", sorted(FORMAT_OF))
def test_file_of_a_format_gives_rows(path: str) -> None:
    each = formats().get(FORMAT_OF[path])
    if each is None:
        pytest.skip(f"no parser of {FORMAT_OF[path]} yet")
    assert each.parse(numbered(path)).tables


@pytest.mark.parametrize("format_name", sorted(set(FORMAT_OF.values()) & set(formats())))
def test_parser_takes_all_its_files_at_once(format_name: str) -> None:
    each = formats()[format_name]
    files = [numbered(path) for path, name in sorted(FORMAT_OF.items()) if name == format_name]
    alone = [each.parse(lines) for lines in files]
    all_lines = pl.concat(lines.with_columns(file_id=pl.lit(n, pl.Int32)) for n, lines in enumerate(files))
    together = each.parse(all_lines)
    check(each, all_lines, together)
    for table in each.tables:
        separate = [
            parsed.tables.get(table.name, table.empty()).with_columns(file_id=pl.lit(n, pl.Int32))
            for n, parsed in enumerate(alone)
        ]
        key = ["file_id", "line_no", "part"]
        assert together.tables.get(table.name, table.empty()).sort(key).equals(pl.concat(separate).sort(key))


# Lines rejected in corpus/syslog and corpus/vcs by formats of messages, by reason; no other line is.
REJECTED = {
    "syslog/jc_syslog-3164.out": {2: "PRI is above 191", 35: "no head of a log line"},
    "syslog/jc_syslog-5424.out": dict.fromkeys((2, 6, 9), "no head of a log line"),  # year 203, no PRI, `<190)1`
    "syslog/lnav_syslog_with_header.0": dict.fromkeys((1, 2), "no head of a log line"),
}


@pytest.mark.parametrize(
    "path", sorted(path for path in FORMAT_OF if path.startswith(("syslog/", "vcs/")) and ".cf" not in path)
)
def test_only_these_lines_of_messages_are_rejected(path: str) -> None:
    each = formats()[FORMAT_OF[path]]
    rejected = each.parse(numbered(path)).lines.filter(verdict=Verdict.REJECTED)
    assert dict(rejected.select("line_no", "reason").iter_rows()) == REJECTED.get(path, {})


def test_every_expected_file_is_in_the_corpus() -> None:
    assert set(FORMAT_OF) <= set(FILES)


def test_empty_file_is_of_no_format() -> None:
    nothing = pl.DataFrame(schema=LINE_SCHEMA)
    for each in formats().values():
        assert isinstance(each.recognise(nothing["text"]), Refusal)
        check(each, nothing, each.parse(nothing))
