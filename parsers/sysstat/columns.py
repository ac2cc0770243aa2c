"""What the columns of iostat, vmstat and sar mean: printed name to canonical name and factor.

Units: rates per second, KiB (1024 bytes), milliseconds, percent. Sectors and blocks are 512 bytes on every Linux.
A name means the same in every release that prints it, so nothing here asks for the release.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

_KIB = {"sec": 0.5, "Blk": 0.5, "kB": 1.0, "MB": 1024.0, "GB": 1048576.0}
_SIDES = {"r": "r", "w": "w", "d": "d", "read": "r", "wrtn": "w", "dscd": "d"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a printed column holds: value times `factor` is the canonical column. `flag` reports a reservation."""

    name: str
    factor: float = 1.0
    flag: str | None = None


def _linux() -> dict[str, Meaning]:
    found = {
        "avgrq-sz": Meaning("areq_kb", 0.5),  # in sectors
        "areq-sz": Meaning("areq_kb"),
        "avgqu-sz": Meaning("aqu_sz"),
        "aqu-sz": Meaning("aqu_sz"),
        "await": Meaning("await_ms"),
        "f_await": Meaning("f_await_ms"),
        "f/s": Meaning("f_per_s"),
        "svctm": Meaning("svctm_ms"),
        "%util": Meaning("util_pct"),
        "tps": Meaning("tps"),
        "sec/s": Meaning("tkb_per_s", 0.5),
        "kB/s": Meaning("tkb_per_s"),
        "MB/s": Meaning("tkb_per_s", 1024, "coarse"),
        "GB/s": Meaning("tkb_per_s", 1048576, "coarse"),
        "rd_sec/s": Meaning("rkb_per_s", 0.5),  # sar -d up to 11.5.5
        "wr_sec/s": Meaning("wkb_per_s", 0.5),
        "dc_sec/s": Meaning("dkb_per_s", 0.5),
    }
    for side in "rwd":
        found |= {
            f"{side}/s": Meaning(f"{side}_per_s"),
            f"{side}rqm/s": Meaning(f"{side}rqm_per_s"),
            f"{side}_await": Meaning(f"{side}_await_ms"),
            f"{side}areq-sz": Meaning(f"{side}areq_kb"),
        }
        for unit, factor in _KIB.items():
            found[f"{side}{unit}/s"] = Meaning(f"{side}kb_per_s", factor, _coarse(factor))
    for unit, factor in _KIB.items():
        for printed in ("read", "wrtn", "dscd"):
            side = _SIDES[printed]
            found[f"{unit}_{printed}/s"] = Meaning(f"{side}kb_per_s", factor, _coarse(factor))
            found[f"{unit}_{printed}"] = Meaning(f"{side}kb_total", factor, _coarse(factor))
        found[f"{unit}_w+d/s"] = Meaning("wkb_per_s", factor, "includes_discard")
        found[f"{unit}_w+d"] = Meaning("wkb_total", factor, "includes_discard")
    return found


def _coarse(factor: float) -> str | None:
    """Two decimals of a MiB are 10 KiB."""
    return "coarse" if factor >= 1024 else None


LINUX = _linux()

SOLARIS = {
    "r/s": Meaning("r_per_s"),
    "w/s": Meaning("w_per_s"),
    "kr/s": Meaning("rkb_per_s"),
    "kw/s": Meaning("wkb_per_s"),
    "kw": Meaning("wkb_per_s"),  # a misprint of the manual, copied since
    "Kr/s": Meaning("rkb_per_s"),
    "Kw/s": Meaning("wkb_per_s"),
    "Mr/s": Meaning("rkb_per_s", 1024, "coarse"),
    "Mw/s": Meaning("wkb_per_s", 1024, "coarse"),
    "wait": Meaning("wait_q"),
    "actv": Meaning("actv_q"),
    "svc_t": Meaning("await_ms"),  # response time in spite of its name
    "wsvc_t": Meaning("wsvc_ms"),
    "asvc_t": Meaning("svctm_ms"),
    "%w": Meaning("wait_pct"),
    "%b": Meaning("util_pct"),
    "rps": Meaning("r_per_s"),  # groups of iostat -D
    "wps": Meaning("w_per_s"),
    "util": Meaning("util_pct"),
    "kps": Meaning("tkb_per_s"),  # groups of iostat -d
    "tps": Meaning("tps"),
    "serv": Meaning("await_ms"),
}

