"""The variations: each changes a copy of a study in a way that changes no failover, and says what may not change.

`EXACT`: every run keeps its outcome, lost node and seconds. `HOLDS`: evidence is gone, so intervals may widen, but they
hold the true fault time, and outcome and lost node stay. `CLIENT`: the client's clock is off: its outage lasts as long,
and a time that its answers give is the same or absent.
"""

import bz2
import gzip
import lzma
import os
import re
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

EXACT, HOLDS, CLIENT = "exact", "holds", "client"
CLIENTS = {"client"}
LOGS = {".log", ".txt", ".csv", ""}


@dataclass(frozen=True, slots=True)
class Base:
    """What is known of the study before it is varied: by run the lost node, and the line numbers of files by time.

    `first_symptom`: by run and file the first line at or after the first sign of the loss.
    """

    lost: Mapping[tuple[str, str], str]
    first_symptom: Mapping[str, int]
    after_recovery: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Variation:
    """A named change of a study's folder. `renamed`: configurations have other names; they match by order."""

    name: str
    promise: str
    change: Callable[[Path, Base], None]


_all: list[Variation] = []


def variations() -> list[Variation]:
    """All of them."""
    return list(_all)


def variation(
    name: str, promise: str = EXACT
) -> Callable[[Callable[[Path, Base], None]], Callable[[Path, Base], None]]:
    """Add a function to the variations."""

    def added(change: Callable[[Path, Base], None]) -> Callable[[Path, Base], None]:
        _all.append(Variation(name, promise, change))
        return change

    return added


def logs(study: Path) -> list[Path]:
    """The files of a study but its manifest."""
    return sorted(each for each in study.rglob("*") if each.is_file() and each.name != "study.toml")


def runs(study: Path) -> list[Path]:
    """The run folders of a study."""
    return sorted(each for each in study.glob("*/run*") if each.is_dir())


def nodes(study: Path) -> list[Path]:
    """The folders of servers."""
    return sorted({file.parent for file in logs(study) if file.parent.name not in CLIENTS and _is_in_node(file, study)})


def _is_in_node(file: Path, study: Path) -> bool:
    parts = file.relative_to(study).parts
    return len(parts) >= 3 and not parts[-2].startswith("run")


# --- files beside ----------------------------------------------------------------------------------------------------

UNDATED = {
    "main.cf": 'include "types.cf"\ncluster lab (\n\t)\n',
    "llttab": "set-node /etc/nodename\nset-cluster 2\nset-timer peerinact:1600\n",
    "gabtab": "/sbin/gabconfig -c -n2\n",
    "iostat.txt": (
        "Linux 5.10.0 (spare) \t03/01/2024 \t_x86_64_\t(2 CPU)\n\n"
        "Device            r/s     w/s\nsda              1.00    2.00\n"
    ),
    "sysctl.conf": "kernel.shmmax = 68719476736\nvm.swappiness = 10\n",
    "postgresql.conf": "shared_buffers = 128MB\nmax_connections = 100\n",
    "notes.txt": "Tested on a Tuesday. The switch was replaced in March.\n",
    "README.md": "# Logs\n\nTaken by hand after the test.\n",
}


def _beside(name: str, content: str) -> Callable[[Path, Base], None]:
    def change(study: Path, _: Base) -> None:
        for folder in nodes(study):
            if not (folder / name).exists():
                (folder / name).write_text(content, encoding="utf-8")

    return change


for _name, _content in UNDATED.items():
    variation(f"add {_name} to each node")(_beside(_name, _content))

FOREIGN = "".join(f"Mar {day:2} 04:1{day % 10}:00 printer7 lpd[81]: job {day} done\n" for day in range(1, 29))


@variation("add the log of a stranger of another year")
def add_foreign_log(study: Path, _: Base) -> None:
    """A printer's system log without a zone."""
    (study / "printer7").mkdir()
    (study / "printer7" / "messages").write_text(FOREIGN, encoding="utf-8")


@variation("add the log of a stranger with another zone")
def add_foreign_zone(study: Path, _: Base) -> None:
    """A log in Tokyo's time of a day long before."""
    lines = (f"2019-03-{day:02}T04:10:00+09:00 printer7 lpd[81]: job {day} done\n" for day in range(1, 29))
    (study / "printer7.log").write_text("".join(lines), encoding="utf-8")


