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
