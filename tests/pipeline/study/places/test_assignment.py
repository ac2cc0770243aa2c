"""Where a file belongs: the contract's sentences as a table, the traps, and robustness."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.study.manifest import Manifest, parse
from pipeline.study.places.assignment import Place, assign
from pipeline.study.places.path_reading import FileHosts

STUDY = "failover-2004"
HOSTS = ("sun-ha3", "sun-ha4", "elm-2", "birch.example.com", "r9", "7", "10.0.0.1")
"""Hosts that some log of the study mentions."""


def facts(path: str, *own: str, named: tuple[str, ...] = ()) -> FileHosts:
    return FileHosts(path, "syslog", own, frozenset(named))


def place(path: str, *own: str, manifest: str = "", others: tuple[FileHosts, ...] = ()) -> Place:
    files = [facts(path, *own), facts("elsewhere/hosts", named=HOSTS), *others]
    return assign(STUDY, files, parse(manifest.encode()))[path]


def test_folder_around_the_log_of_a_probe_is_a_client() -> None:
    path = "tuned/client/probe.csv"
    found = assign(STUDY, [FileHosts(path, "client_probe", (), frozenset())], parse(b""))[path]
    assert (found.configuration, found.run, found.node) == ("tuned", None, "client")


def test_log_beside_that_of_a_probe_is_not_the_clients() -> None:
    path = "tuned/run1/n1-sentinel.log"
    probe = FileHosts("tuned/run1/client/probe.csv", "client_probe", (), frozenset())
    found = assign(STUDY, [FileHosts(path, "dated_log", (), frozenset()), probe], parse(b""))
    assert (found[path].node, found[probe.path].node) == (None, "client")


def test_runs_of_servers_under_load_and_without_are_configurations() -> None:
    """A reserved name is a configuration only where its runs are those of the servers, as beside it."""
    paths = [f"{name}/run1/m{host}" for name in ("load", "no load") for host in HOSTS[:2]]
    files = [facts(path, path.rpartition("m")[2]) for path in paths]
    assert [each.configuration for each in assign(STUDY, files, parse(b"")).values()] == [
        *["load"] * 2,
        *["no load"] * 2,
    ]


@pytest.mark.parametrize(
    ("path", "configuration", "run", "run_no", "node"),
    [
        # contract 2
        pytest.param("sun-ha4/messages", STUDY, None, None, "sun-ha4", id="node: a folder"),
        pytest.param("messages.sun-ha4", STUDY, None, None, "sun-ha4", id="node: a file-name suffix"),
        pytest.param("elm-2/messages", STUDY, None, None, "elm-2", id="node before run: elm-2"),
        pytest.param("tuned/r9/messages", "tuned", None, None, "r9", id="node before run: r9 is a host"),
        pytest.param("tuned/run01/messages", "tuned", "run01", 1, None, id="run01"),
        pytest.param("tuned/run-1/messages", "tuned", "run-1", 1, None, id="run-1"),
        pytest.param("tuned/r1/messages", "tuned", "r1", 1, None, id="r1"),
        pytest.param("tuned/test3/messages", "tuned", "test3", 3, None, id="test3"),
        pytest.param("tuned/trial_2/messages", "tuned", "trial_2", 2, None, id="trial_2"),
        pytest.param("tuned/iter4/messages", "tuned", "iter4", 4, None, id="iter4"),
        pytest.param("tuned/rep5/messages", "tuned", "rep5", 5, None, id="rep5"),
        pytest.param("tuned/RUN 07/messages", "tuned", "RUN 07", 7, None, id="capitals and a blank"),
        pytest.param("tuned/2003-07-28T10:27:04/m", "tuned", "2003-07-28T10:27:04", None, None, id="date-time"),
        pytest.param("tuned/20030728-1027/m", "tuned", "20030728-1027", None, None, id="compact date-time"),
        pytest.param("tuned/2003-07-28/m", "tuned", "2003-07-28", None, None, id="date"),
        pytest.param("nearsync_run03.txt", STUDY, "run03", 3, None, id="file-stem suffix"),
        pytest.param("nearsync_run03.txt.gz", STUDY, "run03", 3, None, id="file-stem suffix, compressed"),
        pytest.param("tuned/3/messages", "tuned", "3", 3, None, id="number directly above the file"),
        pytest.param("tuned/3/sun-ha4/messages", "tuned", "3", 3, "sun-ha4", id="number above the node folder"),
        pytest.param("3/tuned/messages", "3/tuned", None, None, None, id="number elsewhere"),
        pytest.param("tuned/messages.0", "tuned", None, None, None, id="rotation .0"),
        pytest.param("tuned/messages.1.gz", "tuned", None, None, None, id="rotation .1.gz"),
        pytest.param("tuned/messages-20190322", "tuned", None, None, None, id="rotation by date"),
        pytest.param("tuned/messages_run.1", "tuned", None, None, None, id="rotation after a word"),
        pytest.param("tuned/run1/2/messages", "tuned/2", "run1", 1, None, id="several: the one with a word"),
        pytest.param("run1/test2/messages", "run1", "test2", 2, None, id="several: the deepest"),
        pytest.param("2003-07-28/run2/messages", "2003-07-28", "run2", 2, None, id="several: word before date"),
        pytest.param("fcp/tuned/run1/messages", "fcp/tuned", "run1", 1, None, id="folders joined"),
        pytest.param("run1/tuned/messages", "tuned", "run1", 1, None, id="run above the configuration"),
        pytest.param("sun-ha4/tuned/run1/messages", "tuned", "run1", 1, "sun-ha4", id="node above all"),
        pytest.param("run1/messages", STUDY, "run1", 1, None, id="no folder left: the study"),
        # a machine that only uses the service
        pytest.param("tuned/run1/client/pgbench.txt", "tuned", "run1", 1, "client", id="client within a run"),
        pytest.param("tuned/3/loadgen2/log", "tuned", "3", 3, "loadgen2", id="client below a bare number"),
        # reserved names are no configurations, wherever they lie
        pytest.param("tuned/run1/client/sun-ha4/m", "tuned", "run1", 1, "sun-ha4", id="client above a node"),
        pytest.param("client/run1/m", STUDY, "run1", 1, "client", id="client above the runs"),
        pytest.param("tuned/client/m", "tuned", None, None, "client", id="client without runs"),
        pytest.param("client/m", STUDY, None, None, "client", id="client at the top"),
        pytest.param("loadgen/tuned/run1/m", "tuned", "run1", 1, "loadgen", id="client above the configuration"),
        pytest.param("clients/probe2/tuned/m", "tuned", None, None, "probe2", id="client in client"),
        # traps
        pytest.param("fs14-cfs/run1/m", "fs14-cfs", "run1", 1, None, id="fs14-cfs is a configuration"),
        pytest.param("prestart-fs2/m", "prestart-fs2", None, None, None, id="prestart-fs2 is no run"),
        pytest.param("default/m", "default", None, None, None, id="default is no run"),
        pytest.param("sun-ha5/m", "sun-ha5", None, None, None, id="a host that no log mentions is a configuration"),
        pytest.param("7/m", STUDY, "7", 7, None, id="a bare number is no host"),
        pytest.param("test/m", "test", None, None, None, id="a word without a number"),
        pytest.param("run1a/m", "run1a", None, None, None, id="a word with more behind"),
        pytest.param("run٣/m", "run٣", None, None, None, id="digits of other scripts"),
        pytest.param("run99999999999/m", "run99999999999", None, None, None, id="a number too long"),
        pytest.param("2003-13-28/m", "2003-13-28", None, None, None, id="no date"),
        # spellings
        pytest.param("SUN-HA4/m", STUDY, None, None, "sun-ha4", id="host in capitals"),
        pytest.param("sun-ha4.example.com/m", STUDY, None, None, "sun-ha4", id="host fully qualified"),
        pytest.param("birch/m", STUDY, None, None, "birch", id="host short, in logs fully qualified"),
        pytest.param("sun-ha4.old/m", "sun-ha4.old", None, None, None, id="an ending is no domain"),
        pytest.param("sun-ha4_db2diag.log.1", STUDY, None, None, "sun-ha4", id="file-name prefix"),
        pytest.param("m_sun-ha4_run02.log", STUDY, "run02", 2, "sun-ha4", id="file name with both"),
        pytest.param("10.0.0.1/m", STUDY, None, None, "10.0.0.1", id="address"),
        pytest.param("tuned/run1/sun-ha4/var/log/m", "tuned", "run1", 1, "sun-ha4", id="folders of the system"),
        pytest.param("tuned/logs/run1/m", "tuned/logs", "run1", 1, None, id="above the run every folder counts"),
        pytest.param("tuned.tar.gz!/tuned/run1/m", "tuned", "run1", 1, None, id="archive of a folder"),
        pytest.param("tuned/run1.zip!/m", "tuned", "run1", 1, None, id="archive of a run"),
        pytest.param("logs.tar.gz!/tuned/run1/m", "tuned", "run1", 1, None, id="an archive is no configuration"),
        pytest.param("tuned/run1/sun-ha4.tgz!/var/log/m", "tuned", "run1", 1, "sun-ha4", id="archive of a node"),
        pytest.param(
            "tuned/run1/sos-sun-ha4-7x.tar.xz!/sos-sun-ha4-7x/var/log/m", "tuned", "run1", 1, "sun-ha4", id="sos"
        ),
        pytest.param("tuned/run1/x.tar.bz2!/x/m", "tuned", "run1", 1, None, id="top of an archive below the run"),
        pytest.param("nearsync_run03.tar.zst!/m", STUDY, "run03", 3, None, id="suffix of an archive's stem"),
        pytest.param("nearsync_run03.zip!/run01/m", STUDY, "run01", 1, None, id="the deepest, archives or not"),
        pytest.param("tuned/3/logs.zip!/m", "tuned", "3", 3, None, id="number directly above the archive"),
        pytest.param("a.zip!/b.tar.gz!/tuned/run1/m", "tuned", "run1", 1, None, id="archive in an archive"),
        pytest.param("tuned\\run1\\sun-ha4\\m", "tuned", "run1", 1, "sun-ha4", id="folders of Windows"),
        pytest.param("tuned/run1_sun-ha4/m", "tuned", "run1", 1, "sun-ha4", id="run and host in one name"),
        pytest.param("tuned/sun-ha4-run1/m", "tuned", "run1", 1, "sun-ha4", id="host and run in one name"),
        pytest.param("tuned/Test 1 - Client/m", "tuned", "Test 1", 1, "Client", id="run and client in one name"),
        pytest.param("tuned/run1_fast/m", "tuned/run1_fast", None, None, None, id="run and more in one name"),
        pytest.param("tuned/Test 3 - messages", "tuned", "Test 3", 3, None, id="file-stem prefix"),
        pytest.param("tuned/run1_20030728/m", "tuned", "run1_20030728", 1, None, id="run with its date"),
    ],
)
def test_place(path: str, configuration: str, run: str | None, run_no: int | None, node: str | None) -> None:
    found = place(path)
    assert (found.configuration, found.run, found.run_no, found.node) == (configuration, run, run_no, node)


def test_a_folder_of_run_and_node_that_study_toml_declares_stays_whole() -> None:
    assert place("run1_sun-ha4/m", manifest='[configuration."run1_sun-ha4"]').configuration == "run1_sun-ha4"


# --- node ------------------------------------------------------------------------------------------------------------


def test_writer_of_most_lines_is_the_node() -> None:
    found = place("tuned/run1/messages", "sun-ha4.example.com", "sun-ha3")
    assert found.node == "sun-ha4"
    assert "most of its lines" in found.sources["node"]


def test_path_comes_before_the_lines() -> None:
    found = place("sun-ha3/messages", "sun-ha4")
    assert found.node == "sun-ha3"
    assert "sun-ha4" in found.sources["node"]


def test_file_name_and_lines_come_before_the_folder() -> None:
    assert place("sun-ha3/messages.sun-ha4", "sun-ha4").node == "sun-ha4"


@pytest.mark.parametrize(
    ("others", "node"),
    [
        pytest.param([facts("tuned/run1/messages", "sun-ha4")], "sun-ha4", id="one"),
        pytest.param([facts("tuned/run1/a", "sun-ha4"), facts("tuned/run1/b", "sun-ha3")], None, id="two"),
        pytest.param([facts("tuned/run1/a", "sun-ha4"), facts("tuned/run1/sun-ha3/b")], None, id="two, one by folder"),
        pytest.param([facts("tuned/run2/a", "sun-ha4")], None, id="in another run"),
    ],
)
def test_file_of_nobody_takes_the_only_node_of_its_run(others: list[FileHosts], node: str | None) -> None:
    found = place("tuned/run1/iostat.txt", others=tuple(others))
    assert found.node == node
    assert ("only node" in found.sources["node"]) is (node is not None)


@pytest.mark.parametrize(
    ("path", "format_name", "others", "node"),
    [
        pytest.param("probe.csv", "client_probe", [facts("a", "sun-ha4")], None, id="a client borrows from nobody"),
        pytest.param("run1/p.csv", "client_probe", [facts("run1/a", "sun-ha4")], None, id="nor in a run"),
        pytest.param("x.log", "db2diag", [facts("a", "sun-ha4")], "sun-ha4", id="a log of one host lends"),
        pytest.param("x.log", "db2diag", [facts("a", "sun-ha4", "sun-ha3")], None, id="one of several lends to nobody"),
        pytest.param(
            "x.log",
            "db2diag",
            [facts("a", "sun-ha4", "sun-ha3"), facts("b", "sun-ha4")],
            None,
            id="nor does one beside",
        ),
        pytest.param("x.log", "db2diag", [facts("a", "sun-ha4", "SUN-HA4.x.de")], "sun-ha4", id="one of two names"),
        pytest.param("x.log", "db2diag", [facts("a", "sun-ha4", "localhost")], "sun-ha4", id="nobody is no host"),
        pytest.param(
            "x.log", "db2diag", [FileHosts("p", "client_probe", ("pc",), frozenset())], None, id="nor does a client"
        ),
    ],
)
def test_a_file_lends_its_node_where_one_host_wrote_it_and_no_client_borrows(
    path: str, format_name: str, others: list[FileHosts], node: str | None
) -> None:
    files = [FileHosts(path, format_name, (), frozenset()), *others]
    assert assign(STUDY, files, parse(b""))[path].node == node


def test_placeholder_is_no_host() -> None:
    found = place("localhost/run1/messages", "localhost")
    assert (found.node, found.configuration) == (None, "localhost")


def test_one_name_at_two_sites_is_two_nodes() -> None:
    files = [facts("a/m", "db.east.example.com"), facts("b/m", "db.west.example.com")]
    assert [each.node for each in assign(STUDY, files, Manifest()).values()] == [
        "db.east.example.com",
        "db.west.example.com",
    ]


# --- where it was read from ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "path", "own", "others", "source"),
    [
        pytest.param("configuration", "tuned/run1/m", (), (), "folder tuned", id="configuration: a folder"),
        pytest.param("configuration", "fcp/tuned/run1/m", (), (), "folders fcp/tuned", id="configuration: folders"),
        pytest.param(
            "configuration", "run1/m", (), (), "the study's name, as no folder is left for it", id="configuration: none"
        ),
        pytest.param("run", "tuned/run1/m", (), (), "folder run1", id="run: a folder"),
        pytest.param("run", "tuned/m_run1.log", (), (), "file name m_run1", id="run: a file name"),
        pytest.param(
            "run", "run1/test2/m", (), (), "folder test2, before folder run1", id="run: of two, both are reported"
        ),
        pytest.param(
            "run",
            "tuned/m_run3.log",
            (),
            (facts("tuned/run03/m"),),
            "file name m_run3; written as the folder run03",
            id="run: in a folder's spelling",
        ),
        pytest.param(
            "run", "tuned/m", (), (), "no part of its path names one: split into incidents by time", id="run: none"
        ),
        pytest.param(
            "run",
            "tuned/m",
            (),
            (facts("tuned/run1/m"),),
            "above the runs: applies to all runs of tuned",
            id="run: above the runs",
        ),
        pytest.param("node", "sun-ha4/m", (), (), "folder sun-ha4", id="node: a folder"),
        pytest.param("node", "m.sun-ha4", (), (), "file name m.sun-ha4", id="node: a file name"),
        pytest.param("node", "m", ("sun-ha4",), (), "its lines, all of one host", id="node: lines"),
        pytest.param(
            "node",
            "m",
            ("sun-ha4", "sun-ha3"),
            (),
            "most of its lines: 2 hosts write into it, and each line is its writer's",
            id="node: most lines",
        ),
        pytest.param(
            "node",
            "sun-ha3/m",
            ("sun-ha4",),
            (),
            "folder sun-ha3, although its lines are by sun-ha4",
            id="node: a folder against the lines",
        ),
        pytest.param(
            "node",
            "m.sun-ha3",
            ("sun-ha4",),
            (),
            "file name m.sun-ha3, although its lines are by sun-ha4",
            id="node: a file name against the lines",
        ),
        pytest.param(
            "node",
            "sun-ha3/m.sun-ha4",
            ("sun-ha4",),
            (),
            "file name m.sun-ha4, as its lines say, against folder sun-ha3",
            id="node: name and lines against the folder",
        ),
        pytest.param(
            "node",
            "tuned/run1/x",
            (),
            (facts("tuned/run1/m", "sun-ha4"),),
            "the only node with logs in the same run; it names none itself",
            id="node: the only one of the run",
        ),
        pytest.param(
            "node",
            "tuned/run1/x",
            (),
            (facts("tuned/run1/m", "sun-ha4"), facts("tuned/run1/n", "sun-ha3")),
            "neither its path nor the head of a line says whose it is; 2 nodes have logs in the same run",
            id="node: one of two",
        ),
        pytest.param(
            "node", "tuned/x", (), (), "neither its path nor the head of a line says whose it is", id="node: none"
        ),
    ],
)
def test_each_part_of_a_place_says_what_it_was_read_from(
    key: str, path: str, own: tuple[str, ...], others: tuple[FileHosts, ...], source: str
) -> None:
    assert place(path, *own, others=others).sources[key] == source


def test_a_configuration_that_the_manifest_names_is_reported_as_such() -> None:
    found = place("fcp/run1/m", manifest="[configuration.fcp]")
    assert found.sources["configuration"] == "folder fcp, a configuration in study.toml"


@given(st.lists(st.sampled_from(["run1", "3", "sun-ha4", "tuned", "2003-07-28"]), max_size=4), st.booleans())
def test_every_part_of_every_place_has_its_source(folders: list[str], is_written: bool) -> None:  # noqa: FBT001  drawn
    found = place("/".join([*folders, "messages"]), *(["sun-ha3"] if is_written else []))
    assert all(found.sources[key] for key in ("configuration", "run", "node"))


# --- runs and manifest -----------------------------------------------------------------------------------------------


def test_file_above_the_runs_applies_to_all_below() -> None:
    below = (facts("fcp/tuned/run1/m"), facts("nfs/m"))
    for path, scope in (("main.cf", ""), ("fcp/llttab", "fcp"), ("fcp/tuned/sun-ha4/gabtab", "fcp/tuned")):
        found = place(path, others=below)
        assert (found.run, found.sources["scope"]) == (None, scope)
        assert found.sources["run"].startswith("above the runs")


def test_group_without_runs_is_left_to_incidents() -> None:
    found = place("nfs/messages", others=(facts("fcp/tuned/run1/m"),))
    assert found.run is None
    assert "incidents" in found.sources["run"]
    assert "scope" not in found.sources


def test_run_of_a_file_name_is_the_folder_of_that_number() -> None:
    assert place("tuned/nearsync_run3.txt", others=(facts("tuned/run03/m"),)).run == "run03"
    assert place("tuned/nearsync_test3.txt", others=(facts("tuned/run03/m"),)).run == "test3"
    assert place("tuned/run3/m", others=(facts("tuned/run03/m"),)).run == "run3"


def test_runs_of_several_kinds_are_of_several_configurations() -> None:
    files = [facts(f"pg/{name}/m") for name in ("Failover Test 1 (Mo)", "Failover Test 2", "Switchover Test 1")]
    found = [(each.configuration, each.run) for each in assign(STUDY, files, Manifest()).values()]
    assert found == [
        ("pg/Failover", "Failover Test 1 (Mo)"),
        ("pg/Failover", "Failover Test 2"),
        ("pg/Switchover", "Switchover Test 1"),
    ]
    assert {each.configuration for each in assign(STUDY, files[:2], Manifest()).values()} == {"pg"}


def test_override_wins() -> None:
    manifest = '[[files]]\nmatch = "a/run1/*"\nconfiguration = "tuned"\nrun = 3\nnode = "oak"'
    found = place("a/run1/sun-ha4.log", manifest=manifest, others=(facts("tuned/run03/m"), facts("b/oak/m")))
    assert (found.configuration, found.run, found.run_no, found.node) == ("tuned", "run03", 3, "oak")
    declared = 'study.toml, [[files]] match = "a/run1/*"'
    assert dict(found.sources) == {
        "configuration": declared,
        "run": f"{declared}; written as the folder run03",
        "node": declared,
    }


def test_node_of_the_manifest_is_a_host() -> None:
    found = place("OAK/messages", manifest="[node.Oak]")
    assert (found.node, found.configuration) == ("Oak", STUDY)


def test_configuration_of_the_manifest_is_no_run_and_no_host() -> None:
    assert place("r1/run2/m", manifest="[configuration.r1]").configuration == "r1"
    assert place("fcp/sun-ha4/run2/m", manifest='[configuration."fcp/sun-ha4"]').configuration == "fcp/sun-ha4"


# --- archives --------------------------------------------------------------------------------------------------------


def configurations(*paths: str, own: str = "sun-ha4") -> list[str]:
    files = [facts(path, own) for path in paths]
    found = assign(STUDY, files, Manifest())
    return [found[path].configuration for path in paths]


def test_archives_side_by_side_with_the_same_run_of_a_node_are_configurations() -> None:
    assert configurations("default.tar.gz!/run01/m", "tuned.tar.gz!/run01/m", "tuned.tar.gz!/main.cf") == [
        "default", "tuned", "tuned",
    ]  # fmt: skip


def test_archives_with_other_runs_are_parts_of_one_configuration() -> None:
    assert configurations("first.zip!/run01/m", "second.zip!/run02/m") == [STUDY, STUDY]


def test_archives_of_two_nodes_are_parts_of_one_configuration() -> None:
    files = [facts("a.zip!/run01/m", "sun-ha3"), facts("b.zip!/run01/m", "sun-ha4")]
    assert {each.configuration for each in assign(STUDY, files, Manifest()).values()} == {STUDY}


def test_archives_that_have_no_runs_are_parts_of_one_configuration() -> None:
    assert configurations("monday.zip!/m", "tuesday.zip!/m") == [STUDY, STUDY]


def test_archive_that_study_toml_names_is_a_configuration() -> None:
    assert place("tuned.tar.gz!/run01/m", manifest="[configuration.tuned]").configuration == "tuned"


# --- robustness ------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["run1", "sun-ha4", "messages.sun-ha4.1.gz", "3", "..", "!", "a.zip!", "tuned", "2003-07-28", "\n"]
)
PATHS = st.lists(WORDS | st.text(min_size=1, max_size=12), min_size=1, max_size=5).map("/".join)


@given(
    st.lists(st.tuples(PATHS, st.lists(st.sampled_from(HOSTS) | st.text(max_size=6), max_size=2)), max_size=6),
    st.randoms(),
)
def test_any_path_has_a_place_in_any_order(paths: list[tuple[str, list[str]]], chance: random.Random) -> None:
    files = [facts(path, *own) for path, own in dict(paths).items()]
    found = assign(STUDY, files, Manifest())
    assert set(found) == {each.path for each in files}
    assert all(each.configuration for each in found.values())
    chance.shuffle(files)
    assert assign(STUDY, files, Manifest()) == found


def test_long_names_end_soon() -> None:
    assert place("/".join(["a-" * 120] * 200)).run is None
