"""Configurations made of named blocks in braces, a setting a line: of corosync and keepalived."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from parsers.by_line import COMMENT, LineVerdict, ignored, parsed, rejected
from parsers.secret import masked

END = re.compile(r"^\s*\}\s*(?:[#!].*)?$")
MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Blocks:
    """How a program writes blocks and pairs, and what messages call the file.

    `block` and `pair` capture the name of the block, and name and value of the setting.
    """

    scope: str
    block: re.Pattern[str]
    pair: re.Pattern[str]
    comment: re.Pattern[str]
    descriptions: Mapping[str, str]

    def read(self, texts: list[str]) -> Iterator[LineVerdict]:
        """Classify the lines of one file; a setting is named by the blocks around it."""
        nesting = _Nesting()
        for text in texts:
            if self.comment.match(text):
                yield COMMENT
            elif (block := self.block.match(text)) and len(nesting.path) < MAX_DEPTH:
                nesting.open(block[1])
                yield ignored("begin of a block")
            elif END.match(text) and nesting.path:
                nesting.close()
                yield ignored("end of a block")
            elif pair := self.pair.match(text):
                name = ".".join([*nesting.path, pair[1]])
                value = masked(pair[1], (pair[2] or "yes").rstrip())
                yield parsed(
                    {"scope": self.scope, "name": name, "description": self.descriptions.get(name), "value": value}
                )
            else:
                yield rejected(f"neither a block nor a pair of {self.scope}")


@dataclass(slots=True)
class _Nesting:
    """The blocks around a line, and how many of a name each held."""

    path: list[str] = field(default_factory=list)
    counts: list[Counter[str]] = field(default_factory=lambda: [Counter()])

    def open(self, name: str) -> None:
        self.counts[-1][name] += 1
        number = self.counts[-1][name]
        self.path.append(name if number == 1 else f"{name}[{number}]")
        self.counts.append(Counter())

    def close(self) -> None:
        self.path.pop()
        self.counts.pop()
