"""A PDF held against its standards by veraPDF, where that is installed."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
VERAPDF = "HALEDGER_VERAPDF"  # the program, or the folder of its jars; else the program on the PATH or ROOT/.verapdf
PROFILES = ("3a", "ua1")


def faults(pdf: Path, profile: str) -> list[Any]:
    """The rules of a profile that a file breaks; skips the test where veraPDF is not here."""
    command = _verapdf()
    if command is None:
        pytest.skip(f"veraPDF is not here: `make verapdf` fetches it; {VERAPDF} may name its program or folder of jars")
    outcome = subprocess.run(
        [*command, "--format", "json", "--flavour", profile, str(pdf)], capture_output=True, text=True, check=False
    )
    (result,) = json.loads(outcome.stdout)["report"]["jobs"][0]["validationResult"]
    found: list[Any] = result["details"].get("ruleSummaries")
    assert result["compliant"] is (found == [])
    return found


def _verapdf() -> list[str] | None:
    """The command that starts veraPDF, if it is there."""
    named = os.environ.get(VERAPDF) or shutil.which("verapdf") or str(ROOT / ".verapdf")
    if not Path(named).is_dir():
        return [named] if Path(named).is_file() else None
    java = shutil.which("java")
    return [java, "-cp", str(Path(named) / "*"), "org.verapdf.apps.GreenfieldCliWrapper"] if java else None
