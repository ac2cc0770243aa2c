"""Every mistake in a study.toml is reported by every command that reads logs, at once, before it reads one."""

import re
from pathlib import Path

import pytest

from tests.support.command import haledger

PLANTED = Path(__file__).with_name("forty_mistakes.toml")
MARK = re.compile(r"\s+# (?P<said>.+)$")


def planted() -> dict[int, str]:
    """What is to be said of each line with a mistake."""
    lines = PLANTED.read_text(encoding="utf-8").splitlines()
    return {number: found["said"] for number, line in enumerate(lines, 1) if (found := MARK.search(line))}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("contract") / "study"
    for place in ("old/run01", "old/run02", "new/run01", "new/run02"):
        (folder / place / "alpha").mkdir(parents=True)
        (folder / place / "alpha" / "pgbench.txt").write_text("no log at all\n")
    (folder / "study.toml").write_bytes(PLANTED.read_bytes())
    return folder


@pytest.mark.parametrize("command", ["ingest", "report", "check", "explain"])
def test_all_mistakes_of_all_sections_are_reported_in_one_run(study: Path, command: str) -> None:
    outcome = haledger(command, "study", cwd=study.parent)
    reported = re.findall(r"^(?:haledger: )?\S*study/study\.toml:(\d+): (.+)$", outcome.stderr, re.MULTILINE)
    missed = [
        (line, said, [text for number, text in reported if int(number) == line])
        for line, said in planted().items()
        if not any(int(number) == line and said in text for number, text in reported)
    ]
    assert (outcome.returncode, missed, len(reported)) == (2, [], len(planted()))
    assert [each.name for each in study.parent.iterdir()] == ["study"]


def test_there_are_forty_mistakes_of_all_sections() -> None:
    headings = set(re.findall(r"^\[+(\w+)", PLANTED.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(planted()) >= 40
    assert headings == {
        *(
            "study",
            "report",
            "repport",
            "configuration",
            "node",
            "resource_type",
            "run",
            "files",
            "format",
            "milestone",
        ),
        *("table", "figure", "claim", "event", "section"),
    }
