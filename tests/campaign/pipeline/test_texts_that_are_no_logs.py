"""Files that every machine has, and pages that quote logs: no format claims one of which it cannot read half."""

import shutil
import sysconfig
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest.ingest import ingest
from tests.support.seeds import seeds

PROSE = "What the line below says is explained in the next chapter; do not read it as the output of the program.\n"
PLACES = ("/usr/share/common-licenses", "/usr/share/man/man1", "/usr/share/man/man8", "/usr/share/perl", "/etc")
"""Where most machines keep texts; those of the standard library are on all."""

ROWS = """
select path, format, lines, rejected_lines from source_file
where status = 'parsed' and 2 * rejected_lines > lines - blank_lines
"""


def sources() -> list[Path]:
    """Every third file of the standard library."""
    return sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[::3]


def texts_of_the_machine() -> Iterator[Path]:
    for place in PLACES:
        found = (each for each in sorted(Path(place).rglob("*")) if each.is_file() and not each.is_symlink())
        yield from islice((each for each in found if each.stat().st_size < 200_000), 40)


def pages() -> Iterator[tuple[str, str]]:
    """A page for each format that quotes the first lines of one of its files: as text, as source and as a table."""
    for name, (seed, *_) in sorted(seeds(1).items()):
        quoted = seed.splitlines()[:3]
        yield f"{name}.md", "".join(f"{line}\n\n{PROSE * 2}\n" for line in quoted)
        yield f"{name}.py", "\n".join(["import sys", "", *(f"print({line!r}, sys.argv)" for line in quoted)])
        yield f"{name}.csv", "number,text,seen\n" + "".join(f"{no},{line!r},no\n" for no, line in enumerate(quoted))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    study = folder / "study"
    (study / "library").mkdir(parents=True)
    (study / "machine").mkdir()
    (study / "pages").mkdir()
    for each in sources():
        shutil.copy(each, study / "library" / each.name)
    for number, each in enumerate(texts_of_the_machine()):
        shutil.copy(each, study / "machine" / f"{number:03}-{each.name}")
    for name, text in pages():
        (study / "pages" / name).write_text(text)
    ingest(study, folder / "a.duckdb")
    return folder / "a.duckdb"


def rows(store: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(store), read_only=True) as con:
        return con.execute(query).fetchall()


def test_no_format_claims_a_file_of_which_it_cannot_read_half(store: Path) -> None:
    assert rows(store, "select count(*) from source_file")[0] >= (200,)
    assert rows(store, ROWS) == []


def test_no_source_of_the_standard_library_is_a_log(store: Path) -> None:
    assert len(sources()) >= 50
    assert rows(store, "select path, format from source_file where path like 'library/%' and status = 'parsed'") == []


def test_a_file_that_is_refused_gives_no_row(store: Path) -> None:
    refused = "select count(*) from source_file where status = 'unrecognised' and rows + lines + rejected_lines > 0"
    assert rows(store, refused) == [(0,)]
    refused_ids = "select file_id from source_file where status <> 'parsed'"
    assert rows(store, f"select count(*) from rejected_line where file_id in ({refused_ids})") == [(0,)]
