"""Which folders are nodes: by content first, by words where there is a reason."""

from datetime import datetime, timedelta

import pytest

from pipeline.study.manifest import parse
from pipeline.study.places.assignment import Place, assign
from pipeline.study.places.node_words import NODE_ADDRESS, NODE_WORDS
from pipeline.study.places.path_reading import FileHosts

STUDY = "failover"
START = datetime(2026, 3, 1, 10)  # noqa: DTZ001  a wall clock


def log(path: str, *hosts: str, after_h: float | None = 0.0, format_name: str = "syslog") -> FileHosts:
    """A log of ten minutes that begins so many hours after the others; None: without times."""
    first = START + timedelta(hours=after_h or 0)
    span = None if after_h is None else (first, first + timedelta(minutes=10))
    return FileHosts(path, format_name, hosts, frozenset(), span)


def places(*files: FileHosts, manifest: str = "") -> dict[str, Place]:
    return assign(STUDY, files, parse(manifest.encode()))


def short(*files: FileHosts, manifest: str = "") -> list[tuple[str, str | None, str | None]]:
    """Configuration, run and node of each file."""
    found = places(*files, manifest=manifest)
    return [(found[each.path].configuration, found[each.path].run, found[each.path].node) for each in files]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("primary", "standby"), ("DB01", "DB02"), ("node A", "node B"), ("n1", "n2"), ("server-a", "server-b")),
        *(("alpha", "beta"), ("left", "right"), ("the old Sun", "the new one"), ("node2", "node1")),
    ],
)
def test_siblings_in_a_run_that_are_each_of_one_host_are_nodes(one: str, other: str) -> None:
    files = [log(f"tuned/run1/{one}/m", "elm"), log(f"tuned/run1/{other}/m", "oak"), log(f"tuned/run1/{one}/vmstat")]
    assert short(*files) == [("tuned", "run1", "elm"), ("tuned", "run1", "oak"), ("tuned", "run1", "elm")]


def test_siblings_of_one_time_with_the_same_files_are_nodes_without_a_run() -> None:
    files = [log("tuned/alpha/m", "elm"), log("tuned/beta/m", "oak"), log("tuned/beta/main.cf")]
    assert short(*files) == [("tuned", None, "elm"), ("tuned", None, "oak"), ("tuned", None, "oak")]


def test_machines_tested_one_after_another_are_configurations() -> None:
    files = [log("solaris/m", "elm"), log("linux/m", "oak", after_h=30)]
    assert [each[0] for each in short(*files)] == ["solaris", "linux"]


def test_machines_whose_runs_alternate_are_configurations() -> None:
    files = [
        *(log(f"solaris/run{number}/m", "elm", after_h=10 * number) for number in (1, 2, 3)),
        *(log(f"linux/run{number}/m", "oak", after_h=10 * number + 5) for number in (1, 2, 3)),
    ]
    assert {each[0] for each in short(*files)} == {"solaris", "linux"}


def test_a_log_that_ends_with_the_crash_is_of_the_same_time() -> None:
    assert [each[0] for each in short(log("alpha/m", "elm"), log("beta/m", "oak", after_h=0.5))] == [STUDY, STUDY]


def test_before_and_after_of_one_host_are_configurations() -> None:
    files = [log("run1/before/m", "elm"), log("run1/after/m", "elm")]
    assert short(*files) == [("before", "run1", "elm"), ("after", "run1", "elm")]


@pytest.mark.parametrize(
    ("one", "other", "are_nodes"),
    [
        pytest.param(log("tuned/run1/k1/m"), log("tuned/run1/k2/m"), True, id="logs of one time"),
        pytest.param(log("tuned/run1/k1/m"), log("tuned/run1/obs/o"), True, id="logs of one time with other names"),
        pytest.param(log("tuned/run1/k1/m"), log("tuned/run1/k2/m", after_h=0.5), False, id="one after the other"),
        pytest.param(log("tuned/run1/k1/m", after_h=None), log("tuned/run1/k2/m", after_h=None), False, id="no times"),
        pytest.param(log("tuned/run1/x/m"), log("tuned/run1/y/v", format_name="vmstat"), False, id="two formats"),
        pytest.param(log("run1x/k1/m"), log("run1x/k2/m"), False, id="in no run"),
    ],
)
def test_folders_of_a_run_with_logs_of_one_time_are_nodes_though_none_names_its_host(
    one: FileHosts, other: FileHosts, *, are_nodes: bool
) -> None:
    assert all(node is not None for _, _, node in short(one, other)) == are_nodes


