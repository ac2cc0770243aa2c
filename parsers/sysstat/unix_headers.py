"""Headers of AIX, Solaris, HP-UX and the BSDs, and of column groups."""

from collections.abc import Sequence
from dataclasses import replace

from parsers.sysstat.layout import MAX_WIDTH, Header, Item, Layout, clock_of, item_of

NOT_DISKS = {
    "Vadapter:": "table of virtual adapters",
    "Adapter:": "table of adapters",
    "Paths/Disks:": "table of paths",
    "FS": "table of file systems",
}
CPU_COLUMNS = frozenset({"us", "ni", "sy", "in", "id", "wt", "dt"})


def aix(tokens: Sequence[str], _above: str) -> Header | None:
    """Tables of AIX, but that of the processors."""
    if tokens[0] in NOT_DISKS:
        return Header("iostat", "aix", ignored=NOT_DISKS[tokens[0]])
    if list(tokens) == ["Kbps", "tps", "Kb_read", "Kb_wrtn"]:
        return Header("iostat", "aix", ignored="totals of the system")
    if len(tokens) > 2 and tokens[1] == "xfer:":
        return _stanza(tokens[2:], "")
    if tokens[0] in _STANZAS and set(tokens[1:]) & _STANZA_COLUMNS:
        return _stanza(tokens[1:], _STANZAS[tokens[0]])
    return _aix_disks(tokens) if tokens[0][-1] in ":\uff1a" else None


def _aix_disks(tokens: Sequence[str]) -> Header | None:
    """`Disks:` with one column per value, or with groups of columns that the next two lines name.

    The first word and the last, `time`, are in the language of the session.
    """
    has_time = tokens[-1] not in {"queue", "Kb_wrtn"}
    if {"read", "write", "queue"} <= set(tokens):
        width = 1 + len(_AIX_WIDE)
        item = item_of("device", _AIX_WIDE, 1, "aix", name_at=0)
        timed = Layout(width + 1, (item,), width, 1)
        layouts = (timed,) if has_time else (Layout(width, (item,)), timed)
        return Header("iostat", "aix", layouts, kind="device")
    if "%tm_act" not in tokens:
        return None
    names = tokens[1 : len(tokens) - has_time]
    item = item_of("device", names, 1, "aix", name_at=0)
    layout = Layout(len(tokens), (item,), *clock_of(0, len(tokens) - 1 if has_time else None))
    return Header("iostat", "aix", (layout,), kind="device")


_STANZAS = {"read:": "r.", "write:": "w.", "queue:": ""}
_AIX_SIDE = ("avgserv", "minserv", "maxserv", "timeouts", "fails")
_AIX_WIDE = (
    *("%tm_act", "bps", "tps", "bread", "bwrtn"),
    *("rps", *(f"r.{name}" for name in _AIX_SIDE)),
    *("wps", *(f"w.{name}" for name in _AIX_SIDE)),
    *("avgtime", "mintime", "maxtime", "avgwqsz", "avgsqsz", "sqfull"),
)
_STANZA_COLUMNS = {*_AIX_SIDE, *_AIX_WIDE}
"""Any of them: `read: connection reset by peer` is no header."""


def _stanza(names: Sequence[str], prefix: str) -> Header:
    """One of the four pairs of lines that `iostat -D` of AIX prints for a disk."""
    printed = [name if name in {"rps", "wps"} or not prefix else prefix + name for name in names]
    item = item_of("device", printed, 0, family="aix")
    return Header("iostat", "aix", (Layout(len(printed), (item,)),), kind="device", is_part=True)


_GROUPS = (
    (("KB/t", "tps", "MB/s"), "bsd"),
    (("KB/t", "t/s", "MB/s"), "bsd"),
    (("rps", "wps", "util"), "solaris"),
    (("kps", "tps", "serv"), "solaris"),
    (("sps", "tps", "msps"), "bsd"),
)
_FIRST_OF_GROUPS = frozenset(names[0] for names, _ in _GROUPS)
_NO_DEVICES = frozenset({"tty", "cpu", "load", "average"})


