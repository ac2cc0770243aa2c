"""Parts of a file name that may say something of the file: its stems, and what is between separators in them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

# Off the end of a file name, one after another: .gz, a rotation suffix (.1, -20190322), an extension (.log)
ENDINGS = re.compile(
    r"(?:\.(?:gz|bz2|xz|zst|z)|\.[0-9]{1,3}|[.-](?:19|20)[0-9]{6}|\.[a-z]\w{0,9})$", re.IGNORECASE | re.ASCII
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


@lru_cache(4096)  # the same names are in all runs
def name_parts(name: str) -> tuple[str, ...]:
    """Parts of a file name that may be a host: suffixes of every stem first, then prefixes, then what lies between.

    `messages.sun-ha4.1.gz` has sun-ha4 among others. Single characters (engine_A.log) never are hosts here.
    """
    stems = list(stems_of(name[:255]))
    cuts = {stem: [match.start() for match in SEPARATORS.finditer(stem)][:24] for stem in stems}
    found = (part for pick in (_suffixes, _prefixes, _middles) for stem in stems for part in pick(stem, cuts[stem]))
    return tuple(part for part in found if len(part) > 1)


def _suffixes(stem: str, cuts: Sequence[int]) -> Iterator[str]:
    yield stem
    yield from (stem[cut + 1 :] for cut in cuts)


def _prefixes(stem: str, cuts: Sequence[int]) -> Iterator[str]:
    yield from (stem[:cut] for cut in reversed(cuts))


def _middles(stem: str, cuts: Sequence[int]) -> Iterator[str]:
    yield from (stem[a + 1 : b] for i, a in enumerate(cuts) for b in reversed(cuts[i + 1 :]))
