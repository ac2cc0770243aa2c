"""repmgr.conf: settings, quotes taken off."""

from parsers.configuration.repmgr_conf import FORMAT
from parsers.format import Recognition
from tests.support.message_lines import numbered

# RECONSTRUCTED
LINES = ["node_id=1", "node_name = 'a'", "conninfo='host=a password=open-sesame'", "failover=automatic  # by repmgrd"]


def test_values_have_no_quotes_and_no_secrets() -> None:
    lines = numbered(LINES)
    assert isinstance(FORMAT.recognise(lines["text"]), Recognition)
    assert FORMAT.parse(lines).tables["parameter_value"].select("name", "value").rows() == [
        ("node_id", "1"),
        ("node_name", "a"),
        ("conninfo", "host=a password=********"),
        ("failover", "automatic"),
    ]
