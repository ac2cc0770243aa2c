"""Costly things are made once, and again when what was kept of them is damaged."""

import ast
import hashlib
import os
from pathlib import Path

import pytest

from pipeline.store import fingerprint, user_cache
from pipeline.store.fingerprint import ASK, PROGRAM, kept_by_version, own_info
from pipeline.study.manifest import load


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "haledger"


class Maker:
    """Counts how often something is made."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> bytes:
        self.made += 1
        return b"content"


def test_the_same_is_made_once() -> None:
    make = Maker()
    assert [user_cache.kept("kind", "a", make) for _ in range(3)] == [b"content"] * 3
    assert make.made == 1
    user_cache.kept("kind", "b", make)
    assert make.made == 2


@pytest.mark.parametrize("damage", [b"", b"short", bytes(32) + b"content", None])
def test_what_is_damaged_is_made_again(cache: Path, damage: bytes | None) -> None:
    make = Maker()
    user_cache.kept("kind", "a", make)
    (file,) = (cache / "kind").iterdir()
    file.write_bytes(file.read_bytes()[:-1] if damage is None else damage)
    assert user_cache.kept("kind", "a", make) == b"content"
    assert make.made == 2


def test_where_nothing_can_be_kept_it_is_done_without(cache: Path) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_bytes(b"a file in the place of the folder")
    make = Maker()
    assert [user_cache.kept("kind", "a", make) for _ in range(2)] == [b"content"] * 2


def test_the_oldest_files_go(cache: Path) -> None:
    for each in "abc":
        user_cache.kept("kind", each, Maker(), most=2)
    assert len(list((cache / "kind").iterdir())) == 2


def test_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54_321)
    assert user_cache.folder() is None
    assert user_cache.kept("kind", "a", Maker()) == b"content"


@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("place", ["", "kind"])
def test_what_others_may_write_is_not_private(cache: Path, place: str, mode: int) -> None:
    assert user_cache.is_private("kind")
    user_cache.kept("kind", "a", Maker())
    assert user_cache.is_private("kind")
    (cache / place).chmod(mode)
    assert not user_cache.is_private("kind")


def test_folders_are_made_for_their_owner_alone(cache: Path) -> None:
    before = os.umask(0)
    try:
        user_cache.kept("kind", "a", Maker())
    finally:
        os.umask(before)
    assert [each.stat().st_mode & 0o777 for each in (cache, cache / "kind")] == [0o700, 0o700]


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
