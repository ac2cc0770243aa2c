"""How rows of a table are laid out: what a header says once it is read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from parsers.sysstat import columns
from parsers.sysstat.columns import Meaning

Target = Literal["device", "cpu", "vmstat"]
NUMBER = re.compile(r"^[-+]?[0-9.,]+[kKMGTPSH%]?$|^-?nan$")
MAX_WIDTH = 256
"""Values of a row: 85 devices in groups of three columns. What has more words is no header."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a table that a printed row holds. `at`: positions of its values; `printed`: their column names.

    The name (of a device, of a processor) is the value at `name_at`, else `name`; neither: that of the stanza.
    """

    target: Target
    at: tuple[int, ...]
    printed: tuple[str, ...]
    name_at: int | None = None
    name: str | None = None
    family: str = "linux"

    @property
    def meanings(self) -> dict[str, Meaning]:
        """What each printed column holds, where that is known."""
        known = FAMILIES[self.family]
        return {name: known[name] for name in self.printed if name in known}


FAMILIES: dict[str, Mapping[str, Meaning]] = {
    "linux": columns.LINUX,
    "solaris": columns.SOLARIS,
    "bsd": columns.BSD,
    "aix": columns.AIX,
    "hpux": columns.HP_UX,
    "sar_unix": columns.SAR_UNIX,
    "cpu": columns.CPU,
    "vmstat": columns.VMSTAT,
}


@dataclass(frozen=True, slots=True)
class Layout:
    """One way a row is laid out: this many values; `clock_width` of them, from `clock_at` on, are its time."""

    width: int
    items: tuple[Item, ...]
    clock_at: int | None = None
    clock_width: int = 0

    @property
    def texts(self) -> set[int]:
        """Positions of the values that are no numbers: names, times, and what no item takes."""
        return set(range(self.width)) - {at for item in self.items for at in item.at}


@dataclass(frozen=True, slots=True)
class Header:
    """A table as its header describes it.

    `kind`: which mark the header is; None where its rows are marks by themselves (`rows`: each is a report; clock: a
    report per time). `is_part`: one of several tables that make up the rows of a report. `ignored`: why the rows are
    set aside. `separator`: what is between values, where that is no blank. `zone` of the times in the rows.
    `of_averages`: its rows are averages over the whole run of the tool.
    """

    tool: str
    flavour: str
    layouts: tuple[Layout, ...] = ()
    kind: Literal["cpu", "device", "nfs"] | None = None
    rows: Literal["of_report", "report", "clock"] = "of_report"
    section: str = "iostat"
    is_part: bool = False
    ignored: str | None = None
    separator: str | None = None
    zone: str | None = None
    of_averages: bool = False


def item_of(
    target: Target, names: Sequence[str], start: int, family: str = "linux", name_at: int | None = None
) -> Item:
    """A row whose values stand one after the other from `start` on."""
    return Item(target, tuple(range(start, start + len(names))), _unique(names), name_at, family=family)


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    """Names distinguished: vmstat may print disks s1 s1 s1."""
    unique: dict[str, None] = {}
    for name in names:
        distinct = name
        while distinct in unique:
            distinct += "'"
        unique[distinct] = None
    return tuple(unique)


def named_item(names: Sequence[str], start: int, device_word: str) -> Item:
    """All columns but that of the device, wherever it is."""
    name_at = names.index(device_word)
    rest = [(start + at, name) for at, name in enumerate(names) if at != name_at]
    return Item("device", tuple(at for at, _ in rest), _unique(name for _, name in rest), start + name_at)


def clock_of(start: int, time_at: int | None) -> tuple[int | None, int]:
    """Where the time of a row is: in front of it, at `time_at`, or nowhere."""
    if time_at is not None:
        return time_at, 1
    return (0, start) if start else (None, 0)


def with_half_day(layout: Layout) -> tuple[Layout, ...]:
    """A row that begins with date and time may hold AM or PM too."""
    if layout.clock_at != 0 or layout.clock_width != 2:
        return (layout,)
    moved = tuple(
        replace(
            item,
            at=tuple(at + 1 for at in item.at),
            name_at=None if item.name_at is None else item.name_at + 1,
        )
        for item in layout.items
    )
    return layout, Layout(layout.width + 1, moved, 0, 3)
