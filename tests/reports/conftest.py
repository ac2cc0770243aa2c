"""Stores to report on, and one report for all tests that only look at it."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.ingest.ingest import ingest
from reports.document.report import APPENDIX, FORMATS, ReportResult, write_report
from reports.study.store import opened
from reports.study.view import StudyView

HOSTILE = "</td><script>alert(1)</script>{{ 7*7 }}\x1b[31m\u202e=cmd|'/c calc'!A1 %3Cb%3E \u4e2d"


def _module() -> ModuleType:
    """The hand-made store; test folders are no packages, so it is loaded by its path."""
    name = "study_store"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "support" / "study_store.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@dataclass(frozen=True)
class Written:
    store: Path
    folder: Path
    result: ReportResult

    @property
    def html(self) -> str:
        return (self.folder / "report.html").read_text(encoding="utf-8")


Maker = Callable[..., Path]


@pytest.fixture
def make_store(tmp_path: Path) -> Maker:
    """Write the paper's study with some fields changed."""

    def make(**changes: object) -> Path:
        module = _module()
        path: Path = module.write(tmp_path / "store.duckdb", module.paper(**changes))
        return path

    return make


@pytest.fixture(scope="session")
def hostile() -> str:
    return HOSTILE


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A whole report, with hostile text wherever a study or a log can bring text in."""
    module = _module()
    study = module.paper(
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
    store = module.write(folder / "store.duckdb", study)
    return Written(store, folder / "out", write_report(store, folder / "out", formats=(*FORMATS, APPENDIX)))


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyView]:
    """The sample study of HADR planning."""
    store = tmp_path_factory.mktemp("planned") / "haledger.duckdb"
    ingest(Path(__file__).parents[2] / "samples" / "hadr-simulator-2009", store)
    with opened(store) as connection:
        yield StudyView(connection)
