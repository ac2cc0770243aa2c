"""Dates of reports such as 12/11/09, read in the order that the run's other logs show."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline.ask.explain.decisions import explain
from pipeline.clock.date_order_inference import in_resolved_order
from pipeline.ingest.ingest import ingest
from pipeline.reading.date_order import DateOrder, PrintedDates, date_order, day_of
from pipeline.reading.stamps import StampFacts
from pipeline.store import store
from reports.answers.explain.text import lines
from tests.support.dated_logs import Log

NOW = datetime(2010, 6, 1)  # noqa: DTZ001  naive UTC


def reports(*dates: str, path: str = "iostat.txt", is_half_day: bool = False, **place: Any) -> StampFacts:
    """A file with reports at noon of days as printed."""
    order = date_order(dates, is_half_day=is_half_day)

    def read(name: str) -> StampFacts:
        days = (day_of(each, name) for each in dates)
        return Log(path, *(f"{day}T12:00" for day in days), log_format="iostat", **place).facts(1)

    others = {name: stamps.as_json() for name in order.rivals if (stamps := read(name).stamps)}
    return replace(read(order.name), dates=PrintedDates(order, dates[0], 1, len(dates), others))


def log(path: str, *stamps: str, **place: Any) -> StampFacts:
    return Log(path, *stamps, **place).facts(2)


def resolved(file: StampFacts, *others: StampFacts) -> tuple[str, str]:
    found = in_resolved_order([file, *others])[0].date_order
    assert found is not None
    return found.name, found.source


@pytest.mark.parametrize(
    ("others", "order"),
    [
        pytest.param([], ("mdy", "assumed"), id="nothing shows it"),
        pytest.param([log("messages", "11-12T09:00")], ("dmy", "logs"), id="a day without a year"),
        pytest.param([log("engine", "2009-11-13T00:01")], ("dmy", "logs"), id="a day later, by another zone"),
        pytest.param([log("engine", "2010-11-12T12:00")], ("mdy", "assumed"), id="of no order that is possible"),
        pytest.param([log("db2diag", "2010-11-12T12:00"), log("x", "2009-12-11T01:00")], ("mdy", "logs"), id="month"),
        pytest.param([log("messages", "11-12T09:00", "12-11T09:00")], ("mdy", "assumed"), id="a log of both days"),
        pytest.param([log("messages", "11-02T09:00", "11-22T09:00")], ("dmy", "logs"), id="between first and last"),
        pytest.param([log("a", "11-12T09:00"), log("b", "12-11T09:00")], ("mdy", "assumed"), id="a contradiction"),
        pytest.param([log("a", "11-12T09:00", run="run02")], ("mdy", "assumed"), id="a log of another run"),
        pytest.param(
            [log("a", "11-12T09:00"), log("b", "12-11T09:00", node="other")], ("dmy", "logs"), id="the node's first"
        ),
        pytest.param([reports("12/25/09", path="b")], ("mdy", "reports"), id="reports of the node"),
        pytest.param([reports("25/12/09", path="b", node="other")], ("dmy", "reports"), id="reports of the run"),
        pytest.param([reports("12/25/09", path="b", run="run02")], ("mdy", "reports"), id="of the node in another run"),
        pytest.param(
            [reports("12/25/09", path="b", run="run02", node="other")], ("mdy", "assumed"), id="of somebody else"
        ),
        pytest.param([reports("12/11/09", path="b")], ("mdy", "assumed"), id="as open as the file"),
    ],
)
def test_order_of_an_open_date(others: list[StampFacts], order: tuple[str, str]) -> None:
    assert resolved(reports("12/11/09"), *others) == order


def test_year_first_is_taken_where_other_logs_say_so() -> None:
    assert resolved(reports("09/11/12"), log("engine", "2009-11-12T09:00")) == ("ymd", "logs")
    assert resolved(reports("25/11/09"), log("engine", "2009-11-25T09:00")) == ("dmy", "logs")
    assert resolved(reports("25/11/09"), log("engine", "2025-11-09T09:00")) == ("ymd", "logs")


def test_other_logs_are_heard_before_the_habit_of_am_and_pm_but_not_against_the_file() -> None:
    november = log("engine", "2009-11-12T09:00")
    assert resolved(reports("12/11/09", is_half_day=True)) == ("mdy", "half_day")
    assert resolved(reports("12/11/09", is_half_day=True), november) == ("dmy", "logs")
    assert resolved(reports("12/11/2009", "12/13/2009"), november) == ("mdy", "day")


def test_stamps_are_those_of_the_resolved_order() -> None:
    file = reports("12/11/09")
    own, november = (in_resolved_order([file, *logs])[0] for logs in ([], [log("engine", "2009-11-12T09:00")]))
    assert [day.first.date() for day in own.dated_days()] == [date(2009, 12, 11)]
    assert [day.first.date() for day in november.dated_days()] == [date(2009, 11, 12)]
    assert november.date_order == DateOrder("dmy", "logs", witnesses=("engine",))


# --- in a study ------------------------------------------------------------------------------------------------------

IOSTAT = """Linux 2.6.18 (ha1) \t12/11/09

