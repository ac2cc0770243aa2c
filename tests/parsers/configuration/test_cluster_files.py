"""Files of Heartbeat, DRBD and Patroni; of corosync and keepalived, which `blocks` reads."""

import polars as pl
import pytest

from parsers.configuration import corosync_conf, drbd_conf, ha_cf, haresources, keepalived_conf, patroni_yml
from parsers.format import Recognition, Verdict
from tests.support.configuration_lines import confidence, values, verdicts
from tests.support.message_lines import numbered

HA_CF = """\
# timers
logfile /var/log/ha-log
keepalive 500ms
deadtime 10   # seconds
initdead 120
auto_failback on
bcast eth1
node master1
node master2

what is this?
"""


def test_directives_of_ha_cf() -> None:
    parsed = ha_cf.FORMAT.parse(numbered(HA_CF.splitlines()))
    found = dict(parsed.tables["parameter_value"].select("name", "value").iter_rows())
    assert (found["keepalive"], found["deadtime"], found["node"]) == ("500ms", "10", "master2")
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["line_no"].to_list() == [11]
    assert parsed.lines.height == 11


COROSYNC_CONF = """\
# Please read the corosync.conf.5 manual page
totem {
	version: 2
	token: 5000
	interface {
		ringnumber: 0
	}
	interface {
		ringnumber: 1
	}
	crypto_key: abc
}

nodelist {
  node {
    ring0_addr: 10.0.0.1
    name: alpha
  }
  node {
    ring0_addr: 10.0.0.2
    name: beta
  }
}
}
nonsense
"""


def test_pairs_of_corosync_conf_have_the_names_of_their_blocks() -> None:
    parsed = corosync_conf.FORMAT.parse(numbered(COROSYNC_CONF.splitlines()))
    found = dict(parsed.tables["parameter_value"].select("name", "value").iter_rows())
    assert found["totem.token"] == "5000"
    assert (found["totem.interface.ringnumber"], found["totem.interface[2].ringnumber"]) == ("0", "1")
    assert (found["nodelist.node.name"], found["nodelist.node[2].name"]) == ("alpha", "beta")
    assert found["totem.crypto_key"] == "********"
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["line_no"].to_list() == [24, 25]
    assert parsed.lines.height == 25


# RECONSTRUCTED
KEEPALIVED_CONF = """! Configuration File for keepalived
vrrp_script check { # of the proxy
    script "killall -0 haproxy"
}
vrrp_instance VI_1 {
    advert_int 3   # seconds
    nopreempt
    authentication {
        auth_pass open-sesame
    }
    virtual_ipaddress {
        192.0.2.9/24 dev eth0
    }
}
}
"""


def test_settings_of_keepalived_have_the_names_of_their_blocks() -> None:
    lines = KEEPALIVED_CONF.splitlines()
    assert confidence(keepalived_conf.FORMAT, *lines) == 0.95
    assert values(keepalived_conf.FORMAT, *lines) == {
        "vrrp_script check.script": '"killall -0 haproxy"',
        "vrrp_instance VI_1.advert_int": "3",
        "vrrp_instance VI_1.nopreempt": "yes",
        "vrrp_instance VI_1.authentication.auth_pass": "********",
        "vrrp_instance VI_1.virtual_ipaddress.192.0.2.9/24": "dev eth0",
    }
    assert verdicts(keepalived_conf.FORMAT, *lines).count(Verdict.REJECTED) == 1


# RECONSTRUCTED
PATRONI_YML = """---
scope: shop  # the cluster
bootstrap:
  dcs:
    ttl: 60
    loop_wait: 15
  pg_hba:
    - host all all 192.0.2.0/24 md5
postgresql:
  authentication: {superuser: {username: a, password: open-sesame}}
  parameters:
    password_encryption: 'scram-sha-256'
  rewind:
    password: open-sesame
nonsense
"""


def test_values_of_patroni_have_the_names_of_the_keys_around_them() -> None:
    lines = PATRONI_YML.splitlines()
    assert confidence(patroni_yml.FORMAT, *lines) == 0.95
    assert values(patroni_yml.FORMAT, *lines) == {
        "scope": "shop",
        "bootstrap.dcs.ttl": "60",
        "bootstrap.dcs.loop_wait": "15",
        "postgresql.parameters.password_encryption": "scram-sha-256",
        "postgresql.rewind.password": "********",
    }
    assert verdicts(patroni_yml.FORMAT, *lines).count(Verdict.REJECTED) == 1


