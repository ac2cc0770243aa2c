"""One report for all tests that only look at it, with hostile text wherever a study or a log can bring text in."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from reports.document.report import APPENDIX, FORMATS, ReportResult, write_report
from tests.support import study_store

HOSTILE = "</td><script>alert(1)</script>{{ 7*7 }}\x1b[31m\u202e=cmd|'/c calc'!A1 %3Cb%3E \u4e2d"


@dataclass(frozen=True)
class Written:
    store: Path
    folder: Path
    result: ReportResult

    @property
    def html(self) -> str:
        return (self.folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A whole report, with hostile text wherever a study or a log can bring text in."""
    study = study_store.paper(
        setting={
            "title": f"Shorter failover {HOSTILE}",
            "subtitle": "Three configurations",
            "date": "2004-02-04",
            "abstract": 'Down to {{ mean("complete", "tuned") }} s.',
            "margin_pct": 10.0,
        },
        labels={"default": "Default parameters", "tuned": "Tuned parameters", "prestart": f"Pre-started {HOSTILE}"},
        tables=[
            {"name": "table-3-7", "kind": "milestones", "configurations": ["default", "tuned"]}
            | {"caption": "Two file systems", "options": {"label": "Table 3.7"}},
            {
                "name": "own",
                "sql": "select 'a' as who, 1.5 as low, 2.5 as high",
                "spanners": {"Limits": ["low", "high"]},
            }
            | {"caption": "A table of its own"},
        ],
        sections=[("What follows", "results", "It took {{ runs('complete', 'tuned') }} runs. <b>not bold</b>")],
        findings=[("warning", f"`complete` is late: {HOSTILE}")],
        files=[("default/run01/engine_A.log", "parsed"), (f"default/{HOSTILE}.log", "unrecognised")],
    )
    folder = tmp_path_factory.mktemp("report")
    store = study_store.write(folder / "store.duckdb", study)
    return Written(store, folder / "out", write_report(store, folder / "out", formats=(*FORMATS, APPENDIX)))
