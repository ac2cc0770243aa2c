"""Names stand at places of their own."""

import pytest

from pipeline.ask.anonymise.names import names_at
from pipeline.ask.anonymise.places import Places


def names_in(text: str) -> set[str]:
    found = Places()
    return {
        name.text
        for line in text.splitlines(keepends=True)
        for place in found.of(line)
        for name in names_at(place, line[place.start : place.end])
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sshd[1]: Accepted publickey for alice from 10.1.2.3 port 22", {"alice", "10.1.2.3"}),
        ("sshd[1]: Failed password for invalid user bob from fe80::1 port 22", {"bob", "fe80::1"}),
        ("cron[2]: (carol) CMD (/usr/bin/true)", {"carol"}),
        ("pam: session opened for user root by (uid=0)", set()),  # the same on every machine
        ('FATAL:  database "orders" does not exist', {"orders"}),
        ("connection authorized: user=app database=postgres", {"app"}),
        ("mounted /export/home/dave/x", {"dave"}),
        ("wrote /data/acme/dump.sql and /var/lib/acme/x", {"acme"}),  # below /var it is a product's
        ("mail to eve@corp.example; started getty@tty1.service", {"eve", "eve@corp.example", "corp.example"}),
        ("app[7]: postgres://dora:s3cret@10.1.2.3:5432/risk?ssl=on", {"dora", "(any password)", "10.1.2.3", "risk"}),
        ("postgres[3]: user=erin,db=cards,app=psql", {"erin", "cards"}),
        ("sudo: frank : PWD=/{}/frank/plan-b ; USER=root".format("home"), {"frank", "plan-b"}),
        ("link 52:54:00:ab:cd:ef up, netmask 255.255.255.0, 127.0.0.1, 0.0.0.0", {"52:54:00:ab:cd:ef"}),
        ("APPID : 10.20.4.77.49786.040331 and 1.2.3", {"10.20.4.77"}),
        ("alpha.log and corosync.conf at 10:11:12.5", set()),
        (r"smbd[1]: mount \\tarsier-w2\lorisshare\galagox failed", {"tarsier-w2", "lorisshare", "galagox"}),
        ('{"user_name":"aardwolfx","host":"pangolin-7"}', {"aardwolfx", "pangolin-7"}),
        ("ssh root@pangolin7 uptime", {"pangolin7"}),
        ("postfix/smtpd[3]: connect from pangolin8[10.1.2.3]", {"pangolin8", "10.1.2.3"}),
        (r"winbind: ZORILLABANK\tayraone denied", {"ZORILLABANK", "tayraone"}),
        ("Access denied for user 'tayratwo'@'pangolin9'", {"tayratwo", "pangolin9"}),
        ("bind uid=tayrathree,ou=kinkajoudept,dc=zorillabank,dc=corp", {"tayrathree", "kinkajoudept", "zorillabank"}),
        ("dhcp ip-10-1-2-3 lease; station 5254.00ab.cdef moved", {"10.1.2.3", "5254.00ab.cdef"}),
        ("(ADDRESS=(HOST=pangolinten)(PORT=1521))(SID=KINKASID)", {"pangolinten", "KINKASID"}),
        ("booked from DE89370400440532013000, call +49 30 5550123", {"DE89370400440532013000", "+49 30 5550123"}),
        ("can't write 'b' on timeout: insert into t values ('Binturong', 'on')", {"Binturong"}),
        ("hostname: pangolin", {"pangolin"}),
        ("peer=pangolin7.write and node = run.surviving_node", {"pangolin7"}),  # no domains
        ("mount pangolin:/export/x failed", {"pangolin"}),
        ("psql -h localhost -U tayra -d kinkajou", {"tayra", "kinkajou"}),
        ('"owner": "Fossa Civetta"', {"Fossa", "Civetta"}),
        ("\tUserNames = { cacomistle = dTUvTU }", {"cacomistle", "(any password)"}),
        ("From: Fossa Civetta, on call", {"Fossa", "Civetta"}),
        ("sda 0.10 2.30 4.5%", set()),
    ],
)  # fmt: skip
def test_names_stand_at_places_of_their_own(text: str, expected: set[str]) -> None:
    assert names_in(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "node: joined, server: started, client: error, peer: lost",
        "connection to server was closed by peer",
        "Resource pgsql-ip: migrated from node to standby",
        "from unknown state to offline at 2026-03-02",
        "crmd: info: called from zorilla_callback for peer zorilla_proc",
    ],
)
def test_words_of_templates_are_no_names(text: str) -> None:
    assert names_in(text) == set()


def test_lines_that_differ_in_digits_have_names_of_their_own() -> None:
    assert names_in("host=alpha7x\nhost=alpha8x\n") == {"alpha7x", "alpha8x"}


def test_a_long_number_takes_no_time() -> None:
    assert names_in("1" * 200 + " x 10.1.2.3") == {"10.1.2.3"}
