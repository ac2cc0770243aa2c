"""The samples are what the generator writes, to the byte; `make samples` writes them anew."""

import re
from pathlib import Path

import pytest

from samples.simulate import __main__ as generator

SAMPLES = Path(__file__).parents[3] / "samples"
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


@pytest.mark.parametrize("study", sorted(generator.STUDIES))
def test_samples_stay_small(study: str) -> None:
    assert sum(map(len, _contents(SAMPLES / study).values())) < LIMITS_BYTES[study]


def test_readme_names_the_recorded_studies_and_calls_the_others_simulated() -> None:
    opening = (SAMPLES / "README.md").read_text().split("\n\n")[1]
    studies = {path.parent.name for path in SAMPLES.glob("*/study.toml")} | {"leaders"}  # these need none
    assert opening.startswith("**These logs are simulated, not recorded, but for those of")
    assert set(re.findall(r"`([\w-]+)`", opening)) == studies - set(generator.STUDIES)


@pytest.mark.parametrize("study", sorted(generator.STUDIES))
def test_truth_is_not_inside_the_study(study: str) -> None:
    text = b"".join(_contents(SAMPLES / study).values())
    columns, _, _ = (SAMPLES / f"{study}.truth.csv").read_bytes().partition(b"\n")
    assert b"fault_at" not in text
    assert columns not in text
