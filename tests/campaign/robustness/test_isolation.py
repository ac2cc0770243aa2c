"""A parser that raises, panics or never ends at one file costs that file, in any format, and nothing else."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import polars as pl
import pytest

from parsers.format import Format, Parsed, Recognition, Refusal, formats, tables
from parsers.star import number_column
from pipeline import parallel
from pipeline.discovery.walk import discover
from pipeline.ingest.ingest import ingest
from pipeline.reading import file_reading, staging
from pipeline.reading.file_reading import FileToRead, read_files
from pipeline.reading.lines import chunks
from pipeline.store import store
from pipeline.study.manifest_entries import FileOverride
from tests.cpu import loop_s
from tests.support.command import haledger
from tests.support.seeds import seeds

MARK = "this line is the one at which it "


def raising() -> NoReturn:
    raise ZeroDivisionError("division by zero")


def panicking() -> NoReturn:
    raise pl.exceptions.PanicException("index out of bounds")


def endless() -> NoReturn:
    while True:
        pass


def endless_match() -> NoReturn:
    """Python's `re` lets no other thread run meanwhile."""
    re.match("(a+)+$", 60 * "a" + "b")
    raise AssertionError


WRONG: dict[str, tuple[Callable[[], NoReturn], str]] = {
    "raises": (raising, "fails: ZeroDivisionError: division by zero"),
    "panics": (panicking, "fails: panic: index out of bounds"),
    "never ends": (endless, "takes longer than"),
    "never ends in a match": (endless_match, "takes longer than"),
}


EVERYWHERE = tuple(WRONG)[:3]


@pytest.fixture(scope="module")
def soon_s() -> float:
    """Some times what an honest parser needs, on this machine."""
    return max(0.8, 12 * max(loop_s() for _ in range(3)))


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch, soon_s: float) -> None:
    """What never ends is ended soon."""
    monkeypatch.setattr(parallel, "LEAST_S", soon_s)
    monkeypatch.setattr(parallel, "TICK_S", 0.05)


def go_wrong(lines: pl.Series) -> None:
    """Go wrong in the way that one of some lines says."""
    for kind, (wrong, _) in WRONG.items():
        if lines.str.contains(MARK + kind + "$").any():
            wrong()


def planted(parser: Format) -> Format:
    """The format with a parser that goes wrong at some lines."""

    def parse(lines: pl.DataFrame) -> Parsed:
        go_wrong(lines["text"])
        return parser.parse(lines)

    return replace(parser, parse=parse)


def read(folder: Path, stage_folder: Path, name: str) -> tuple[dict[str, str], dict[str, pl.DataFrame]]:
    """By path what became of the files of a folder, read as one format; and the rows of those that are parsed."""
    said_folder = stage_folder / "said"
    said_folder.mkdir(parents=True, exist_ok=True)
    dimensions = staging.Dimensions(said_folder, staging.STAGE_BYTES)
    stage = staging.Stage(stage_folder, staging.STAGE_BYTES, dimensions)
    sources = dict(enumerate(discover(folder).sources, 1))
    declared = FileOverride(match="*", format=name)
    facts = read_files([FileToRead(number, source, declared) for number, source in sources.items()], stage)
    bad = [number for number, each in facts.items() if each.status != "parsed"]
    rows = {table: pl.concat(list(stage.take(table))).filter(~pl.col("file_id").is_in(bad)) for table in stage.names()}
    for table in [tables()[name] for name in rows if name in tables() and tables()[name].dimensions]:
        dimensions.number(table, [rows[table.name]])
        rows[table.name] = dimensions.numbered(table, rows[table.name])
        for dimension in table.dimensions:
            messages = list(dimensions.take(table, dimension))
            rows[table.name] = rows[table.name].join(pl.concat(messages), on=number_column(dimension), how="left")
    said = {source.path: f"{facts[number].status}: {facts[number].reason}" for number, source in sources.items()}
    return said, {table: frame.sort("file_id", "line_no") for table, frame in rows.items() if frame.height}


@pytest.mark.parametrize("name", sorted(formats()))
def test_other_files_of_the_format_are_as_without_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon_s: float
) -> None:
    study = tmp_path / "study"
    study.mkdir()
    for number, text in enumerate(seeds()[name][:2]):
        (study / f"a{number}").write_text(text)
    monkeypatch.setattr(parallel, "LEAST_S", 60.0)  # what a parser does once in a process is not hurried
    without = read(study, tmp_path, name)
    monkeypatch.setattr(parallel, "LEAST_S", soon_s)
    # whoever reads is told of time by none of the formats: what never ends is ended in one of six
    kinds = EVERYWHERE if sorted(formats()).index(name) % 6 == 0 else EVERYWHERE[:2]
    for number, kind in enumerate(kinds):
        (study / f"z{number}").write_text(seeds()[name][0] + MARK + kind + "\n")
    monkeypatch.setitem(formats(), name, planted(formats()[name]))
    said, rows = read(study, tmp_path, name)
    for number, kind in enumerate(kinds):
        assert said.pop(f"z{number}").startswith(f"unreadable: its format {name} {WRONG[kind][1]}")
    assert said == without[0]
    assert rows.keys() == without[1].keys()
    assert all(frame.equals(without[1][table]) for table, frame in rows.items())


