"""Rules of cluster messages: every rule by its example, whole failovers, and what holds for any text."""

import tomllib
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.messages.ha_message import HA_EVENT, counted, read, read_relevant
from parsers.messages.ha_rule import FIELDS, needles, rules
from tests.support.ha_lines import RECORD_SCHEMA, records

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "syslog"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real logs is not beside this checkout")


def line_verdicts(*lines: str) -> pl.DataFrame:
    """What lines tell: their rows."""
    return read(records(lines))


def said(tag: str | None, text: str | None) -> pl.DataFrame:
    """What a message of this tag and text shows."""
    return read(records(["x"]).with_columns(tag=pl.lit(tag, pl.String), text=pl.lit(text, pl.String)))


def lines_of(file_name: str) -> list[str]:
    return [line.rstrip("\r") for line in (CORPUS / file_name).read_text("utf-8", errors="replace").split("\n")]


# Each rule by its example


@cache
def rows_of_examples() -> dict[str, pl.DataFrame]:
    """By rule, the rows of its example, read among all others."""
    found = line_verdicts(*(rule.example for rule in rules())).partition_by("line_no", as_dict=True)
    return {rule.id: found[line_no,] for line_no, rule in enumerate(rules(), 1) if (line_no,) in found}


def test_examples_give_their_fields() -> None:
    wrong = []
    for rule in rules():
        rows = rows_of_examples()[rule.id].filter(rule=rule.id)
        row = rows.row(0, named=True) if rows.height else dict.fromkeys(rows.columns)
        if (row["stack"], row["kind"]) not in {(rule.stack, rule.kind), ("heartbeat", rule.kind)}:
            wrong.append((rule.id, row["stack"], row["kind"]))
        given = {name: row[name] for name in FIELDS if row[name] is not None}
        if given != {**rule.fields, **rule.expect}:
            wrong.append((rule.id, given, {**rule.fields, **rule.expect}))
    assert wrong == []


def test_examples_are_read_by_one_rule() -> None:
    found = {rule.id: rows_of_examples()[rule.id]["rule"].to_list() for rule in rules() if not rule.shared}
    assert {name: read_by for name, read_by in found.items() if read_by != [name]} == {}


def test_messages_without_a_word_of_a_rule_are_left_out_before() -> None:
    examples = records([rule.example for rule in rules()])
    assert read_relevant(examples).equals(counted(read(examples)))


def test_messages_of_a_program_are_not_read_of_others() -> None:
    text = "+sdown master mymaster 127.0.0.1 6401"
    found = [
        read_relevant(records(["x"]).with_columns(tag=pl.lit(tag, pl.String), text=pl.lit(text))).height
        for tag in (None, "redis", "sshd")
    ]
    assert found == [1, 1, 0]


def test_address_and_port_are_one_name() -> None:
    assert said(None, "+sdown master mymaster 10.0.0.1 6379")["peer"].to_list() == ["10.0.0.1:6379"]


def test_date_of_the_server_itself_may_stand_before_what_it_says() -> None:
    # REAL, as standard output has it: a journal or a container's runtime prints its own date before
    text = "27:X 24 Nov 2026 11:57:18.432 # +sdown master mymaster 10.78.0.1 6379"
    assert said("redis-sentinel", text)["kind"].to_list() == ["leader_suspect"]


def test_member_that_names_itself_wrote_the_line() -> None:
    row = said("patroni", "no action. I am (pg2), a secondary, and following a leader (pg1)").row(0, named=True)
    assert (row["host"], row["peer"]) == ("pg2", "pg1")
    assert said("patroni", "Lock owner: None; I am pg2")["kind"].to_list() == ["leader_missing"]


@needs_corpus
def test_real_examples_are_lines_of_their_files() -> None:
    real = [rule for rule in rules() if rule.source == "REAL"]
    texts = {name: {line.rstrip() for line in lines_of(name)} for name in {str(rule.file) for rule in real}}
    assert [rule.id for rule in real if rule.example not in texts[str(rule.file)]] == []


# Lines of part D of the format reference that stand in the corpus and are no example, by what they must be found to say

REAL_LINES = tomllib.loads((Path(__file__).parent / "ha_real_lines.toml").read_text("utf-8"))
REAL_CASES = [(kind, line) for kind, lines in REAL_LINES.items() for line in lines]


def test_real_lines_say_what_the_reference_says() -> None:
    found = line_verdicts(*(line for _, line in REAL_CASES)).unique("line_no", keep="first", maintain_order=True)
    said_of = dict(found.select("line_no", "kind").iter_rows())
    wrong = [
        (line, said_of.get(line_no))
        for line_no, (kind, line) in enumerate(REAL_CASES, 1)
        if said_of.get(line_no) != kind
    ]
    assert wrong == []


@needs_corpus
def test_real_lines_are_in_the_corpus() -> None:
    found = {line.rstrip() for path in CORPUS.iterdir() if path.is_file() for line in lines_of(path.name)}
    assert {line for _, line in REAL_CASES} <= found


