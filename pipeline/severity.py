"""How grave a message is by the word of its log for it."""

from functools import lru_cache
from typing import Final, Literal

Grade = Literal["grave", "warning", ""]

GRADES: Final[tuple[tuple[Grade, frozenset[str]], ...]] = (
    ("grave", frozenset({"emerg", "alert", "crit", "critical", "fatal", "panic", "severe", "error", "err", "e", "f"})),
    ("warning", frozenset({"warning", "warn", "w"})),
)
"""Words of logs for what deserves a look, by how grave it is."""


@lru_cache(256)
def grade_of(severity: str | None) -> Grade:
    """`grave`, `warning`, or nothing of any other word and of none."""
    word = (severity or "").lower()
    return next((grade for grade, words in GRADES if word in words), "")
