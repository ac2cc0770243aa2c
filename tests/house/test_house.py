"""Rules of the house that a test can hold."""

import ast
import re
import shutil
import subprocess
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from parsers.format import formats
from pipeline.store import relations

ROOT = Path(__file__).parents[2]
LAYERS = ("parsers", "pipeline", "reports", "haledger")  # each may import those to its left, and itself
SOURCES = sorted(path for layer in (*LAYERS, "samples") for path in (ROOT / layer).rglob("*.py"))
PYTHON = sorted([*SOURCES, *(ROOT / "tests").rglob("*.py"), *ROOT.glob("*.py")])

# A path that begins at the folder where people or machines work; /export/home/x is another matter.
HOME_OR_WORKING_FOLDER = re.compile(r"(?<![\w./])/(?:home|root|Users|work|workspace)/\w|\b[A-Z]:\\+Users\\")
LOCK_FILE = re.compile(r"(?:^|[-_.])lock(?:\.[a-z]+)?$|\.lck$")

ANY_DIGIT = re.compile(r"(?<!\\)(?:\\\\)*\\d(?![a-z])")

NOQA = re.compile(r"#\s*(?:ruff:\s*)?noqa\b(?P<rest>.*)", re.IGNORECASE)
NOQA_WITH_REASON = re.compile(r":\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*\s+(?![A-Z]+\d+$)\S")
TYPE_IGNORE = re.compile(r"#\s*type:\s*ignore\b(?P<rest>.*)")
TYPE_IGNORE_WITH_REASON = re.compile(r"\[[a-z-]+(?:,\s*[a-z-]+)*\]\s+\S")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def files_to_publish() -> list[Path]:
    """What git tracks, and what it would if reported to add everything."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no git checkout, so nothing shows which files belong to the project")
    command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


# Patterns


def test_a_digit_is_one_of_ten() -> None:
    """`\\d` takes digits of every script, which a cast to a number then refuses."""
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in SOURCES
        if path.name != "ascii_pattern.py"  # which writes ASCII for it in the rules of messages
        if r"\d" in path.read_text(encoding="utf-8")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and ANY_DIGIT.search(str(node.value))
    ]
    assert found == []


# Parsers and their tests


def test_every_parser_module_that_does_something_has_its_test() -> None:
    without = []
    for path in sorted((ROOT / "parsers").rglob("[!_]*.py")):
        does_something = any(isinstance(node, ast.FunctionDef) for node in ast.walk(tree(path)))
        room = ROOT / "tests" / path.relative_to(ROOT).parent
        if does_something and not (room / f"test_{path.name}").is_file():  # a module of declarations has nothing to run
            names_it = re.compile(rf"(?m)^from parsers\S* import .*\b{path.stem}\b|\.{path.stem} import|`{path.stem}`")
            if not any(names_it.search(each.read_text(encoding="utf-8")) for each in room.glob("test_*.py")):
                without.append(name_of(path))
    assert without == []


def test_no_folder_of_tests_is_a_package() -> None:
    assert [name_of(path) for path in (ROOT / "tests").rglob("__init__.py")] == []


# Files


def test_no_file_names_a_home_or_working_folder() -> None:
    here = str(ROOT) if len(ROOT.parts) > 2 else None  # /src is in many a text
    found = []
    for path in files_to_publish():
        text = path.read_bytes().decode("utf-8", errors="replace")
        if (here and here in text) or HOME_OR_WORKING_FOLDER.search(text):
            found.append(name_of(path))
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("see /" + "home/ann/x", True),
        ("(/" + "root/venv)", True),
        ("C:" + "\\Users\\ann", True),
        ('DB2InstHome = "/export/home/svtdbm"', False),
        ("a/home/b, https://host/home/x", False),
    ],
)
def test_home_folders_are_distinguished_from_other_paths(text: str, is_found: bool) -> None:  # noqa: FBT001 - a table of cases
    assert bool(HOME_OR_WORKING_FOLDER.search(text)) == is_found


def test_libraries_have_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [each for each in project["dependencies"] if not re.search(r",<[0-9]+(\.[0-9]+)?\s*(;|$)", each)] == []


def test_no_lock_file_belongs_to_the_project() -> None:
    assert [name_of(path) for path in files_to_publish() if LOCK_FILE.search(path.name)] == []


# Exceptions and docstrings


def comments(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def test_every_silenced_check_names_its_code_and_its_reason() -> None:
    bare = []
    for path in (each for each in PYTHON if re.search("(?i)noqa|type:", each.read_text(encoding="utf-8"))):
        for line_no, comment in comments(path):
            for silenced, with_reason in ((NOQA, NOQA_WITH_REASON), (TYPE_IGNORE, TYPE_IGNORE_WITH_REASON)):
                found = silenced.search(comment)
                if found is not None and not with_reason.match(found["rest"]):
                    bare.append(f"{name_of(path)}:{line_no}: {comment}")
    assert bare == []


def public(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Functions and classes that others may use, also those inside such classes."""
    scopes: list[ast.Module | ast.ClassDef] = [module]
    while scopes:
        for node in scopes.pop().body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name[0] != "_":
                yield node
                if isinstance(node, ast.ClassDef):
                    scopes.append(node)


def test_every_module_and_public_name_says_what_it_is() -> None:
    silent = []
    for path in SOURCES:
        module = tree(path)
        names = [node.name for node in public(module) if not ast.get_docstring(node)]
        silent += [f"{name_of(path)}: {name}" for name in names if name]
        if not ast.get_docstring(module):
            silent.append(name_of(path))
    assert silent == []


# Formats and tables


def test_a_format_says_where_it_may_be_cut_in_words_both_engines_know() -> None:
    for each in formats().values():
        if each.boundary is not None:
            re.compile(each.boundary)
            pl.Series([""]).str.contains(each.boundary)


@pytest.fixture(scope="module")
def shared() -> object:
    """What outlives a test."""
    return object()


@pytest.mark.usefixtures("shared")
def test_the_group_of_a_test_reaches_the_scheduler(request: pytest.FixtureRequest) -> None:
    """pytest-xdist schedules by the end of a test's name; pytest 9.2 does not let it change the name."""
    if not request.config.getoption("loadgroup", default=False):
        pytest.skip("asked of the processes of `pytest -n 2 --dist loadgroup`, as `make test` runs it")
    assert request.node.nodeid.endswith("@house/test_house.py")


MOST_LINES = 300


def test_no_two_rooms_of_statements_read_each_other() -> None:
    files = [file for file in relations.SQL_FOLDER.rglob("*.sql") if "findings" not in file.parts]
    rooms = {file.stem: file.relative_to(relations.SQL_FOLDER).parts[0] for file in files}
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in relations.catalogue():
        for name in each.reads & rooms.keys():
            if each.name in rooms and rooms[name] != rooms[each.name]:
                found[rooms[each.name], rooms[name]].add(f"{each.name} reads {name}")
    both = {pair: found[pair] | found[pair[::-1]] for pair in found if pair[::-1] in found}
    assert both == {}


def test_every_statement_is_short() -> None:
    lines = {file.name: len(file.read_text().splitlines()) for file in relations.SQL_FOLDER.rglob("*.sql")}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_comments_of_statements_fit_a_screen() -> None:
    files = [file for layer in LAYERS for file in (ROOT / layer).rglob("*.sql")]
    long = [
        f"{file.name}: {line}"
        for file in files
        for line in file.read_text().splitlines()
        if len(line) > 120 and re.match(r" *--(?! (from|empty without rows of|materialised): )", line)
    ]
    assert long == []
