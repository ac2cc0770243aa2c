"""A unit of reading: what a parser hands over is held to the contract and added up, for each file by itself."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import polars as pl
import pytest

from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Parsed, Verdict, formats, tables
from parsers.star import flat
from pipeline.errors import HaledgerError
from pipeline.reading import unit
from pipeline.reading.number_range import LARGEST, SMALLEST, without_unbounded
from pipeline.reading.unit import Work, run, shown_by

SYSLOG = formats()["syslog"]
LINES = [
    (1, 1, "Jul 28 10:27:04 n1 su: 'su root' failed for ops"),
    (1, 2, "nobody's line"),
    (2, 1, "Jul 28 10:27:05 n2 su: 'su root' failed for ops"),
    (2, 2, "Jul 28 10:27:06 n1 su: 'su root' failed for ops"),
    (2, 3, ""),
]


def lines() -> pl.DataFrame:
    return pl.DataFrame(LINES, LINE_SCHEMA, orient="row")


def test_verdicts_and_rejected_lines_are_counted_per_file() -> None:
    result = run(Work("syslog", lines()))
    assert result.shown.verdicts == [(1, 1, 1), (1, 5, 1), (2, 1, 2), (2, 4, 1)]
    assert result.rejected.select("file_id", "text").rows() == [(1, "nobody's line")]


def test_a_command_behind_a_prompt_is_set_aside_and_nothing_else_is() -> None:
    prompts = [
        "$ pgbench -T 30",
        "[root@elm-1 ~]# pgbench -c 4 db",
        "elm@elm-1:~/out$ ./pgbench",
        "db2inst1@elm-1:~> x",
        "$",
    ]
    others = ["# pgbench", "tps is what?", "US$5 a run", "progress: $", "mail@example.org wrote", "> quoted"]
    texts = [(1, number, text) for number, text in enumerate([*prompts, *others], 1)]
    result = run(Work("pgbench", pl.DataFrame(texts, LINE_SCHEMA, orient="row")))
    assert result.rejected["text"].to_list() == others


def test_rejected_lines_are_kept_up_to_a_number_of_each_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit, "MAX_REJECTED", 2)
    texts = [(file_id, number, "nobody's line") for file_id in (1, 2) for number in range(1, 6)]
    result = run(Work("syslog", pl.DataFrame(texts, LINE_SCHEMA, orient="row")))
    assert result.rejected.select("file_id", "line_no").rows() == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert result.shown.verdicts == [(1, 5, 5), (2, 5, 5)]


def test_rows_hosts_and_stamps_are_counted_per_file() -> None:
    shown = run(Work("syslog", lines())).shown
    assert shown.rows == [(1, "syslog_event", 1), (2, "syslog_event", 2)]
    assert shown.hosts == [(1, "own", "n1", 1), (2, "own", "n2", 1), (2, "own", "n1", 1)]
    assert shown.stamps is not None
    assert shown.stamps["file_id"].to_list() == [1, 2]


def test_more_hosts_than_a_cluster_has_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit, "MAX_HOSTS", 3)
    texts = [(1, number, f"Jul 28 10:27:04 n{9 - number} su: x") for number in range(1, 6)]
    shown = run(Work("syslog", pl.DataFrame(texts, LINE_SCHEMA, orient="row"))).shown
    assert [host for _, kind, host, _ in shown.hosts if kind == "own"] == ["n8", "n7", "n6"]


def test_no_rows_show_nothing() -> None:
    shown = shown_by(SYSLOG, {})
    assert (shown.rows, shown.hosts, shown.stamps) == ([], [], None)


def test_another_process_gives_the_same() -> None:
    work = Work("syslog", lines())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = pool.submit(run, work).result()
    here = run(work)
    assert there.tables.keys() == here.tables.keys()
    assert all(flat(rows).equals(flat(there.tables[name])) for name, rows in here.tables.items())
    assert there.rejected.equals(here.rejected)
    assert there.shown.verdicts == here.shown.verdicts


def verdict_lost(parsed: Parsed) -> Parsed:
    return replace(parsed, lines=parsed.lines[1:])


def table_unknown(parsed: Parsed) -> Parsed:
    return replace(parsed, rows={"elsewhere": parsed.tables["syslog_event"]})


def column_lost(parsed: Parsed) -> Parsed:
    return replace(parsed, rows={"syslog_event": parsed.tables["syslog_event"].drop("text")})


@pytest.mark.parametrize("spoilt", [verdict_lost, table_unknown, column_lost])
def test_a_parser_that_breaks_the_contract_is_caught(spoilt: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(spoilt)
    monkeypatch.setitem(formats(), "syslog", replace(SYSLOG, parse=lambda rows: spoilt(SYSLOG.parse(rows))))
    with pytest.raises(HaledgerError, match="syslog"):
        run(Work("syslog", lines()))


VALUES = tables()["measurement_value"]


def parsed(*values: float | None) -> Parsed:
    """A line per value."""
    count = len(values)
    given = {
        "file_id": [1] * count,
        "line_no": list(range(1, count + 1)),
        "part": [1] * count,
        "value": list(values),
    }
    rows = pl.DataFrame({name: given.get(name, [None] * count) for name in VALUES.schema}, schema=VALUES.schema)
    verdicts = given | {"verdict": [int(Verdict.PARSED)] * count, "reason": [None] * count}
    lines = pl.DataFrame({name: verdicts[name] for name in VERDICT_SCHEMA}, schema=VERDICT_SCHEMA)
    return Parsed({VALUES.name: rows}, lines)


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, -LARGEST, LARGEST, SMALLEST, -SMALLEST, None])
def test_what_is_in_the_range_stays(value: float | None) -> None:
    before = parsed(value)
    after, out_of_range = without_unbounded(before)
    assert (after is before, out_of_range) == (True, [])


@pytest.mark.parametrize("value", [1e308, -1e31, 5e-324, 9e-31, float("inf"), float("-inf"), float("nan")])
def test_a_line_with_a_number_out_of_range_is_rejected_with_the_number(value: float) -> None:
    after, out_of_range = without_unbounded(parsed(1.0, value, 2.0))
    assert out_of_range == [(1, 1)]
    assert after.tables[VALUES.name]["value"].to_list() == [1.0, 2.0]
    assert after.lines.schema == pl.Schema(VERDICT_SCHEMA)
    assert after.lines["verdict"].to_list() == [Verdict.PARSED, Verdict.REJECTED, Verdict.PARSED]
    reason = after.lines["reason"][1]
    assert reason.startswith("number out of range: value is ")
    assert reason.removeprefix("number out of range: value is ").lower()[:1] in repr(value).lower() + "in"


def test_all_rows_of_such_a_line_go() -> None:
    """Of every table, a star among them."""
    event = tables()["vcs_event"]
    row = dict.fromkeys(event.schema) | {"file_id": 1, "line_no": 2, "part": 1}
    flat = pl.DataFrame([row, row | {"line_no": 1}], schema=event.schema)
    before = parsed(1.0, float("inf"))
    after, out_of_range = without_unbounded(Parsed({**before.rows, event.name: event.split(flat)}, before.lines))
    assert out_of_range == [(1, 1)]
    assert after.tables[event.name]["line_no"].to_list() == [1]
