"""Folders as people keep them give the numbers of the sample that they were made from."""

import gzip
import io
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from samples.files import SAMPLES, unpack
from tests.support.same_numbers import numbers

NUMBERS = {
    "run": "fault_at, fault_at_low, fault_at_high, fault_source, lost_node, surviving_node, used, flags",
    "milestone": 'stack, milestone, "at", elapsed_s, elapsed_low_s, elapsed_high_s, resolution_s',
    "phase": "phase, start_s, end_s",
    "measurement": "metric, unit, value",
}
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for each in sorted(folder.iterdir()):
        yield each.name, each.read_bytes()


def zipped(names: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    return held.getvalue()


def in_tar(path: Path, name: str, content: bytes) -> None:
    with tarfile.open(path, "w") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))


def make_messy(study: Path, source: Path) -> None:
    """Two runs with blanks and umlauts, copies, a zip in a tar, UTF-16, a cut gz, and nodes called A and B."""
    for number, run in enumerate(("run01", "run02"), 1):
        folder = study / f"Failover Test {number} (Mo)"
        for machine, called in (("node1", "A"), ("node2", "B"), ("client", "Client Rechner")):
            (folder / called).mkdir(parents=True)
            for name, content in files(source / run / machine):
                put(folder / called, machine, name, content)
        (folder / "Bildschirmfoto um 10.22.33.png").write_bytes(PNG)
    (study / "Notizen für Jürgen.txt").write_text("Stecker gezogen.\nSieht gut aus.\n", encoding="utf-8")
    (study / "Thumbs.db").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(3000))
    shutil.copytree(study / "Failover Test 1 (Mo)", study / "alt" / "Failover Test 1 (Mo)")


def put(folder: Path, machine: str, name: str, content: bytes) -> None:
    match machine, name:
        case "node1", "corosync.log":
            (folder / "corosync vom Über.log").write_bytes(content.decode().encode("utf-16"))
        case "node1", "pacemaker.log":
            for copy in ("pacemaker.log", "pacemaker - Kopie.log"):
                (folder / copy).write_bytes(content)
            (folder / ".pacemaker.log.swp").write_bytes(b"b0VIM 8.2" + bytes(4000) + content[:2000])
        case "node2", "postgresql.log":
            in_tar(folder / "Logs größer.tar", "pg logs.zip", zipped({"Prüfung/postgresql.log": content}))
        case "node2", "vmstat.txt":
            whole = gzip.compress(content)
            (folder / "vmstat.txt.gz").write_bytes(whole[: len(whole) * 3 // 4])
        case _:
            (folder / name).write_bytes(content)


def test_messy_folder_gives_the_numbers_of_the_clean_one(tmp_path: Path) -> None:
    for run in ("run01", "run02"):
        unpack("pacemaker-postgresql", tmp_path, f"baseline/{run}/")
    make_messy(tmp_path / "Messordner Müller", tmp_path / "baseline")
    ingest(tmp_path / "baseline", tmp_path / "clean.duckdb")
    ingest(tmp_path / "Messordner Müller", tmp_path / "messy.duckdb")
    expected = numbers(tmp_path / "clean.duckdb", NUMBERS)
    assert all(expected.values())
    assert numbers(tmp_path / "messy.duckdb", NUMBERS) == expected


def of_node(place: Callable[[int, str, str], str]) -> Callable[[Path], None]:
    """Writes two failovers with files where `place` puts them, by run, node (A, B) and name."""

    def write(study: Path) -> None:
        source = SAMPLES / "failover-2004" / "default"
        for number, run in enumerate(("run01", "run02"), 1):
            for machine, called in (("sun-ha3", "A"), ("sun-ha4", "B")):
                for name, content in files(source / run / machine):
                    path = study / place(number, called, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)

    return write


def of_archive(place: Callable[[int, str], str], folder: str) -> Callable[[Path], None]:
    def write(study: Path) -> None:
        source = SAMPLES / "failover-2004" / "default"
        for number, run in enumerate(("run01", "run02"), 1):
            for machine, called in (("sun-ha3", "A"), ("sun-ha4", "B")):
                path = study / place(number, called)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(
                    zipped({f"{folder}{name}": content for name, content in files(source / run / machine)})
                )

    return write


def marked(name: str, mark: str) -> str:
    stem, dot, ending = name.partition(".")
    return f"{stem}_{mark}{dot}{ending}"


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[object, ...]]]:
    folder = tmp_path_factory.mktemp("failovers")
    for run in ("run01", "run02"):
        shutil.copytree(SAMPLES / "failover-2004" / "default" / run, folder / "study" / run)
    ingest(folder / "study", folder / "clean.duckdb")
    return numbers(folder / "clean.duckdb", NUMBERS)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(of_archive(lambda run, node: f"Server {node}/Test{run}.zip", "var/log/"), id="a zip a test"),
        pytest.param(of_archive(lambda run, node: f"Test{run}_Server {node}.zip", ""), id="a zip a test and node"),
        pytest.param(of_node(lambda run, node, name: f"Test{run}_Server {node}/{name}"), id="a folder a test and node"),
        pytest.param(of_node(lambda run, node, name: f"Test {run} - {node} - {name}"), id="all in the file names"),
        pytest.param(of_node(lambda run, node, name: f"2003-07-2{run} Test früh/{node}/{name}"), id="dates with words"),
        pytest.param(
            of_node(lambda run, node, name: f"{run}. Versuch/Server {node} (10.1.1.{run})/{name}"), id="ordinals"
        ),
        pytest.param(of_node(lambda run, node, name: f"Failover {run}/{marked(name, node)}"), id="marks in file names"),
    ],
)
def test_where_files_lie_changes_no_number(
    write: Callable[[Path], None], expected: dict[str, list[tuple[object, ...]]], tmp_path: Path
) -> None:
    write(tmp_path / "study")
    ingest(tmp_path / "study", tmp_path / "found.duckdb")
    assert expected["milestone"]
    assert numbers(tmp_path / "found.duckdb", NUMBERS) == expected
