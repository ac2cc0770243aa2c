"""What decides that a file is read again: no module that leads to rows may be left out."""

import ast
import hashlib
from pathlib import Path

import pytest

from pipeline.store import fingerprint, user_cache
from pipeline.store.fingerprint import ASK, PROGRAM, kept_by_version, own_info
from pipeline.study.manifest import load


def test_nothing_that_reads_a_file_imports_what_only_asks_a_store() -> None:
    for path in (PROGRAM / "pipeline").rglob("*.py"):
        if not path.is_relative_to(PROGRAM / ASK):
            imported = [
                each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.ImportFrom)
            ]
            assert not [each.module for each in imported if str(each.module).startswith("pipeline.ask")], path


def test_key_is_of_the_study_toml_that_was_read(tmp_path: Path) -> None:
    declared = tmp_path / "study.toml"
    declared.write_text("[study]\ntitle = 'One'\n")
    manifest = load(tmp_path)
    declared.write_text("[study]\ntitle = 'Two'\n")  # somebody saves it meanwhile
    assert own_info(tmp_path, manifest).manifest_key == hashlib.sha256(manifest.content).hexdigest()
    assert own_info(tmp_path, load(tmp_path)).manifest_key != own_info(tmp_path, manifest).manifest_key


def test_another_version_makes_its_own_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert [kept_by_version("rules", lambda: b"old"), kept_by_version("rules", lambda: b"new")] == [b"old", b"old"]
    monkeypatch.setattr(fingerprint, "program_key", lambda: "another")
    assert kept_by_version("rules", lambda: b"new") == b"new"


def test_nothing_that_strangers_may_write_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kept_by_version("rules", lambda: b"value") == b"value"
    place = user_cache.folder()
    assert place is not None
    place.chmod(0o777)
    assert kept_by_version("rules", lambda: b"value") is None
