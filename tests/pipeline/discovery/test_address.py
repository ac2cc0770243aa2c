"""A study at an address is that of a folder, is not read again where it did not change, and shows no secret."""

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from pipeline.discovery import address
from pipeline.discovery.address import (
    FIRST_BYTES,
    Address,
    ObjectFile,
    as_address,
    study_at,
    study_name,
    without_secrets,
)
from pipeline.discovery.walk import discover
from pipeline.errors import InputError, UsageError

LINES = b"".join(b"Jul 28 10:27:%02d sun-ha4 kernel: line %d\n" % (number % 60, number) for number in range(5000))


class Counting(MemoryFileSystem):  # type: ignore[misc]  # without types
    """Memory with ETags; counts what is read of each object."""

    protocol = "counting"
    store: dict[str, Any] = {}  # noqa: RUF012  as the original has it
    pseudo_dirs = [""]  # noqa: RUF012  as the original has it
    read: list[tuple[str, int, int]] = []  # noqa: RUF012  as the original has it
    failing: dict[str, Exception] = {}  # noqa: RUF012  as the original has it

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return f"/{path.removeprefix('counting://').strip('/')}"

    def info(self, path: str, **options: object) -> dict[str, object]:
        if path in self.failing:
            raise self.failing[path]
        about: dict[str, object] = super().info(path, **options)
        if about["type"] == "file":
            about["ETag"] = f'"{hash(self.store[path].getvalue())}"'
        return about

    def find(self, path: str, **_options: object) -> dict[str, dict[str, object]]:
        if path in self.failing:
            raise self.failing[path]
        return {each: self.info(each) for each in sorted(self.store) if each == path or each.startswith(f"{path}/")}

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: object) -> bytes:
        self.read.append((path, start or 0, -1 if end is None else end))
        content: bytes = super().cat_file(path, start=start, end=end, **options)
        return content


@pytest.fixture
def storage() -> Iterator[Counting]:
    fsspec.register_implementation("counting", Counting, clobber=True)
    Counting.store.clear()
    Counting.read.clear()
    Counting.failing.clear()
    address._opened.cache_clear()
    yield Counting()
    Counting.store.clear()


def tarred(**members: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), 1_000_000_000
            archive.addfile(info, io.BytesIO(content))
    return held.getvalue()


