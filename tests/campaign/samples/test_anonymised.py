"""A study with pseudonyms gives the numbers of the study, and no machine or person of the study is in it."""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pypdfium2
import pytest

from pipeline.ask.anonymise.anonymise import Anonymised, anonymise
from pipeline.discovery.walk import discover
from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.document.report import write_report
from tests.support.command import haledger
from tests.support.sample import sample_store

SAMPLES = Path(__file__).parents[3] / "samples"
LENGTHS = {"byte_count", "character_count"}
"""Of text: pseudonyms are longer or shorter than names."""


def compared(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Public relations with their columns of times and fractions."""
    rows = con.execute(
        "select table_name, list(column_name) from duckdb_columns() where database_name = 'plain' "
        "and schema_name = 'main' and data_type in ('DOUBLE', 'TIMESTAMP') and table_name <> 'source_file' group by all"
    ).fetchall()
    return {name: [each for each in columns if each not in LENGTHS] for name, columns in rows}


def names_left(done: Anonymised, texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """A real name in each text that still has one, as a whole word."""
    names = {each.text.lower().encode() for each in done.replaced if each.is_everywhere and each.kind.value != "folder"}
    any_name = re.compile(rb"(?<![a-z0-9])(?:%s)(?![a-z0-9])" % b"|".join(map(re.escape, names)))
    return {name: match[0] for name, text in texts.items() if (match := any_name.search(text.lower()))}


def logs_of(folder: Path) -> dict[str, bytes]:
    return {each.path: Path(str(each.location)).read_bytes() for each in discover(folder).sources}


def test_a_name_behind_a_colour_is_replaced(tmp_path: Path) -> None:
    study = tmp_path / "study" / "run1" / "sun-ha4"
    study.mkdir(parents=True)
    (study / "messages").write_text("Jul 28 10:27:12 \x1b[1;32msun-ha4\x1b[0m llt: LLT:10205: link 0 in trouble\n")
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    (copy,) = logs_of(done.folder).values()
    assert b"sun-ha4" not in copy
    assert b" llt: LLT:10205: link 0 in trouble" in copy


def parts_of(file: Path) -> dict[str, bytes]:
    """The texts in a workbook, a document or a PDF."""
    if file.suffix == ".pdf":
        with pypdfium2.PdfDocument(file) as pdf:
            return {str(file): "\n".join(page.get_textpage().get_text_range() for page in pdf).encode()}
    with zipfile.ZipFile(file) as parts:
        return {f"{file}/{name}": parts.read(name) for name in parts.namelist()}


@pytest.mark.parametrize("sample", ["pacemaker-postgresql", "failover-2004", "hadr-simulator-2009"])
def test_every_number_stays_as_it_is(sample: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = anonymise(SAMPLES / sample, tmp_path / "copy")
    assert names_left(done, logs_of(done.folder)) == {}
    ingest(done.folder, tmp_path / "anonymous.duckdb")
    different = []
    with duckdb.connect() as con:
        con.execute(f"attach '{sample_store(sample, tmp_path_factory)}' as plain (read_only)")
        con.execute(f"attach '{tmp_path}/anonymous.duckdb' (read_only)")
        relations = compared(con)
        assert len(relations) > 50
        for name, columns in relations.items():
            listed = ", ".join(f'"{each}"' for each in columns)
            found = [
                con.execute(f"select count(*), sum(hash({listed})::hugeint) from {store}.main.{name}").fetchone()
                for store in ("plain", "anonymous")
            ]
            different += [name] if found[0] != found[1] else []
    assert different == []


def test_no_name_is_left_in_logs_store_page_and_paper(tmp_path: Path) -> None:
    done = anonymise(SAMPLES / "failover-modern", tmp_path / "copy")
    names = {each.text.lower() for each in done.replaced if each.kind.value != "folder"}
    assert {"elm-1", "elm-2", "orders", "db2inst1", "10.20.4.5"} <= names
    ingest(done.folder, tmp_path / "out" / "haledger.duckdb")
    write_report(tmp_path / "out" / "haledger.duckdb", tmp_path / "out")
    texts = logs_of(done.folder)
    endings = {".html", ".md", ".csv", ".tex", ".svg"}
    outputs = [each for each in (tmp_path / "out").rglob("*") if each.suffix in endings]
    assert any(each.name == "report.html" for each in outputs)
    texts |= {str(each): each.read_bytes() for each in outputs}
    made = haledger("tables", "--db", "out", "-f", "xlsx", "-f", "docx", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    for each in (*(tmp_path / "tables").iterdir(), *(tmp_path / "out").rglob("*.pdf")):
        texts |= parts_of(each)
    for kind in ("word/document.xml", "sharedStrings.xml", "report.pdf"):
        assert any(name.endswith(kind) for name in texts), kind
    texts["names of files"] = "\n".join(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")).encode()
    with duckdb.connect(str(tmp_path / "out" / "haledger.duckdb"), read_only=True) as con:
        con.execute(f"export database '{tmp_path}/export' (format csv)")
    texts |= {str(each): each.read_bytes() for each in (tmp_path / "export").glob("*.csv")}
    assert names_left(done, texts) == {}


def test_words_that_may_be_names_end_with_exit_5_unless_accepted_or_replaced(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "messages").write_text("Mar  2 10:00:00 alder app[7]: the zorillafrob is away\n")
    for options, code, is_left in (((), 5, True), (("--accept",), 0, True), (("--strict",), 0, False)):
        done = haledger("anonymise", tmp_path / "study", "-o", tmp_path / "copy", *options, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        assert ("zorillafrob" in done.stderr) == (code == 5)
        assert ("zorillafrob" in (tmp_path / "copy" / "messages").read_text()) == is_left


def test_prose_and_names_of_files_name_nobody(tmp_path: Path) -> None:
    place = tmp_path / "study" / "zorillabank" / "run01" / "pangolin-db1"
    place.mkdir(parents=True)
    (place / "messages").write_text(
        "Mar  2 10:00:00 pangolin-db1 sshd[7]: session opened for user tayra\n"
        "Mar  2 10:00:01 pangolin-db1 app[7]: token=Emu18Wild for pangolin-nas3\n"
    )
    with zipfile.ZipFile(tmp_path / "study" / "tayra-logs.zip", "w") as archive:
        archive.writestr("pangolin-db2/messages.tayra", "Mar  2 10:00:02 pangolin-db2 app[7]: token=Emu18Wild\n")
    (tmp_path / "study" / "study.toml").write_text(
        '# by Fossa\n[study]\ntitle = "Zorillabank: failover of Pangolin"\n[configuration."zorillabank"]\n'
        'label = "by Civetta"\n'
    )
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    texts = [str(each.relative_to(done.folder)) for each in done.folder.rglob("*")]
    texts += [each.read_text() for each in done.folder.rglob("*") if each.is_file()]
    everything = "\n".join(texts).casefold()
    assert [each for each in ("zorilla", "pangolin", "tayra", "emu18", "fossa", "civetta") if each in everything] == []


def test_files_that_no_format_recognises_are_left_out(tmp_path: Path) -> None:
    run = tmp_path / "study" / "run01"
    run.mkdir(parents=True)
    (run / "messages").write_text("Mar  2 10:00:00 alder sshd[7]: session opened for user carol\n")
    (run / "contacts.txt").write_text("Carol of alder, and whom to call at night\n")
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    assert [each.path for each in discover(done.folder).sources] == ["run01/messages"]


def test_table_of_names_is_outside_and_for_its_owner(tmp_path: Path) -> None:
    done = anonymise(SAMPLES / "hadr-simulator-2009", tmp_path / "copy")
    assert done.table == tmp_path / "copy-names.csv"
    assert done.table.stat().st_mode & 0o077 == 0
    assert "auklet" in done.table.read_text(encoding="utf-8")
    again = anonymise(SAMPLES / "hadr-simulator-2009", tmp_path / "copy")
    assert again == done


def test_a_folder_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(UsageError, match="was not written by haledger"):
        anonymise(SAMPLES / "hadr-simulator-2009", tmp_path / "mine")
    assert (tmp_path / "mine" / "letter").read_text() == "dear"