def groups(tokens: Sequence[str], above: str) -> Header | None:
    """Columns in groups of three, a group per device; their names are on the line above, every row is a report."""
    if _FIRST_OF_GROUPS.isdisjoint(tokens):
        return None
    positions: list[int] = []
    family = ""
    for at in range(len(tokens) - 2):
        for names, of in _GROUPS:
            if tuple(tokens[at : at + 3]) == names and (not positions or at >= positions[-1] + 3):
                positions.append(at)
                family = of
    taken = {at + offset for at in positions for offset in range(3)}
    rest = [(at, token) for at, token in enumerate(tokens) if at not in taken]
    if not positions or any(token not in CPU_COLUMNS | {"tin", "tout", "1m", "5m", "15m"} for _, token in rest):
        return None
    devices = [name for name in above.split() if name not in _NO_DEVICES]
    if len(devices) != len(positions):
        return Header("iostat", f"{family}_groups", ignored="columns of devices that no line above names")
    items = [
        Item("device", tuple(range(at, at + 3)), tuple(tokens[at : at + 3]), name=device, family=family)
        for at, device in zip(positions, devices, strict=True)
    ]
    cpu = [(at, token) for at, token in rest if token in CPU_COLUMNS]
    if cpu:
        items.append(Item("cpu", tuple(at for at, _ in cpu), tuple(name for _, name in cpu), family="cpu"))
    return Header("iostat", f"{family}_groups", (Layout(len(tokens), tuple(items)),), rows="report")


def separated_by_commas(tokens: Sequence[str], _above: str) -> Header | None:
    """`iostat -r` of Solaris: `r/s,w/s,kr/s,...,device`."""
    if len(tokens) != 1 or not 5 <= tokens[0].count(",") < MAX_WIDTH:
        return None
    inner = extended(tokens[0].split(","), "")
    return None if inner is None else replace(inner, separator=",")


def extended(names: Sequence[str], _above: str) -> Header | None:
    """`iostat -x` of Solaris and of the BSDs. What is after %b belongs to tty and cpu, on the first row only."""
    if not {"device", "disk"} & {names[0], names[-1]} or not {"%b", "svc_t", "asvc_t"} & set(names):
        return None
    is_bsd = "qlen" in names or ("actv" not in names and "asvc_t" not in names)
    family = "bsd" if is_bsd else "solaris"
    flavour = "freebsd_x" if is_bsd else "solaris_x"
    if names[-1] == "device":
        item = item_of("device", names[:-1], 0, name_at=len(names) - 1, family=family)
        return Header("iostat", flavour, (Layout(len(names), (item,)),), kind="device")
    end = names.index("%b") + 1 if "%b" in names else len(names)
    item = item_of("device", names[1:end], 1, name_at=0, family=family)
    layouts = [Layout(end, (item,))]
    rest = [(at, name) for at, name in enumerate(names) if at >= end and name in CPU_COLUMNS]
    if end < len(names):
        cpu = Item("cpu", tuple(at for at, _ in rest), tuple(name for _, name in rest), family="cpu")
        layouts.insert(0, Layout(len(names), (item, cpu) if rest else (item,)))
    return Header("iostat", flavour, tuple(layouts), kind="device")


def cpu_alone(tokens: Sequence[str], _above: str) -> Header | None:
    """`us sy wt id` of Solaris under `cpu`; `tin tout us ni sy id` of HP-UX."""
    names = list(tokens)
    rest = names[2:] if names[:2] == ["tin", "tout"] else names
    if len(rest) < 3 or rest[0] != "us" or rest[-1] != "id" or set(rest) - CPU_COLUMNS:
        return None
    item = item_of("cpu", names, 0, family="cpu")
    return Header("iostat", "solaris_x", (Layout(len(names), (item,)),), kind="cpu")


def hp_ux(tokens: Sequence[str], _above: str) -> Header | None:
    """`device bps sps msps`."""
    if list(tokens) != ["device", "bps", "sps", "msps"]:
        return None
    return Header("iostat", "hpux", (Layout(4, (item_of("device", tokens[1:], 1, "hpux", name_at=0),)),), kind="device")