def zipped(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return held.getvalue()


FILES = {
    "a/messages": LINES,
    "a/empty": b"",
    "a/.hidden": b"x",
    "b.tar.gz": tarred(one=LINES, two=b"two\n"),
    "c/d.zip": zipped(three=LINES),
    "c/old.7z": b"7z\xbc\xaf\x27\x1c rest",
    "study.toml": b"[study]\n",
    "README.md": b"notes",
    ".git/config": b"x",
    "left/.haledgerignore": b"",
    "left/messages": b"x\n",
    "my-report/.haledger": b"",
    "my-report/report.html": b"x",
    "x.duckdb": b"x",
}


def placed(storage: Counting, folder: Path) -> Address:
    for path, content in FILES.items():
        storage.pipe_file(f"/lab/{folder.name}/{path}", content)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    found = study_at(f"counting://lab/{folder.name}")
    assert isinstance(found, Address)
    return found


def test_an_address_has_the_files_of_the_folder(storage: Counting, tmp_path: Path) -> None:
    there, here = discover(placed(storage, tmp_path)), discover(tmp_path)
    assert [(each.path, each.bytes) for each in there.sources] == [(each.path, each.bytes) for each in here.sources]
    assert there.skipped == here.skipped
    assert len(there.sources) == 5
    for one, other in zip(there.sources, here.sources, strict=True):
        with one.open() as stored, other.open() as local:
            assert stored.read() == local.read()
            seen = one.seen(stored, one.bytes, "")
        assert seen.note is None


def test_an_object_is_a_study_of_one_file(storage: Counting, tmp_path: Path) -> None:
    placed(storage, tmp_path)
    found = discover(study_at(f"counting://lab/{tmp_path.name}/a/messages"))
    assert [each.path for each in found.sources] == ["messages"]


def test_ranges_cover_every_byte_once_and_grow(storage: Counting, tmp_path: Path) -> None:
    content = bytes(range(256)) * 8000
    storage.pipe_file("/lab/big", content)
    (found,) = discover(study_at("counting://lab/big")).sources
    storage.read.clear()
    with found.open_stored() as stream:
        assert stream.read() == content
    # the beginning is held from the walk
    assert [(first, end) for _, first, end in storage.read] == [
        (FIRST_BYTES, 9 * FIRST_BYTES),
        (9 * FIRST_BYTES, len(content)),
    ]
    (tmp_path / "big").write_bytes(content)
    whole = found.open_stored()
    assert isinstance(whole, ObjectFile)
    assert whole.seek(-10, 2) == len(content) - 10
    assert whole.read() == content[-10:]
    assert whole.seek(5) == 5
    assert whole.read(3) == content[5:8]


def test_what_changes_or_vanishes_while_it_is_read_is_noted(storage: Counting) -> None:
    storage.pipe_file("/lab/x/messages", LINES)
    (found,) = discover(study_at("counting://lab/x")).sources
    storage.pipe_file("/lab/x/messages", LINES[::-1])
    with found.open() as stream:
        stream.read()
        assert found.seen(stream, len(LINES), "").note == "changed while it was read"
    storage.rm_file("/lab/x/messages")
    assert found.has_changed()
    with found.open() as stream, pytest.raises(FileNotFoundError, match="no such object or bucket"):
        stream.read()


class NoCredentialsError(Exception):
    """As botocore has it."""


def test_errors_are_plain_and_hold_no_secret(storage: Counting) -> None:
    for failure, kind, words in (
        (FileNotFoundError("x"), UsageError, "no such bucket, prefix or object"),
        (PermissionError("Access Denied"), InputError, r"no permission \(Access Denied\)"),
        (NoCredentialsError("x"), InputError, "no credentials were found"),
        (ValueError("GET http://me:hunter2@host/x?sig=hunter2 failed"), InputError, "GET http://host/x failed"),
    ):
        storage.failing["/lab/x"] = failure
        with pytest.raises(kind, match=words) as caught:
            discover(study_at("counting://lab/x"))
        assert str(caught.value).startswith("counting://lab/x: ")
        assert "hunter2" not in str(caught.value)


def test_an_address_holds_no_credentials() -> None:
    for text in (
        "s3://me:hunter2@lab/x",
        "s3://hunter2@lab",
        "s3://lab/x?sig=hunter2",
        "simplecache::s3://lab",
        "s3://me:hunter2%40lab/x",
        "s3://me:hunter2",
    ):
        with pytest.raises(UsageError, match="an address is scheme://bucket/prefix") as caught:
            study_at(text)
        assert "hunter2" not in str(caught.value)
    with pytest.raises(UsageError, match="names no bucket"):
        study_at("s3://")
    assert without_secrets("at https://a:b@host/p?q=1 and x") == "at https://host/p and x"
    assert without_secrets("tcp://u:a/b@h:8786, tcp://h:8786 and http://[::1]:80/x") == (
        "tcp://h:8786, tcp://h:8786 and http://[::1]:80/x"
    )


def test_an_unknown_scheme_and_a_missing_package_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"^nonsense://: fsspec knows no such address"):
        discover(study_at("nonsense://lab/x"))
    address._opened.cache_clear()
    monkeypatch.setattr(address, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r"^s3:// needs fsspec, which is not installed; install haledger\[s3\]$"):
        discover(study_at("s3://lab/x"))


def test_what_is_a_path_and_what_is_an_address() -> None:
    assert study_at("a/b") == Path("a/b")
    assert study_at("C:/logs") == Path("C:/logs")
    assert study_at("file:///var/log") == Path("/var/log")
    assert study_at("S3://lab/nightly/") == Address("s3://lab/nightly")
    assert study_name(Address("s3://lab/nightly")) == "nightly"
    assert study_name(Address("s3://lab")) == "lab"
    assert as_address(Path("s3://me:hunter2@lab/x")) == "s3://lab/x"
    assert as_address(Path("/var/s3:/x")) is None