# Shapes that several generations print


@pytest.mark.parametrize(
    ("tag", "text", "device", "peer"),
    [
        pytest.param("kernel", "drbd3: conn( Connected -> Timeout ) ", "drbd3", None, id="8.0, trailing blank"),
        pytest.param("kernel", "block drbd3: conn( Connected -> Timeout )", "drbd3", None, id="8.3"),
        pytest.param("kernel", "[12.5] block drbd3: conn( Connected -> Timeout )", "drbd3", None, id="uptime left"),
        pytest.param("kernel", "drbd r0: conn( Connected -> Timeout )", "r0", None, id="8.4"),
        pytest.param("kernel", "drbd r0 node-b.example: conn( Connected -> Timeout )", "r0", "node-b.example", id="9"),
        pytest.param("kernel", "drbd r0/0 drbd3 b: conn( Connected -> Timeout )", "drbd3", "b", id="9, volume"),
        pytest.param(
            "kernel", "drbd r0/unregistered/0 drbd3 b: conn( Connected -> Timeout )", "drbd3", "b", id="9, gone"
        ),
        pytest.param("kernel", "drbd r0 b: conn( Connected -> Timeout ) [timeout]", "r0", "b", id="9, with a reason"),
        pytest.param("drbd r0", "conn( Connected -> Timeout )", "r0", None, id="device treated as a tag"),
        pytest.param("block drbd3", "conn( Connected -> Timeout )", "drbd3", None, id="block device treated as a tag"),
        pytest.param("drbd3", "conn( Connected -> Timeout )", "drbd3", None, id="old device treated as a tag"),
        pytest.param(None, "block drbd3: conn( Connected -> Timeout )", "drbd3", None, id="no tag"),
    ],
)
def test_device_of_a_drbd_message(tag: str | None, text: str, device: str, peer: str | None) -> None:
    (row,) = said(tag, text).to_dicts()
    assert (row["kind"], row["object"], row["peer"]) == ("drbd_connection", device, peer)
    assert (row["old_state"], row["new_state"]) == ("Connected", "Timeout")


def test_every_changed_field_of_drbd_gives_a_row() -> None:
    rows = said(
        "kernel", "drbd r0: peer( Secondary -> Unknown ) conn( Connected -> Timeout ) pdsk( UpToDate -> DUnknown )"
    )
    assert rows["kind"].to_list() == ["drbd_peer_role", "drbd_connection", "drbd_peer_disk"]
    assert rows["part"].to_list() == [1, 2, 3]


def test_role_that_drbd_07_prints_unchanged_gives_no_row() -> None:
    rows = said("kernel", "drbd0: Primary/Secondary --> Primary/Unknown")
    assert rows.select("kind", "old_state", "new_state").rows() == [("drbd_peer_role", "Secondary", "Unknown")]


FAILING = "* Marking node 40a7c5e8ff0d962d79086c4aaca28335e248447a"


@pytest.mark.parametrize(
    ("tag", "text", "kinds"),
    [
        pytest.param("docker-db", "demoting self because DCS is not accessible and I was", ["give_up"], id="container"),
        pytest.param("0af1c2d3e4f5", f"22:M {FAILING} () as failing (quorum reached).", ["leader_down"], id="its id"),
        pytest.param(None, f"log.go:16] 22:M {FAILING} as failing (quorum reached).", ["leader_down"], id="klog"),
        pytest.param(None, '[WARN] raft: Heartbeat timeout from "" reached, starting election', [], id="no leader yet"),
    ],
)
def test_what_others_put_before_a_message(tag: str | None, text: str, kinds: list[str]) -> None:
    assert said(tag, text)["kind"].to_list() == kinds


@pytest.mark.parametrize(
    ("text", "left", "joined"),
    [
        ("[TOTEM ] A new membership (10.0.0.1:8) was formed. Members left: 1 3", "1 3", None),
        ("[TOTEM ] A new membership (10.0.0.1:8) was formed. Members joined: 2 left: 2", "2", "2"),
        ("[TOTEM ] A new membership (2.8) was formed. Members joined: 1 3", None, "1 3"),
        ("[TOTEM ] A new membership (10.0.0.1:8) was formed. Members", None, None),
    ],
)
def test_members_who_left_and_joined(text: str, left: str | None, joined: str | None) -> None:
    (row,) = said("corosync", text).to_dicts()
    assert (row["kind"], row["value"], row["old_state"], row["new_state"]) == ("membership", 8, left, joined)


