"""Names of files and folders: globs, parts of paths, bundles of support."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.discovery.bundles import bundles, refusals
from pipeline.discovery.globs import matches
from pipeline.discovery.path_parts import Folder, parts, stem, without_archives


def tops(*paths: str) -> set[str]:
    read = [(tuple(each.name for each in parts(path)[0]), parts(path)[1]) for path in paths]
    return {"/".join(each) for each in bundles(read)}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param(["a/x/sos_commands/date/date", "a/x/var/log/messages"], {"a/x"}, id="sos"),
        pytest.param(["a/x/analysis.txt", "a/x/members.txt", "a/x/n1/ha-log.txt"], {"a/x"}, id="crm report"),
        pytest.param(["a/x/etc/VRTSvcs/conf/sysname", "a/x/var/VRTSvcs/log/engine_A.log"], {"a/x"}, id="hagetcf"),
        pytest.param(["x/DB2DUMP/db2diag.log", "x/DB2CONFIG/db2nodes.cfg"], {"x"}, id="db2support"),
        pytest.param(["x/nodes.json", "x/default/events.json", "x/default/pg-0/logs.txt"], {"x"}, id="kubernetes"),
        pytest.param(["x/img/cluster-scoped-resources/core/nodes/n1.yaml"], {"x/img"}, id="must-gather"),
        pytest.param(["default/run01/n1/messages", "default/description.txt", "nodes.json"], set(), id="a study"),
        pytest.param(["n1/var/VRTSvcs/log/engine_A.log", "n1/etc/llttab"], set(), id="a copied tree"),
    ],
)
def test_tops_of_bundles(paths: list[str], expected: set[str]) -> None:
    assert tops(*paths) == expected


def test_what_a_collector_did_itself_is_not_read() -> None:
    paths = ["x/sos_commands/host/hostname", "x/sos_logs/sos.log", "x/sos_reports/sos.txt", "x/var/log/messages"]
    assert set(refusals(paths)) == {"x/sos_logs/sos.log", "x/sos_reports/sos.txt"}
    assert set(refusals(["x/sos_logs/sos.log", "x/messages"])) == set()  # no sos report around it


@pytest.mark.parametrize(
    ("path", "glob", "is_match"),
    [
        ("a/b/iostat1.txt", "iostat*.txt", True),
        ("a/b/iostat1.txt", "a/*.txt", False),
        ("a/b/iostat1.txt", "a/*/*.txt", True),
        ("a/b/iostat1.txt", "a/**", True),
        ("a/iostat1.txt", "a/**/iostat?.txt", True),
        ("a/b/c/iostat1.txt", "**/iostat[0-9].txt", True),
        ("iostatx.txt", "iostat[!0-9].txt", True),
        ("iostat1.txt", "iostat[!0-9].txt", False),
        ("iostat1.txt", "IOSTAT*", False),
        ("iostat1xtxt", "iostat1.txt", False),
        ("run[1].txt", "run[[]1].txt", True),
        ("a.tar.gz!/b/m", "a.tar.gz!/**", True),
        ("a.tar.gz!/run01/m", "run01/*", True),
        ("default/a.tar.gz!/run01/m", "default/run01/*", True),
        ("a/iostat1.txt.gz", "iostat?.txt", True),
        ("a/iostat1.txt.gz", "iostat1.txt.gz", True),
        ("a/iostat1.txt.gz", "a/iostat1.txt", True),
        ("a.gz/iostat1.txt", "a/iostat1.txt", False),
        ("z-a", "[z-a]", False),
    ],
)
def test_glob(path: str, glob: str, is_match: bool) -> None:  # noqa: FBT001  a table of cases
    assert matches(path, glob) is is_match


@pytest.mark.parametrize(
    ("path", "is_match"), [("+.log", True), (",.log", True), ("-.log", True), ("*.log", False), ("..log", False)]
)
def test_a_range_that_ends_with_a_hyphen(path: str, is_match: bool) -> None:  # noqa: FBT001  a table of cases
    assert matches(path, "[+--].log") is is_match


@given(st.text(max_size=20), st.text("[]!*?-\\/ab^&~|", max_size=12))
def test_no_glob_raises(path: str, glob: str) -> None:
    assert matches(path, glob) in (True, False)


@pytest.mark.parametrize(
    ("archive", "name"),
    [
        (f"default{ending}!", "default")
        for ending in (".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst",
                       ".zip", ".TAR.GZ", ".gz", "")
    ] + [("a.b!", "a.b"), ("!", "!")],
)  # fmt: skip
def test_name_of_an_archive(archive: str, name: str) -> None:
    assert stem(archive) == name


def test_an_archive_is_a_folder_that_knows_it() -> None:
    assert parts("x/a.zip!/b/m") == ((Folder("x"), Folder("a", "x/a.zip!"), Folder("b")), "m")


def test_an_archive_and_the_folder_of_its_name_at_its_top_are_one() -> None:
    assert parts("a.tar.gz!/a/b/m") == ((Folder("a", is_top=True), Folder("b")), "m")


def test_paths_as_if_unpacked() -> None:
    assert without_archives("x/a.zip!/b.tgz!/c/m") == "x/c/m"
    assert without_archives("x!y/m!") == "x!y/m!"


@pytest.mark.parametrize(
    ("path", "folders"),
    [
        pytest.param("a.zip!/x\\run1\\m", ["a", "x", "run1"], id="archive of Windows"),
        pytest.param("Gr\\xf6\\xdfe 1/m", ["Gr\\xf6\\xdfe 1"], id="bytes that are no UTF-8"),
        pytest.param("a.zip!/Gr\\xf6\\run1\\xa\\m", ["a", "Gr\\xf6", "run1", "xa"], id="both"),
    ],
)
def test_a_byte_of_a_name_ends_no_folder(path: str, folders: list[str]) -> None:
    assert [each.name for each in parts(path)[0]] == folders
