"""A log in the making: entries put in at any instant, written out in order of time."""

from collections.abc import Callable
from dataclasses import dataclass, field

from samples.simulate.scenarios import SECOND

FOLDING = 24 * SECOND  # after so long, syslog says how often a message came again
STAMP = "\0"  # stands in an entry's text where its stamp is to be printed


@dataclass(frozen=True, slots=True)
class Entry:
    """One message. `folded` further copies follow within the next half minute, as syslog folds them."""

    at: int
    text: str
    folded: int = 0


@dataclass(slots=True)
class Journal:
    """Entries of one file of one node. `clock` is how far the node's clock is ahead, in microseconds."""

    clock: int = 0
    entries: list[Entry] = field(default_factory=list)

    def add(self, at: int, text: str, *, folded: int = 0) -> None:
        """Put in a message at a true instant."""
        self.entries.append(Entry(at, text, folded))

    def in_order(self) -> list[Entry]:
        """Entries by time; those of one instant as they were put in."""
        return sorted(self.entries, key=lambda entry: entry.at)

    def written(self, stamp: Callable[[int], str], host: str) -> str:
        """The file's text."""
        lines = []
        entries = self.in_order()
        for entry, following in zip(entries, [*entries[1:], None], strict=True):
            lines.append(entry.text.replace(STAMP, stamp(entry.at + self.clock)))
            last = entry.at + FOLDING
            if entry.folded and (following is None or following.at > last):
                lines.append(f"{stamp(last + self.clock)} {host} last message repeated {entry.folded} times")
        return "".join(f"{each}\n" for each in lines)


@dataclass(slots=True)
class NodeLogs:
    """The three logs of a node."""

    node: str
    engine: Journal = field(default_factory=Journal)
    messages: Journal = field(default_factory=Journal)
    db2diag: Journal = field(default_factory=Journal)

    def set_clock(self, ahead: int) -> None:
        """Set the node's clock ahead of true time."""
        for journal in (self.engine, self.messages, self.db2diag):
            journal.clock = ahead


def soon_after(instant: int, delay: int) -> int:
    """`delay` later, but still in the same second: what one program does at once bears one stamp."""
    return min(instant + delay, instant // SECOND * SECOND + SECOND - 1)