@variation("add an inventory that names operating systems")
def add_inventory_lines(study: Path, _: Base) -> None:
    """Lines of a tool of another host that look like those of a kernel that boots."""
    text = "".join(
        f"2001-01-0{day}T04:00:00Z stock1 explorer[812]: SunOS Release 5.9 Version Generic 64-bit\n"
        for day in range(1, 9)
    )
    (study / "inventory.log").write_text(text, encoding="utf-8")


BANNERS = (
    "explorer[812]: SunOS Release 5.9 Version Generic_112233-12 64-bit",
    "inventory[77]: Linux version 2.4.18 is installed, AIX Version 5 is not",
    "backupd[9]: system panic handler: none configured",
)
OF_HOST = re.compile(rb"(\w{3} [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] [\w.-]+) ")


@variation("inventory lines in the servers' own logs after the fault")
def add_banners(study: Path, base: Base) -> None:
    """Programs of the surviving hosts name operating systems and panics, in the midst of the recovery."""
    for name, line_no in base.first_symptom.items():
        file = study / name
        lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
        for place in range(len(lines) - 1, line_no - 1, -5):
            if head := OF_HOST.match(lines[place]):
                lines[place + 1 : place + 1] = [head[1] + f" {each}\n".encode() for each in BANNERS]
        if lines:
            file.write_bytes(b"".join(lines))


@variation("add an empty folder and an empty file")
def add_empty(study: Path, _: Base) -> None:
    """What a collector leaves."""
    (study / "empty").mkdir()
    for folder in nodes(study):
        (folder / "empty.log").touch()


# --- names -----------------------------------------------------------------------------------------------------------


def _rename_runs(word: str) -> Callable[[Path, Base], None]:
    def change(study: Path, _: Base) -> None:
        for run in runs(study):
            run.rename(run.with_name(word.format(int(run.name.removeprefix("run")))))
        _replace_in(study / "study.toml", {})

    return change


for _word in ("test{}", "trial_{}", "iter-{}", "rep{:03}", "{}"):
    variation(f"name runs {_word}")(_rename_runs(_word))


@variation("put the study one folder deeper")
def one_deeper(study: Path, _: Base) -> None:
    """A folder around all."""
    inner = study / "logs"
    inner.mkdir()
    for each in sorted(study.iterdir()):
        if each.name not in {"logs", "study.toml"}:
            each.rename(inner / each.name)
    text = (study / "study.toml").read_text(encoding="utf-8")
    (study / "study.toml").write_text(text.replace('configuration = "', 'configuration = "logs/'), encoding="utf-8")


@variation("name the node in the file")
def flat_nodes(study: Path, _: Base) -> None:
    """messages.alder instead of alder/messages."""
    for folder in nodes(study):
        for file in sorted(folder.iterdir()):
            file.rename(folder.parent / f"{file.name}.{folder.name}")
        folder.rmdir()


def _move_client(place: str) -> Callable[[Path, Base], None]:
    def change(study: Path, _: Base) -> None:
        for run in runs(study):
            for folder in [each for each in run.iterdir() if each.name in CLIENTS]:
                to = run / place if place else run
                to.mkdir(exist_ok=True)
                for file in sorted(folder.iterdir()):
                    file.rename(to / file.name)
                if folder != to:
                    folder.rmdir()

    return change


for _place in ("probe", "loadgen", "clients", ""):
    variation(f"move the client's files to {_place or 'the run'}")(_move_client(_place))


# --- copies ----------------------------------------------------------------------------------------------------------


@variation("copy a run under a new name")
def copy_run(study: Path, _: Base) -> None:
    """The first run of each configuration once more."""
    for run in runs(study):
        if run.name == "run01":
            shutil.copytree(run, run.with_name("run09"))


@variation("copy a configuration")
def copy_configuration(study: Path, _: Base) -> None:
    """All runs of the first one under another name."""
    first = min(each for each in study.iterdir() if each.is_dir())
    shutil.copytree(first, study / "zz-copy")


@variation("an archive of a run beside its folder")
def archive_beside(study: Path, _: Base) -> None:
    """As a tester keeps what he sends."""
    for run in runs(study):
        with tarfile.open(run.with_name(f"{run.name}-sent.tar.gz"), "w:gz") as to:
            to.add(run, arcname=run.name)


@variation("cumulative logs: each run holds those before it")
def cumulate(study: Path, _: Base) -> None:
    """The tester copies the whole log after each run and never empties it."""
    for configuration in sorted({run.parent for run in runs(study)}):
        of_configuration = [run for run in runs(study) if run.parent == configuration]
        order = sorted(of_configuration, key=lambda run: run.name)
        kept: dict[Path, bytes] = {}
        for run in order:
            for file in [each for each in logs(study) if run in each.parents and each.name != "probe.csv"]:
                place = file.relative_to(run)
                kept[place] = kept.get(place, b"") + file.read_bytes()
                file.write_bytes(kept[place])