{date} 10:00:{second:02d}
Device:            tps   kB_read/s   kB_wrtn/s    kB_read    kB_wrtn
sda               1.00        2.00        3.00         20         30

{date} 10:00:{later:02d}
Device:            tps   kB_read/s   kB_wrtn/s    kB_read    kB_wrtn
sda               1.00        2.00        3.00         20         30
"""
ENGINE = "2009/11/12 09:58:04 VCS INFO V-16-1-10077 received new cluster membership\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    root = tmp_path / "study"
    for run in ("run01", "run02"):
        folder = root / "default" / run / "ha1"
        folder.mkdir(parents=True)
        (folder / "iostat.txt").write_text(IOSTAT.format(date="12/11/09", second=5, later=15))
    return root


def read(db: Path, query: str) -> list[tuple[Any, ...]]:
    with store.opened(db) as con:
        return con.execute(query).fetchall()


def every_row(db: Path) -> dict[str, list[str]]:
    with store.opened(db) as con:
        names = con.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
        return {name: sorted(map(str, con.execute(f"select * from {name}").fetchall())) for (name,) in names}


TIMES = """
    select f.run, f.date_order, f.date_order_source, m."at", m.time_quality, m.interval_s
    from log.iostat_mark as m inner join main.source_file as f on m.file_id = f.file_id
    where m.kind = 'time' order by all
"""


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_log_that_is_added_or_removed_resolves_or_opens_the_order(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.store.relations.fill", lambda _, **__: None)
    engine = study / "default/run01/ha1/engine_A.log"

    def times() -> list[tuple[Any, ...]]:
        ingest(study, tmp_path / "a.duckdb", now=NOW)
        ingest(study, tmp_path / "clean.duckdb", replace=True, now=NOW)
        assert every_row(tmp_path / "a.duckdb") == every_row(tmp_path / "clean.duckdb")
        (tmp_path / "clean.duckdb").unlink()
        return read(tmp_path / "a.duckdb", TIMES)

    def of(run: str, order: str, source: str, day: str) -> Iterator[tuple[Any, ...]]:
        doubt = "ambiguous_date" if source == "assumed" else None
        yield run, order, source, at(f"{day} 10:00:05"), doubt, None
        yield run, order, source, at(f"{day} 10:00:15"), doubt, 10.0

    open_order = [*of("run01", "mdy", "assumed", "2009-12-11"), *of("run02", "mdy", "assumed", "2009-12-11")]
    assert times() == open_order
    doubts = "select kind, line_no, lines, text from log.clock_doubt"
    text = (
        "with dates such as 12/11/09: nothing shows which number is the day, "
        "so they were read month first (set date_order)"
    )
    assert read(tmp_path / "a.duckdb", doubts) == [("date_order", 3, 2, text)] * 2
    engine.write_text(ENGINE)
    settled_order = [*of("run01", "dmy", "logs", "2009-11-12"), *of("run02", "dmy", "reports", "2009-11-12")]
    assert times() == settled_order
    assert read(tmp_path / "a.duckdb", doubts) == []
    engine.unlink()
    assert times() == open_order


def test_explain_shows_the_order_and_the_evidence(study: Path) -> None:
    (study / "default/run01/ha1/engine_A.log").write_text(ENGINE)
    (study / "study.toml").write_text('[[files]]\nmatch = "**/run02/**/iostat*"\ndate_order = "ymd"\n')
    text = "\n".join(
        "".join(span.text for span in line) for line in lines(explain([study]), width=160, is_verbose=True)
    )
    assert "day first   other logs of the run have lines on these days" in text
    assert "dates read day first, as default/run01/ha1/engine_A.log have lines on these days" in text
    assert "year first   declared in study.toml" in text


def test_interval_and_start_of_study_toml_date_reports_without_a_time(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.store.relations.fill", lambda _, **__: None)
    (study / "default/run02/ha1").rename(study / "default/run02/ha2")  # two nodes, as one has one zone
    for file in study.rglob("iostat.txt"):
        text = file.read_text().replace("ha1", file.parent.name)
        file.write_text("\n".join(line for line in text.splitlines() if "10:00:" not in line))
    (study / "study.toml").write_text(
        '[study]\ntimezone = "Europe/Berlin"\n'
        '[[files]]\nmatch = "**/run01/**"\ninterval_s = 30\nstart = 2009-11-12T10:00:05\n'
        '[[files]]\nmatch = "**/run02/**"\ninterval_s = 30\nstart = 2009-11-12T10:00:05+03:00\n'
    )
    ingest(study, tmp_path / "a.duckdb", now=NOW)
    query = """
        select f.run, m."at", m.interval_s, m.interval_source, m.time_source
        from log.iostat_mark as m inner join main.source_file as f on m.file_id = f.file_id order by all
    """
    assert read(tmp_path / "a.duckdb", query) == [
        ("run01", at("2009-11-12 09:00:05"), None, None, "stated"),
        ("run01", at("2009-11-12 09:00:35"), 30.0, "stated", "stated"),
        ("run02", at("2009-11-12 07:00:05"), None, None, "stated"),
        ("run02", at("2009-11-12 07:00:35"), 30.0, "stated", "stated"),
    ]
