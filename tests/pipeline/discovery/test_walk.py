import io
import os
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from pipeline.discovery import containers
from pipeline.discovery.compression import LIMITS
from pipeline.discovery.containers import identity_of
from pipeline.discovery.entry_names import REPORT_MARKER
from pipeline.discovery.source import Source
from pipeline.discovery.walk import ENTRY_BYTES, LEAST_ENTRIES, Discovery, discover, most_entries
from pipeline.errors import InputError


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")


def paths(found: Discovery) -> list[str]:
    return [each.path for each in found.sources]


def reasons(found: Discovery) -> dict[str, str]:
    return {each.path: each.reason for each in found.skipped}


def test_files_come_in_the_order_of_their_paths_in_any_order_of_the_folder(tmp_path: Path) -> None:
    make(tmp_path, "b/z.log", "a.log", "b.log", "b/a.log")
    assert paths(discover(tmp_path)) == ["a.log", "b.log", "b/a.log", "b/z.log"]


def test_a_support_bundle_counts_no_line_twice(tmp_path: Path) -> None:
    bundle = ("analysis.txt", "members.txt", "db01/pacemaker.log", "db01/pengine/pe-input-12.bz2", "db01/cib.xml")
    make(tmp_path, *(f"crm_report-Tue/{each}" for each in bundle), "other/analysis.txt", "other/pe-input-3.xml")
    found = discover(tmp_path)
    assert paths(found) == [
        *(f"crm_report-Tue/{each}" for each in ("db01/cib.xml", "db01/pacemaker.log", "members.txt")),
        *("other/analysis.txt", "other/pe-input-3.xml"),
    ]
    assert set(reasons(found)) == {"crm_report-Tue/analysis.txt", "crm_report-Tue/db01/pengine/pe-input-12.bz2"}


def test_a_single_file_is_a_study_of_one_file(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "b.log")
    assert paths(discover(tmp_path / "a.log")) == ["a.log"]


def test_a_folder_may_say_that_it_is_no_part_of_the_study(tmp_path: Path) -> None:
    make(tmp_path, "run01/messages", "record/.haledgerignore", "record/corosync.conf", "record/deeper/messages")
    found = discover(tmp_path)
    assert paths(found) == ["run01/messages"]
    assert reasons(found) == {"record/": "no part of the study: it holds a file .haledgerignore"}
    assert paths(discover(tmp_path / "record")) == ["corosync.conf", "deeper/messages"]  # asked for by name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("study.toml", "the study's manifest"),
        ("Study.toml", "not read, because its name is not study.toml in small letters"),
        ("study.schema.json", "the schema of the study's manifest"),
        (".hidden", "a hidden file"),
        ("README.md", "notes for people"),
        ("old.duckdb", "a DuckDB file"),
        ("old.duckdb.wal", "a DuckDB file"),
    ],
)
def test_what_is_not_read_is_listed_with_its_reason(tmp_path: Path, name: str, reason: str) -> None:
    make(tmp_path, name)
    found = discover(tmp_path)
    assert paths(found) == []
    assert reasons(found) == {name: reason}


def test_a_manifest_below_the_study_is_no_manifest_of_it_but_no_log_either(tmp_path: Path) -> None:
    make(tmp_path, "deep/study.toml")
    assert reasons(discover(tmp_path)) == {
        "deep/study.toml": "not read, because a study.toml counts at the top of the study only"
    }


def test_a_hidden_folder_is_one_entry(tmp_path: Path) -> None:
    make(tmp_path, ".git/a", ".git/b/c", "x.log")
    found = discover(tmp_path)
    assert paths(found) == ["x.log"]
    assert reasons(found) == {".git/": "a hidden folder"}


@pytest.mark.parametrize("names", [(REPORT_MARKER,), ("haledger.duckdb", "report.pdf")])
def test_a_report_folder_is_never_input(tmp_path: Path, names: tuple[str, ...]) -> None:
    make(tmp_path, *(f"s-report/{name}" for name in names), "s-report/tables/t.csv", "x.log")
    found = discover(tmp_path)
    assert paths(found) == ["x.log"]
    assert reasons(found) == {"s-report/": "a report that haledger wrote"}


