"""Secrets in configurations: recognised by the names of values, and replaced before a row is made."""

import re

MASK = "********"
NAME = re.compile(
    r"passw|passwd|passphrase|secret|requirepass|masterauth"
    r"|(?:^|[._-])(?:key|pwd|auth_?key|fastopen_key|sharedkey|auth-pass|sst_auth)$",
    re.IGNORECASE,
)
# host=db1 user=replicator password=tiger
INSIDE = re.compile(
    r"(?i)\b(?P<name>password|passwd|pass|pwd|secret)(?P<sign>\s{0,3}=\s{0,3})(?P<value>'[^']*'|[^\s,;'\"]+)"
)

HINT = re.compile(r"passw|passphrase|secret|\bpwd\b|auth-pass|requirepass|masterauth|sst_auth", re.IGNORECASE)


def may_hold_secret(text: str) -> bool:
    """Return whether a line that was not understood may hold a secret."""
    return bool(HINT.search(text))


def masked(name: str, value: str) -> str:
    """A value as it may be stored."""
    if value and NAME.search(name):
        return MASK
    return INSIDE.sub(lambda found: f"{found['name']}{found['sign']}{MASK}", value)
