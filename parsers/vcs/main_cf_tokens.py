"""Words, strings and signs of main.cf, and which brace closes which; comments and notes are left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"\s+"
    r"|(?P<line_comment>//.*)"
    r"|(?P<block_comment>/\*)"
    r'|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<sign>[(){}=,@\[\]])"
    r'|(?P<word>[^\s(){}=,@\[\]"\\]+)'  # sun-ha3bshark, /dev/vx/dsk, 10.0.35.128
    r"|(?P<damage>.)"
)
NOTE = re.compile(r"\s*#")  # no comment to the product


@dataclass(frozen=True, slots=True)
class Token:
    """A word, string, sign or piece of damage; `line` counts the lines of its file from 0."""

    kind: str
    text: str
    line: int

    def is_sign(self, *signs: str) -> bool:
        """Return whether it is one of these signs."""
        return self.kind == "sign" and self.text in signs


def tokens_of(texts: list[str]) -> Iterator[Token]:
    """Cut lines into tokens, without blanks, comments and notes."""
    last_end = max(((line, text.rfind("*/")) for line, text in enumerate(texts) if "*/" in text), default=(-1, -1))
    in_comment = False
    for line, text in enumerate(texts):
        start = 0
        if not in_comment and NOTE.match(text):
            continue
        while start < len(text):
            if in_comment:
                end = text.find("*/", start)
                in_comment = end < 0
                start = len(text) if in_comment else end + 2
            elif match := TOKEN.match(text, start):
                start = match.end()
                kind = match.lastgroup
                in_comment = kind == "block_comment" and (line, start) <= last_end
                if match.group() == '"':
                    start = len(text)  # never closed: the rest may be inside or outside
                if kind == "block_comment" and not in_comment:
                    yield Token("damage", match.group(), line)
                elif kind in {"string", "sign", "word", "damage"}:
                    yield Token(kind, match.group(), line)


def partners_of(tokens: list[Token]) -> dict[int, int]:
    """The `}` of every `{`. A parenthesis or damage between them means that one was lost."""
    partners = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token.is_sign("(", ")", "[", "]") or token.kind == "damage":
            opened.clear()
        elif token.is_sign("{"):
            opened.append(position)
        elif token.is_sign("}") and opened:
            partners[opened.pop()] = position
    return partners
