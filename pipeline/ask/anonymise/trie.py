"""Patterns of many texts at once, whose time does not grow with their number."""

import re
from collections.abc import Callable, Iterable
from typing import Final

WORD_BEGIN: Final = r"(?<![^\W_])(?!(?<=\s-)[a-z][0-9]+(?![^\W_]))"
"""Not of a switch with a number: `-n2` names no host n2."""

WORD_END: Final = r"(?![^\W_])"


class _Node(dict[str, "_Node"]):
    is_end = False


def any_of(texts: Iterable[str], before: str = WORD_BEGIN, after: str = WORD_END) -> re.Pattern[str] | None:
    """A pattern of any of some texts in lower case, the longest first; None without one. It is for `lowered` text."""
    root = _Node()
    for text in texts:
        node = root
        for character in text:
            node = node.setdefault(character, _Node())
        node.is_end = node is not root
    return re.compile(f"{before}{_pattern(root)}{after}") if root else None


def _pattern(node: _Node) -> str:
    chain = ""
    while len(node) == 1 and not node.is_end:
        ((character, node),) = node.items()
        chain += re.escape(character)
    if not node:
        return chain
    listed = "|".join(re.escape(character) + _pattern(child) for character, child in sorted(node.items()))
    return f"{chain}(?:{listed}){'?' if node.is_end else ''}"


def lowered(text: str) -> str:
    """The text in lower case, as long as it was."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(each.lower()[0] for each in text)


def substituted(pattern: re.Pattern[str] | None, text: str, replacement: Callable[[str], str]) -> str:
    """The text with something else for each match of a pattern of `any_of`; `replacement` gets what is written."""
    if pattern is None:
        return text
    parts, end = [], 0
    for match in pattern.finditer(lowered(text)):
        parts += [text[end : match.start()], replacement(text[match.start() : match.end()])]
        end = match.end()
    return "".join([*parts, text[end:]]) if parts else text
