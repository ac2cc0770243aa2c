"""What is in an archive, and what of it is read."""

import copy
import io
import os
import random
import struct
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.discovery import containers
from pipeline.discovery.archives import Listing, Passed
from pipeline.discovery.compression import Limits
from pipeline.discovery.source import Source, forward_runs
from pipeline.discovery.walk import Discovery, Remembered, discover
from tests.support.examples import COSTLY
from tests.support.packed import COMPRESSED, MTIME, entry, every_form, tar, write, zipped

TEXT = b"".join(b"Jul 28 10:27:04 sun-ha4 kernel: line %d\n" % number for number in range(3000))
FORMS = every_form("messages", TEXT)


def contents(found: Discovery) -> dict[str, bytes]:
    read = {}
    for source in found.sources:
        with source.open() as stream:
            read[source.path] = stream.read()
            assert getattr(stream, "note", None) is None, source.path
    return read


def notes(found: Discovery) -> list[str | None]:
    reported = []
    for source in found.sources:
        with source.open() as stream:
            stream.read()
            reported.append(getattr(stream, "note", None))
    return reported


def reasons(found: Discovery) -> dict[str, str]:
    return {each.path: each.reason for each in found.skipped}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_content(tmp_path: Path, name: str) -> None:
    found = discover(write(tmp_path, {name: FORMS[name]}))
    assert list(contents(found).values()) == [TEXT]


