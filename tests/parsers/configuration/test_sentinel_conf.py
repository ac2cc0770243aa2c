"""sentinel.conf: settings of masters and of Sentinel itself."""

from parsers.configuration.sentinel_conf import FORMAT
from parsers.format import Recognition
from tests.support.message_lines import numbered

# RECONSTRUCTED
LINES = [
    "# a comment",
    "port 26379",
    "sentinel monitor shop 192.0.2.1 6379 2",
    "sentinel down-after-milliseconds shop 5000",
    "sentinel auth-pass shop open-sesame",
    "sentinel current-epoch 3",
]


def test_settings_belong_to_their_master() -> None:
    lines = numbered(LINES)
    assert isinstance(FORMAT.recognise(lines["text"]), Recognition)
    assert FORMAT.parse(lines).tables["parameter_value"].select("subject", "name", "value").rows() == [
        (None, "port", "26379"),
        ("shop", "monitor", "192.0.2.1 6379 2"),
        ("shop", "down-after-milliseconds", "5000"),
        ("shop", "auth-pass", "********"),
        (None, "current-epoch", "3"),
    ]
