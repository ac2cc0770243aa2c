"""Limits of memory where the system tells less than Linux with /proc does."""

import resource
from pathlib import Path

import pytest

from pipeline import memory


def test_without_proc_nothing_is_bounded_and_free_memory_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "Path", lambda place: Path("/nonexistent", place.lstrip("/")))
    before = resource.getrlimit(resource.RLIMIT_AS)
    with memory.bounded_address_space(1):
        assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert memory.free_bytes() > memory.MEBIBYTE
