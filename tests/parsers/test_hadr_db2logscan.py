from parsers.hadr_db2logscan import FORMAT
from tests.parsers.configuration_lines import confidence
from tests.parsers.logscan_lines import HEAD, INTERVAL, SYNC


def test_a_scan_is_told_by_its_intervals() -> None:
    assert confidence(FORMAT, *HEAD, INTERVAL) > 0.9
    assert confidence(FORMAT, *HEAD) == 0
    assert confidence(FORMAT) == 0


def test_predictions_make_it_a_calculation() -> None:
    assert confidence(FORMAT, INTERVAL, SYNC) == 0
