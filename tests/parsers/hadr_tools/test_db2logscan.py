from parsers.hadr_tools.db2logscan import FORMAT
from tests.support.configuration_lines import confidence
from tests.support.logscan_lines import HEAD, INTERVAL, SYNC


def test_a_scan_is_recognised_by_its_intervals() -> None:
    assert confidence(FORMAT, *HEAD, INTERVAL) > 0.9
    assert confidence(FORMAT, *HEAD) == 0
    assert confidence(FORMAT) == 0


def test_predictions_make_it_a_calculation() -> None:
    assert confidence(FORMAT, INTERVAL, SYNC) == 0
