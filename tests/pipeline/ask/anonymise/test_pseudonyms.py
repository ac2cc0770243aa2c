"""Pseudonyms are the same everywhere, and no number changes by them."""

import pytest

from pipeline.ask.anonymise.names import SECRET, Name, domains_of, families, neighbours, organisations, stems
from pipeline.ask.anonymise.places import Kind
from pipeline.ask.anonymise.pseudonyms import Pseudonyms


def hosts(*names: str) -> list[Name]:
    return [Name(Kind.HOST, each) for each in names]


def test_a_name_has_one_pseudonym_in_every_spelling_and_place() -> None:
    found = Pseudonyms([*hosts("sun-ha3", "DB01", "db01")])
    text = "sun-ha3: DB01 and db01.log, /x/sun-ha3-hb/y, sunha31, xdb01, db01_2"
    assert found.replaced(text) == "host2: HOST1 and host1.log, /x/host2-hb/y, sunha31, xdb01, host1_2"


def test_a_switch_with_a_number_is_no_name() -> None:
    text = "/sbin/gabconfig -c -n2 -j # N2, db-n2 and n2"
    assert Pseudonyms(hosts("n2")).replaced(text) == "/sbin/gabconfig -c -n2 -j # HOST1, db-host1 and host1"


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


def test_relatives_of_known_hosts_are_hosts() -> None:
    found = Pseudonyms(hosts("pangolin-db1", "sun-ha3", "sun-ha4"))
    left = found.replaced("pangolin-nas9 pangolin_x pangolindb7 vgpangolin Pangolin sun-ha9 sunrpc sun-java").split()
    assert not [each for each in left if "pangolin" in each.casefold()]
    assert left[-2:] == ["sunrpc", "sun-java"]
    assert "ha9" not in left[-3]
    assert stems(hosts("pangolin-db1", "db1-node")) == {"pangolin"}
    assert families(hosts("sun-ha3", "sun-ha4", "elm-1")) == {"sun"}


def test_what_organisations_begin_with_is_theirs() -> None:
    names = [Name(Kind.ORGANISATION, each) for each in ("zorilprod", "zoriltest")]
    assert "zoril" not in Pseudonyms(names).replaced("group zorilsg, zoril01")


def test_a_name_that_templates_know_is_replaced_at_its_places_alone() -> None:
    found = Pseudonyms([Name(Kind.USER, "monitor", is_everywhere=False)])
    assert found.replaced("session opened for user monitor: monitor timed out") == (
        "session opened for user person1: monitor timed out"
    )


def test_an_address_is_replaced_in_all_its_forms() -> None:
    found = Pseudonyms([Name(Kind.IPV4, "192.168.1.2")])
    assert found.replaced("3232235778 192.168.1.2 ip-192-168-1-2 c0a80102 C0A80102 2.1.168.192.in-addr.arpa") == (
        "3221225985 192.0.2.1 ip-192-0-2-1 c0000201 C0000201 1.2.0.192.in-addr.arpa"  # 192 << 24 | 2 << 8 | 1
    )


def test_a_known_address_is_replaced_within_words_and_before_a_port() -> None:
    found = Pseudonyms([Name(Kind.IPV4, "10.77.0.1"), Name(Kind.IPV4, "10.77.0.10")])
    text = "/run/send_arp-10.77.0.10 eth0_10.77.0.1 10.77.0.1.49786.040331 10.77.0.11 110.77.0.1 1.10.77.0.1"
    assert found.replaced(text) == (
        "/run/send_arp-192.0.2.2 eth0_192.0.2.1 192.0.2.1.49786.040331 10.77.0.11 110.77.0.1 1.10.77.0.1"
    )


def test_a_hardware_address_keeps_its_form() -> None:
    found = Pseudonyms([Name(Kind.MAC, "52:54:00:ab:cd:ef")])
    assert found.replaced("52-54-00-AB-CD-EF 5254.00ab.cdef") == "02-00-00-00-00-01 0200.0000.0001"


def test_a_thousand_addresses_are_a_thousand() -> None:
    names = [Name(Kind.IPV4, f"10.{number // 200}.0.{number % 200 + 1}") for number in range(1000)]
    assert len(set(Pseudonyms(names).by_name.values())) == 1000


def test_folders_are_replaced_in_paths_alone() -> None:
    found = Pseudonyms([Name(Kind.FOLDER, "status")])
    assert found.replaced("status of /data/status/x, /usr/status/y") == "status of /data/folder1/x, /usr/status/y"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mysql --password=a1b2 -e x", "mysql --password=masked -e x"),
        ("password = 'a b'", "password = 'masked'"),
        ('{"db_password": "x,y"}', '{"db_password": "masked"}'),
        ("      password: Hidden!7", "      password: masked"),
        ("Password = hIJjHJ", "Password = masked"),
        ("create user u identified by 'tiger'", "create user u identified by 'masked'"),
        ("mongodb://u:p%40s@h-1,h-2/db", "mongodb://u:masked@h-1,h-2/db"),
        ("token: 3000 password: Failed for x, password=*** PWD=/home", None),
        ("Failed password for root; password_encryption = md5; secretfile=/etc/x", None),
    ],
)
def test_passwords_are_replaced(text: str, expected: str | None) -> None:
    assert Pseudonyms([SECRET]).replaced(text) == (expected or text)


def test_a_key_of_several_lines_is_replaced() -> None:
    text = "-----BEGIN PRIVATE KEY-----\nMIIEabcd1234\nefgh5678\n-----END PRIVATE KEY-----\n"
    assert "efgh" not in Pseudonyms([SECRET]).replaced(text)


def test_the_domain_of_a_machine_is_a_name() -> None:
    full_names = {("Alpha", "site1.corp.example"), ("beta", "other.example")}
    assert set(domains_of(frozenset({"alpha"}), full_names)) == {Name(Kind.DOMAIN, "site1.corp.example")}


def test_machines_of_known_domains_are_names_if_they_look_like_one() -> None:
    full_names = {("ldap-3", "acme.example"), ("etcd", "acme.example"), ("db7", "other.example")}
    assert set(neighbours(full_names, frozenset({"acme.example"}))) == {Name(Kind.HOST, "ldap-3")}


def test_words_that_say_whose_a_domain_is_are_names() -> None:
    assert organisations(["db.acme-bank.example", "svc.cluster.local", "lan", "corp.example"]) == {"acme-bank"}
