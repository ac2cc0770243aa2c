"""A version that is one: no two programs that differ have the same."""

import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.version import CODE, RELEASE, version_of

SETTINGS = ("user.name=a", "user.email=a@example.org", "commit.gpgsign=false", "tag.gpgsign=false")


def git(folder: Path, *arguments: str) -> str:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    who = [word for each in SETTINGS for word in ("-c", each)]
    said = subprocess.run(["git", "-C", folder, *who, *arguments], check=True, capture_output=True, text=True)
    return said.stdout.strip()


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    for name in CODE:
        (folder / name).mkdir(parents=True)
        (folder / name / "module.py").write_text("")
    return folder


def test_tag_commit_change_and_archive_are_told_apart(sources: Path) -> None:
    archive = version_of(sources)
    assert archive.startswith(f"{RELEASE}+d")
    git(sources, "init", "-q")
    git(sources, "add", ".")
    git(sources, "commit", "-qm", "One")
    before = version_of(sources)
    assert before == f"{RELEASE}.dev1+g{git(sources, 'rev-parse', 'HEAD')[:9]}"
    git(sources, "tag", f"v{RELEASE}")
    assert version_of(sources) == RELEASE
    (sources / "reports" / "new.py").write_text("1")
    changed = version_of(sources)
    assert changed.startswith(f"{RELEASE}+g")
    git(sources, "add", ".")
    git(sources, "commit", "-qm", "Two")
    later = version_of(sources)
    assert later == f"{RELEASE}.dev1+g{git(sources, 'rev-parse', 'HEAD')[:9]}"
    (sources / "notes.txt").write_text("no code")
    assert version_of(sources) == later
    assert len({archive, before, RELEASE, changed, later}) == 5


def test_the_repository_of_something_else_says_nothing(sources: Path) -> None:
    archive = version_of(sources)
    git(sources.parent, "init", "-q")
    git(sources.parent, "add", ".")
    git(sources.parent, "commit", "-qm", "One")
    assert version_of(sources) == archive
