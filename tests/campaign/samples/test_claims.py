"""What the papers behind the samples state, held to their logs: nothing fails; what cannot be determined is known."""

import re
from pathlib import Path

import pytest

from pipeline.ask.check.check import Checked, check
from pipeline.ask.check.verdict import Verdict
from samples.simulate import __main__ as generator

SAMPLES = Path(__file__).parents[3] / "samples"
CANNOT_TELL = {
    "failover-2004": {
        "Clustered file systems recover in less than 2 s where the standby is already primary",
        "Starting the instance beforehand saves about 10 s",
    },
    "drbd-2005": {"DRBD costs less than a tenth of the throughput"},
    "nfs-fcp-2009": {"Tuned NFS is comparable with tuned FCP: it reaches at least 95 % of its throughput"},
    "oltp-cluster-2003": set(),
}
"""Claims that the published means support, and whose intervals lie on both sides."""


@pytest.fixture(scope="module", params=sorted(each.parent.name for each in SAMPLES.glob("*/study.toml")))
def checked(request: pytest.FixtureRequest) -> Checked:
    return check(SAMPLES / str(request.param))


def test_no_claim_fails(checked: Checked) -> None:
    assert [each.text for each in checked.claims if each.verdict is Verdict.FAIL] == []
    assert checked.failures == []


def test_what_cannot_be_determined_is_known(checked: Checked) -> None:
    name = Path(checked.study).name
    if name in CANNOT_TELL:
        undecided = [each for each in checked.claims if each.verdict is Verdict.CANNOT_TELL]
        assert {each.text for each in undecided} == CANNOT_TELL[name]
        assert all(each.estimate and each.estimate.low is not None for each in undecided)


def test_every_claim_says_what_it_asks(checked: Checked) -> None:
    for each in checked.claims:
        assert each.text
        assert each.condition
        assert each.verdict is Verdict.PASS or each.reason


def test_every_claim_about_made_data_is_marked(checked: Checked) -> None:
    """Those of the studies that a program wrote, and of no other."""
    is_made = Path(checked.study).name not in ("hadr-simulator-2009", "pacemaker-postgresql", "pgbench-synccommit")
    assert {each.built_in.is_built_in for each in checked.claims} == {is_made}
    assert checked.origins.study.is_built_in is is_made
    assert checked.origins.study.note


def test_the_number_in_which_the_paper_contradicts_itself_is_shown_as_it_is(checked: Checked) -> None:
    if Path(checked.study).name != "failover-2004":
        return
    (claim,) = [each for each in checked.claims if "Up to 86 %" in each.text]
    assert "goes beyond it" in claim.text
    assert claim.estimate is not None
    assert claim.estimate.value == pytest.approx(89.75, abs=1)
    assert claim.built_in.note is not None
    assert "a tenth of 302 s" in claim.built_in.note


LIMITS_BYTES = {
    "failover-2004": 25_000_000,
    "failover-modern": 5_000_000,
    "drbd-2005": 3_000_000,
    "nfs-fcp-2009": 3_000_000,
    "oltp-cluster-2003": 3_000_000,
}


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("study", sorted(generator.STUDIES))
def test_regeneration_gives_the_same_bytes(study: str, tmp_path: Path) -> None:
    generator.write_study(study, tmp_path)
    written, sample = _contents(tmp_path / study), _contents(SAMPLES / study)
    assert written.keys() == sample.keys()
    assert [name for name, content in written.items() if content != sample[name]] == []
    truth = f"{study}.truth.csv"
    assert (tmp_path / truth).read_bytes() == (SAMPLES / truth).read_bytes()


@pytest.mark.parametrize("study", sorted(LIMITS_BYTES))
def test_samples_stay_small(study: str) -> None:
    assert sum(map(len, _contents(SAMPLES / study).values())) < LIMITS_BYTES[study]


def test_readme_names_the_recorded_studies_and_calls_the_others_simulated() -> None:
    opening = (SAMPLES / "README.md").read_text().split("\n\n")[1]
    studies = {path.parent.name for path in SAMPLES.glob("*/study.toml")} | {"leaders"}  # these need none
    assert opening.startswith("**These logs are simulated, not recorded, but for those of")
    assert set(re.findall(r"`([\w-]+)`", opening)) == studies - set(LIMITS_BYTES)


@pytest.mark.parametrize("study", sorted(LIMITS_BYTES))
def test_truth_is_not_inside_the_study(study: str) -> None:
    text = b"".join(_contents(SAMPLES / study).values())
    columns, _, _ = (SAMPLES / f"{study}.truth.csv").read_bytes().partition(b"\n")
    assert b"fault_at" not in text
    assert columns not in text
