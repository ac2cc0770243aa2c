"""The one table of secrets: their keys and forms, for parsers, rejected lines, the store and anonymous copies alike.

A secret is recognised by the name of its value (`is_secret`) or by the form in which a text has it (`secret_spans`).
What is found is replaced before a row is made.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.recurring import recur

MASK: Final = "********"

# Part of a name: PGPASSWORD, db_password, shared-secret, AccountKey, x-api-key, accessToken.
KEYS: Final = "api|access|account|private|shared|auth|fastopen|crypto|encryption|signing|license"
STRONG: Final = (
    r"passw(?:or)?d|passwort|passwd|passphrase|pword|secret|secinfo|requirepass|masterauth|sst_auth|auth[_-]?pass"
    rf"|(?:{KEYS})[_-]?key"
    r"|(?:access|auth|session|refresh|security|bearer|api|csrf|id)[_-]?token|(?:bind|root|user|admin|db|smtp|ldap)pw"
    r"|credentials?|sshpass"
)
STRONG_WORDS: Final = "|".join(
    (
        "pass|pword|secret|secinfo|masterauth|sst_auth|token|bindpw|rootpw|userpw|adminpw|dbpw|smtppw|ldappw|credential",
        *(f"{of}{sign}key" for of in KEYS.split("|") for sign in ("", "_", "-")),
    )
)
"""What matches `STRONG` has one of these."""
# The whole name, or its last part: values have to look like a secret.
WEAK: Final = (
    r"key|token|pass|psk|pw|pwd|sig|signature|snmp_?community|(?:j|php|asp_?|aspnet_?)sess(?:ion)?_?id|connect\.sid"
)
NAME: Final = re.compile(rf"(?i){STRONG}|(?:^|[._-])(?:{WEAK})$")
STRONG_NAME: Final = re.compile(rf"(?i){STRONG}|(?:^|[._-])(?:pwd|pw)$")
MAPS: Final = frozenset({"UserNames"})
"""Maps of main.cf all of whose values are secrets: users with their encoded passwords."""

# password_file names a file, password_encryption a method, op_key of Pacemaker an operation
ABOUT: Final = re.compile(
    r"(?i)(?:file|path|dir|command|encryption|method|type|class|length|min|max|expir\w{0,20}|policy|age|days|time|timeout|"
    r"warn\w{0,20}|changed|attempts|count|name|plugin|hash_algorithm|agent|(?:op|operation|transition|primary|sort)[_-]?key)$"
)
ORDINARY: Final = re.compile(
    r"(?i)(?:true|false|yes|no|none|null|nil|on|off|ok|failed|md5|scram-sha-256|trust|peer|required|unset|empty|[0-9]|"
    r"[*x.#]{2,}|\(?masked\)?|secret|password|/[\w./@-]*|<.*|\$\{?\w+\}?|%\w+%|\{\{.*|"
    r"[\w.:-]+_(?:monitor|start|stop|promote|demote|notify)_[0-9]+)"  # of Pacemaker, an operation
)
WITH_LETTER_AND_MORE: Final = re.compile(r"(?=.*[^\W0-9_])(?=.*(?:[0-9]|[!@#$%^&*+=~?]|[a-z][A-Z])).{6,}")

QUOTE: Final = r'\\{0,4}"'
JSON_NAME: Final = rf"{QUOTE}(?:name|key){QUOTE}\s*:\s*{QUOTE}"
JSON_VALUE: Final = rf"{QUOTE}value{QUOTE}(?P<sign>\s*:\s*){QUOTE}"

LOOK: Final = re.compile(r"\(\?<?[=!](?:[^()\[\]\\]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\])*\)")
"""What a pattern asks to be, or not to be, before or behind a place; innermost first."""

COUNT: Final = re.compile(r"\{([0-9]+)(?:,[0-9]*)?\}")
"""How often a pattern asks for something."""


class Form:
    """How a secret is written, and what a text with it has in lower case: of each of `needs` one of the words.

    To look for a few words is a hundred times cheaper than to try a pattern. Bars separate the words. `needs_look`: a
    value of ordinary words is no secret. Letters of a pattern that begins with `(?i)` are small.
    """

    def __init__(self, pattern: str, *needs: str, needs_look: bool = False) -> None:
        self.pattern, self.needs_look = pattern, needs_look
        self.needs = [each.split("|") for each in needs]
        self.is_of_any_case = pattern.startswith("(?i)")

    @cached_property
    def _of_text(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @cached_property
    def _of_lowered(self) -> re.Pattern[str]:
        return re.compile(self.pattern.removeprefix("(?i)"))

    def likely_in(self, texts: pl.Series) -> pl.Series:
        """The texts of ASCII that may have it, and few others."""
        return texts.filter(texts.str.contains(self._wider))

    @cached_property
    def _wider(self) -> str:
        """A pattern for Rust, which is fast where nothing is asked of the sides and nothing is counted."""
        pattern = self.pattern.replace("(?P=quote)", "").replace(r"\Z", r"\z")
        pattern = pattern.replace("[ ", r"[\x20")  # with (?x) Rust leaves blanks out within brackets too
        while (simpler := LOOK.sub("", pattern)) != pattern:
            pattern = simpler
        return ascii_only(COUNT.sub(lambda count: "*" if count[1] == "0" else "+", pattern))

    def found_in(self, text: str, lowered: str) -> Iterator[re.Match[str]]:
        """Where a text has it. Small letters are found three times faster than letters of either case."""
        if self.is_of_any_case and text.isascii():
            return self._of_lowered.finditer(lowered)
        return self._of_text.finditer(text)


WORDS_OF_NAMES: Final = "pass|pword|secret|secinfo|auth|key|token|pw|credential|psk|sig|community|sess|connect.sid"
"""What matches `NAME` has one of these."""

PAIRS: Final = tuple(
    Form(pattern, WORDS_OF_NAMES, *needs)
    for pattern, *needs in (
        # PGPASSWORD=x, "pwd": "x", AccountKey=x, key: x, TSM password (TSM_PASSWORD) = x
        (
            rf"""(?i)(?x) (?<![^\W_]) (?P<key>[\w.-]{{0,60}}?(?:{STRONG}|(?<![^\W_])(?:{WEAK}))[\w-]{{0,40}})
            \\{{0,4}}["']? [ \t]{{0,20}}(?:\)|@[\w.-]{{1,60}})?
            (?P<sign>[ \t]{{0,40}}(?:=>|:=|=|:|%3d)[ \t]{{0,20}})
            (?: (?P<quote>\\{{0,4}}["']|&quot;) (?P<quoted>[^\r\n]*?) (?:(?P=quote) | (?=[\r\n]|\Z))
            | (?P<bare>[^\s"'\\,;&)}}\]<>|{{]+) )""",
            "=|:|%3d",
        ),
        (
            r"""(?i)\bname=["'](?P<key>[\w.-]+)["'][^<>]*?\bvalue(?P<sign>=)["'](?P<quoted>[^"']+)(?P<bare>)""",
            "name=",
            "value=",
        ),
        (
            r"""(?i)\bvalue=["'](?P<quoted>[^"']+)["'][^<>]*?\bname(?P<sign>=)["'](?P<key>[\w.-]+)["'](?P<bare>)""",
            "name=",
            "value=",
        ),
        (r"(?i)<(?:\w+:)?(?P<key>[\w.-]+)(?P<sign>)>(?P<quoted>[^<>]+)</(?P<bare>)", "</"),
        (
            rf"(?i){JSON_NAME}(?P<key>[\w.-]+){QUOTE}\s*,\s*{JSON_VALUE}(?P<quoted>[^\"\r\n]+?){QUOTE}(?P<bare>)",
            "name|key",
            "value",
        ),
        (
            rf"(?i){JSON_VALUE}(?P<quoted>[^\"\r\n]+?){QUOTE}\s*,\s*{JSON_NAME}(?P<key>[\w.-]+){QUOTE}(?P<bare>)",
            "name|key",
            "value",
        ),
    )
)
"""A name and its value."""

VALUE: Final = r"""\\{0,4}["']?(?P<value>[^\s"'\\,;)}\]<>|]+)"""
PROSE_VALUE: Final = rf"(?!\w+=[^=\s]){VALUE}"
QUOTED: Final = r"""\\{0,4}["'](?P<value>[^"'\r\n\\]+)"""
ISSUED_WORDS: Final = (
    *("akia", "asia", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "xox"),
    *("glpat-", "glrt-", "gldt-", "glft-", "k_live_", "k_test_", "aiza", "hvs.", "hvb.", "hvr.", "npm_"),
)  # fmt: skip
ISSUED: Final = (
    r"(?:AKIA|ASIA)[A-Z0-9]{16}|(?:gh[pousr]|github_pat)_\w{20,}|xox[abeprs]-[\w-]{10,}|gl(?:pat|rt|dt|ft)-[\w-]{20,}"
    r"|[rs]k_(?:live|test)_\w{16,}|AIza[\w-]{30,}|hv[bsr]\.[\w-]{20,}|npm_\w{30,}"
)
"""Tokens that say by their first letters who issued them."""

OF_WHOM: Final = r"(?:for|of)[ \t]+(?:(?:the|our|user|role|account)[ \t]+){0,2}\S+[ \t]+"
FORMS: Final = (
    Form(r"(?<=://)[^\s/:@\"'<>]*:(?P<value>[^\s/@\"'<>]+)@", "://", "@"),
    Form(r"(?<![\w:/.-])[A-Za-z][\w.-]*:(?P<value>[^\s:@/\"'<>]+)@[A-Za-z0-9]", "@", ":", needs_look=True),
    Form(
        rf"(?i)\b(?:basic|bearer|negotiate|digest)[ \t]+{PROSE_VALUE}", "basic|bearer|negotiate|digest", needs_look=True
    ),
    Form(r"(?i)\bdigest[ ].{0,400}?\bresponse=\\*\"(?P<value>[^\"\\]+)", "response="),
    Form(r"(?i)\bcookie:[ \t]+(?P<value>[^\s\"'][^\r\n\"']*)", "cookie:"),
    Form(rf"(?i)(?<![\w-])--?[\w-]*(?:{STRONG}|pass|pwd|token)[ \t]+(?!-){VALUE}", STRONG_WORDS + "|pwd", "-"),
    Form(r"""(?<!\S)-p\\{0,4}["']?(?P<value>[^\s"'\\=-][^\s"'\\]{3,})""", "-p", needs_look=True),
    Form(
        r"""(?i)\b(?:mysql|maria)\S{0,80}[ \t].{0,400}?(?<!\S)-p\\{0,4}["']?(?P<value>[^\s"'\\-][^\s"'\\]{3,})""",
        "mysql|maria",
        "-p",
    ),
    Form(rf"(?i)\bsshpass[ \t]+-p[ \t]*{VALUE}", "sshpass"),
    Form(
        rf"(?i)\b(?:ldap\w+\b.{{0,400}}? -w|redis-cli\b.{{0,400}}? -a)[ \t]+{VALUE}",
        "ldap|redis-cli",
        "-w|-a",
        needs_look=True,
    ),
    Form(
        rf"\b(?:ipmitool|fence_\w+|stonith|snmp\w+|smbclient)\b.{{0,400}}? -[pPA][ \t]+{VALUE}",
        "ipmitool|fence_|stonith|snmp|smbclient",
        "-p|-a",
        needs_look=True,
    ),
    Form(rf"(?<!\S)(?:-[ulUL][ ]?|--user(?:name)?[ =])\S{{1,80}} (?:.{{0,80}}? )?-p[ ]{VALUE}", "-p ", needs_look=True),
    Form(
        rf"(?i)\becho[ ]+(?:-\w+[ ]+)?{VALUE}[\"']?[ ]*\|[ ]*(?:\S*/)?(?:sudo|su|kinit|(?:ch)?passwd|cryptsetup)\b",
        "echo ",
    ),
    Form(rf"(?i)\bnet[ ]use[ ](?:[a-z*]:?[ ])?\\\\\S+[ ](?!/){VALUE}", "net use "),
    Form(rf"(?i)\b(?:connect|attach)[ ]to[ ]\S+[ ]user[ ]\S+[ ]using[ ]{VALUE}", " using "),
    Form(r"(?i)\bthin:[\w$]+/(?P<value>[^\s@/\"']+)@", "thin:"),
    Form(rf"(?i)\bcommunity(?:[ ]string)?[ ]{PROSE_VALUE}", "community", needs_look=True),
    Form(rf"(?i) -[uU][ \t]+\\*[\"']?[\w.\\-]+[:%]{VALUE}", " -u"),
    Form(
        r"(?i)\b(?:sqlplus|rman|expdp|impdp|exp|imp)\b[^/\r\n]{0,400}? [\w$]+/(?P<value>[^\s@/\"']+)",
        "sqlplus|rman|exp|imp",
        "/",
    ),
    Form(rf"(?i)\bidentified[ \t]+(?:with[ \t]+\S+[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+)?{VALUE}", "identified"),
    Form(rf"(?i)\bset[ \t]+password\b[^=\r\n]*=[ \t]*(?:\w+\()?{QUOTED}", "password", "="),
    Form(rf"(?i)\bpassw(?:or)?d[ \t(]+{QUOTED}", "passw", "\"|'"),
    Form(
        rf"(?i)\b(?:{STRONG}|pwd|pw|pin|token)[ \t]+(?:{OF_WHOM})?(?:(?:is|was|are|now)[ \t:]+)*{PROSE_VALUE}",
        STRONG_WORDS + "|pwd |pwd\t|pw |pw\t|pin |pin\t",
        needs_look=True,
    ),
    Form(rf"(?m)^[ \t]*[0-9]+[ \t]+(?:sha1|md5|hmac\S*)[ \t]+{VALUE}", "sha1|md5|hmac"),
    Form(
        rf"(?i)\b(?:{STRONG})[ \t](?:[^=\r\n]{{0,40}}?[ \t])?(?:to|as|with)[ \t]+{PROSE_VALUE}",
        STRONG_WORDS,
        "to |to\t|as |as\t|with |with\t",
        needs_look=True,
    ),
    Form(rf"(?i)\b(?:{STRONG})[ \t]+{QUOTED}", STRONG_WORDS, "\"|'"),
    Form(rf"(?i)(?m)^[ \t]*(?:sentinel[ \t]+)?auth[_-]pass[ \t]+(?:\S+[ \t]+)??{VALUE}[ \t]*$", "auth_pass|auth-pass"),
    Form(
        rf"(?i)(?m)^[ \t]*(?:shared-secret|requirepass|masterauth)[ \t]+{VALUE}", "shared-secret|requirepass|masterauth"
    ),
    Form(rf"(?i)\bauth[_-]pass[ \t]+(?:\S+[ \t]+)?{VALUE}", "auth_pass|auth-pass", needs_look=True),
    Form(
        rf"(?i)\b(?:shared-secret|requirepass|masterauth|auth)[ \t]+(?:[\w-]+[ \t]+)?{VALUE}",
        "shared-secret|requirepass|auth",
        needs_look=True,
    ),
    Form(r"(?s)-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?P<value>.{1,20000}?)-----END", "private key-----"),
    Form(r"(?<![\w.-])(?P<value>eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?)", "eyj"),
    Form(rf"(?<![A-Za-z0-9])(?P<value>{ISSUED})(?![\w-])", "|".join(ISSUED_WORDS)),
    Form(r"(?P<value>\$(?:[156y]|2[abxy]|gy|apr1|scrypt|argon2\w{1,2})\$[^\s:\"',]{8,})", "$"),
    Form(r"\bSCRAM-SHA-(?:1|256|512)\$[0-9]+:(?P<value>[^\s\"',]{8,})", "scram-sha-"),
    Form(r"\b(?P<value>md5[0-9a-f]{32})\b", "md5"),
    Form(r"::(?P<value>(?=[^\s:]*[^\W0-9])(?=[^\s:]*[!#$%^&*+~?])[^\s:=@/,]{6,})(?=::|\s|$)", "::"),
    Form(
        r"(?<=\w)::[^\s:]+::(?P<value>(?=[^\s:]*[a-z])(?=[^\s:]*[A-Z])(?=[^\s:]*[0-9])[^\s:=@/,.]{8,})(?=::|\s|$)", "::"
    ),
)
"""Secrets that stand behind no key and sign."""

IN_MAP: Final = Form(
    rf"(?i)\b(?:user[ ]?names|\w*(?:{STRONG}))[ \t]*(?:@[ ]?[\w.-]+[ \t]*)?"
    r"=[ \t]*\{(?P<values>[^}]{0,100000})(?:\}|\Z)",
    "{",
    "=",
)
"""Maps all of whose values are secrets, as users of VCS with their encoded passwords."""

MAP_VALUE: Final = re.compile(r"(?<![\w.-])(?P<value>\"[^\"\r\n]+\"|[^\s\",={}]+)(?![\w.-])(?![ \t]*=)")

ALL_FORMS: Final = (*PAIRS, *FORMS, IN_MAP)
WORDS: Final = list(dict.fromkeys(word for form in ALL_FORMS for words in form.needs for word in words))

REST: Final = re.compile(r"[^\r\n#;\"']*[^\s#;\"',]")

NEEDLES: Final = (
    "pass", "pw", "secret", "secinfo", "usernames", "token", "key", "psk", "sig", "auth", "basic ", "bearer ", "@",
    "identified", "credential", "community", "://", " -p", " -u ", "-a ", "sqlplus", "rman", "::", "eyj", "$", "md5",
    *ISSUED_WORDS, "scram-", "cookie:", "sessid",
    "sessionid", "session_id", "connect.sid",
    " using ", "thin:", "echo ", "net use", " -l ", "--user",  "ldap", "negotiate", "digest", "sha1 ", "hmac",
)  # fmt: skip
"""Lower case; a text without any of them has no secret."""

HINT: Final = re.compile(rf"(?i){STRONG}|\bpwd\b|user\s*names")


def may_hold_secret(text: str) -> bool:
    """Return whether a line that was not understood may hold a secret."""
    return bool(HINT.search(text))


def looks_secret(value: str) -> bool:
    """Return whether a value is more than a word or a number."""
    return bool(WITH_LETTER_AND_MORE.fullmatch(value)) and not ORDINARY.fullmatch(value)


def names_secret(name: str) -> bool:
    """Return whether any value of this name is a secret."""
    return bool(STRONG_NAME.search(name)) and not ABOUT.search(name)


def is_secret(name: str, value: str) -> bool:
    """Return whether the value of this name is a secret."""
    if not value or ORDINARY.fullmatch(value):
        return False
    return names_secret(name) or (bool(NAME.search(name)) and not ABOUT.search(name) and looks_secret(value))


def mask(value: str) -> str:  # noqa: ARG001  a test asks what was masked
    """What stands for a secret."""
    return MASK


def masked(name: str, value: str) -> str:
    """A value as it may be stored."""
    return mask(value) if is_secret(name, value) else hidden(value)


def hidden(text: str) -> str:
    """A text with all its secrets masked."""
    return with_secrets(text, mask)


def with_secrets(text: str, replacement: Callable[[str], str], forms: Sequence[Form] | None = None) -> str:
    """A text with something else for each secret in it. `forms`: as `secret_spans` takes them."""
    parts, end = [], 0
    for start, stop in secret_spans(text, forms):
        parts += [text[end:start], replacement(text[start:stop])]
        end = stop
    return "".join([*parts, text[end:]]) if parts else text


def all_hidden(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows whose texts have all their secrets masked; a cheap look finds the few that may have one, and their words."""
    columns = [each for each in rows if each.dtype == pl.String]
    different = [each.unique() if recur(each) else each for each in columns]
    texts = pl.concat([pl.Series("text", [], pl.String), *(each.alias("text") for each in different)])
    doubtful = texts.filter(texts.str.contains_any(list(NEEDLES), ascii_case_insensitive=True)).unique()
    if doubtful.is_empty():
        return rows
    is_ascii = doubtful.str.contains(r"^[\x00-\x7f]*$")
    forms_of: dict[str, list[Form]] = defaultdict(list)
    for words, alike in _by_words(doubtful.filter(is_ascii)):
        for form in _forms_with(frozenset(words)):
            for text in form.likely_in(alike):
                forms_of[text].append(form)
    all_forms: dict[str, None] = dict.fromkeys(doubtful.filter(~is_ascii))
    changed = {
        text: shown
        for text, forms in {**forms_of, **all_forms}.items()
        if (shown := with_secrets(text, mask, forms)) != text
    }
    return rows.with_columns(pl.col(pl.String).replace(changed)) if changed else rows


def _by_words(texts: pl.Series) -> Iterator[tuple[pl.Series, pl.Series]]:
    """Which of the words each text has, and the texts that have just these."""
    words = texts.str.to_lowercase().str.extract_many(WORDS, overlapping=True).list.unique(maintain_order=True)
    alike = pl.DataFrame([texts, words.alias("words")]).group_by("words").agg("text")
    return zip(alike.get_column("words"), alike.get_column("text"), strict=True)


def secret_spans(text: str, forms: Sequence[Form] | None = None) -> list[tuple[int, int]]:
    """Where secrets stand in a text, in order and apart from each other. `forms`: those it may have, if known."""
    lowered = text.casefold()
    if forms is None:
        may_have = any(needle in lowered for needle in NEEDLES)
        forms = _forms_with(frozenset(word for word in WORDS if word in lowered)) if may_have else ()
    spans: list[tuple[int, int]] = []
    found = (each for form in forms for one in form.found_in(text, lowered) for each in _spans(form, text, one))
    for start, stop in sorted(each for each in found if each[0] < each[1]):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
        else:
            spans.append((start, stop))
    return spans


@lru_cache(1000)
def _forms_with(words: frozenset[str]) -> list[Form]:
    """The forms that these words are enough for."""
    return [form for form in ALL_FORMS if not any(words.isdisjoint(each) for each in form.needs)]


def _spans(form: Form, text: str, found: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Where secrets stand in what has a form."""
    if form is IN_MAP:
        for each in MAP_VALUE.finditer(text, *found.span("values")):
            first = text.index(value := each["value"].strip('"'), each.start())
            yield first, first + len(value)
    elif "key" in found.re.groupindex:
        yield from _value_span(text, found)
    else:
        start = found.start("value")
        value = text[slice(*found.span("value"))].rstrip(".:,")
        if looks_secret(value) if form.needs_look else not ORDINARY.fullmatch(value):
            yield start, start + len(value)


def _value_span(text: str, found: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Where the secret of a pair stands. Alone on its line, as in a configuration, a value may have blanks."""
    if found["quoted"] is not None:
        if is_secret(found["key"], text[slice(*found.span("quoted"))]):
            yield found.span("quoted")
        return
    start, value = found.start("bare"), text[slice(*found.span("bare"))].rstrip(".:")
    is_alone = not text[text.rfind("\n", 0, found.start("key")) + 1 : found.start("key")].strip(" \t-\"'{")
    is_prose = found["sign"].strip() == ":" and not is_alone
    if is_secret(found["key"], value) and (not is_prose or looks_secret(value)):
        rest = REST.match(text, start) if is_alone and found["sign"].startswith((" ", "\t")) else None
        yield start, rest.end() if rest else start + len(value)