def test_a_configuration_may_be_called_primary() -> None:
    lone = [log("primary/run1/m"), log("tuned/run1/m")]
    assert [each[0] for each in short(*lone)] == ["primary", "tuned"]
    of_one_host = [log("primary/run1/m", "elm"), log("tuned/run1/m", "elm")]
    assert [each[0] for each in short(*of_one_host)] == ["primary", "tuned"]


def test_folders_that_hold_both_hosts_are_configurations_with_any_name() -> None:
    """Which of the two crashed."""
    files = [log(f"{lost}/run1/{host}/m", host) for lost in ("primary", "standby") for host in ("elm", "oak")]
    assert [(each[0], each[2]) for each in short(*files)] == [
        ("primary", "elm"),
        ("primary", "oak"),
        ("standby", "elm"),
        ("standby", "oak"),
    ]


def test_words_make_nodes_of_folders_that_name_no_host() -> None:
    files = [log("tuned/primary/engine_A.log"), log("tuned/standby/engine_A.log")]
    assert short(*files) == [("tuned", None, "primary"), ("tuned", None, "standby")]
    assert short(log("tuned/run1/DB01/time.txt")) == [("tuned", "run1", "DB01")]


@pytest.mark.parametrize(
    "folders",
    [
        pytest.param(("node1",), id="a lone one"),
        pytest.param(("primary", "standby"), id="roles"),
        pytest.param(("redis-6370", "redis-6371", "sentinel"), id="ports and a role"),
        pytest.param(("Server alt", "Server neu"), id="one word, told apart, at one time"),
        pytest.param(("node-blue", "node-green", "client"), id="one word, told apart, beside a client"),
    ],
)
@pytest.mark.parametrize("below", ["", "run1/"])
def test_words_make_nodes_wherever_they_lie(folders: tuple[str, ...], below: str) -> None:
    files = [log(f"{each}/{below}x.log") for each in folders]
    run = below.strip("/") or None
    assert short(*files) == [(STUDY, run, each) for each in folders]


@pytest.mark.parametrize("folder", ["systemd", "hosts", "nodes", "no"])
def test_a_letter_makes_a_machine_of_a_word_only_beside_another(folder: str) -> None:
    assert short(log(f"{folder}/x.log")) == [(folder, None, None)]
    assert short(log("nodea/x.log"), log("nodeb/x.log")) == [(STUDY, None, "nodea"), (STUDY, None, "nodeb")]


def test_a_word_beside_files_of_the_study_is_a_node() -> None:
    assert short(log("standby/x.log"), log("y.log"))[0] == (STUDY, None, "standby")
    assert short(log("standby/run1/x.log"), log("run1/y.log"))[0] == (STUDY, "run1", "standby")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([log("Server alt/x.log"), log("Server neu/x.log", after_h=5)], id="one after the other"),
        pytest.param([log("Server alt/x.log", after_h=None), log("Server neu/x.log", after_h=None)], id="no times"),
        pytest.param([log("Server alt/x.log"), log("Kabel neu/x.log")], id="two words"),
        pytest.param([log("redis-2019/x.log"), log("redis-2024/x.log")], id="years"),
    ],
)
def test_words_told_apart_are_configurations_without_a_common_time(files: list[FileHosts]) -> None:
    assert [each[0] for each in short(*files)] == [each.path.partition("/")[0] for each in files]


def test_addresses_are_nodes_and_releases_around_runs_are_not() -> None:
    files = [log(f"tuned/Lauf 1/10.0.0.{number}/error.log") for number in (1, 2)]
    assert short(*files) == [("tuned", "Lauf 1", "10.0.0.1"), ("tuned", "Lauf 1", "10.0.0.2")]
    files = [log(f"192.168.1.{number}/error.log") for number in (12, 13)]
    assert short(*files) == [(STUDY, None, "192.168.1.12"), (STUDY, None, "192.168.1.13")]
    files = [log(f"10.5.0.{number}/run1/error.log") for number in (8, 9)]
    assert short(*files) == [("10.5.0.8", "run1", None), ("10.5.0.9", "run1", None)]
    files = [log(f"{release}/error.log") for release in ("11.1.4.7", "11.5.9.0")]
    assert short(*files) == [("11.1.4.7", None, None), ("11.5.9.0", None, None)]


