"""`haledger demo` and the commands that it proposes."""

import shlex
from pathlib import Path

import bootstrap
from haledger.commands.demo import NEXT
from tests.support.command import haledger


def test_what_it_proposes_works_as_typed(tmp_path: Path) -> None:
    done = haledger("demo", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "haledger-demo" / "failover-modern-report" / "report.pdf").is_file()
    assert all(f"  {each}\n" in done.stderr for each in ("cd haledger-demo", *NEXT))
    for line in NEXT:
        _, *arguments = shlex.split(line)
        shown = haledger(*arguments, cwd=tmp_path / "haledger-demo")
        assert (shown.returncode, bool(shown.stdout)) == (0, True), line
    assert haledger("demo", "--quiet", cwd=tmp_path).returncode == 0  # again, over its own


def test_what_make_demo_proposes_works_as_typed(tmp_path: Path) -> None:
    haledger("demo", cwd=tmp_path)
    study, report = ("haledger-demo/failover-modern", "haledger-demo/failover-modern-report")
    typed = [each.strip() for each in bootstrap.NEXT.format(study=study, folder=report, pdf="").splitlines()]
    commands = [each for each in typed if each.startswith("haledger ") and "YOUR" not in each]
    assert len(commands) == 2
    for line in commands:
        _, *arguments = shlex.split(line)
        shown = haledger(*arguments, cwd=tmp_path)
        assert (shown.returncode, bool(shown.stdout)) == (0, True), line


def test_a_folder_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "haledger-demo").mkdir()
    (tmp_path / "haledger-demo" / "letter").write_text("dear")
    done = haledger("demo", cwd=tmp_path)
    assert done.returncode == 2
    assert "-o DIR" in done.stderr
