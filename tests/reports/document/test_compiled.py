"""Templates are compiled once, and again where what was kept of them is not of the same source."""

from pathlib import Path

import jinja2
import pytest

from reports.document.compiled import CompiledTemplates


class Counting(jinja2.Environment):
    """Counts what it compiles."""

    compiled = 0

    def compile(self, *given: str, **named: str) -> object:  # type: ignore[override]  # each of its forms
        self.compiled += 1
        return super().compile(*given, **named)  # type: ignore[call-overload]  # likewise


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "haledger" / "templates"


def rendered(source: str) -> tuple[str, int]:
    """What a template prints, and how many were compiled for it."""
    environment = Counting(loader=jinja2.DictLoader({"page": source}), bytecode_cache=CompiledTemplates())
    return environment.get_template("page").render(name="Ada"), environment.compiled


def test_a_template_is_compiled_once() -> None:
    assert [rendered("Hello {{ name }}"), rendered("Hello {{ name }}")] == [("Hello Ada", 1), ("Hello Ada", 0)]


def test_another_source_of_the_same_name_is_compiled() -> None:
    assert [rendered("Hello {{ name }}"), rendered("Bye {{ name }}")] == [("Hello Ada", 1), ("Bye Ada", 1)]


def test_what_is_damaged_is_compiled_again(cache: Path) -> None:
    rendered("Hello {{ name }}")
    (kept,) = cache.iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])
    assert rendered("Hello {{ name }}") == ("Hello Ada", 1)


def test_where_nothing_can_be_kept_it_is_done_without(cache: Path) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_bytes(b"a file in the place of the folder")
    assert [rendered("Hello {{ name }}"), rendered("Hello {{ name }}")] == [("Hello Ada", 1)] * 2


def test_another_program_compiles_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered("Hello {{ name }}")
    monkeypatch.setattr("reports.document.compiled._program", lambda: "another")
    assert rendered("Hello {{ name }}") == ("Hello Ada", 1)


def test_nothing_is_run_that_strangers_may_have_written(cache: Path) -> None:
    rendered("Hello {{ name }}")
    cache.parent.chmod(0o777)
    assert rendered("Hello {{ name }}") == ("Hello Ada", 1)
