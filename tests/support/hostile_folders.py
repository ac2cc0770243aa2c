"""Folders that a stranger might send: bombs, traps, and names with every byte. Each is made in a moment, and small.

A builder writes `study` into a folder that holds nothing else; a folder `outside` beside it holds what nobody may read.
"""

import bz2
import gzip
import io
import json
import lzma
import os
import socket
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.failover_logs import Failover, write, write_run
from tests.support.packed import entry, tar, zipped

MEBIBYTE = 2**20
LINE = b"Jul 28 10:27:04 sun-ha4 kernel: a line like any other\n"
HOLLOW = bytes(MEBIBYTE)
SECRET = "correct horse battery staple"  # noqa: S105  a text that must not be found


READ = (0, 3)
"""What was read is in the store; 3: nothing of it is a log."""

READ_OR_REFUSED = (0, 2)
REFUSED = (2,)


@dataclass(frozen=True, slots=True)
class Hostile:
    """A builder of a folder, what is done with it, and how that may end."""

    build: Callable[[Path], None]
    command: str
    codes: frozenset[int]


CASES: dict[str, Hostile] = {}


def hostile(
    name: str, command: str = "ingest", codes: tuple[int, ...] = READ
) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Add a builder of a study folder to the cases."""

    def added(build: Callable[[Path], None]) -> Callable[[Path], None]:
        CASES[name] = Hostile(build, command, frozenset(codes))
        return build

    return added


def files(name: str, content: Mapping[str, bytes], command: str = "ingest", codes: tuple[int, ...] = READ) -> None:
    """Add a study that holds these files."""

    def build(study: Path) -> None:
        for path, each in content.items():
            write(study / path, each)

    CASES[name] = Hostile(build, command, frozenset(codes))


def manifest(name: str, text: str, command: str = "ingest", codes: tuple[int, ...] = READ) -> None:
    """Add a study of one failover whose study.toml is this."""

    def build(study: Path) -> None:
        write_run(study / "default" / "run01")
        write(study / "study.toml", text)

    CASES[name] = Hostile(build, command, frozenset(codes))


# --- compressed bombs ------------------------------------------------------------------------------------------------

HOLLOW_GZ = gzip.compress(HOLLOW, mtime=0)
LINES_GZ = gzip.compress(LINE + b"x" * (MEBIBYTE - len(LINE) - 1) + b"\n", mtime=0)


def deflated(blocks: int) -> tuple[bytes, int, int]:
    """Raw deflate of some mebibytes of nothing, their number of bytes, and their CRC-32."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(HOLLOW) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = 0
    for _ in range(blocks):
        crc = zlib.crc32(HOLLOW, crc)
    return block * blocks + b"\x03\x00", blocks * MEBIBYTE, crc


def zip_of(name: bytes, stored: bytes, size: int, crc: int, *, entries: int = 1) -> bytes:
    """A zip archive by hand: one member, named by several entries of the list at its end."""
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 33, crc, len(stored), size, len(name), 0) + name + stored
    central = b"".join(
        struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 33, crc, len(stored), size, len(each), *[0] * 6) + each
        for each in (name + (b"%d" % number if number else b"") for number in range(entries))
    )
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, entries % 65536, entries % 65536, len(central), len(local), 0)
    return local + central + end


def tar_head(name: str, size: bytes, kind: bytes = b"0") -> bytes:
    """The head of a member of a tar archive with a size as it is written there."""
    head = bytearray(tarfile.TarInfo(name).tobuf(tarfile.USTAR_FORMAT))
    head[124:136], head[156:157] = size.ljust(12, b"\0")[:12], kind
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head)


def nested(depth: int, suffix: str) -> bytes:
    """An archive in an archive, and so on."""
    content, name = LINE * 10, "messages"
    for number in range(depth):
        content = zipped({name: content}) if suffix == "zip" else gzip.compress(tar({name: content}), mtime=0)
        name = f"{number}.{suffix}"
    return content