def test_a_report_written_into_the_study_folder_is_distinguished_from_its_logs(tmp_path: Path) -> None:
    make(tmp_path, REPORT_MARKER, "report.pdf", "report.html", "tables/t.csv", "figures/f.svg", "x.log")
    assert paths(discover(tmp_path)) == ["x.log"]


def test_the_store_being_written_leaves_no_trace(tmp_path: Path) -> None:
    make(tmp_path, "x.log", "haledger.duckdb", "haledger.duckdb.wal", "haledger.duckdb.tmp-1", "other.duckdb")
    found = discover(tmp_path, own=(tmp_path / "haledger.duckdb",))
    assert reasons(found) == {"other.duckdb": "a DuckDB file"}


def test_the_report_folder_of_the_store_being_written_leaves_no_trace(tmp_path: Path) -> None:
    make(tmp_path, "x.log", "s-report/haledger.duckdb", "s-report/report.pdf")
    assert reasons(discover(tmp_path, own=(tmp_path / "s-report" / "haledger.duckdb",))) == {}


def test_fifo_and_socket_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # a socket's name must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        found = discover(tmp_path)
    assert reasons(found) == {"pipe": "a FIFO, not a file", "sock": "a socket, not a file"}


def test_a_file_that_became_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    make(tmp_path, "x.log")
    (source,) = discover(tmp_path).sources
    Path(str(source.location)).unlink()
    os.mkfifo(str(source.location))
    with pytest.raises(OSError, match="not an ordinary file"):
        source.open()


def test_a_device_is_skipped() -> None:
    found = discover(Path("/dev/null"))
    assert reasons(found) == {"null": "a device, not a file"}


def test_links_are_listed_and_what_they_lead_to_is_read_once(tmp_path: Path) -> None:
    study = tmp_path / "study"
    make(study, "a/x.log", ".store/object")
    make(tmp_path, "outside.log")
    (study / "twin.log").symlink_to("a/x.log")
    (study / "again").symlink_to("a")
    (study / "up").symlink_to(".")
    (study / "out.log").symlink_to("../outside.log")
    (study / "nothing").symlink_to("gone")
    (study / "loop").symlink_to("loop")
    (study / "b.log").symlink_to(".store/object")
    (study / "c.log").symlink_to(".store/object")
    found = discover(study)
    assert paths(found) == ["a/x.log", "b.log"]
    assert reasons(found) == {
        ".store/": "a hidden folder",
        "again": "a symbolic link to a",
        "c.log": "a symbolic link to .store/object",
        "loop": "a symbolic link that cannot be followed: too many levels of symbolic links",
        "nothing": "a symbolic link to nothing",
        "out.log": "a symbolic link out of the study",
        "twin.log": "a symbolic link to a/x.log",
        "up": "a symbolic link to the study itself",
    }


@pytest.mark.parametrize(
    "name",
    ["a\nb", "\x1b[31mred", "[red]", "{{7*7}}", "'quoted\"", "-leading", "trailing ", "x" * 255, "Ärger", "a\\b"],
)
def test_odd_names_stay_as_they_are(tmp_path: Path, name: str) -> None:
    make(tmp_path, name)
    assert paths(discover(tmp_path)) == [name]


