"""Folders that hold copies of other folders: `kopie`, `backup`, `tuned (old)`, beside what they are copies of.

A word alone decides nothing: `old` and `new` may be two configurations. A folder is a copy when most of its files are
those of the same names beside it: byte for byte, or logs of the same writers and the same time, as one host writes one
log at a time. Its files then belong where the originals do, and their lines are counted once.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.discovery.compression import without_suffix
from pipeline.study.places.node_folders import Prefix, Span

COPY_WORD = re.compile(
    r"(?:^|[^a-z])(?:cop(?:y|ies|ie|ia|ias)|kopien?|old|alte?|backup|bak|bkp|sicherung|save[ds]?|orig(?:inal)?|new|neue?|"
    r"archive?|dupl(?:icate)?)(?:$|[^a-z])|\([0-9]{1,2}\)$|~$",
    re.IGNORECASE | re.ASCII,
)

WORD = re.compile(r"[^\W_]+")
ANY_FOLDER = frozenset(
    ["a", "data", "daten", "dateien", "de", "del", "der", "des", "files", "logs", "log", "of", "the", "von"]
)
"""Words that say nothing of what a folder is a copy of."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as it is compared with others: where it lies, who wrote it and when, and its content."""

    folders: Prefix
    name: str
    format: str | None
    writers: frozenset[str]
    span: Span | None
    sha256: str | None

    def is_copy_of(self, other: "KnownFile") -> bool:
        """Whether both hold the same log, or parts of it."""
        if self.sha256 is not None and self.sha256 == other.sha256:
            return True
        if self.format != other.format or self.writers != other.writers or self.span is None or other.span is None:
            return False
        if not self.writers:
            return self.span == other.span
        return self.span[0] <= other.span[1] and other.span[0] <= self.span[1]

    def is_of_others(self, other: "KnownFile") -> bool:
        """Whether other hosts wrote it."""
        return bool(self.writers and other.writers) and self.writers.isdisjoint(other.writers)


@dataclass(frozen=True, slots=True)
class CopiedFolder:
    """A folder that is a copy: `instead` is the folder beside it that it is a copy of, None for the one around it."""

    instead: str | None
    why: str


def copied_folders(files: Sequence[KnownFile]) -> dict[Prefix, CopiedFolder]:
    """The folders that are copies."""
    if not any(COPY_WORD.search(folder) for folder in {folder for each in files for folder in each.folders}):
        return {}
    below: dict[Prefix, dict[str, KnownFile]] = defaultdict(dict)  # files of a folder by what follows it in their path
    for each in files:
        for depth in range(len(each.folders) + 1):
            rest = "/".join([*each.folders[depth:], without_suffix(each.name)])
            below[each.folders[:depth]][rest] = each
    beside: dict[Prefix, list[Prefix]] = defaultdict(list)
    for prefix in sorted(below):
        if prefix:
            beside[prefix[:-1]].append(prefix)
    found: dict[Prefix, CopiedFolder] = {}
    for prefix in sorted(below):
        if prefix and COPY_WORD.search(prefix[-1]):
            originals = [prefix[:-1], *(each for each in beside[prefix[:-1]] if each != prefix and each not in found)]
            copy = _copied(prefix, originals, below)
            if copy is not None:
                found[prefix] = copy
    return found


def _copied(
    prefix: Prefix, originals: Iterable[Prefix], below: Mapping[Prefix, Mapping[str, KnownFile]]
) -> CopiedFolder | None:
    own = below[prefix]
    for original in originals:
        others = below[original]
        if not _is_named_after(prefix[-1], original[-1] if len(original) == len(prefix) else ""):
            continue
        if any(each.is_of_others(others[rest]) for rest, each in own.items() if rest in others):
            continue
        same = [rest for rest, each in own.items() if rest in others and each.is_copy_of(others[rest])]
        if same and 2 * len(same) >= len(own):
            parent = "/".join(prefix[:-1]) or "the study"
            is_parent = len(original) < len(prefix)
            of = "the files beside it" if is_parent else original[-1]
            why = f"{len(same)} of its {len(own)} files {'are' if len(same) > 1 else 'is'} of the same content or time"
            sentence = f"{prefix[-1]} (in {parent}) is taken as a copy of {of} because {why}"
            return CopiedFolder(None if is_parent else original[-1], sentence)
    return None


def _is_named_after(name: str, original: str) -> bool:
    """Whether a name says no more than that of the original, and that it is a copy: `old server wins` says more."""
    rest = {
        each for each in map(str.casefold, WORD.findall(name)) if not COPY_WORD.search(each) and not each.isdecimal()
    }
    known = {each.casefold() for each in WORD.findall(original)}
    return COPY_WORD.search(original) is None and rest <= known | ANY_FOLDER


def original_place(folders: Prefix, copies: Mapping[Prefix, CopiedFolder]) -> tuple[list[tuple[int, str]], str | None]:
    """The folders of a path as if what is a copy lay where its original does: indexes and names, and the reason."""
    kept: list[tuple[int, str]] = []
    why = None
    for index, name in enumerate(folders):
        copy = copies.get(folders[: index + 1])
        if copy is None:
            kept.append((index, name))
            continue
        why = copy.why
        if copy.instead is not None:
            kept.append((index, copy.instead))
    return kept, why
