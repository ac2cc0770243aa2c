"""What is installed, what is missing, and how to get it."""

import ctypes
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata

from pipeline.errors import HaledgerError
from pipeline.scratch import scratch_place

LIBRARIES = (
    "duckdb",
    "polars",
    "jinja2",
    "weasyprint",
    "typer",
    "prompt-toolkit",
    "markdown-it-py",
    "pydantic",
)
OLDEST_WEASYPRINT = (70, 0)

PANGO_ADVICE = (
    "Debian, Ubuntu: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 · "
    "Fedora: dnf install pango · Arch: pacman -S pango · macOS: brew install pango"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: whether it is in order, what was found, and what to do if it is not."""

    name: str
    is_ok: bool
    found: str
    advice: str = ""

    def to_dict(self) -> dict[str, object]:
        """Give the check as plain values."""
        return asdict(self)


def examine() -> list[Check]:
    """Look at everything haledger needs on this machine."""
    return [*_interpreter(), *_packages(), pango(), _temporary_folder(), _memory()]


def _interpreter() -> Iterator[Check]:
    version = platform.python_version()
    yield Check("Python", sys.version_info >= (3, 11), version, "haledger needs Python 3.11 or later")


def _packages() -> Iterator[Check]:
    for name in LIBRARIES:
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Check(name, is_ok=False, found="missing", advice=f"pip install {name}")
            continue
        is_ok = name != "weasyprint" or tuple(map(int, found.split(".")[:2])) >= OLDEST_WEASYPRINT
        yield Check(
            name, is_ok, found, "" if is_ok else "pip install 'weasyprint>=70' (earlier releases read local files)"
        )


def pango() -> Check:
    """WeasyPrint lays out text with Pango, a system library that pip does not bring."""
    names = ("libpango-1.0.so.0", "libpango-1.0.dylib", "/opt/homebrew/lib/libpango-1.0.dylib", "libpango-1.0-0.dll")
    for name in names:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        library.pango_version_string.restype = ctypes.c_char_p
        return Check("Pango", is_ok=True, found=library.pango_version_string().decode())
    return Check("Pango", is_ok=False, found="missing", advice=PANGO_ADVICE)


def _temporary_folder() -> Check:
    import shutil

    advice = "set TMPDIR to a folder with space"
    try:
        free_gib = shutil.disk_usage(scratch_place()).free / 2**30
    except HaledgerError:
        return Check("temporary folder", is_ok=False, found="none can be written", advice=advice)
    return Check("temporary folder", free_gib > 1, f"{free_gib:.0f} GiB free", advice)


def _memory() -> Check:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return Check("memory", is_ok=True, found="unknown")
    total_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return Check("memory", total_gib >= 2, f"{total_gib:.1f} GiB", "large folders want 2 GiB or more")