def test_names_that_are_not_utf8_are_escaped_and_still_opened(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.log"
    with open(raw, "wb") as file:  # noqa: PTH123  a Path cannot be made of bytes
        file.write(b"content")
    make(tmp_path, "caf\\xe9.log")
    first, second = discover(tmp_path).sources
    assert (first.path, second.path) == ("caf\\xe9.log", "caf\\xe9.log (2)")
    contents = set()
    for source in (first, second):
        with source.open() as stream:
            contents.add(stream.read())
    assert contents == {b"content", b"x\n"}


def test_a_deep_tree_is_walked(tmp_path: Path) -> None:
    name = "/".join(["d"] * 200) + "/x.log"
    make(tmp_path, name)
    assert paths(discover(tmp_path)) == [name]


def test_a_folder_that_cannot_be_read_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "closed/x.log", "y.log")
    real = os.scandir

    def refusing(folder: Path) -> object:
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr("pipeline.discovery.walk.os.scandir", refusing)
    found = discover(tmp_path)
    assert paths(found) == ["y.log"]
    assert [(each.path, each.status, each.reason) for each in found.skipped] == [
        ("closed/", "unreadable", "permission denied")
    ]


def test_too_many_files_are_refused_rather_than_read_for_hours(tmp_path: Path) -> None:
    make(tmp_path, "a", "b", "c")
    with pytest.raises(InputError, match="more than 2 files"):
        discover(tmp_path, max_entries=2)


def test_as_many_files_are_taken_on_as_there_is_memory_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make(tmp_path, "a", "b", "c")
    assert most_entries(8 * 2**30) == 2**20
    assert most_entries(0) == LEAST_ENTRIES
    monkeypatch.setattr("pipeline.discovery.walk.LEAST_ENTRIES", 1)
    monkeypatch.setattr("pipeline.discovery.walk.free_bytes", lambda: 4 * ENTRY_BYTES)
    with pytest.raises(InputError, match="more than 2 files, for which there is no memory"):
        discover(tmp_path)


def test_many_names_that_look_alike_are_numbered(tmp_path: Path) -> None:
    alike = [b"\xff\xff", rb"\xff" + b"\xff", b"\xff" + rb"\xff", rb"\xff\xff"]
    for each in alike:
        (tmp_path / os.fsdecode(each)).write_text("x\n")
    assert paths(discover(tmp_path)) == [r"\xff\xff", *(rf"\xff\xff ({number})" for number in (2, 3, 4))]


def test_a_missing_study_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder of logs"):
        discover(tmp_path / "nowhere")


def test_a_file_that_grew_is_noticed(tmp_path: Path) -> None:
    make(tmp_path, "x.log")
    (source,) = discover(tmp_path).sources
    assert not source.has_changed()
    assert source.seen(io.BytesIO(), source.bytes, "a1").note is None
    assert source.seen(io.BytesIO(), source.bytes - 1, "a1").note == "changed while it was read"
    Path(str(source.location)).write_text("longer\n")
    assert source.has_changed()
    assert source.seen(io.BytesIO(), source.bytes, "a1").note == "changed while it was read"
    Path(str(source.location)).unlink()
    assert source.has_changed()


def test_a_time_that_64_bits_do_not_hold_is_the_last_that_they_do() -> None:
    """Some file systems keep years beyond 2262, and the ledger holds nanoseconds."""
    seen = SimpleNamespace(st_size=7, st_mtime_ns=2**80)
    assert identity_of(cast("os.stat_result", seen)) == (7, 2**63 - 1)
    seen.st_mtime_ns = -(2**80)
    assert identity_of(cast("os.stat_result", seen)) == (7, -(2**63 - 1))


def test_a_nonsensical_time_stamp_is_the_epoch() -> None:
    assert Source("x", Path("x"), 0, 2**80).modified_at.year == 1970


def test_an_archive_may_have_as_many_members_as_any_study_has_files() -> None:
    assert LIMITS.members >= LEAST_ENTRIES


def test_a_file_is_opened_once_to_see_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / "run1" / name for name in ("engine_A.log", "messages")]
    files[0].parent.mkdir()
    for each in files:
        each.write_text("Jan  1 00:00:00 elm app: here\n" * 40)
    opened: list[Path] = []
    open_regular = containers.open_regular

    def counted(location: Path) -> int:
        opened.append(location)
        return open_regular(location)

    monkeypatch.setattr(containers, "open_regular", counted)
    assert [each.location for each in discover(tmp_path).sources] == files
    assert sorted(opened) == files