def test_one_file_among_hundreds_is_found_in_few_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "study").mkdir()
    for number in range(200):
        line = MARK + "raises" if number == 77 else "session opened"
        (tmp_path / "study" / f"m{number:03d}").write_text(f"Jul 28 10:27:04 n1 su[{number}]: {line}\n")
    parser, asked = formats()["syslog"], Counter[str]()

    def recognise(head: pl.Series) -> Recognition | Refusal:
        asked[str(head[0])] += 1
        go_wrong(head)
        return parser.recognise(head)

    monkeypatch.setattr(parallel, "LEAST_S", 60.0)
    monkeypatch.setitem(formats(), "syslog", replace(parser, recognise=recognise))
    stage = staging.Stage(tmp_path, staging.STAGE_BYTES, staging.Dimensions(tmp_path, staging.STAGE_BYTES))
    sources = dict(enumerate(discover(tmp_path / "study").sources, 1))
    facts = read_files([FileToRead(number, each, FileOverride(match="*")) for number, each in sources.items()], stage)
    bad = [sources[number].path for number, each in facts.items() if each.status == "unreadable"]
    assert bad == ["m077"]
    assert {each.format for number, each in facts.items() if sources[number].path != "m077"} == {"syslog"}
    assert max(asked.values()) <= 4


# --- the whole ingest ------------------------------------------------------------------------------------------------


def relations(study: Path, db: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of tables, without those about files."""
    ingest(study, db)
    with store.opened(db) as con:
        names = con.execute(
            "select schema_name || '.' || table_name from duckdb_tables() where schema_name in ('log', 'main')"
        ).fetchall()
        passed = {"log.file_ledger", "main.store_info", "main.source_file"}
        return {
            name: con.execute(f"select * from {name} order by all").fetchall()
            for (name,) in names
            if name not in passed
        }


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Two runs of one node, in three formats."""
    for name in ("syslog", "vcs_engine", "iostat"):
        for run in ("run01", "run02"):
            file = tmp_path / "study" / "plain" / run / "n1" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(seeds()[name][0])
    return tmp_path / "study"


@pytest.mark.parametrize("step", ["parse", "recognise", "parse of a span"])
def test_a_study_is_as_without_the_files(
    step: str, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon_s: float
) -> None:
    monkeypatch.setattr(parallel, "LEAST_S", 60.0)
    without = relations(study, tmp_path / "a.duckdb")
    # several spans are parsed in threads: nobody can end a match there, and one without end takes much from all
    monkeypatch.setattr(parallel, "LEAST_S", 5 * soon_s if step == "parse of a span" else soon_s)
    kinds = EVERYWHERE if step == "parse of a span" else tuple(WRONG)
    for number, kind in enumerate(kinds):
        bad = study / "plain" / "run02" / "n1" / f"z{number}"
        bad.write_text(seeds()["syslog"][0] + MARK + kind + "\n")
    parser = formats()["syslog"]
    if step == "recognise":

        def recognise(head: pl.Series) -> Recognition | Refusal:
            go_wrong(head)
            return parser.recognise(head)

        monkeypatch.setitem(formats(), "syslog", replace(parser, recognise=recognise))
    else:
        monkeypatch.setitem(formats(), "syslog", planted(parser))
    if step == "parse of a span":
        monkeypatch.setattr(file_reading, "chunk_bytes", lambda _: 500)
        monkeypatch.setattr(chunks, "__kwdefaults__", {"chunk_bytes": 500, "max_chunk_bytes": 9_000})
    assert relations(study, tmp_path / "b.duckdb") == without
    with store.opened(tmp_path / "b.duckdb") as con:
        found = con.execute(
            "select path, status, reason, lines, rows from main.source_file where status <> 'parsed' order by path"
        ).fetchall()
    assert len(found) == len(kinds)
    for (path, status, reason, lines, rows), kind, number in zip(found, kinds, range(len(kinds)), strict=True):
        assert (path, status, lines, rows) == (f"plain/run02/n1/z{number}", "unreadable", 0, 0)
        assert WRONG[kind][1] in str(reason)


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 3)])
def test_the_exit_code_is_that_of_a_study_that_can_be_read(
    options: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "study" / "run01"
    folder.mkdir(parents=True)
    (folder / "messages").write_text("Jul 28 10:27:04 n1 su: one\nJul 28 10:27:05 n1 su: two\n")
    (folder / "messages2").write_text(f"Jul 28 10:27:04 n1 su: two\nJul 28 10:27:04 n1 su: {MARK}raises\n")
    monkeypatch.setitem(formats(), "syslog", planted(formats()["syslog"]))
    result = haledger("ingest", tmp_path / "study", "--db", "a.duckdb", *options, cwd=tmp_path)
    assert result.returncode == code, result.stderr
