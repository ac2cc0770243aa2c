import pytest

from pipeline.ask.anonymise.anonymise import _without_people
from pipeline.ask.anonymise.names import (
    SECRET,
    Kind,
    Name,
    candidates,
    domains_of,
    names_in_text,
    neighbours,
    organisations,
    qualified,
)
from pipeline.ask.anonymise.pseudonyms import Pseudonyms


def hosts(*names: str) -> list[Name]:
    return [Name(Kind.HOST, each) for each in names]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sshd[1]: Accepted publickey for alice from 10.1.2.3 port 22", {"alice", "10.1.2.3"}),
        ("sshd[1]: Failed password for invalid user bob from fe80::1 port 22", {"bob", "fe80::1"}),
        ("cron[2]: (carol) CMD (/usr/bin/true)", {"carol"}),
        ("pam: session opened for user root by (uid=0)", set()),  # the same on every machine
        ('FATAL:  database "orders" does not exist', {"orders"}),
        ("connection authorized: user=app database=postgres", {"app"}),
        ("alpha.site1.corp.example: mounted /export/home/dave/x", {"dave"}),
        ("wrote /data/acme/dump.sql and /var/lib/acme/x", {"acme"}),  # below /var it is a product's
        ("mail to eve@corp.example; started getty@tty1.service", {"eve@corp.example", "corp.example"}),
        ("app[7]: postgres://dora:s3cret@10.1.2.3:5432/risk?ssl=on", {"dora", "(any password)", "10.1.2.3", "risk"}),
        ("postgres[3]: user=erin,db=cards,app=psql", {"erin", "cards"}),
        ("sudo: frank : PWD=/{}/frank/plan-b ; USER=root".format("home"), {"frank", "plan-b"}),
        ("ran /{}/gail/.ssh/x.sh with --password-file=/run/x".format("home"), {"gail"}),
        ("link 52:54:00:ab:cd:ef up, netmask 255.255.255.0, 127.0.0.1, 0.0.0.0", {"52:54:00:ab:cd:ef"}),
        ("APPID : 10.20.4.77.49786.040331 and 1.2.3", {"10.20.4.77"}),
        ("alpha.log and corosync.conf at 10:11:12.5", set()),
    ],
)
def test_names_stand_at_places_of_their_own(text: str, expected: set[str]) -> None:
    assert {each.text for each in names_in_text(text)} == expected


def test_a_name_has_one_pseudonym_in_every_spelling_and_place() -> None:
    found = Pseudonyms([*hosts("sun-ha3", "DB01", "db01")])
    text = "sun-ha3: DB01 and db01.log, /x/sun-ha3-hb/y, sun-ha31, xdb01, db01_2"
    assert found.replaced(text) == "host2: HOST1 and host1.log, /x/host2-hb/y, sun-ha31, xdb01, host1_2"


def test_what_is_sorted_by_name_stays_in_its_order() -> None:
    names = [f"{letter}{number}" for letter in "abc" for number in range(10, 15)]
    found = Pseudonyms(hosts(*names))
    assert [found.replaced(each) for each in names] == [f"host{number:02}" for number in range(1, 16)]


def test_no_pseudonym_is_a_name_of_the_study() -> None:
    found = Pseudonyms(hosts("host1", "alpha"))
    assert found.replaced("alpha host1") == "hostx1 hostx2"


def test_a_word_of_two_kinds_has_one_pseudonym() -> None:
    found = Pseudonyms([*hosts("acme"), Name(Kind.USER, "acme"), Name(Kind.DATABASE, "acme")])
    assert found.replaced("acme/acme") == "host1/host1"


def test_an_address_written_as_one_number_goes_along() -> None:
    found = Pseudonyms([Name(Kind.IPV4, "192.168.1.2")])
    assert (
        found.replaced("nodeid 3232235778 is 192.168.1.2") == "nodeid 3221225985 is 192.0.2.1"
    )  # 192 << 24 | 2 << 8 | 1


def test_a_known_address_is_replaced_within_words_and_before_a_port() -> None:
    found = Pseudonyms([Name(Kind.IPV4, "10.77.0.1"), Name(Kind.IPV4, "10.77.0.10")])
    text = "/run/send_arp-10.77.0.10 eth0_10.77.0.1 10.77.0.1.49786.040331 10.77.0.11 110.77.0.1 1.10.77.0.1"
    assert found.replaced(text) == (
        "/run/send_arp-192.0.2.2 eth0_192.0.2.1 192.0.2.1.49786.040331 10.77.0.11 110.77.0.1 1.10.77.0.1"
    )


def test_a_thousand_addresses_are_a_thousand() -> None:
    names = [Name(Kind.IPV4, f"10.{number // 200}.0.{number % 200 + 1}") for number in range(1000)]
    assert len(set(Pseudonyms(names).by_name.values())) == 1000


def test_folders_are_replaced_in_paths_alone() -> None:
    found = Pseudonyms([Name(Kind.FOLDER, "status")])
    assert found.replaced("status of /data/status/x, /usr/status/y") == "status of /data/folder1/x, /usr/status/y"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mysql --password=a1b2 -e x", "mysql --password=secret -e x"),
        ("password = 'a b'", "password = 'secret'"),
        ('{"db_password": "x,y"}', '{"db_password": "secret"}'),
        ("      password: Hidden!7", "      password: secret"),
        ("Password = hIJjHJ", "Password = secret"),
        ("create user u identified by 'tiger'", "create user u identified by 'secret'"),
        ("mongodb://u:p%40s@h-1,h-2/db", "mongodb://u:secret@h-1,h-2/db"),
        ("token: 3000 password: Failed for x, password=*** PWD=/home", None),
        ("Failed password for root; password_encryption = md5; secretfile=/etc/x", None),
    ],
)
def test_passwords_are_replaced_and_never_listed(text: str, expected: str | None) -> None:
    names = set(names_in_text(text)) & {SECRET}
    assert Pseudonyms(names).replaced(text) == (expected or text)
    assert bool(names) == (expected is not None)
    assert not {"a1b2", "Hidden!7", "tiger"} & {each.text for each in names_in_text(text)}


def test_the_domain_of_a_machine_is_a_name() -> None:
    full_names = set(qualified("Alpha.site1.corp.example: mounted /x, alpha.log, beta.other.example"))
    assert set(domains_of(frozenset({"alpha"}), full_names)) == {Name(Kind.DOMAIN, "site1.corp.example")}


def test_machines_of_known_domains_are_names_if_they_look_like_one() -> None:
    full_names = set(qualified("ldap-3.acme.example etcd.acme.example db7.other.example setup-2.log 10.1.2.3"))
    assert set(neighbours(full_names, frozenset({"acme.example"}))) == {Name(Kind.HOST, "ldap-3")}


def test_words_that_say_whose_the_study_is_are_listed() -> None:
    owners = organisations(["db.acme-bank.example", "svc.cluster.local", "lan", "corp.example"])
    assert owners == {"acme-bank"}
    assert candidates("Acme Bank, /etc/acme-bank.yml, acme", frozenset(), owners) == {"Acme Bank": 1, "acme-bank": 1}


def test_words_at_the_place_of_a_name_are_listed() -> None:
    text = "host=gamma host=host1.site1.example user=root owner: Unspecified"
    assert candidates(text, frozenset({"host1"})) == {"gamma": 1}


def test_study_toml_names_no_people() -> None:
    text = '[study]\ntitle = "T"\nauthors = [\n  "A ] B",\n  "C",\n]\norganisation = """\nX\n"""\nyear = 2003\n'
    assert _without_people(text) == '[study]\ntitle = "T"\nyear = 2003\n'
