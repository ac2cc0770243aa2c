"""Shell completion installs for bash, zsh and fish, and completes commands and options."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from docs import worked_pages

FILES = {
    "bash": ".bash_completions/haledger.sh",
    "zsh": ".zfunc/_haledger",
    "fish": ".config/fish/completions/haledger.fish",
}


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A command in a home folder, where haledger is a command too."""
    found = worked_pages.environment(tmp_path) | {"HOME": str(tmp_path)}
    return lambda *command, **own: subprocess.run(
        command, cwd=tmp_path, env=found | own, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("shell", FILES)
def test_completion_installs_into_the_home_folder(run: Run, tmp_path: Path, shell: str) -> None:
    # Typer looks which shell calls it; a test is called by none
    reported = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    outcome = run("haledger", "--install-completion", shell, **reported)
    assert outcome.returncode == 0, outcome.stderr
    assert f"{shell} completion installed" in outcome.stdout
    assert "_HALEDGER_COMPLETE" in (tmp_path / FILES[shell]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("haledger tr", {"trace"}, id="command"),
        pytest.param("haledger sql --ma", {"--max-rows"}, id="option"),
        pytest.param("haledger sql --format pa", {"parquet"}, id="value"),
    ],
)
def test_bash_completes(run: Run, words: str, expected: set[str]) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    assert run(bash, "-c", "haledger --install-completion; exit $?").returncode == 0
    script = (
        f"source {FILES['bash']}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
        "_haledger_completion haledger; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    outcome = run(bash, "-c", script)
    assert set(outcome.stdout.split()) == expected, outcome.stderr
