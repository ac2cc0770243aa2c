"""What lies in object storage: an address such as s3://bucket/prefix, the objects below it, and their bytes.

Any file system of fsspec will do, which is imported for an address only. An object is known again by its ETag and size.
The bytes of a study are read in ranges, and never written to a disk. Who may read is decided by the usual chains of
each service: an address holds no credentials, and what a service says is printed without any.
"""

import errno
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from pipeline.discovery.compression import Stream
from pipeline.errors import InputError, UsageError
from pipeline.memory import MEBIBYTE

ADDRESS = re.compile(r"(?:[\w+.:-]+::)?(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):/{1,2}(?P<rest>.*)", re.DOTALL)
LOCAL_SCHEMES = frozenset({"file", "local"})
"""fsspec's own words for a path of this machine."""

EXTRAS = {"s3": "s3", "s3a": "s3"}
"""The extra that reads the addresses of a scheme; others need `object` and the package that fsspec names."""

FIRST_BYTES = 64 * 1024 + 1
"""Read of an object at once: what recognition looks at, small logs whole."""

MOST_BYTES = 8 * MEBIBYTE
"""Of one range: the first are smaller."""

MAX_HELD_BYTES = 32 * MEBIBYTE
"""Held of the beginnings of objects, from the walk to the reading."""

LOOKED_AT_ONCE = 64
"""Objects whose beginnings are asked for together."""

ARCHIVE_S = 1.0
"""A member's archive is asked whether it has changed at most this often."""

TIMES = ("LastModified", "last_modified", "updated", "mtime", "modified", "created")
"""What file systems call the time of the last change."""

NO_CREDENTIALS = frozenset({
    "NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "TokenRetrievalError",
    "DefaultCredentialsError", "RefreshError", "ClientAuthenticationError", "ProfileNotFound",
})  # fmt: skip
MOST_WORDS = 300


@dataclass(frozen=True)
class Address:
    """Where something lies in object storage, such as a study, without credentials."""

    text: str

    def __str__(self) -> str:
        """Give what people wrote."""
        return self.text

    def __truediv__(self, path: str) -> "Address":
        """What is below it."""
        return Address(f"{self.text}/{path}")

    @property
    def parent(self) -> "Address":
        """What it is below."""
        return Address(self.text.rpartition("/")[0])

    @property
    def name(self) -> str:
        """The last part: of a prefix, an object or a bucket."""
        return re.split(r":/+", self.text, maxsplit=1)[1].rstrip("/").rpartition("/")[2]

    @cached_property
    def root(self) -> str:
        """What the file system calls it."""
        return file_system(self.text)[1].rstrip("/")

    def check_listable(self) -> None:
        """See whether it may be listed. Raises OSError, or UsageError without the package for it."""
        with plain(self.text):
            file_system(self.text)[0].ls(self.root)

    def objects(self) -> dict[str, "StoredObject"]:
        """The objects below it by their path, `/` between parts; of an address of one object, this by its name.

        Raises UsageError where there is nothing, InputError where it cannot be listed.
        """
        _HELD.forget()
        try:
            found = self._found()
        except FileNotFoundError as error:
            raise UsageError(
                f"{self}: no such bucket, prefix or object; give the address of a folder of logs"
            ) from error
        except OSError as error:
            raise InputError(f"{self}: cannot be listed: {error.strerror or error}") from error
        if not found:
            raise UsageError(f"{self}: no such prefix or object, or nothing is below it; give a folder of logs")
        return found

    def object(self, path: str) -> "StoredObject":
        """An object below it as it is now. Raises OSError."""
        place = StoredObject(f"{self.text}/{path}", f"{self.root}/{path}", 0, 0, None)
        size, modified_ns, tag = place.current()
        return replace(place, size=size, modified_ns=modified_ns, tag=tag)

    def _found(self) -> dict[str, "StoredObject"]:
        with plain(self.text):
            system = file_system(self.text)[0]
            listed: Mapping[str, Mapping[str, Any]] = system.find(self.root, detail=True)
            if not listed:
                system.info(self.root)
        found = {}
        for key, about in listed.items():
            is_below = key.startswith(f"{self.root}/")
            path = key[len(self.root) + 1 :] if is_below else self.name
            if (is_below or key == self.root) and about.get("type", "file") == "file" and not path.endswith("/"):
                address = f"{self.text}/{path}" if is_below else self.text
                found[path] = StoredObject(address, key, *identity_of(about))
        return found


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as it was listed. `tag`: its ETag, None where the service gives none. Can be pickled."""

    address: str
    key: str
    size: int
    modified_ns: int
    tag: str | None

    def __str__(self) -> str:
        """Its address."""
        return self.address

    def opened(self) -> "ObjectFile":
        """Its bytes from the beginning."""
        return ObjectFile(self)

    def identity(self, within_s: float = 0.0) -> tuple[int, int]:
        """Size and time as they are now, or were within these seconds; a size of -1: its ETag is another."""
        return _HELD.identity(self, within_s)

    def current(self) -> tuple[int, int, str | None]:
        """Size, time and ETag, of the service. Raises OSError."""
        with plain(self.address):
            return identity_of(file_system(self.address)[0].info(self.key))

    def content(self, most: int) -> bytes:
        """Its first bytes. Raises OSError."""
        return self.part(0, min(self.size, most)) if self.size else b""

    def part(self, first: int, end: int) -> bytes:
        """Bytes from one offset up to another. Raises OSError."""
        if first == 0 and (head := _HELD.head(self)):
            return head
        with plain(self.address):
            content: bytes = file_system(self.address)[0].cat_file(self.key, start=first, end=end)
        if not content:
            raise OSError(errno.EIO, f"the object ends after {first:,} bytes, not after {self.size:,}")
        return content


class ObjectFile(Stream):
    """The bytes of an object. Nothing is asked before they are read; ranges grow as it is read on."""

    def __init__(self, place: StoredObject) -> None:
        self._place = place
        self._first = 0
        self._held = b""
        self._size = FIRST_BYTES

    def identity(self) -> tuple[int, int]:
        """Size, and time of the last change in nanoseconds."""
        return self._place.identity(ARCHIVE_S)

    def take(self, size: int) -> bytes:
        """What is held of the place, else the next range."""
        at = self.position - self._first
        if not 0 <= at < len(self._held):
            if self.position >= self._place.size:
                return b""
            end = min(self.position + self._size, self._place.size)
            self._held, self._first, at = self._place.part(self.position, end), self.position, 0
            self._size = min(8 * self._size, MOST_BYTES)
        return self._held[at : at + size]

    def skip(self, count: int) -> None:
        """Without reading, and not beyond the end."""
        self.position = min(self.position + count, max(self.position, self._place.size))

    def seekable(self) -> bool:
        """It is: a zip archive has its list at the end."""
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to an offset from the beginning, from here, or from the end."""
        self.position = max(0, offset + (0, self.position, self._place.size)[whence])
        return self.position

    def tell(self) -> int:
        """Where it stands."""
        return self.position

    def close(self) -> None:
        """Let go of what is held."""
        self._held = b""
        super().close()


