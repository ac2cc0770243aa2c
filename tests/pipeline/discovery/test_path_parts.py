"""Folders, archives and the file's name. What they mean for run and node is shown in test_assignment.py."""

import pytest

from pipeline.discovery.path_parts import Folder, parts, stem, without_archives


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
