"""The parts of a path in a study: folders, archives, the file's own name."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

# default.tar.gz!, run01.zip!: an archive in a path
ARCHIVE = re.compile(
    r"(?:\.tar(?:\.\w{1,4})?|\.t[gbx]z2?|\.tbz2?|\.tzst|\.taz|\.zip|\.(?:gz|bz2|xz|zst))?!$", re.IGNORECASE | re.ASCII
)
NO_PART = frozenset(("", ".", ".."))
SEPARATOR = re.compile(r"/|\\(?!x(?:00|[89a-f][0-9a-f]))")
r"""Archives of Windows hold `\` between folders; `\xNN` is a byte of a name that is no UTF-8 (`as_text`)."""

INSIDE = re.compile(r"[^/\\]*![/\\]")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of a path. `archive`: the path of the archive that it is, None for a folder on disk or in an archive.

    `is_top`: the folder at the top of an archive that has the archive's name; both are one.
    """

    name: str
    archive: str | None = None
    is_top: bool = False


def parts(path: str) -> tuple[tuple[Folder, ...], str]:
    """The folders of a path and the file's own name; an archive counts as the folder it would unpack to."""
    folder, name = split(path)
    return folders_of(folder), name


def split(path: str) -> tuple[str, str]:
    """The folder of a path and the file's own name."""
    folder, _, name = path.rpartition("/")
    if "\\" not in path and name not in NO_PART:
        return folder, name
    *folders, name = [part for part in SEPARATOR.split(path) if part not in NO_PART] or [path]
    return "/".join(folders), name


@lru_cache(maxsize=4096)
def folders_of(folder: str) -> tuple[Folder, ...]:
    """The folders of the path of one. Kept: studies have more files than folders."""
    return tuple(_unpacked([part for part in folder.split("/") if part not in NO_PART]))


def without_archives(path: str) -> str:
    """A path as if its archives were unpacked where they lie: a/b.tar.gz!/run01/messages is a/run01/messages."""
    return INSIDE.sub("", path)


def distinct_archives(places: Iterable[tuple[str, str, str | None, str | None]]) -> frozenset[str]:
    """The archives whose names distinguish configurations: default.tar.gz and tuned.tar.gz, both with a run01.

    An archive's name is no configuration by itself (a support bundle has that of a host or a day). But archives side
    by side that hold the same run of the same node would be mixed into one. `places`: path, configuration, run, node.
    """
    runs: dict[tuple[str, str], set[tuple[str, str, str | None]]] = defaultdict(set)  # of each folder and archive
    for path, configuration, run, node in places:
        if "!" not in path:
            continue
        archive = next((each.archive for each in parts(path)[0] if each.archive is not None), None)
        if archive is not None and run is not None:
            runs[archive.rpartition("/")[0], archive].add((configuration, run, node))
    holders: dict[tuple[str, tuple[str, str, str | None]], set[str]] = defaultdict(set)
    for (folder, archive), held in runs.items():
        of_nodes = {each for each in held if each[2] is not None}
        for each in of_nodes or held:
            holders[folder, each].add(archive)
    return frozenset(archive for archives in holders.values() if len(archives) > 1 for archive in archives)


def _unpacked(folders: Sequence[str]) -> Iterator[Folder]:
    """default.tar.gz!/default/run01 is default/run01, not default/default/run01."""
    for index, folder in enumerate(folders):
        top = folders[index + 1] if index + 1 < len(folders) else None
        before = folders[index - 1] if index else ""
        if not folder.endswith("!"):
            yield Folder(folder, is_top=before.endswith("!") and stem(before) == folder)
        elif top != stem(folder):
            yield Folder(stem(folder), archive="/".join(folders[: index + 1]))


def stem(archive: str) -> str:
    """An archive's name without what says that it is one: default.tar.gz! is default."""
    return ARCHIVE.sub("", archive) or archive