ZSTD_HEAD = b"\x28\xb5\x2f\xfd\x00\x58"  # a window of 2 MiB
RUN = struct.pack("<L", 131072 << 3 | 1 << 1)[:3] + b"\0"  # a block that repeats a byte 131,072 times

files("gzip of 2 GiB of nothing", {"messages.gz": HOLLOW_GZ * 2048})
files("gzip of 300 MiB in lines of 1 MiB", {"messages.gz": LINES_GZ * 300})
files("bzip2 of 400 MiB of nothing", {"messages.bz2": bz2.compress(HOLLOW) * 400})
files("xz of 2 GiB of nothing", {"messages.xz": lzma.compress(HOLLOW) * 2048})
files("zstd of 4 GiB of nothing", {"messages.zst": ZSTD_HEAD + RUN * 32768 + b"\1\0\0"})
files("zstd with a window of 1 TiB", {"messages.zst": b"\x28\xb5\x2f\xfd\x00\xf0" + RUN * 9 + b"\1\0\0"})
files("xz that asks for 4 GiB of memory", {"messages.xz": b"\xfd7zXZ\0\0\4\xe6\xd6\xb4F\2\0!\1\x28\0\0\0" + b"\0" * 99})
files("gzip with a name of 20 MB", {"messages.gz": b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 20_000_000})
files("gzip in gzip in gzip", {"messages.gz": gzip.compress(gzip.compress(HOLLOW_GZ * 300))})
files(
    "zip of 600 MiB of nothing",
    {"a.zip": zip_of(b"messages", *deflated(600))},
)
files(
    "zip whose 300 members share their bytes",
    {"a.zip": zip_of(b"messages", *deflated(99), entries=300)},
)
files("zip of a size that lies", {"a.zip": zip_of(b"messages", deflated(300)[0], 10, 0)})
files("zip in zip, 30 deep", {"a.zip": nested(30, "zip")})
files("tar.gz in tar.gz, 30 deep", {"a.tar.gz": nested(30, "tar.gz")})
files("zip of zips of 300 MiB", {"a.zip": zipped({f"{n}.zip": zip_of(b"m", deflated(300)[0], 1, 0) for n in range(9)})})
files(
    "zip of 30,000 members",
    {"a.zip": zip_of(b"m", b"\3\0", 0, 0, entries=30_000)},
)
files(
    "tar of sizes that lie",
    {
        f"{number}.tar": tar_head("m", size) + LINE * 99
        for number, size in enumerate(
            [b"77777777777", b"\x80" + b"\xff" * 11, b"\xff" * 12, b"-1", b"9z", b"\x80" + b"\0" * 3 + b"\x7f" * 8]
        )
    },
)
files(
    "tar of names and attributes without end",
    {
        "long.tar": tar_head("././@LongLink", b"77777777777", b"L") + b"n" * 5_000_000,
        "pax.tar": tar_head("pax", b"%011o" % 5_000_000, b"x") + b"9" * 5_000_000 + tar_head("m", b"0"),
        "global.tar": tar_head("pax", b"%011o" % 512, b"g") * 3000 + tar_head("m", b"0"),
        "sparse.tar": tar_head("sparse", b"%011o" % 512, b"S") + LINE * 99,
    },
)


@hostile("tar of links, devices and paths out of it")
def _(study: Path) -> None:
    outside = study.parent / "outside" / "secret"
    members = {"../../outside/written": b"x\n", "/written": b"x\n", "a/../../../b": b"x\n", "good": LINE}
    kinds = (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE, tarfile.GNUTYPE_SPARSE)
    special = [entry(f"special{number}", kind) for number, kind in enumerate(kinds)]
    links = [entry("s", tarfile.SYMTYPE, str(outside)), entry("h", tarfile.LNKTYPE, "../outside/secret")]
    content = tar(members, *special, *links, entry("d", tarfile.SYMTYPE, "/"), form=tarfile.GNU_FORMAT)
    write(study / "a.tar", content)
    write(study / "a.tgz", gzip.compress(content))


