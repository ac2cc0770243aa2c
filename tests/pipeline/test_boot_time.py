from datetime import datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.boot_time import TWO_CLOCKS_SCHEMA, UPTIME_SCHEMA, boots, dated

at = datetime.fromisoformat
BOOT = at("2019-03-22T02:34:20")


def both(*rows: tuple[str, datetime, float, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, TWO_CLOCKS_SCHEMA, orient="row")


def bare(*rows: tuple[float, str], node: str = "n1", file_id: int = 1) -> pl.DataFrame:
    lines = [(file_id, line_no, node, uptime_s, text) for line_no, (uptime_s, text) in enumerate(rows, 1)]
    return pl.DataFrame(lines, UPTIME_SCHEMA, orient="row")


def after(uptime_s: float, boot: datetime = BOOT, lag_s: float = 0) -> datetime:
    """The wall clock of a line, whole seconds, read with a lag."""
    return (boot + timedelta(seconds=uptime_s + lag_s)).replace(microsecond=0)


def test_least_difference_is_the_boot() -> None:
    """At a boot all lines share the second at which syslogd came up: only the last of them says when the boot was."""
    up = at("2019-03-22T02:34:24")
    shared = both(("n1", up, 0.146, "a"), ("n1", up, 4.0, "b"), ("n1", after(60.0), 60.0, "c"))
    assert boots(shared).rows() == [("n1", 1, BOOT, 60.0, 3)]


def test_uptime_that_goes_back_is_another_boot() -> None:
    second = at("2019-03-25T10:00:00")
    lines = both(
        ("n1", after(500), 500, "a"),
        ("n1", after(499), 499, "out of order"),
        ("n1", after(900), 900, "b"),
        ("n1", after(3, second), 3, "c"),
        ("n2", after(500, second), 500, "another node"),
    )
    assert boots(lines).select("node", "boot_no", "booted_at").rows() == [
        ("n1", 1, BOOT),
        ("n1", 2, second),
        ("n2", 1, second),
    ]


def test_ring_buffer_that_was_read_again_is_no_boot() -> None:
    again = after(10_000)
    lines = both(
        ("n1", after(9_000), 9_000, "x"),
        *(("n1", again, uptime_s, "old") for uptime_s in (1.0, 5_000.0, 10_000.0)),
        ("n1", after(10_010), 10_010, "y"),
    )
    assert boots(lines).select("boot_no", "booted_at").rows() == [(1, BOOT)]


def test_line_in_both_files_dates_the_others_of_its_boot() -> None:
    lines = bare((100.25, "before"), (500.5, "block drbd0: x"), (501.0, "after"))
    found = dated(lines, both(("n1", after(500.5), 500.5, "block drbd0: x"), ("n1", after(700), 700, "c")))
    boot = BOOT  # 500.5 s is cut to 500 s, so the other line lags less
    assert found.columns == ["file_id", "line_no", "at"]
    assert found["at"].to_list() == [
        pytest.approx(boot + timedelta(seconds=uptime_s), abs=timedelta(seconds=1)) for uptime_s in (100.25, 500.5, 501)
    ]
    assert (found["at"][2] - found["at"][0]).total_seconds() == 400.75


@pytest.mark.parametrize(
    "anchors",
    [
        pytest.param(both(), id="no line with both clocks"),
        pytest.param(both(("n1", after(500), 500, "another text")), id="no line in common"),
        pytest.param(both(("n2", after(500), 500, "x")), id="of another node"),
        pytest.param(
            both(("n1", after(500), 500, "x"), ("n1", after(500, BOOT + timedelta(days=3)), 500, "x")),
            id="in two boots",
        ),
    ],
)
def test_boot_that_is_not_sure_dates_nothing(anchors: pl.DataFrame) -> None:
    assert dated(bare((500, "x")), anchors)["at"].to_list() == [None]


def test_user_may_say_when_a_machine_booted() -> None:
    stated = pl.DataFrame({"node": ["n1"], "booted_at": [BOOT]}, schema_overrides={"booted_at": pl.Datetime("us")})
    assert dated(bare((500, "x")), both(), stated)["at"].to_list() == [after(500)]
    assert dated(bare((500, "x"), node="n2"), both(), stated)["at"].to_list() == [None]


def test_file_of_two_boots_is_dated_boot_by_boot() -> None:
    second = BOOT + timedelta(days=3)
    anchors = both(("n1", after(500), 500, "x"), ("n1", after(20, second), 20, "y"))
    found = dated(bare((500, "x"), (600, "z"), (20, "y"), (30, "z")), anchors)
    assert found["at"].to_list() == [after(500), after(600), after(20, second), after(30, second)]


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(0, 5_000), min_size=1, max_size=20, unique=True),
    st.lists(st.integers(0, 3), min_size=20, max_size=20),
)
def test_boot_is_found_within_a_second_and_the_least_lag(uptimes: list[int], lags: list[int]) -> None:
    lines = both(
        *(("n1", after(each, lag_s=lag), float(each), "x") for each, lag in zip(sorted(uptimes), lags, strict=False))
    )
    (booted_at,) = boots(lines)["booted_at"]
    assert booted_at == BOOT + timedelta(seconds=min(lags[: len(uptimes)]))
