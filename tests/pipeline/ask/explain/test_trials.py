"""A setting is advised only where the file, read with it, gives rows."""

from pathlib import Path

import polars as pl
import pytest

from parsers.format import formats
from pipeline.ask.explain.trials import try_draft, try_encoding, try_formats
from pipeline.study.manifest import load
from pipeline.study.manifest_entries import layout_of

SYSLOG = [f"Mar  7 04:02:{second} host cron[7]: run {second}" for second in range(10, 14)]


def _head(*lines: str) -> pl.Series:
    return pl.Series("text", lines, dtype=pl.String())


def test_a_format_that_reads_the_file_is_advised_with_what_it_gives() -> None:
    trial = try_formats("a/x", _head(*SYSLOG, "stray"), ["db2diag", "syslog"], formats())
    assert trial is not None
    assert trial.setting == ("[[files]]", 'match = "a/x"', 'format = "syslog"')
    assert (trial.read_count, trial.line_count, dict(trial.rows)) == (4, 5, {"syslog_event": 4})


def test_what_reads_nothing_is_no_advice() -> None:
    assert try_formats("x", _head("a text", "for people"), ["db2diag", "iostat", "syslog"], formats()) is None
    assert try_formats("x", _head(SYSLOG[0], *["stray"] * 9), ["syslog"], formats()) is None
    assert try_formats("x", _head("LOGBUFSZ = 8", "T = 10"), ["db2_pd", "db2_snapshot"], formats()) is None
    assert try_draft("x", _head("a text", "for people")) is None
    assert try_encoding("x", _head("a text"), "utf-16-le", formats()) is None


def test_a_layout_is_drafted_where_it_dates_the_lines() -> None:
    trial = try_draft("own.log", _head(*(f"step {n} at 07.05.2024 10:11:{n} done" for n in range(10, 15))))
    assert trial is not None
    assert trial.setting[0] == "[[format]]"
    assert trial.rows == {"log_record": 5}


@pytest.mark.parametrize(
    "path", ["own.log", "a/grep-n.txt", "2024-03-05.log", "syslog", 'a [1]*?"\\.log', "\u00fc.log"]
)
def test_study_toml_takes_the_settings_that_are_advised_for_any_name(path: str, tmp_path: Path) -> None:
    drafted = try_draft(path, _head(*(f"step {n} at 07.05.2024 10:11:{n} done" for n in range(10, 15))))
    known = try_formats(path, _head(*SYSLOG), ["syslog"], formats())
    assert drafted is not None
    assert known is not None
    (tmp_path / "study.toml").write_text("\n".join(drafted.setting), encoding="utf-8")
    assert layout_of(load(tmp_path).file_override(path)) is not None
    (tmp_path / "study.toml").write_text("\n".join(known.setting), encoding="utf-8")
    assert load(tmp_path).file_override(path).format == "syslog"
