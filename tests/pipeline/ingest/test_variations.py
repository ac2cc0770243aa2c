"""What changes no failover changes no number: `make metamorphic` varies more, and more studies."""

from dataclasses import replace
from pathlib import Path

from bench.metamorphic.__main__ import compared
from bench.metamorphic.judge import SAME
from bench.metamorphic.studies import STUDIES
from bench.metamorphic.variations import variations

VARIED = {
    "add iostat.txt to each node",
    "all runs in one folder, a log for each node and program",
    "cumulative logs: each run holds those before it",
    "logs begin at the symptom",
}


def test_variations_of_a_recorded_study_change_no_number(tmp_path: Path) -> None:
    (study,) = (replace(each, configurations=("baseline",)) for each in STUDIES if each.name == "sentinel")
    wanted = [each for each in variations() if each.name in VARIED]
    assert len(wanted) == len(VARIED)
    found = {each.name: verdict for each, verdict in compared(study, tmp_path, wanted)}
    assert found == dict.fromkeys(VARIED, (SAME, ""))
