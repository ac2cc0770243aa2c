"""Settings of servers: repmgr, Sentinel, MySQL, PostgreSQL, the kernel."""

import pytest

from parsers.configuration import mysql_variables, postgresql_conf, repmgr_conf, sentinel_conf, sysctl
from parsers.format import Recognition, Verdict
from tests.support.configuration_lines import confidence, values, verdicts
from tests.support.message_lines import numbered

# RECONSTRUCTED
REPMGR = ["node_id=1", "node_name = 'a'", "conninfo='host=a password=open-sesame'", "failover=automatic  # by repmgrd"]


def test_values_have_no_quotes_and_no_secrets() -> None:
    lines = numbered(REPMGR)
    assert isinstance(repmgr_conf.FORMAT.recognise(lines["text"]), Recognition)
    assert repmgr_conf.FORMAT.parse(lines).tables["parameter_value"].select("name", "value").rows() == [
        ("node_id", "1"),
        ("node_name", "a"),
        ("conninfo", "host=a password=********"),
        ("failover", "automatic"),
    ]


# RECONSTRUCTED
SENTINEL = [
    "# a comment",
    "port 26379",
    "sentinel monitor shop 192.0.2.1 6379 2",
    "sentinel down-after-milliseconds shop 5000",
    "sentinel auth-pass shop open-sesame",
    "sentinel current-epoch 3",
]


def test_settings_belong_to_their_master() -> None:
    lines = numbered(SENTINEL)
    assert isinstance(sentinel_conf.FORMAT.recognise(lines["text"]), Recognition)
    assert sentinel_conf.FORMAT.parse(lines).tables["parameter_value"].select("subject", "name", "value").rows() == [
        (None, "port", "26379"),
        ("shop", "monitor", "192.0.2.1 6379 2"),
        ("shop", "down-after-milliseconds", "5000"),
        ("shop", "auth-pass", "********"),
        (None, "current-epoch", "3"),
    ]


# RECONSTRUCTED
FILE = ["[mysqld]", "wsrep-cluster-name = shop", 'wsrep_provider_options="gcache.size=1G; evs.suspect_timeout=PT5S"']
TABLE = [
    "+---+---+",
    "| Variable_name | Value |",
    "+---+---+",
    "| wsrep_cluster_name | shop |",
    "1 row in set (0.00 sec)",
]
TABS = ["wsrep_cluster_name\tshop", "wsrep_ready\tON"]


@pytest.mark.parametrize("lines", [FILE, TABLE, TABS])
def test_each_form_gives_the_variable(lines: list[str]) -> None:
    frame = numbered(lines)
    assert isinstance(mysql_variables.FORMAT.recognise(frame["text"]), Recognition)
    rows = mysql_variables.FORMAT.parse(frame).tables["parameter_value"].select("name", "value").rows()
    assert rows[0] == ("wsrep_cluster_name", "shop")


def test_each_option_of_the_provider_is_a_parameter() -> None:
    rows = mysql_variables.FORMAT.parse(numbered(FILE)).tables["parameter_value"].select("name", "value").rows()
    assert rows[2:] == [
        ("wsrep_provider_options.gcache.size", "1G"),
        ("wsrep_provider_options.evs.suspect_timeout", "PT5S"),
    ]


# REAL (PostgreSQL 15 on Debian), and `primary_conninfo` as ALTER SYSTEM writes it
CONF = [
    "# - Connection Settings -",
    "#listen_addresses = 'localhost'         # what IP address(es) to listen on;",
    "port = 5432                             # (change requires restart)",
    "shared_buffers = 128MB                  # min 128kB",
    "log_line_prefix = '%m [%p] %q%u@%d '    # special values:",
    "primary_conninfo = 'user=rep password=tiger host=''db 1'' port=5432'",
    "Wal_Level replica",
    "max_connections = ",
    "password_encryption",
]


def test_parameters_that_are_set() -> None:
    assert values(postgresql_conf.FORMAT, *CONF) == {
        "port": "5432",
        "shared_buffers": "128MB",
        "log_line_prefix": "%m [%p] %q%u@%d ",
        "primary_conninfo": "user=rep password=******** host='db 1' port=5432",
        "wal_level": "replica",
    }


def test_line_that_is_not_read_and_may_hold_a_secret_is_not_kept() -> None:
    ignored, parsed, rejected = Verdict.IGNORED, Verdict.PARSED, Verdict.REJECTED
    assert verdicts(postgresql_conf.FORMAT, *CONF) == [ignored] * 2 + [parsed] * 5 + [rejected, ignored]


@pytest.mark.parametrize("texts", [[], ["port = 5432"], ["shared_buffers = 1", "#", "a", "b", "c", "d"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(postgresql_conf.FORMAT, *texts) == 0


def test_script_that_writes_a_configuration_is_none() -> None:
    settings_written = ["cat >>postgresql.conf <<CONF", "shared_buffers = 256MB", "max_wal_size = 4GB", "CONF"]
    assert confidence(postgresql_conf.FORMAT, *CONF) > 0
    assert (
        confidence(postgresql_conf.FORMAT, "#!/usr/bin/env bash", *CONF)
        == confidence(postgresql_conf.FORMAT, "#!/bin/sh", *settings_written)
        == 0
    )


def test_own_files_are_recognised() -> None:
    assert confidence(postgresql_conf.FORMAT, *CONF) >= 0.9


# REAL (Linux 6.18)
SYSCTL = [
    "fs.aio-max-nr = 65536",
    "fs.dentry-state = 367134\t365536\t45\t0\t116944\t0",
    "kernel.core_pattern = |/usr/lib/core %p",
    "# a comment",
    "; another",
    "-net/ipv4/conf/eth0.100/forwarding=1",
    "sysctl: permission denied on key 'fs.protected_fifos'",
    "net.ipv4.tcp_fastopen_key = 0-0-0-0",
    "kernel.domainname = ",
]


def test_parameters_of_the_kernel() -> None:
    assert values(sysctl.FORMAT, *SYSCTL) == {
        "fs.aio-max-nr": "65536",
        "fs.dentry-state": "367134 365536 45 0 116944 0",
        "kernel.core_pattern": "|/usr/lib/core %p",
        "net/ipv4/conf/eth0.100/forwarding": "1",
        "net.ipv4.tcp_fastopen_key": "********",
        "kernel.domainname": "",
    }
    assert verdicts(sysctl.FORMAT, *SYSCTL).count(Verdict.IGNORED) == 3


def test_own_files_are_recognised_and_others_refused() -> None:
    assert confidence(sysctl.FORMAT, *SYSCTL) >= 0.9
    for other in ([], ["a.b = 1"], ["vm.swappiness = 1", "x", "y"], ["[section]", "key = value"]):
        assert confidence(sysctl.FORMAT, *other) == 0