Place = Path | StoredObject
"""Where the bytes of a file are."""


def study_at(text: str) -> Path | Address:
    """What people name as a study: a path, or an address. Raises UsageError for one with credentials in it."""
    found = ADDRESS.fullmatch(text)
    if found is None or not text[: found.start("rest")].endswith("://"):
        return Path(text)
    scheme, rest = found["scheme"].lower(), found["rest"]
    if scheme in LOCAL_SCHEMES and "::" not in text:
        return Path(rest.removeprefix("localhost") if rest.startswith("localhost/") else rest)
    place = rest.partition("/")[0]
    if re.search(r"(?i)@|%40|:(?![0-9]+$)", place) or re.search(r"[?#]", rest) or "::" in text:
        raise UsageError(
            f"{without_secrets(text)}: an address is scheme://bucket/prefix, without a user, a password or a query; "
            "credentials come from the environment or the profile of the service"
        )
    if not rest.strip("/"):
        raise UsageError(f"{text}: names no bucket; expected {scheme}://bucket/prefix")
    return Address(f"{scheme}://{rest.strip('/')}")


def look_at(study: str) -> None:
    """See whether this machine sees a study. Raises OSError, or UsageError without the package for its address."""
    place = study_at(study)
    if isinstance(place, Address):
        place.check_listable()
    else:
        place.stat()


def as_address(path: Path) -> str | None:
    """The address that a path was meant to be, which lost a slash; None for any other."""
    found = ADDRESS.fullmatch(str(path))
    return None if found is None else without_secrets(f"{found['scheme']}://{found['rest'].lstrip('/')}")


def study_name(study: Path | Address) -> str:
    """The name of a study: that of its folder or file."""
    return study.name if isinstance(study, Address) else study.resolve().name


def output_name(study: Path | Address) -> str:
    """Begins the name of what is written of a study: its own name, `study` for the root of a file system."""
    return study_name(study) or "study"


def without_secrets(text: str) -> str:
    """A text of others without what may be a password, a key or a signature in an address."""
    text = re.sub(r"(?i)(:/{1,2})(?:[^/\s@'\":]+:(?![0-9]+/)[^\s@'\"]*|[^/\s@'\"]*?)(?:@|%40)", r"\1", text)
    text = re.sub(r"(:/{1,2})[^/\s@'\":\[]+:(?![0-9]+(?:[^\w]|$)|/)[^/\s'\"]+", r"\1", text)
    return re.sub(r"\?[^\s'\"]*", "", text)


