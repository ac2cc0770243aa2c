"""What other packages offer to the libraries of haledger has no part in it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PLUGIN = """
open("loaded", "w").close()
def new_schema_validator(*_, **__):
    return None, None, None
"""


@pytest.mark.parametrize("asked", [None, "0"])
def test_a_plugin_of_pydantic_is_not_loaded_unless_asked_for(tmp_path: Path, asked: str | None) -> None:
    package, study = tmp_path / "packages", tmp_path / "study"
    entry = package / "stranger-1.dist-info"
    entry.mkdir(parents=True)
    (entry / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n", encoding="utf-8")
    (entry / "entry_points.txt").write_text("[pydantic]\nstranger = stranger\n", encoding="utf-8")
    (package / "stranger.py").write_text(PLUGIN, encoding="utf-8")
    study.mkdir()
    (study / "messages").write_text("Nov 25 10:00:00 node1 kernel: hello\n", encoding="utf-8")
    (study / "study.toml").write_text('[study]\ntitle = "One line"\n', encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(package), str(ROOT)))}
    environment.pop("PYDANTIC_DISABLE_PLUGINS", None)
    environment |= {} if asked is None else {"PYDANTIC_DISABLE_PLUGINS": asked}
    subprocess.run([sys.executable, "-m", "haledger", "ingest", str(study)], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "loaded").exists() == (asked is not None)