def test_the_machine_of_a_router_is_beside_nodes_in_a_run_and_a_configuration_around_runs() -> None:
    assert short(log("run1/db1/m"), log("run1/router/r.log")) == [(STUDY, "run1", "db1"), (STUDY, "run1", "router")]
    assert [each[0] for each in short(log("router/run1/m"), log("direct/run1/m"))] == ["router", "direct"]


@pytest.mark.parametrize("other", ["server-a", "n2", "alpha"])
def test_a_word_beside_a_folder_of_one_host_is_a_node_in_a_run(other: str) -> None:
    files = [log(f"run1/{other}/iostat.txt", "elm"), log("run1/n7/summary.csv")]
    assert short(*files) == [(STUDY, "run1", "elm"), (STUDY, "run1", "n7")]


def test_a_host_in_the_name_of_a_file_comes_before_a_word() -> None:
    files = [log("run1/primary/engine_A.log.elm"), log("run1/standby/engine_A.log.oak"), log("m", "elm", "oak")]
    assert [each[2] for each in short(*files)][:2] == ["elm", "oak"]


def test_amounts_are_no_nodes() -> None:
    assert [each[0] for each in short(log("n8/run1/m"), log("n64/run1/m"))] == ["n8", "n64"]


def test_files_of_clients_make_no_node() -> None:
    files = [log(f"{each}/run1/probe.csv", format_name="client_probe") for each in ("primary", "standby")]
    assert [each[0] for each in short(*files)] == ["primary", "standby"]


def test_the_only_folder_of_a_run_beside_its_other_files_is_a_node() -> None:
    files = [log("nfs/run1/alpha/iostat.txt", "elm"), log("nfs/run1/summary.csv")]
    assert short(*files) == [("nfs", "run1", "elm"), ("nfs", "run1", "elm")]


def test_a_sibling_that_names_no_host_is_a_node_as_well() -> None:
    files = [log("run1/alpha/m", "elm"), log("run1/beta/m", "oak"), log("run1/gamma/m")]
    assert short(*files)[2] == (STUDY, "run1", "gamma")


def test_a_sibling_of_folders_called_after_hosts_is_a_node_in_a_run() -> None:
    """Logs of servers that name no writer, only the members that were lost or elected: the third is never mentioned."""
    mentioned = frozenset({"sql-a", "sql-b"})
    files = [
        FileHosts(f"tuned/run1/{host}/error.log", "dated_log", (), mentioned, (START, START + timedelta(minutes=10)))
        for host in ("sql-a", "sql-b", "sql-c")
    ]
    assert short(*files) == [("tuned", "run1", host) for host in ("sql-a", "sql-b", "sql-c")]
    other = FileHosts("tuned/run1/reports/summary.txt", "dated_log", (), frozenset(), (START, START))
    assert short(*files, other)[-1] == ("tuned/reports", "run1", None)


def test_a_folder_of_a_node_s_name_is_the_node_in_a_run_where_it_is_alone() -> None:
    files = [log("run1/alpha/m", "elm"), log("run1/beta/m", "oak"), log("run2/alpha/time.txt", after_h=None)]
    assert short(*files)[2] == (STUDY, "run2", "elm")


def test_a_folder_beside_the_runs_is_a_node_by_its_word_or_host() -> None:
    files = [log("nfs/run1/alpha/iostat.txt", "elm"), log("nfs/run1/summary.csv")]
    for name in ("primary", "beta"):
        beside = log(f"nfs/{name}/server.txt", "elm", after_h=None)
        assert short(*files, beside)[2] == ("nfs", None, "elm")
    other = log("nfs/beta/m", "oak", after_h=50)
    assert short(*files, other)[2][0] == "nfs/beta"


def test_the_clients_folder_is_no_sibling() -> None:
    files = [log("run1/primary/m", "elm"), log("run1/standby/m", "oak"), log("run1/client/iostat.txt", "client")]
    assert [each[2] for each in short(*files)] == ["elm", "oak", "client"]


def test_a_support_bundle_is_one_configuration_of_its_nodes() -> None:
    paths = ("db01/pacemaker.log", "db01/pengine/x", "db01/etc/corosync.conf", "db02/pacemaker.log", "cib.xml")
    files = [log(f"crm_report/{path}", *([path[:4]] if path.endswith("log") else [])) for path in paths]
    assert short(*files) == [
        *[("crm_report", None, "db01")] * 3,
        ("crm_report", None, "db02"),
        ("crm_report", None, None),
    ]


