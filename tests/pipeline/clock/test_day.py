"""Days of logs that print times of day alone; expected values worked out by hand."""

import pytest

from tests.support.dated_logs import NO_MANIFEST, Log, dated, moment, resolve, toml

OTHERS = Log("messages", "2024-05-06T10:00:00", "2024-05-06T10:30:00")
START = '[[files]]\nmatch = "app.log"\nstart = 2024-05-06T10:11:12'
MORNING, LATER = "T10:11:12", "T10:11:14"


@pytest.mark.parametrize(
    ("logs", "manifest", "source"),
    [
        pytest.param([Log("app.log", MORNING, LATER)], START, "explicit", id="declared"),
        pytest.param([Log("app-2024-05-06.log", MORNING, LATER)], "", "filename", id="the file's name"),
        pytest.param([Log("app.log.2024-05-06", MORNING, LATER)], "", "filename", id="the name of a file for each day"),
        pytest.param([Log("2024-05-06_10-00/app.log", MORNING, LATER)], "", "filename", id="a folder's name"),
        pytest.param([Log("app.log", MORNING, LATER), OTHERS], "", "sibling", id="the only day of the run"),
        pytest.param(
            [Log("2024-06-01/app.log", MORNING, LATER), OTHERS], "", "sibling", id="the run's other logs, not a folder"
        ),
    ],
)
def test_what_shows_the_day(logs: list[Log], manifest: str, source: str) -> None:
    declared = toml(manifest) if manifest else NO_MANIFEST
    assert resolve(*logs, manifest=declared)[logs[0].path].year_source == source
    assert dated(*logs, manifest=declared) == ["2024-05-06T10:11:12", "2024-05-06T10:11:14"]


@pytest.mark.parametrize(
    "logs",
    [
        pytest.param([Log("app.log", MORNING).modified(moment("2024-05-06T12:00"))], id="the file's own time"),
        pytest.param([Log("app.log-20240506", MORNING)], id="the day of a rotation"),
        pytest.param([Log("app-2024-05-06.log", "T00:00:01")], id="a count from a start"),
        pytest.param([Log("app.log", MORNING), Log("messages", "2024-05-06T14:00:00")], id="other hours"),
        pytest.param(
            [Log("app.log", MORNING), Log("a", "2024-05-06T10:00:00", "2024-05-07T10:30:00")], id="several days"
        ),
        pytest.param([Log("app.log", MORNING), Log("messages", "2024-05-06T10:11:00", run="run02")], id="another run"),
        pytest.param([Log("app.log", MORNING), Log("iostat", "2024-05-06T10:11:00", log_format="iostat")], id="no log"),
    ],
)
def test_day_is_never_guessed(logs: list[Log]) -> None:
    assert resolve(*logs)[logs[0].path].year_source is None
    assert set(dated(*logs)) == {None}


def test_nights_are_counted_and_a_zone_holds() -> None:
    log = Log("app.log", "T23:59:59", ("2024-05-06T00:00:00", None))
    assert dated(Log("app-2024-05-06.log", "T23:59:59"), manifest=toml('[study]\ntimezone = "Europe/Berlin"')) == [
        "2024-05-06T21:59:59"
    ]
    assert dated(log, manifest=toml(START)) == ["2024-05-06T23:59:59", "2024-05-06T00:00:00"]
