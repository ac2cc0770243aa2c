"""What slow or failed runs say and the others of their configuration do not."""

from collections.abc import Iterator, Sequence
from typing import Final

from pipeline.ask.why.slow_runs import Timed, recovered_besides, slow_or_failed, why
from reports.study.slow_runs import messages, runs_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import code, configuration, from_rows, worded
from reports.tables.model import Table
from reports.typeset.text import shortened
from reports.words import OUTCOME_WORDS

MOST: Final = 3
LONGEST_MESSAGE: Final = 150


@table(section="results", topic="failover", after="operations", is_marked=False)
def slow_runs(study: StudyView) -> list[Table]:
    """The first messages that only the slow or failed runs of a configuration have; none where there are no such."""
    columns = (
        configuration(study),
        worded("Run", ("run", "outcome"), _run),
        code("Host", "node"),
        worded("What it alone says", "text", lambda row: shortened(row["text"], LONGEST_MESSAGE)),
        worded("Line", ("path", "line_no"), lambda row: f"{row['path']}:{row['line_no']}", is_code=True),
    )
    return from_rows(
        list(_rows(study)),
        "Messages that only slow or failed runs have",
        columns,
        note=(
            "Runs that failed, or took three deviations and a tenth longer than the median. The messages that no other "
            "run of the configuration has, the most telling first; leads, no proofs. More: haledger why."
        ),
        source="Source: relation event.",
        row_heads=2,
    )


def _rows(study: StudyView) -> Iterator[Row]:
    by_configuration = {each.configuration: runs_of(study, each.configuration) for each in study.configurations}
    asked = {name: runs for name, runs in by_configuration.items() if _can_be_compared(runs)}
    said = messages(study) if asked else []
    for name, runs in asked.items():
        outcomes = {each.run: each.outcome for each in runs}
        for told in why(name, runs, said).only[:MOST]:
            place = told.places[0]
            yield {
                "configuration": name,
                "run": place.run,
                "outcome": outcomes[place.run],
                "node": place.node,
                "text": " ".join(place.text.split()),
                "path": place.path,
                "line_no": place.line_no,
            }


def _can_be_compared(runs: Sequence[Timed]) -> bool:
    slow = slow_or_failed(runs)
    return bool(slow and recovered_besides(runs, slow))


def _run(row: Row) -> str:
    return row["run"] if row["outcome"] == "recovered" else f"{row['run']} ({OUTCOME_WORDS[row['outcome']]})"