def test_each_claims_its_own_and_refuses_the_other() -> None:
    for own, other, text in ((ha_cf, corosync_conf, HA_CF), (corosync_conf, ha_cf, COROSYNC_CONF)):
        head = pl.Series(text.splitlines())
        assert isinstance(own.recognise(head), Recognition)
        assert not isinstance(other.recognise(head), Recognition)


# RECONSTRUCTED (the product's own example file has this form)
RESOURCES = [
    "# node resources",
    "node1 drbddisk::r0 Filesystem::/dev/drbd0::/data::ext3 \\",
    "      10.0.0.10/24/eth0 db2::db2inst1 mysql",
]


def test_resources_are_named_by_script_and_first_argument() -> None:
    rows = haresources.FORMAT.parse(numbered(RESOURCES)).tables["parameter_value"]
    assert rows.select("line_no", "name", "value", "subject").rows() == [
        (2, "drbddisk::r0", "r0", "node1"),
        (2, "Filesystem::/dev/drbd0", "/dev/drbd0::/data::ext3", "node1"),
        (3, "IPaddr::10.0.0.10/24/eth0", "10.0.0.10/24/eth0", "node1"),
        (3, "db2::db2inst1", "db2inst1", "node1"),
        (3, "mysql", "", "node1"),
    ]
    assert verdicts(haresources.FORMAT, *RESOURCES) == [Verdict.IGNORED, Verdict.PARSED, Verdict.PARSED]


@pytest.mark.parametrize("texts", [[], ["node1 mysql"], ["0 sun-ha3"], ["use std::vec;", "a", "b"]])
def test_what_is_no_haresources_is_refused(texts: list[str]) -> None:
    assert confidence(haresources.FORMAT, *texts) == 0


def test_haresources_is_recognised() -> None:
    assert confidence(haresources.FORMAT, *RESOURCES) >= 0.9


# ADAPTED (public example of DRBD 8.4: structure kept, names changed)
DRBD = [
    "# data of the database",
    "resource r0 {",
    "  protocol C;",
    "  disk {",
    "    resync-rate",
    "      33M;",
    "    no-disk-flushes; on-io-error detach; }",
    '  net { shared-secret "FooFun;Factory"; cram-hmac-alg sha1; } # both',
    "  on db1.example.com {",
    "    device /dev/drbd0;",
    "  }",
    "}",
    'include "drbd.d/*.res";',
]


def test_options_are_named_by_their_blocks() -> None:
    assert values(drbd_conf.FORMAT, *DRBD) == {
        "resource r0.protocol": "C",
        "resource r0.disk.resync-rate": "33M",
        "resource r0.disk.no-disk-flushes": "yes",
        "resource r0.disk.on-io-error": "detach",
        "resource r0.net.shared-secret": "********",
        "resource r0.net.cram-hmac-alg": "sha1",
        "resource r0.on db1.example.com.device": "/dev/drbd0",
        "include": "drbd.d/*.res",
    }


def test_value_may_stand_on_the_next_line() -> None:
    assert verdicts(drbd_conf.FORMAT, *DRBD)[3:7] == [
        Verdict.IGNORED,
        Verdict.PARSED,
        Verdict.CONTINUATION,
        Verdict.PARSED,
    ]


def test_option_that_lost_its_sign_costs_its_line() -> None:
    texts = ["resource r0 {", "net {", "timeout 60", "}", "protocol C;", "}"]
    assert values(drbd_conf.FORMAT, *texts) == {"resource r0.protocol": "C"}
    assert verdicts(drbd_conf.FORMAT, *texts)[2] == Verdict.REJECTED


@pytest.mark.parametrize("texts", [[], ["resource r0 {"], ["totem {", "version: 2", "}"], ["protocol C;"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(drbd_conf.FORMAT, *texts) == 0


def test_own_files_are_recognised() -> None:
    assert confidence(drbd_conf.FORMAT, *DRBD) >= 0.9
