"""What clients saw of a failover: outages, failed questions, the load at the fault; fault times against the truth."""

from typing import Any

import duckdb
import pytest

from tests.support.hand_made import Ledger, add_default_run, rows

FAULT = '[[run]]\nconfiguration = "default"\nrun = 1\nfault_at = 2003-07-28T10:27:04Z\n'


def probed(*questions: tuple[float, bool], elapsed_s: float = 0.25, toml: str = FAULT) -> Ledger:
    """A failover at second 0, its membership change at second 20, and a client's questions: when, if answered."""
    ledger = Ledger(toml)
    add_default_run(ledger, run="run01")
    file_id = ledger.file("default/run01/client/probe.csv", "client_probe", "default", "run01", "client")
    for second, is_answered in questions:
        reason = None if is_answered else "no answer"
        ledger.add("client_question", file_id, second, is_answered=is_answered, elapsed_s=elapsed_s, reason=reason)
    return ledger


OUTAGE = "select outage_low_s, outage_s, outage_high_s, failed, failed_elsewhere from client_outage"


def test_outage_lies_between_what_failed_and_what_was_answered() -> None:
    con = probed((-2, True), (-1, True), (1, False), (2, False), (30, False), (31, True), (32, True)).build()
    # failed from 1 to 30; asked at -1, answered at 31.25
    assert rows(con, OUTAGE) == [(29, (29 + 32.25) / 2, 32.25, 3, 0)]
    found = rows(con, "select interval_s, first_failure_s, first_success_s from client_outage")
    assert found == [(1, 1, 31.25)]


def test_question_that_waited_was_answered_when_the_service_was_back() -> None:
    ledger = probed((-2, True), (-1, True), (1, False), (2, False), (30, False), (31, True), (32, True), (33, True))
    waiting = next(row for row in ledger.rows["client_question"] if row["at"].second == 35)  # 31 s after 10:27:04
    waiting["elapsed_s"] = 6.0
    # others take 0.25 s, a second apart: it began in the middle of -1 and 1, and was over at 37 - 0.25
    assert rows(ledger.build(), OUTAGE) == [(29, 36.75, 38, 3, 0)]


def test_order_of_lines_is_not_the_order_of_asking() -> None:
    in_order = ((-1, True), (1, False), (40, False), (41, True), (42, True))
    assert rows(probed(*in_order).build(), OUTAGE) == rows(probed(*reversed(in_order)).build(), OUTAGE)


def test_longest_stretch_after_the_fault_is_the_outage() -> None:
    before = ((-90, True), (-80, False), (-20, True))
    after = ((-1, True), (1, False), (30, False), (31, True), (32, False), (33, True))
    assert rows(probed(*before, *after).build(), OUTAGE) == [(29, (29 + 32.25) / 2, 32.25, 2, 2)]


@pytest.mark.parametrize(
    ("questions", "outage"),
    [
        pytest.param([(-1, True), (1, True), (40, True)], (0, 0, 39, 0, 0), id="none failed: shorter than the gaps"),
        pytest.param(
            [(-9, True), (-1, True)], (None, None, None, 0, 0), id="none asked after the fault: nothing observed"
        ),
        pytest.param([(3, True), (9, True)], (None, None, None, 0, 0), id="none asked before the fault"),
        pytest.param([(-1, True), (1, False), (9, False)], (8, None, None, 2, 0), id="never served again"),
        pytest.param([(1, False), (9, False), (10, True)], (8, None, None, 2, 0), id="not seen before"),
    ],
)
def test_outage_with_an_end_that_was_not_seen(questions: list[tuple[float, bool]], outage: tuple[Any, ...]) -> None:
    assert rows(probed(*questions).build(), OUTAGE) == [outage]


def test_outage_is_a_measurement_of_its_run() -> None:
    con = probed((-1, True), (1, False), (30, False), (31, True), elapsed_s=0).build()
    query = "select run, value, unit, is_valid, line_no from measurement where metric = 'client_outage_s'"
    ((run, value, unit, is_valid, line_no),) = rows(con, query)
    assert (run, value, unit, is_valid) == ("run01", (29 + 32) / 2, "s", True)
    line = (
        f"""select is_answered, "at" = timestamp '2003-07-28 10:27:35' from client_question where line_no = {line_no}"""
    )
    assert rows(con, line) == [(True, True)]
    open_end = probed((-1, True), (1, False)).build()
    assert rows(open_end, "select is_valid, doubt from measurement") == [(False, "the client was not served again")]


def test_first_answer_after_failed_questions_is_a_milestone() -> None:
    con = probed((-1, True), (1, False), (40, False), (42, True), (43, False), (44, True)).build()
    found = rows(con, "select elapsed_s, resolution_s, node, note from milestone where milestone = 'client_success'")
    assert found == [(42.25, 2, "client", None)]


