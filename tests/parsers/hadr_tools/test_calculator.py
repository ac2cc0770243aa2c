from parsers.hadr_tools.calculator import FORMAT
from parsers.hadr_tools.db2logscan import parse
from tests.support.configuration_lines import confidence
from tests.support.logscan_lines import CALCULATOR, CATCHUP, INTERVAL, SYNC


def test_a_calculation_is_recognised_by_its_name_or_a_prediction() -> None:
    for texts in ((INTERVAL, SYNC), (CATCHUP,), tuple(CALCULATOR)):
        assert confidence(FORMAT, *texts) > 0.9
    assert confidence(FORMAT, INTERVAL) == 0
    assert confidence(FORMAT) == 0


def test_it_reads_what_it_echoes() -> None:
    assert FORMAT.parse is parse