BSD = {
    **{name: SOLARIS[name] for name in ("r/s", "w/s", "kr/s", "kw/s", "svc_t", "%b")},
    "qlen": Meaning("aqu_sz"),
    "wait": Meaning("aqu_sz"),
    "ms/r": Meaning("r_await_ms"),
    "ms/w": Meaning("w_await_ms"),
    "ms/t": Meaning("await_ms"),
    "KB/t": Meaning("areq_kb"),
    "tps": Meaning("tps"),
    "t/s": Meaning("tps"),
    "MB/s": Meaning("tkb_per_s", 1024, "coarse"),
}

AIX = {
    "%tm_act": Meaning("util_pct"),
    "Kbps": Meaning("tkb_per_s"),
    "tps": Meaning("tps"),
    "Kb_read": Meaning("rkb_total"),
    "Kb_wrtn": Meaning("wkb_total"),
    "bps": Meaning("tkb_per_s", 1 / 1024),  # of iostat -D, in bytes; K is 1000: 4 transfers of 4096 print 16.4K
    "bread": Meaning("rkb_per_s", 1 / 1024),
    "bwrtn": Meaning("wkb_per_s", 1 / 1024),
    "rps": Meaning("r_per_s"),
    "wps": Meaning("w_per_s"),
    "avgwqsz": Meaning("wait_q"),
    "avgsqsz": Meaning("actv_q"),
    "avgtime": Meaning("wsvc_ms"),
    "r.avgserv": Meaning("r_svc_ms"),
    "w.avgserv": Meaning("w_svc_ms"),
}

HP_UX = {"bps": Meaning("tkb_per_s"), "sps": Meaning("tps")}

SAR_UNIX = {  # sar -d of Solaris and HP-UX
    "%busy": Meaning("util_pct"),
    "avque": Meaning("aqu_sz"),
    "r+w/s": Meaning("tps"),
    "blks/s": Meaning("tkb_per_s", 0.5),
    "avwait": Meaning("wsvc_ms"),
    "avserv": Meaning("svctm_ms"),
}

CPU = {
    "%user": Meaning("user_pct"),
    "%usr": Meaning("user_pct"),
    "us": Meaning("user_pct"),
    "%nice": Meaning("nice_pct"),
    "ni": Meaning("nice_pct"),
    "%system": Meaning("system_pct"),
    "%sys": Meaning("system_pct"),
    "sy": Meaning("system_pct"),
    "%iowait": Meaning("iowait_pct"),
    "%wio": Meaning("iowait_pct"),
    "wt": Meaning("iowait_pct"),
    "wa": Meaning("iowait_pct"),
    "%steal": Meaning("steal_pct"),
    "%idle": Meaning("idle_pct"),
    "id": Meaning("idle_pct"),
    "%irq": Meaning("irq_pct"),
    "in": Meaning("irq_pct"),
    "%soft": Meaning("soft_pct"),
    "%guest": Meaning("guest_pct"),
    "physc": Meaning("physc"),
    "%entc": Meaning("entc_pct"),
}

VMSTAT = {
    "r": Meaning("runnable"),
    "b": Meaning("blocked"),
    "w": Meaning("swapped"),
    "swpd": Meaning("swap_used"),
    "swap": Meaning("swap_free"),
    "avm": Meaning("active_virtual"),
    "free": Meaning("free"),
    "fre": Meaning("free"),
    "buff": Meaning("buffers"),
    "cache": Meaning("cache"),
    "inact": Meaning("inactive"),
    "active": Meaning("active"),
    "si": Meaning("swap_in_per_s"),
    "so": Meaning("swap_out_per_s"),
    "pi": Meaning("page_in_per_s"),
    "po": Meaning("page_out_per_s"),
    "bi": Meaning("blocks_in_per_s"),
    "bo": Meaning("blocks_out_per_s"),
    "in": Meaning("interrupts_per_s"),
    "int": Meaning("interrupts_per_s"),
    "sys": Meaning("calls_per_s"),
    "cs": Meaning("switches_per_s"),
    "us": Meaning("user_pct"),
    "sy": Meaning("system_pct"),
    "id": Meaning("idle_pct"),
    "wa": Meaning("iowait_pct"),
    "st": Meaning("steal_pct"),
    "gu": Meaning("guest_pct"),
}