def test_answers_without_a_failure_are_no_milestone() -> None:
    con = probed((-1, True), (30, True), (40, True)).build()
    assert rows(con, "select count(*) from milestone where milestone = 'client_success'") == [(0,)]


def test_failed_questions_by_reason() -> None:
    ledger = probed((-1, True), (1, False), (2, False), (3, True))
    ledger.rows["client_question"][2]["reason"] = "refused"
    found = rows(ledger.build(), "select reason, failed, first_s, last_s from client_error")
    assert found == [("no answer", 1, 1, 1), ("refused", 1, 2, 2)]


# --- load ------------------------------------------------------------------------------------------------------------


def loaded(*, is_first_valid: bool, is_clocked: bool = True) -> duckdb.DuckDBPyConnection:
    """A load that runs until the fault at second 0 and, restarted, from second 10 on, both in one file."""
    ledger = Ledger(FAULT)
    add_default_run(ledger, run="run01")
    file_id = ledger.file("default/run01/pgbench.txt", "pgbench", "default", "run01", "client")
    for start_no, (begin, end) in ((1, (-10, 0)), (3, (10, 20))):
        for second in range(begin, end):
            ledger.add(
                "measurement_point",
                file_id,
                second if is_clocked else None,
                summary_no=start_no,
                metric="tps",
                unit="1/s",
                value=100.0 + second % 2,
                offset_s=None if is_clocked else float(second - begin),
                interval_s=1.0,
                is_interval_end=False,
                clients=4 if start_no == 3 else None,
            )
        is_valid = is_first_valid or start_no == 3
        value = {"metric": "tps", "unit": "1/s", "value": 100.0 * start_no, "summary_no": start_no, "clients": 4}
        ledger.add("measurement_value", file_id, None, is_valid=is_valid, **value)
    return ledger.build()


def test_start_after_a_lost_one_continues_its_series() -> None:
    con = loaded(is_first_valid=False)
    assert rows(con, "select distinct series_no, clients from measurement_series") == [(1, 4)]
    dip = "select dip_s, outage_s, recovered_s, lost, recovered_pct from measurement_dip"
    assert rows(con, dip) == [(0, 10, 10, 1005, 90)]
    effects = "select metric, value from measurement where metric like 'tps\\_%' escape '\\' order by metric"
    assert rows(con, effects) == [("tps_before_fault", 100.5), ("tps_recovery_s", 10), ("tps_standstill_s", 10)]


def test_starts_that_ended_well_stay_apart() -> None:
    series = "select count(distinct series_no) from measurement_series"
    assert rows(loaded(is_first_valid=True), series) == [(2,)]
    assert rows(loaded(is_first_valid=False, is_clocked=False), series) == [(2,)]


def test_rate_after_a_lost_start_is_not_mixed_with_others() -> None:
    con = loaded(is_first_valid=False)
    values = "select value, is_valid, doubt from measurement where metric = 'tps' order by value"
    assert rows(con, values) == [(100, False, None), (300, False, "an earlier start of it, in the same run, was lost")]
    stats = "select runs, mean from measurement_stats where metric = 'tps'"
    assert rows(con, stats) == []
    assert rows(loaded(is_first_valid=True), stats) == [(1, 200)]


def test_standstill_is_the_dip_and_not_an_unsteady_interval_before_it() -> None:
    ledger = Ledger(FAULT + "[study]\nrecovered_pct = 50\n")
    add_default_run(ledger, run="run01")
    file_id = ledger.file("default/run01/rate.csv", "measurements_csv", "default", "run01", None)
    rates = dict.fromkeys(range(-10, 30), 100.0) | {1: 40.0, 4: 30.0, 5: 0.0, 6: 0.0, 7: 20.0, 8: 60.0}
    for second, value in rates.items():
        point = {"metric": "tps", "unit": "1/s", "value": value, "interval_s": 1.0, "is_interval_end": False}
        ledger.add("measurement_point", file_id, second, summary_no=1, **point)
    found = rows(ledger.build(), "select dip_s, outage_s, recovered_s, recovered_pct from measurement_dip")
    assert found == [(4, 2, 8, 50)]


# --- truth -----------------------------------------------------------------------------------------------------------


def test_truth_is_compared_and_never_used() -> None:
    plain, reported = Ledger(), Ledger(FAULT.replace("fault_at", "true_fault_at").replace("04Z", "04.5Z"))
    for ledger in (plain, reported):
        add_default_run(ledger, run="run01")
    fault = "select fault_at, fault_at_low, fault_at_high, fault_source from run"
    without, con = plain.build(), reported.build()
    assert rows(con, fault) == rows(without, fault)
    assert rows(without, "from fault_time_error") == rows(without, "from fault_time_accuracy") == []
    ((middle, low, high, source),) = rows(con, fault)
    true_at = rows(con, "select true_fault_at from run")[0][0]
    query = "select source, error_s, low_error_s, high_error_s, is_inside from fault_time_error"
    errors = [(each - true_at).total_seconds() for each in (middle, low, high)]
    assert rows(con, query) == [(source, *map(pytest.approx, errors), low <= true_at <= high)]
    accuracy = "select configuration, runs, inside, mean_s, stddev_s, mean_absolute_s from fault_time_accuracy"
    of_all = (1, int(low <= true_at <= high), pytest.approx(errors[0]), None, pytest.approx(abs(errors[0])))
    assert rows(con, accuracy) == [("default", *of_all), (None, *of_all)]


