"""Values of main.cf as they may be stored: secrets in them replaced before a row is made.

Passwords are in attributes named for them, behind `name=` in texts, and as values of the map UserNames.
"""

from collections.abc import Iterable, Sequence

from parsers import secret
from parsers.vcs.main_cf_tokens import Token


def shown(name: str, tokens: Sequence[Token]) -> tuple[str, bool]:
    """A value as it may be stored, and whether something in it was masked."""
    texts = [token.text for token in tokens]
    if secret.names_secret(name):
        return secret.mask(" ".join(texts)), True
    masked = [
        secret.mask(token.text) if _is_secret(name, tokens, position) else secret.hidden(token.text)
        for position, token in enumerate(tokens)
    ]
    if len(tokens) == 1 and tokens[0].kind == "string":
        return masked[0].removeprefix('"').removesuffix('"'), masked != texts
    return _spaced(masked), masked != texts


def _is_secret(name: str, tokens: Sequence[Token], position: int) -> bool:
    """Whether a token is the secret value of a key in a map, or stands in a map of secrets."""
    if tokens[position].kind == "sign":
        return False
    has_key = position > 1 and tokens[position - 1].is_sign("=")
    is_key = position + 1 < len(tokens) and tokens[position + 1].is_sign("=")
    if name in secret.MAPS:
        return not is_key
    return has_key and secret.is_secret(tokens[position - 2].text.strip('"'), tokens[position].text.strip('"'))


def _spaced(texts: Iterable[str]) -> str:
    """A value on one line: a blank between tokens, none before a comma or around `@`."""
    line = ""
    for text in texts:
        is_tight = not line or text in {",", "@"} or line.endswith("@")
        line += text if is_tight else f" {text}"
    return line
