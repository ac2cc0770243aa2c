"""A report folder is the old one or the new one, as a whole; what others put into it stays."""

import threading
from pathlib import Path

import duckdb
import pytest

from pipeline import scratch
from pipeline.errors import StoreError
from pipeline.store.sole_writer import sole_writer
from reports.document.folder import changed_files, rebuilt


def write(place: Path, version: str, *further: str) -> None:
    with rebuilt(place) as new:
        for name in ("haledger.duckdb", "report.pdf", "tables/a.csv", *further):
            (new / name).parent.mkdir(exist_ok=True)
            if (new / name).exists():
                (new / name).unlink()  # a store is replaced, never changed in place
            (new / name).write_text(version)


def content(place: Path) -> dict[str, str]:
    files = [each for each in sorted(place.rglob("*")) if each.is_file() and each.name != ".haledger"]
    return {each.relative_to(place).as_posix(): each.read_text() for each in files}


OLD = {"haledger.duckdb": "1", "report.pdf": "1", "tables/a.csv": "1"}
NEW = dict.fromkeys(OLD, "2")


@pytest.fixture(params=["exchanged", "renamed", "one by one"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report folder on each kind of system."""
    if request.param == "renamed":
        monkeypatch.setattr(scratch, "_exchanged", lambda _new, _place: False)
    if request.param == "one by one":
        monkeypatch.setattr("os.path.ismount", lambda _place: True)
        (tmp_path / "out").mkdir()
    return tmp_path / "out"


def test_folder_is_replaced_and_nothing_is_left_beside_it(place: Path) -> None:
    write(place, "1", "tables/gone.csv")
    write(place, "2")
    assert content(place) == NEW
    assert changed_files(place) == []
    assert [each.name for each in place.parent.iterdir()] == ["out"]


def test_failure_leaves_the_old_folder(place: Path) -> None:
    write(place, "1")

    def fail() -> None:
        with rebuilt(place) as new:
            (new / "report.pdf").write_text("half")
            raise StoreError(f"{new}/report.pdf: cannot be written")

    with pytest.raises(StoreError, match=f"{place}/report.pdf: cannot be written"):
        fail()
    assert content(place) == OLD
    assert [each.name for each in place.parent.iterdir()] == ["out"]


def test_what_others_put_into_the_folder_stays(place: Path) -> None:
    write(place, "1")
    (place / "notes.txt").write_text("mine")
    (place / "tables" / "more").mkdir()
    (place / "tables" / "more" / "own.md").write_text("mine")
    write(place, "2")
    assert content(place) == NEW | {"notes.txt": "mine", "tables/more/own.md": "mine"}
    assert changed_files(place) == []


def test_what_a_killed_report_had_moved_away_comes_back(place: Path) -> None:
    write(place, "1")
    left = place.with_name("out.tmp-99999999")
    left.mkdir()
    (left / "notes.txt").write_text("mine")
    (left / "report.pdf").write_text("old")
    write(place, "2")
    assert content(place) == NEW | {"notes.txt": "mine"}
    assert not left.exists()


def test_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to("disk/report")
    write(tmp_path / "out", "1")
    write(tmp_path / "out", "2")
    assert (tmp_path / "out").is_symlink()
    assert content(tmp_path / "disk" / "report") == NEW


def test_second_writer_is_refused_or_waits(tmp_path: Path) -> None:
    place = tmp_path / "out"
    with sole_writer(place), pytest.raises(StoreError, match="being written by another"), rebuilt(place):
        pass
    held, released = threading.Event(), threading.Event()

    def hold() -> None:
        with sole_writer(place):
            held.set()
            released.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    threading.Timer(0.2, released.set).start()
    with rebuilt(place, wait_s=60) as new:
        (new / "report.pdf").write_text("1")
    holder.join()
    assert content(place) == {"report.pdf": "1"}


def test_change_after_writing_is_found(tmp_path: Path) -> None:
    write(tmp_path / "out", "1")
    (tmp_path / "out" / "report.pdf").write_text("2")
    (tmp_path / "out" / "tables" / "a.csv").unlink()
    assert changed_files(tmp_path / "out") == ["report.pdf: changed", "tables/a.csv: missing"]
    marker = tmp_path / "out" / ".haledger"
    one_bit = marker.read_bytes().replace(b"tables", b"uables", 1)
    for unreadable in (b"", b"{", b"\xff", b"[" * 100_000, b'{"files": []}', one_bit):
        marker.write_bytes(unreadable)
        assert changed_files(tmp_path / "out") == [".haledger: changed"]
    marker.unlink()
    assert changed_files(tmp_path / "out") is None


def test_change_of_a_store_is_found_whatever_it_says_of_its_sources(tmp_path: Path) -> None:
    store = tmp_path / "out" / "haledger.duckdb"
    with rebuilt(store.parent) as new, duckdb.connect(str(new / store.name)) as con:
        con.execute(
            "create table source_file as select 'messages' as path, 'a1' as sha256, 'parsed' as status, 1 as rows"
        )
    assert changed_files(store.parent) == []
    with duckdb.connect(str(store)) as con:
        con.execute("create table milestone as select 1 as seconds")
    assert changed_files(store.parent) == ["haledger.duckdb: changed"]
