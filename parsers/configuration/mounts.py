"""File systems and their mount options: what `mount` prints, /proc/mounts, /etc/fstab.

Written by  mount and the kernel; fstab by people
One row     per device, type and option of a mount point, in scope mount or, of fstab, in scope fstab: `/db03 rsize` is
            65536; an option without a value reads `yes`. File systems that hold no files are left out
Recognised  by the shape of the lines and a type of file system; fstab by what only it has: defaults, UUID=, comments
"""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import COMMENT, LineVerdict, Row, ignored, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal
from parsers.secret import masked

# REAL: devpts on /dev/pts type devpts (rw,relatime,mode=600,ptmxmode=000)
MOUNTED = re.compile(
    r"^(?P<device>\S+) on (?P<point>/.*?) type (?P<type>\S+) \((?P<options>[^()]*)\)(?: \[[^\]]*\])?\s*$"
)
# REAL: proc /proc proc rw,relatime 0 0
TABLE = re.compile(
    r"^\s*(?P<device>[^\s#]\S*)\s+(?P<point>/\S*|none|swap)\s+(?P<type>[a-z][\w.,-]*)\s+(?P<options>[\w/]\S*)"
    r"(?:\s+[0-9]\s+[0-9])?\s*(?:#.*)?$"
)
FILE_SYSTEM = (
    r"(?:ext[234]|xfs|btrfs|zfs|jfs2?|vxfs|reiserfs|nfs4?|cifs|gfs2?|ocfs2|gpfs|vfat|iso9660|swap|overlay|tmpfs|proc|sysfs"
    r"|devpts|devtmpfs|ufs|hsfs)"
)
SHAPE = (
    r"^\S+ on /.* type \S+ \("
    r"|^\s*[^\s#]\S*\s+(?:/\S*|none|swap)\s+[a-z][\w.,-]*\s+[\w/]\S*(?:\s+[0-9]\s+[0-9])?\s*(?:#.*)?$"
)
KNOWN = rf"^\S+ on /.* type {FILE_SYSTEM} \(|^\s*[^\s#]\S*\s+(?:/\S*|none|swap)\s+{FILE_SYSTEM}\s+\S"
PSEUDO = re.compile(
    r"^(?:proc|sysfs|devtmpfs|devpts|tmpfs|cgroup2?|securityfs|debugfs|tracefs|configfs|fusectl|mqueue|hugetlbfs|pstore|bpf"
    r"|autofs|binfmt_misc|rpc_pipefs|efivarfs|ramfs|nsfs|selinuxfs|usbfs|nfsd|swap)$"
)
TABLE_OF_PEOPLE = re.compile(r"^\s*(?:#|UUID=|LABEL=)|\sdefaults\b")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file that is made of mounts, one of them of a known type."""
    given = head.str.contains(r"^\s*[^#\s]")
    known, shaped = head.str.contains(KNOWN), head.str.contains(SHAPE)
    if known.any() and 5 * (given & shaped).sum() >= 4 * given.sum():
        return Recognition(0.9, "mounts of file systems", (known.arg_max() or 0) + 1)
    return Refusal("not made of mounts of file systems", ((given & ~shaped).arg_max() or 0) + 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Classify the lines of one file."""
    scope = "fstab" if any(map(TABLE_OF_PEOPLE.search, texts)) else "mount"
    for text in texts:
        mount = (MOUNTED.match(text) or TABLE.match(text)) if len(text) < 4096 else None
        if text.lstrip().startswith("#"):
            yield COMMENT
        elif mount is None:
            yield rejected("no mount of a file system")
        elif PSEUDO.match(mount["type"]):
            yield ignored("file system that holds no files")
        else:
            yield parsed(*_rows(mount, scope))


def _rows(mount: re.Match[str], scope: str) -> Iterator[Row]:
    point = mount["point"]
    yield {"scope": scope, "name": f"{point} device", "value": mount["device"]}
    yield {"scope": scope, "name": f"{point} type", "value": mount["type"]}
    for option in dict.fromkeys(mount["options"].split(",")):
        name, sign, value = option.strip().partition("=")
        if name:
            yield {"scope": scope, "name": f"{point} {name}", "value": masked(name, value if sign else "yes")}


FORMAT = settings_format(
    "mounts", "Mounted file systems", "*mount*", "*fstab*", recognise=recognise, read=read, needs=KNOWN
)
