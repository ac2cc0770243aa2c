"""Names of hosts as logs and people write them: short or full, in any case, or an address."""

import re
from functools import lru_cache

ADDRESS = re.compile(r"[0-9.]+|[0-9a-f:]*:[0-9a-f:.]*", re.IGNORECASE | re.ASCII)

NOBODY = frozenset({"", "-", "localhost", "localhost.localdomain", "unknown", "(none)", "none", "null"})
"""What machines without a name write as their name."""


@lru_cache(4096)
def is_name(host: str) -> bool:
    """Whether a text names a host at all."""
    name = host.strip().lower()
    return name not in NOBODY and len(name) <= 255 and not re.search(r"[\s/\\]", name)


@lru_cache(4096)
def short_name(host: str) -> str:
    """A name in small letters without its domain; an address has none and stays whole."""
    name = host.lower()
    return name if ADDRESS.fullmatch(name) else name.split(".", 1)[0] or name


def is_same_host(one: str, other: str) -> bool:
    """Whether two names may be of one host: alike, or one of them without its domain. Two domains are two hosts."""
    names = {one.lower(), other.lower()}
    return short_name(one) == short_name(other) and (len(names) == 1 or short_name(one) in names)