@pytest.mark.parametrize("name", FORMS)
def test_a_system_that_gives_few_bytes_at_a_time_gives_the_content(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a network file system may."""

    class Slow(io.FileIO):
        def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]  # of any buffer
            return super().readinto(memoryview(buffer)[:5])

        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 5) if size != -1 else -1)

    monkeypatch.setattr(containers, "FileIO", Slow)
    read = os.read
    monkeypatch.setattr("pipeline.discovery.containers.os.read", lambda file, size: read(file, min(size, 5)))
    found = discover(write(tmp_path, {name: FORMS[name]}))
    assert list(contents(found).values()) == [TEXT]


@pytest.mark.parametrize("name", FORMS)
def test_content_decides_not_the_name(tmp_path: Path, name: str) -> None:
    assert list(contents(discover(write(tmp_path, {"messages.1": FORMS[name]}))).values()) == [TEXT]


def test_a_name_alone_makes_nothing_compressed(tmp_path: Path) -> None:
    files = dict.fromkeys(("m.gz", "m.tar.gz", "m.zip", "m.zst", "m.tar"), TEXT)
    assert contents(discover(write(tmp_path, files))) == files


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_of_every_kind_of_tar(tmp_path: Path, form: int) -> None:
    name = f"{'d' * 60}/{'e' * 60}/m"
    found = discover(write(tmp_path, {"a.tar": tar({name: TEXT, "n": b"n"}, form=form)}))
    assert contents(found) == {f"a.tar!/{name}": TEXT, "a.tar!/n": b"n"}
    assert {source.modified_ns for source in found.sources} == {MTIME * 10**9}


def test_members_have_the_place_size_and_time_of_the_archive_and_it_is_listed(tmp_path: Path) -> None:
    found = discover(write(tmp_path, {"x/a.tgz": COMPRESSED["gz"](tar({"./run01//messages": TEXT}))}))
    (source,) = found.sources
    assert (source.path, source.bytes, source.is_dated_within) == ("x/a.tgz!/run01/messages", len(TEXT), True)
    assert source.modified_at.isoformat() == "2003-07-28T13:46:40"
    assert reasons(found) == {"x/a.tgz": "an archive; 1 member read in place"}


def test_time_in_a_gzip_head_is_that_of_the_content(tmp_path: Path) -> None:
    import gzip

    found = discover(write(tmp_path, {"m": gzip.compress(TEXT, mtime=MTIME), "n": gzip.compress(TEXT, mtime=0)}))
    assert [source.is_dated_within for source in found.sources] == [True, False]
    assert found.sources[0].modified_at.isoformat() == "2003-07-28T13:46:40"


# --- hostile ---------------------------------------------------------------------------------------------------------


def test_what_is_no_file_in_a_tar_is_listed_and_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside", {"secret": b"secret\n"})
    archive = tar(
        {"../up": b"x", "/etc/passwd": b"x", "a/../../b": b"x", "C:\\windows": b"x", "a\\..\\b": b"x"},
        entry("link", tarfile.SYMTYPE, f"{secret}/secret"),
        entry("hard", tarfile.LNKTYPE, "good"),
        entry("pipe", tarfile.FIFOTYPE),
        entry("device", tarfile.CHRTYPE),
        entry("disk", tarfile.BLKTYPE),
        entry("folder", tarfile.DIRTYPE),
    )
    found = discover(write(tmp_path / "study", {"a.tar": archive}))
    assert found.sources == ()
    assert reasons(found) == {
        "a.tar": "an archive; 0 members read in place",
        "a.tar!/../up": "its path leads out of the archive",
        "a.tar!//etc/passwd": "its path is absolute: members are read inside their archive only",
        "a.tar!/a/../../b": "its path leads out of the archive",
        "a.tar!/C:\\windows": "its path is absolute: members are read inside their archive only",
        "a.tar!/a\\..\\b": "its path leads out of the archive",
        "a.tar!/link": f"a symbolic link to {secret}/secret",
        "a.tar!/hard": "a link to good",
        "a.tar!/pipe": "a FIFO, not a file",
        "a.tar!/device": "a device, not a file",
        "a.tar!/disk": "a device, not a file",
    }
    assert sorted(each.name for each in (tmp_path / "study").iterdir()) == ["a.tar"]


def test_encrypted_members_and_links_of_a_zip_are_listed(tmp_path: Path) -> None:
    archive = bytearray(zipped({"secret": TEXT, "link": b"/etc/passwd", "odd": TEXT}))
    with zipfile.ZipFile(write(tmp_path, {"a.zip": bytes(archive)}) / "a.zip") as opened:
        starts = [opened.start_dir]
    for _ in range(2):
        starts.append(archive.index(b"PK\x01\x02", starts[-1] + 4))
    archive[starts[0] + 8] |= 1  # encrypted
    archive[starts[1] + 40 : starts[1] + 42] = (0o120777).to_bytes(2, "little")  # a symbolic link of Unix
    archive[starts[2] + 10] = 97  # a method of its own
    found = discover(write(tmp_path, {"a.zip": bytes(archive)}))
    assert reasons(found) == {
        "a.zip": "an archive; 0 members read in place",
        "a.zip!/secret": "encrypted: unpack it with its password",
        "a.zip!/link": "a symbolic link",
        "a.zip!/odd": "compressed by method 97 of zip, which is not read",
    }


def test_of_members_with_one_name_the_last_is_read(tmp_path: Path) -> None:
    archive = tar({"m": b"old\n", "n": b"n\n"})[:2048] + tar({"./m": b"new\n"})
    found = discover(write(tmp_path, {"a.tar": archive}))
    assert contents(found) == {"a.tar!/m": b"new\n", "a.tar!/n": b"n\n"}
    assert reasons(found)["a.tar!/m (2)"] == "a later member has the same name"


def test_names_that_are_not_text_are_escaped(tmp_path: Path) -> None:
    archive = tar({"caf\udce9/m\x1b[31m": TEXT}, form=tarfile.GNU_FORMAT)
    assert list(contents(discover(write(tmp_path, {"a.tar": archive})))) == ["a.tar!/caf\\xe9/m\x1b[31m"]


def test_hidden_members_manifests_stores_and_reports_are_no_input(tmp_path: Path) -> None:
    names = ["m", ".git/a", ".git/b", "x/.hidden", "study.toml", "old.duckdb", "r/.haledger", "r/tables/t.csv"]
    found = discover(write(tmp_path, {"a.zip": zipped(dict.fromkeys(names, b"x\n"))}))
    assert [source.path for source in found.sources] == ["a.zip!/m"]
    assert reasons(found) == {
        "a.zip": "an archive; 1 member read in place",
        "a.zip!/.git/": "a hidden folder",
        "a.zip!/x/.hidden": "a hidden file",
        "a.zip!/study.toml": "not read, because a study.toml counts at the top of the study only",
        "a.zip!/old.duckdb": "a DuckDB file",
        "a.zip!/r/": "a report that haledger wrote",
    }


def test_archives_in_an_archive_are_read_one_level_deep(tmp_path: Path) -> None:
    innermost = tar({"m": TEXT})
    inner = zipped({"b.tar": innermost, "n": TEXT, "n.gz": COMPRESSED["gz"](TEXT)})
    found = discover(write(tmp_path, {"o.tar.xz": COMPRESSED["xz"](tar({"i.zip": inner, "c.tar": innermost}))}))
    assert contents(found) == dict.fromkeys(["o.tar.xz!/c.tar!/m", "o.tar.xz!/i.zip!/n", "o.tar.xz!/i.zip!/n.gz"], TEXT)
    assert reasons(found) == {
        "o.tar.xz": "an archive; 3 members read in place",
        "o.tar.xz!/c.tar": "an archive; 1 member read in place",
        "o.tar.xz!/i.zip": "an archive; 2 members read in place",
        "o.tar.xz!/i.zip!/b.tar": "an archive in an archive in an archive, which is not read: unpack the outer one",
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            zipped({"[Content_Types].xml": b"x", "xl/s.xml": b"x"}),
            "a document or a program in the form of a zip archive",
        ),
        (b"7z\xbc\xaf\x27\x1c\0\4", "a 7z archive, which haledger cannot read: unpack it"),
        (b"Rar!\x1a\x07\x01\0", "a rar archive, which haledger cannot read: unpack it"),
        (b"\x1f\x9d\x90abc", "compressed by compress (.Z), which haledger cannot read: decompress it with uncompress"),
    ],
)
def test_forms_that_are_not_read_are_reported(tmp_path: Path, content: bytes, reason: str) -> None:
    found = discover(write(tmp_path, {"a": content, "b.tar": tar({"c": content})}))
    assert found.sources == ()
    assert {reasons(found)["a"], reasons(found)["b.tar!/c"]} == {reason}


# --- bombs -----------------------------------------------------------------------------------------------------------


def test_more_members_than_any_archive_has_are_not_listed(tmp_path: Path) -> None:
    names = {f"m{number}": b"x\n" for number in range(20)}
    found = discover(write(tmp_path, {"a.tar": tar(names), "b.zip": zipped(names)}), limits=Limits(members=5))
    assert len(found.sources) == 10
    assert reasons(found)["a.tar"] == ("an archive; 5 members read in place; more than 5 members; the rest is not read")
    assert {each.status for each in found.skipped} == {"unreadable"}


def test_large_members_and_too_much_in_all_are_refused(tmp_path: Path) -> None:
    study = write(tmp_path, {"a.tar": tar({"big": b"x" * 900, "m1": b"y" * 300, "m2": b"z" * 300})})
    found = discover(study, limits=Limits(content_bytes=500, total_bytes=500))
    assert [source.path for source in found.sources] == ["a.tar!/m1"]
    assert reasons(found)["a.tar!/big"] == "900 bytes, more than haledger unpacks: unpack it yourself"
    assert "of all archives of a study" in reasons(found)["a.tar!/m2"]


def test_a_bomb_in_an_archive_does_not_hide_what_stands_before_it(tmp_path: Path) -> None:
    archive = COMPRESSED["gz"](tar({"m": TEXT, "zeros": bytes(30_000_000), "n": TEXT}))
    found = discover(write(tmp_path, {"a.tgz": archive}), limits=Limits(free_bytes=1_000_000))
    assert [source.path for source in found.sources] == ["a.tgz!/m"]
    assert "more than 200 times its size" in reasons(found)["a.tgz!/zeros"]
    assert "more than 200 times the compressed data" in reasons(found)["a.tgz"]
    assert notes(found) == [None]


def test_members_of_a_zip_that_share_their_bytes_are_read_once(tmp_path: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m0", TEXT)
        archive.writestr("own", TEXT)
        for number in range(1, 300):
            again = copy.copy(archive.getinfo("m0"))
            again.filename = f"m{number}"
            archive.filelist.append(again)
    found = discover(write(tmp_path, {"a.zip": content.getvalue()}))
    assert [source.path for source in found.sources] == ["a.zip!/m0", "a.zip!/own"]
    assert sum("its bytes overlap those of another member" in reason for reason in reasons(found).values()) == 299


@pytest.mark.parametrize("size", [b"\x80" + b"\xff" * 11, b"\x80\0\0\0\x80" + b"\0" * 7], ids=["2**88", "2**63"])
def test_a_head_of_a_tar_archive_that_claims_more_than_a_file_holds_is_damaged(tmp_path: Path, size: bytes) -> None:
    archive = bytearray(tar({"m": TEXT, "n": TEXT}))
    begin = 512 + len(TEXT) + -len(TEXT) % 512  # the head of n
    archive[begin + 124 : begin + 136] = size
    archive[begin + 148 : begin + 156] = b" " * 8
    archive[begin + 148 : begin + 156] = b"%06o\0 " % sum(archive[begin : begin + 512])
    found = discover(write(tmp_path, {"a.tar": bytes(archive)}))
    assert [source.path for source in found.sources] == ["a.tar!/m"]
    assert "the archive is damaged" in reasons(found)["a.tar"]


@pytest.mark.parametrize("field", range(3), ids=["size", "stored size", "place"])
@pytest.mark.parametrize("value", [2**63, 2**64 - 1])
def test_a_list_of_a_zip_archive_that_claims_more_than_a_file_holds_is_damaged(
    tmp_path: Path, field: int, value: int
) -> None:
    plain = zipped({"m": TEXT}, zipfile.ZIP_STORED)
    begin = plain.index(b"PK\1\2")
    end = plain.index(b"PK\5\6")
    claimed = [len(TEXT), len(TEXT), 0]
    claimed[field] = value
    extra = struct.pack("<HHQQQ", 1, 24, *claimed)
    head = bytearray(plain[begin:end])
    head[20:28] = b"\xff" * 8
    head[42:46] = b"\xff" * 4
    head[30:32] = struct.pack("<H", len(extra))
    tail = bytearray(plain[end:])
    tail[12:16] = struct.pack("<L", len(head) + len(extra))
    found = discover(write(tmp_path, {"a.zip": plain[:begin] + bytes(head) + extra + bytes(tail)}))
    assert found.sources == ()
    assert reasons(found)["a.zip!/m"] == "damaged: no file is so large"
    assert all(each.bytes is None or each.bytes < 2**63 for each in found.skipped)


def test_archive_as_a_whole_is_no_bomb(tmp_path: Path) -> None:
    members = {f"m{number}": bytes([number]) * 40_000 for number in range(50)}
    found = discover(write(tmp_path, {"a.zip": zipped(members)}), limits=Limits(free_bytes=200_000, ratio=20))
    assert 5 <= len(found.sources) < 50
    assert "more than 20 times its size" in reasons(found)["a.zip!/m49"]


def test_a_head_that_claims_much_is_not_held(tmp_path: Path) -> None:
    long_name = bytearray(tar({"x" * 200: b"x"}, form=tarfile.GNU_FORMAT))
    long_name[124:136] = b"00077777777\0"  # a name of 16 MiB
    long_name[148:156] = b"        "
    long_name[148:156] = b"%06o\0 " % sum(long_name[:512])
    found = discover(write(tmp_path, {"a.tar": bytes(long_name)}))
    assert found.sources == ()
    assert "a head of 16,777,215 bytes" in reasons(found)["a.tar"]


def test_attributes_that_are_one_long_number_take_no_time(tmp_path: Path) -> None:
    """The regular expressions of tarfile take quarter of an hour for these in Python 3.11.7 (CVE-2024-6232)."""
    attributes = entry("attributes", tarfile.XHDTYPE)
    attributes.size = 1024 * 1024
    content = attributes.tobuf(tarfile.USTAR_FORMAT) + b"1" * attributes.size + tar({"m": TEXT})
    started = time.process_time()
    found = discover(write(tmp_path, {"a.tar": content}))
    assert time.process_time() - started < 5
    assert contents(found) == {"a.tar!/m": TEXT}


# --- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in FORMS if not name.startswith("messages")])
@COSTLY
@given(share=st.floats(0, 1, exclude_max=True))
def test_an_archive_cut_anywhere_is_listed_as_far_as_it_goes(tmp_path: Path, name: str, share: float) -> None:
    study = write(tmp_path, {"a": FORMS[name][: int(share * len(FORMS[name]))]})
    found = discover(study)
    for source in found.sources:
        with source.open() as stream:
            content = stream.read()
            note = getattr(stream, "note", None)
        if source.inside is not None:
            # a member that is cut within the two bytes that say it is compressed is what it holds
            assert TEXT.startswith(content) or (content in (b"\x1f", b"\x1f\x8b") and note is not None)
            assert content == TEXT or note is not None


@pytest.mark.parametrize("name", FORMS)
@COSTLY
@given(share=st.floats(0, 1, exclude_max=True), value=st.integers(1, 255))
def test_a_damaged_archive_never_raises(tmp_path: Path, name: str, share: float, value: int) -> None:
    damaged = bytearray(FORMS[name])
    damaged[int(share * len(damaged))] ^= value
    found = discover(write(tmp_path, {"a": bytes(damaged)}))
    notes(found)


def test_a_cut_archive_says_so_itself_and_by_its_last_member(tmp_path: Path) -> None:
    plain = tar({"m": b"m\n", "n": TEXT})
    found = discover(write(tmp_path, {"a.tar": plain[:50_000], "b.tar": plain[:1124], "c.tar": plain[: 512 * 2]}))
    reported = reasons(found)
    assert reported["a.tar"] == "an archive; 2 members read in place; the archive ends early after 50,000 bytes"
    assert reported["b.tar"] == "an archive; 1 member read in place; the archive ends early after 1,124 bytes"
    assert reported["c.tar"] == "an archive; 1 member read in place"  # without the blocks that end it, but whole
    assert notes(found)[1] == f"the archive ends {512 * 3 + len(TEXT) - 50_000:,} bytes before this member does"


# --- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["gz", "xz", "zst"])
@pytest.mark.parametrize("held", [0, 70_000, containers.MAX_HELD_BYTES])
def test_members_are_read_in_any_order_at_once_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, held: int
) -> None:
    monkeypatch.setattr(containers, "MAX_HELD_BYTES", held)
    members = {f"m{number}": TEXT[: 40 * number * number] for number in range(40)}
    found = discover(write(tmp_path, {"a.tar": COMPRESSED[suffix](tar(members))}))
    order = [*found.sources, *found.sources]
    random.Random(7).shuffle(order)  # noqa: S311  any order will do
    opened: list[tuple[Source, bytes]] = []
    for source in order:
        with source.open() as outer:
            start = outer.read(100)
            with source.open() as inner:  # a second one of the same member meanwhile
                assert inner.read() == members[source.name]
            opened.append((source, start + outer.read()))
    assert all(content == members[source.name] for source, content in opened)


def test_in_their_order_members_are_decompressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_HELD_BYTES", 0)
    study = write(tmp_path, {"a.tar": COMPRESSED["xz"](tar({f"m{number:02}": TEXT for number in range(30)}))})
    found = discover(study)
    opened = []
    real = containers.DiskFile.__init__

    def counting(self: containers.DiskFile, location: Path) -> None:
        opened.append(location)
        real(self, location)

    monkeypatch.setattr(containers.DiskFile, "__init__", counting)
    for source in found.sources:
        with source.open() as stream:
            stream.read(10)  # the rest is passed over
    assert len(opened) == 1


def test_large_members_are_read_in_the_order_of_the_archive(tmp_path: Path) -> None:
    members = dict.fromkeys(("d", "b", "c", "a"), TEXT) | {"e": b"small\n"}
    found = discover(write(tmp_path, {"a.tar.gz": COMPRESSED["gz"](tar(members)), "plain": TEXT}))
    runs = [[found.sources[index].name for index in run] for run in forward_runs(found.sources)]
    assert runs == [["e", "plain"], ["d"], ["b", "c"], ["a"]]


def test_an_archive_that_changed_since_is_not_read(tmp_path: Path) -> None:
    (source,) = discover(write(tmp_path, {"a.tar": tar({"m": TEXT})})).sources
    write(tmp_path, {"a.tar": tar({"other": TEXT + TEXT})})
    assert source.has_changed()
    with pytest.raises(OSError, match="has changed"), source.open() as stream:
        stream.read()


# --- the second time -------------------------------------------------------------------------------------------------


def remembered(found: Discovery, racy_from_ns: int = 10**20) -> Remembered:
    return Remembered({each.path: each for each in found.archives}, racy_from_ns)


def test_a_known_archive_is_not_listed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = write(tmp_path, {"a.tar.gz": FORMS["a.tar.gz"]})
    first = discover(study)
    monkeypatch.setattr("pipeline.discovery.walk.listing", None)
    monkeypatch.setattr("pipeline.discovery.walk.form_of", None)
    for since in (10**20, 0):  # trusted by its time; too new for that, and trusted by its hash
        second = discover(study, remembered=remembered(first, since))
        assert [each.is_known for each in second.archives] == [True]
        assert contents(second) == contents(first)
        assert second.skipped == first.skipped


def test_a_changed_archive_is_listed_again(tmp_path: Path) -> None:
    study = write(tmp_path, {"a.tar": tar({"m": TEXT})})
    first = discover(study)
    write(tmp_path, {"a.tar": tar({"n": TEXT})})  # of the same size
    second = discover(study, remembered=remembered(first, 0))
    assert [source.path for source in second.sources] == ["a.tar!/n"]
    assert [each.is_known for each in second.archives] == [False]


def test_a_list_is_remembered_as_it_was(tmp_path: Path) -> None:
    for name, content in FORMS.items():
        for archive in discover(write(tmp_path / name, {name: content})).archives:
            assert Listing.from_json(archive.listing.as_json()) == archive.listing
    odd = Listing((), (Passed("a", "skipped", "b"),), "c", "d")
    assert Listing.from_json(odd.as_json()) == odd


def test_a_checksum_behind_the_last_member_is_looked_at(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        head = tarfile.TarInfo("messages")
        head.size = 9
        packed.addfile(head, io.BytesIO(b"Jan 4 10\n"))
    whole = buffer.getvalue()
    (tmp_path / "whole.tar.gz").write_bytes(whole)
    (tmp_path / "wrong.tar.gz").write_bytes(whole[:-8] + bytes(4) + whole[-4:])
    found = discover(tmp_path)
    assert reasons(found)["whole.tar.gz"] == "an archive; 1 member read in place"
    assert "damaged" in reasons(found)["wrong.tar.gz"]
    assert contents(found)["wrong.tar.gz!/messages"] == b"Jan 4 10\n"