def test_truth_about_no_run_of_the_study_is_reported() -> None:
    ledger = Ledger("[[run]]\ntrue_fault_at = 2003-07-28T10:27:04Z\n")
    add_default_run(ledger, run="run01")
    reported = rows(ledger.build(), "select text from finding where kind = 'unknown_name'")
    name = "run (not given) of a configuration that `[[run]]` does not name"
    assert reported == [(f"study.toml mentions {name}, but the study holds none of that name.",)]


def test_recorded_fault_time_is_not_treated_as_an_inferred_one() -> None:
    ledger = Ledger(FAULT + "true_fault_at = 2003-07-28T10:27:04Z\n")
    add_default_run(ledger, run="run01")
    con = ledger.build()
    assert rows(con, "select fault_source from run") == [("manifest",)]
    assert rows(con, "select source = 'manifest', error_s = 0 from fault_time_error") == [(False, False)]


UNSEEN = "select run, text from finding where kind = 'unseen_outage'"


def without_logs(*questions: tuple[float, bool]) -> duckdb.DuckDBPyConnection:
    """A run of which there is a client's probe alone."""
    ledger = Ledger()
    file_id = ledger.file("default/run01/client/probe.csv", "client_probe", "default", "run01", "client")
    for second, is_answered in questions:
        ledger.add("client_question", file_id, second, is_answered=is_answered, elapsed_s=0.25, reason=None)
    return ledger.build()


def test_outage_of_clients_that_no_log_explains_is_a_doubt() -> None:
    ((run, text),) = rows(without_logs((0, True), (1, False), (2, False), (30, False), (31, True)), UNSEEN)
    assert run == "run01"
    assert text.startswith(
        "Clients had no answer for 29.0 s in run01 of `default`, and no log that was read shows a fault"
    )


@pytest.mark.parametrize(
    "questions",
    [
        pytest.param([(0, True), (1, False), (2, True)], id="one question failed"),
        pytest.param([(0, True), (1, False), (1.2, False), (1.4, False), (2, True)], id="less than a second"),
        pytest.param([(0, False), (1, False), (30, False), (31, True)], id="not up yet"),
        pytest.param([(0, True), (40, True)], id="all answered"),
    ],
)
def test_what_is_no_outage(questions: list[tuple[float, bool]]) -> None:
    assert rows(without_logs(*questions), UNSEEN) == []


def test_outage_around_a_fault_is_explained() -> None:
    assert rows(probed((-1, True), (1, False), (2, False), (30, False), (31, True)).build(), UNSEEN) == []


STEPS = [10.0 * place for place in range(-3, 10)]


def test_equal_outages_are_known_to_between_their_answers_and_not_to_their_decimals() -> None:
    ledger = Ledger("".join(FAULT.replace("run = 1", f"run = {run}") for run in (1, 2, 3)))
    for run in ("run01", "run02", "run03"):
        add_default_run(ledger, run=run)
        file_id = ledger.file(f"default/{run}/client/probe.csv", "client_probe", "default", run, "client")
        for second in STEPS:
            answered = not 0 <= second <= 50
            reason = None if answered else "no answer"
            ledger.add("client_question", file_id, second, is_answered=answered, elapsed_s=0.0, reason=reason)
    con = ledger.build()
    assert rows(con, OUTAGE) == [(50, 60, 70, 6, 0)] * 3
    ((mean, low, high),) = rows(con, "select mean, ci95_low, ci95_high from measurement_stats where runs = 3")
    assert mean == 60
    assert low <= 50.1  # asked every 10 s, each may have lasted little more than 50 s
    assert high >= 69.9


@pytest.mark.parametrize(
    ("later", "is_doubted"),
    [
        pytest.param(60.0, True, id="nobody asked for a minute"),
        pytest.param(5.0, False, id="asked on"),
    ],
)
def test_an_outage_that_nobody_watched_to_its_end_is_doubted(later: float, *, is_doubted: bool) -> None:
    con = probed((-2, True), (-1, True), (1, False), (2, False), (3, False), (4, False), (later, True)).build()
    found = rows(con, "select text from finding where kind = 'wide_outage'")
    assert bool(found) is is_doubted
    if is_doubted:
        assert "is only known to lie between 3.0 and 61.2 s, as nobody asked in between" in found[0][0]