def cache_heads(places: Sequence[Place]) -> None:
    """Ask for the beginnings of objects, many at a time, and hold them while there is room."""
    objects = [each for each in places if isinstance(each, StoredObject) and each.tag is not None and each.size]
    for first in range(0, len(objects), LOOKED_AT_ONCE):
        some = objects[first : first + LOOKED_AT_ONCE]
        if not _HELD.has_room():
            return
        with plain(some[0].address):
            ends = [min(FIRST_BYTES, each.size) for each in some]
            keys = [each.key for each in some]
            heads = file_system(some[0].address)[0].cat_ranges(keys, [0] * len(some), ends, on_error="return")
        for each, head in zip(some, heads, strict=True):
            if isinstance(head, bytes) and head:  # what went wrong is said when it is read
                _HELD.cache(each, head)


class _Held:
    """What is held of objects since the last listing."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heads: dict[StoredObject, bytes] = {}
        self._identities: dict[StoredObject, tuple[float, tuple[int, int]]] = {}
        self._bytes = 0

    def forget(self) -> None:
        with self._lock:
            self._heads.clear()
            self._identities.clear()
            self._bytes = 0

    def has_room(self) -> bool:
        return self._bytes < MAX_HELD_BYTES

    def cache(self, place: StoredObject, head: bytes) -> None:
        with self._lock:
            if self._bytes + len(head) <= MAX_HELD_BYTES and place not in self._heads:
                self._heads[place] = head
                self._bytes += len(head)

    def head(self, place: StoredObject) -> bytes:
        return self._heads.get(place, b"")

    def identity(self, place: StoredObject, within_s: float) -> tuple[int, int]:
        asked_at, known = self._identities.get(place, (float("-inf"), (0, 0)))
        if time.monotonic() - asked_at < within_s:
            return known
        size, modified_ns, tag = place.current()
        found = (size, modified_ns) if tag == place.tag else (-1, 0)
        if within_s:
            self._identities[place] = time.monotonic(), found
        return found


_HELD = _Held()


@lru_cache(maxsize=64)
def _opened(scheme: str) -> Any:  # noqa: ANN401  fsspec has no types
    """The file system of a scheme. What it needs and is not installed is a UsageError."""
    extra = EXTRAS.get(scheme, "object")
    if find_spec("fsspec") is None:
        raise UsageError(f"{scheme}:// needs fsspec, which is not installed; install haledger[{extra}]")
    import fsspec

    try:
        kind = fsspec.get_filesystem_class(scheme)
    except ImportError as error:
        advice = "haledger[s3]" if extra == "s3" else f"the package for it beside haledger[{extra}]"
        raise UsageError(f"{scheme}:// needs a package that is not installed; install {advice}: {error}") from error
    except ValueError as error:
        raise UsageError(f"{scheme}://: fsspec knows no such address; s3, gs, abfs are some that it does") from error
    return kind


def file_system(address: str) -> tuple[Any, str]:
    """The file system of an address, and what it calls it. Listings are not kept: an object may change at any time."""
    kind = _opened(address.partition(":")[0])
    with plain(address):
        return kind(use_listings_cache=False), str(kind._strip_protocol(address))  # noqa: SLF001  how fsspec offers it


@contextmanager
def plain(address: str) -> Iterator[None]:
    """Each file system raises errors of its own: an OSError without secrets instead, in words."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, "no such object or bucket", address) from error
    except PermissionError as error:
        raise PermissionError(errno.EACCES, f"no permission ({_words(error)})", address) from error
    except UsageError:
        raise
    except Exception as error:
        if _names(error) & NO_CREDENTIALS:
            words = (
                "no credentials were found, or they are not complete or valid; set them as for the service's own tools"
            )
            raise PermissionError(errno.EACCES, words, address) from error
        raise OSError(errno.EIO, _words(error), address) from error


def _names(error: BaseException | None) -> set[str]:
    names: set[str] = set()
    while error is not None:
        names.add(type(error).__name__)
        error = error.__cause__
    return names


def _words(error: BaseException) -> str:
    words = " ".join(without_secrets(str(error)).split()) or type(error).__name__
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS]} ..."


def identity_of(about: Mapping[str, Any]) -> tuple[int, int, str | None]:
    """Size, time in nanoseconds and ETag, by what a file system says of an object."""
    tag = about.get("ETag") or about.get("etag")
    when = next((about[name] for name in TIMES if about.get(name) is not None), 0)
    return int(about.get("size") or 0), _nanoseconds(when), str(tag).strip('"') if tag else None


def _nanoseconds(when: object) -> int:
    """A time since 1970; 0 where it is none."""
    if isinstance(when, str):
        try:
            when = datetime.fromisoformat(when)
        except ValueError:
            return 0
    if isinstance(when, datetime):
        in_utc = when if when.tzinfo else when.replace(tzinfo=UTC)
        return round((in_utc - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1_000_000) * 1000
    return int(when * 1_000_000_000) if isinstance(when, int | float) else 0
