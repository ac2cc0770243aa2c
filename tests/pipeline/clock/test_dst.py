"""The hour that occurs twice: America/Toronto showed 01:00 to 02:00 twice on 2003-10-26, first until 06:00 UTC."""

import pytest

from tests.support.dated_logs import TORONTO, Log, dated, resolve, toml

MANIFEST = toml(TORONTO)


def day(*times: str) -> tuple[str, ...]:
    return tuple(f"2003-10-26T{time}" for time in times)


STEPPED = Log("engine_A.log", *day("01:59:55", "01:59:58", "01:00:00", "01:00:42"))
"""A sibling whose clock was set back at 06:00:00 UTC."""


@pytest.mark.parametrize(
    ("times", "siblings", "first_hour"),
    [
        pytest.param(day("01:00:24", "01:00:30"), [STEPPED], "06", id="begins after the step of a sibling"),
        pytest.param(day("01:58:00", "01:59:59"), [STEPPED], "05", id="ends before the step of a sibling"),
        pytest.param(day("01:50:10"), [Log("e", *day("00:30:00", "01:00:00")), STEPPED], "05", id="both are there"),
        pytest.param(day("01:55:00"), [Log("e", *day("02:00:01"))], "06", id="a sibling goes on after the hour"),
        pytest.param(day("01:05:00"), [Log("e", *day("00:59:59"))], "05", id="a sibling goes on until the hour"),
        pytest.param(
            day("01:30:00"),
            [Log("other/db2diag.log", ("2003-10-26T01:29:00", -300), node="other")],
            "06",
            id="an offset on the lines of another node of the run",
        ),
        pytest.param(day("01:30:00"), [STEPPED], "05", id="half an hour from all: undecided"),
        pytest.param(day("01:00:24"), [], "05", id="nobody to ask: undecided"),
        pytest.param(
            day("01:00:24"),
            [Log("engine_A.log", *day("01:59:58", "01:00:00"), run="run02")],
            "05",
            id="another run shows nothing",
        ),
    ],
)
def test_lines_without_a_step_of_their_own_lie_where_the_run_lies(
    times: tuple[str, ...], siblings: list[Log], first_hour: str
) -> None:
    placed = dated(Log("db2diag.log", *times), *siblings, manifest=MANIFEST)
    assert placed[0] == f"2003-10-26T{first_hour}{times[0][13:]}"


def test_the_node_is_asked_before_the_run() -> None:
    log = Log("db2diag.log", *day("01:00:24"))
    other = Log("late.log", *day("00:55:00", "00:59:59"), node="sun-ha3")
    assert dated(log, STEPPED, other, manifest=MANIFEST) == ["2003-10-26T06:00:24"]


def test_what_other_logs_gave_is_remarked_and_no_doubt() -> None:
    clock = resolve(Log("db2diag.log", *day("01:00:24")), STEPPED, manifest=MANIFEST)["db2diag.log"]
    assert clock.doubts == ()
    assert clock.remark is not None
    assert "of the second time" in clock.remark


def test_what_nothing_shows_is_a_doubt() -> None:
    clock = resolve(Log("db2diag.log", *day("01:00:24")), manifest=MANIFEST)["db2diag.log"]
    (doubt,) = clock.doubts
    assert doubt.kind == "twice"
    assert doubt.between is not None
    assert [each.hour for each in doubt.between] == [1, 2]


def test_lines_beside_the_hour_are_no_doubt() -> None:
    assert resolve(Log("m", *day("00:10:00", "00:59:59")), manifest=MANIFEST)["m"].doubts == ()
    assert resolve(Log("m", *day("02:00:00", "02:00:01")), manifest=MANIFEST)["m"].doubts == ()


def test_lines_that_state_their_offset_are_no_doubt() -> None:
    log = Log("m", ("2003-10-26T01:30:00", -240))
    assert resolve(log, manifest=MANIFEST)["m"].doubts == ()
    assert dated(log, manifest=MANIFEST) == ["2003-10-26T05:30:00"]


def test_offsets_on_the_lines_of_a_sibling_tell_the_hour() -> None:
    diag = Log("db2diag.log", ("2003-10-26T01:59:50", -240), ("2003-10-26T01:00:24", -300))
    log = Log("engine_A.log", *day("01:00:05", "01:00:30"))
    assert dated(log, diag, manifest=MANIFEST) == ["2003-10-26T06:00:05", "2003-10-26T06:00:30"]
    assert dated(diag, log, manifest=MANIFEST) == ["2003-10-26T05:59:50", "2003-10-26T06:00:24"]
    assert resolve(diag, log, manifest=MANIFEST)["db2diag.log"].doubts == ()


def test_a_log_without_years_is_reported_as_well() -> None:
    log = Log("messages", "10-26T01:00:24")
    assert dated(log, STEPPED, manifest=MANIFEST) == ["2003-10-26T06:00:24"]


def test_settling_does_not_depend_on_the_order_of_siblings() -> None:
    log, late = Log("db2diag.log", *day("01:00:24")), Log("x", *day("02:10:00"))
    assert resolve(log, STEPPED, late, manifest=MANIFEST) == resolve(late, STEPPED, log, manifest=MANIFEST)
