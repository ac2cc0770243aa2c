"""The built wheel carries everything, adds one name, and works from another folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("haledger-*.whl")
    target = folder / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(target), str(wheel)], check=True, capture_output=True)
    return target


def run_installed(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "haledger", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_only_one_name_lands_in_site_packages(site: Path) -> None:
    names = {each.name for each in site.iterdir() if each.name != "bin"}
    packages = {name for name in names if not name.endswith(".dist-info")}
    assert packages == {"haledger"}
    assert len(names) == 2


def test_wheel_holds_every_file_of_the_code_folders(site: Path) -> None:
    for folder in ("parsers", "pipeline", "reports"):
        tracked = {
            each.relative_to(ROOT).as_posix()
            for each in (ROOT / folder).rglob("*")
            if each.is_file() and "__pycache__" not in each.parts
        }
        packed = {
            each.relative_to(site / "haledger" / "_app").as_posix()
            for each in (site / "haledger" / "_app" / folder).rglob("*")
            if each.is_file() and "__pycache__" not in each.parts
        }
        assert packed == tracked


def test_installed_copy_reads_a_study_from_another_folder(site: Path, tmp_path: Path) -> None:
    version = run_installed(site, tmp_path, "--version")
    assert version.returncode == 0
    assert version.stdout.startswith("haledger ")
    study = ROOT / "samples" / "failover-modern"
    ingest = run_installed(site, tmp_path, "ingest", str(study), "--db", "store.duckdb")
    assert (ingest.returncode, ingest.stderr.count("Traceback")) == (0, 0), ingest.stderr
    rows = run_installed(
        site, tmp_path, "sql", "--db", "store.duckdb", "--format", "csv", "select count(*) as n from run"
    )
    assert int(rows.stdout.splitlines()[1]) > 0