SHARES = ("%rrqm", "%wrqm", "%drqm", "%gnice", "rqm/s", "Blk_nor/s")
"""Further columns of Linux that are known and stay in `raw`."""


def known_linux_columns() -> frozenset[str]:
    """Names that a device table of Linux may have."""
    return frozenset(LINUX) | frozenset(SHARES)


# --- devices ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Device:
    """What the name of a device says about it. `parent`: the disk that a partition or path is part of."""

    name: str
    kind: str
    parent: str | None = None


_PARTITIONS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^((?:hd|ubd)[a-z]|vd[a-z]{1,2}|(?:sd|xvd|emcpower)[a-z]+)[0-9]+$",  # hdisk5 of AIX is a disk
        r"^((?:nvme[0-9]+n[0-9]+|mmcblk[0-9]+|md[0-9]+|nbd[0-9]+|loop[0-9]+|cciss/c[0-9]+d[0-9]+|ida/c[0-9]+d[0-9]+|rd/c[0-9]+d[0-9]+))p[0-9]+$",
        r"^(c[0-9]+(?:t\w+)?d[0-9]+)[sp][0-9]+$",
        r"^((?:ada|da|ad|vtbd|nvd)[0-9]+)(?:p[0-9]+|s[0-9]+[a-h]?)$",
        r"^(s?sd[0-9]+)[.,]\S+$",  # ssd22.t2.fp0 of Solaris: a path
        r"^(\S+)-part[0-9]+$",  # persistent names of Linux
    )
)
_KINDS = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"^drbd[0-9]+$", "drbd"),
        (r"^(?:md[0-9]\w*|md/\S+|d[0-9]+)$", "md"),
        (r"^(?:dm-[0-9]+|VxVM[0-9]+)$", "dm"),
        (r"^loop[0-9]+$", "loop"),
        (r"^(?:ram|ramdisk|zram)[0-9]+$", "ram"),
        (r"^(?:sr|scd|cd|fd)[0-9]+$", "optical"),
        (r"^(?:nfs[0-9]+|[\w.-]+:/\S*)$", "nfs"),
        (r"^c[0-9]+$", "controller"),
    )
)
_NUMBERED = re.compile(r"^dev([0-9]+)-([0-9]+)$")
_MINORS_PER_DISK = {3: 64, 22: 64, 8: 16}  # IDE, SCSI: Linux' list of devices; others depend on the distribution
_KIND_BY_MAJOR = {9: "md", 147: "drbd", 7: "loop", 1: "ram", 11: "optical", 2: "optical"}


@cache
def device_of(printed: str) -> Device:
    """Read a device's name.

    >>> device_of("/dev/sda1")
    Device(name='sda1', kind='partition', parent='sda')
    >>> device_of("dev8-17").kind
    'partition'
    """
    name = printed.removeprefix("/dev/").replace("!", "/")
    if numbered := _NUMBERED.match(name):
        major, minor = int(numbered[1]), int(numbered[2])
        per_disk = _MINORS_PER_DISK.get(major)
        if per_disk and minor % per_disk:
            return Device(name, "partition", f"dev{major}-{minor - minor % per_disk}")
        return Device(name, _KIND_BY_MAJOR.get(major, "disk"))
    for pattern in _PARTITIONS:
        if found := pattern.match(name):
            return Device(name, "partition", found[1])
    return Device(name, next((kind for pattern, kind in _KINDS if pattern.match(name)), "disk"))


def best_sources(printed: Mapping[str, Meaning]) -> dict[str, str]:
    """Canonical column to the printed one it is read from: of several, that with the factor closest to one.

    >>> best_sources({"rsec/s": LINUX["rsec/s"], "rkB/s": LINUX["rkB/s"]})
    {'rkb_per_s': 'rkB/s'}
    """
    best: dict[str, str] = {}
    for name, meaning in printed.items():
        held = best.get(meaning.name)
        if held is None or abs(meaning.factor - 1) < abs(printed[held].factor - 1):
            best[meaning.name] = name
    return best