@hostile("zip of names with every byte, links and locks")
def _(study: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for code in range(1, 256):
            info = zipfile.ZipInfo(f"a{chr(code)}b/messages")
            archive.writestr(info, LINE)
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../../outside/written", LINE)
    locked = bytearray(zipped({"secret": LINE}))
    locked[6] |= 1
    write(study / "a.zip", held.getvalue())
    write(study / "locked.zip", bytes(locked))


# --- entries of folders ----------------------------------------------------------------------------------------------


@hostile("links in rings, out of the study and to devices")
def _(study: Path) -> None:
    write(study / "a" / "messages", LINE)
    (study / "outside").symlink_to("../outside")
    (study / "secret").symlink_to("../outside/secret")
    (study / "a" / "up").symlink_to("..")
    (study / "self").symlink_to("self")
    (study / "one").symlink_to("two")
    (study / "two").symlink_to("one")
    (study / "root").symlink_to("/")
    (study / "zero").symlink_to("/dev/zero")
    (study / "memory").symlink_to("/proc/self/mem")
    (study / "terminal").symlink_to("/dev/stdin")
    (study / "long").symlink_to("a/" * 2000)
    for number in range(60):
        (study / f"step{number:02d}").symlink_to(f"step{number + 1:02d}" if number < 59 else "a")


@hostile("pipes, sockets and devices")
def _(study: Path) -> None:
    write(study / "messages", LINE)
    os.mkfifo(study / "engine_A.log")
    here = Path.cwd()
    os.chdir(study)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("db2diag.log")
    os.chdir(here)
    for name, number in (("zero", 5), ("random", 8)):
        try:
            os.mknod(study / name, stat.S_IFCHR | 0o666, os.makedev(1, number))
        except PermissionError:
            return


@hostile("names with every byte")
def _(study: Path) -> None:
    for code in sorted({*range(1, 256)} - {ord("/")}):
        write(Path(os.fsdecode(os.fsencode(study) + b"/a%cb/run01/%c%cx" % (code, code, code))), LINE)


@hostile("names of hosts and folders that are markup", "report")
def _(study: Path) -> None:
    for number, name in enumerate(
        ["<img src=x onerror=alert(1)>", "{{ 7*7 }}", "$(touch x)", "a\u202eb", "=cmd|'x'!A1", "\x1b]8;;http:x\x07"]
    ):
        write_run(study / name / f"run0{number}", Failover(lost="x" * 60, survivor="y" * 60))


@hostile("names as long as they may be, deeper than paths may be")
def _(study: Path) -> None:
    write(study / ("n" * 255), LINE)
    here = os.open(".", os.O_RDONLY)
    os.chdir(study)
    for _ in range(30):
        os.mkdir("d" * 200)  # noqa: PTH102  deeper than a path can say
        os.chdir("d" * 200)
    Path("messages").write_bytes(LINE)
    os.fchdir(here)
    os.close(here)


@hostile("1,500 files of a line")
def _(study: Path) -> None:
    for number in range(1500):
        folder = study / f"c{number % 7}" / f"run{number % 50:02d}" / f"n{number // 350}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "messages").write_bytes(LINE)


@hostile("80 configurations of one run")
def _(study: Path) -> None:
    for number in range(80):
        write_run(study / f"c{number}" / "run01")


@hostile("files that are larger than they are")
def _(study: Path) -> None:
    for name, head in (("messages", LINE * 1000), ("engine_A.log", b"")):
        with write(study / name, head).open("r+b") as file:
            file.truncate(2**40)


# --- what files hold -------------------------------------------------------------------------------------------------

SYSLOG = "Jul 28 10:27:{:02d} sun-ha4 {}\n"
files("one line of 64 MiB", {"messages": LINE + b"Jul 28 10:27:05 sun-ha4 kernel: " + b"x" * 64 * MEBIBYTE})
files("two million empty lines", {"messages": LINE * 10 + b"\n" * 2_000_000 + LINE, "blank.log": b"\r" * 2_000_000})
files(
    "programs and pictures named like logs",
    {
        "messages": b"\x7fELF" + bytes(range(256)) * 4000,
        "engine_A.log": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4000,
        "db2diag.log": b"%PDF-1.7\n" + bytes(range(256)) * 4000,
        "a.log": bytes(1) * 4_000_000,
    },
)
files(
    "encodings that break off",
    {
        "utf16": ("\ufeff" + LINE.decode() * 2000).encode("utf-16-le") + b"\xd8",
        "utf16-be": ("\ufeff" + LINE.decode() * 2000).encode("utf-16-be")[:-1],
        "utf32": (LINE.decode() * 2000).encode("utf-32"),
        "surrogates": LINE * 9 + b"\xed\xa0\x80\xed\xbf\xbf\xf4\x90\x80\x80\xc0\x80\xff\xfe" * 9999,
        "marks": b"\xef\xbb\xbf" * 100_000 + LINE,
        "escapes": b"".join(LINE[:-1] + b"\x1b]52;c;%c\x07\x9b31m\n" % (code or 1) for code in range(256)) * 20,
    },
)
files(
    "lines that patterns are slow on",
    {
        f"{number}/{name}": head
        + (LINE * 3 if not head else b"")
        + b"".join((each * 60_000)[:60_000] + b"!\n" for _ in "ab")
        for name, head in (
            ("messages", b""),
            ("gabtab", b"/sbin/gabconfig -c -n2\n/sbin/gabconfig -c "),
            ("t.out", b"\nreal\t0m1.0s\n"),
        )
        for number, each in enumerate([b"/", b" ", b"a@", b"~", b"(", b"a.", b"0", b"-", b'="', b"1:", b"\t|", b"\\"])
    },
)
files(
    "JSON of depth 100,000 and numbers without end",
    {
        "postgresql.json": b'{"timestamp":"2026-01-01 00:00:00.000 UTC","pid":1,"message":' + b"[" * 100_000 + b"\n",
        "deep.json": b'{"sysstat":{"hosts":' + b'[{"a":' * 100_000,
        "iostat.json": b'{"sysstat":{"hosts":[{"nodename":"a","statistics":[{"disk":[{"disk_device":"sda","r/s":'
        + b"9" * 300_000
        + b"}]}]}]}}\n",
        "keys.json": json.dumps({"sysstat": {f"k{number}": number for number in range(100_000)}}).encode(),
        "journal.json": b'{"__REALTIME_TIMESTAMP":"' + b"9" * 300_000 + b'","MESSAGE":"x","_HOSTNAME":"h"}\n',
    },
)
ENTITIES = b"".join(
    b'<!ENTITY e%d "%s">' % (number, (b"&e%d;" % (number - 1)) * 10 if number else b"ha" * 50) for number in range(10)
)
CIB = b'<cib crm_feature_set="3" validate-with="p" epoch="1" num_updates="0" admin_epoch="0"><configuration>%b'
files(
    "XML of entities, of other files and of depth 200,000",
    {
        "laughs/cib.xml": b"<!DOCTYPE cib [" + ENTITIES + b"]>\n" + CIB % b"&e9;</configuration></cib>",
        "outside/cib.xml": b'<!DOCTYPE cib [<!ENTITY x SYSTEM "../outside/secret"><!ENTITY % y SYSTEM '
        b'"http://127.0.0.1:9/x.dtd"> %y;]>\n' + CIB % b"&x;</configuration></cib>",
        "deep/cib.xml": CIB % (b"<a>" * 200_000),
        "wide/cib.xml": CIB % (b"<a " + b" ".join(b'a%d="1"' % number for number in range(50_000)) + b"/>"),
    },
)
files(
    "CSV of 20,000 columns, of quotes without end and of formulas",
    {
        "wide.csv": (",".join(f"c{number}" for number in range(20_000)) + "\n" + "1," * 20_000 + "\n").encode(),
        "quote.csv": b'clients,tps\n10,"' + b"1\n" * 500_000,
        "nul.csv": b"clients,tps\n" + b"10,1\0\n" * 1000,
        "numbers/summary.csv": b"clients,tps\n"
        + b"\n".join(
            b"10,%b" % each for each in (b"1e308", b"1e-320", b"-0", b"9" * 5000, b"0x7f", b"nan", b"1_0", b"+-1")
        ),
    },
)
files(
    "settings that include themselves and others",
    {
        "main.cf": b'include "main.cf"\ninclude "/etc/passwd"\ninclude "../../outside/secret"\n'
        + b"group g (\n" * 50_000
        + b"{" * 100_000,
        "corosync.conf": b"totem {\n" * 100_000,
        "haresources": b"a " * 1_000_000,
        "drbd.conf": b'include "/etc/*";\n' + b"resource r {" * 50_000,
    },
)
files(
    "stamps at the ends of time",
    {
        "messages": "".join(
            f"{each} sun-ha4 kernel: LLT INFO V-14-1-10205 link 0 (qfe0) node 0 in trouble\n"
            for each in ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-02-30T25:61:61+99:99"] * 50
        ).encode(),
        "syslog": b"".join(b"Feb 29 23:59:60 h kernel: x\nDec 31 24:00:00 h kernel: x\n" for _ in range(100)),
        "engine_A.log": b"0000/00/00 00:00:00 VCS INFO V-16-1-10077 x\n9999/99/99 99:99:99 VCS INFO V-16-1-1 x\n" * 99,
        "dmesg": b"[99999999999999999999.999999] x\n[    0.000000] y\n" * 99,
    },
)
files(
    "3,000 nodes that lose each other",
    {
        "messages": "".join(
            SYSLOG.format(number % 60, f"kernel: LLT INFO V-14-1-10205 link 0 (qfe0) node {number} in trouble")
            + SYSLOG.format(
                number % 60, f"kernel: GAB INFO V-15-1-20036 Port a gen {number:x} membership {'0' * 30};{number}"
            )
            for number in range(3000)
        ).encode()
    },
)

# --- study.toml ------------------------------------------------------------------------------------------------------


@hostile("study.toml is a pipe", codes=REFUSED)
def _(study: Path) -> None:
    os.mkfifo(write(study / "messages", LINE).with_name("study.toml"))


@hostile("study.toml leads to /dev/zero", codes=REFUSED)
def _(study: Path) -> None:
    write(study / "messages", LINE).with_name("study.toml").symlink_to("/dev/zero")


manifest("study.toml of 2 MB", "#" * 2_000_000, codes=REFUSED)
manifest("study.toml of brackets", "a = " + "[" * 500_000, codes=REFUSED)
manifest("study.toml of tables in tables", "x = " + "{a=" * 200_000, codes=REFUSED)
manifest("study.toml of a number of 900,000 digits", "[study]\nyear = " + "9" * 900_000, codes=REFUSED)
manifest("study.toml of 60,000 runs", "[[run]]\nrun=1\n" * 60_000, codes=READ_OR_REFUSED)
manifest("study.toml of 40,000 unknown keys", "".join(f"[[run]]\nk{n}=1\n" for n in range(40_000)), codes=REFUSED)
manifest(
    "study.toml of 20,000 globs",
    "".join(f"[[files]]\nmatch='*{n}*a*b*c*'\n" for n in range(20_000)),
    codes=READ_OR_REFUSED,
)
manifest("glob of stars", f"[[files]]\nmatch = '{'*a' * 60}*b'\nnode = 'x'\n", codes=READ_OR_REFUSED)
manifest(
    "glob of folders",
    f"[[files]]\nmatch = '{'**/' * 60}*b'\nnode = 'x'\n[node.x]\nfolders = ['{'**/*' * 60}']",
    codes=READ_OR_REFUSED,
)
manifest(
    "types of resources by stars",
    f"[resource_type]\n'{'*a' * 60}*b' = 'Mount'\n'{'[' * 900}' = 'IP'",
    codes=READ_OR_REFUSED,
)
MILESTONE = "[[milestone]]\nname = 'm{}'\ntext = '{}'\n"
PATTERNS = [
    "(a*)*b",
    "(a|aa)+$",
    "(.*.*.*.*.*)*x",
    "(x+x+)+y",
    "a{1000}b{1000}",
    "(?i)" + "(s|ſ)*" * 50,
    ".*" * 200 + "z",
]
manifest(
    "patterns of milestones",
    "".join(MILESTONE.format(n, each) for n, each in enumerate(PATTERNS)),
    codes=READ_OR_REFUSED,
)
manifest("200 milestones", "".join(MILESTONE.format(n, f"kernel.*{n}.*x") for n in range(200)), codes=READ_OR_REFUSED)
FORMAT = "[[format]]\nname = 'f{}'\nmatch = '*'\nbegins = '{}'\n"
manifest(
    "patterns of formats", "".join(FORMAT.format(n, each) for n, each in enumerate(PATTERNS)), codes=READ_OR_REFUSED
)
manifest(
    "stamps of formats", "[[format]]\nname = 'f'\nmatch = '*'\nstamp = '" + "%Y" * 3000 + "'\n", codes=READ_OR_REFUSED
)
TABLE = "[[table]]\nname = 't{}'\nsql = '''{}'''\n"
BOMBS = {
    "without end": "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) as n from r",
    "of a text of 2 GB": "select length(repeat('a', 2000000000)) as n",
    "of a list of 4 GB": "select list(range) as n from range(500000000)",
    "of three billion rows": "from range(3000000000)",
    "of another file": "from read_text('../outside/secret')",
    "of an address": "from 'http://127.0.0.1:9/x.csv'",
}
WIDE = "select " + ", ".join(f"{number} as c{number}" for number in range(600))
for name, sql in BOMBS.items():
    manifest(f"table {name}", TABLE.format("", sql), "report", REFUSED)
manifest("table of 10,000 rows", TABLE.format("", "from range(10000)"), "report", READ_OR_REFUSED)
manifest("table of 600 columns", TABLE.format("", WIDE), "report", READ_OR_REFUSED)
SECTION = "[[section]]\ntitle = 'x'\nbody = '''{}'''\n"
manifest("prose of powers", SECTION.format("{{ 10**10**10 }}"), "report", READ)
manifest("prose of parentheses", SECTION.format("{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}"), "report", REFUSED)


def logo(name: str, content: bytes, file: str = "logo.svg") -> None:
    """Add a study with a logo."""

    def build(study: Path) -> None:
        write_run(study / "default" / "run01")
        write(study / file, content)
        write(study / "study.toml", f"[report]\nlogo = '{file}'\n")

    CASES[f"logo {name}"] = Hostile(build, "report", frozenset({0, 2}))


SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">%b</svg>'
)


