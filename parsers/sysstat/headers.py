"""Headers of the tables of iostat, vmstat and sar: which value of a row is what.

A header is read once however often it is printed. It says how rows may be laid out (a Solaris row has processor columns
only on the first device of a report), and rows are recognised by their number of values, never by position.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from parsers.sysstat import columns
from parsers.sysstat import unix_headers as unix
from parsers.sysstat.layout import MAX_WIDTH, NUMBER, Header, Layout, clock_of, item_of, named_item, with_half_day

CLOCK = re.compile(r"^[0-9]{1,2}:[0-9][0-9]:[0-9][0-9]$")
HALF_DAY = re.compile(r"^[AaPp]\.?[Mm]\.?$")
JOINED_PERCENT = re.compile(r"%\s+(?=[a-z])")  # AIX prints `% user`
CPU_WORDS = frozenset(columns.CPU) - {"in", "us", "sy", "id", "ni", "wt", "wa"}
LINUX_COLUMNS = columns.known_linux_columns()
DEVICE_WORDS = frozenset({"Device", "Device:", "Disks:", "device", "disk", "Filesystem:", "Filesystem"})
MAX_LENGTH = 8192
"""Characters of a header: 32 for each value, blanks included. Longer lines are neither read nor remembered."""

SAR_WORD = re.compile(r"^[A-Za-z%][\w%/+.-]*$")
SAR_UNIT = re.compile(r"/s$|^%|-sz$|^kb|^(?:IFACE|INTR|TTY|FCHOST|BUS|TEMP|MHz)$")


def header_of(text: str, above: str = "") -> Header | None:
    """Read a line as a header; None if it is none. `above`, the line before it, names the devices of column groups."""
    return _header(text, above[:MAX_LENGTH]) if len(text) <= MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _header(text: str, above: str) -> Header | None:
    tokens = JOINED_PERCENT.sub("%", text).split()
    if not 0 < len(tokens) <= MAX_WIDTH or all(NUMBER.match(token) for token in tokens):
        return None
    for reader in READERS:
        if found := reader(tokens, above):
            return found
    return None


def header_rest(text: str) -> bool:
    """Whether a line holds nothing but columns of a device table: the rest of a header that a mailer wrapped."""
    tokens = text.split()
    return bool(tokens) and all(token in LINUX_COLUMNS for token in tokens)


# --- readers ---------------------------------------------------------------------------------------------------------


def _avg_cpu(tokens: Sequence[str], _above: str) -> Header | None:
    """`avg-cpu:` of Linux and AIX; with `tty:` before it on AIX and on Linux before sysstat 4."""
    if "avg-cpu:" not in tokens:
        return None
    at = tokens.index("avg-cpu:")
    before = [token for token in tokens[:at] if token not in {"tty:", "Datetime"}]
    after = list(tokens[at + 1 :])
    has_time = bool(after) and after[-1] == "time"
    names = [*before, *(after[:-1] if has_time else after)]
    is_aix = "tty:" in tokens
    start = 2 if "Datetime" in tokens[:at] else 0
    item = item_of("cpu", names, start, family="cpu")
    layout = Layout(start + len(names) + has_time, (item,), *clock_of(start, len(names) if has_time else None))
    return Header("iostat", "aix" if is_aix else "linux", with_half_day(layout), kind="cpu")


def _sar(tokens: Sequence[str], _above: str) -> Header | None:
    """A header of sar or mpstat begins with a time: `09:00:01 CPU %usr`, `02:42:01 tps .. %util DEV`."""
    if not CLOCK.match(tokens[0]):
        return None
    clock = 2 if len(tokens) > 1 and HALF_DAY.match(tokens[1]) else 1
    names = list(tokens[clock:])
    if not names or any(NUMBER.match(name) for name in names):
        return None
    if any(name in CPU_WORDS for name in names) and (names[0] == "CPU" or "CPU" not in names):
        return _sar_cpu(names, clock)
    return _sar_devices(names, clock) or _sar_other(names)


def _sar_averages(tokens: Sequence[str], _above: str) -> Header | None:
    """`device %busy avque ...` of HP-UX without a time: the averages, copied alone."""
    if tokens[0] != "device" or "%busy" not in tokens or "avserv" not in tokens:
        return None
    worded, bare = (
        Layout(at + len(tokens), (item_of("device", tokens[1:], at + 1, "sar_unix", name_at=at),)) for at in (1, 0)
    )
    return Header("sar", "sar_unix", (worded, bare), kind="device", section="device", of_averages=True)


def _sar_devices(names: Sequence[str], clock: int) -> Header | None:
    if names[0] == "device" and "%busy" in names:  # the time is on the first device only
        timed = item_of("device", names[1:], clock + 1, "sar_unix", name_at=clock)
        untimed = item_of("device", names[1:], 1, "sar_unix", name_at=0)
        layouts = (Layout(clock + len(names), (timed,), 0, clock), Layout(len(names), (untimed,)))
        return Header("sar", "sar_unix", layouts, rows="clock", section="device")
    if "DEV" in names and "tps" in names:
        layout = Layout(clock + len(names), (named_item(names, clock, "DEV"),), 0, clock)
        return Header("sar", "sar_linux", (layout,), rows="clock", section="device")
    return None


def _sar_other(names: Sequence[str]) -> Header | None:
    if all(SAR_WORD.match(name) for name in names) and any(SAR_UNIT.search(name) for name in names):
        return Header("sar", "sar", rows="clock", section="other", ignored=f"table of sar that is not read: {names[0]}")
    return None


def _sar_cpu(names: Sequence[str], clock: int) -> Header:
    has_cpu = names[0] == "CPU"
    values = names[1:] if has_cpu else names
    item = item_of(
        "cpu",
        values,
        clock + has_cpu,
        name_at=clock if has_cpu else None,
        family="cpu",
    )
    is_mpstat = has_cpu and "%usr" in values and "%gnice" in values and values.index("%gnice") == len(values) - 2
    is_mpstat = is_mpstat and [each for each in values if each in {"%irq", "%steal"}][:2] == ["%irq", "%steal"]
    tool = "mpstat" if is_mpstat else "sar"
    layout = Layout(clock + len(names), (item,), 0, clock)
    return Header(tool, "sar_linux" if has_cpu else "sar_unix", (layout,), rows="clock", section="cpu")


def _vmstat(tokens: Sequence[str], _above: str) -> Header | None:
    if list(tokens[:2]) != ["r", "b"] or "us" not in tokens or "id" not in tokens:
        return None
    is_dated = tokens[-1] not in columns.VMSTAT and tokens.index("id") < len(tokens) - 1 and len(tokens[-1]) > 2
    names = list(tokens[:-1] if is_dated else tokens)
    cpu_from = names.index("us")
    printed = ["sys" if name == "sy" and position < cpu_from else name for position, name in enumerate(names)]
    item = item_of("vmstat", printed, 0, family="vmstat")
    plain = Layout(len(printed), (item,))
    layout = Layout(len(printed) + 2, (item,), len(printed), 2)
    layouts = (layout, plain) if is_dated else (plain,)
    zone = tokens[-1] if is_dated else None
    return Header("vmstat", "vmstat", layouts, rows="report", section="vmstat", zone=zone)


def _devices(tokens: Sequence[str], _above: str) -> Header | None:
    """A table with a device a row; its name comes first or last, as `Device` is in the header."""
    start = 2 if tokens[0] == "Datetime" else 0
    names = list(tokens[1:] if start else tokens)
    is_last = len(names) > 2 and names[-1] in DEVICE_WORDS and names[0] not in DEVICE_WORDS
    if len(names) < 3 or not (is_last or names[0] in DEVICE_WORDS) or any(NUMBER.match(name) for name in names):
        return None
    if sum(name in LINUX_COLUMNS or "/s" in name or "%" in name for name in names) < 2:
        return None
    if names[0].startswith("Filesystem") or {"rBlk_nor/s", "rkB_nor/s"} & set(names):
        return Header(
            "iostat", "linux", (Layout(len(names), (item_of("device", names[1:], 1, name_at=0),)),), kind="nfs"
        )
    item = named_item(names, start, names[-1] if is_last else names[0])
    layout = Layout(start + len(names), (item,), 0 if start else None, start)
    return Header("iostat", "linux", with_half_day(layout), kind="device", is_part=is_last)


def _translated(tokens: Sequence[str], _above: str) -> Header | None:
    """A header whose first word is in another language, recognised by its columns."""
    names = list(tokens[1:])
    if len(names) >= 4 and names[0] == "%user" and all(name.startswith("%") for name in names):
        item = item_of("cpu", names, 0, family="cpu")
        return Header("iostat", "linux", (Layout(len(names), (item,)),), kind="cpu")
    known = [name for name in names if name in LINUX_COLUMNS]
    if len(known) >= 3 and len(known) >= len(names) - 1 and tokens[0] not in LINUX_COLUMNS and tokens[0][0] != "#":
        item = item_of("device", names, 1, name_at=0)
        return Header("iostat", "linux", (Layout(len(tokens), (item,)),), kind="device")
    return None


READERS = (
    _avg_cpu,
    _sar,
    _sar_averages,
    unix.aix,
    _vmstat,
    unix.groups,
    unix.separated_by_commas,
    unix.hp_ux,
    unix.extended,
    _devices,
    unix.cpu_alone,
    _translated,
)
