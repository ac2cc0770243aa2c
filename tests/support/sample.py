"""Stores and reports of samples and odd studies for tests that only look at them: each made once in a run."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from reports.document.report import APPENDIX, write_report
from samples.files import SAMPLES, unpack
from tests.support.failover_logs import ingested
from tests.support.odd_studies import ODD_STUDIES

STUDIES = sorted(each.parent.name for each in SAMPLES.glob("*/study.toml"))
LEADERS = sorted(f"leaders/{each.name}" for each in (SAMPLES / "leaders").iterdir() if each.is_dir())
FORMATS = ("pdf", "html", "tables", APPENDIX)


def sample_files(name: str, factory: pytest.TempPathFactory) -> Path:
    """The files of a sample, those of recorded ones unpacked; a test that changes one copies it first."""
    return made_once(f"files of {name}", factory, lambda folder: unpack(name, folder))


def sample_store(name: str, factory: pytest.TempPathFactory) -> Path:
    """The store of a sample or odd study; a test that changes one copies it first."""
    return made_once(f"store of {name}", factory, lambda folder: _ingest(name, folder)) / "haledger.duckdb"


def sample_report(name: str, factory: pytest.TempPathFactory) -> Path:
    """The folder of a sample's report, without single figures."""
    store = sample_store(name, factory)
    return made_once(f"report of {name}", factory, lambda folder: _report(store, folder))


def made_once(name: str, factory: pytest.TempPathFactory, make: Callable[[Path], object]) -> Path:
    """A folder that all processes of a run share; what fails half-way is made anew by who asks next."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / name.replace("/", " ")
    begun = folder.with_name(f"{folder.name}, begun")
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            make(begun)
            begun.rename(folder)
    return folder


def _ingest(name: str, folder: Path) -> None:
    if build := ODD_STUDIES.get(name):
        build(folder / "study")
        ingested(folder / "study").db.rename(folder / "haledger.duckdb")
    else:
        ingest(SAMPLES / name, folder / "haledger.duckdb")


def _report(store: Path, folder: Path) -> None:
    write_report(store, folder, formats=FORMATS)
