"""PDFs held against their standards by veraPDF, where that is installed."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
VERAPDF = "HALEDGER_VERAPDF"  # the program, or the folder of its jars; else the program on the PATH or ROOT/.verapdf
PROFILES = ["PDF/A-3A validation profile", "PDF/UA-1 validation profile"]
"""What each of our PDFs says that it keeps to, and so is held against."""

OF_JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""For a run of seconds Java's second compiler and its other threads take more than they give: half of the time."""


def faults(*pdfs: Path) -> dict[str, list[Any]]:
    """The rules of both profiles that files break, by file and profile; skips the test where veraPDF is not here."""
    command = _verapdf()
    if command is None:
        pytest.skip(f"veraPDF is not here: `make verapdf` fetches it; {VERAPDF} may name its program or folder of jars")
    outcome = subprocess.run(
        [*command, "--format", "json", *map(str, pdfs)],
        capture_output=True,
        text=True,
        check=False,
    )
    jobs = json.loads(outcome.stdout)["report"]["jobs"]
    assert len(jobs) == len(pdfs)
    found: dict[str, list[Any]] = {}
    for job in jobs:
        name = Path(job["itemDetails"]["name"]).name
        assert sorted(result["profileName"] for result in job["validationResult"]) == PROFILES, name
        for result in job["validationResult"]:
            broken = result["details"].get("ruleSummaries")
            assert result["compliant"] is (broken == [])
            if broken:
                found[f"{name}: {result['profileName']}"] = broken
    return found


def _verapdf() -> list[str] | None:
    """The command that starts veraPDF, if it is there."""
    named = os.environ.get(VERAPDF) or shutil.which("verapdf") or str(ROOT / ".verapdf")
    if not Path(named).is_dir():
        return [named] if Path(named).is_file() else None
    java = shutil.which("java")
    return [java, *OF_JAVA, "-cp", str(Path(named) / "*"), "org.verapdf.apps.GreenfieldCliWrapper"] if java else None
