"""The runs and messages of an open store, by which slow or failed runs are set apart from the others."""

from pathlib import Path
from typing import Final

from pipeline.ask.why import slow_runs
from pipeline.ask.why.slow_runs import Timed
from reports.study.store import Row
from reports.study.view import StudyView

MESSAGES: Final = Path(slow_runs.__file__).with_name("messages.sql").read_text(encoding="utf-8")
RUNS: Final = (
    "select r.run, o.outcome, epoch(o.recovered_at - r.fault_at) as time_s from main.run r "
    "join main.run_outcome o using (configuration, run) where r.configuration = $configuration "
    "and r.fault_at is not null and r.same_as is null order by r.fault_at, r.run"
)


def runs_of(study: StudyView, configuration: str) -> list[Timed]:
    """The failovers of a configuration in the order of time; copies of one count once."""
    return [Timed(**row) for row in study.store.plain_rows(RUNS, configuration=configuration)]


def messages(study: StudyView) -> list[Row]:
    """What all runs say; to be read once, and not kept: a store may have a million of them."""
    return study.store.plain_rows(MESSAGES)
