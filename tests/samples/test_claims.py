"""What the papers behind the samples state, held to their logs: nothing fails; what cannot be told is known."""

from pathlib import Path

import pytest

from pipeline.check import Checked, check
from pipeline.claim_verdict import Verdict

SAMPLES = Path(__file__).parents[2] / "samples"
CANNOT_TELL = {
    "failover-2004": {
        "With a preset standby and 86 file systems the database is back after 31 s or less",
        "Clustered file systems recover in less than 2 s where the standby is already primary",
    },
    "drbd-2005": {"DRBD costs less than a tenth of the throughput"},
    "nfs-fcp-2009": {"Tuned NFS reaches at least 95 % of the throughput of tuned FCP"},
    "oltp-cluster-2003": set(),
}
"""Claims that the published means bear out, and whose intervals lie on both sides."""


@pytest.fixture(scope="module", params=sorted(each.parent.name for each in SAMPLES.glob("*/study.toml")))
def checked(request: pytest.FixtureRequest) -> Checked:
    return check(SAMPLES / str(request.param))


def test_no_claim_fails(checked: Checked) -> None:
    assert [each.text for each in checked.claims if each.verdict is Verdict.FAIL] == []
    assert checked.failures == []


def test_what_cannot_be_told_is_known(checked: Checked) -> None:
    name = Path(checked.study).name
    if name in CANNOT_TELL:
        untold = [each for each in checked.claims if each.verdict is Verdict.CANNOT_TELL]
        assert {each.text for each in untold} == CANNOT_TELL[name]
        assert all(each.estimate and each.estimate.low is not None for each in untold)


def test_every_claim_says_what_it_asks(checked: Checked) -> None:
    for each in checked.claims:
        assert each.text
        assert each.condition
        assert each.verdict is Verdict.PASS or each.reason
