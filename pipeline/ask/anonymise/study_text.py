"""What people write for people: comments of configurations, and the prose of study.toml."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import polars as pl

from parsers.format import LINE_SCHEMA, Format
from pipeline.ask.anonymise.vocabulary import unknown_words

PERSONAL: Final = re.compile(r"(?m)^[ \t]*(?:authors|organisation|logo)[ \t]*=[ \t]*")
"""Keys of study.toml that name people, or show whose study it is."""

PROSE: Final = re.compile(
    r"(?m)(?:^|(?<=[{,]))[ \t]*(?:title|subtitle|abstract|label|caption|text|body|note|origin_note|exclude|fault)"
    r"[ \t]*=[ \t]*(?=[\"'])"
)
OWN_VALUE: Final = re.compile(r"((?:^|(?<=[{,\n]))[ \t]*(?:format|timezone)[ \t]*=[^,}\n]*)")
"""Of study.toml: a format or a zone, which are no names even where a user is called `db2`."""

PLACEHOLDER: Final = re.compile(r"\{\{.*?\}\}|\{[^{}\n]*\}", re.DOTALL)
TOML_COMMENT: Final = re.compile(r"""(?ms)(\"\"\".*?\"\"\"|'''.*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|[ \t]*\#[^\n]*""")

COMMENT: Final = re.compile(r"(?m)(^[ \t]*(?:\#|;|//(?=[\s/*]|$))|(?<=[ \t])(?:\#|//)(?=[ \t]))[^\r\n]*")
SLASHES: Final = re.compile(r"(?m)(?:^|(?<=\s))//[^\r\n]*")
BLOCK_COMMENT: Final = re.compile(r"(<!--)(.*?)(-->)|(/\*)(.*?)(\*/)", re.DOTALL)


def without_comments(text: str, parser: Format) -> str:
    """A configuration whose comments say nothing but words of templates. Each line stays what it is to its format.

    What only looks like a comment, such as a line of `get db cfg` behind the prompt of root, keeps its words.
    """
    lines, copy = text.split("\n"), _with_empty_comments(text, parser.name).split("\n")
    before = _verdicts(parser, lines)
    while changed := [
        number
        for number, (was, now) in enumerate(zip(before, _verdicts(parser, copy), strict=True))
        if was != now and copy[number] != lines[number]
    ]:
        for number in changed:
            copy[number] = lines[number]
    return "\n".join(copy)


def _verdicts(parser: Format, lines: Sequence[str]) -> list[int]:
    texts = [each.removesuffix("\r").encode("utf-8", "replace").decode() for each in lines]
    frame = pl.DataFrame({"file_id": 1, "line_no": range(1, len(texts) + 1), "text": texts}, schema=LINE_SCHEMA)
    return parser.parse(frame).lines["verdict"].to_list()


def _with_empty_comments(text: str, name_of_format: str) -> str:
    text = BLOCK_COMMENT.sub(_emptied, text)
    if name_of_format == "main_cf":
        text = SLASHES.sub(lambda found: found[0] if _names_nobody(found[0]) else "//", text)
    return COMMENT.sub(lambda found: found[0] if _names_nobody(found[0]) else _marker(found[0]), text)


def _emptied(found: re.Match[str]) -> str:
    begin, inside, end = (each or "" for each in (found[1] or found[4], found[2] or found[5], found[3] or found[6]))
    return found[0] if _names_nobody(inside) else begin + re.sub(r"[^\r\n]", "", inside) + end


def _names_nobody(comment: str) -> bool:
    """Whether all words are known and none begins with a capital in the middle, as names of people do."""
    words = re.findall(r"[^\W0-9_]+", comment)
    return not unknown_words(comment) and not any(each.istitle() for each in words[1:])


def _marker(comment: str) -> str:
    return re.match(r"[ \t]*(?:#|;|//)", comment)[0]  # type: ignore[index]  # COMMENT begins so


def without_people(text: str) -> str:
    """study.toml without comments that say something, and without the keys that name people."""
    text = TOML_COMMENT.sub(lambda found: found[0] if found[1] or _names_nobody(found[0]) else "", text)
    while match := PERSONAL.search(text):
        text = text[: match.start()] + text[_value_end(text, match.end()) + 1 :]
    return text


def with_own_values(manifest: str, replaced: Callable[[str], str]) -> str:
    """study.toml with names replaced, but not within values that haledger or its zones define."""
    parts = OWN_VALUE.split(manifest)
    return "".join(part if number % 2 else replaced(part) for number, part in enumerate(parts))


def prose_of(manifest: str) -> Iterator[str]:
    """The prose of study.toml, without what stands for numbers in it."""
    for start, end in _prose_spans(manifest):
        yield PLACEHOLDER.sub(" ", manifest[start:end])


def _prose_spans(manifest: str) -> Iterator[tuple[int, int]]:
    end = 0
    while match := PROSE.search(manifest, end):
        end = _value_end(manifest, match.end())
        yield match.end(), end


def _value_end(text: str, start: int) -> int:
    """Where a value ends: with the line or list in which its brackets and quotes are closed."""
    end, depth, quote = start, 0, ""
    while end < len(text) and (depth > 0 or quote or text[end] not in "\n,}"):
        if quote:
            if quote[0] == '"' and text[end] == "\\":
                end += 1
            elif text.startswith(quote, end):
                end += len(quote) - 1
                quote = ""
        elif text[end] in "\"'":
            quote = text[end] * 3 if text.startswith(text[end] * 3, end) else text[end]
            end += len(quote) - 1
        else:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
        end += 1
    return min(end, len(text))
