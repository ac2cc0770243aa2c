"""Rows of a query in every format."""

import json
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from reports.rows import write_rows

FRAME = pl.DataFrame(
    {
        "run": ["run01", "=1+1"],
        "mean_s": [61.25, None],
        "n": [-3, 10],
        "at": [datetime(2003, 7, 28, 10, 27, 4), None],  # noqa: DTZ001 - the store keeps UTC without a zone
        "hosts": [["a", "b|c"], []],
    }
)

EXPECTED = {
    "csv": 'run,mean_s,n,at,hosts\nrun01,61.25,-3,2003-07-28 10:27:04,"[""a"", ""b|c""]"\n\'=1+1,,10,,[]\n',
    "md": (
        "| run | mean\\_s | n | at | hosts |\n| --- | ---: | ---: | --- | --- |\n"
        '| run01 | 61.25 | \\-3 | 2003\\-07\\-28 10:27:04 | \\["a", "b\\|c"\\] |\n| =1\\+1 |  | 10 |  | \\[\\] |\n'
    ),
    "jsonl": (
        '{"run": "run01", "mean_s": 61.25, "n": -3, "at": "2003-07-28 10:27:04", "hosts": ["a", "b|c"]}\n'
        '{"run": "=1+1", "mean_s": null, "n": 10, "at": null, "hosts": []}\n'
    ),
}


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_exact_text(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(FRAME, kind, None)
    assert capsys.readouterr().out == EXPECTED[kind]


def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(FRAME, "json", None)
    assert [row["n"] for row in json.loads(capsys.readouterr().out)] == [-3, 10]


def test_latex_has_booktabs_rules_and_aligns_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(FRAME.select("run", "mean_s"), "tex", None)
    assert capsys.readouterr().out == (
        "\\begin{tabular}{lr}\n\\toprule\nrun & mean\\_s \\\\\n\\midrule\nrun01 & 61.25 \\\\\n=1+1 &  \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )


def test_parquet_keeps_types_exactly(tmp_path: Path) -> None:
    target = tmp_path / "rows.parquet"
    write_rows(FRAME, "parquet", target)
    assert pl.read_parquet(target).equals(FRAME)


def test_table_aligns_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(FRAME.select("run", "mean_s"), "table", None)
    assert capsys.readouterr().out == "run    mean_s\n─────  ──────\nrun01   61.25\n=1+1\n(2 rows)\n"


def test_row_wider_than_the_terminal_is_shown_field_by_field(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(FRAME.select("run", "mean_s").head(1), "table", None, width=10)
    assert capsys.readouterr().out == "── 1 ──\n   run  run01\nmean_s  61.25\n(1 row)\n"


def test_empty_result_still_names_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(FRAME.clear(), "csv", None)
    assert capsys.readouterr().out == "run,mean_s,n,at,hosts\n"


def test_carriage_return_stays_inside_its_cell(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(pl.DataFrame({"text": ["a\rb"]}), "csv", None)
    assert capsys.readouterr().out == 'text\n"a\rb"\n'
