"""Parts of a file name that may say something of the file: its stems, and what is between separators in them."""

import re
from collections.abc import Iterator, Sequence

# Off the end of a file name, one after another: .gz, a rotation suffix (.1, -20190322), an extension (.log)
ENDINGS = re.compile(
    r"(?:\.(?:gz|bz2|xz|zst|z)|\.\d{1,3}|[.-](?:19|20)\d{6}|\.[a-z]\w{0,9})$", re.IGNORECASE | re.ASCII
)
SEPARATORS = re.compile(r"[ ._@+=,-]")


def stems_of(name: str) -> Iterator[str]:
    """A file name, then without its last ending, and so on."""
    while name:
        yield name
        shorter = ENDINGS.sub("", name)
        if shorter == name:
            return
        name = shorter


def name_parts(name: str) -> Iterator[str]:
    """Parts of a file name that may be a host: suffixes of every stem first, then prefixes, then what lies between.

    `messages.sun-ha4.1.gz` yields sun-ha4 among others. Single characters (engine_A.log) never are hosts here.
    """
    stems = list(stems_of(name[:255]))
    for pick in (_suffixes, _prefixes, _middles):
        for stem in stems:
            cuts = [match.start() for match in SEPARATORS.finditer(stem)][:24]
            yield from (part for part in pick(stem, cuts) if len(part) > 1)


def _suffixes(stem: str, cuts: Sequence[int]) -> Iterator[str]:
    yield stem
    yield from (stem[cut + 1 :] for cut in cuts)


def _prefixes(stem: str, cuts: Sequence[int]) -> Iterator[str]:
    yield from (stem[:cut] for cut in reversed(cuts))


def _middles(stem: str, cuts: Sequence[int]) -> Iterator[str]:
    yield from (stem[a + 1 : b] for i, a in enumerate(cuts) for b in reversed(cuts[i + 1 :]))
