"""The severity of a record of a dated log, by a word or letter near its stamp.

Words in capitals count within the first words of a line; others only where brackets, an equals sign or a colon show
that they are no part of a sentence.
"""

import polars as pl

from parsers.dated.words import CAPITALS, REDIS_SIGNS, SEVERITY_LETTERS, SEVERITY_WORDS

_WORDS = "|".join(sorted((word for word in SEVERITY_WORDS if word.isalnum()), key=lambda word: (-len(word), word)))
NEAR = 120
"""Characters behind a stamp in which a severity is sought."""

# ADAPTED: level=info msg="..."        lvl=eror        severity: WARNING
NAMED = rf"(?i)\b(?:level|lvl|severity|loglevel|log_level)[\"']?[=:] ?[\"']?({_WORDS})\b"
# ADAPTED: [error] 123#0: ...        <Warning> ...        [core:notice] [pid 1]        (ERROR)        [main/WARN]
BRACKETED = (
    rf"(?i)^(?:[^\[<(]{{0,40}})(?:[\[<(][^\[\]<>()]{{0,40}}[\]>)][ :]*){{0,3}}?"
    rf"[\[<(](?:[A-Za-z0-9_]{{1,30}}:|[^\[\]<>()/]{{1,40}}/)?({_WORDS}) *[\]>)]"
)
# ADAPTED: ERROR org.apache...: text        [main] WARN  c.e.App - text        NOTICE: exiting
CAPITAL = rf"^(?:[^A-Za-z]*(?:\S+[ \t]+){{0,4}}?)[\[<(|]?({'|'.join(CAPITALS)})(?:[^A-Za-z0-9_.]|$)"
# ADAPTED: warning: text        Error: text        fatal error: text        Server      Error: 19421, Severity: 16
LEADING = rf"(?i)^[\[<(|: ]*(?:(?:spid[0-9]+s?|server|logon|backup)\s+)?({_WORDS}) ?[:\])>|]"
# ADAPTED: I | raft: text        W CONTROL  [thread] text        E/AndroidRuntime: text
LETTER = r"^([TDVIWEFCN])(?: \| |/|:| {1,2}[A-Z]{2,}|, | *\])"


def severity(before: pl.Expr, said: pl.Expr, below: pl.Expr, letter: pl.Expr) -> pl.Expr:
    """The level of a record by what is before its stamp, after it, and the letter of glog; else on the line below."""
    near, under = said.str.head(NEAR), below.str.head(NEAR)
    words = [
        near.str.extract(NAMED, 1),
        before.str.extract(NAMED, 1),
        near.str.extract(BRACKETED, 1),
        before.str.extract(BRACKETED, 1),
        before.str.extract(CAPITAL, 1),
        near.str.extract(CAPITAL, 1),
        near.str.extract(LEADING, 1),
        before.str.extract(LEADING, 1),
    ]
    letters = pl.coalesce(letter, near.str.extract(LETTER, 1), before.str.extract(r"^([TDVIWEFCN]),", 1))
    is_redis = before.str.contains(r"^[0-9]{1,10}:[A-Z]$")
    sign = pl.when(is_redis).then(near.str.extract(r"^([.*#-])(?: |$)", 1))
    return pl.coalesce(
        *(level(word) for word in words),
        level_of_letter(letters),
        sign.replace_strict(REDIS_SIGNS, default=None, return_dtype=pl.String),
        level(under.str.extract(LEADING, 1)),
    )


def level(word: pl.Expr) -> pl.Expr:
    """The level that a word stands for, in any of the languages known."""
    return word.str.to_lowercase().replace_strict(SEVERITY_WORDS, default=None, return_dtype=pl.String)


def level_of_letter(letter: pl.Expr) -> pl.Expr:
    """The level that a capital letter stands for."""
    return letter.replace_strict(SEVERITY_LETTERS, default=None, return_dtype=pl.String)