@variation("links to the same files")
def links(study: Path, _: Base) -> None:
    """A folder `latest` that links to the last run."""
    for run in runs(study):
        if run.name == "run01":
            (run.parent / "latest").symlink_to(run.name, target_is_directory=True)


# --- bytes -----------------------------------------------------------------------------------------------------------


def _each_log(write: Callable[[bytes], bytes], suffix: str = "") -> Callable[[Path, Base], None]:
    def change(study: Path, _: Base) -> None:
        for file in logs(study):
            content = write(file.read_bytes())
            file.unlink()
            file.with_name(file.name + suffix).write_bytes(content)

    return change


variation("compress with gzip")(_each_log(gzip.compress, ".gz"))
variation("compress with xz")(_each_log(lzma.compress, ".xz"))
variation("compress with bzip2")(_each_log(bz2.compress, ".bz2"))
variation("lines end as in Windows")(_each_log(lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")))
variation("a byte order mark")(_each_log(lambda data: b"\xef\xbb\xbf" + data))
variation("UTF-16")(_each_log(lambda data: data.decode("utf-8", "replace").encode("utf-16")))
variation("no end of the last line")(_each_log(lambda data: data.rstrip(b"\n")))


@variation("all runs in one folder, a log for each node and program")
def merge_runs(study: Path, _: Base) -> None:
    """The logs as the nodes hold them: the lines of each run after those of the run before it."""
    for run in runs(study):
        for file in logs(run):
            whole = run.parent / file.relative_to(run)
            whole.parent.mkdir(parents=True, exist_ok=True)
            with whole.open("ab") as target:
                target.write(file.read_bytes().rstrip(b"\n") + b"\n")
        shutil.rmtree(run)
    manifest = study / "study.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").partition("[[run]]")[0], encoding="utf-8")


@variation("each run as a zip archive")
def zipped_runs(study: Path, _: Base) -> None:
    """run01.zip with its files."""
    for run in runs(study):
        with zipfile.ZipFile(run.with_suffix(".zip"), "w") as to:
            for file in sorted(each for each in run.rglob("*") if each.is_file()):
                to.write(file, str(file.relative_to(run.parent)))
        shutil.rmtree(run)


