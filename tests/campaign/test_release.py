"""Releases and versions, tried in clones of this repository."""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import duckdb
import pypdf
import pytest

from docs.release import CHANGELOG, PLACEHOLDER
from pipeline.version import RELEASE

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "failover-2004"
WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "a"), ("EMAIL", "a@example.org"))
}
ENVIRONMENT = {**os.environ, **WHO, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
RELEASING = (sys.executable, "-m", "docs.release")
LOG = "2026-03-01 10:00:00 host app[1]: started\n2026-03-01 10:00:05 host app[1]: error: connection refused\n"


def attempt(folder: Path, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = ENVIRONMENT | variables
    return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)


def run(folder: Path, *command: str | Path, **variables: str) -> str:
    said = attempt(folder, *command, **variables)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of the last commit, in which the owner has decided on the addresses."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no git checkout to clone")
    folder = tmp_path / "clone"
    run(ROOT, "git", "clone", "--quiet", "--no-tags", ROOT, folder)
    project = folder / "pyproject.toml"
    project.write_text(re.sub(rf"(?m)^(\w+ = \"https.*){PLACEHOLDER}", r"\1someone", project.read_text()))
    (folder / "changes" / "a.md").write_text("New\n\n- `haledger new`: what it does.\n")
    commit(folder, "Decide on the addresses")
    return folder


def commit(folder: Path, subject: str) -> None:
    run(folder, "git", "add", ".")
    run(folder, "git", "commit", "--quiet", "--message", subject)


def contents(folder: Path) -> dict[Path, bytes]:
    return {each.relative_to(folder): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def built(folder: Path, *target: str) -> dict[str, bytes]:
    shutil.rmtree(folder / "dist", ignore_errors=True)
    run(folder, sys.executable, "-m", "hatchling", "build", "-d", "dist", *target)
    return {each.name: each.read_bytes() for each in (folder / "dist").iterdir()}


def test_a_release_is_one_command_and_a_second_one_has_the_same_bytes(clone: Path, tmp_path: Path) -> None:
    run(clone, *RELEASING)
    changelog = (clone / CHANGELOG.name).read_text()
    assert f"\n## {RELEASE} – 2" in changelog
    assert "- `haledger new`: what it does.\n" in changelog
    assert "## Unreleased" not in changelog
    assert PLACEHOLDER not in (clone / "SECURITY.md").read_text() + (clone / "CITATION.cff").read_text()
    files = built(clone)
    assert sorted(files) == [f"haledger-{RELEASE}-py3-none-any.whl", f"haledger-{RELEASE}.tar.gz"]

    tagged = run(clone, "git", "rev-parse", "HEAD")
    run(clone, *RELEASING)
    assert run(clone, "git", "rev-parse", "HEAD") == tagged
    run(clone, "git", "clone", "--quiet", clone, tmp_path / "second")
    run(tmp_path / "second", *RELEASING, "--check")
    assert built(tmp_path / "second") == files

    with tarfile.open(fileobj=io.BytesIO(files[f"haledger-{RELEASE}.tar.gz"])) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / f"haledger-{RELEASE}"
    assert built(unpacked, "-t", "wheel").items() <= files.items()
    readme = (unpacked / "PKG-INFO").read_text()
    assert f"](https://github.com/someone/haledger/raw/v{RELEASE}/docs/images/course.png)" in readme
    assert "](docs/" not in readme

    commit_of_today = clone / "reports" / "later.py"
    commit_of_today.write_text("")
    assert "commit them first" in attempt(clone, *RELEASING).stderr
    commit(clone, "Later")
    assert "no number is used again" in attempt(clone, *RELEASING).stderr


def test_nothing_is_released_while_the_owner_has_not_decided(clone: Path) -> None:
    project = clone / "pyproject.toml"
    project.write_text(project.read_text().replace("someone", PLACEHOLDER))
    commit(clone, "Take it back")
    run(clone, "git", "tag", f"v{RELEASE}")
    for more in ((), ("--check",)):
        refused = attempt(clone, *RELEASING, *more)
        assert (refused.returncode, "write the addresses" in refused.stderr) == (1, True)
    run(clone, "git", "tag", "--delete", f"v{RELEASE}")
    fragment = clone / "changes" / "long.md"
    fragment.write_text("Fixed\n\n" + "- `old`.\n" * 250)
    commit(clone, "A story")
    assert "shorten it" in attempt(clone, *RELEASING, "--cut").stderr
    fragment.unlink()
    commit(clone, "Shorter")
    run(clone, *RELEASING, "--cut")
    assert f"\n## {RELEASE} – 2" in (clone / CHANGELOG.name).read_text()
    assert run(clone, "git", "tag", "--list") == ""


def test_wheels_of_a_change_a_tag_a_later_commit_and_an_archive_differ(clone: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    run(clone, "git", "archive", "--output", archive.with_suffix(".tar"), "HEAD")
    run(archive, "tar", "-xf", archive.with_suffix(".tar"))
    wheels = {"archive": built(archive, "-t", "wheel")}
    run(clone, "git", "tag", f"v{RELEASE}")
    wheels["tag"] = built(clone, "-t", "wheel")
    (clone / "reports" / "more.py").write_text("")
    wheels["change"] = built(clone, "-t", "wheel")
    commit(clone, "Later")
    wheels["commit"] = built(clone, "-t", "wheel")
    code = run(clone, "git", "ls-files", "parsers", "pipeline", "reports", ":!reports/more.py").splitlines()

    study = tmp_path / "study"
    study.mkdir()
    (study / "app.log").write_text(LOG)
    versions = {}
    for name, files in wheels.items():
        ((wheel, content),) = files.items()
        place = tmp_path / name / "site"
        place.mkdir(parents=True)
        (place.parent / wheel).write_bytes(content)
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps")
        run(place, *pip, "--target", place, place.parent / wheel)
        assert {each.name for each in place.iterdir() if each.suffix != ".dist-info"} == {"haledger", "bin"}
        installed = place / "haledger" / "_app"
        assert [each for each in code if not (installed / each).is_file()] == []
        shutil.unpack_archive(installed / "samples" / f"{SAMPLE.name}.tar.xz", place.parent / "sample", filter="data")
        assert contents(place.parent / "sample") == contents(SAMPLE)
        haledger = (sys.executable, "-m", "haledger")
        versions[name] = run(place.parent, *haledger, "--version", PYTHONPATH=str(place)).removeprefix("haledger ")
        run(place.parent, *haledger, "report", study, "-o", "report", PYTHONPATH=str(place))
        report = place.parent / "report"
        with duckdb.connect(report / "haledger.duckdb", read_only=True) as store:
            assert store.sql("select haledger_version from store_info").fetchall() == [(versions[name],)]
        assert f"haledger {versions[name]}" in (report / "report.html").read_text()
        paper = pypdf.PdfReader(report / "report.pdf")
        assert paper.metadata is not None
        assert versions[name] in str(paper.metadata.creator)
        assert versions[name] in "".join("".join(page.extract_text() for page in paper.pages).split())
    assert versions["tag"] == RELEASE
    assert versions["commit"].startswith(f"{RELEASE}.dev1+g")
    assert versions["change"].startswith(f"{RELEASE}+g")
    assert versions["archive"].startswith(f"{RELEASE}+d")
