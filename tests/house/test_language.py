"""Help, messages, pages and public names use the field's words: no word of the list below appears in them."""

import ast
import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = ("parsers", "pipeline", "reports", "haledger")

BANNED = {  # a pattern, and what to write instead
    r"(?:un)?told": "reported, shown, distinguished, given",
    r"tells": "shows, reports",
    r"take[ns]? for": "detected as, treated as",
    r"judge[ds]?|judgements?": "evaluated, classified; verdict",
    r"stated": "given, declared, configured, reported",
    r"states (?:it|its|an?|the|none?|them|of|for|otherwise|what|when|another|nothing)": "gives, declares, reports",
    r"settle[ds]?": "resolved",
    r"learnt": "found, inferred",
    r"held to|holds? to": "checked against",
    r"whatever": "any, no matter what, regardless of",
    r"so many": "this many, the given number of",
    r"(?:was|were|is|are) come by": "derived from",
    r"stands? in(?! for)": "is in, appears in",
    r"bears?|bore": "has, supports",
    r"anew": "again, regenerated",
    r"speaks? of": "mentions",
}
BANNED_WORD = re.compile(rf"(?<![\w`'])(?:{'|'.join(BANNED)})(?![\w`'])", re.IGNORECASE)
BANNED_PART = re.compile(r"(?:^|_)(?:(?:un)?told|tells|judged?|judgements?|stated|settled?|learnt|anew)(?:_|$)")

VALUES = re.compile(  # `stated` is a value in columns of the store
    r"(?<=[,:;(] )stated(?=[,;:)\"]| \(|$)|\bstated(?= \(study\.toml\))|\belse stated\b|\bor stated\b"
)
QUOTATIONS = ("Giving up because we were told that we have less ping nodes",)  # lines of logs, and patterns for them
GENERATED = {
    "relations.md",
    "cli.md",
    "modules.md",
    "ha-messages.md",
    "cookbook.md",
    "tutorial.md",
}  # from the texts below
"""Pages that repeat texts which are checked where they are written."""


def banned(text: str) -> list[str]:
    """The banned words of a text."""
    for quoted in QUOTATIONS:
        text = text.replace(quoted, "")
    return [found[0] for found in BANNED_WORD.finditer(VALUES.sub("", text))]


def files(*suffixes: str) -> list[Path]:
    return sorted(path for part in PRODUCT for path in (ROOT / part).rglob("*") if path.suffix in suffixes)


def place(path: Path, line_no: int) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{line_no}"


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Comments and strings of Python (patterns, which are raw strings, left out), each with its line."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        is_pattern = token.string[:1] in "rR" and token.string[1:4] != '"""'
        is_text = token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string)
        if is_text and not is_pattern:
            yield token.start[0], token.string


def names(module: ast.Module) -> Iterator[str]:
    """Names of functions, classes, arguments and variables."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name):
            yield node.id


def columns(sql: str) -> Iterator[str]:
    """Names that a statement gives to its parts and columns."""
    code = re.sub(r"--[^\n]*|'(?:[^']|'')*'", "", sql)
    yield from re.findall(r"(?<=\bas )[a-z_]+|^[a-z_]+(?= as \()", code, re.MULTILINE)


def test_messages_comments_and_docstrings_use_plain_words() -> None:
    found = [
        f"{place(path, line_no)}: {', '.join(words)}"
        for path in files(".py")
        for line_no, text in texts(path.read_text(encoding="utf-8"))
        if (words := banned(text))
    ]
    assert found == []


def test_texts_of_sql_and_templates_use_plain_words() -> None:
    found = []
    for path in files(".sql", ".j2"):
        for line_no, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            text = " ".join(re.findall(r"--.*|'[^']* [^']*'", line)) if path.suffix == ".sql" else line
            found += [f"{place(path, line_no)}: {word}" for word in banned(text)]
    assert found == []


def test_pages_use_plain_words() -> None:
    found = []
    pages = [each for each in (ROOT / "docs").rglob("*.md") if each.name not in GENERATED]
    for path in sorted([*pages, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]):
        for line_no, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found += [f"{place(path, line_no)}: {word}" for word in banned(line)]
    assert found == []


def test_names_of_modules_functions_and_columns_use_plain_words() -> None:
    found = []
    for path in files(".py", ".sql"):
        source = path.read_text(encoding="utf-8")
        declared = names(ast.parse(source)) if path.suffix == ".py" else columns(source)
        found += [
            f"{place(path, 1)}: {name}" for name in sorted({path.stem, *declared}) if BANNED_PART.search(name.lower())
        ]
    assert found == []


def test_names_of_tests_use_plain_words() -> None:
    tests = {
        f"{place(path, 1)}: {name}"
        for path in (ROOT / "tests").rglob("*.py")
        for name in names(ast.parse(path.read_text(encoding="utf-8")))
        if name.startswith("test_") and BANNED_PART.search(name)
    }
    assert sorted(tests) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Say what each file is taken for.", ["taken for"]),
        ("Claims are judged, as told before.", ["judged", "told"]),
        ("study.toml states the zone", ["states the"]),
        ("time_source: printed, stamps, stated (study.toml)", []),
        ("the states that a node reaches", []),
        ("ipfail: Giving up because we were told that we have less ping nodes.", []),
    ],
)
def test_banned_words_are_found(text: str, words: list[str]) -> None:
    assert banned(text) == words


def test_a_planted_word_is_found_in_messages_names_and_columns() -> None:
    planted = 'def told_by(judged: str) -> str:\n    return f"{judged} is settled"\n'
    assert [words for _, text in texts(planted) if (words := banned(text))] == [["judged", "settled"]]
    assert [name for name in names(ast.parse(planted)) if BANNED_PART.search(name)] == ["told_by", "judged", "judged"]
    assert [name for name in columns("with judged as (\nselect 1 as is_told\n)") if BANNED_PART.search(name)] == [
        "is_told"
    ]