@variation("rotated logs")
def rotate(study: Path, _: Base) -> None:
    """The first half of each server's log is its older generation."""
    for folder in nodes(study):
        for file in sorted(each for each in folder.iterdir() if each.is_file()):
            lines = file.read_bytes().splitlines(keepends=True)
            if len(lines) > 40 and file.suffix in {".log", ""}:
                file.with_name(f"{file.name}.1").write_bytes(b"".join(lines[: len(lines) // 2]))
                file.write_bytes(b"".join(lines[len(lines) // 2 :]))


@variation("other times of the files")
def touch(study: Path, _: Base) -> None:
    """Copied years later."""
    for file in logs(study):
        os.utime(file, (1_000_000_000, 1_000_000_000))


# --- lines -----------------------------------------------------------------------------------------------------------

CHATTER = (
    "Mar 28 09:{:02}:00 {} explorer[812]: SunOS Release 5.9 Version Generic_112233-12 64-bit\n",
    "Mar 28 09:{:02}:00 {} sshd[4242]: Accepted publickey for backup from 10.0.0.9 port 4022\n",
)


def _filtered(pattern: str) -> Callable[[Path, Base], None]:
    """A copy without the lines that hold a pattern, as a collector's filter leaves it."""
    is_out = re.compile(pattern.encode()).search

    def change(study: Path, _: Base) -> None:
        for file in logs(study):
            if file.parent.name not in CLIENTS:
                lines = file.read_bytes().splitlines(keepends=True)
                file.write_bytes(b"".join(line for line in lines if not is_out(line)))

    return change


variation("without LLT's lines of links that are active again")(_filtered(r"LLT .*link [0-9]+ .*\bactive"))
variation("without lines of debugging")(_filtered(r"\bdebug\b|DEBUG"))
variation("without lines of mail, time and mounts")(_filtered(r"sendmail|xntpd|chronyd|automountd|CRON|sshd"))


@variation("lines of an inventory and of logins in a log of their own")
def chatter(study: Path, _: Base) -> None:
    """Another program's lines of the same host, long before."""
    for folder in nodes(study):
        lines = (text.format(minute, folder.name) for minute in range(40) for text in CHATTER)
        (folder / "inventory").write_text("".join(lines), encoding="utf-8")


@variation("each line of servers' system logs twice")
def doubled_logs(study: Path, _: Base) -> None:
    """The same file beside itself under another name."""
    for folder in nodes(study):
        for file in sorted(each for each in folder.iterdir() if each.name in {"messages", "syslog"}):
            shutil.copyfile(file, file.with_name(f"{file.name}.copy"))


@variation("system logs of all nodes of a run in one file")
def central_syslog(study: Path, _: Base) -> None:
    """As a central syslog server writes them: by time of arrival."""
    for run in sorted({folder.parent for folder in nodes(study)}):
        files = sorted(each for each in run.glob("*/*") if each.name in {"messages", "syslog"})
        if len(files) > 1:
            lines = [line for file in files for line in file.read_bytes().splitlines(keepends=True)]
            in_order = sorted(lines, key=_stamp)
            (run / files[0].name).write_bytes(b"".join(in_order))
            for file in files:
                file.unlink()


def _stamp(line: bytes) -> bytes:
    """What a line of a system log begins with, up to its host."""
    return line[:32].split(b" ")[0] if line[:1].isdigit() else line[:15]


# --- the client's clock ----------------------------------------------------------------------------------------------


def _shifted_probe(seconds: float, *, is_local: bool = False) -> Callable[[Path, Base], None]:
    def shifted(match: re.Match[str]) -> str:
        at = datetime.fromisoformat(match[0]) + timedelta(seconds=seconds)
        return at.strftime("%Y-%m-%d %H:%M:%S.%f" if is_local else "%Y-%m-%dT%H:%M:%S.%fZ")

    def change(study: Path, _: Base) -> None:
        for file in study.rglob("probe.csv"):
            text = file.read_text(encoding="utf-8")
            file.write_text(re.sub(r"(?m)^[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9:.]+Z", shifted, text), encoding="utf-8")

    return change


for _seconds, _zone in product((-18_000, -600, -3, 3, 40, 18_000), ("with", "without")):
    variation(f"the client's clock is {_seconds:+} s off, {_zone} a zone", CLIENT)(
        _shifted_probe(_seconds, is_local=_zone == "without")
    )


# --- less evidence ---------------------------------------------------------------------------------------------------


@variation("without the lost node's logs", HOLDS)
def drop_lost_node(study: Path, base: Base) -> None:
    """Its disk is gone."""
    for configuration, run, folder in _node_folders(study):
        if base.lost.get((configuration, run)) == folder.name:
            shutil.rmtree(folder)


@variation("logs begin at the symptom", HOLDS)
def cut_to_symptom(study: Path, base: Base) -> None:
    """As they are cut out for a ticket."""
    _cut(study, base.first_symptom)


@variation("logs begin at the symptom, without the lost node's", HOLDS)
def cut_to_symptom_of_survivors(study: Path, base: Base) -> None:
    """The usual ticket."""
    drop_lost_node(study, base)
    _cut(study, base.first_symptom)


@variation("logs end after the recovery")
def cut_tail(study: Path, base: Base) -> None:
    """Nothing that comes later is there."""
    for name, line_no in base.after_recovery.items():
        file = study / name
        if file.exists():
            file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[: line_no - 1]))


@variation("logs newest first")
def newest_first(study: Path, _: Base) -> None:
    """As viewers of logs export them; records of several lines would be torn."""
    for file in logs(study):
        if file.suffix in LOGS - {".csv"} and file.parent.name not in CLIENTS and "db2diag" not in file.name:
            file.write_bytes(b"".join(reversed(file.read_bytes().splitlines(keepends=True))))


@variation("one more configuration of an undated file")
def undated_configuration(study: Path, _: Base) -> None:
    """A folder with a note alone."""
    (study / "setup").mkdir()
    (study / "setup" / "sysctl.conf").write_text(UNDATED["sysctl.conf"], encoding="utf-8")


def _node_folders(study: Path) -> Iterator[tuple[str, str, Path]]:
    for folder in nodes(study):
        parts = folder.relative_to(study).parts
        yield (parts[0], parts[1] if len(parts) > 2 else "1", folder)


def _cut(study: Path, first: Mapping[str, int]) -> None:
    for name, line_no in first.items():
        file = study / name
        if file.exists():
            file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[line_no - 1 :]))


def _replace_in(file: Path, words: Mapping[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in words.items():
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
