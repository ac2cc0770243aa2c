"""Rules of the house that a test can hold."""

import ast
import re
import shutil
import subprocess
import tokenize
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from parsers.format import Format, formats

ROOT = Path(__file__).parents[1]
LAYERS = ("parsers", "pipeline", "reports", "haledger")  # each may import those to its left, and itself
SOURCES = sorted(path for layer in (*LAYERS, "samples") for path in (ROOT / layer).rglob("*.py"))
PYTHON = sorted([*SOURCES, *(ROOT / "tests").rglob("*.py"), *ROOT.glob("*.py")])

# A path that begins at the folder where people or machines work; /export/home/x is another matter.
HOME_OR_WORKING_FOLDER = re.compile(r"(?<![\w./])/(?:home|root|Users|work|workspace)/\w|\b[A-Z]:\\+Users\\")
LOCK_FILE = re.compile(r"(?:^|[-_.])lock(?:\.[a-z]+)?$|\.lck$")

NOQA = re.compile(r"#\s*(?:ruff:\s*)?noqa\b(?P<rest>.*)", re.IGNORECASE)
NOQA_WITH_REASON = re.compile(r":\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*\s+(?![A-Z]+\d+$)\S")
TYPE_IGNORE = re.compile(r"#\s*type:\s*ignore\b(?P<rest>.*)")
TYPE_IGNORE_WITH_REASON = re.compile(r"\[[a-z-]+(?:,\s*[a-z-]+)*\]\s+\S")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def files_to_publish() -> list[Path]:
    """What git tracks, and what it would if told to add everything."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no git checkout, so nothing tells which files belong to the project")
    command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


# Parsers and their tests


@pytest.mark.parametrize(
    "path", [path for path in sorted((ROOT / "parsers").glob("*.py")) if path.name[0] != "_"], ids=name_of
)
def test_every_parser_module_that_does_something_has_its_test(path: Path) -> None:
    does_something = any(isinstance(node, ast.FunctionDef) for node in ast.walk(tree(path)))
    if does_something:  # a module of table declarations has nothing to run
        assert (ROOT / "tests" / "parsers" / f"test_{path.name}").is_file()


def test_no_folder_of_tests_is_a_package() -> None:
    assert [name_of(path) for path in (ROOT / "tests").rglob("__init__.py")] == []


# Imports


def imported(module: ast.Module) -> Iterator[str]:
    """Top-level names of the modules that a module imports, anywhere in it."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which layer is meant"
            yield str(node.module).split(".")[0]


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_go_one_way(layer: str) -> None:
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    for path in (ROOT / layer).rglob("*.py"):
        assert not above & set(imported(tree(path))), name_of(path)


# Files


def test_no_file_names_a_home_or_working_folder() -> None:
    here = str(ROOT)
    found = []
    for path in files_to_publish():
        text = path.read_bytes().decode("utf-8", errors="replace")
        if here in text or HOME_OR_WORKING_FOLDER.search(text):
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
def test_home_folders_are_told_from_other_paths(text: str, is_found: bool) -> None:  # noqa: FBT001 - a table of cases
    assert bool(HOME_OR_WORKING_FOLDER.search(text)) == is_found


def test_no_lock_file_belongs_to_the_project() -> None:
    assert [name_of(path) for path in files_to_publish() if LOCK_FILE.search(path.name)] == []


# Exceptions and docstrings


def comments(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_every_silenced_check_names_its_code_and_its_reason(path: Path) -> None:
    for line_no, comment in comments(path):
        for silenced, with_reason in ((NOQA, NOQA_WITH_REASON), (TYPE_IGNORE, TYPE_IGNORE_WITH_REASON)):
            found = silenced.search(comment)
            assert found is None or with_reason.match(found["rest"]), f"line {line_no}: {comment}"


def public(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Functions and classes that others may use, also those inside such classes."""
    scopes: list[ast.Module | ast.ClassDef] = [module]
    while scopes:
        for node in scopes.pop().body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name[0] != "_":
                yield node
                if isinstance(node, ast.ClassDef):
                    scopes.append(node)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_module_and_public_name_says_what_it_is(path: Path) -> None:
    module = tree(path)
    assert ast.get_docstring(module)
    assert [node.name for node in public(module) if not ast.get_docstring(node)] == []


# Formats and tables


@pytest.mark.parametrize("each", formats().values(), ids=formats())
def test_every_table_and_column_has_its_comment(each: Format) -> None:
    for table in each.tables:
        assert table.grain.strip(), table.name
        assert [column.name for column in table.columns if not column.comment.strip()] == [], table.name
        assert len(table.schema) == len({name.lower() for name in table.schema}), table.name
        added = [column.name for column in table.columns]
        assert set(added).isdisjoint({"file_id", "line_no", "part", "stamp", "has_year", "utc_offset_min"}), table.name


def test_a_table_name_means_one_table() -> None:
    declared = [table for each in formats().values() for table in each.tables]
    for one, other in combinations(declared, 2):
        assert one is other or one.name != other.name


@pytest.mark.parametrize("each", formats().values(), ids=formats())
def test_a_format_says_where_it_may_be_cut_in_words_both_engines_know(each: Format) -> None:
    assert each.boundary is None or re.compile(each.boundary)