def png(width: int, height: int, data: bytes) -> bytes:
    """A PNG of these measures with these compressed data."""

    def part(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">L", len(content)) + kind + content + struct.pack(">L", zlib.crc32(kind + content))

    head = struct.pack(">2L5B", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", data) + part(b"IEND", b"")


logo("that laughs", b"<!DOCTYPE svg [" + ENTITIES + b"]>" + SVG % b"<text>&e9;</text>")
logo("that loads", SVG % b'<image href="http://127.0.0.1:9/x.png"/><image xlink:href="../../outside/secret"/>')
logo("that uses itself", SVG % b'<g id="a"><use href="#a"/><use href="#a"/></g>')
logo(
    "whose gradients are each other",
    SVG
    % (
        b'<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'
        b'<clipPath id="c" clip-path="url(#c)"><rect width="9" height="9"/></clipPath>'
        b'<g clip-path="url(#c)"><rect width="9" height="9" fill="url(#a)"/></g>'
    ),
)
logo("of depth 30,000", SVG % (b"<g>" * 30_000 + b"</g>" * 30_000))
logo("of one path of 400 kB", SVG % (b'<path d="M' + b"1 1A1 2 3 1 0 9 9 " * 22_000 + b'"/>'))
logo("of endless dashes", SVG % b'<path d="M0 0H999999" stroke="red" stroke-width="1" stroke-dasharray="0.00001"/>')
logo("of 4,000 by 4,000 points", png(4000, 4000, zlib.compress(bytes(4000 * 16001), 9)), "logo.png")
logo("of more points than it says", png(9, 9, zlib.compress(bytes(400_000_000), 1)[:450_000]), "logo.png")
