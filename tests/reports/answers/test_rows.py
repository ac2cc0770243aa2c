"""Rows of a query in every format."""

import io
import json
import zoneinfo
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipeline.errors import StoreError, UsageError
from pipeline.query.sandbox import query
from reports.answers.rows import WRITERS, text_of, write_rows

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


def test_json_has_numbers_for_numbers_and_null_for_what_it_cannot_say(capsys: pytest.CaptureFixture[str]) -> None:
    frame = pl.DataFrame(
        {
            "total": pl.Series([12], dtype=pl.Decimal(38, 0)),
            "share": pl.Series(["1.25"]).str.to_decimal(scale=2),
            "nowhere": [float("nan")],
            "list": [[float("inf"), 1.0]],
        }
    )
    write_rows(frame, "json", None)
    expected = {"total": 12, "share": 1.25, "nowhere": None, "list": [None, 1.0]}
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail) == [expected]


def test_columns_line_up_under_east_asian_characters(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(pl.DataFrame({"host": ["東京", "a"], "n": [1, 22]}), "table", None)
    assert capsys.readouterr().out == "host   n\n────  ──\n東京   1\na     22\n(2 rows)\n"


def test_a_plan_is_shown_as_it_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(pl.DataFrame({"explain_key": ["physical_plan"], "explain_value": ["╭─╮\n╰─╯"]}), "table", None)
    assert capsys.readouterr().out == "╭─╮\n╰─╯\n"


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path, kind: str) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        write_rows(FRAME, kind, tmp_path / "nowhere" / "rows")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file here is full")
def test_a_full_disk_is_no_mistake_of_usage() -> None:
    with pytest.raises(StoreError, match="/dev/full: cannot be written: No space left"):
        write_rows(FRAME, "csv", Path("/dev/full"))


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl", "md", "tex", "html", "table"])
def test_text_is_made_piece_by_piece_and_is_the_same_however_cut(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = "".join(text_of(FRAME, kind))
    monkeypatch.setattr("reports.answers.rows.SLICE", 1)
    assert "".join(text_of(FRAME, kind)) == whole


def test_every_type_of_duckdb_is_written_in_every_format(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    zoneinfo.reset_tzpath(())  # a system without a database of zones
    request.addfinalizer(zoneinfo.reset_tzpath)
    store = tmp_path / "x.duckdb"
    with duckdb.connect(store) as connection:
        names = [row[0] for row in connection.execute("describe select * from test_all_types()").fetchall()]
    forms = ('"{0}"', '["{0}"]', "{{'a': \"{0}\"}}", "[{{'a': [\"{0}\"]}}]")
    columns = [f'{form.format(name)} as "{name} {number}"' for name in names for number, form in enumerate(forms)]
    frame = query(store, f"select {', '.join(columns)} from test_all_types()").frame
    frame.write_parquet(io.BytesIO())
    for kind in (*WRITERS, "table"):
        assert "".join(text_of(frame, kind))


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        pytest.param("[date 'infinity', date '2020-01-01']", "[infinity, 2020-01-01]", id="in a list"),
        pytest.param("{'a': timestamp '-infinity'}", "{'a': -infinity}", id="in a struct"),
        pytest.param("[timestamp '290000-01-01']", "['290000-01-01 00:00:00']", id="a year that Python has not"),
    ],
)
def test_times_that_python_has_not_are_text(tmp_path: Path, value: str, printed: str) -> None:
    store = tmp_path / "x.duckdb"
    duckdb.connect(store).close()
    assert json.loads("".join(text_of(query(store, f"select {value} as x").frame, "json"))) == [{"x": printed}]
