import pytest

from parsers.benchmark.measurement_columns import Layout, ValueColumn, layout_of


def test_run_table_of_the_manual() -> None:
    layout = layout_of(("config", "run", "clients", "duration_s", "tps"))
    assert layout == Layout(
        {"configuration": 0, "run": 1, "clients": 2, "duration": 3}, (ValueColumn(4, "tps", "1/s"),)
    )
    assert not layout.is_series


@pytest.mark.parametrize(
    ("names", "metrics", "is_series"),
    [
        (("timestamp", "tpm", "p95_ms"), [("tpm", "1/min"), ("latency_p95_ms", "ms")], True),
        (("sec", "throughput"), [("throughput", None)], True),
        # seconds beside another value are its time, and else what was measured
        (("elapsed_s", "tps"), [("tps", "1/s")], True),
        (("config", "run", "elapsed_s"), [("elapsed_s", "s")], False),
        (("queues", "events_per_hour"), [("events_per_hour", "1/h")], False),
        (("run", "tps_1/s"), [("tps", "1/s")], False),
        # other columns are left alone
        (("host", "run", "tps", "remark"), [("tps", "1/s")], False),
    ],
)
def test_values(names: tuple[str, ...], metrics: list[tuple[str, str | None]], is_series: bool) -> None:  # noqa: FBT001 - a table of cases
    layout = layout_of(names)
    assert layout is not None
    assert [(each.metric, each.unit) for each in layout.values] == metrics
    assert layout.is_series == is_series


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        (("run", "nfs", "fcp"), [("value", "nfs"), ("value", "fcp")]),
        (("time", "tps_nfs", "tps_fcp"), [("tps", "nfs"), ("tps", "fcp")]),
        (("run", "nfs_tps", "fcp_tps"), [("tps", "nfs"), ("tps", "fcp")]),
    ],
)
def test_wide_tables_have_a_column_a_configuration(names: tuple[str, ...], columns: list[tuple[str, str]]) -> None:
    layout = layout_of(names)
    assert layout is not None
    assert layout.is_wide
    assert [(each.metric, each.configuration) for each in layout.values] == columns


@pytest.mark.parametrize(
    "names",
    [
        ("a", "b"),
        ("tps",),
        ("host", "tps"),
        ("run", "name"),
        ("time", "user", "system"),
        ("timestamp", "host", "cpu", "util"),
        ("sql_type", "count"),
        ("hostname", "interval", "timestamp", "cpu", "%user", "%system"),
        ("run", "tps", "tx/s"),
        ("run", *(f"c{n}" for n in range(40))),
    ],
)
def test_other_tables_are_none(names: tuple[str, ...]) -> None:
    assert layout_of(names) is None


def test_events_make_a_rate_only_with_a_length() -> None:
    with_length, with_duration, without = (
        layout_of(("queues", "events", *more)) for more in (("start", "end"), ("duration_s",), ())
    )
    assert with_length is not None
    assert with_length.events == ValueColumn(1, "events", "count")
    assert with_duration is not None
    assert with_duration.events is not None
    assert without is not None
    assert without.events is None
