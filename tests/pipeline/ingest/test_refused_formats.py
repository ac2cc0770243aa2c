"""A format that cannot read half of a file's lines did not recognise it: none of its rows count."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ingest.ingest import ingest

SCRIPT = """import sys

HEADER = (
    "Prints a report:"
Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
)
print(HEADER, sys.argv)
"""
# RECONSTRUCTED: a report of iostat
REPORT = """Linux 5.14.0 (alder) 	07/28/2025 	_x86_64_	(2 CPU)

Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
sda               0.22         2.27         4.61         0.00     410557     831977          0
sdb               0.22         2.27         4.61         0.00     410557     831977          0

"""
FOREIGN = "~~~ printed by another program ~~~\n"


def told(study: Path, query: str) -> list[tuple[Any, ...]]:
    ingest(study, study.parent / "a.duckdb")
    with duckdb.connect(str(study.parent / "a.duckdb"), read_only=True) as con:
        return con.execute(query).fetchall()


FILES = "select path, status, format, lines, rejected_lines, rows from source_file order by path"


@pytest.mark.parametrize(("foreign", "status"), [(4, "parsed"), (5, "unrecognised")])
def test_a_format_that_reads_less_than_half_of_the_lines_did_not_recognise_the_file(
    tmp_path: Path, foreign: int, status: str
) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "iostat.txt").write_text(REPORT + FOREIGN * foreign)
    ((_, found, name, lines, rejected, rows),) = told(study, FILES)
    expected = ("parsed", "iostat", 6 + foreign, foreign) if status == "parsed" else (status, None, 0, 0)
    assert (found, name, lines, rejected) == expected
    assert (rows > 0) == (status == "parsed")
    assert told(study, "select count(*) from log.iostat_device")[0] == ((2 if status == "parsed" else 0),)
    assert told(study, "select count(*) from rejected_line")[0] == (foreign if status == "parsed" else 0,)
    assert told(study, FILES) == [("iostat.txt", found, name, lines, rejected, rows)]  # kept by a second ingest


def test_the_reason_names_the_format_and_what_it_cannot_read(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "script.py").write_text(SCRIPT)
    ((reason,),) = told(study, "select reason from source_file")
    assert reason.startswith("5 of 7 lines cannot be read as iostat, which it looks like: ")


def test_a_format_that_study_toml_declares_is_never_refused(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "iostat.txt").write_text(REPORT + FOREIGN * 5)
    (study / "study.toml").write_text('[[files]]\nmatch = "iostat.txt"\nformat = "iostat"\n')
    assert told(study, f"{FILES} limit 1")[0][:5] == ("iostat.txt", "parsed", "iostat", 11, 5)


def test_lines_that_were_read_and_hold_impossible_numbers_do_not_speak_against_a_format(tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    (study / "summary.csv").write_text("clients,tps\n1,1e300\n2,1e-300\n4,1e31\n8,100\n")
    assert told(study, FILES) == [("summary.csv", "parsed", "measurements_csv", 5, 3, 1)]
