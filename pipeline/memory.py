"""How much memory a process has, as the system says."""

import gc
import math
import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEBIBYTE = 1024 * 1024


def held_bytes(process: int | None = None) -> int:
    """Memory that a process has, None: this one; 0 where the system does not say."""
    return _of_statm(process, 1)


@contextmanager
def bounded_address_space(more: int) -> Iterator[float]:
    """Let the process take at most this many further bytes; where the system cannot tell what it has, do nothing.

    Gives how many further bytes the process was allowed before.
    """
    used = _of_statm(None, 0)
    if not used:
        yield math.inf
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    bounds = [each for each in (used + more, soft, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))
    try:
        yield math.inf if soft == resource.RLIM_INFINITY else soft - used
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _of_statm(process: int | None, field: int) -> int:
    try:
        place = Path(f"/proc/{process or 'self'}/statm")
        return int(place.read_text(encoding="ascii").split()[field]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def free_bytes() -> int:
    """Memory that this process may still take: what the system has, and limits leave; 0 where nothing says."""
    known = [_of_system(), _of_group(), _of_process()]
    return max(0, min((each for each in known if each is not None), default=0))


def _of_system() -> int | None:
    found = _number(Path("/proc/meminfo"), r"MemAvailable:\s+([0-9]+) kB")
    if found is not None:
        return found * 1024
    pages = os.sysconf("SC_AVPHYS_PAGES") if "SC_AVPHYS_PAGES" in os.sysconf_names else 0
    return pages * os.sysconf("SC_PAGE_SIZE") or None


def _of_group() -> int | None:
    """What the control group of a container leaves."""
    folder = Path("/sys/fs/cgroup")
    most, held = _number(folder / "memory.max", r"([0-9]+)"), _number(folder / "memory.current", r"([0-9]+)")
    return None if most is None or held is None else most - held


def _of_process() -> int | None:
    """What `ulimit -v` leaves."""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if most == resource.RLIM_INFINITY else most - held_bytes()


def _number(file: Path, pattern: str) -> int | None:
    try:
        found = re.search(pattern, file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return None if found is None else int(found[1])


@contextmanager
def without_collector() -> Iterator[None]:
    """Do not look for cycles of objects: with facts of many files in memory that takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
