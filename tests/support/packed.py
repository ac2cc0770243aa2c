"""Compressed files and archives made by hand, honest ones and hostile ones."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSED: Mapping[str, Callable[[bytes], bytes]] = {
    "gz": lambda content: gzip.compress(content, mtime=0),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda content: zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1}),  # as zstd does
}
MTIME = 1_059_400_000  # 2003-07-28T13:46:40


def tar(members: Mapping[str, bytes], *more: tarfile.TarInfo, form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar archive of files, and of entries without content."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=form, encoding="utf-8", errors="surrogateescape") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.mtime = MTIME
            archive.addfile(info, io.BytesIO(content))
        for each in more:
            archive.addfile(each)
    return held.getvalue()


def entry(name: str, kind: bytes, link: str = "") -> tarfile.TarInfo:
    """A member of a tar archive that is no file."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = link
    return info


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2003, 7, 28, 13, 46, 40)), content, method)
    return held.getvalue()


def every_form(name: str, content: bytes) -> dict[str, bytes]:
    """A file in every form that is read in place, by the name of what holds it."""
    plain = tar({name: content})
    return {
        **{f"{name}.{suffix}": compress(content) for suffix, compress in COMPRESSED.items()},
        "a.tar": plain,
        **{f"a.tar.{suffix}": compress(plain) for suffix, compress in COMPRESSED.items()},
        "a.tgz": COMPRESSED["gz"](tar({f"{name}.gz": COMPRESSED["gz"](content)})),
        "a.zip": zipped({name: content}),
        "stored.zip": zipped({name: content}, zipfile.ZIP_STORED),
        "bzip2.zip": zipped({name: content}, zipfile.ZIP_BZIP2),
        "tar-in.zip": zipped({"in.tar.xz": lzma.compress(plain)}),
        "zip-in.tar.zst": COMPRESSED["zst"](tar({"in.zip": zipped({name: content})})),
    }


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Files into a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder
