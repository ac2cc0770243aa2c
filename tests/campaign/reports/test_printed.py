"""The papers of samples and odd studies, gone through by a program for what would annoy or mislead a reader."""

import pytest

from reports.document.document import compose
from reports.figures.catalogue import all_figures
from reports.figures.failover.recovery_times import recovery_times_of_all
from reports.study.view import opened_study
from reports.tables.catalogue import all_tables
from tests.support.drawings import texts
from tests.support.odd_studies import ODD_STUDIES
from tests.support.printed import Printed, faults
from tests.support.sample import LEADERS, STUDIES, sample_report, sample_store


@pytest.mark.parametrize("name", [*STUDIES, *LEADERS, *ODD_STUDIES])
def test_no_paper_has_a_fault_that_a_program_sees(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = sample_report(name, tmp_path_factory)
    with opened_study(sample_store(name, tmp_path_factory)) as study:
        assert faults(Printed(folder, compose(study, all_tables(study), all_figures(study)))) == []


def test_the_steps_of_a_bar_are_those_of_the_runs_that_recovered(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Of the failed run the disks are missing, and its address came later."""
    with opened_study(sample_store("one_failed", tmp_path_factory)) as study:
        figure = recovery_times_of_all(study)
    assert figure is not None
    assert not {"no step named", "network"} & set(texts(figure))
