"""Values of main.cf as they may be stored: secrets in them replaced before a row is made.

Passwords are in attributes named for them, behind `name=` in texts, and as values of the map UserNames.
"""

import re
from collections.abc import Iterable, Sequence

from parsers.secret import MASK
from parsers.vcs.main_cf_tokens import Token

SECRET_NAME = re.compile(r"(?i)secinfo|.*(?:password|passwd|pword|passphrase|secret)")
SECRET_TEXT = re.compile(r"(?i)(?:password|passwd|pword|secret)\S{0,40}\s{0,9}[=:]")
SECRET_LINE = re.compile(r"(?i)user\s*names|secinfo|password|passwd|pword|passphrase|secret")


def may_hold_secret(line: str) -> bool:
    """Return whether a damaged line may hold a secret."""
    return bool(SECRET_LINE.search(line))


def shown(name: str, tokens: Sequence[Token]) -> tuple[str, bool]:
    """A value as it may be stored, and whether something in it was masked."""
    if SECRET_NAME.fullmatch(name):
        return MASK, True
    texts = [token.text for token in tokens]
    is_secret = [bool(SECRET_TEXT.search(text)) for text in texts]
    for position, token in enumerate(tokens):
        if token.kind == "sign":
            continue
        has_key = position > 1 and tokens[position - 1].is_sign("=")
        is_key = position + 1 < len(tokens) and tokens[position + 1].is_sign("=")
        if has_key:
            is_secret[position] |= name == "UserNames" or bool(SECRET_NAME.fullmatch(texts[position - 2].strip('"')))
        elif name == "UserNames":
            is_secret[position] = not is_key
    if len(tokens) == 1 and not is_secret[0]:
        return texts[0][1:-1] if tokens[0].kind == "string" else texts[0], False
    masked = (MASK if secret else text for secret, text in zip(is_secret, texts, strict=True))
    return _spaced(masked), any(is_secret)


def _spaced(texts: Iterable[str]) -> str:
    """A value on one line: a blank between tokens, none before a comma or around `@`."""
    line = ""
    for text in texts:
        is_tight = not line or text in {",", "@"} or line.endswith("@")
        line += text if is_tight else f" {text}"
    return line