@pytest.mark.parametrize(
    ("result", "kind", "return_code"),
    [
        ("0 (ok)", "resource_done", 0),
        ("ok", "resource_done", 0),
        ("OK", "resource_done", 0),
        ("1 (unknown error)", "resource_failed", 1),
        ("error (did not answer)", "resource_failed", 1),
        ("not installed", "resource_failed", 5),
        ("Timed Out", "resource_failed", None),
        ("Timed Out after 20s", "resource_failed", None),
        ("Cancelled", "other", None),
    ],
)
def test_result_of_an_operation_as_pacemaker_2_prints_it(result: str, kind: str, return_code: int | None) -> None:
    (row,) = said("pacemaker-controld", f"notice: Result of start operation for db on node1: {result}").to_dicts()
    assert (row["kind"], row["return_code"], row["object"], row["peer"]) == (kind, return_code, "db", "node1")


@pytest.mark.parametrize("daemon", ["crmd", "pacemaker-controld"])
def test_daemon_may_have_its_old_or_new_name(daemon: str) -> None:
    assert said(daemon, "Node b state is now lost")["kind"].to_list() == ["member_lost"]


def test_other_programs_do_not_speak_for_the_cluster() -> None:
    assert said("sshd", "Node b state is now lost").is_empty()
    assert said("myapp", "node b: is dead").is_empty()
    assert said("cron", "database system is ready to accept connections").is_empty()


def test_host_that_a_daemon_does_not_know_is_null() -> None:
    assert said("crmd", "Node (null)[2] - state is now member")["peer"].to_list() == [None]


@pytest.mark.parametrize(
    ("tag", "agent", "name", "stack"),
    [
        ("IPaddr2(vip1)", "IPaddr2", "vip1", "pacemaker"),
        ("/usr/lib/ocf/resource.d//heartbeat/IPaddr(IPaddr_172.30.105.201)", "IPaddr", "172.30.105.201", "heartbeat"),
        ("Filesystem(Filesystem_/dev/drbd0)", "Filesystem", "/dev/drbd0", "heartbeat"),
        ("Filesystem", "Filesystem", None, "heartbeat"),
        ("db2(db2_sample)", "db2", "db2_sample", "pacemaker"),
        ("external/libvirt(s-libvirt)", "external/libvirt", "s-libvirt", "pacemaker"),
    ],
)
def test_tag_of_an_agent_names_agent_and_resource(tag: str, agent: str, name: str | None, stack: str) -> None:
    (row,) = said(tag, "INFO: Resource is stopped").to_dicts()
    assert (row["process"], row["agent"], row["object"], row["stack"]) == (agent, agent, name, stack)


@pytest.mark.parametrize(
    ("command", "object_class"),
    [
        ("/etc/ha.d/resource.d/IPsrcaddr 10.0.0.1", "address"),
        ("/etc/ha.d/resource.d/drbdupper r0", "replication"),
        ("/etc/ha.d/resource.d/db2 db2inst1", "database"),
        ("/etc/init.d/postgresql-9.6", "database"),
        ("/etc/init.d/httpd", "application"),
    ],
)
def test_class_of_a_resource_by_its_script(command: str, object_class: str) -> None:
    assert said("ResourceManager(default)", f"info: Running {command} start")["object_class"].to_list() == [
        object_class
    ]


@pytest.mark.parametrize(
    ("name", "object_class"), [("ora-rs", "database"), ("sap-db", "database"), ("web", "application")]
)
def test_class_of_a_generic_service_by_its_name(name: str, object_class: str) -> None:
    text = f"launching method <gds_svc_start> for resource <{name}>, resource group <rg>, timeout <300> seconds"
    assert said("Cluster.RGM.rgmd", text)["object_class"].to_list() == [object_class]


# What holds for any text

PIECES = st.sampled_from(
    [
        *needles(),
        *(rule.example for rule in rules()),
        "\0",
        "\n",
        "  ",
        "\t",
        "(",
        "drbd0: ",
        "role( a -> b )",
        "9" * 30,
    ]
)
TEXTS = st.one_of(st.none(), st.text(), st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=6).map("".join))
TAGS = st.one_of(
    st.sampled_from(
        [None, "", "kernel", "drbd r0", "heartbeat", "crmd", "IPaddr2(vip)", "IPaddr2((", "corosync", "(x)"]
    ),
    st.text(max_size=8),
)
MESSAGES = st.lists(st.tuples(TAGS, TEXTS), max_size=12)


def frame(messages: list[tuple[str | None, str | None]]) -> pl.DataFrame:
    pairs = pl.DataFrame(messages, schema={"tag": pl.String, "text": pl.String}, orient="row")
    return records(["x"] * len(messages)).with_columns(pairs["tag"], pairs["text"])


@given(MESSAGES)
def test_message_without_a_needle_gives_no_row(messages: list[tuple[str | None, str | None]]) -> None:
    rows = read(frame(messages))
    said_by_line = {number: f"{tag or ''}\0{text or ''}" for number, (tag, text) in enumerate(messages, start=1)}
    assert all(any(needle in said_by_line[number] for needle in needles()) for number in rows["line_no"])


def test_no_message_gives_no_row() -> None:
    assert read(pl.DataFrame(schema=RECORD_SCHEMA)).equals(HA_EVENT.empty())
