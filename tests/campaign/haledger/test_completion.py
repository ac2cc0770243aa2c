"""Shell completion installs for bash, zsh and fish, and completes commands and options."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILES = {
    "bash": ".bash_completions/haledger.sh",
    "zsh": ".zfunc/_haledger",
    "fish": ".config/fish/completions/haledger.fish",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with haledger as a command in its bin."""
    command = tmp_path / "bin" / "haledger"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m haledger "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return tmp_path


def run(home: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=home,
        env={
            "PATH": f"{home / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(home),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("shell", FILES)
def test_completion_installs_into_the_home_folder(home: Path, shell: str) -> None:
    # Typer looks which shell calls it; a test is called by none
    reported = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    outcome = run(home, "haledger", "--install-completion", shell, **reported)
    assert outcome.returncode == 0, outcome.stderr
    assert f"{shell} completion installed" in outcome.stdout
    assert "_HALEDGER_COMPLETE" in (home / FILES[shell]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("haledger tr", {"trace"}, id="command"),
        pytest.param("haledger sql --ma", {"--max-rows"}, id="option"),
        pytest.param("haledger sql --format pa", {"parquet"}, id="value"),
    ],
)
def test_bash_completes(home: Path, words: str, expected: set[str]) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    assert run(home, bash, "-c", "haledger --install-completion; exit $?").returncode == 0
    script = (
        f"source {FILES['bash']}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
        "_haledger_completion haledger; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    outcome = run(home, bash, "-c", script)
    assert set(outcome.stdout.split()) == expected, outcome.stderr
