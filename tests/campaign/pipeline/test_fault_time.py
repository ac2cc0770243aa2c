"""The fault time that all evidence leaves: sources intersected, clients and their clocks, unknown timers."""

from datetime import timedelta

import duckdb
import pytest

from tests.support.hand_made import SURVIVOR, T0, Ledger, add_default_run, rows

REFUSAL = "the database system is starting up"
BY_LLT = (-1.0, 1.5)
"""What the lines `inactive N sec` of the run leave of the fault at second 0."""


def probed(client: str, *, ahead_s: float = 0, last_s: float = -0.3, toml: str = "") -> Ledger:
    """A failover, and a client that asks ten times a second; answers take 10 to 50 ms, refusals 10 ms. Back at 40 s."""
    ledger = Ledger(toml)
    add_default_run(ledger, run="run01")
    file_id = ledger.file("default/run01/client/probe.csv", "client_probe", "default", "run01", client)
    for tenth in range(-60, 420):
        asked_s = round(tenth / 10, 1)
        is_answered = asked_s <= last_s or asked_s >= 40
        is_refused = not is_answered and asked_s >= 30
        elapsed_s = 0.05 if asked_s == -5 else 0.01 if is_answered or is_refused else 1.0
        reason = None if is_answered else REFUSAL if is_refused else "no answer"
        ledger.add(
            "client_question",
            file_id,
            round(asked_s + ahead_s, 1),
            is_answered=is_answered,
            elapsed_s=elapsed_s,
            reason=reason,
        )
    return ledger


def with_refusals(ledger: Ledger) -> Ledger:
    """The server's log of the refusals, and those of another client in between."""
    log = ledger.file("default/run01/sun-ha4/postgresql.log", "postgresql", "default", "run01", SURVIVOR)
    for tenth in range(300, 400):
        ledger.add("syslog_event", log, round(tenth / 10 + 0.004, 3), level="FATAL", text=REFUSAL)
        if tenth % 7 == 0:
            ledger.add("syslog_event", log, round(tenth / 10 + 0.061, 3), level="FATAL", text=REFUSAL)
    return ledger


def interval(con: duckdb.DuckDBPyConnection) -> tuple[float, float]:
    """The interval of the only run's fault, seconds after the true one."""
    ((low, high),) = rows(con, "select fault_at_low, fault_at_high from run")
    return ((low - T0) / timedelta(seconds=1), (high - T0) / timedelta(seconds=1))


def test_questions_from_the_surviving_node_narrow_the_interval() -> None:
    con = probed(SURVIVOR).build()
    # asked at -0.3 and answered; asked at -0.2, where the slowest answer took 50 ms, stamps of a millisecond
    assert interval(con) == pytest.approx((-0.3, -0.149))
    query = "select source, sources, low_source, high_source from fault_time"
    ((source, sources, low_source, high_source),) = rows(con, query)
    assert (source, sources) == ("inactive series", ["inactive series", "client questions"])
    assert low_source == high_source == "client questions"
    assert rows(con, "select fault_source, fault_at from run") == [
        ("inactive series", T0 + timedelta(seconds=-0.2245)),
    ]


def test_question_without_an_answer_is_certain_to_have_failed_where_few_were_answered() -> None:
    ledger = probed(SURVIVOR)
    questions = ledger.rows["client_question"]
    ledger.rows["client_question"] = [row for row in questions if row["at"] > T0 - timedelta(seconds=1)]
    assert interval(ledger.build()) == pytest.approx((-0.3, 0.801))


@pytest.mark.parametrize("ahead_s", [0, -2.5, 3600])
def test_refusals_that_both_sides_log_compare_the_clocks(ahead_s: float) -> None:
    con = with_refusals(probed("client", ahead_s=ahead_s)).build()
    ((basis, low_s, high_s),) = rows(con, "select basis, low_s, high_s from host_clock")
    assert basis == "refusals"
    assert low_s <= -ahead_s <= high_s
    assert high_s - low_s < 0.015
    low, high = interval(con)
    assert low <= -0.29
    assert high >= -0.2
    assert high - low < 0.2


def test_clock_offset_of_study_toml_makes_a_client_comparable() -> None:
    con = probed("client", toml='[node."client"]\nclock_offset_s = 0.0\n').build()
    assert rows(con, "select basis from host_clock") == [("study.toml",)]
    assert interval(con) == pytest.approx((-0.4, -0.049))


def test_single_lost_question_is_chance() -> None:
    ledger = probed(SURVIVOR)
    for row in ledger.rows["client_question"]:
        if row["at"] == T0 + timedelta(seconds=18.9):  # the membership changes at 19
            row["is_answered"] = False
        elif row["at"] < T0 + timedelta(seconds=19):
            row["is_answered"] = True
    assert interval(ledger.build()) == BY_LLT
