"""Every file of the corpus: its format, its lines and rows, and what holds of every parser for any of them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Format, Parsed, Refusal, Verdict, formats
from parsers.star import flat
from pipeline.ask.init_study import propose
from pipeline.ingest.ingest import ingest
from pipeline.reading.recognition import recognise
from pipeline.store import store
from tests.support.dated_kinds import KINDS, log_of

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
FILES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file())
pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of real logs is not beside this checkout")


@dataclass(frozen=True, slots=True)
class Account:
    """What a file is, and what becomes of its lines: counts of verdicts in their order, rows by table."""

    format: str | None
    verdicts: str
    rows: str


def _listed() -> dict[str, Account]:
    """Written once from what tests had counted by hand; a file of no format has `-`."""
    table = (Path(__file__).parent / "files.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines())
    return {path: Account(None if name == "-" else name, verdicts, tables) for path, name, verdicts, tables in rows}


ACCOUNTS = _listed()


@cache
def numbered(path: str) -> pl.DataFrame:
    """A file's lines, read the plain way."""
    content = (CORPUS / path).read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    texts = [line.rstrip("\r") for line in text.split("\n")]
    if texts[-1] == "":
        texts.pop()
    return pl.DataFrame(
        {"file_id": [1] * len(texts), "line_no": range(1, len(texts) + 1), "text": texts}, schema=LINE_SCHEMA
    )


def head(path: str) -> pl.Series:
    """What a format is shown: at most 400 lines, from the first 64 KiB."""
    texts = numbered(path)["text"].head(400)
    return texts.filter((texts.str.len_bytes().cast(pl.Int64) + 1).cum_sum() <= 65536)


def check(each: Format, lines: pl.DataFrame, parsed: Parsed) -> None:
    """The contract between a parser and the pipeline, which holds for its own files and for any other."""
    assert parsed.lines.schema == VERDICT_SCHEMA, each.name
    assert parsed.lines.select("file_id", "line_no").equals(lines.select("file_id", "line_no"))
    assert parsed.lines["verdict"].is_in([verdict.value for verdict in Verdict]).all(), each.name
    assert parsed.lines.filter(verdict=Verdict.REJECTED)["reason"].is_not_null().all()
    is_blank = lines["text"].str.strip_chars() == ""
    assert parsed.lines["verdict"].filter(is_blank).eq(Verdict.BLANK).all()
    assert not parsed.lines["verdict"].filter(~is_blank).eq(Verdict.BLANK).any()

    heads = parsed.lines.filter(verdict=Verdict.PARSED).select("file_id", "line_no")
    schemas = {table.name: table.schema for table in each.tables}
    for name, rows in parsed.tables.items():
        assert rows.schema == schemas[name], name
        assert rows.select("file_id", "line_no", "part").is_unique().all(), name
        assert rows["part"].ge(1).all(), name
        assert rows.join(heads, on=["file_id", "line_no"], how="anti").is_empty(), name


def account(path: str) -> Account:
    """What is found of a file today."""
    decided = recognise(head(path), Path(path).name, formats()).format
    if decided is None:
        return Account(None, "", "")
    parsed = formats()[decided].parse(numbered(path))
    verdicts = parsed.lines["verdict"].to_list()
    rows = {name: flat(table).height for name, table in sorted(parsed.tables.items())}
    return Account(
        decided,
        " ".join(str(verdicts.count(each)) for each in Verdict),
        " ".join(f"{name}={count}" for name, count in rows.items() if count),
    )


@pytest.mark.parametrize("folder", sorted({path.partition("/")[0] for path in FILES}))
def test_every_file_is_what_it_is_and_none_of_its_lines_or_rows_is_lost(folder: str) -> None:
    here = [path for path in FILES if path.startswith(f"{folder}/")]
    assert {path: account(path) for path in here} == {path: ACCOUNTS[path] for path in here if path in ACCOUNTS}


@cache
def all_numbered() -> pl.DataFrame:
    """The lines of all files, one file after the other."""
    return pl.concat(numbered(path).with_columns(file_id=pl.lit(n, pl.Int32)) for n, path in enumerate(FILES, 1))


@pytest.mark.parametrize("format_name", sorted(formats()))
def test_no_parser_fails_on_any_file(format_name: str) -> None:
    """All at once, as an ingest hands over what it read: a file by itself would cost each format hundreds of calls."""
    each = formats()[format_name]
    check(each, all_numbered(), each.parse(all_numbered()))


def test_no_file_of_the_list_is_missing() -> None:
    assert ACCOUNTS.keys() <= set(FILES)


def test_empty_file_is_of_no_format() -> None:
    nothing = pl.DataFrame(schema=LINE_SCHEMA)
    for each in formats().values():
        assert isinstance(each.recognise(nothing["text"]), Refusal)
        check(each, nothing, each.parse(nothing))


UNCHECKED = {"squid_access", "valkey_epoch"}
"""Their seconds since 1970 are the same on all lines."""

LEAST_SHARE = 0.95


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("kinds")
    for kind in KINDS:
        (study / f"{kind}.txt").write_text(log_of(kind)[0])
    (study / "study.toml").write_text(propose(study))
    path = study.with_suffix(".duckdb")
    ingest(study, path)
    return path


def test_nearly_all_kinds_are_dated_as_printed(db: Path) -> None:
    with store.opened(db) as con:
        rows = con.execute(
            "select s.path, date_trunc('second', e.local_at) from (select file_id, local_at from log.log_record "
            "union all select file_id, local_at from log.syslog_event) as e "
            "inner join source_file as s using (file_id) where e.local_at is not null"
        ).fetchall()
    found: dict[str, list[object]] = {}
    for path, moment in rows:
        found.setdefault(path.removesuffix(".txt"), []).append(moment)
    wrong = [
        kind
        for kind in KINDS
        if len(found.get(kind, [])) != 3 or (kind not in UNCHECKED and sorted(found[kind], key=str) != log_of(kind)[1])
    ]
    assert len(wrong) <= (1 - LEAST_SHARE) * len(KINDS), wrong


def test_every_line_is_accounted_for(db: Path) -> None:
    with store.opened(db) as con:
        lost = con.execute(
            "select path from source_file where format is not null and lines <> "
            "parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines"
        ).fetchall()
    assert lost == []