def test_a_support_bundle_within_a_run_is_no_configuration() -> None:
    files = [
        log(f"tuned/run{number}/crm_report-{day}/{node}/{rest}", node)
        for number, day in ((1, "Mon-11-May-2026"), (2, "Tue-12-May-2026"))
        for node in ("db01", "db02")
        for rest in ("pacemaker.log", "sos_commands/date/date")
    ]
    assert {each[0] for each in short(*files)} == {"tuned"}


def test_archives_are_folders() -> None:
    files = [log("run1/alpha.tgz!/alpha/var/log/m", "elm"), log("run1/beta.tgz!/beta/var/log/m", "oak")]
    assert short(*files) == [(STUDY, "run1", "elm"), (STUDY, "run1", "oak")]


def test_folders_called_after_hosts_keep_the_words_for_it() -> None:
    found = places(log("tuned/elm/m", "elm"), log("tuned/oak/m", "oak"))
    assert found["tuned/elm/m"].sources["node"] == "folder elm"


def test_hosts_of_two_sites_with_one_short_name_are_two_nodes() -> None:
    one, other = "db1.dc1.example.com", "db1.dc2.example.com"
    files = [log("run1/primary/m", one), log("run1/standby/m", other), log("run1/primary/syslog", "db1")]
    assert [each[2] for each in short(*files)] == [one, other, one]


def test_a_sentence_says_why_for_all_runs_at_once() -> None:
    files = [
        log(f"tuned/run{number}/{name}/m", host)
        for number in (1, 2)
        for name, host in (("primary", "elm"), ("standby", "oak"))
    ]
    sentences = {each.sources["folders"] for each in places(*files).values()}
    why = "the logs of each are of one host of its own, in one run"
    where = "tuned/run1 and 1 other folder"
    assert sentences == {f"primary and standby (in {where}) are taken as nodes elm and oak because {why}"}


def test_study_toml_may_say_which_folders_are_nodes() -> None:
    files = [log("run1/a/m"), log("run1/b/m"), log("run2/b/m"), log("run2/b/main.cf", after_h=None)]
    manifest = '[node.elm]\nfolders = ["a"]\n[node.oak]\nfolders = ["run[12]/b/"]'
    assert [each[2] for each in short(*files, manifest=manifest)] == ["elm", "oak", "oak", "oak"]
    assert {each[0] for each in short(*files, manifest=manifest)} == {STUDY}


def test_a_folder_with_the_name_of_another_host_keeps_it_unless_several_logs_disagree() -> None:
    swapped = [log("run1/oak/m", "elm"), log("run1/elm/m", "oak")]
    assert [each[2] for each in short(*swapped)] == ["oak", "elm"]
    more = [log("run1/oak/db2diag.log", "elm"), log("run1/elm/db2diag.log", "oak")]
    assert [each[2] for each in short(*swapped, *more)] == ["elm", "oak", "elm", "oak"]


def test_a_configuration_of_study_toml_is_no_node() -> None:
    files = [log("alpha/m", "elm"), log("beta/m", "oak")]
    assert [each[0] for each in short(*files, manifest="[configuration.alpha]\n[configuration.beta]")] == [
        "alpha",
        "beta",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "primary",
        "Standby",
        "node1",
        "node A",
        "server-b",
        "DB02",
        "n3",
        "(replica)",
        "node1 (primary)",
        "pg_2",
        "Router",
    ],
)
def test_words_for_machines(name: str) -> None:
    assert NODE_WORDS.fullmatch(name)


@pytest.mark.parametrize("name", ["tuned", "default", "db2-9.7", "nfs", "primary tuned", "n", "database", "node12345"])
def test_words_for_other_things(name: str) -> None:
    assert not NODE_WORDS.fullmatch(name)


def test_addresses_of_machines_are_those_of_private_networks() -> None:
    private = ("10.0.0.5", "172.16.0.1", "172.31.255.9", "192.168.1.12", "10.1.2")
    assert all(map(NODE_ADDRESS.fullmatch, private))
    assert not any(map(NODE_ADDRESS.fullmatch, ("172.15.0.1", "172.32.0.1", "8.8.8.8", "10.0.0.256", "10.1")))
