import pytest

from parsers.configuration.drbd_conf import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, values, verdicts

# ADAPTED (public example of DRBD 8.4: structure kept, names changed)
DRBD = [
    "# data of the database",
    "resource r0 {",
    "  protocol C;",
    "  disk {",
    "    resync-rate",
    "      33M;",
    "    no-disk-flushes; on-io-error detach; }",
    '  net { shared-secret "FooFun;Factory"; cram-hmac-alg sha1; } # both',
    "  on db1.example.com {",
    "    device /dev/drbd0;",
    "  }",
    "}",
    'include "drbd.d/*.res";',
]


def test_options_are_named_by_their_blocks() -> None:
    assert values(FORMAT, *DRBD) == {
        "resource r0.protocol": "C",
        "resource r0.disk.resync-rate": "33M",
        "resource r0.disk.no-disk-flushes": "yes",
        "resource r0.disk.on-io-error": "detach",
        "resource r0.net.shared-secret": "********",
        "resource r0.net.cram-hmac-alg": "sha1",
        "resource r0.on db1.example.com.device": "/dev/drbd0",
        "include": "drbd.d/*.res",
    }


def test_value_may_stand_on_the_next_line() -> None:
    assert verdicts(FORMAT, *DRBD)[3:7] == [Verdict.IGNORED, Verdict.PARSED, Verdict.CONTINUATION, Verdict.PARSED]


def test_option_that_lost_its_sign_costs_its_line() -> None:
    texts = ["resource r0 {", "net {", "timeout 60", "}", "protocol C;", "}"]
    assert values(FORMAT, *texts) == {"resource r0.protocol": "C"}
    assert verdicts(FORMAT, *texts)[2] == Verdict.REJECTED


@pytest.mark.parametrize("texts", [[], ["resource r0 {"], ["totem {", "version: 2", "}"], ["protocol C;"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0


def test_own_files_are_recognised() -> None:
    assert confidence(FORMAT, *DRBD) >= 0.9
